package interp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNodeKinds checks that every node type the parser can make is named in the walker: a new version of the parser
// must not bring a construct that no one looks at.
func TestNodeKinds(t *testing.T) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "mvdan.cc/sh/v3/syntax").Output()
	if err != nil {
		t.Skip("the parser's source is not here")
	}
	var ours strings.Builder
	for _, name := range []string{"walk.go", "walk_command.go", "eval.go", "arith.go", "assign.go", "redirect.go", "launch.go", "../words/fields.go", "../words/expander.go", "../words/params.go", "../crosscheck/compare.go", "../crosscheck/painter.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		ours.Write(data)
	}
	kinds := nodeKinds(t, strings.TrimSpace(string(dir)))
	if len(kinds) < 40 {
		t.Fatalf("only %d node types found", len(kinds))
	}
	for _, kind := range kinds {
		switch kind {
		case "File", "CaseItem", "ArrayExpr": // walked where their parents are
			continue
		}
		if !strings.Contains(ours.String(), "syntax."+kind) {
			t.Errorf("node type %s is not handled", kind)
		}
	}
}

// nodeKinds lists the exported types with a method Pos.
func nodeKinds(t *testing.T, dir string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, "nodes.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "Pos" || fn.Recv == nil {
			continue
		}
		if star, ok := fn.Recv.List[0].Type.(*ast.StarExpr); ok {
			out = append(out, star.X.(*ast.Ident).Name)
		}
	}
	return out
}
