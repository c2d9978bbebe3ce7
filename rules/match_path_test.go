package rules

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A pathRow is one file rule against one path. Tool names the tool of the call.
type pathRow struct {
	rule, tool, path string
	allow, deny      string
}

// cwd is /repo/sub, the project /repo, home /home/u.
var pathRows = []pathRow{
	{"Read(//etc/passwd)", "Read", "/etc/passwd", "sure", "sure"},
	{"Read(//etc/**)", "Read", "/etc/a/b", "sure", "sure"},
	{"Read(//etc/**)", "Read", "/etc", "sure", "sure"},
	{"Read(//etc/**)", "Read", "/etcx/a", "no", "no"},
	{"Read(//**)", "Read", "/x", "sure", "sure"},
	{"Read(~/.ssh/**)", "Read", "/home/u/.ssh/id", "sure", "sure"},
	{"Read(~)", "Read", "/home/u", "sure", "sure"},
	{"Edit(/docs/**)", "Edit", "/repo/docs/a/b.md", "sure", "sure"},
	{"Edit(/docs/**)", "Edit", "/repo/sub/docs/a", "no", "no"},
	{"Read(/etc/**)", "Read", "/etc/passwd", "no", "no"},
	{"Read(/docs/**)", "Read", "/docsx/a", "no", "no"},
	{"Edit(src/**)", "Edit", "/repo/sub/src/a", "sure", "sure"},
	{"Edit(./src/**)", "Edit", "/repo/sub/src/a/b", "sure", "sure"},
	{"Edit(src/**)", "Edit", "/repo/src/a", "no", "sure"},
	{"Edit(src/**)", "Edit", "/repo/sub/package.json", "no", "no"},
	{"Edit(src/**)", "Edit", "/other/src/a", "no", "no"},
	{"Read(./src/*)", "Read", "/repo/sub/src/a.go", "sure", "sure"},
	{"Read(./src/*)", "Read", "/repo/sub/src/d/a.go", "no", "no"},
	{"Read(src/*.g?)", "Read", "/repo/sub/src/a.go", "sure", "sure"},
	{"Read(../x)", "Read", "/repo/x", "sure", "sure"},
	{"Read(a/../b)", "Read", "/repo/sub/b", "sure", "sure"},
	{"Read(**/../b)", "Read", "/repo/sub/c/b", "no", "sure"},
	{"Read(**/.env)", "Read", "/repo/sub/a/.env", "sure", "sure"},
	{"Read(**/.env)", "Read", "/repo/sub/.env", "sure", "sure"},
	{"Read(**/.env)", "Read", "/elsewhere/.env", "no", "sure"},
	{"Read(.env)", "Read", "/elsewhere/.env", "no", "sure"},
	{"Read(.env)", "Read", "/repo/sub/.env", "sure", "sure"},
	{"Read(./.env)", "Read", "/elsewhere/.env", "no", "no"},
	{"Read(./.env)", "Read", "/repo/.env", "no", "sure"},
	{"Read(.env.*)", "Read", "/repo/x/.env.local", "no", "sure"},
	{"Read(**/.env)", "Read", "/repo/sub/.ENV", "no", "sure"},
	{"Read(**/.env)", "Read", "/repo/sub/.e\u200bnv", "no", "sure"},
	{"Read(caf\u00e9)", "Read", "/repo/sub/cafe\u0301", "no", "sure"},
	{"Read(./secrets)", "Read", "/repo/sub/secrets", "sure", "sure"},
	{"Read(./secrets)", "Read", "/repo/sub/secrets/x", "no", "no"},
	{"Read(./secrets/)", "Read", "/repo/sub/secrets/x", "no", "sure"},
	{"Read(./secrets/)", "Read", "/repo/sub/secrets", "sure", "sure"},
	{"Read(secrets/)", "Read", "/elsewhere/secrets/x", "no", "sure"},
	{"Read(.)", "Read", "/repo/sub", "sure", "sure"},
	{"Read(.)", "Read", "/repo/sub/x", "no", "no"},
	{"Read(./)", "Read", "/repo/sub/x", "no", "sure"},
	{"Read(./)", "Read", "/elsewhere", "no", "no"},
	{"Read(./.)", "Read", "/repo/sub", "sure", "sure"},
	{"Read(/)", "Read", "/repo", "sure", "sure"},
	{"Read(//)", "Read", "/", "sure", "sure"},
	{"Read(..)", "Read", "/repo", "sure", "sure"},
	{"Read(..)", "Read", "/elsewhere", "no", "no"},
	{"Read(../..)", "Read", "/", "sure", "sure"},
	{"Read(**/)", "Read", "/elsewhere", "no", "sure"},
	{"Read(./**/.env)", "Read", "/elsewhere/.env", "no", "no"},
	{"Read(./src/**.ts)", "Read", "/repo/sub/src/a/b.ts", "no", "sure"},
	{"Edit(app/[id]/page.tsx)", "Edit", "/repo/sub/app/[id]/page.tsx", "sure", "sure"},
	{"Edit(app/[id]/page.tsx)", "Edit", "/repo/sub/app/i/page.tsx", "no", "no"},
	{`Edit(app/\[id\]/page.tsx)`, "Edit", "/repo/sub/app/[id]/page.tsx", "sure", "sure"},
	{"Edit({a,b})", "Edit", "/repo/sub/a", "no", "no"},
	{"Edit({a,b})", "Edit", "/repo/sub/{a,b}", "sure", "sure"},
	{"Edit(./Finance (2024)/**)", "Edit", "/repo/sub/Finance (2024)/x", "sure", "sure"},
	{"Edit(//srv/app/**)", "Edit", "/srv/app-evil/x.ts", "no", "no"},

	// which rule speaks about which tool
	{"Read(//x)", "Grep", "/x", "sure", "sure"},
	{"Read(//x)", "Glob", "/x", "sure", "sure"},
	{"Read(//x)", "LSP", "/x", "sure", "sure"},
	{"Read(//x)", "Edit", "/x", "no", "sure"},
	{"Read(//x)", "Write", "/x", "no", "sure"},
	{"Read(//x)", "NotebookEdit", "/x", "no", "sure"},
	{"Edit(//x)", "Write", "/x", "sure", "sure"},
	{"Edit(//x)", "NotebookEdit", "/x", "sure", "sure"},
	{"Edit(//x)", "Read", "/x", "no", "no"},
	{"Write(//x)", "Write", "/x", "sure", "sure"},
	{"Write(//x)", "Edit", "/x", "no", "no"},
	{"NotebookEdit(//x)", "Write", "/x", "no", "no"},
	{"Grep(//x)", "Grep", "/x", "sure", "sure"},
	{"Grep(//x)", "Read", "/x", "no", "no"},
	{"Edit", "Write", "/x", "sure", "sure"},
	{"Write", "Edit", "/x", "no", "no"},
	{"Edit(**)", "Edit", "/x", "sure", "sure"},

	// blanks: deny and ask are read with them and without
	{"Read( ** /*token*)", "Read", "/repo/a/token.txt", "no", "sure"},
	{"Read( ** /*token*)", "Read", "/repo/a/ b /token.txt", "no", "sure"},
	{"Read( ** /*token*)", "Read", "/repo/a/tok.txt", "no", "no"},
	{"Read(.env.* )", "Read", "/repo/x/.env.local", "no", "sure"},
	{"Read(.env )", "Read", "/repo/x/.env ", "no", "sure"},
	{"Read(//srv/ a/b )", "Read", "/srv/a/b", "no", "sure"},
	{"Read(//srv/ a/b )", "Read", "/srv/ a/b", "sure", "sure"},
	{"Read(//srv/ a/b )", "Read", "/srv/ a/b ", "no", "sure"},
	{"Read(\t~ / .ssh/**)", "Read", "/home/u/.ssh/id", "no", "sure"},
	{"Edit( / docs / **)", "Edit", "/repo/docs/a", "no", "sure"},
	{"Read(my notes/**)", "Read", "/repo/sub/my notes/a", "sure", "sure"},
	{"Read(my notes/**)", "Read", "/repo/sub/mynotes/a", "no", "no"},
	{`Read(//srv/a\ /b)`, "Read", "/srv/a /b", "sure", "sure"},
	{`Read(//srv/a\ /b)`, "Read", "/srv/a/b", "no", "no"},
}

func TestMatchPath(t *testing.T) {
	for _, row := range pathRows {
		s := Subject{Tool: row.tool, Path: &Path{row.path, row.path}}
		if got := answer(t, &testPolicy, row.rule, Allow, false, &s); got != row.allow {
			t.Errorf("allow %s: %s %s: %s, want %s", row.rule, row.tool, row.path, got, row.allow)
		}
		if got := answer(t, &testPolicy, row.rule, Deny, false, &s); got != row.deny {
			t.Errorf("deny %s: %s %s: %s, want %s", row.rule, row.tool, row.path, got, row.deny)
		}
	}
	s := Subject{Tool: "Edit", Path: &Path{"/x", "/x"}}
	if got := answer(t, &testPolicy, "Read(//x)", Ask, false, &s); got != "no" {
		t.Errorf("ask Read speaks about Edit: %s", got)
	}
}

func TestMatchPathClaude(t *testing.T) {
	for _, row := range []pathRow{
		{"Read(secrets/**)", "Read", "/elsewhere/a/secrets/x", "no", "sure"},
		{"Read(a/secrets/**)", "Read", "/elsewhere/a/secrets/x", "no", "no"},
		{"Read(./secrets)", "Read", "/repo/secrets/x", "no", "sure"},
		{"Read(.env[.]x)", "Read", "/repo/sub/.env.x", "no", "sure"},
		{"Edit(app/[id]/p)", "Edit", "/repo/sub/app/[id]/p", "no", "sure"},
		{`Edit(app/\[id\]/p)`, "Edit", "/repo/sub/app/[id]/p", "sure", "sure"},
		{"Edit(!a)", "Edit", "/repo/sub/!a", "no", "sure"},
	} {
		s := Subject{Tool: row.tool, Path: &Path{row.path, row.path}}
		if got := answer(t, &testPolicy, row.rule, Allow, true, &s); got != row.allow {
			t.Errorf("allow %s: %s: %s, want %s", row.rule, row.path, got, row.allow)
		}
		if got := answer(t, &testPolicy, row.rule, Deny, true, &s); got != row.deny {
			t.Errorf("deny %s: %s: %s, want %s", row.rule, row.path, got, row.deny)
		}
	}
	user := Rule{Text: "Read(/x)", Tool: "Read", Pattern: "/x", List: Deny, Scope: User, Claude: true}
	s := Subject{Tool: "Read", Path: &Path{"/home/u/.claude/x", "/home/u/.claude/x"}}
	if len(testPolicy.Match([]Rule{user}, &s)) != 1 {
		t.Error("the user's /p is not anchored at the folder of the settings as well")
	}
}

// Allow needs the path as given and resolved, deny and ask either; an anchor
// counts in both forms too.
func TestMatchPathSymlinks(t *testing.T) {
	p := Policy{
		Cwd:     Path{"/tmp/w", "/private/tmp/w"},
		Project: Path{"/tmp/w", "/private/tmp/w"},
	}
	for _, row := range []struct {
		rule, given, real string
		allow, deny       string
	}{
		{"Edit(src/**)", "/tmp/w/src/a", "/private/tmp/w/src/a", "sure", "sure"},
		{"Edit(src/**)", "/private/tmp/w/src/a", "/private/tmp/w/src/a", "sure", "sure"},
		{"Edit(src/**)", "/tmp/w/src/a", "/etc/passwd", "no", "sure"},
		{"Edit(//etc/**)", "/tmp/w/src/a", "/etc/passwd", "no", "sure"},
		{"Edit(src/**)", "/tmp/w/src/a", "", "no", "sure"},
		{"Edit(~/x)", "/home/u/x", "/home/u/x", "no", "sure"},
	} {
		s := Subject{Tool: "Edit", Path: &Path{row.given, row.real}}
		if got := answer(t, &p, row.rule, Allow, false, &s); got != row.allow {
			t.Errorf("allow %s: %s -> %s: %s, want %s", row.rule, row.given, row.real, got, row.allow)
		}
		if got := answer(t, &p, row.rule, Deny, false, &s); got != row.deny {
			t.Errorf("deny %s: %s -> %s: %s, want %s", row.rule, row.given, row.real, got, row.deny)
		}
	}
}

// Patterns of the shell against patterns of rules.
func TestMatchPatterns(t *testing.T) {
	for _, row := range []struct{ rule, glob, deny string }{
		{"Read(**/.env)", "/repo/sub/.en*", "maybe"},
		{"Read(**/.env)", "/repo/sub/.e?v", "maybe"},
		{"Read(**/.env)", "/repo/sub/.[e]nv", "maybe"},
		{"Read(**/.env)", "/repo/sub/.[!e]nv", "no"},
		{"Read(**/.env)", "/repo/sub/.[a-f]nv", "maybe"},
		{"Read(**/.env)", "/repo/sub/.[[:alpha:]]nv", "maybe"},
		{"Read(**/.env)", "/repo/sub/*", "no"},
		{"Read(**/.env)", "/repo/sub/?env", "no"},
		{"Read(**/.env)", "/repo/sub/*.md", "no"},
		{"Read(**/.env)", "/repo/sub/.*", "maybe"},
		{"Read(**/.env)", "/repo/*/.env", "sure"},
		{"Read(**/.env)", "/repo/sub/.EN*", "maybe"},
		{"Read(**/.env)", "/repo/sub/.en[", "no"},
		{"Read(**/.env)", `/repo/sub/\*`, "no"},
		{"Read(**/id_rsa)", "/home/u/.ssh/*", "maybe"},
		{"Read(~/.ssh/**)", "/home/u/.ssh/*", "sure"},
		{"Read(~/.ssh/**)", "/home/u/*/id", "no"},
		{"Read(~/.ssh/**)", "/home/u/.*/id", "maybe"},
		{"Read(./secrets/*)", "/repo/sub/secrets/*", "sure"},
		{"Read(./secrets/*.pem)", "/repo/sub/secrets/*", "maybe"},
		{"Read(./secrets/*.pem)", "/repo/sub/secrets/*.pem", "sure"},
		{"Read(./secrets/*.pem)", "/repo/sub/secrets/*.txt", "no"},
		{"Read(./secrets/x)", "/repo/sub/**", "maybe"},
		{"Read(//etc/passwd)", "/e*/pass??", "maybe"},
		{"Read(//etc/passwd)", "/e*/pass?", "no"},
		{"Read(//etc/**)", "/\x00/x*", "maybe"},
	} {
		s := Subject{Tool: "Read", Glob: row.glob, Path: &Path{row.glob, row.glob}}
		if got := answer(t, &testPolicy, row.rule, Deny, false, &s); got != row.deny {
			t.Errorf("deny %s: %s: %s, want %s", row.rule, row.glob, got, row.deny)
		}
		if got := answer(t, &testPolicy, row.rule, Allow, false, &s); got != "no" {
			t.Errorf("allow %s: %s: %s, want no", row.rule, row.glob, got)
		}
	}
}

// Odd patterns do no harm, and what allow covers deny catches, with anchors
// known and unknown.
func TestOddPathPatterns(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	parts := []string{"", "", ".", "..", "**", "*", "a", "~", ".env", "!", `\`, "[", "**a", "a**", " ", "{"}
	policies := []*Policy{&testPolicy, {}, {Cwd: Path{"/", "/"}}}
	for range testenv.Count(t, 10_000, 30_000, 30_000) {
		var segs []string
		for n := r.IntN(5); n >= 0; n-- {
			segs = append(segs, parts[r.IntN(len(parts))])
		}
		pattern := strings.Join(segs, "/")
		name := CleanPath(strings.Join(segs, "/"), "/repo/sub", "/home/u")
		p := policies[r.IntN(len(policies))]
		s := Subject{Tool: "Edit", Path: &Path{name, name}}
		claude := r.IntN(2) == 0
		allow := Rule{Tool: "Edit", Pattern: pattern, List: Allow, Scope: User, Claude: claude}
		deny := Rule{Tool: "Edit", Pattern: pattern, List: Deny, Scope: User, Claude: claude}
		if len(p.Match([]Rule{allow}, &s)) > 0 && len(p.Match([]Rule{deny}, &s)) == 0 {
			t.Errorf("%q: %q: allow covers what deny misses", pattern, name)
		}
		s.Glob = name
		p.Match([]Rule{allow, deny}, &s)
	}
}

// TestElsewhere: what is plainly about other paths matches none of these.
func TestElsewhere(t *testing.T) {
	segs := []string{"", ".", "..", "a", "A", "aß", "~", "**", "*", "a*", "**.a", "b**", `\*a`, `b\a`, "[ab]", "b[a", "b]a", "a\u200d", ".\u200d."}
	heads := []string{"", "/", "//", "~/", "!", " "}
	names := []string{"/", "/a", "/a/b", "/a/b/a", "/b/a/", "/repo/a", "/repo/sub/a/b", "/repo/sub/ass/b", "/home/u/a", "/home/u/~",
		"/repo/sub/xa", "/repo/sub/*a", `/repo/sub/b\a`, "/repo/sub/[ab]/c", "/repo/sub/b[a/b]a", "/repo/sub", "/repo", "/home/u", "/A", "/home/u/.claude/a"}
	p := testPolicy
	p.OS = Linux
	skipped, matched := 0, 0
	for n := 0; n < len(heads)*len(segs)*len(segs)*len(segs)*8; n += 17 {
		n := n
		pick := func(from []string) string {
			i := n % len(from)
			n /= len(from)
			return from[i]
		}
		flags := n % 8
		n /= 8
		r := Rule{Tool: "Read", Pattern: pick(heads) + pick(segs) + "/" + pick(segs) + "/" + pick(segs), Claude: flags&1 != 0, Scope: User}
		if r.List = Allow; flags&2 != 0 {
			r.List = Deny
		}
		if flags&4 != 0 {
			r.Pattern = strings.TrimSuffix(r.Pattern, "/")
		}
		specs := p.Specs(&r)
		for _, name := range names {
			away, match := p.elsewhere(&r, &Path{Given: "/x", Real: name}), p.matchSpecs(&r, specs, name)
			if away && match {
				t.Fatalf("%q (list %v, claude %v) matches %s", r.Pattern, r.List, r.Claude, name)
			}
			skipped, matched = skipped+count(away), matched+count(match)
		}
	}
	if skipped < matched || matched < 1000 {
		t.Errorf("%d skipped, %d matched", skipped, matched)
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
