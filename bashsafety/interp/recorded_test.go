package interp_test

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
)

// TestComparedRecorded counts the doubts that come from comparing lexer and tree alone, over recorded calls, and shows
// each. None may be about text that is quoted or of a here-document, or about a descriptor.
func TestComparedRecorded(t *testing.T) {
	calls := recordedCommands(t)
	var doubts int
	for _, call := range calls {
		text := call.text
		for _, d := range compared(text) {
			doubts++
			t.Logf("%s at %d: %q", d.what, d.at, around(text, d.at))
		}
	}
	t.Logf("%d doubts about %d commands, %.2f %%", doubts, len(calls), 100*float64(doubts)/float64(len(calls)))
	if 1000*doubts > 3*len(calls) {
		t.Errorf("%d doubts about %d commands are more than 0.3 %%", doubts, len(calls))
	}
}

// A difference is a place where two readings of a text disagree.
type difference struct {
	at   int
	what string
}

// compared is what the comparison says of a text that parses.
func compared(text string) (all []difference) {
	file, err := syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil
	}
	c := crosscheck.Compare(text, file, true)
	if c.At >= 0 {
		all = append(all, difference{c.At, c.Detail})
	}
	if c.Zsh.What != "" {
		all = append(all, difference{c.Zsh.From, c.Zsh.What})
	}
	for _, b := range c.Blanks {
		all = append(all, difference{b[0], "a space character that the shell does not treat as a space"})
	}
	return all
}

// around is the text near a place.
func around(text string, at int) string {
	from, to := max(0, at-40), min(len(text), at+40)
	return strings.ToValidUTF8(text[from:to], "?")
}
