package tree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/scanner"
)

// Rules in Starlark and options in Elixir are read as far as they are literals: calls and lists of named values.
// What a program computes is an Expression, of which nothing is known.

// Calls reads a file of calls with named values, name(key = value, ...), as a Table of Tables: a key is there as
// often as its function is called. Its error is an *Error.
func Calls(text string) (*Node, error) {
	p := tokens(text, true)
	root := &Node{Kind: Table}
	for p.pos < len(p.toks)-1 && p.err == nil {
		name := p.at(0)
		if name.kind != scanner.Ident || p.at(1).kind != '(' {
			p.fail(name.off, "only calls such as prefix_rule(...) are read, and this is none")
		}
		p.pos += 2
		root.Set(name.text, p.pairs('=', ')')).Off = name.off
	}
	return root, p.error()
}

// Options reads one list of named values, [key: value, ...], as a Table; nil is no value. Its error is an *Error.
func Options(text string) (*Node, error) {
	p := tokens(text, false)
	if p.at(0).kind != '[' {
		p.fail(p.at(0).off, "a list of the options of one session was expected here: [phase: :plan, ...]")
	}
	p.pos++
	root := p.pairs(':', ']')
	if p.pos < len(p.toks)-1 {
		p.fail(p.at(0).off, "something follows the list of options")
	}
	for i, v := range root.Items {
		if v.Kind == Word && v.Text == "nil" {
			root.Items[i] = &Node{}
		}
	}
	return root, p.error()
}

// Atom reports whether a word is a name, as those of Elixir are.
func (n *Node) Atom() bool {
	return n.Kind == Word && n.Text != "" && n.Text[0] > '9' && !slices.Contains([]string{"true", "false", "null"}, n.Text)
}

// A literals is the tokens of a file.
type literals struct {
	toks []token
	pos  int
	err  *Error // the first thing that is wrong
}

// A token is a string, an identifier, or a character that is its kind.
type token struct {
	kind rune
	text string
	off  int
	key  bool // a colon follows at once
}

// block reports whether a token is one of the words that a block of Elixir starts or ends with, and no key: do: it.
func (t token) block(words string) bool {
	return t.kind == scanner.Ident && !t.key && slices.Contains(strings.Fields(words), t.text)
}

func (p *literals) fail(off int, msg string) {
	if p.err == nil {
		p.err = &Error{off, msg}
	}
}

func (p *literals) error() error {
	if p.err == nil {
		return nil
	}
	return p.err
}

// tokens cuts a file into tokens. Its error is about a string that does not end, or is no string: single says whether
// single quotes make one.
func tokens(text string, single bool) *literals {
	p := &literals{}
	var s scanner.Scanner
	s.Init(strings.NewReader(text))
	s.Mode = scanner.ScanIdents | scanner.ScanStrings | scanner.ScanInts
	s.Error = func(s *scanner.Scanner, msg string) { p.fail(s.Offset, msg) }
	for c := s.Scan(); c != scanner.EOF && p.err == nil; c = s.Scan() {
		t := token{c, s.TokenText(), s.Offset, s.Peek() == ':'}
		switch {
		case c == '#':
			for n := s.Peek(); n != '\n' && n != scanner.EOF; n = s.Peek() {
				s.Next()
			}
			continue
		case c == '\'' && !single:
			p.fail(t.off, "a list of characters, which is no string: use double quotes")
		case c == '\'':
			n := s.Next()
			for t.kind, t.text = scanner.String, ""; !strings.ContainsRune("'\n\\", n) && n != scanner.EOF; n = s.Next() {
				t.text += string(n)
			}
			if n != '\'' {
				p.fail(t.off, "the string does not end, or has a backslash: use double quotes")
			}
		case c == scanner.String:
			var err error
			if t.text, err = strconv.Unquote(t.text); err != nil || strings.Contains(t.text, "#{") {
				p.fail(t.off, "an escape or an expression in a string")
			}
		}
		p.toks = append(p.toks, t)
	}
	p.toks = append(p.toks, token{scanner.EOF, "", len(text), false})
	return p
}

// at is the token n places on.
func (p *literals) at(n int) token { return p.toks[min(p.pos+n, len(p.toks)-1)] }

// value reads a value, up to a comma or a closing bracket.
func (p *literals) value(depth int) *Node {
	at, start := p.pos, p.at(0).off
	if depth > maxLevels {
		p.fail(start, fmt.Sprintf("more than %d levels", maxLevels))
	}
	ends := []rune{',', ')', ']', '}', scanner.EOF}
	if n := p.literal(depth); n != nil && slices.Contains(ends, p.at(0).kind) {
		return n
	}
	p.pos = at
	for open := 0; open > 0 || !slices.Contains(ends, p.at(0).kind); p.pos++ {
		switch t := p.at(0); {
		case t.kind == scanner.EOF:
			return &Node{Kind: Expression, Off: start}
		case strings.ContainsRune("([{", t.kind), t.block("fn do"):
			open++
		case strings.ContainsRune(")]}", t.kind), t.block("end"):
			open--
		}
	}
	return &Node{Kind: Expression, Off: start}
}

// literal reads a literal, nil for something else: a string, a list, true, false, nil, an atom of Elixir.
func (p *literals) literal(depth int) *Node {
	t := p.at(0)
	n := &Node{Kind: Word, Text: t.text, Off: t.off}
	p.pos++
	switch {
	case t.kind == scanner.String:
		n.Kind = Text
	case t.kind == ':' && p.at(0).kind == scanner.Ident:
		n.Text = p.at(0).text
		p.pos++
	case t.text == "true" || t.text == "false" || t.text == "nil":
	case t.kind == '[':
		for n.Kind, n.Text = List, ""; p.at(0).kind != ']' && p.err == nil; {
			if n.Items = append(n.Items, p.value(depth+1)); p.at(0).kind == ',' {
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

// pairs reads named values up to a closing bracket: pattern = ["a"], or phase: :plan.
func (p *literals) pairs(separator, end rune) *Node {
	out := &Node{Kind: Table, Off: p.at(0).off}
	for p.at(0).kind != end && p.err == nil {
		name := p.at(0)
		if name.kind != scanner.Ident || p.at(1).kind != separator || out.Get(name.text).Kind != 0 {
			p.fail(name.off, "a name, once, and its value were expected here: pattern = [...], phase: :plan")
		}
		p.pos += 2
		out.Set(name.text, p.value(0))
		if p.at(0).kind == ',' {
			p.pos++
		} else if p.at(0).kind != end {
			p.fail(p.at(0).off, "the list does not end")
		}
	}
	p.pos++
	return out
}
