package hookio

import (
	"strings"

	"github.com/tidwall/gjson"
)

// argv returns a command that is sent as a list of arguments as shell text that
// means the same; a command sent as text stays as it is.
func (c *Call) argv(v gjson.Result) string {
	if !v.IsArray() {
		return c.text(c.Primary, v, true)
	}
	var words []string
	if sameWord(c.Primary, "commands") { // one after the other, each a text
		v.ForEach(func(_, text gjson.Result) bool {
			words = append(words, c.text(c.Primary, text, true))
			return true
		})
		return strings.Join(words, "\n")
	}
	v.ForEach(func(_, arg gjson.Result) bool {
		words = append(words, quoteArg(c.text(c.Primary, arg, false)))
		return true
	})
	if len(words) == 0 {
		c.fault(c.Primary + " is empty")
	}
	return strings.Join(words, " ")
}

// quoteArg writes one argument so that a shell reads it back as it is.
func quoteArg(s string) string {
	plain := s != ""
	for i := range len(s) {
		c := s[i]
		if !letterOrDigit(c) && strings.IndexByte("-_./,+@%", c) < 0 {
			plain = false
		}
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
