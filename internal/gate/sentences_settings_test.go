package gate_test

import (
	"testing"

	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
)

// TestFaultsObserveAutoState: steps 0 and 1, what is silence when, mode auto,
// and what a session state may and may not grant.
func TestFaultsObserveAutoState(t *testing.T) {
	broken := m(shared, `{"permissions": {"deny": ["Read(./x)"]`, user, `{"permissions":{"allow":["Bash(ls:*)","mcp__fs","Agent"]}}`)
	pg := "/home/dev/.gen/permgate.json"
	observe := m(pg, `{"enforce": false}`, user, `{"permissions":{"deny":["Bash(git status)"]}}`, managed, `{"permissions":{"deny":["Bash(curl:*)"]}}`)
	runSentences(t, []sentence{
		// step 0
		{name: "fault websearch", payload: tool("WebSearch", `{"query":"x"}`), files: broken, want: allow},
		{name: "fault bash", payload: bash("ls"), files: broken, want: ask},
		{name: "fault read", payload: tool("Read", `{"file_path":"/w/x"}`), files: broken, want: ask},
		{name: "fault bypass", payload: as(bash("ls"), `"permission_mode":"bypassPermissions"`), files: broken, want: ask},
		{name: "fault managed lock", payload: as(tool("Custom", `{}`), `"permission_mode":"bypassPermissions"`), files: m(managed, "{"), want: ask},
		{name: "fault managed webs", payload: as(tool("WebSearch", `{"query":"x"}`), `"permission_mode":"bypassPermissions"`), files: m(managed, "{"), want: allow},
		{name: "dup keys", payload: bash("ls"), files: m(user, `{"permissions":{"allow":["Bash(ls:*)"]},"permissions":{}}`), want: ask, reason: "twice"},
		{name: "empty file", payload: bash("ls"), files: m(user, ``, shared, `{"permissions":{"allow":["Bash(ls:*)"]}}`), want: ask},
		{name: "bom", payload: bash("ls"), files: m(user, "\ufeff"+`{"permissions":{"allow":["Bash(ls:*)"]}}`), want: allow},
		{name: "dir as file", payload: bash("ls"), files: m(user, `{"permissions":{"allow":["Bash(ls:*)"]}}`, shared, "dir"), want: ask},
		{name: "fault plan defer", payload: as(bash("ls"), `"permission_mode":"plan"`), files: m(pg, `{"onUnmatched":"defer"}`, shared, "{"), want: deny},
		{name: "plan defer", payload: as(bash("make x"), `"permission_mode":"plan"`), files: m(pg, `{"onUnmatched":"defer"}`), flags: gate.Flags{Host: "claude"}, want: pass},
		{name: "plan defer, host not known to enforce it", payload: as(bash("make x"), `"permission_mode":"plan"`), files: m(pg, `{"onUnmatched":"defer"}`), want: deny},
		{name: "dontAsk defer", payload: as(bash("make x"), `"permission_mode":"dontAsk"`), files: m(pg, `{"onUnmatched":"defer"}`), flags: gate.Flags{Host: "claude"}, want: pass},
		{name: "dontAsk by flag defer", payload: bash("make x"), files: m(pg, `{"onUnmatched":"defer"}`), flags: gate.Flags{Host: "claude", Mode: "dontAsk"}, want: deny},
		{name: "plan by settings defer", payload: bash("make x"), files: m(pg, `{"onUnmatched":"defer"}`, user, `{"permissions":{"defaultMode":"plan"}}`), want: deny},
		{name: "defer ask fault of the project", payload: bash("make x"), files: m(pg, `{"onUnmatched":"defer"}`, shared, "{"), want: pass},
		{name: "defer allow fault of the project", payload: bash("make x"), files: m(pg, `{"onUnmatched":"defer"}`, shared, "{", user, `{"permissions":{"allow":["Bash(make:*)"]}}`), want: pass},
		{name: "defer allow fault of the project, acceptEdits", payload: as(bash("make x"), `"permission_mode":"acceptEdits"`), files: m(pg, `{"onUnmatched":"defer"}`, shared, "{", user, `{"permissions":{"allow":["Bash(make:*)"]}}`), want: ask},
		{name: "defer ask fault of the user", payload: bash("make x"), files: m(pg, `{"onUnmatched":"defer"}`, user, "{"), want: ask},
		{name: "defer ask", payload: bash("make x"), files: m(pg, `{"onUnmatched":"defer"}`), want: pass},
		{name: "defer fault in own file", payload: bash("make x"), files: m(pg, `{"onUnmatched":"defer",}}`), want: ask},
		{name: "defer edit outside", payload: tool("Write", `{"file_path":"/tmp/x"}`), files: m(pg, `{"onUnmatched":"defer"}`), want: ask},
		{name: "defer shared", payload: bash("make x"), files: m("/work/project/.gen/permgate.json", `{"onUnmatched":"defer"}`), want: ask},
		// observe
		{name: "observe managed deny", payload: bash("git status && curl x"), files: observe, want: deny},
		{name: "observe user deny", payload: bash("git status"), files: observe, want: pass},
		{name: "observe managed fence", payload: tool("Write", `{"file_path":"/tmp/x"}`), files: m(pg, `{"enforce": false}`, managed, `{"permissions":{"blockWritesOutsideWorkingDirectories":true}}`), want: deny},
		{name: "observe managed exclusion", payload: tool("Read", `{"file_path":"/tmp/x.pem"}`), files: m(pg, `{"enforce": false}`, "/etc/gen/permgate.json", `{"contentExclusion":["**/*.pem"]}`), want: deny},
		{name: "observe managed catastrophic", payload: bash("rm -rf /"), files: m(pg, `{"enforce": false}`, "/etc/gen/permgate.json", `{"catastrophic":"deny"}`), want: deny},
		{name: "observe user catastrophic", payload: bash("rm -rf /"), files: m(pg, `{"enforce": false, "catastrophic":"deny"}`), want: pass},
		{name: "observe in shared", payload: bash("ls x"), files: m("/work/project/.gen/permgate.json", `{"enforce": false}`), want: ask},
		{name: "observe managed hard deny", payload: as(bash("ls && curl x"), `"permission_mode":"auto"`), files: m(pg, `{"enforce": false}`, user, `{"permissions":{"deny":["Bash(ls)"]}}`, managed, `{"autoMode":{"hard_deny":["Bash(curl:*)"]}}`), want: deny},
		// auto
		{name: "auto hard deny", payload: as(bash("curl x"), `"permission_mode":"auto"`), files: m(user, `{"autoMode":{"hard_deny":["Bash(curl:*)"]}}`), want: deny},
		{name: "auto hard deny shared ignored", payload: as(bash("curl https://x"), `"permission_mode":"auto"`), files: m(shared, `{"autoMode":{"allow":["Bash(curl:*)"]}}`), want: ask},
		{name: "auto hole", payload: as(bash("git push $X"), `"permission_mode":"auto"`), files: m(user, `{"permissions":{"allow":["Bash"]},"autoMode":{"hard_deny":["Bash(git push --tags)"]}}`), want: ask, reason: "could-match"},
		{name: "auto bypass grants?", payload: as(tool("Edit", `{"file_path":"a"}`), `"permission_mode":"auto"`), want: allow},
		{name: "auto locked", payload: as(tool("Edit", `{"file_path":"a"}`), `"permission_mode":"auto"`), files: m(shared, `{"disableAutoMode":"disable"}`), want: ask},
		{name: "auto claude silent", payload: as(tool("Edit", `{"file_path":"a"}`), `"permission_mode":"auto"`), flags: gate.Flags{Host: "claude"}, want: pass},
		{name: "auto claude request", payload: as(tool("Edit", `{"file_path":"a"}`), `"permission_mode":"auto","hook_event_name":"PermissionRequest"`), flags: gate.Flags{Host: "claude"}, want: pass},
		{name: "auto generic request", payload: as(tool("Edit", `{"file_path":"a"}`), `"permission_mode":"auto","hook_event_name":"PermissionRequest"`), want: allow},
		// session state
		{name: "state edits", payload: tool("Write", `{"file_path":"x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true}`), want: allow},
		{name: "state vs ask managed", payload: bash("git push"), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllBash":true}`, managed, `{"permissions":{"ask":["Bash(git push:*)"]}}`), want: ask},
		{name: "state vs ask user", payload: bash("git push"), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllBash":true}`, user, `{"permissions":{"ask":["Bash(git push:*)"]}}`), want: allow},
		{name: "state other project", payload: bash("git push"), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/x","allowAllBash":true}`), want: ask},
		{name: "state disabled", payload: bash("make x"), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllBash":true}`, "/etc/gen/permgate.json", `{"disableSessionGrants":true}`), want: ask},
		{name: "state in project by env", payload: bash("make x"), env: m("XDG_STATE_HOME", "/work/project/st"), files: m("/work/project/st/permgate/session-s1.json", `{"project":"/work/project","allowAllBash":true}`), want: ask},
		{name: "state home ok", payload: bash("make x"), files: m("/home/dev/.local/state/permgate/session-s1.json", `{"project":"/work/project","allowAllBash":true}`), want: allow},
		{name: "state of HOME in project", payload: bash("make x"), env: m("HOME", "/work/project/h"), files: m("/work/project/h/.local/state/permgate/session-s1.json", `{"project":"/work/project","allowAllBash":true}`), want: ask},
		{name: "state under fault", payload: bash("make x"), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllBash":true}`, shared, "{"), want: ask},
		{name: "state subagent", payload: as(bash("make x"), `"agent_id":"1"`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllBash":true}`), want: deny},
		{name: "fault grep nopath", payload: tool("Grep", `{"pattern":"x"}`), files: broken, want: ask, reason: "settings.json:1"},
		{name: "fault glob nopath", payload: tool("Glob", `{"pattern":"**"}`), files: broken, want: ask},
		{name: "fault mcp path", payload: tool("mcp__fs__read", `{"path":"/etc/x"}`), files: broken, want: ask},
		{name: "state dir is workspace", payload: tool("Write", `{"file_path":"/opt/d/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/d"]}`), want: allow, reason: "session: allow all edits, until "},
		{name: "state dir is no more than that", payload: tool("Write", `{"file_path":"/opt/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/d"]}`), want: ask, reason: "outside working directory"},
		{name: "state dir grants nothing", payload: bash("touch /opt/d/x"), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/d"]}`), want: ask, reason: "no rule"},
		{name: "state dir and sensitive", payload: tool("Write", `{"file_path":"/opt/d/.git/config"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/d"]}`), want: ask, reason: "asks in every mode"},
		{name: "state dir and deny", payload: tool("Write", `{"file_path":"/opt/d/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/d"]}`, user, `{"permissions":{"deny":["Edit(//opt/d/**)"]}}`), want: deny},
		{name: "state dir and fence", payload: tool("Write", `{"file_path":"/opt/d/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/d"]}`, user, `{"permissions":{"blockWritesOutsideWorkingDirectories":true}}`), want: allow},
		{name: "state dir of another project", payload: tool("Write", `{"file_path":"/opt/d/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/x","allowAllEdits":true,"dirs":["/opt/d"]}`), want: ask},
		{name: "state dir disabled", payload: tool("Write", `{"file_path":"/opt/d/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/d"]}`, "/etc/gen/permgate.json", `{"disableSessionGrants":true}`), want: ask},
		{name: "state dir under managed only", payload: tool("Write", `{"file_path":"/opt/d/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/d"]}`, managed, `{"permissions":{"allowManagedPermissionRulesOnly":true}}`), want: ask, reason: "outside working directory"},
		{name: "state dir for a strict subagent", payload: as(tool("Write", `{"file_path":"/opt/d/x"}`), `"agent_id":"1"`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/d"]}`), want: deny, reason: "outside working directory"},
		{name: "state dir root", payload: tool("Write", `{"file_path":"/home/dev/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/"]}`), want: ask, reason: "outside working directory"},
		{name: "state dir home", payload: tool("Write", `{"file_path":"/home/dev/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/home/dev"]}`), want: ask, reason: "outside working directory"},
		{name: "state dir above home", payload: tool("Write", `{"file_path":"/home/dev/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/home"]}`), want: ask, reason: "outside working directory"},
		{name: "state dir with the state", payload: tool("Write", `{"file_path":"/state/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/state"]}`), want: ask},
		{name: "state dir through a link", payload: tool("Write", `{"file_path":"/opt/l/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/l"]}`, "/opt/l", "-> /srv"), want: ask, reason: "outside working directory"},
		{name: "state dir through a link that was granted", payload: tool("Write", `{"file_path":"/opt/l/x"}`), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/l","/srv"]}`, "/opt/l", "-> /srv"), want: allow},
		{name: "state dir holds settings no rule comes from", payload: bash("make x"), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt/d"]}`, "/opt/d/.gen/settings.json", `{"permissions":{"allow":["Bash(make:*)"]}}`), want: ask},
		{name: "state of another user's file", payload: bash("make x"), files: m("/home/dev/.local/state/permgate/session-s1.json", `{"project":"/work/project","allowAllBash":true}`), want: ask, arrange: func(f *fakefs.FS) { f.Own("/home/dev/.local/state/permgate/session-s1.json", 7) }},
		{name: "state dir with settings of the user", payload: tool("Write", `{"file_path":"/opt/x"}`), flags: gate.Flags{State: "/state"}, env: m("CLAUDE_CONFIG_DIR", "/opt/cfg"), files: m("/opt/cfg/settings.json", `{}`, "/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"dirs":["/opt"]}`), want: ask, reason: "outside working directory", arrange: func(f *fakefs.FS) { f.Own("/opt", 1000) }},
		{name: "state since yesterday", payload: bash("make x"), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","since":"0000-12-31T00:00:00Z","allowAllBash":true}`), want: allow, reason: "until 0001-01-07"},
		{name: "state since a week ago", payload: bash("make x"), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","since":"0000-12-25T00:59:00Z","allowAllBash":true}`), want: ask},
		{name: "state since whenever", payload: bash("make x"), flags: gate.Flags{State: "/state"}, files: m("/state/session-s1.json", `{"project":"/work/project","since":"soon","allowAllBash":true}`), want: ask},
		{name: "state of env is not the only guarded", payload: as(tool("Write", `{"file_path":"/home/dev/.local/state/permgate/session-s1.json"}`), `"permission_mode":"bypassPermissions"`), env: m("XDG_STATE_HOME", "/tmp/q"), want: ask},
		{name: "state in dropped dir by env", payload: bash("make x"), env: m("XDG_STATE_HOME", "/work/other"), files: m("/work/other/permgate/session-s1.json", `{"project":"/work/project","allowAllBash":true}`, "/work/.gen/settings.json", `{"permissions":{"additionalDirectories":["/work/other"]}}`), want: ask},
		{name: "state of a HOME that is the project", payload: bash("make x"), cwd: "/work/project/sub", env: m("HOME", "/work/project"), files: m("/work/project/.local/state/permgate/session-s1.json", `{"project":"/work/project/sub","allowAllBash":true}`), want: ask},
		{name: "managed lock in a broken rule list", payload: as(tool("X", `{}`), `"permission_mode":"bypassPermissions"`), files: m(managed, `{"permissions":{"disableBypassPermissionsMode":true,"deny":7}}`), want: ask},
		{name: "state written by others", payload: bash("make x"), files: m("/home/dev/.local/state/permgate/session-s1.json", `{"project":"/work/project","allowAllBash":true}`), want: ask, arrange: func(f *fakefs.FS) { f.File("/home/dev/.local/state/permgate/session-s1.json").Mode = 0o666 }},
		{name: "state of another user", payload: bash("make x"), flags: gate.Flags{}, files: m("/home/dev/.local/state/permgate/session-s1.json", `{"project":"/work/project","allowAllBash":true}`), want: ask, arrange: func(f *fakefs.FS) { f.Own("/home/dev/.local/state/permgate", 7) }},
		{name: "state link", payload: bash("make x"), files: m("/home/dev/.local/state/permgate/session-s1.json", "-> /work/project/s.json", "/work/project/s.json", `{"project":"/work/project","allowAllBash":true}`), want: ask},
		{name: "enforce false with a broken own file", payload: bash("make x"), files: m(pg, `{"enforce":false,,}`), want: ask},
	})
}

// TestModeAliases: names of modes that ExAthena has mean here what they mean there, under the usual conditions.
func TestModeAliases(t *testing.T) {
	mode := func(name string) string { return `{"permissions":{"defaultMode":"` + name + `"}}` }
	make, edit, outside := bash("make"), tool("Edit", `{"file_path":"/work/project/a"}`), tool("Edit", `{"file_path":"/srv/a"}`)
	runSentences(t, []sentence{
		{name: "trusted, of the user", payload: make, files: m(user, mode("trusted")), want: allow},
		{name: "trusted skips no check", payload: bash("rm -rf src"), files: m(user, mode("trusted")), want: ask},
		{name: "trusted and a deny rule", payload: make, files: m(user, `{"permissions":{"defaultMode":"trusted","deny":["Bash"]}}`), want: deny},
		{name: "trusted, shared", payload: make, files: m(shared, mode("trusted")), want: ask},
		{name: "trusted, locked", payload: make, files: m(user, mode("trusted"), managed, `{"permissions":{"disableBypassPermissionsMode":true}}`), want: ask},
		{name: "trusted by a flag alone", payload: make, flags: gate.Flags{Mode: "trusted"}, want: ask},
		{name: "accept_edits", payload: edit, files: m(user, mode("accept_edits")), want: allow},
		{name: "accept_edits outside", payload: outside, files: m(user, mode("accept_edits")), want: ask},
		{name: "accept_edits runs nothing", payload: make, files: m(user, mode("accept_edits")), want: ask},
		{name: "another case", payload: make, files: m(user, mode("Trusted")), want: ask},
		{name: "managed, unknown", payload: edit, files: m(managed, mode("yolo")), want: deny},
	})
}

// TestCodes decides a call for every reason code that needs settings: those of one command line
// are run where the page with the table is made.
func TestCodes(t *testing.T) {
	const agent = "/work/project/.gen/agents/a.md"
	shows := func(text string) string { return `{"permissions":` + text + `}` }
	asked := map[string]string{user: shows(`{"ask":["Bash(make:*)"],"allow":["Bash(git:*)"]}`)}
	auto := map[string]string{user: `{"permissions":{"defaultMode":"auto"},"autoMode":{"hard_deny":["Bash(aa:*)"],"soft_deny":["Bash(bb:*)"],"allow":["Bash(cc:*)"]}}`}
	for want, s := range map[say.Code]sentence{
		say.CodeAskedByRule:       {payload: bash("make x"), files: asked},
		say.CodeAllowedByRule:     {payload: bash("git status"), files: asked},
		say.CodeOutsideAllowTools: {payload: bash("ls"), files: map[string]string{agent: "---\nname: a\nallow_tools: [Read]\n---\n"}, flags: gate.Flags{Agent: "a"}},
		say.CodeDeniedByRule: {payload: bash("rm -rf /"), files: map[string]string{user: shows(`{"deny":["Bash(rm:*)"]}`),
			"/home/dev/.gen/permgate.json": `{"catastrophic":"deny"}`}},
		say.CodeCatastrophic:     {payload: bash("rm -rf /"), files: map[string]string{"/home/dev/.gen/permgate.json": `{"catastrophic":"deny"}`}},
		say.CodeExcluded:         {payload: tool("Read", `{"file_path":"a.secret"}`), files: map[string]string{"/home/dev/.gen/permgate.json": `{"contentExclusion":["**/*.secret"]}`}},
		say.CodeAddressNotListed: {payload: tool("WebFetch", `{"url":"https://b.test/"}`), files: map[string]string{"/home/dev/.gen/permgate.json": `{"urls":{"allow":["a.test"]}}`}},
		say.CodeAutoDenied:       {payload: bash("aa x"), files: auto},
		say.CodeAutoAsked:        {payload: bash("bb x"), files: auto},
		say.CodeAutoAllowed:      {payload: bash("cc x"), files: auto},
		say.CodeReadOnly:         {payload: bash("ls"), files: map[string]string{"/home/dev/.gen/permgate.json": `{"readOnlyCommands":"allow"}`}},
		say.CodeSensitivePath:    {payload: bash("make >.git/config"), files: map[string]string{managed: shows(`{"ask":["Bash(make:*)"]}`)}},
		say.CodeOutsideWorkspace: {payload: tool("Read", `{"file_path":"/etc/passwd"}`), files: map[string]string{user: shows(`{"blockReadsOutsideWorkingDirectories":true}`)}},
		say.CodeNobodyToAsk:      {payload: bash("make x"), files: asked, flags: gate.Flags{Headless: true}},
		say.CodeMutationInPlan:   {payload: bash("make x"), files: asked, flags: gate.Flags{Mode: "plan"}},
		say.CodeDontAsk:          {payload: bash("rm -rf x"), flags: gate.Flags{Mode: "dontAsk"}},
	} {
		if _, v, _ := s.answer(t); v.Code() != want {
			t.Errorf("%s: got %s at step %s: %s", want, v.Code(), v.Step(), v.Reason())
		}
	}
}
