package codestyle

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	longCondition = 5   // operands
	longLine      = 120 // columns
	tabWidth      = 4
)

// A finding is one place that counts against a limit.
type finding struct{ pos, what string }

func (f finding) String() string { return f.pos + " " + f.what }

// Counts are the findings of a tree, by kind, and what they are measured against.
type counts struct {
	findings map[string][]finding // by kind: bool, long, words, pages
	files    map[string]int       // source files by folder
	lines    int
}

// count counts a source: no tests, nothing generated.
func (s *source) count() *counts {
	c := &counts{findings: map[string][]finding{}, files: map[string]int{}}
	for name, text := range s.pages {
		c.addPage(name, text)
	}
	for _, f := range s.files {
		if !ast.IsGenerated(f.ast) {
			c.addFile(s.fset, f.name, f.text, f.ast)
		}
	}
	return c
}

// addFile counts one file.
func (c *counts) addFile(fset *token.FileSet, name, text string, f *ast.File) {
	c.files[path.Dir(name)]++
	add := func(kind string, line int, format string, args ...any) {
		pos := fmt.Sprintf("%s:%d", name, line)
		c.findings[kind] = append(c.findings[kind], finding{pos, fmt.Sprintf(format, args...)})
	}
	line := func(p token.Pos) int { return fset.Position(p).Line }
	prose := path.Dir(name) == "internal/test/spec" // a switch there is a list of sentences, and read as one
	for _, e := range conditions(f) {
		if n := operands(e); !prose && n >= longCondition {
			add("bool", line(e.Pos()), "%d operands", n)
		}
	}
	table := tableLines(fset, f)
	for i, l := range strings.Split(text, "\n") {
		c.lines++
		width := utf8.RuneCountInString(strings.ReplaceAll(l, "\t", strings.Repeat(" ", tabWidth)))
		if width > longLine && !table[i+1] {
			add("long", i+1, "%d columns", width)
		}
	}
	for _, lit := range messages(f) {
		for _, w := range riddles.FindAllString(lit.Value, -1) {
			add("words", line(lit.Pos()), "%q in %.100s", w, lit.Value)
		}
	}
}

func isLogical(e *ast.BinaryExpr) bool { return e.Op == token.LAND || e.Op == token.LOR }

// conditions returns the whole logical expressions of a file: no part of one is
// there again by itself, but one in a call inside of it is.
func conditions(f *ast.File) (out []*ast.BinaryExpr) {
	parts := map[ast.Node]bool{}
	var mark func(e ast.Expr)
	mark = func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.ParenExpr:
			mark(e.X)
		case *ast.UnaryExpr:
			mark(e.X)
		case *ast.BinaryExpr:
			if parts[e] = true; isLogical(e) {
				mark(e.X)
				mark(e.Y)
			}
		}
	}
	ast.Inspect(f, func(node ast.Node) bool {
		if e, ok := node.(*ast.BinaryExpr); ok && isLogical(e) && !parts[e] {
			out = append(out, e)
			mark(e)
		}
		return true
	})
	return out
}

// operands counts what && and || join in an expression.
func operands(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return operands(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return operands(e.X)
		}
	case *ast.BinaryExpr:
		if isLogical(e) {
			return operands(e.X) + operands(e.Y)
		}
	}
	return 1
}

// tableLines are the lines that belong to a composite literal: rows of a table
// may be wide.
func tableLines(fset *token.FileSet, f *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(f, func(node ast.Node) bool {
		if lit, ok := node.(*ast.CompositeLit); ok {
			for l := fset.Position(lit.Pos()).Line; l <= fset.Position(lit.End()).Line; l++ {
				lines[l] = true
			}
		}
		return true
	})
	return lines
}

// TestCount checks the counting itself on a source whose counts are known.
func TestCount(t *testing.T) {
	text, err := os.ReadFile("testdata/counted.txt")
	if err != nil {
		t.Fatal(err)
	}
	c := &counts{findings: map[string][]finding{}, files: map[string]int{}}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p/counted.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	c.addFile(fset, "p/counted.go", string(text), f)
	var got []string
	for _, kind := range []string{"bool", "long", "words"} {
		for _, f := range c.findings[kind] {
			got = append(got, kind+" "+f.String())
		}
	}
	want := []string{
		"bool p/counted.go:7 5 operands",
		"bool p/counted.go:12 5 operands",
		"long p/counted.go:16 121 columns",
		`words p/counted.go:20 "stands" in "the rule stands above"`,
		`words p/counted.go:21 "nobody" in "nobody knows what became of it"`,
		`words p/counted.go:21 "what became of" in "nobody knows what became of it"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("counted\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if c.files["p"] != 1 {
		t.Errorf("%d files", c.files["p"])
	}
}
