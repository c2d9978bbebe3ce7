package hookio

import (
	"strings"
	"testing"
)

// TestOtherNames: the table knows every name that a literal has for a tool which reads, writes,
// runs or fetches, each under one tool only, and the fields of every tool in it.
func TestOtherNames(t *testing.T) {
	seen := map[string]string{}
	for _, p := range otherNames {
		if fieldsOf(p.To) == nil {
			t.Errorf("no fields of %s are known", p.To)
		}
		for _, word := range strings.Fields(p.From) {
			if word != strings.ToLower(word) || strings.ContainsAny(word, "-_") {
				t.Errorf("%s: a word is in lower case, without - and _", word)
			}
			if seen[word] != "" {
				t.Errorf("%s is %s and %s", word, seen[word], p.To)
			}
			seen[word] = p.To
		}
		for _, q := range otherNames {
			if q.To != p.To && OneOf(q.From, p.To) {
				t.Errorf("%s is another name of %s", p.To, q.To)
			}
		}
	}
	for _, h := range Hosts() {
		for _, p := range h.Tools {
			if fieldsOf(p.To) != nil && OtherTool(p.From) == "" {
				t.Errorf("%s calls a tool %s, which the table does not know: %s", h.Name, p.From, p.To)
			}
		}
	}
}

// TestOtherNamesStay: a name of the host's own literal is no other name, nor is that of an MCP tool.
func TestOtherNamesStay(t *testing.T) {
	for _, h := range Hosts() {
		for _, p := range append([]Pair{{"mcp__a__bash", ""}, {"Bash", "Bash"}, {"Read", "Read"}, {"LS", "LS"}, {"TodoWrite", "TodoWrite"}}, h.Tools...) {
			c := &Call{Host: h, RawTool: p.From}
			c.named()
			if c.borrow(); c.Alias {
				t.Errorf("%s: %s counts as another name of %s", h.Name, p.From, c.Tool)
			}
		}
	}
}

// TestSameWord: case, - and _ do not count, wherever they are, and nothing else is left out.
func TestSameWord(t *testing.T) {
	plain := func(s string) string { return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s)) }
	words := []string{"", "-", "_-", "a", "A-", "-a_", "ab", "a-b", "_A_B_", "abc", "b", "a.b", "a b", "-é", "é", "aé"}
	for _, a := range words {
		for _, b := range words {
			if sameWord(a, b) != (plain(a) == plain(b)) {
				t.Errorf("%q and %q: %v", a, b, sameWord(a, b))
			}
		}
	}
}
