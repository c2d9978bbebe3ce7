package lang

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// AwkTokens cuts an awk program into tokens, as far as safety needs: kind is
// 'i' for a name, '"' for a string, 'n' for a number or regular expression, 0
// for what cannot be read, '|' for a pipe but not ||, else the byte itself.
type AwkTokens struct {
	S            string
	i            int
	Kind         byte
	Text         string
	Depth        int
	Printing     bool // inside print or printf, outside its parentheses
	AfterGetline bool
	operand      bool // the last token ends an operand, so / divides
}

// Next reads the next token; it reports false at the end of the program.
func (t *AwkTokens) Next() bool {
	for t.i < len(t.S) {
		if strings.HasPrefix(t.S[t.i:], "\\\n") {
			t.i++
		} else if strings.IndexByte(" \t\r", t.S[t.i]) < 0 {
			break
		}
		t.i++
	}
	if t.i >= len(t.S) {
		return false
	}
	c := t.S[t.i]
	switch {
	case c == '#':
		for t.i < len(t.S) && t.S[t.i] != '\n' {
			t.i++
		}
		return t.Next()
	case c == '"':
		t.quoted('"')
	case c == '/' && !t.operand:
		t.quoted('/')
	case shell.NameByte(c):
		n := shell.WordLength(t.S[t.i:], shell.NameByte)
		t.Kind, t.Text, t.operand = 'i', t.S[t.i:t.i+n], true
		t.i += n
		t.word()
	default:
		t.operator(c)
	}
	return true
}

// word notes keywords; after one of them / starts a regular expression.
func (t *AwkTokens) word() {
	switch t.Text {
	case "print", "printf":
		t.Printing, t.Depth, t.operand = true, 0, false
	case "return", "in", "case", "else", "do":
		t.operand = false
	}
}

// quoted reads a string or a regular expression, whose brackets may hold a slash.
func (t *AwkTokens) quoted(end byte) {
	t.Kind, t.operand = '"', true
	if end == '/' {
		t.Kind = 'n'
	}
	var b strings.Builder
	bracket := false
	for t.i++; t.i < len(t.S); t.i++ {
		c := t.S[t.i]
		switch {
		case c == '\\' && t.i+1 < len(t.S):
			t.i++
			b.WriteByte('\\')
			b.WriteByte(t.S[t.i])
			continue
		case c == '\n':
			t.Kind, t.i = 0, len(t.S)
			return
		case end == '/' && c == '[':
			bracket = true
		case c == ']':
			bracket = false
		case c == end && !(bracket && end == '/'):
			t.i++
			t.Text = b.String()
			if strings.Contains(t.Text, `\`) && end == '"' {
				t.Kind = 's' // an escape: the value is not followed
			}
			return
		}
		b.WriteByte(c)
	}
	t.Kind = 0
}

// operator reads everything that is neither name, string nor regular expression.
func (t *AwkTokens) operator(c byte) {
	two := t.S[t.i:min(t.i+2, len(t.S))]
	t.i++
	t.Kind, t.operand = c, strings.IndexByte(")]$", c) >= 0
	switch {
	case shell.Among("|| && == <= != !~ ++ --", two):
		t.i++
		t.Kind, t.operand = 'n', shell.Among("++ --", two)
	case two == ">=" && !t.Printing:
		t.i++
		t.Kind = 'n'
	case two == ">>":
		t.i++
		t.Kind = '>'
	case two == "|&":
		t.i++
	}
	t.nest(c)
	if strings.IndexByte("<n\"", t.Kind) < 0 {
		t.AfterGetline = t.AfterGetline && strings.IndexByte("$[]", c) >= 0
	}
}

// nest follows parentheses, and where statements end.
func (t *AwkTokens) nest(c byte) {
	switch c {
	case '(':
		t.Depth++
	case ')':
		t.Depth--
	case ';', '\n', '{', '}':
		t.Printing, t.AfterGetline, t.Depth = false, false, 0
		if c == '\n' {
			t.Kind = ';'
		}
	}
}
