package crosscheck

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// FuzzPrepass checks what must hold of the two readings of any text: neither
// panics, and both give every byte a class or say why not.
func FuzzPrepass(f *testing.F) {
	for _, c := range lexed {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > shell.MaxBytes || strings.Count(text, "(")+strings.Count(text, "{")+strings.Count(text, "[") > shell.MaxNesting {
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
		file, err := syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
		if err != nil {
			return
		}
		if c := Compare(text, file, true); c.At > len(text) {
			t.Fatalf("%q: a difference at %d", text, c.At)
		}
	})
}

func lex(text string) *lexer {
	l := &lexer{src: text, end: len(text), class: make([]byteClass, len(text))}
	l.commands(0)
	return l
}
