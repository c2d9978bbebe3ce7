package codestyle

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"testing"
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

var (
	// translated are phrases of another language in English words, which comments do not have any more.
	translated = regexp.MustCompile(`(?i)\b((is|are|be|was|were) none|none of which|of which none|in how far|` +
		`as long as nothing|what bec[ao]mes? of|but for|anew|beside|comes? to lie|nobody|such a one|` +
		`whoever|stands?|stood)\b`)
	// standing is English: what stands for or in for something, and time that stands still.
	standing = regexp.MustCompile(`(?i)\bstands? (for|in|still)\b`)
)

// hard returns the phrases of a comment that a reader has to translate back, also over the end of a line. Its first
// word may be the name of what it is about.
func (r *remark) hard() []string {
	words := strings.Fields(strings.Join(r.lines, " "))
	return translated.FindAllString(standing.ReplaceAllString(strings.Join(words[min(1, len(words)):], " "), ""), -1)
}

// TestComments: comments are without the phrases that are known to be hard.
func TestComments(t *testing.T) {
	for _, r := range theSource(t).remarks() {
		if found := r.hard(); len(found) > 0 {
			t.Errorf("%s:%d has %q: subject, verb, object", r.file, r.line, found)
		}
	}
	made := remark{lines: []string{" nobody is a name. It stands for one: there is", " none. Nobody stands", " here."}}
	if got := strings.Join(made.hard(), ", "); got != "is none, Nobody, stands" {
		t.Errorf("found %s", got)
	}
}
