package codestyle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// engineOf names the only function that may grant a proof.
const engineOf = "apply"

// TestOnlyTheEngineGrants keeps the proof of reading monotone: what a program's
// literal says may grant it, the code of a program can only take it away.
func TestOnlyTheEngineGrants(t *testing.T) {
	granted := 0
	for _, f := range theSource(t).below("bashsafety") {
		for _, g := range grants(f.ast) {
			if g.in == engineOf {
				granted++
			} else {
				t.Errorf("%s: %s grants a proof: %s", f.name, g.in, g.how)
			}
		}
	}
	if granted == 0 {
		t.Errorf("%s grants no proof: the test looks at the wrong function", engineOf)
	}
}

// TestGrantsAreFound plants every way to grant a proof.
func TestGrantsAreFound(t *testing.T) {
	for _, body := range []string{
		"c.Facts.Proof = shell.Proven()",
		"c.Facts.Proof = saved",
		"c.Facts.LocalProof = saved",
		"c.Facts.ProjectProof = shell.Proven()",
		"c.Facts = Facts{LocalProof: saved}",
		"grant := shell.Proven; _ = grant",
		"p := &c.Facts.Proof; *p = saved",
		"c.Facts = Facts{Proof: saved}",
		"c.Facts = before",
		"*c = before",
	} {
		if len(planted(t, "func refinePlanted(c *Invocation) {\n"+body+"\n}")) == 0 {
			t.Errorf("not found: %s", body)
		}
	}
	if found := planted(t, "func refine(c *Invocation) { c.disprove(\"\"); c.Facts.Code = true }"); len(found) > 0 {
		t.Errorf("no grant: %v", found)
	}
}

func planted(t *testing.T, source string) []grant {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+source, 0)
	if err != nil {
		t.Fatal(err)
	}
	return grants(file)
}

// A grant is a place that could make a proof hold.
type grant struct{ in, how string }

// grants finds what could make a proof hold: the constructor, and whatever
// writes a whole proof, or the value around it.
func grants(file *ast.File) []grant {
	var found []grant
	for _, decl := range file.Decls {
		in := "a variable"
		if f, ok := decl.(*ast.FuncDecl); ok {
			in = f.Name.Name
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if n.Sel.Name == "Proven" {
					found = append(found, grant{in, "calls Proven"})
				}
			case *ast.AssignStmt:
				if slices.ContainsFunc(n.Lhs, holdsProof) && !strangersFacts(n.Rhs[0]) {
					found = append(found, grant{in, "assigns a proof"})
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND && selectsProof(n.X) {
					found = append(found, grant{in, "takes the address of a proof"})
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && proofFields[key.Name] {
					found = append(found, grant{in, "makes facts with a proof"})
				}
			}
			return true
		})
	}
	return found
}

// holdsProof reports whether what is assigned to is a proof, the facts it is
// part of, or the whole invocation.
func holdsProof(e ast.Expr) bool {
	if star, ok := e.(*ast.StarExpr); ok {
		name, ok := star.X.(*ast.Ident)
		return ok && (name.Name == "c" || name.Name == "d" || name.Name == "p")
	}
	return selectsProof(e) || selects(e, "Facts")
}

// proofFields are the fields that hold a proof: of reading, of having no other
// effects, of running nothing but code of the project.
var proofFields = map[string]bool{"Proof": true, "LocalProof": true, "ProjectProof": true}

func selectsProof(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && proofFields[s.Sel.Name]
}

// strangersFacts reports whether facts are those of a program no table has: they
// hold no proof.
func strangersFacts(e ast.Expr) bool {
	made, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := made.Fun.(*ast.Ident)
	return ok && name.Name == "strangerFacts"
}

func selects(e ast.Expr, field string) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == field
}
