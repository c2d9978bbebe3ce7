package gate_test

import (
	"io/fs"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
)

// alone makes the records what permgate makes them.
func alone(f *fakefs.FS) {
	if dir := "/home/dev/.local/state/permgate/trust"; f.File(dir) != nil {
		f.File(dir).Mode = fs.ModeDir | 0o700
		if f.File(dir+"/folders") != nil {
			f.File(dir + "/folders").Mode = 0o600
		}
	}
}

// TestFoldersOfTheEnvironment: what HOME, XDG_STATE_HOME and CLAUDE_CONFIG_DIR name
// grants and loosens only if it is the passwd home's or recorded, and restricts ever.
func TestFoldersOfTheEnvironment(t *testing.T) {
	const (
		folders = "/home/dev/.local/state/permgate/trust/folders"
		makes   = `{"permissions":{"allow":["Bash(make:*)"],"deny":["Bash(curl:*)"]}}`
		session = `{"project":"/work/project","allowAllBash":true}`
		base    = `{"permissions":{"deny":["Bash(wget:*)"]}}`
	)
	foreign := func(kv ...string) map[string]string { return m(append(kv, user, base)...) }
	config, home, state := m("CLAUDE_CONFIG_DIR", "/work/evil"), m("HOME", "/work/evil"), m("XDG_STATE_HOME", "/work/evil")
	wide := func(f *fakefs.FS) { alone(f); f.File(folders).Mode = 0o644 }
	runSentences(t, []sentence{
		// loosening keys
		{name: "enforce by CLAUDE_CONFIG_DIR", payload: bash("wget x"), env: config, files: foreign("/work/evil/permgate.json", `{"enforce":false}`), want: deny},
		{name: "enforce by HOME, .claude", payload: bash("wget x"), env: home, files: foreign("/work/evil/.claude/permgate.json", `{"enforce":false}`), want: deny},
		{name: "enforce by HOME, .gen", payload: bash("wget x"), env: home, files: foreign("/work/evil/.gen/permgate.json", `{"enforce":false}`), want: deny},
		{name: "readOnlyCommands", payload: bash("ls"), env: config, files: foreign("/work/evil/permgate.json", `{"readOnlyCommands":"allow"}`), want: ask},
		{name: "projectTrust off", payload: bash("make"), env: config, files: foreign("/home/dev/.gen/permgate.json", `{"projectTrust":"require"}`, shared, makes, "/work/evil/permgate.json", `{"projectTrust":"off"}`), want: ask},
		{name: "catastrophic", payload: bash("rm -rf /"), env: home, files: foreign("/home/dev/.gen/permgate.json", `{"catastrophic":"deny"}`, "/work/evil/.gen/permgate.json", `{"catastrophic":"ask"}`), want: deny},
		{name: "defer", payload: bash("make"), env: home, flags: gate.Flags{Host: "claude"}, files: foreign("/work/evil/.gen/permgate.json", `{"onUnmatched":"defer"}`), want: ask},
		{name: "secrets", payload: bash("cat ~/.ssh/id_rsa"), env: config, files: foreign("/home/dev/.gen/permgate.json", `{"secrets":"ask"}`, "/work/evil/permgate.json", `{"secrets":"rules"}`, user, `{"permissions":{"allow":["Bash(cat:*)"]}}`), want: ask},
		// grants
		{name: "allow", payload: bash("make"), env: config, files: foreign("/work/evil/settings.json", makes), want: ask, reason: "permgate trust --folder /work/evil"},
		{name: "allow by HOME", payload: bash("make"), env: home, files: foreign("/work/evil/.claude/settings.json", makes), want: ask},
		{name: "mode", payload: bash("make"), env: home, files: foreign("/work/evil/.gen/settings.json", `{"permissions":{"defaultMode":"bypassPermissions"}}`), want: ask},
		{name: "directories", payload: tool("Write", `{"file_path":"/opt/x"}`), env: home, files: foreign("/work/evil/.gen/settings.json", `{"permissions":{"additionalDirectories":["/opt"],"defaultMode":"acceptEdits"}}`), want: ask},
		{name: "autoMode", payload: as(bash("make"), `"permission_mode":"auto"`), env: home, files: foreign("/work/evil/.gen/settings.json", `{"autoMode":{"allow":["Bash(make:*)"]}}`), want: ask},
		{name: "agent", payload: as(bash("make"), `"agent_type":"a","agent_id":"1"`), env: home, files: foreign("/work/evil/.gen/agents/a.md", "---\nname: a\nallow_tools: [Bash]\n---\n"), want: deny},
		{name: "in a folder of the home", payload: bash("make"), env: m("CLAUDE_CONFIG_DIR", "/home/dev/Downloads/x"), files: foreign("/home/dev/Downloads/x/settings.json", makes), want: ask},
		// state
		{name: "session", payload: bash("make"), env: state, files: foreign("/work/evil/permgate/session-s1.json", session), want: ask},
		{name: "session by HOME", payload: bash("make"), env: home, files: foreign("/work/evil/.local/state/permgate/session-s1.json", session), want: ask},
		{name: "records of its own", payload: bash("make"), env: state, files: foreign("/work/evil/permgate/trust/folders", "/work/evil\n", "/work/evil/permgate/session-s1.json", session), want: ask},
		{name: "the own session goes on counting", payload: bash("make"), env: state, files: foreign("/home/dev/.local/state/permgate/session-s1.json", session), want: allow},
		{name: "and under another HOME", payload: bash("make"), env: home, files: foreign("/home/dev/.local/state/permgate/session-s1.json", session), want: allow},
		// restrictions always count
		{name: "deny", payload: bash("curl x"), env: config, files: foreign("/work/evil/settings.json", makes), want: deny},
		{name: "deny by HOME", payload: bash("curl x"), env: home, files: foreign("/work/evil/.claude/settings.json", makes), want: deny},
		{name: "lock", payload: as(bash("make"), `"permission_mode":"bypassPermissions"`), env: home, files: foreign("/work/evil/.gen/settings.json", `{"disableBypassPermissionsMode":true}`), want: ask},
		{name: "the passwd home's deny", payload: bash("wget x"), env: home, files: foreign(), want: deny},
		// records
		{name: "recorded", payload: bash("make"), env: config, files: foreign(folders, "/work/evil\n", "/work/evil/settings.json", makes), arrange: alone, want: allow},
		{name: "recorded among others", payload: bash("make"), env: home, files: foreign(folders, "/x\n/work/evil\n/y\n", "/work/evil/.gen/settings.json", makes), arrange: alone, want: allow},
		{name: "recorded state", payload: bash("make"), env: state, files: foreign(folders, "/work/evil\n", "/work/evil/permgate/session-s1.json", session), arrange: alone, want: allow},
		{name: "recorded by its real path", payload: bash("make"), env: m("HOME", "/work/l"), files: foreign(folders, "/work/evil\n", "/work/l", "-> /work/evil", "/work/evil/.gen/settings.json", makes), arrange: alone, want: allow},
		{name: "a link that leads elsewhere now", payload: bash("make"), env: m("HOME", "/work/l"), files: foreign(folders, "/work/l\n", "/work/l", "-> /work/evil", "/work/evil/.gen/settings.json", makes), arrange: alone, want: ask},
		{name: "what is below is another folder", payload: bash("make"), env: m("HOME", "/work/evil/x"), files: foreign(folders, "/work/evil\n", "/work/evil/x/.gen/settings.json", makes), arrange: alone, want: ask},
		{name: "recorded, in the project", payload: bash("make"), env: m("HOME", "/work/project/h"), files: foreign(folders, "/work/project/h\n", "/work/project/h/.gen/settings.json", makes), arrange: alone, want: ask},
		{name: "recorded, of somebody else", payload: bash("make"), env: home, files: foreign(folders, "/work/evil\n", "/work/evil/.gen/settings.json", makes), arrange: func(f *fakefs.FS) { alone(f); f.Own("/work/evil", 7) }, want: ask},
		{name: "a record others can read", payload: bash("make"), env: home, files: foreign(folders, "/work/evil\n", "/work/evil/.gen/settings.json", makes), arrange: wide, want: ask},
		// what is usual
		{name: "HOME is the passwd home", payload: bash("make"), env: m("HOME", "/home/dev"), files: m(user, makes), want: allow},
		{name: "HOME with a slash", payload: bash("make"), env: m("HOME", "/home/dev/"), files: m(user, makes), want: allow},
		{name: "CLAUDE_CONFIG_DIR is the usual one", payload: bash("make"), env: m("CLAUDE_CONFIG_DIR", "/home/dev/.claude"), files: m("/home/dev/.claude/settings.json", makes), want: allow},
		{name: "XDG_STATE_HOME is the usual one", payload: bash("make"), env: m("XDG_STATE_HOME", "/home/dev/.local/state"), files: m("/home/dev/.local/state/permgate/session-s1.json", session), want: allow},
		{name: "--home", payload: bash("make"), env: m("HOME", "/work/other"), flags: gate.Flags{Home: "/work/evil"}, files: m("/work/evil/.gen/settings.json", makes), want: allow},
		{name: "other variables of ours loosen nothing", payload: bash("wget x"), env: m("PERMGATE_HOME", "/work/evil", "PERMGATE_STATE", "/work/evil", "PERMGATE_ENFORCE", "false", "PERMGATE_DISABLE", "1"), files: foreign("/work/evil/.gen/permgate.json", `{"enforce":false}`), want: deny},
	})
}

// TestLocalFileWithoutIndex: where no git index tells whether a local file came with
// the project it needs a record, and turns no silence into an ask.
func TestLocalFileWithoutIndex(t *testing.T) {
	const makes = `{"permissions":{"allow":["Bash(make:*)","WebFetch(domain:x.io)"],"deny":["Bash(curl:*)"]}}`
	pg := "/home/dev/.gen/permgate.json"
	gone := func(f *fakefs.FS) { f.NoIndex = true }
	bypass := `{"permissions":{"defaultMode":"bypassPermissions"}}`
	claude := gate.Flags{Host: "claude"}
	mine := "/work/project/.claude/settings.local.json"
	r := m(pg, `{"projectTrust":"require"}`)[pg]
	R := `{"projectTrust":"require","onUnmatched":"defer"}`
	runSentences(t, []sentence{
		{name: "grants nothing", payload: bash("make"), files: m(pg, r, local, makes), arrange: gone, want: ask, reason: "no git index shows"},
		{name: "restricts", payload: bash("curl x"), files: m(pg, r, local, makes), arrange: gone, want: deny},
		{name: "is silent for the host", payload: bash("make"), files: m(pg, R, mine, makes), flags: claude, arrange: gone, want: pass},
		{name: "is silent for a safe tool", payload: tool("WebFetch", `{"url":"https://x.io/a","prompt":"p"}`), files: m(pg, R, mine, makes), flags: claude, arrange: gone, want: pass},
		{name: "directories", payload: tool("Write", `{"file_path":"/opt/x"}`), files: m(pg, r, local, `{"permissions":{"additionalDirectories":["/opt"],"defaultMode":"acceptEdits"}}`), arrange: gone, want: ask},
		{name: "mode", payload: tool("Write", `{"file_path":"x"}`), files: m(pg, r, local, `{"permissions":{"defaultMode":"acceptEdits"}}`), arrange: gone, want: ask},
		{name: "bypass", payload: bash("make"), files: m(pg, r, local, bypass), arrange: gone, want: ask},
		{name: "bypass without projectTrust", payload: bash("make"), files: m(local, bypass), arrange: gone, want: ask},
		{name: "bypass of an agent", payload: as(bash("make"), `"agent_type":"a","agent_id":"1"`), files: m("/work/project/.gen/agents/a.md", "---\nname: a\nmode: bypassPermissions\n---\n"), arrange: gone, want: deny},
		// look-alikes
		{name: "with an index", payload: bash("make"), files: m(pg, r, local, makes), want: allow},
		{name: "without projectTrust", payload: bash("make"), files: m(local, makes), arrange: gone, want: allow},
		{name: "bypass with an index", payload: bash("make"), files: m(pg, r, local, bypass), want: allow},
		{name: "the user's file", payload: bash("make"), files: m(pg, r, user, makes), arrange: gone, want: allow},
		{name: "shared is not silent", payload: bash("make"), files: m(pg, R, "/work/project/.claude/settings.json", makes), flags: claude, arrange: gone, want: ask, reason: "trust"},
		{name: "the user's agent", payload: as(bash("make"), `"agent_type":"a","agent_id":"1"`), files: m("/home/dev/.gen/agents/a.md", "---\nname: a\nmode: bypassPermissions\n---\n"), arrange: gone, want: allow},
	})
}
