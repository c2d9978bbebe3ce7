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

// FuzzPrepass checks what must hold of the two readings of any text: neither
// panics, and both give every byte a class or say why not.
func FuzzPrepass(f *testing.F) {
	for _, c := range cases {
		f.Add(c.text)
	}
	for _, c := range lexed {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > MaxBytes || deep(text) {
			t.Skip("never gets there")
		}
		l := lex(text)
		for i, c := range l.class {
			if c == classGap && l.unsure == "" {
				t.Fatalf("%q: the byte at %d has no class", text, i)
			}
		}
		if l.at < 0 || l.at > len(text) {
			t.Fatalf("%q: unsure at %d", text, l.at)
		}
		for _, d := range prepassDoubts(text) {
			if d.Span.Start < 0 || d.Span.End > len(text) {
				t.Fatalf("%q: a doubt at %v", text, d.Span)
			}
		}
	})
}

func lex(text string) *lexer {
	l := &lexer{src: text, end: len(text), class: make([]byteClass, len(text))}
	l.commands(0)
	return l
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
