package bashsafety

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// borders says for each package which others of this folder it imports. Every
// package knows only those above it in the list.
var borders = []struct {
	pkg     string
	imports []string
}{
	{"shell", nil},
	{"crosscheck", []string{"shell"}},
	{"commands/lang", []string{"shell"}},
	{"commands", []string{"commands/lang", "shell"}},
	{"analysis", []string{"commands", "crosscheck", "shell"}},
	{"powershell", []string{"analysis", "commands", "shell"}},
	{"words", []string{"analysis", "commands", "crosscheck", "shell"}},
	{"interp", []string{"analysis", "commands", "crosscheck", "powershell", "shell", "words"}},
	{"remote", []string{"analysis", "commands", "commands/lang", "shell"}},
	{"checks", []string{"analysis", "commands", "commands/lang", "powershell", "remote", "shell"}},
	{".", []string{"analysis", "checks", "commands", "crosscheck", "interp", "shell"}},
}

// TestBorders keeps the arrows between the packages as they are listed, and all
// other packages of the program out.
func TestBorders(t *testing.T) {
	found := imports(t)
	var above []string
	for _, b := range borders {
		for _, to := range b.imports {
			if !slices.Contains(above, to) {
				t.Errorf("the list lets %s import %s, which is not above it", b.pkg, to)
			}
		}
		above = append(above, b.pkg)
		if got := found[b.pkg]; !slices.Equal(got, b.imports) {
			t.Errorf("%s imports %v, the list says %v", b.pkg, got, b.imports)
		}
		delete(found, b.pkg)
	}
	for pkg := range found {
		t.Errorf("%s is not in the list", pkg)
	}
}

// imports reads which packages of the program each folder imports outside of its
// tests: those below this folder by their path from here, others by their own.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(name))
		all := found[pkg]
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(imported, "github.com/permgate--owner/permgate/"); ok {
				all = append(all, strings.TrimPrefix(own, "bashsafety/"))
			}
		}
		slices.Sort(all)
		found[pkg] = slices.Compact(all)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
