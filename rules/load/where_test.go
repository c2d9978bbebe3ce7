package load_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

func TestProjectRoot(t *testing.T) {
	cases := []struct {
		name, cwd, project, want string
		set                      func(*fakefs.FS)
	}{
		{"git", proj + "/sub", "", proj, nil},
		{"outermost git", proj + "/sub/dep", "", proj, func(f *fakefs.FS) { f.Mkdir(proj + "/sub/dep/.git") }},
		{"git worktree file", "/home/u/w/x", "", "/home/u/w", func(f *fakefs.FS) { f.Write("/home/u/w/.git", "gitdir: /x"); f.Mkdir("/home/u/w/x"); f.Own(home, user) }},
		{"named by the host", proj + "/sub", "/srv/p", "/srv/p", nil},
		{"a relative name counts for nothing", proj + "/sub", "p", proj, nil},
		{"root folder without git", "/home/u/n/a/b", "", "/home/u/n", func(f *fakefs.FS) { f.Mkdir("/home/u/n/.claude"); f.Mkdir("/home/u/n/a/.gen"); f.Own(home, user) }},
		{"git wins over an outer root", "/home/u/n/a/b", "", "/home/u/n/a", func(f *fakefs.FS) { f.Mkdir("/home/u/n/.claude"); f.Mkdir("/home/u/n/a/.git"); f.Own(home, user) }},
		{"nothing", "/home/u/n/a", "", "/home/u/n/a", func(f *fakefs.FS) { f.Mkdir("/home/u/n/a") }},
		{"home is no project", "/home/u/n", "", "/home/u/n", func(f *fakefs.FS) { f.Mkdir(home + "/.git"); f.Mkdir(home + "/.claude"); f.Own(home, user) }},
		{"home as cwd", home, "", home, func(f *fakefs.FS) { f.Mkdir(home + "/.git") }},
		{"above home", "/home/u/n", "", "/home/u/n", func(f *fakefs.FS) { f.Mkdir("/home/.git"); f.Mkdir("/.git") }},
		{"above another home", "/home/v/n", "", "/home", func(f *fakefs.FS) { f.Mkdir("/home/.git"); f.Mkdir("/home/v/n") }},
		{"/ as cwd", "/", "", "/", nil},
		{"owned by somebody else", "/srv/p/sub", "", "/srv/p/sub", func(f *fakefs.FS) { f.Mkdir("/srv/p/.git"); f.Own("/srv/p", 7) }},
		{"owned by root", "/srv/p/sub", "", "/srv/p", func(f *fakefs.FS) { f.Mkdir("/srv/p/.git") }},
		{"writable by others", "/tmp/sub", "", "/tmp/sub", func(f *fakefs.FS) { f.Mkdir("/tmp/.git"); f.File("/tmp").Mode |= 0o1777 }},
		{"cwd is a symlink into it", "/l", "", proj, func(f *fakefs.FS) { f.Link("/l", proj+"/sub") }},
		{"cwd lies behind a symlink", "/l/sub", "", "/l", func(f *fakefs.FS) { f.Link("/l", proj) }},
	}
	for _, c := range cases {
		f := tree(nil)
		if c.set != nil {
			c.set(f)
		}
		p := load.Load(where(func(w *load.Where) { w.Cwd, w.Project = c.cwd, c.project }), f)
		check(t, c.name, p.Project.Given, c.want)
		check(t, c.name+": cwd", p.Cwd.Given, c.cwd)
	}
}

// TestProjectRootWindows: below every drive all users may write, so what makes a folder a project has to be the user's.
func TestProjectRootWindows(t *testing.T) {
	for _, c := range []struct {
		name, want string
		set        func(*fakefs.FS)
	}{
		{"the user's own", "/c/dev/p", func(f *fakefs.FS) {}},
		{"only the user writes", "/c/dev/p", func(f *fakefs.FS) { f.File("/c/dev/p").Mode = fs.ModeDir | 0o755 }},
		{"another's git", "/c/dev/p/sub", func(f *fakefs.FS) { f.Own("/c/dev/p/.git", 9) }},
		{"another's settings", "/c/dev/p/sub", func(f *fakefs.FS) { f.Own("/c/dev/p/.claude", 9) }},
		{"another's settings alone above", "/c/dev/p", func(f *fakefs.FS) { f.Mkdir("/c/dev/.claude"); f.Own("/c/dev/.claude", 9) }},
		{"another's git above", "/c/dev/p", func(f *fakefs.FS) { f.Mkdir("/c/dev/.git"); f.Own("/c/dev/.git", 9) }},
		{"another's folder", "/c/dev/p/sub", func(f *fakefs.FS) { f.File("/c/dev/p").UID = 9 }},
		{"a linked git", "/c/dev/p/sub", func(f *fakefs.FS) {
			f.Mkdir("/c/x/.git")
			f.Link("/c/dev/p/.git", "/c/x/.git")
			f.File("/c/dev/p/.git").UID = 9
		}},
	} {
		f := fakefs.New(nil)
		for _, dir := range []string{"/c/Users/u", "/c/dev/p/sub", "/c/dev/p/.git", "/c/dev/p/.claude"} {
			f.Mkdir(dir)
		}
		f.Own("/c/Users/u", user)
		f.Own("/c/dev", user)
		for _, dir := range []string{"/c/dev", "/c/dev/p"} {
			f.File(dir).Mode |= 0o002
		}
		c.set(f)
		w := load.Where{OS: rules.Windows, Cwd: `C:\dev\p\sub`, Home: `C:\Users\u`, PasswdHome: `C:\Users\u`, UID: user}
		check(t, c.name, load.Load(w, f).Project.Given, c.want)
	}
}

// Every settings folder between cwd and / restricts, only the project's grants.
func TestChain(t *testing.T) {
	in := `{"permissions": {"allow": ["Edit(%)"], "ask": ["Read(%)"], "deny": ["Bash(%)"], "additionalDirectories": ["/%"], "defaultMode": "acceptEdits"}, "disableAutoMode": true}`
	at := func(dir, name string) map[string]string {
		return map[string]string{dir + "/.claude/" + name: in}
	}
	for _, c := range []struct {
		dir    string
		grants bool
		read   bool
	}{
		{proj, true, true}, {proj + "/sub", false, true}, {"/home", false, true}, {"", false, true},
		{proj + "/other", false, false}, {"/srv", false, false},
	} {
		for _, name := range []string{"settings.json", "settings.local.json"} {
			p := load.Load(where(func(w *load.Where) { w.Cwd = proj + "/sub" }), tree(at(c.dir, name)))
			if got := len(p.Allow) == 1 && len(p.Dirs) == 1 && p.Mode.Value == "acceptEdits"; got != c.grants {
				t.Errorf("%s: grants %v: %q %v %v", c.dir, got, texts(p.Allow), p.Dirs, p.Mode)
			}
			if got := len(p.Deny) == 1 && len(p.Ask) == 1 && p.LockAuto.On(); got != c.read {
				t.Errorf("%s: restricts %v", c.dir, got)
			}
			if c.read && !c.grants {
				has(t, c.dir, dropped(p), "only the project's own settings grant, and the project is "+proj)
				has(t, c.dir, dropped(p), "defaultMode: acceptEdits")
			}
		}
	}
	// ... by the name of cwd and by what it is
	f := tree(at(proj+"/sub", "settings.json"))
	f.Link("/l", proj+"/sub/x")
	p := load.Load(where(func(w *load.Where) { w.Cwd = "/l" }), f)
	check(t, "symlink", texts(p.Deny), "Bash(%)")
	// home on the way holds user settings once, and local settings that only restrict
	f = tree(map[string]string{home + "/.gen/settings.json": in, home + "/.gen/settings.local.json": perms("deny", "Read(local)")})
	p = load.Load(where(), f)
	check(t, "home", texts(p.Deny)+" "+p.Deny[1].Scope.String(), "Read(local) | Bash(%) user")
	// home as cwd: the file is the user's, not the project's
	p = load.Load(where(func(w *load.Where) { w.Cwd = home }), f)
	check(t, "home as cwd", texts(p.Allow)+" "+p.Allow[0].Scope.String(), "Edit(%) user")
}

func TestHome(t *testing.T) {
	u := `{"permissions": {"allow": ["Edit"], "deny": ["Read(u)"]}}`
	e := `{"permissions": {"allow": ["Bash"], "deny": ["Read(e)"]}}`
	yes := func(string) bool { return true }
	cases := []struct {
		name              string
		w                 func(*load.Where)
		set               func(*fakefs.FS)
		allow, deny, home string
		why               string
	}{
		{"passwd home", func(w *load.Where) {}, nil, "Edit", "Read(u)", home, ""},
		{"--home alone is read", func(w *load.Where) { w.Home, w.TrustHome = "/env", true }, nil, "Bash", "Read(e)", "/env", ""},
		{"HOME elsewhere", func(w *load.Where) { w.Home = "/env" }, nil, "Edit", "Read(u) | Read(e)", home, "permgate trust --folder /env"},
		{"HOME is the passwd home by another name", func(w *load.Where) { w.Home = "/ln" }, func(f *fakefs.FS) { f.Link("/ln", home) }, "Edit | Edit", "Read(u) | Read(u)", "/ln", ""},
		{"HOME of the user's", func(w *load.Where) { w.Home, w.Recorded = "/env", yes }, nil, "Edit | Bash", "Read(u) | Read(e)", "/env", ""},
		{"HOME of root's", func(w *load.Where) { w.Home, w.Recorded = "/env", yes }, func(f *fakefs.FS) { f.Own("/env", 0) }, "Edit", "Read(u) | Read(e)", home, "HOME names /env, which is not owned by the user"},
		{"HOME others can write to", func(w *load.Where) { w.Home, w.Recorded = "/env", yes }, func(f *fakefs.FS) { f.File("/env").Mode |= 0o002 }, "Edit", "Read(u) | Read(e)", home, "others can write to"},
		{"HOME in the project", func(w *load.Where) { w.Home, w.Project, w.Recorded = "/env", "/env", yes }, nil, "Edit", "Read(u) | Read(e)", home, "is in /env"},
		{"HOME in an additional directory", func(w *load.Where) { w.Home, w.AddDirs, w.Recorded = "/env", []string{"/env"}, yes }, nil, "Edit", "Read(u) | Read(e)", home, "is in /env"},
		{"HOME is missing", func(w *load.Where) { w.Home = "/none" }, nil, "Edit", "Read(u)", home, ""},
		{"no passwd entry", func(w *load.Where) { w.Home, w.PasswdHome = "/env", "" }, nil, "", "Read(e)", "/env", "permgate can record no home for a user without a passwd entry: name it with --home /env"},
		{"no passwd entry, bad HOME", func(w *load.Where) { w.Home, w.PasswdHome = "/env", "" }, func(f *fakefs.FS) { f.Own("/env", 0) }, "", "Read(e)", "/env", "is not owned"},
		{"no home at all", func(w *load.Where) { w.Home, w.PasswdHome = "", "" }, nil, "", "", "", ""},
		{"config dir, not recorded", func(w *load.Where) { w.ConfigDir = "/cfg" }, nil, "Edit", "Read(c) | Read(u)", home, "permgate trust --folder /cfg"},
		{"config dir is a link to the usual one", func(w *load.Where) { w.ConfigDir = "/cl" }, func(f *fakefs.FS) { f.Link("/cl", home+"/.claude") }, "Edit", "Read(u) | Read(u)", home, "CLAUDE_CONFIG_DIR names another folder"},
		{"config dir", func(w *load.Where) { w.ConfigDir, w.Recorded = "/cfg", yes }, nil, "WebFetch", "Read(c) | Read(u)", home, "CLAUDE_CONFIG_DIR names another folder"},
		{"config dir of somebody else", func(w *load.Where) { w.ConfigDir, w.Recorded = "/cfg", yes }, func(f *fakefs.FS) { f.Own("/cfg", 9) }, "Edit", "Read(c) | Read(u)", home, "CLAUDE_CONFIG_DIR names /cfg, which is not owned"},
		{"config dir in the project", func(w *load.Where) { w.ConfigDir, w.Project, w.Recorded = "/cfg", "/", yes }, nil, "Edit", "Read(c) | Read(u)", home, "is in /"},
		{"config dir is the usual one", func(w *load.Where) { w.ConfigDir = home + "/.claude" }, nil, "Edit", "Read(u)", home, ""},
		{"config dir is relative", func(w *load.Where) { w.ConfigDir = "cfg" }, nil, "Edit", "Read(u)", home, ""},
	}
	for _, c := range cases {
		f := tree(map[string]string{home + "/.claude/settings.json": u, "/env/.claude/settings.json": e,
			"/cfg/settings.json": `{"permissions": {"allow": ["WebFetch"], "deny": ["Read(c)"]}}`})
		f.Own("/env", user)
		f.Own("/cfg", user)
		if c.set != nil {
			c.set(f)
		}
		p := load.Load(where(func(w *load.Where) { w.Cwd = "/srv/w" }, c.w), f)
		check(t, c.name+": allow", texts(p.Allow), c.allow)
		check(t, c.name+": deny", texts(p.Deny), c.deny)
		check(t, c.name+": home", p.Home.Given, c.home)
		has(t, c.name+": dropped", dropped(p), c.why)
	}
}

func TestProjectTrust(t *testing.T) {
	shared, local := proj+"/.gen/settings.json", proj+"/.gen/settings.local.json"
	files := map[string]string{home + "/.gen/permgate.json": `{"projectTrust": "require"}`,
		shared: `{"permissions": {"allow": ["Edit"], "deny": ["Read(s)"]}}`, local: `{"permissions": {"allow": ["Bash"], "deny": ["Read(l)"]}}`, home + "/.san/settings.json": perms("allow", "WebFetch")}
	var asked []string
	cases := []struct {
		name  string
		set   func(*fakefs.FS)
		trust func(*rules.Policy, string, []byte) load.Trust
		allow string
	}{
		{"nothing trusted", nil, nil, "Bash | WebFetch"},
		{"tracked local file", func(f *fakefs.FS) { f.File(local).Tracked = true }, nil, "WebFetch"},
		{"local file behind a tracked symlink", func(f *fakefs.FS) {
			f.Write(proj+"/conf/settings.local.json", files[local]).Tracked = true
			f.Link(local, "../conf/settings.local.json")
		}, nil, "WebFetch"},
		{"trusted by content", nil, func(_ *rules.Policy, path string, data []byte) load.Trust {
			asked = append(asked, path)
			return load.Trust{OK: path == shared && string(data) == files[shared]}
		}, "Bash | Edit | WebFetch"},
		{"trusted local file", func(f *fakefs.FS) { f.File(local).Tracked = true }, func(*rules.Policy, string, []byte) load.Trust { return load.Trust{OK: true} }, "Bash | Edit | WebFetch"},
	}
	for _, c := range cases {
		f := tree(files)
		if c.set != nil {
			c.set(f)
		}
		p := load.Load(where(func(w *load.Where) { w.Trusted = c.trust }), f)
		check(t, c.name, texts(p.Allow), c.allow)
		check(t, c.name+": restrictions", texts(p.Deny), "Read(l) | Read(s)")
	}
	check(t, "asked about", asked[0], shared)
	p := load.Load(where(), tree(files))
	has(t, "why", dropped(p), "Edit at "+shared+`:1:28: projectTrust is "require" (`+home+`/.gen/permgate.json:1:18) and this content is not trusted`)
}

func TestSources(t *testing.T) {
	f := tree(map[string]string{home + "/.claude/settings.json": "{}", proj + "/.claude/settings.json": "{}", "/home/.gen/permgate.json": "{}"})
	p := load.Load(where(), f)
	if len(p.Sources) != 3 || p.Sources[0].Path != proj+"/.claude/settings.json" || p.Sources[2].Scope != rules.User || p.Sources[1].Why == "" {
		t.Errorf("%+v", p.Sources)
	}
	if f.Reads > 9 {
		t.Errorf("%d files were opened", f.Reads)
	}
}

func TestResolve(t *testing.T) {
	f := fakefs.New(map[string]string{"/a/b/file": "", "/x/y": ""})
	f.Link("/a/up", "..")
	f.Link("/a/rel", "b")
	f.Link("/a/abs", "/x")
	f.Link("/a/chain", "rel/../abs")
	f.Link("/a/loop", "loop")
	f.Link("/a/dangling", "/none/there")
	f.Link("/a/slash", "/x/")
	for _, c := range []struct{ in, want string }{
		{"/", "/"}, {"/a/b/file", "/a/b/file"}, {"/a/rel/file", "/a/b/file"}, {"/a/abs/y", "/x/y"}, {"/a/up/x", "/x"},
		{"/a/chain/y", "/x/y"}, {"/a/abs/new/deep", "/x/new/deep"}, {"/a/loop/x", "/a/loop/x"}, {"/a/dangling", "/none/there"},
		{"/a/dangling/f", "/none/there/f"}, {"/a/slash/y", "/x/y"}, {"/a/../a/rel", "/a/b"}, {"/a/b/file/x", "/a/b/file/x"},
	} {
		check(t, c.in, load.Resolve(f, c.in), c.want)
	}
}

func TestWithin(t *testing.T) {
	for _, row := range []struct {
		name, dir string
		want      bool
	}{{"/a/b", "/a", true}, {"/a", "/a", true}, {"/ab", "/a", false}, {"/a", "/", true}, {"", "/", false}, {"/a", "", false}, {"/", "/a", false}} {
		if got := rules.Within(row.name, row.dir); got != row.want {
			t.Errorf("Within(%q, %q) = %v", row.name, row.dir, got)
		}
	}
}

// allowing is a settings file with one allow rule.
func allowing(rule string) string { return `{"permissions": {"allow": ["` + rule + `"]}}` }

// TestStandIns: settings to try out are read in place of a project's, in whatever
// project, trusted, and the other files are left as they are.
func TestStandIns(t *testing.T) {
	fs := tree(map[string]string{
		home + "/.claude/settings.json":       allowing("User"),
		home + "/.claude/permgate.json":       `{"projectTrust": "require"}`,
		proj + "/.claude/settings.json":       allowing("Shared"),
		proj + "/.claude/settings.local.json": allowing("Local"),
		proj + "/.gen/settings.json":          allowing("Gen"),
	})
	fs.Own(home, user)
	in := func(scope rules.Scope, root string) load.StandIn {
		return load.StandIn{Scope: scope, Root: root, Place: "rev:x", Data: []byte(allowing("New"))}
	}
	for name, tt := range map[string]struct {
		in   *load.StandIns
		cwd  string
		want string
	}{
		"none":                      {nil, proj, "Local | User"},
		"a folder":                  {&load.StandIns{Whole: true, Files: []load.StandIn{in(rules.Shared, ".claude")}}, proj, "New | User"},
		"nothing":                   {&load.StandIns{Whole: true}, proj, "User"},
		"local":                     {&load.StandIns{Files: []load.StandIn{in(rules.Local, ".claude")}}, proj, "New | User"},
		"the folder in use":         {&load.StandIns{Files: []load.StandIn{in(rules.Shared, "")}}, proj, "Local | New | User"},
		"user":                      {&load.StandIns{Files: []load.StandIn{in(rules.User, "")}}, proj, "Local | New"},
		"a project that is no more": {&load.StandIns{Files: []load.StandIn{in(rules.Shared, "")}}, "/gone/app", "New | User"},
	} {
		p := load.Load(where(func(w *load.Where) { w.Cwd, w.StandIns = tt.cwd, tt.in }), fs)
		if got := texts(p.Allow); got != tt.want {
			t.Errorf("%s: %s, want %s; %s", name, got, tt.want, dropped(p))
		}
	}
	broken := in(rules.Shared, "")
	broken.Err = errors.New("is no file in git")
	p := load.Load(where(func(w *load.Where) { w.StandIns = &load.StandIns{Files: []load.StandIn{broken}} }), fs)
	if faults(p, true) == "" {
		t.Error("a stand-in that cannot be used is no fault")
	}
}

func mode(m string) string { return `{"permissions": {"defaultMode": "` + m + `"}}` }

func TestMode(t *testing.T) {
	const bypass = "bypassPermissions"
	agent := func(m string) string { return "---\nmode: " + m + "\n---\n" }
	type W = load.Where
	cases := []struct {
		name  string
		files map[string]string
		w     func(*W)
		want  string
		note  string
	}{
		{"none", nil, nil, "default", ""},
		{"names", nil, func(w *W) { w.PayloadMode = "plan" }, "plan", ""},
		{"manual", nil, func(w *W) { w.PayloadMode = "manual" }, "default", ""},
		{"edit", nil, func(w *W) { w.PayloadMode = "edit" }, "default", `mode "edit" is now acceptEdits`},
		{"unknown", nil, func(w *W) { w.PayloadMode = "yolo" }, "default", `permission_mode: unknown mode "yolo" counts as default`},
		{"explore", map[string]string{home + "/.gen/settings.json": mode("explore")}, nil, "explore", ""},
		{"unknown in settings", map[string]string{home + "/.gen/settings.json": mode("x")}, nil, "default", "/.gen/settings.json:1:33: unknown mode"},
		{"unknown in managed", map[string]string{"/etc/gen/managed-settings.json": mode("x")}, nil, "dontAsk", "in managed settings counts as dontAsk"},

		{"flag beats payload", nil, func(w *W) { w.Mode, w.PayloadMode = "dontAsk", "acceptEdits" }, "dontAsk", ""},
		{"payload beats settings", map[string]string{home + "/.gen/settings.json": mode("dontAsk")}, func(w *W) { w.PayloadMode = "acceptEdits" }, "acceptEdits", ""},
		{"managed beats local", map[string]string{"/etc/gen/managed-settings.json": mode("default"), proj + "/.gen/settings.local.json": mode("acceptEdits")}, nil, "default", ""},
		{"local beats shared", map[string]string{proj + "/.gen/settings.local.json": mode("plan"), proj + "/.gen/settings.json": mode("acceptEdits")}, nil, "plan", ""},
		{"shared beats user", map[string]string{proj + "/.gen/settings.json": mode("acceptEdits"), home + "/.gen/settings.json": mode("dontAsk")}, nil, "acceptEdits", ""},
		{".gen beats .claude", map[string]string{proj + "/.claude/settings.json": mode("plan"), proj + "/.gen/settings.json": mode("acceptEdits")}, nil, "acceptEdits", ""},
		{"a later drop-in wins", map[string]string{"/etc/gen/managed-settings.d/1.json": mode("plan"), "/etc/gen/managed-settings.d/2.json": mode("acceptEdits"), "/etc/gen/managed-settings.json": mode("dontAsk")}, nil, "acceptEdits", ""},
		{"root of another host", map[string]string{proj + "/.san/settings.json": mode("acceptEdits")}, nil, "default", ""},
		{"root of the host", map[string]string{proj + "/.san/settings.json": mode("acceptEdits")}, func(w *W) { w.Roots = []string{".san"} }, "acceptEdits", ""},
		{"a stricter mode from above", map[string]string{"/home/.gen/settings.json": mode("dontAsk"), home + "/.gen/settings.json": mode("acceptEdits")}, nil, "dontAsk", ""},
		{"a laxer mode from above", map[string]string{"/home/.gen/settings.json": mode("acceptEdits"), home + "/.gen/settings.json": mode("plan")}, nil, "plan", ""},
		{"a mode from above and the project's", map[string]string{"/home/.gen/settings.json": mode("dontAsk"), proj + "/.gen/settings.json": mode("default")}, nil, "default", ""},
		{"a file with a fault", map[string]string{proj + "/.gen/settings.json": `{"permissions": {"defaultMode": "acceptEdits", "deny": 1}}`}, nil, "default", ""},

		{"bypass by payload", nil, func(w *W) { w.PayloadMode = bypass }, bypass, ""},
		{"bypass by managed", map[string]string{"/etc/gen/managed-settings.json": mode(bypass)}, nil, bypass, ""},
		{"bypass by user", map[string]string{home + "/.gen/settings.json": mode(bypass)}, nil, bypass, ""},
		{"bypass by local", map[string]string{proj + "/.gen/settings.local.json": mode(bypass)}, nil, bypass, ""},
		{"bypass by shared", map[string]string{proj + "/.gen/settings.json": mode(bypass), home + "/.gen/settings.json": mode("plan")}, nil, "plan", proj + "/.gen/settings.json:1:33: bypassPermissions is ignored"},
		{"bypass by a flag alone", nil, func(w *W) { w.Mode, w.PayloadMode = bypass, "plan" }, "plan", "ignored without --allow-dangerously-skip-permissions"},
		{"bypass by both flags", nil, func(w *W) { w.Mode, w.AllowBypass = bypass, true }, bypass, ""},
		{"bypass by --settings", map[string]string{"/s.json": mode(bypass)}, func(w *W) { w.Settings = []string{"/s.json"} }, "default", "ignored"},

		{"lock", map[string]string{proj + "/.gen/settings.json": `{"disableBypassPermissionsMode": true}`}, func(w *W) { w.PayloadMode = bypass }, "default", "bypassPermissions is locked by " + proj + "/.gen/settings.json:1:34; the mode is default"},
		{"lock of both flags", map[string]string{home + "/.gen/settings.json": `{"disableBypassPermissionsMode": "disable"}`}, func(w *W) { w.Mode, w.AllowBypass = bypass, true }, "default", "locked"},
		{"lock of auto", map[string]string{home + "/.gen/settings.json": `{"permissions": {"disableAutoMode": "disable"}}`}, func(w *W) { w.PayloadMode = "auto" }, "default", "auto is locked by"},
		{"lock of the other", map[string]string{home + "/.gen/settings.json": `{"disableAutoMode": true}`}, func(w *W) { w.PayloadMode = bypass }, bypass, ""},

		{"agent", map[string]string{proj + "/.gen/agents/a.md": agent("acceptEdits")}, func(w *W) { w.Agent = "a" }, "acceptEdits", ""},
		{"agent without a mode", map[string]string{proj + "/.gen/agents/a.md": "---\nname: a\n---\n"}, func(w *W) { w.Agent, w.PayloadMode = "a", bypass }, "default", ""},
		{"unknown agent", nil, func(w *W) { w.Agent, w.PayloadMode = "a", bypass }, "default", ""},
		{"flag beats agent", map[string]string{proj + "/.gen/agents/a.md": agent("acceptEdits")}, func(w *W) { w.Agent, w.Mode = "a", "dontAsk" }, "dontAsk", ""},
		{"agent beats payload", map[string]string{proj + "/.gen/agents/a.md": agent("explore")}, func(w *W) { w.Agent, w.PayloadMode = "a", bypass }, "explore", ""},
		{"plan binds the agent", map[string]string{proj + "/.gen/agents/a.md": agent("acceptEdits")}, func(w *W) { w.Agent, w.PayloadMode = "a", "plan" }, "plan", "the session's mode plan applies to the subagent too"},
		{"dontAsk by settings binds the agent", map[string]string{proj + "/.gen/agents/a.md": agent("acceptEdits"), home + "/.gen/settings.json": mode("dontAsk")}, func(w *W) { w.Agent = "a" }, "dontAsk", "applies to the subagent"},
		{"explore under plan", map[string]string{proj + "/.gen/agents/a.md": agent("explore")}, func(w *W) { w.Agent, w.PayloadMode = "a", "plan" }, "explore", ""},
		{"default does not bind", map[string]string{proj + "/.gen/agents/a.md": agent("acceptEdits")}, func(w *W) { w.Agent, w.PayloadMode = "a", "default" }, "acceptEdits", ""},
		{"agent's bypass, not tracked", map[string]string{proj + "/.gen/agents/a.md": agent(bypass)}, func(w *W) { w.Agent = "a" }, bypass, ""},
		{"the user's agent's bypass", map[string]string{home + "/.gen/agents/a.md": agent(bypass)}, func(w *W) { w.Agent = "a" }, bypass, ""},
		{"a lock binds the agent", map[string]string{home + "/.gen/agents/a.md": agent(bypass), "/home/.gen/settings.json": `{"disableBypassPermissionsMode": true}`}, func(w *W) { w.Agent = "a" }, "default", "locked"},
		{"host posture, no mode", map[string]string{home + "/.gen/permgate.json": `{"subagents": "host"}`, home + "/.gen/agents/a.md": "---\nname: a\n---\n"}, func(w *W) { w.Agent, w.PayloadMode = "a", "acceptEdits" }, "acceptEdits", ""},
		{"host posture, built-in agent", map[string]string{home + "/.gen/permgate.json": `{"subagents": "host"}`}, func(w *W) { w.Agent, w.PayloadMode = "a", "acceptEdits" }, "acceptEdits", ""},
		{"host posture, bad definition", map[string]string{home + "/.gen/permgate.json": `{"subagents": "host"}`, home + "/.gen/agents/a.md": "x"}, func(w *W) { w.Agent, w.PayloadMode = "a", "acceptEdits" }, "default", ""},
		{"agent of the main session", map[string]string{home + "/.gen/agents/a.md": agent("plan")}, func(w *W) { w.Agent, w.MainAgent, w.PayloadMode = "a", true, "acceptEdits" }, "acceptEdits", ""},
	}
	for _, c := range cases {
		p := load.Load(where(func(w *W) {
			if c.w != nil {
				c.w(w)
			}
		}), tree(c.files))
		check(t, c.name, p.Mode.Value, c.want)
		has(t, c.name+": notes", strings.Join(p.ModeNotes, "\n"), c.note)
	}
}

func TestBypassFromTrackedFiles(t *testing.T) {
	local, agent := proj+"/.gen/settings.local.json", proj+"/.gen/agents/a.md"
	loaded := func(name string, set func(*fakefs.FS)) *rules.Policy {
		f := tree(map[string]string{local: mode("bypassPermissions"), agent: "---\nmode: bypassPermissions\n---\n"})
		set(f)
		return load.Load(where(func(w *load.Where) { w.Agent = name }), f)
	}
	p := loaded("", func(f *fakefs.FS) { f.File(local).Tracked = true })
	check(t, "tracked local file", p.Mode.Value, "default")
	p = loaded("a", func(f *fakefs.FS) { f.File(agent).Tracked = true })
	check(t, "tracked agent", p.Mode.Value, "default")
	has(t, "note", strings.Join(p.ModeNotes, ""), "git tracks the file")
	p = loaded("", func(f *fakefs.FS) {
		f.Write(proj+"/conf/settings.local.json", mode("bypassPermissions")).Tracked = true
		f.Link(local, "../conf/settings.local.json")
	})
	check(t, "symlink to a tracked file", p.Mode.Value, "default")
}
