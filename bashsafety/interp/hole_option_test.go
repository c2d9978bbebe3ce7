package interp_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/test/examples"
)

// TestHoleForOption: where an option of an example narrows the rules that cover it, an unquoted variable in its
// place narrows them as well, since it may hold that very option.
func TestHoleForOption(t *testing.T) {
	tried := 0
	for _, e := range examples.Read(exampleFolder) {
		words := strings.Fields(e.Cmd)
		if !strings.Contains(" "+e.Want+" ", " narrow ") || strings.ContainsAny(e.Cmd, "'\"\\$`;|&<>(){}*?") {
			continue
		}
		for i := 1; i < len(words); i++ {
			if !strings.HasPrefix(words[i], "-") || words[i] == "-" || words[i] == "--" {
				continue
			}
			rest := append(append([]string{}, words[:i]...), words[i+1:]...)
			held := append(append(append([]string{}, words[:i]...), "$X"), words[i+1:]...)
			if !narrowed(strings.Join(rest, " ")) && narrowed(e.Cmd) {
				tried++
				if text := strings.Join(held, " "); !narrowed(text) {
					t.Errorf("%s: narrows no rule, though %s does", text, e.Cmd)
				}
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d options were tried", tried)
	}
}

// narrowed reports whether something in a text keeps patterned allow rules from covering it.
func narrowed(text string) bool {
	a := bashsafety.Analyze(text, bashsafety.Env{Cwd: "/w", Home: "/home/u"})
	for i := range a.Subcommands {
		if len(a.Subcommands[i].PatternBlockers) > 0 {
			return true
		}
	}
	return len(a.Doubts) > 0
}
