package policytest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
	"github.com/tidwall/gjson"
)

// blanks separate the words of a line and are dropped at both ends of it.
const blanks = " \t"

type parser struct {
	file *File
	line int
	text string // the line, without its end
}

// Parse reads a file of policy tests. A line is a test, a budget, a context line, a
// comment (#), or blank; byte order mark and carriage returns are allowed.
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

// word returns the word at or after a byte: its ends, which are equal at the end of the line.
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
	if start == end || p.text[start] == '#' {
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

// unreadable reports whether a character cannot be in a line.
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
	if !slices.Contains(Expectations[:], t.Want) {
		p.fail(start, "%q is not a decision: a test starts with %s, a budget with %s", hookio.Escape(t.Want),
			strings.Join(Expectations[:], ", "), budgetWord)
		return
	}
	start, end = p.word(end)
	t.Tool = p.text[start:end]
	if msg := toolFault(t.Tool); msg != "" {
		p.fail(start, "%s", msg)
		return
	}
	start, _ = p.word(end)
	if p.argument(&t, start) {
		p.file.Tests = append(p.file.Tests, t)
	}
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

// Spelled is a test of a call of a tool on a text, whatever the text begins with.
func Spelled(tool, text string) *Test {
	t := &Test{Tool: tool, Argument: text, Given: text != ""}
	if strings.HasPrefix(text, "{") {
		t.Argument = string(gate.TextInput(tool, text))
	}
	return t
}

// Line is the test as a line without its end, for Parse. It may need JSON for its argument.
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

// plain reports whether an argument can be written as it is: none of it is dropped or invisible.
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

// arrow separates a call and the text its reason must contain.
const arrow = "=>"

// argument reads the rest of a line: the argument, verbatim, and after the
// last => outside of it the reason. One that begins with { has to be JSON.
func (p *parser) argument(t *Test, at int) bool {
	rest := p.text[at:]
	after := 0
	if strings.HasPrefix(rest, "{") {
		n := objectEnd(rest)
		if msg := objectFault(rest[:n]); msg != "" {
			p.fail(at, "%s", msg)
			return false
		}
		after = n
	}
	cut := lastArrow(rest[after:])
	if cut < 0 {
		t.Argument = rest
	} else {
		t.Argument = strings.TrimRight(rest[:after+cut], blanks)
		t.Reason = strings.Trim(rest[after+cut+len(arrow):], blanks)
		if t.Reason == "" {
			p.fail(at+after+cut, "no text after =>: it says what the reason must contain")
			return false
		}
	}
	if after > 0 && len(t.Argument) > after {
		p.fail(at+after, "text after the JSON object, which is the whole input")
		return false
	}
	t.Given = t.Argument != ""
	return true
}

// lastArrow returns the place of the last => that is a word of its own, -1 without one.
func lastArrow(s string) int {
	for end := len(s); ; {
		i := strings.LastIndex(s[:end], arrow)
		if i < 0 {
			return -1
		}
		before := i == 0 || strings.IndexByte(blanks, s[i-1]) >= 0
		after := i+len(arrow) == len(s) || strings.IndexByte(blanks, s[i+len(arrow)]) >= 0
		if before && after {
			return i
		}
		end = i
	}
}

// objectEnd returns where the JSON object at the start of s ends, or the length of s.
func objectEnd(s string) int {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("{[", c) >= 0:
			depth++
		case strings.IndexByte("}]", c) >= 0:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// objectFault says why an argument that begins with { is no input, or "".
func objectFault(s string) string {
	if strings.HasPrefix(s, "{") && !gjson.Valid(s) {
		return `an argument that starts with { must be a JSON object: write such a command as {"command": "{ ..."}`
	}
	return ""
}
