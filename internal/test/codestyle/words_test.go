package codestyle

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// riddles are words that a reader of a message has to read twice.
var riddles = regexp.MustCompile(`(?i)\b(stands|beside|anew|nobody|whoever|what became of)\b`)

// messages returns the string literals of a file that may be shown to a user:
// those of more than one word. Imports and struct tags do not count.
func messages(f *ast.File) (out []*ast.BasicLit) {
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			node.Tag = nil
		case *ast.BasicLit:
			if node.Kind == token.STRING && strings.Contains(node.Value, " ") {
				out = append(out, node)
			}
		}
		return true
	})
	return out
}

// addPage counts the hard words of a page of the documentation.
func (c *counts) addPage(name, text string) {
	for i, l := range strings.Split(text, "\n") {
		for _, w := range riddles.FindAllString(l, -1) {
			c.findings["pages"] = append(c.findings["pages"], finding{fmt.Sprintf("%s:%d", name, i+1), w})
		}
	}
}
