package gate_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/gate/trust"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

const grants = `{"permissions": {"allow": ["Bash(make:*)", "mcp__db"], "deny": ["Bash(git push:*)"], "additionalDirectories": ["../lib"], "defaultMode": "acceptEdits"}}`

// A site is a project on the disk, with a home and a state folder next to it.
type site struct {
	t                     *testing.T
	dir, home, app, state string
	env                   map[string]string
	opened                []string
	old                   bool // records are those of the version that kept copies
}

// ReadFile and Lstat note what is looked at.
type watched struct {
	disk.Disk
	s *site
}

func (w watched) ReadFile(name string, max int64) ([]byte, error) {
	w.s.opened = append(w.s.opened, name)
	return w.Disk.ReadFile(name, max)
}

func (w watched) Lstat(name string) (fs.FileInfo, error) {
	w.s.opened = append(w.s.opened, name)
	return w.Disk.Lstat(name)
}

func newSite(t *testing.T) *site {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, dir: dir, home: filepath.Join(dir, "home"), app: filepath.Join(dir, "home", "app"), state: filepath.Join(dir, "home", ".local", "state", "permgate")}
	s.env = map[string]string{"HOME": s.home}
	s.write("app/.gen/settings.json", grants)
	s.write(".gen/permgate.json", `{"projectTrust": "require"}`)
	if err := os.Mkdir(filepath.Join(s.app, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

// write writes a file below home.
func (s *site) write(name, text string) {
	s.t.Helper()
	name = filepath.Join(s.home, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) world() gate.World {
	return gate.World{
		Getenv: func(k string) string { return s.env[k] }, Cwd: s.app, PasswdHome: s.home, UID: disk.UID(),
		Exe: func() (string, error) { return "/usr/local/bin/permgate", nil }, Files: watched{s: s}, Now: time.Now(), OS: rules.NativeOS(),
		ManagedDir: []string{filepath.Join(s.dir, "none")},
	}
}

// trust records every file of the project, as permgate trust does.
func (s *site) trust() {
	s.t.Helper()
	w := s.world()
	call := &hookio.Call{Host: hookio.Lookup("generic")}
	p, claims := load.Claims(gate.LoadOptions(call, &gate.Flags{}, w), w.Files)
	store := gate.TrustStore(&gate.Flags{}, w, p)
	must(s.t, store.Prepare())
	for _, c := range claims {
		_, file := trust.RealPaths(w.Files, w.OS, p.Project.Given, c.Path)
		at := trust.Locate(w.Files, w.OS, w.UID, p.Project.Given)
		r := trust.Record{Key: at.Key(file), When: w.Now, Grants: c.Grants, Content: c.Content}
		if s.old {
			r = trust.Record{Key: trust.Key{Project: at.Project, File: file}, When: w.Now, Content: c.Content, Whole: true}
		}
		must(s.t, os.WriteFile(store.File(r.Key), r.Text(), 0o600))
	}
}

func (s *site) decide(payload string, f gate.Flags) (*decide.Input, decide.Verdict) {
	s.t.Helper()
	call, err := hookio.Read(strings.NewReader(`{"cwd":`+strconv.Quote(s.app)+`,"session_id":"s1",`+payload+`}`), hookio.Options{Host: f.Host})
	if err != nil {
		s.t.Fatal(err)
	}
	c := gate.Case(call, &f, s.world())
	return c, decide.Decide(c)
}

// record is the file that holds the record of settings.json.
func (s *site) record() string {
	s.t.Helper()
	names, err := filepath.Glob(filepath.Join(s.state, "trust", "*.trust"))
	if err != nil || len(names) != 1 {
		s.t.Fatalf("records: %v, %v", names, err)
	}
	return names[0]
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestTrustStore: a record counts only where no one else can have written it,
// for the very file and project it was made for.
func TestTrustStore(t *testing.T) {
	if !ownersKnown() {
		t.Skip("files have no owner here")
	}
	for _, c := range []struct {
		name    string
		arrange func(*testing.T, *site)
		allowed bool
		reason  string
	}{
		{name: "trusted", arrange: func(t *testing.T, s *site) {}, allowed: true},
		{name: "never", arrange: func(t *testing.T, s *site) { must(t, os.RemoveAll(s.state)) }, reason: `this content is not trusted: read it and run "permgate trust"`},
		{name: "changed elsewhere", arrange: func(t *testing.T, s *site) { s.write("app/.gen/settings.json", grants+"\n") }, allowed: true},
		{name: "changed in the grant", arrange: func(t *testing.T, s *site) {
			s.write("app/.gen/settings.json", strings.Replace(grants, "make:*", "make *", 1))
		}, reason: `this was not part of what was trusted on ` + time.Now().Format("2006-")},
		{name: "folder others can write to", arrange: func(t *testing.T, s *site) { must(t, os.Chmod(filepath.Join(s.state, "trust"), 0o777)) }, reason: "must be private"},
		{name: "folder others may read, as a checkout makes it", arrange: func(t *testing.T, s *site) { must(t, os.Chmod(filepath.Join(s.state, "trust"), 0o755)) }, reason: "must be private"},
		{name: "record others may write", arrange: func(t *testing.T, s *site) { must(t, os.Chmod(s.record(), 0o666)) }, reason: "must be private"},
		{name: "state folder others can write to", arrange: func(t *testing.T, s *site) { must(t, os.Chmod(s.state, 0o777)) }, reason: "can be changed by others"},
		{name: "folder is a symlink", arrange: func(t *testing.T, s *site) {
			must(t, os.Rename(filepath.Join(s.state, "trust"), filepath.Join(s.dir, "t")), os.Symlink(filepath.Join(s.dir, "t"), filepath.Join(s.state, "trust")))
		}, reason: "must be private"},
		{name: "record is a symlink", arrange: func(t *testing.T, s *site) {
			name := s.record()
			must(t, os.Rename(name, filepath.Join(s.dir, "r")), os.Symlink(filepath.Join(s.dir, "r"), name))
		}, reason: "must be private"},
		{name: "damaged", arrange: func(t *testing.T, s *site) { must(t, os.Truncate(s.record(), 200)) }, reason: "is damaged: run permgate trust again"},
		{name: "empty", arrange: func(t *testing.T, s *site) { must(t, os.Truncate(s.record(), 0)) }, reason: "is damaged"},
		{name: "no folder but a file", arrange: func(t *testing.T, s *site) {
			must(t, os.RemoveAll(filepath.Join(s.state, "trust")), os.WriteFile(filepath.Join(s.state, "trust"), nil, 0o600))
		}, reason: "must be private"},
		{name: "another file's record under the name", arrange: func(t *testing.T, s *site) {
			data, err := os.ReadFile(s.record())
			must(t, err, os.WriteFile(s.record(), bytes.Replace(data, []byte("settings.json"), []byte("settings.jsom"), 1), 0o600))
		}, reason: "is not trusted"},
		{name: "state folder the project brings", arrange: func(t *testing.T, s *site) {
			must(t, os.Rename(s.state, filepath.Join(s.app, "permgate")))
			s.env["XDG_STATE_HOME"] = s.app
		}, reason: "is not trusted"},
		{name: "state folder that an environment variable names", arrange: func(t *testing.T, s *site) {
			must(t, os.Mkdir(filepath.Join(s.dir, "xdg"), 0o755), os.Rename(s.state, filepath.Join(s.dir, "xdg", "permgate")))
			s.env["XDG_STATE_HOME"] = filepath.Join(s.dir, "xdg")
		}, reason: "is not trusted"},
		{name: "state folder moved by the user", arrange: func(t *testing.T, s *site) {
			must(t, os.Mkdir(filepath.Join(s.dir, "xdg"), 0o755), os.Rename(s.state, filepath.Join(s.dir, "xdg", "permgate")))
			s.env["XDG_STATE_HOME"] = filepath.Join(s.dir, "xdg")
			trust := filepath.Join(s.home, ".local", "state", "permgate", "trust")
			real, err := filepath.EvalSymlinks(filepath.Join(s.dir, "xdg"))
			must(t, err, os.MkdirAll(trust, 0o700), os.WriteFile(filepath.Join(trust, "folders"), []byte(real+"\n"), 0o600))
		}, allowed: true},
		{name: "project moved", arrange: func(t *testing.T, s *site) {
			must(t, os.Rename(s.app, filepath.Join(s.home, "moved")))
			s.app = filepath.Join(s.home, "moved")
		}, reason: "is not trusted"},
		{name: "project reached by a symlink", arrange: func(t *testing.T, s *site) {
			must(t, os.Symlink(s.app, filepath.Join(s.home, "link")))
			s.app = filepath.Join(s.home, "link")
		}, allowed: true},
		{name: "file is a symlink to the same text elsewhere", arrange: func(t *testing.T, s *site) {
			s.write("other.json", grants)
			name := filepath.Join(s.app, ".gen", "settings.json")
			must(t, os.Remove(name), os.Symlink(filepath.Join(s.home, "other.json"), name))
		}, reason: "is not trusted"},
		{name: "another project's settings folder is a symlink to this one", arrange: func(t *testing.T, s *site) {
			must(t, os.MkdirAll(filepath.Join(s.home, "evil", ".git"), 0o755), os.Symlink(filepath.Join(s.app, ".gen"), filepath.Join(s.home, "evil", ".gen")))
			s.app = filepath.Join(s.home, "evil")
		}, reason: "is not trusted"},
	} {
		for _, old := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: ", an old record"}[old], func(t *testing.T) {
				s := newSite(t)
				s.old = old
				s.trust()
				c.arrange(t, s)
				_, v := s.decide(bash("make x"), gate.Flags{})
				if got := v.Decision() == hookio.Allow; got != c.allowed || !strings.Contains(v.Reason(), c.reason) {
					t.Errorf("%v: %s; want allowed %v, %q", v.Decision(), v.Reason(), c.allowed, c.reason)
				}
				if _, v := s.decide(bash("git push"), gate.Flags{}); v.Decision() != hookio.Deny {
					t.Errorf("the file's deny: %v: %s", v.Decision(), v.Reason())
				}
			})
		}
	}
}

func ownersKnown() bool {
	info, err := os.Stat(".")
	if err != nil {
		return false
	}
	_, ok := disk.Disk{}.Owner(info)
	return ok
}

// TestTrustReasons: whatever the grant, the reason names file, place and remedy.
func TestTrustReasons(t *testing.T) {
	s := newSite(t)
	s.write("app/.gen/agents/rev.md", "---\nname: rev\nallow_tools: [Bash(go vet*)]\n---\n")
	s.write("app/.gen/settings.json", `{"permissions": {"allow": ["Bash(npm test)"]}}`)
	s.trust()
	s.write("app/.gen/settings.json", grants)
	s.write("app/.gen/agents/rev.md", "---\nname: rev\nallow_tools: [Bash(go vet*), Bash(go run*)]\n---\n")
	lib := filepath.Join(filepath.Dir(s.app), "lib") // no temporary file: others may write there
	if err := os.MkdirAll(lib, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(lib, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, payload, want string
		flags               gate.Flags
	}{
		{"rule", bash("make x"), "; Bash(make:*) (FILE:1:28) does not count: ", gate.Flags{}},
		{"rule, another host", bash("make x"), "; Bash(make:*) (FILE:1:28) does not count: ", gate.Flags{Host: "claude"}},
		{"mode", tool("Edit", `{"file_path":"a.go","old_string":"a","new_string":"b"}`), "; defaultMode: acceptEdits (FILE:1:", gate.Flags{}},
		{"directory", bash("touch ../lib/x"), "; ../lib (FILE:1:", gate.Flags{}},
		{"agent", bash("go run ./..."), "; Bash(go run*) (" + filepath.Join(s.app, ".gen/agents/rev.md") + ":3:30) does not count: ", gate.Flags{Agent: "rev"}},
	} {
		want := strings.ReplaceAll(c.want, "FILE", filepath.Join(s.app, ".gen", "settings.json"))
		_, v := s.decide(c.payload, c.flags)
		if v.Decision() == hookio.Allow || !strings.Contains(v.Reason(), want) ||
			!strings.Contains(v.Reason(), `this was not part of what was trusted on `) || !strings.Contains(v.Reason(), `"permgate trust --diff" shows what is new`) {
			t.Errorf("%s: %v: %s\nwant %s", c.name, v.Decision(), v.Reason(), want)
		}
	}
	if _, v := s.decide(bash("go vet ./..."), gate.Flags{Agent: "rev"}); v.Decision() != hookio.Allow {
		t.Errorf("what was trusted of the definition: %v: %s", v.Decision(), v.Reason())
	}
}

// TestTrustPerGrant: after a change what was trusted stays, and only what is new
// is withheld, wherever in the file it is.
func TestTrustPerGrant(t *testing.T) {
	const name = "app/.gen/settings.json"
	for _, old := range []bool{false, true} {
		for _, c := range []struct{ text, allow, dirs, mode string }{
			{grants, "Bash(make:*) mcp__db", "../lib", "acceptEdits"},
			{`{"permissions": {"defaultMode": "acceptEdits", "allow": ["mcp__db"]}, "model": "x"}`, "mcp__db", "", "acceptEdits"},
			{`{"permissions": {"allow": ["Bash(curl:*)", "Bash(make:*)", "Bash(make)"], "additionalDirectories": ["../lib/", "../libs", "../lib"]}}`, "Bash(make:*)", "../lib", "default"},
			{`{"permissions": {"defaultMode": "auto"}}`, "", "", "default"},
			{`{"permissions": {"allow": ["../lib", "acceptEdits"], "additionalDirectories": ["Bash(make:*)", "mcp__db"]}}`, "", "", "default"},
			{`{"permissions": {"allow": ["Bash(make:*)"], "deny": ["Bash(make x)"]}, "model": }`, "Bash(make:*)", "", "default"},
		} {
			s := newSite(t)
			s.old = old
			s.trust()
			s.write(name, c.text)
			p := gate.Policy(&hookio.Call{Host: hookio.Lookup("generic"), Cwd: s.app}, &gate.Flags{}, s.world())
			var allow, dirs []string
			for _, r := range p.Allow {
				allow = append(allow, r.Text)
			}
			for _, d := range p.Dirs {
				rel, err := filepath.Rel(s.app, rules.NativeOS().Native(d.Path.Given))
				must(t, err)
				dirs = append(dirs, filepath.ToSlash(rel))
			}
			if strings.Join(allow, " ") != c.allow || strings.Join(dirs, " ") != c.dirs || p.Mode.Value != c.mode {
				t.Errorf("%s: allow %q, directories %q, mode %s; want %q, %q, %s", c.text, allow, dirs, p.Mode.Value, c.allow, c.dirs, c.mode)
			}
		}
	}
}

// TestTrustHostSection: a rule that was trusted for one host is not for all.
func TestTrustHostSection(t *testing.T) {
	const forOne, forAll = `{"hosts": {"claude": {"rules": [{"allow": "Bash(make:*)"}]}}}`, `{"rules": [{"allow": "Bash(make:*)"}]}`
	for _, c := range []struct {
		trusted, now, host string
		allowed            bool
	}{
		{forOne, forOne, "claude", true}, {forOne, forAll, "claude", false}, {forOne, forAll, "gen", false},
		{forOne, strings.Replace(forOne, "claude", "gen", 1), "gen", false},
		{forAll, forAll, "gen", true}, {forAll, forOne, "claude", true}, {forAll, forOne, "gen", false},
	} {
		s := newSite(t)
		must(t, os.Remove(filepath.Join(s.app, ".gen", "settings.json")))
		s.write("app/.gen/permgate.json", c.trusted)
		s.trust()
		s.write("app/.gen/permgate.json", c.now)
		if _, v := s.decide(bash("make x"), gate.Flags{Host: c.host}); (v.Decision() == hookio.Allow) != c.allowed {
			t.Errorf("%s, then %s, for %s: %v: %s", c.trusted, c.now, c.host, v.Decision(), v.Reason())
		}
	}
}

// TestTrustDefers: a host reads the rules of its project whether or not the user
// trusted them, so such a call is not left to it.
func TestTrustDefers(t *testing.T) {
	s := newSite(t)
	s.write("app/.claude/settings.json", `{"permissions": {"allow": ["Bash(make:*)", "WebFetch(domain:example.com)", "mcp__db__query"]}}`)
	must(t, os.Remove(filepath.Join(s.app, ".gen", "settings.json")))
	s.write(".gen/permgate.json", `{"projectTrust": "require", "onUnmatched": "defer"}`)
	for _, c := range []struct {
		payload string
		want    hookio.Decision
	}{
		{bash("make x"), ask},
		{bash("make x | cat"), ask},
		{bash("env make x"), pass}, // no rule of the host looks behind env
		{tool("mcp__db__query", `{"q":"x"}`), ask},
		{bash("npm test"), pass},
		{tool("mcp__db__drop", `{"q":"x"}`), pass},
	} {
		_, v := s.decide(c.payload, gate.Flags{Host: "claude"})
		if got := v.Answer().Decision; got != c.want {
			t.Errorf("%s: %v, want %v: %s", c.payload, got, c.want, v.Reason())
		}
	}
	s.trust()
	if _, v := s.decide(bash("make x"), gate.Flags{Host: "claude"}); v.Answer().Decision != allow {
		t.Errorf("trusted: %s", v.Reason())
	}
}

// TestTrustEveryByte: whatever byte of a trusted file changes, goes or comes,
// it grants nothing that was not trusted.
func TestTrustEveryByte(t *testing.T) {
	every := testenv.Every(t, 5, 1, 1)
	for k, old := range []bool{false, true} {
		s := newSite(t)
		s.old = old
		s.trust()
		try := func(what, text string) {
			s.write("app/.gen/settings.json", text)
			p := gate.Policy(&hookio.Call{Host: hookio.Lookup("generic"), Cwd: s.app}, &gate.Flags{}, s.world())
			for _, r := range p.Allow {
				if r.Text != "Bash(make:*)" && r.Text != "mcp__db" {
					t.Errorf("%s: %s counts", what, r.Text)
				}
			}
			for _, d := range p.Dirs {
				if d.Path.Given != rules.NativeOS().Canon(filepath.Join(s.home, "lib")) {
					t.Errorf("%s: the directory %s counts", what, d.Path.Given)
				}
			}
			if m := p.Mode.Value; m != "default" && m != "acceptEdits" {
				t.Errorf("%s: mode %s", what, m)
			}
		}
		for i := k % every; i < len(grants); i += every {
			for _, bit := range []byte{1, 0x20, 0x80} {
				try("byte "+strconv.Itoa(i)+" changed", grants[:i]+string([]byte{grants[i] ^ bit})+grants[i+1:])
			}
			try("byte "+strconv.Itoa(i)+" gone", grants[:i]+grants[i+1:])
			try("a blank before byte "+strconv.Itoa(i), grants[:i]+" "+grants[i:])
		}
	}
}

// TestUntrustedIsNeverLooser: a project that no one trusts is decided as if its
// files held no grants; one that is trusted, as if trust were not required.
func TestUntrustedIsNeverLooser(t *testing.T) {
	files := []struct{ with, without string }{
		{grants, `{"permissions": {"deny": ["Bash(git push:*)"]}}`},
		{`{"permissions": {"allow": ["Bash", "Read(//etc/**)", "mcp__*"], "ask": ["Bash(make x)"]}}`, `{"permissions": {"ask": ["Bash(make x)"]}}`},
		{`{"permissions": {"defaultMode": "auto", "disableBypassPermissionsMode": true}}`, `{"permissions": {"disableBypassPermissionsMode": true}}`},
		{`{"permissions": {"defaultMode": "dontAsk", "allow": ["Bash(make:*)"]}}`, `{"permissions": {"defaultMode": "dontAsk"}}`},
		{`{"permissions": {"allow": ["Bash(make:*)"], "allow": ["Edit"]}}`, `{"permissions": {"allow": [], "allow": []}}`},
		{`{"permissions": {"allow": ["Bash(make:*"], "deny": ["Bash(rm"]}}`, `{"permissions": {"deny": ["Bash(rm"]}}`},
	}
	calls := []string{bash("make x"), bash("make y && git push"), bash("rm -rf x"), bash("touch ../lib/x"), bash("cat /etc/passwd > y"),
		tool("Edit", `{"file_path":"a.go","old_string":"a","new_string":"b"}`), tool("Write", `{"file_path":"../lib/a","content":"x"}`),
		tool("Read", `{"file_path":"/etc/passwd"}`), tool("mcp__db__query", `{"q":"x"}`), as(bash("make x"), `"permission_mode":"plan"`), as(bash("make x"), `"agent_id":"a"`, `"agent_type":"rev"`)}
	rank := func(d hookio.Decision) int {
		for i, x := range []hookio.Decision{allow, pass, ask, deny} {
			if d == x {
				return i
			}
		}
		return -1
	}
	for _, f := range files {
		for _, posture := range []string{`{"projectTrust": "require"}`, `{"projectTrust": "require", "onUnmatched": "defer", "subagents": "host"}`} {
			answers := func(text, posture string, trusted bool) (out []hookio.Decision) {
				s := newSite(t)
				s.write("app/.gen/settings.json", text)
				s.write(".gen/permgate.json", posture)
				if trusted {
					s.trust()
				}
				for _, c := range calls {
					_, v := s.decide(c, gate.Flags{Host: "claude"})
					out = append(out, v.Answer().Decision)
				}
				return out
			}
			untrusted, without := answers(f.with, posture, false), answers(f.without, posture, false)
			trusted, off := answers(f.with, posture, true), answers(f.with, strings.Replace(posture, "require", "off", 1), false)
			for i, c := range calls {
				if rank(untrusted[i]) < rank(without[i]) {
					t.Errorf("%s\n%s: %v untrusted, %v without the grants", f.with, c, untrusted[i], without[i])
				}
				if trusted[i] != off[i] {
					t.Errorf("%s\n%s: %v trusted, %v where trust is off", f.with, c, trusted[i], off[i])
				}
			}
		}
	}
}

// TestTrustReadsNothing: where no file needs it, the store is not looked at.
func TestTrustReadsNothing(t *testing.T) {
	for _, c := range []struct {
		name, posture, settings string
		want                    bool
	}{
		{"needed", `{"projectTrust": "require"}`, grants, true},
		{"off", `{"projectTrust": "off"}`, grants, false},
		{"not set", `{}`, grants, false},
		{"nothing granted", `{"projectTrust": "require"}`, `{"permissions": {"deny": ["Bash(rm:*)"], "defaultMode": "plan"}}`, false},
	} {
		s := newSite(t)
		s.write(".gen/permgate.json", c.posture)
		s.write("app/.gen/settings.json", c.settings)
		s.decide(bash("make x"), gate.Flags{})
		got := false
		for _, name := range s.opened {
			got = got || strings.Contains(name, filepath.Join("permgate", "trust"))
		}
		if got != c.want {
			t.Errorf("%s: the store is read: %v", c.name, got)
		}
	}
}

// TestTrustGuarded: no mode lifts the question before an agent writes a record.
func TestTrustGuarded(t *testing.T) {
	s := newSite(t)
	s.trust()
	for _, file := range []string{s.record(), filepath.Join(s.state, "trust", "new.trust"), filepath.Join(s.state, "trust")} {
		rel, err := filepath.Rel(s.app, file)
		must(t, err)
		file, rel = filepath.ToSlash(file), filepath.ToSlash(rel) // for bash
		for _, payload := range []string{
			tool("Write", `{"file_path":`+strconv.Quote(file)+`,"content":"x"}`), tool("Edit", `{"file_path":`+strconv.Quote(rel)+`,"old_string":"a","new_string":"b"}`),
			bash("cp x " + file), bash("echo x > " + rel), bash("mv x " + file), bash("ln -sf x " + file), bash("rm -f " + file), bash("chmod 600 " + file),
			bash("permgate trust --yes"), bash("permgate trust --revoke --yes"), bash("XDG_STATE_HOME=/x permgate trust"),
		} {
			if _, v := s.decide(as(payload, `"permission_mode":"bypassPermissions"`), gate.Flags{}); v.Decision() != hookio.Ask || v.Step() != "2" {
				t.Errorf("%s: %v in step %s: %s", payload, v.Decision(), v.Step(), v.Reason())
			}
		}
	}
}

// TestTrustSaysNothingInVain: a subagent that inherits no grant is not told to
// trust rules that would not count for it.
func TestTrustSaysNothingInVain(t *testing.T) {
	s := newSite(t)
	call := as(bash("make x"), `"agent_id":"a1"`, `"agent_type":"rev"`)
	if _, v := s.decide(call, gate.Flags{}); v.Decision() != hookio.Deny || strings.Contains(v.Reason(), "permgate trust") {
		t.Errorf("%v: %s", v.Decision(), v.Reason())
	}
	s.write(".gen/permgate.json", `{"projectTrust": "require", "subagents": "host"}`)
	if _, v := s.decide(call, gate.Flags{}); v.Decision() == hookio.Allow || !strings.Contains(v.Reason(), "permgate trust") {
		t.Errorf("subagents host: %v: %s", v.Decision(), v.Reason())
	}
}
