package policytest

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
)

// Spelled is a test of a call of a tool on a text, whatever the text begins with.
func Spelled(tool, text string) *Test {
	t := &Test{Tool: tool, Argument: text, Given: text != ""}
	if strings.HasPrefix(text, "{") {
		t.Argument = string(gate.TextInput(tool, text))
	}
	return t
}

// Line is the test as a line of a file, without its end: Parse makes the same
// call of it. What a plain argument cannot spell is written as a JSON object.
func (t *Test) Line() (string, error) {
	want := *t
	if t.Given && !strings.HasPrefix(t.Argument, "{") && !plain(t.Argument) {
		want.Argument = string(gate.TextInput(t.Tool, t.Argument))
	}
	line := t.Want + " " + t.Tool
	if t.Given {
		line += " " + want.Argument
	}
	if t.Reason != "" {
		line += " " + arrow + " " + t.Reason
	}
	f := Parse("", line)
	want.Context = Context{}
	if len(f.Tests) == 1 {
		want.Pos = f.Tests[0].Pos
	}
	if len(f.Errors) > 0 || len(f.Tests) != 1 || f.Tests[0] != want {
		return "", errors.New("a test line cannot express this call")
	}
	return line, nil
}

// plain reports whether an argument can be written in a line as it is: nothing in it
// would be dropped, taken for something else or be invisible.
func plain(s string) bool {
	if s == "" || !utf8.ValidString(s) || strings.ContainsFunc(s, unreadable) || strings.Contains(s, "\t") {
		return false
	}
	isInput := strings.HasPrefix(s, "{")
	return !isInput && hookio.Escape(s) == s && strings.Trim(s, blanks) == s && lastArrow(s) < 0
}

// To returns the context lines that lead from c to another context.
func (c Context) To(other Context) []string {
	var lines []string
	for _, w := range Words() {
		switch now, then := *w.field(&c), *w.field(&other); {
		case now == then:
		case then == "":
			lines = append(lines, "@"+w.Name+" -")
		default:
			lines = append(lines, "@"+w.Name+" "+then)
		}
	}
	return lines
}

// String is the context on one line, "" for an empty one.
func (c Context) String() string { return strings.Join(Context{}.To(c), " ") }
