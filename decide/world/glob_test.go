package world

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/rules"
)

// TestExpandLikeBash compares what patterns find with what bash finds, in a tree
// of harmless names. Only patterns of a few safe characters are given to it.
func TestExpandLikeBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash: ", err)
	}
	rnd := rand.New(rand.NewSource(3))
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"a", "b", ".a", "ab", "ba", "a.b", ".ab", "b.a", "aab", "-a", "B", "[a]", "a]", "1", "12"}
	dirs := []string{"", "a/", "b/", ".ab/", "a/ab/", "ba/"}
	for _, dir := range dirs {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range dirs {
		for _, name := range names {
			if rnd.Intn(3) > 0 {
				continue
			}
			file := filepath.Join(root, dir, name)
			if _, err := os.Lstat(file); err == nil {
				continue
			}
			if name == "aab" {
				if err = os.Symlink("../a", file); err != nil {
					t.Skip(err)
				}
			} else {
				err = os.WriteFile(file, nil, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	const n = 2000
	patterns := make([]string, n)
	var script strings.Builder
	script.WriteString("LC_ALL=C.UTF-8\nshopt -s nullglob\n")
	for i := range patterns {
		patterns[i] = randomGlob(rnd)
		fmt.Fprintf(&script, "printf '%%s\\0' %s; printf '\\n'\n", patterns[i])
	}
	cmd := exec.Command(bash, "--norc", "-c", script.String())
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(out), "\n")
	found := 0
	for i, pattern := range patterns {
		want := strings.Split(strings.TrimSuffix(lines[i], "\x00"), "\x00")
		if len(want) == 1 && want[0] == "" {
			want = nil
		}
		c := New(Facts{FS: disk.Disk{}}, &rules.Policy{}, "")
		got, ok := c.Expand(root + "/" + pattern)
		for j := range got {
			got[j] = strings.TrimPrefix(got[j], root+"/")
		}
		slices.Sort(got)
		slices.Sort(want)
		if !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %q (%v), in bash %q", pattern, got, ok, want)
		}
		found += len(want)
	}
	if found < n/4 {
		t.Errorf("only %d names found by %d patterns", found, n)
	}
}

// randomGlob is a pattern with a wildcard in it.
func randomGlob(rnd *rand.Rand) string {
	elems := []string{"a", "b", "*", "?", ".", "[ab]", "[!a]", "[^b.]", "[a-c]", "[]a]", "[.]", "[[:alpha:]]", "[![:digit:]]", "1", "/", "B", "[A-Z]", `\[`, "[a", "-", `\*`, "[-a]", "[b-a]", "[1-]", `[\]a]`}
	for {
		var b strings.Builder
		for range 1 + rnd.Intn(5) {
			b.WriteString(elems[rnd.Intn(len(elems))])
		}
		// two slashes are one to the kernel, and ** is what zsh makes of it
		p := b.String()
		_, wild, ok := globTokens(p)
		if ok && wild && p[0] != '/' && !strings.Contains(p, "//") && !strings.Contains(p, "**") && !slashInClass(p) && hasWild(p) {
			return p
		}
	}
}

// hasWild reports whether a component is a pattern: a word without one is no
// glob, and never looked up.
func hasWild(p string) bool {
	for _, seg := range strings.Split(p, "/") {
		if _, wild, _ := globTokens(seg); wild {
			return true
		}
	}
	return false
}

// slashInClass reports whether a bracket that is open in one component may be
// closed in the next: shells differ on it.
func slashInClass(p string) bool {
	for _, seg := range strings.Split(p, "/") {
		toks, _, _ := globTokens(seg)
		for i := range toks {
			if toks[i].kind == globRune && toks[i].r == '[' && strings.Contains(p, "/") {
				return true
			}
		}
	}
	return false
}

// TestExpandBudget: what would be too much work is not known.
func TestExpandBudget(t *testing.T) {
	few, many := fakefs.New(nil), fakefs.New(nil)
	for i := range maxGlobFound + 1 {
		many.Write(fmt.Sprintf("/w/f%d", i), "")
	}
	for i := range maxGlobFound {
		few.Write(fmt.Sprintf("/w/f%d", i), "")
	}
	deep := fakefs.New(nil)
	for i := range maxGlobDirs {
		deep.Write(fmt.Sprintf("/w/d%d/f", i), "")
	}
	for _, x := range []struct {
		fs      FS
		pattern string
		ok      bool
	}{
		{few, "/w/*", true}, {many, "/w/*", false}, {many, "/w/*7", true}, {deep, "/w/*/f", true}, {deep, "/w/*/*", false}, {deep, "/w/**/f", false},
		{few, "/w/[[.a.]]", false}, {few, "/w/@(a)", false}, {nil, "/w/*", false},
	} {
		c := New(Facts{FS: x.fs}, &rules.Policy{}, "")
		if _, ok := c.Expand(x.pattern); ok != x.ok {
			t.Errorf("%s: %v", x.pattern, ok)
		}
	}
	c := New(Facts{FS: few}, &rules.Policy{}, "")
	if _, ok := c.Expand("/w/*"); !ok {
		t.Error("the first pattern is within the budget")
	}
	if _, ok := c.Expand("/w/*"); ok {
		t.Error("the budget is for the whole call")
	}
	win := New(Facts{FS: few}, &rules.Policy{OS: rules.Windows}, "")
	if _, ok := win.Expand("/w/*"); ok {
		t.Error("on Windows patterns are compared as such")
	}
}

// TestExpandDeep: ** is one component in bash and any number in zsh.
func TestExpandDeep(t *testing.T) {
	files := fakefs.New(map[string]string{"/w/a.go": "", "/w/d/b.go": "", "/w/d/e/c.go": "", "/w/.git/x.go": "", "/o/z.go": ""})
	files.Link("/w/link", "/o")
	c := New(Facts{FS: files}, &rules.Policy{}, "")
	got, ok := c.Expand("/w/**/*.go")
	slices.Sort(got)
	if want := []string{"/w/a.go", "/w/d/b.go", "/w/d/e/c.go", "/w/link/z.go"}; !ok || !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
