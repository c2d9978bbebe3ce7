package load_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

const (
	home    = "/home/u"
	proj    = "/home/u/proj"
	user    = 1000
	managed = "/etc/claude-code"
)

// tree returns a machine with one user, a project in git, and files.
func tree(files map[string]string) *fakefs.FS {
	t := fakefs.New(files)
	t.Mkdir(home)
	t.Mkdir(proj + "/.git")
	t.Mkdir(proj + "/sub")
	t.Own(home, user)
	return t
}

// where is a call from the project of that user.
func where(change ...func(*load.Where)) load.Where {
	w := load.Where{Cwd: proj, Home: home, PasswdHome: home, UID: user, Roots: []string{".claude"}}
	for _, f := range change {
		f(&w)
	}
	return w
}

func texts(rs []rules.Rule) string {
	var out []string
	for _, r := range rs {
		out = append(out, r.Text)
	}
	return strings.Join(out, " | ")
}

func faults(p *rules.Policy, closed bool) string {
	var out []string
	for _, f := range p.Faults {
		if f.Closed == closed {
			out = append(out, f.Pos.String()+": "+f.Msg)
		}
	}
	return strings.Join(out, "\n")
}

func dropped(p *rules.Policy) string {
	var out []string
	for _, d := range p.Dropped {
		out = append(out, d.Text+" at "+d.Pos.String()+": "+d.Why)
	}
	return strings.Join(out, "\n")
}

func check(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\ngot  %q\nwant %q", what, got, want)
	}
}

// has checks that got mentions want; an empty want means got must be empty.
func has(t *testing.T, what, got, want string) {
	t.Helper()
	if want == "" && got != "" || !strings.Contains(got, want) {
		t.Errorf("%s:\ngot  %q\nwant something with %q", what, got, want)
	}
}

func perms(list string, texts ...string) string {
	return `{"permissions": {"` + list + `": ["` + strings.Join(texts, `", "`) + `"]}}`
}

func TestScopesAndRoots(t *testing.T) {
	files := map[string]string{}
	n := 0
	for _, dir := range []string{home, proj} {
		for _, root := range load.Roots {
			for _, name := range []string{"settings.json", "settings.local.json"} {
				if dir == home && name != "settings.json" {
					continue
				}
				n++
				files[dir+"/"+root+"/"+name] = perms("allow", "Read("+dir[strings.LastIndex(dir, "/")+1:]+root+name[8:]+")")
			}
		}
	}
	files["/etc/gen/managed-settings.json"] = perms("allow", "Read(gen)")
	files["/etc/san/managed-settings.json"] = perms("allow", "Read(san)")
	files["/etc/claude-code/managed-settings.json"] = perms("allow", "Read(claude)")
	files["/etc/claude-code/managed-settings.d/20-b.json"] = perms("allow", "Read(b)")
	files["/etc/claude-code/managed-settings.d/10-a.json"] = perms("allow", "Read(a)")
	files["/etc/claude-code/managed-settings.d/.hidden.json"] = perms("allow", "Read(hidden)")
	files["/etc/claude-code/managed-settings.d/readme.txt"] = "no json"
	p := load.Load(where(), tree(files))
	check(t, "allow", texts(p.Allow), "Read(gen) | Read(san) | Read(b) | Read(a) | Read(claude) | "+
		"Read(proj.gen.local.json) | Read(proj.san.local.json) | Read(proj.claude.local.json) | "+
		"Read(proj.gen.json) | Read(proj.san.json) | Read(proj.claude.json) | "+
		"Read(u.gen.json) | Read(u.san.json) | Read(u.claude.json)")
	check(t, "faults", faults(p, true)+faults(p, false), "")
	for _, r := range p.Allow {
		if want := strings.Contains(r.Pos.File, "claude"); r.Claude != want {
			t.Errorf("%s: Claude is %v", r.Pos.File, r.Claude)
		}
		if r.Pos.Line != 1 || r.Pos.Col != 28 {
			t.Errorf("%s: wrong place", r.Pos)
		}
	}
	check(t, "scope", p.Allow[0].Scope.String()+p.Allow[5].Scope.String()+p.Allow[8].Scope.String()+p.Allow[11].Scope.String(), "managedlocalshareduser")
}

// TestTreeDirectory: DIR/... in additionalDirectories and --add-dir is DIR.
func TestTreeDirectory(t *testing.T) {
	for value, want := range map[string]string{
		"/srv/lib/...": "/srv/lib", "/srv/lib": "/srv/lib", "../lib/...": "/home/u/lib", "~/n/...": "/home/u/n", "/...": "/", "/srv/lib...": "/srv/lib...", "...": proj + "/...",
	} {
		p := load.Load(where(func(w *load.Where) { w.AddDirs = []string{value} }), tree(map[string]string{
			home + "/.claude/settings.json": `{"permissions": {"additionalDirectories": ["` + value + `"]}}`}))
		if len(p.Dirs) != 2 || p.Dirs[0].Path.Given != want || p.Dirs[1].Path.Given != want {
			t.Errorf("%s: %+v, want %s", value, p.Dirs, want)
		}
	}
}
