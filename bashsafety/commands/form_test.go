package commands

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// formWords are the words of a call; ? is one of which nothing is known, and a word before one is its start.
func formWords(text string) []shell.Word {
	var words []shell.Word
	for f := range strings.FieldsSeq(text) {
		w := shell.Word{Text: f, Known: true, Single: true}
		if start, hole := strings.CutSuffix(f, "?"); hole {
			w = shell.Word{Text: start + shell.HoleMark, Single: true}
		}
		words = append(words, w)
	}
	return words
}

// TestFormFits says which calls are of a form, what it is about, and which are surely of it.
func TestFormFits(t *testing.T) {
	row := Command{Flags: "-x dry-run", Values: "-o output", OptValues: "check"}
	for _, tt := range []struct{ pattern, call, about string }{
		{"run", "run a", "sure"},
		{"run", "Run a", "may"},
		{"run", "ru? a", "may"},
		{"run", "? a", "no"},
		{"run", "a run", "no"},
		{"FILE", "a b", "a"},
		{"FILE", "", "no"},
		{"FILE", "?", "?"},
		{"FILE $", "a b", "no"},
		{"* FILE", "a b c", "b"},
		{"* FILE...", "a b c", "b c"},
		{"* FILE...", "a", "no"},
		{"** FILE $", "a b c", "c"},
		{"* ** FILE $", "a", "no"},
		{"FILE...:*.rb", "a b.rb c d.rb", "b.rb d.rb"},
		{"FILE...:*.rb", "a b", "no"},
		{"FILE:*.rb", "? a", "?"},
		{"FILE:*.rb", "a.r? a", "a.r?"},
		{"FILE:*.rb", "a? a", "a?"},
		{"FILE:b*", "a? a", "no"},
		{"TEXT *", "a", "no"},
		{"TEXT *", "a b", "a"},
		{"-x FILE", "a", "no"},
		{"-x FILE", "-x a", "a"},
		{"!-x FILE", "-x a", "no"},
		{"!-x FILE", "a", "a"},
		{"-o|--output=FILE", "a -o b --output=c", "b c"},
		{"-o|--output=FILE:*/*", "a -o b --output=c/d", "c/d"},
		{"-o|--output=FILE:*/*", "-o b", "no"},
		{"-o=json", "-o json", "sure"},
		{"-o=json", "-o yaml", "no"},
		{"--check", "--check", "sure"},
		{"--check", "--check=false", "may"},
		{"!--check", "a", "sure"},
		{"!--check", "--check a", "no"},
		{"!--check", "--check=false a", "may"},
		{"~secret", "a my-secret-b", "sure"},
		{"!~secret", "a my-secret-b", "no"},
	} {
		c := &Invocation{Cmd: &row, Sub: &row, Argv: append(formWords("p"), formWords(tt.call)...), From: 1}
		a := parseArgs(c.Argv, 1, 0, []*Command{&row})
		c.add(&a)
		r, sure := c.reading(), c.reading()
		sure.sure = true
		got := "no"
		if r.fitsPattern(tt.pattern) {
			if got = "may"; sure.fitsPattern(tt.pattern) {
				got = "sure"
			}
			if words := aboutWords(&r); words != "" {
				got = words
			}
		}
		if got != tt.about {
			t.Errorf("%q of %q: got %q, want %q", tt.call, tt.pattern, got, tt.about)
		}
	}
}

// aboutWords are the words that a pattern which fits is about.
func aboutWords(r *reading) string {
	var out []string
	for n := r.from; n < r.to; n++ {
		if mayFit(r.fits, r.words[n]) {
			out = append(out, r.words[n].Text)
		}
	}
	for _, u := range r.values {
		out = append(out, u.Value.Text)
	}
	return strings.ReplaceAll(strings.Join(out, " "), shell.HoleMark, "?")
}
