package decide

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// roomOrder are the rooms below this folder, each with the ones it may import.
var roomOrder = map[string][]string{
	"world/archive": nil,
	"world":         {"world/archive"},
	"repo":          {"world"},
	"say":           nil,
	"guard":         {"world", "repo", "say"},
	"loss":          {"world", "repo"},
	"benign":        nil,
}

// TestRooms: no room imports one above it, or this package.
func TestRooms(t *testing.T) {
	const here = "github.com/permgate--owner/permgate/decide"
	for room, below := range roomOrder {
		for name, file := range sources(t, room) {
			for _, spec := range file.Imports {
				at := strings.Trim(spec.Path.Value, `"`)
				if to, ours := strings.CutPrefix(at, here); ours && !slices.Contains(below, strings.TrimPrefix(to, "/")) {
					t.Errorf("%s imports %s", name, at)
				}
			}
		}
	}
}

// TestRoomsHaveSmallTypes: no type of a room has more methods than can be listed on one screen.
func TestRoomsHaveSmallTypes(t *testing.T) {
	const most = 60
	for room := range roomOrder {
		methods := map[string]int{}
		for _, file := range sources(t, room) {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
					on := f.Recv.List[0].Type
					if p, ok := on.(*ast.StarExpr); ok {
						on = p.X
					}
					methods[on.(*ast.Ident).Name]++
				}
			}
		}
		for name, n := range methods {
			if n > most {
				t.Errorf("%s.%s has %d methods, and %d is the limit", room, name, n, most)
			}
		}
	}
}

// TestDiskThroughWorld: the disk is asked by world alone; everything else asks world.
func TestDiskThroughWorld(t *testing.T) {
	err := filepath.WalkDir(".", func(dir string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() || dir == "testdata" {
			return err
		}
		if dir == "world" {
			return filepath.SkipDir
		}
		for name, file := range sources(t, dir) {
			ast.Inspect(file, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && asksDisk(s) {
					t.Errorf("%s: %s is for world: ask it", name, s.Sel.Name)
				}
				return true
			})
			for _, spec := range file.Imports {
				if at := strings.Trim(spec.Path.Value, `"`); at == "os" || path.Base(at) == "disk" {
					t.Errorf("%s imports %s", name, at)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// asksDisk reports whether a selector is the disk, or what follows its symlinks.
func asksDisk(s *ast.SelectorExpr) bool {
	if x, ok := s.X.(*ast.Ident); ok && x.Name == "load" {
		return s.Sel.Name == "Follow" || s.Sel.Name == "Resolve"
	}
	return s.Sel.Name == "FS"
}

// sources are the files of a folder but its tests, parsed.
func sources(t *testing.T, dir string) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[name], err = parser.ParseFile(token.NewFileSet(), name, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return files
}
