package load_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// settingsCases are settings files of a project: what is taken from them, and
// which faults they have. They are also the seeds of FuzzLoad.
var settingsCases = []struct {
	name, in         string
	deny, ask, allow string
	closed, open     string // part of the faults
}{
	{name: "plain", in: `{"permissions": {"deny": ["Bash(rm:*)"], "ask": ["Read"], "allow": ["Edit"]}}`, deny: "Bash(rm:*)", ask: "Read", allow: "Edit"},
	{name: "comments and trailing commas", in: "\ufeff// c\n{ /* x */ \"permissions\": {\"deny\": [\"Read\", // y\n],},}\n", deny: "Read"},
	{name: "escapes", in: `{"permissions": {"d\u0065ny": ["Bash(echo \"\u00e9\ud83d\ude00\")"]}}`, deny: `Bash(echo "é😀")`},
	{name: "unknown keys", in: `{"model": "x", "hooks": {"PreToolUse": []}, "env": {"A": "1"}, "permissions": {"future": 1}}`},
	{name: "empty object", in: `{}`},

	{name: "empty file", in: "", closed: "the file is empty"},
	{name: "comment only", in: "// nothing", closed: "the file is empty"},
	{name: "a list", in: `[]`, closed: "must contain an object, not a list"},
	{name: "null", in: `null`, closed: "must contain an object, not null"},
	{name: "latin 1", in: "{\"permissions\": {\"deny\": [\"Read(\xe9)\"]}}", closed: "not UTF-8", deny: "Read(\xe9)"},
	{name: "truncated", in: `{"permissions": {"deny": ["Read", "Bash(rm`, closed: "a string is not closed", deny: "Read | Bash(rm"},
	{name: "truncated between", in: `{"permissions": {"deny": ["Read"`, closed: "ends too early", deny: "Read"},
	{name: "missing comma", in: `{"permissions": {"allow": ["Edit"] "deny": ["Read"]}}`, closed: `"," is missing`, deny: "Read", allow: "Edit"},
	{name: "missing comma in a list", in: `{"permissions": {"deny": ["Edit" "Read"]}}`, closed: `"," is missing`, deny: "Edit | Read"},
	{name: "list not closed", in: `{"permissions": {"allow": ["Edit", "deny": ["Read"]}}`, closed: `unexpected ":"`, deny: "Read", allow: "Edit"},
	{name: "quote missing", in: "{\"permissions\": {\"ask\": [\"Edit],\n\"deny\": [\"Read\"]}}", closed: "not closed", deny: "Read", ask: "Edit],"},
	{name: "bracket too many", in: `{"permissions": {"allow": []}}, "deny": ["Read"]}}`, closed: `unexpected ","`, deny: "Read"},
	{name: "allow rules of a broken file", in: `{"permissions": {"allow": ["Bash", "Read", "mcp__s__x", "WebFetch", "Agent(x)", "Write"]}`, closed: "ends too early", allow: "Bash | WebFetch | Write"},
	{name: "comment not closed", in: `{"permissions": /* {"deny": ["Read"]}}`, closed: "comment is not closed", deny: "Read"},
	{name: "wrong word", in: `{"x": True, "permissions": {"deny": ["Read"]}}`, closed: "unexpected word", deny: "Read"},
	{name: "single quotes", in: `{"permissions": {'deny': ["Read"]}}`, closed: "unexpected"},
	{name: "half a character", in: `{"permissions": {"deny": ["Read(\ud83d)"]}}`, closed: "unknown escape", deny: "Read(ud83d)"},
	{name: "text behind", in: `{"permissions": {"allow": ["Read"]}} {}`, closed: "unexpected value"},
	{name: "too deep", in: strings.Repeat(`{"a":`, 101) + `1` + strings.Repeat(`}`, 101), closed: "over 100 levels"},

	{name: "duplicate", in: `{"permissions": {"deny": ["Read"]}, "permissions": {"deny": ["Edit"], "allow": ["WebFetch"]}}`, deny: "Read | Edit", allow: "WebFetch", closed: `"permissions" appears twice`},
	{name: "duplicate decoded", in: `{"permissions": {"deny": ["Read"], "\u0064eny": []}}`, deny: "Read", closed: `"deny" appears twice`},
	{name: "duplicate among many", in: `{"permissions": {"allow": ["Read"]}, "env": {` + manyKeys(40) + `, "K35": 1}}`, allow: "Read", closed: `"K35" appears twice`},
	{name: "many keys", in: `{"permissions": {"allow": ["Read"]}, "env": {` + manyKeys(40) + `}}`, allow: "Read"},
	{name: "all escapes", in: `{"permissions": {"deny": ["Bash(a\\b\/\"\u0041)"]}, "x": "\b\f\n\r\t\ud83d\ude00"}`, deny: `Bash(a\b/"A)`},
	{name: "bad escapes", in: `{"permissions": {"deny": ["Read(\x)", "Edit"]}}`, deny: "Read(x) | Edit", closed: "unknown escape"},
	{name: "bad hex", in: `{"permissions": {"deny": ["Read(\u00zz)", "Edit"]}}`, deny: "Read(u00zz) | Edit", closed: "unknown escape"},
	{name: "control character", in: "{\"permissions\": {\"deny\": [\"Read(a\tb)\"]}}", deny: "Read(a\tb)", closed: "control character"},
	{name: "too many values", in: `{"x": [` + strings.Repeat("1,", 1<<17) + `]}`, closed: "too many values"},
	{name: "duplicate elsewhere", in: `{"env": {"A": "1", "A": "2"}, "permissions": {"allow": ["Read"]}}`, allow: "Read", closed: `"A" appears twice`},
	{name: "other case", in: `{"Permissions": {"Deny": ["Read"], "allow": ["Edit"]}}`, deny: "Read", closed: `the key "permissions.Deny" must be written`},
	{name: "typo", in: `{"permissions": {"deni": ["Read"]}}`, closed: `did you mean "permissions.deny"`},
	{name: "typo in permissions", in: `{"permission": {"deny": ["Read"]}}`, closed: `did you mean "permissions"`},
	{name: "permissions is a list", in: `{"permissions": ["Read"]}`, closed: `"permissions" must be an object, not a list`},
	{name: "deny is a string", in: `{"permissions": {"deny": "Read", "allow": "Edit"}}`, deny: "Read", closed: `"deny" must be a list of strings, not a string`},
	{name: "deny is null", in: `{"permissions": {"deny": null}}`, closed: "not null"},
	{name: "a number among rules", in: `{"permissions": {"deny": ["Read", 7]}}`, deny: "Read", closed: "must contain only strings, not a number"},
	{name: "malformed rules", in: `{"permissions": {"allow": ["Edit", "Bash(git"], "deny": ["Bash(rm"]}}`, allow: "Edit", deny: "Bash(rm", open: ":1:36: "},
	{name: "mode is a number", in: `{"permissions": {"defaultMode": 1}}`},
	{name: "allow is a string", in: `{"permissions": {"allow": "Edit", "deny": ["Read"]}}`, deny: "Read"},
	{name: "objects among directories and rules", in: `{"permissions": {"additionalDirectories": ["../x", {"path": "../y"}, 7], "allow": ["Edit", {"tool": "Bash"}]}}`, allow: "Edit"},
	{name: "typo of a grant", in: `{"permissions": {"alow": ["Read"]}}`, open: `did you mean "permissions.allow"`},
	{name: "a grant in other case", in: `{"permissions": {"Allow": ["Read"]}}`, open: `the key "permissions.Allow" must be written`},
}

func manyKeys(n int) string {
	var b []string
	for i := range n {
		b = append(b, fmt.Sprintf("%q: %d", fmt.Sprintf("K%d", i), i))
	}
	return strings.Join(b, ", ")
}

func TestSettingsFile(t *testing.T) {
	const file = proj + "/.gen/settings.json"
	for _, c := range settingsCases {
		t.Run(c.name, func(t *testing.T) {
			p := load.Load(where(), tree(map[string]string{file: c.in}))
			check(t, "deny", texts(p.Deny), c.deny)
			check(t, "ask", texts(p.Ask), c.ask)
			check(t, "allow", texts(p.Allow), c.allow)
			has(t, "closed faults", faults(p, true), c.closed)
			has(t, "open faults", faults(p, false), c.open)
		})
	}
}

func TestFaultPosition(t *testing.T) {
	p := load.Load(where(), tree(map[string]string{proj + "/.gen/settings.json": "{\n  // é\n  \"permissions\": {\"é\": 1, \"deny\": [\n\t\"Read\",\r\n\t5]}\n}"}))
	check(t, "fault", faults(p, true), proj+`/.gen/settings.json:5:2: "deny" must contain only strings, not a number`)
	check(t, "rule", p.Deny[0].Pos.String(), proj+"/.gen/settings.json:4:2")
}

// Every prefix of a file is a fault, and keeps the deny rules that are complete.
func TestTruncatedFile(t *testing.T) {
	const file = proj + "/.claude/settings.json"
	whole := `{"permissions": {"deny": ["Read(x)"], "allow": ["Bash"], "defaultMode": "bypassPermissions"}, "disableAutoMode": true}`
	for i := range whole {
		p := load.Load(where(), tree(map[string]string{file: whole[:i]}))
		if faults(p, true) == "" || p.Mode.Value != "default" {
			t.Errorf("%q: faults %q, allow %q, mode %s", whole[:i], faults(p, true), texts(p.Allow), p.Mode.Value)
		}
		if i > strings.Index(whole, "]") {
			check(t, whole[:i], texts(p.Deny), "Read(x)")
		}
	}
}

func TestUnreadableFile(t *testing.T) {
	const file = proj + "/.gen/settings.json"
	cases := []struct {
		name string
		set  func(*fakefs.FS)
		want string
	}{
		{"absent", func(*fakefs.FS) {}, ""},
		{"no permission", func(f *fakefs.FS) {
			f.Write(file, "{}").Err = &fs.PathError{Op: "open", Path: file, Err: syscall.EACCES}
		}, file + ": cannot be read: permission denied"},
		{"directory", func(f *fakefs.FS) { f.Mkdir(file) }, file + ": cannot be read: not a regular file"},
		{"too large", func(f *fakefs.FS) { f.Write(file, strings.Repeat(" ", load.MaxSettings+1)) }, file + ": cannot be read: larger than"},
		{"symlink", func(f *fakefs.FS) { f.Write("/x/s.json", "{}"); f.Link(file, "/x/s.json") }, ""},
		{"dangling symlink", func(f *fakefs.FS) { f.Link(file, "/x/s.json") }, file + ": cannot be read: it is a symlink to a file that does not exist"},
		{"symlink loop", func(f *fakefs.FS) { f.Link(file, file) }, file + ": cannot be read: too many levels"},
		{"root is a file", func(f *fakefs.FS) { f.Write(proj+"/.gen", "") }, proj + "/.gen: is not a folder"},
		{"root is a dangling symlink", func(f *fakefs.FS) { f.Link(proj+"/.gen", "nowhere") }, proj + "/.gen: cannot be read"},
		{"--settings is missing", nil, "/none.json: --settings names a file that does not exist"},
		{"broken pipe of an error", func(f *fakefs.FS) { f.Write(file, "").Err = errors.New("odd") }, "cannot be read: odd"},
	}
	for _, c := range cases {
		f, w := tree(nil), where()
		if c.set == nil {
			w.Settings = []string{"/none.json"}
		} else {
			c.set(f)
		}
		has(t, c.name, faults(load.Load(w, f), true), c.want)
	}
}

func TestSwitches(t *testing.T) {
	at := func(p *rules.Policy, i int) rules.Setting {
		return [...]rules.Setting{p.LockBypass, p.LockAuto, p.FenceRead, p.FenceWrite, p.NoPrompts, p.ManagedOnly}[i]
	}
	names := []string{"disableBypassPermissionsMode", "disableAutoMode", "blockReadsOutsideWorkingDirectories",
		"blockWritesOutsideWorkingDirectories", "denyInsteadOfPrompting", "allowManagedPermissionRulesOnly"}
	cases := []struct {
		value        string
		lock, fence  bool
		closed, open bool // for fences; a lock's unknown word is no fault of the whole file
	}{
		{"true", true, true, false, false},
		{"false", false, false, false, false},
		{`"disable"`, true, true, true, false},
		{`"allow-auto-only"`, true, true, true, false},
		{"1", true, true, true, false},
		{"null", true, true, true, false},
		{"[]", true, true, true, false},
	}
	for i, name := range names {
		for _, c := range cases {
			for _, form := range []string{`{"permissions": {"%": $}}`, `{"%": $}`} {
				in := strings.NewReplacer("%", name, "$", c.value).Replace(form)
				for _, file := range []string{"/etc/gen/managed-settings.json", home + "/.gen/settings.json", proj + "/.san/settings.local.json", "/home/.claude/settings.json"} {
					p := load.Load(where(), tree(map[string]string{file: in}))
					want := c.fence
					if i < 2 {
						want = c.lock
					}
					if got := at(p, i); got.On() != want || want && got.Pos.File != file {
						t.Errorf("%s in %s: %+v, want %v", in, file, got, want)
					}
					if i >= 2 && (faults(p, true) != "") != c.closed {
						t.Errorf("%s: faults %q", in, faults(p, true))
					}
				}
			}
		}
	}
}

func TestManagedIntegrity(t *testing.T) {
	const file = "/etc/gen/managed-settings.json"
	in := `{"permissions": {"allow": ["Edit"], "deny": ["Read"], "defaultMode": "acceptEdits"}}`
	cases := []struct {
		name, want string
		set        func(*fakefs.FS)
	}{
		{"sound", "", func(*fakefs.FS) {}},
		{"symlink", "must not be a symlink", func(f *fakefs.FS) { f.Write("/opt/m.json", in); f.Link(file, "/opt/m.json") }},
		{"owner", "must belong to root", func(f *fakefs.FS) { f.File(file).UID = user }},
		{"writable by the group", "must not be writable by others", func(f *fakefs.FS) { f.File(file).Mode = 0o664 }},
		{"writable by all", "must not be writable by others", func(f *fakefs.FS) { f.File(file).Mode = 0o646 }},
		{"folder's owner", "must belong to root", func(f *fakefs.FS) { f.File("/etc/gen").UID = user }},
		{"folder writable", "must not be writable by others", func(f *fakefs.FS) { f.File("/etc/gen").Mode |= 0o002 }},
	}
	for _, c := range cases {
		f := tree(map[string]string{file: in})
		c.set(f)
		p := load.Load(where(), f)
		has(t, c.name, faults(p, true), c.want)
		check(t, c.name+": deny", texts(p.Deny), "Read")
		sound := c.want == ""
		if (len(p.Allow) > 0) != sound || p.LockBypass.On() == sound || p.LockAuto.On() == sound || (p.Mode.Value == "acceptEdits") != sound {
			t.Errorf("%s: allow %q, locks %v %v, mode %s", c.name, texts(p.Allow), p.LockBypass, p.LockAuto, p.Mode.Value)
		}
	}
	// any fault of a managed file sets the locks
	for _, bad := range []string{"", "{", `{"permissions": {"deny": 1}}`, `{"a": 1, "a": 2}`} {
		p := load.Load(where(), tree(map[string]string{"/etc/claude-code/managed-settings.d/a.json": bad}))
		if !p.LockBypass.On() || !p.LockAuto.On() || p.ManagedOnly.On() {
			t.Errorf("%q: locks %v %v", bad, p.LockBypass, p.LockAuto)
		}
	}
	// with a folder of one's own, for tests, the user's files count as root's do
	f := tree(map[string]string{"/tmp/m/gen/managed-settings.json": in})
	f.Own("/tmp/m/gen", user)
	p := load.Load(where(func(w *load.Where) { w.ManagedDir = []string{"/tmp/m/gen"} }), f)
	check(t, "own folder", texts(p.Allow)+faults(p, true), "Edit")
	// elsewhere they do not
	f.File("/tmp/m/gen/managed-settings.json").UID = user + 1
	p = load.Load(where(func(w *load.Where) { w.ManagedDir = []string{"/tmp/m/gen"} }), f)
	has(t, "foreign file", faults(p, true), "must belong to root")
}

func TestManagedOnly(t *testing.T) {
	all := `{"permissions": {"allow": ["Edit(%)"], "ask": ["Read(%)"], "deny": ["Bash(%)"], "additionalDirectories": ["/%"], "defaultMode": "acceptEdits"}}`
	files := map[string]string{
		"/etc/gen/managed-settings.json": `{"permissions": {"allow": ["Edit(m)"]}, "allowManagedPermissionRulesOnly": true}`,
		home + "/.claude/settings.json":  strings.ReplaceAll(all, "%", "u"),
		proj + "/.claude/settings.json":  strings.ReplaceAll(all, "%", "s"),
		home + "/.gen/permgate.json":     `{"subagents": "host", "catastrophic": "deny"}`,
		proj + "/.gen/agents/a.md":       "---\nmode: acceptEdits\nallow_tools: [Edit]\n---\n",
	}
	p := load.Load(where(func(w *load.Where) {
		w.Allowed, w.Denied, w.AddDirs, w.Agent = []string{"Edit(f)"}, []string{"Bash(f)"}, []string{"/f"}, "a"
	}), tree(files))
	check(t, "allow", texts(p.Allow), "Edit(m)")
	check(t, "deny", texts(p.Deny), "Bash(s) | Bash(u) | Bash(f)")
	check(t, "ask", texts(p.Ask), "Read(s) | Read(u)")
	if len(p.Dirs) != 0 || p.Mode.Value != "default" || !p.Agent.Narrow || p.Posture.Subagents.Value != "" || p.Posture.Catastrophic.Value != "deny" {
		t.Errorf("dirs %v, mode %v, agent %+v, posture %+v", p.Dirs, p.Mode, p.Agent, p.Posture)
	}
	for _, want := range []string{"Edit(u)", "Edit(s)", "Edit(f)", "/u at", "/s at", "/f at", "subagents: host", "mode: acceptEdits"} {
		has(t, "dropped", dropped(p), want)
	}
	has(t, "why", dropped(p), "allowManagedPermissionRulesOnly is set at /etc/gen/managed-settings.json:1:")
}

func TestFlags(t *testing.T) {
	f := tree(map[string]string{
		"/set/a.json":    `{"permissions": {"allow": ["Edit"], "deny": ["WebFetch"], "defaultMode": "acceptEdits"}}`,
		proj + "/b.json": `{"permissions": {"ask": ["Read"]}}`,
	})
	p := load.Load(where(func(w *load.Where) {
		w.Settings = []string{"/set/a.json", "b.json"}
		w.Allowed = []string{"Bash(git log:*), Read", "Bash("}
		w.Denied = []string{"Bash(rm:*)"}
		w.AddDirs = []string{"../x", "~/y", "/z"}
	}), f)
	check(t, "allow", texts(p.Allow), "Edit | Bash(git log:*) | Read")
	check(t, "deny", texts(p.Deny), "WebFetch | Bash(rm:*)")
	check(t, "ask", texts(p.Ask), "Read")
	check(t, "mode", p.Mode.Value+" "+p.Mode.Pos.String(), "acceptEdits /set/a.json:1:74")
	check(t, "dirs", p.Dirs[0].Path.Given+" "+p.Dirs[1].Path.Given+" "+p.Dirs[2].Path.Given, "/home/u/x /home/u/y /z")
	has(t, "fault", faults(p, false), "--allowedTools: ")
}

func TestAdditionalDirectories(t *testing.T) {
	f := tree(map[string]string{
		proj + "/.claude/settings.json":     `{"permissions": {"additionalDirectories": ["../shared/", "~/n", "/opt/link", "/", "~"]}}`,
		"/home/u/shared/.gen/settings.json": perms("allow", "Bash"),
	})
	f.Link("/opt/link", "/srv/real")
	p := load.Load(where(func(w *load.Where) { w.Cwd = proj + "/sub" }), f)
	var got []string
	for _, d := range p.Dirs {
		got = append(got, d.Path.Given)
	}
	check(t, "dirs", strings.Join(got, " "), "/home/u/shared /home/u/n /opt/link / /home/u")
	check(t, "real", p.Dirs[2].Path.Real, "/srv/real")
	check(t, "nothing is loaded from them", texts(p.Allow), "")
	has(t, "note", faults(p, false), "the additional directory / contains the whole home directory")
	has(t, "note", faults(p, false), "the additional directory /home/u contains")
}

func TestAutoMode(t *testing.T) {
	in := `{"autoMode": {"hard_deny": ["Bash(terraform:*)", "$defaults"], "soft_deny": ["Bash(git push:*)"], "allow": ["Bash(make:*)", "Ordinary prose, for another classifier."]}}`
	p := load.Load(where(), tree(map[string]string{home + "/.claude/settings.json": in, proj + "/.claude/settings.json": in}))
	check(t, "lists", texts(p.Auto.HardDeny)+" / "+texts(p.Auto.SoftDeny)+" / "+texts(p.Auto.Allow), "Bash(terraform:*) / Bash(git push:*) / Bash(make:*)")
	if p.Auto.Own[rules.AutoHardDeny] || !p.Auto.Own[rules.AutoSoftDeny] || !p.Auto.Own[rules.AutoAllow] {
		t.Errorf("own: %+v", p.Auto)
	}
	has(t, "dropped", dropped(p), "Bash(make:*) at "+proj+"/.claude/settings.json:1:109: only user and managed files configure autoMode")
}

// TestAutoDefaults: which of the built-in lists of autoMode are in force, by the
// files that name them.
func TestAutoDefaults(t *testing.T) {
	const user, claude, shared, managed = home + "/.gen/settings.json", home + "/.claude/settings.json",
		proj + "/.gen/settings.json", "/etc/gen/managed-settings.json"
	for _, c := range []struct {
		file, list, more string // the text of the list, and the same of a managed file
		spliced, own     bool
		fault            string
	}{
		{user, `["$defaults"]`, "", true, false, ""},
		{user, `["$defaults", "Bash(x)"]`, "", true, false, ""},
		{user, `["$defaults.soft_deny"]`, "", true, false, ""},
		{user, `"$defaults"`, "", true, false, ""},
		{user, `["$defaults.hard_deny"]`, "", true, false, `write "$defaults"`},
		{user, `["$defaults.soft"]`, "", true, false, `write "$defaults"`},
		{user, `["$default"]`, "", false, true, "$default"},
		{user, `["$defaults", "Never push"]`, "", true, false, "Never push"},
		{user, `["Bash(x)"]`, "", false, true, ""},
		{user, `[]`, "", false, true, ""},
		{user, `["Bash(x)"]`, `["$defaults"]`, true, false, ""},
		{user, `["$defaults"]`, `["Bash(x)"]`, true, false, ""},
		{claude, `["$defaults"]`, "", true, false, ""},
		{claude, `["$defaults", "Bash(x)"]`, "", true, false, ""},
		{claude, `["$defaults", "Never push"]`, "", false, false, ""},
		{claude, `["$defaults", "Never push", "Bash(x)"]`, "", false, false, ""},
		{claude, `["$defaults.hard_deny", "Never push"]`, "", false, false, ""},
		{claude, `["Never push"]`, "", false, false, ""},
		{claude, `["` + "\u4e0d\u8981\u90e8\u7f72" + `"]`, "", false, false, ""},
		{claude, `["Never push", "Bash(x)"]`, "", false, true, ""},
		{shared, `["$defaults"]`, "", false, false, ""},
		{shared, `["Bash(x)"]`, "", false, false, ""},
	} {
		set := func(list string) string { return `{"autoMode": {"soft_deny": ` + list + `}}` }
		files := map[string]string{c.file: set(c.list)}
		if c.more != "" {
			files[managed] = set(c.more)
		}
		p := load.Load(where(), tree(files))
		const i = rules.AutoSoftDeny
		if p.Auto.Defaults[i].On() != c.spliced || p.Auto.Own[i] != c.own {
			t.Errorf("%s: %s: spliced %+v, own %v", c.file, c.list, p.Auto.Defaults[i], p.Auto.Own[i])
		}
		has(t, c.list, faults(p, false), c.fault)
		if c.fault == "" {
			check(t, c.list, faults(p, false), "")
		}
		dropped := dropped(p) != ""
		if dropped != (c.file == shared) {
			t.Errorf("%s: %s: dropped %v", c.file, c.list, dropped)
		}
	}
}
