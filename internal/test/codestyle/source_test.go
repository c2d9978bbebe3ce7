package codestyle

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	root   = "../../.."
	module = "github.com/permgate--owner/permgate"
)

// parsed is a file of the program or of its tests, by its path from the root.
type parsed struct {
	name, text string
	ast        *ast.File
}

// A source is the whole program, parsed once for all tests that look at it.
type source struct {
	fset  *token.FileSet
	files []parsed
	tests []parsed
	pages map[string]string // the documentation, by path
}

var sourceOnce = sync.OnceValues(func() (*source, error) {
	s := &source{fset: token.NewFileSet(), pages: map[string]string{}}
	tree := os.DirFS(root)
	return s, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case path.Ext(name) != ".md" && path.Ext(name) != ".go":
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".md" {
			s.pages[name] = string(text)
			return nil
		}
		to := &s.files
		if strings.HasSuffix(name, "_test.go") {
			to = &s.tests
		}
		f, err := parser.ParseFile(s.fset, name, text, parser.ParseComments)
		*to = append(*to, parsed{name, string(text), f})
		return err
	})
})

func theSource(t *testing.T) *source {
	t.Helper()
	s, err := sourceOnce()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A remark is a group of comments: its lines, without slashes, from the line where it begins.
type remark struct {
	file  string
	line  int
	lines []string
}

// remarks are all comments of the program and its tests.
func (s *source) remarks() (all []remark) {
	for _, f := range slices.Concat(s.files, s.tests) {
		for _, group := range f.ast.Comments {
			r := remark{file: f.name, line: s.fset.Position(group.Pos()).Line}
			for _, c := range group.List {
				r.lines = append(r.lines, strings.Split(strings.TrimPrefix(c.Text, "//"), "\n")...)
			}
			all = append(all, r)
		}
	}
	return all
}

// below are the files of a folder and of those below it.
func (s *source) below(dir string) []parsed {
	return slices.DeleteFunc(slices.Clone(s.files), func(f parsed) bool { return !strings.HasPrefix(f.name, dir+"/") })
}

// imports are what a file imports.
func (f *parsed) imports() (all []string) {
	for _, spec := range f.ast.Imports {
		all = append(all, strings.Trim(spec.Path.Value, `"`))
	}
	return all
}

// A listed package is what go says of a package of the program, or of one that it needs.
type listed struct {
	ImportPath, Export string
	GoFiles, Deps      []string
}

// own is the path of a package from the root of the module, "." for the root; false for those of others.
func (p *listed) own() (string, bool) {
	rel, ok := strings.CutPrefix(p.ImportPath, module)
	return path.Clean("./" + rel), ok
}

var listOnce = sync.OnceValues(func() (all []listed, err error) {
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,GoFiles,Deps", "./...")
	list.Dir = root
	out, err := list.Output()
	for dec := json.NewDecoder(bytes.NewReader(out)); err == nil && dec.More(); {
		var p listed
		err = dec.Decode(&p)
		all = append(all, p)
	}
	return all, err
})

// packages are all packages of the program and what they need: those that are imported come first.
func packages(t *testing.T) []listed {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	all, err := listOnce()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A room is a package below decide, with the types of its expressions.
type room struct {
	path  string
	fset  *token.FileSet
	files []*ast.File
	info  *types.Info
	types *types.Package
}

var checked struct {
	sync.Once
	rooms []*room
	err   error
}

// rooms are decide and the packages below it, which come first, with their types. Imports come from the build cache.
func rooms(t *testing.T) []*room {
	t.Helper()
	s, all := theSource(t), packages(t)
	checked.Do(func() {
		exports := map[string]string{}
		imports := importer.ForCompiler(s.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
		for i := range all {
			p := &all[i]
			exports[p.ImportPath] = p.Export
			dir, ok := p.own()
			if !ok || dir != "decide" && !strings.HasPrefix(dir, "decide/") {
				continue
			}
			r := &room{path: p.ImportPath, fset: s.fset}
			for _, f := range s.files {
				if path.Dir(f.name) == dir && slices.Contains(p.GoFiles, path.Base(f.name)) {
					r.files = append(r.files, f.ast)
				}
			}
			checked.err = r.check(imports)
			if checked.rooms = append(checked.rooms, r); checked.err != nil {
				return
			}
		}
	})
	if checked.err != nil {
		t.Fatal(checked.err)
	}
	return checked.rooms
}

func (r *room) check(imports types.Importer) (err error) {
	r.info = &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{}}
	r.types, err = (&types.Config{Importer: imports}).Check(r.path, r.fset, r.files, r.info)
	return err
}
