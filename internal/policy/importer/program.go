package importer

import (
	"slices"
	"strconv"
	"strings"
	"text/scanner"
)

// Codex has rules in Starlark, ExAthena options in Elixir. They are read as far as they are literals; what a program
// computes is an expression, of which nothing is known.

// A program is the tokens of a file.
type program struct {
	f    *source
	toks []token
	pos  int
}

// A token is a string, a list of words, an identifier, or a character that is its kind. Call marks name: and :name.
type token struct {
	kind rune
	text string
	off  int
}

const wordList = -100 // ~w(a b)

// program cuts a file into tokens. Its error is about a string that does not end.
func (f *source) program() (*program, error) {
	p := &program{f: f}
	var s scanner.Scanner
	s.Init(strings.NewReader(f.text))
	s.Mode = scanner.ScanIdents | scanner.ScanStrings | scanner.ScanInts
	var err error
	s.Error = func(s *scanner.Scanner, msg string) {
		if err == nil {
			err = f.errorf(s.Offset, "%s", msg)
		}
	}
	for c := s.Scan(); c != scanner.EOF && err == nil; c = s.Scan() {
		t := token{c, s.TokenText(), s.Offset}
		switch {
		case c == '#':
			p.until(&s, "\n")
			continue
		case c == '?': // a character of Elixir
			s.Next()
		case c == '\'' || c == scanner.String && t.text == `""` && s.Peek() == '"': // '...', """..."""
			end := "'"
			if c != '\'' {
				s.Next()
				end = `"""`
			}
			body, ended := p.until(&s, end)
			if !ended {
				err = f.errorf(t.off, "the string does not end")
			}
			t.kind, t.text = 'x', body
			if c == '\'' && !strings.ContainsAny(body, "\\\n") {
				t.kind = scanner.String
			}
		case c == scanner.String:
			text, bad := strconv.Unquote(t.text)
			if t.text = text; bad != nil || strings.Contains(text, "#{") {
				t.kind = 'x'
			}
		case c == '~' && isLetter(s.Peek()):
			t = p.sigil(&s, t)
		}
		p.toks = append(p.toks, t)
	}
	p.toks = append(p.toks, token{scanner.EOF, "", len(f.text)})
	return p, err
}

// until passes everything up to an end, and says what that was.
func (p *program) until(s *scanner.Scanner, end string) (body string, ended bool) {
	for c := s.Next(); c != scanner.EOF; c = s.Next() {
		if body += string(c); strings.HasSuffix(body, end) {
			return strings.TrimSuffix(body, end), true
		}
	}
	return body, false
}

// sigil reads ~w(a b); another one is an expression.
func (p *program) sigil(s *scanner.Scanner, t token) token {
	s.Scan()
	name, open := s.TokenText(), s.Next()
	end := string(open)
	if i := strings.IndexRune("([{<", open); i >= 0 {
		end = ")]}>"[i : i+1]
	}
	t.text, _ = p.until(s, end)
	if t.kind = 'x'; strings.EqualFold(name, "w") && !strings.ContainsAny(t.text, `\#`) {
		t.kind = wordList
	}
	return t
}

// at is the token n places on.
func (p *program) at(n int) token { return p.toks[min(p.pos+n, len(p.toks)-1)] }

// value reads a value, up to a comma, a closing bracket or the next statement.
func (p *program) value() *node {
	start := p.at(0).off
	if n := p.literal(); n != nil && slices.Contains([]rune{',', ')', ']', '}', scanner.Ident, scanner.EOF}, p.at(0).kind) {
		return n
	}
	for depth := 0; p.at(0).kind != scanner.EOF; p.pos++ {
		switch c := p.at(0).kind; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case depth > 0 && (c == ')' || c == ']' || c == '}'):
			depth--
		case depth == 0 && (c == ')' || c == ']' || c == '}' || c == ','):
			return &node{kind: expression, off: start}
		}
	}
	return &node{kind: expression, off: start}
}

// literal reads a literal, nil for something else.
func (p *program) literal() *node {
	t := p.at(0)
	n := &node{kind: word, text: t.text, off: t.off}
	p.pos++
	switch {
	case t.kind == scanner.String:
		n.kind = text
	case t.kind == ':' && p.at(0).kind == scanner.Ident:
		n.text = p.at(0).text
		p.pos++
	case slices.Contains([]string{"true", "false", "nil", "True", "False", "None"}, t.text):
	case t.kind == wordList:
		n.kind = list
		for _, w := range strings.Fields(t.text) {
			n.items = append(n.items, &node{kind: text, text: w, off: t.off})
		}
	case t.kind == '[':
		for n.kind = list; p.at(0).kind != ']'; {
			if n.items = append(n.items, p.value()); p.at(0).kind == ',' {
				p.pos++
			} else if p.at(0).kind != ']' {
				return nil
			}
		}
		p.pos++
	default:
		return nil
	}
	return n
}

// calls reads a file of nothing but calls with named literals: each is a table whose text is the name.
func (p *program) calls() (out []*node, err error) {
	for p.at(0).kind != scanner.EOF {
		t := p.at(0)
		if t.kind != scanner.Ident || p.at(1).kind != '(' {
			return nil, p.f.errorf(t.off, "only calls such as prefix_rule(...) are read, and this is none")
		}
		call := &node{kind: table, text: t.text, off: t.off}
		for p.pos += 2; p.at(0).kind != ')'; {
			name := p.at(0)
			if name.kind != scanner.Ident || p.at(1).kind != '=' || call.get(name.text).kind != 0 {
				return nil, p.f.errorf(name.off, "an argument has a name of its own: pattern = [...]")
			}
			p.pos += 2
			v := call.set(name.text, p.value())
			if v.kind == expression || p.at(0).kind != ',' && p.at(0).kind != ')' {
				return nil, p.f.errorf(v.off, "a string or a list of strings was expected here")
			}
			if p.at(0).kind == ',' {
				p.pos++
			}
		}
		p.pos++
		out = append(out, call)
	}
	return out, nil
}

// arguments reads the arguments of these names that a program gives, as a table. One that is given twice is an error.
func (p *program) arguments(names ...string) (*node, error) {
	out, blocks := &node{kind: table}, []string(nil)
	for ; p.at(0).kind != scanner.EOF; p.pos++ {
		t := p.at(0)
		switch {
		case t.text == "fn" || t.text == "do" && p.at(1).kind != ':':
			blocks = append(blocks, t.text)
		case t.text == "end" && len(blocks) > 0:
			blocks = blocks[:len(blocks)-1]
		}
		if t.kind != scanner.Ident || p.at(1).kind != ':' || !slices.Contains(names, t.text) {
			continue
		}
		if out.get(t.text).kind != 0 || slices.Contains(blocks, "fn") {
			return nil, p.f.errorf(t.off, "%s is there twice, or in a function: put the options of one session into a file", t.text)
		}
		back := p.pos
		p.pos += 2
		out.set(t.text, p.value()).off = t.off
		p.pos = back + 1 // what is in the value is looked at as well
	}
	if len(out.keys) == 0 {
		return nil, p.f.errorf(0, "no option is there: %s", strings.Join(names, ", "))
	}
	return out, nil
}
