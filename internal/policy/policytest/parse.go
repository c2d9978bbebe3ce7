package policytest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// blanks separate the words of a line and are dropped at both ends of it.
const blanks = " \t"

// A parser reads one file.
type parser struct {
	file *File
	line int
	text string // the line, without its end
}

// Parse reads the text of a file of policy tests. One line is one test, a budget, a
// context line, a comment that starts with #, or blank; a UTF-8 byte order mark
// and line ends with a carriage return are taken as what they are.
func Parse(name, text string) *File {
	p := parser{file: &File{Name: name}}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		p.line++
		p.text = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		p.read()
	}
	return p.file
}

// fail notes what is wrong at a byte of the line. Columns count characters.
func (p *parser) fail(at int, format string, args ...any) {
	p.file.Errors = append(p.file.Errors, Error{p.pos(at), fmt.Sprintf(format, args...)})
}

func (p *parser) pos(at int) rules.Pos {
	return rules.Pos{File: p.file.Name, Line: p.line, Col: 1 + utf8.RuneCountInString(p.text[:at])}
}

// word returns the word at or behind a byte: its ends, which are equal at the end of the line.
func (p *parser) word(at int) (start, end int) {
	for at < len(p.text) && strings.IndexByte(blanks, p.text[at]) >= 0 {
		at++
	}
	start = at
	for at < len(p.text) && strings.IndexByte(blanks, p.text[at]) < 0 {
		at++
	}
	return start, at
}

func (p *parser) read() {
	p.text = strings.TrimRight(p.text, blanks)
	start, end := p.word(0)
	switch {
	case start == end, p.text[start] == '#':
		return
	}
	if i := strings.IndexFunc(p.text, unreadable); i >= 0 {
		p.fail(i, "a control character: write the argument as a JSON object")
		return
	}
	if !utf8.ValidString(p.text) {
		p.fail(start, "the line is not UTF-8")
		return
	}
	if p.text[start] == '@' {
		p.context(start, end)
		return
	}
	if p.text[start:end] == budgetWord {
		p.budget(start, end)
		return
	}
	p.test(start, end)
}

// unreadable reports whether a character cannot stand in a line.
func unreadable(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// context reads @WORD VALUE.
func (p *parser) context(start, end int) {
	name := p.text[start+1 : end]
	at, _ := p.word(end)
	value := p.text[at:]
	var names []string
	for _, w := range Words() {
		names = append(names, "@"+w.Name)
		if w.Name != name {
			continue
		}
		switch {
		case value == "":
			value = w.Alone
		case value == "-":
			value = ""
		case w.check != nil:
			if err := w.check(value); err != nil {
				p.fail(at, "@%s: %v", name, err)
				return
			}
		}
		*w.field(&p.file.End) = value
		return
	}
	p.fail(start, "unknown context %q: known are %s", hookio.Escape(p.text[start:end]), strings.Join(names, ", "))
}

// test reads EXPECT TOOL ARGUMENT => REASON.
func (p *parser) test(start, end int) {
	t := Test{Pos: p.pos(start), Want: p.text[start:end], Context: p.file.End}
	if !expectation(t.Want) {
		p.fail(start, "%q is not a decision: a test starts with %s, a budget with %s", hookio.Escape(t.Want),
			strings.Join(Expectations[:], ", "), budgetWord)
		return
	}
	start, end = p.word(end)
	if t.Tool = p.text[start:end]; !p.tool(t.Tool, start) {
		return
	}
	start, _ = p.word(end)
	if p.argument(&t, start) {
		p.file.Tests = append(p.file.Tests, t)
	}
}

func expectation(word string) bool {
	for _, e := range Expectations {
		if e == word {
			return true
		}
	}
	return false
}

// tool reports whether a word can name a tool, and notes why not.
func (p *parser) tool(tool string, at int) bool {
	msg := toolFault(tool)
	if msg != "" {
		p.fail(at, "%s", msg)
	}
	return msg == ""
}

// toolFault says why a call of a tool of this name cannot be meant, "" if it can.
func toolFault(tool string) string {
	if tool == "" {
		return "the tool is missing: a test is EXPECT TOOL ARGUMENT, as in: ask Bash git push"
	}
	if name, pattern, ok := strings.Cut(tool, "("); ok {
		return fmt.Sprintf("%q is a rule, but a test takes a call: %s %s", hookio.Escape(tool),
			hookio.Escape(name), hookio.Escape(strings.TrimSuffix(pattern, ")")))
	}
	if _, err := rules.ParseRule(tool, rules.Allow, rules.ScopeNone, rules.Pos{}, false); err != nil ||
		strings.ContainsAny(tool, "*?") {
		return fmt.Sprintf("%q is not the name of a tool", hookio.Escape(tool))
	}
	if meant := gate.MeantTool(tool); meant != "" {
		return fmt.Sprintf("unknown tool %q: did you mean %s?", hookio.Escape(tool), meant)
	}
	return ""
}
