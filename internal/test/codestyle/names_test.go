package codestyle

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A shelf is what the repository holds.
type shelf struct {
	files, dirs map[string]bool
	base        map[string]int // files by base name
}

func readShelf(tree fs.FS) (*shelf, error) {
	s := &shelf{map[string]bool{}, map[string]bool{}, map[string]int{}}
	return s, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			s.dirs[name] = true
		default:
			s.files[name] = true
			s.base[path.Base(name)]++
		}
		return nil
	})
}

// An origin is where a line is from: the folder of a Go file, or a page.
type origin struct {
	dir          string
	page, inside bool // inside: for those who work on permgate
}

var (
	// named is a name of a file; unshared are kinds that are ours without a folder, too: settings.json is the user's.
	named    = regexp.MustCompile(`[\w*}]\.(go|jsonl?|md|mjs|ps1|py|sh|tmpl|toml|tsv|txt|txtar|yml)$`)
	unshared = regexp.MustCompile(`\.(go|md|mjs|sh|tsv|txt|txtar)$`)
	// An address, a variable, a home, an option and an absolute path are not ours, nor is an example, a.go.
	foreign   = regexp.MustCompile(`^[-/]|[$~@:<>%\\]|(^|/)\w\.\w+$`)
	freeWords = regexp.MustCompile(`NAME|HOST|SYSTEM|WHAT`)
)

// missing returns the files of this repository that a line names and that do not exist. A file of another project
// follows its owner: just's GRAMMAR.md.
func (s *shelf) missing(from origin, line string) (out []string) {
	before := ""
	ends := func(r rune) bool { return strings.ContainsRune(" \t\"`()[]|=;!?", r) }
	for word := range strings.FieldsFuncSeq(line, ends) {
		owned := strings.HasSuffix(before, "'s")
		before = word
		word = strings.TrimPrefix(strings.Trim(word, "',.:"), "./")
		if owned || !named.MatchString(word) || foreign.MatchString(word) || !s.ours(from, word) {
			continue
		}
		for _, name := range alternatives(word) {
			if !s.has(from, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// ours reports whether a name is meant as one of this repository. Pages for users name files of theirs, which may be
// in docs, internal or .github.
func (s *shelf) ours(from origin, name string) bool {
	top, rest, deep := strings.Cut(name, "/")
	if deep && from.page && !from.inside && usersPath.MatchString(name) {
		next, _, _ := strings.Cut(rest, "/")
		return s.dirs[top+"/"+next]
	}
	if deep && (s.dirs[top] || top == "testdata") {
		return true
	}
	if from.page {
		return from.inside && !deep && path.Ext(name) == ".go"
	}
	return unshared.MatchString(name)
}

// has reports whether a file exists, by its path from the root or from where it is named. A name without a folder may
// be that of a file anywhere; for a Go file that a comment names, only one file may have it.
func (s *shelf) has(from origin, name string) bool {
	n := s.base[name]
	anywhere := n == 1 || n > 1 && (from.page || path.Ext(name) != ".go")
	if anywhere || s.files[name] || s.files[path.Join(from.dir, name)] {
		return true
	}
	pattern := freeWords.ReplaceAllString(name, "*")
	if !strings.Contains(pattern, "*") {
		return false
	}
	for file := range s.files {
		full, _ := path.Match(pattern, file)
		near, _ := path.Match(path.Join(from.dir, pattern), file)
		base, _ := path.Match(pattern, path.Base(file))
		if full || near || base && (from.page || strings.HasPrefix(file, from.dir+"/")) {
			return true
		}
	}
	return false
}

// TestNames: comments and pages name no file of this repository that does not exist.
func TestNames(t *testing.T) {
	tree := os.DirFS(root)
	shelf, err := readShelf(tree)
	if err != nil {
		t.Fatal(err)
	}
	s := theSource(t)
	for _, r := range s.remarks() {
		for i, line := range r.lines {
			for _, name := range shelf.missing(origin{dir: path.Dir(r.file)}, line) {
				t.Errorf("%s:%d names %s: there is no such file", r.file, r.line+i, name)
			}
		}
	}
	inside := []string{"CONTRIBUTING.md", "docs/architecture.md", ".ci/run"}
	pages := []string{"CONTRIBUTING.md", "README.md", ".ci/run"}
	for name := range s.pages {
		if path.Dir(name) == "docs" {
			pages = append(pages, name)
		}
	}
	for _, page := range pages {
		text, err := fs.ReadFile(tree, page)
		if err != nil {
			t.Fatal(err)
		}
		from := origin{path.Dir(page), true, slices.Contains(inside, page)}
		for i, line := range strings.Split(string(text), "\n") {
			for _, name := range shelf.missing(from, line) {
				t.Errorf("%s:%d names %s: there is no such file", page, i+1, name)
			}
		}
	}
}

// TestNamesAreFound has made-up lines: what they name is missed or, with nothing wanted, is there or not ours.
func TestNamesAreFound(t *testing.T) {
	shelf, err := readShelf(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	comment, page, inside := origin{dir: "hookio"}, origin{"docs", true, false}, origin{".", true, true}
	for _, tt := range []struct {
		from       origin
		line, want string
	}{
		{comment, "see gone.go, and hosts.go.", "gone.go"},
		{comment, "see bashsafety/checks/{checks,gone}.go", "bashsafety/checks/gone.go"},
		{comment, "the rows of testdata/gone.json (and of gone.tsv)", "testdata/gone.json gone.tsv"},
		{comment, "host_NAME.go, guest_NAME.go: HOST/golden.txt", "guest_NAME.go HOST/golden.txt"},
		{comment, "doc.go, see main.go", "doc.go"}, // several have one; main.go is in the root
		{comment, "cp a.go ~/b.sh /tmp/gone.go $x/gone.sh https://a.example/gone.md; just's GRAMMAR.md, p.json", ""},
		{comment, "testdata/hosts/HOST/golden.txt examples.tsv posture_merge.go ./hosts.go link.py", ""},
		{page, "`internal/test/gone.go` of internal/hook/executor.go and gone.go", "internal/test/gone.go"},
		{inside, "`gone.go`, hosts.go, hookio/gone.txt", "gone.go hookio/gone.txt"},
	} {
		if got := strings.Join(shelf.missing(tt.from, tt.line), " "); got != tt.want {
			t.Errorf("%s: %q is missing, want %q", tt.line, got, tt.want)
		}
	}
}
