package policytest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// budgetWord begins the line of a budget.
const budgetWord = "budget:"

// budgetForm shows how such a line is written, for messages.
const budgetForm = budgetWord + " prompts <= 2 per session of FILE..., or: " + budgetWord + " prompts <= 100 in FILE..."

// A Budget is one line that bounds how often recorded sessions are interrupted:
//
//	budget: [pNN] prompts|denies <= COUNT per session of FILE...
//	budget: prompts|denies <= COUNT in FILE...
type Budget struct {
	Pos        rules.Pos
	Percentile int  // that many percent of the sessions keep to it; 0 for each of them
	Denies     bool // calls that are denied are counted, not prompts
	Most       int
	PerSession bool
	Files      []string // patterns, from the folder of the test file
	Context    Context
}

// Counts names what is counted.
func (b *Budget) Counts() string {
	if b.Denies {
		return "denies"
	}
	return "prompts"
}

// Line is the budget as a line of a file, without its end.
func (b *Budget) Line() string {
	words := []string{budgetWord}
	if b.Percentile > 0 {
		words = append(words, fmt.Sprint("p", b.Percentile))
	}
	words = append(words, b.Counts(), "<=", strconv.Itoa(b.Most))
	if b.PerSession {
		words = append(words, "per", "session", "of")
	} else {
		words = append(words, "in")
	}
	return strings.Join(append(words, b.Files...), " ")
}

// A budgetLine is read word by word.
type budgetLine struct {
	*parser
	start, end int // of the word
}

func (l *budgetLine) next() (word string) {
	l.start, l.end = l.word(l.end)
	return l.text[l.start:l.end]
}

// budget reads the words behind budget:.
func (p *parser) budget(start, end int) {
	b := Budget{Pos: p.pos(start), Context: p.file.End}
	l := &budgetLine{p, start, end}
	for _, read := range [...]func(*Budget) string{l.what, l.most, l.of, l.files} {
		if msg := read(&b); msg != "" {
			p.fail(l.start, "%s", msg)
			return
		}
	}
	p.file.Budgets = append(p.file.Budgets, b)
}

// what reads [pNN] prompts|denies.
func (l *budgetLine) what(b *Budget) (fault string) {
	word := l.next()
	if digits, ok := strings.CutPrefix(word, "p"); ok && digits != "" && digits[0] <= '9' {
		n, err := strconv.ParseUint(digits, 10, 8)
		if b.Percentile = int(n); err != nil || n < 1 || n > 99 {
			return fmt.Sprintf("%q is no percentile from p1 to p99: without one every session counts", hookio.Escape(word))
		}
		word = l.next()
	}
	if b.Denies = word == "denies"; !b.Denies && word != "prompts" {
		return "a budget is about prompts or denies: " + budgetForm
	}
	return ""
}

// most reads <= COUNT.
func (l *budgetLine) most(b *Budget) (fault string) {
	if l.next() != "<=" {
		return "<= is missing: " + budgetForm
	}
	word := l.next()
	n, err := strconv.ParseUint(word, 10, 31)
	if err != nil {
		return fmt.Sprintf("%q is no count from 0 on: %s", hookio.Escape(word), budgetForm)
	}
	b.Most = int(n)
	return ""
}

// of reads per session of, or in.
func (l *budgetLine) of(b *Budget) (fault string) {
	word := l.next()
	b.PerSession = word == "per" && l.next() == "session" && l.next() == "of"
	switch {
	case !b.PerSession && word != "in":
		return "what it is counted in is missing: " + budgetForm
	case !b.PerSession && b.Percentile > 0:
		return fmt.Sprintf("a percentile is one of sessions: %s p%d %s <= %d per session of FILE...", budgetWord,
			b.Percentile, b.Counts(), b.Most)
	}
	return ""
}

// files reads FILE...
func (l *budgetLine) files(b *Budget) (fault string) {
	for name := l.next(); name != ""; name = l.next() {
		if strings.HasPrefix(name, "~") {
			return fmt.Sprintf("%q means something else on every machine: name files from the folder of the test file",
				hookio.Escape(name))
		}
		if !doublestar.ValidatePathPattern(name) {
			return fmt.Sprintf("%q is an incomplete pattern", hookio.Escape(name))
		}
		b.Files = append(b.Files, name)
	}
	if len(b.Files) == 0 {
		return "the files of recorded calls are missing: " + budgetForm
	}
	return ""
}
