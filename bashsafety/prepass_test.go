package bashsafety

import (
	"strings"
	"testing"
)

// TestPrepassRecorded counts the doubts that come from comparing lexer and tree
// alone, over recorded calls, and shows each. None may be about text that is
// quoted or of a here-document, or about a descriptor.
func TestPrepassRecorded(t *testing.T) {
	calls := recordedCommands(t)
	var doubts int
	for _, call := range calls {
		text := call.text
		for _, d := range prepassDoubts(text) {
			doubts++
			t.Logf("%s at %d: %q", d.Msg, d.Span.Start, around(text, d.Span.Start))
		}
	}
	t.Logf("%d doubts about %d commands, %.2f %%", doubts, len(calls), 100*float64(doubts)/float64(len(calls)))
	if 1000*doubts > 3*len(calls) {
		t.Errorf("%d doubts about %d commands are more than 0.3 %%", doubts, len(calls))
	}
}

// prepassDoubts is what the comparison says of a text that parses.
func prepassDoubts(text string) []Doubt {
	w := &walker{s: &Script{Text: text}, env: testEnv(), budget: newBudget()}
	if file, err := parse(text); err == nil && !deep(text) {
		w.prepass(text, file, true, &ctx{fr: &frame{src: text}})
	}
	return w.s.Doubts
}

// around is the text near a place.
func around(text string, at int) string {
	from, to := max(0, at-40), min(len(text), at+40)
	return strings.ToValidUTF8(text[from:to], "?")
}
