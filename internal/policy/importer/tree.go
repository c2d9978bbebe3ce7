package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/scanner"

	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/tree"
)

// A node is a value of a policy file, whatever its format.
type node = tree.Node

const (
	text, word, list  = tree.Text, tree.Word, tree.List
	table, expression = tree.Table, tree.Expression
)

// atom reports whether a word is a name, as those of Elixir are.
func atom(n *node) bool {
	return n.Kind == word && n.Text != "" && n.Text[0] > '9' && !slices.Contains([]string{"true", "false", "null"}, n.Text)
}

func isTrue(n *node) bool { return n.Kind == word && n.Text == "true" }

// textsOf are the strings of a list, or the one string; ok is false where there is anything else.
func textsOf(n *node) (out []string, ok bool) {
	if n.Kind == text {
		return []string{n.Text}, true
	}
	for _, e := range n.Items {
		if e.Kind != text && !atom(e) {
			return nil, false
		}
		out = append(out, e.Text)
	}
	return out, n.Kind == list
}

// A source is the text of a file, and what is wrong with it.
type source struct {
	name, text string
	err        error
}

func (f *source) at(off int) string {
	before := f.text[:min(off, len(f.text))]
	col := len(before) - strings.LastIndexByte(before, '\n')
	return fmt.Sprintf("%s:%d:%d", f.name, 1+strings.Count(before, "\n"), col)
}

// fail says that the file cannot be read; the first reason counts.
func (f *source) fail(off int, format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("%s: %s", f.at(off), fmt.Sprintf(format, args...))
	}
}

// sameKeys fails where keys differ in case alone: readers disagree on which one counts.
func (f *source) sameKeys(n *node) {
	seen := map[string]bool{}
	for i, v := range n.Items {
		if n.Kind == table {
			key := strings.ToLower(strings.ToUpper(n.Keys[i])) // as strings.EqualFold
			if seen[key] {
				f.fail(v.Off, "two keys differ in case alone, and readers disagree on which one counts")
			}
			seen[key] = true
		}
		f.sameKeys(v)
	}
}

// tree reads JSON or TOML, by the name of the file.
func (f *source) tree() *node {
	if strings.HasSuffix(f.name, ".toml") {
		root, err := tree.TOML(f.text)
		var bad *tree.Error
		if errors.As(err, &bad) {
			f.fail(bad.Off, "%s", bad.Msg)
		}
		return root
	}
	doc, err := edit.Parse(f.name, []byte(f.text))
	if f.err = err; err != nil {
		return nil
	}
	doc.Root.UpdateOffsets()
	return fromJSON(&doc.Root)
}

func fromJSON(v *hujson.Value) *node {
	n := &node{Off: v.StartOffset}
	switch c := v.Value.(type) {
	case *hujson.Object:
		n.Kind = table
		for i := range c.Members {
			n.Set(edit.Text(&c.Members[i].Name), fromJSON(&c.Members[i].Value))
		}
	case *hujson.Array:
		n.Kind = list
		for i := range c.Elements {
			n.Items = append(n.Items, fromJSON(&c.Elements[i]))
		}
	case hujson.Literal:
		if n.Kind, n.Text = word, string(c); c.Kind() == '"' {
			n.Kind, n.Text = text, c.String()
		}
	}
	return n
}

// unquote is the text of a JSON string, "" for another value.
func unquote(value string) (out string) {
	if json.Unmarshal([]byte(value), &out) != nil {
		return ""
	}
	return out
}

// Codex has rules in Starlark, ExAthena options in Elixir. They are read as far as they are literals: calls and lists
// of named values. What a program computes is an expression, of which nothing is known.

// A program is the tokens of a file.
type program struct {
	f    *source
	toks []token
	pos  int
}

// A token is a string, an identifier, or a character that is its kind.
type token struct {
	kind rune
	text string
	off  int
}

// program cuts a file into tokens. Its error is about a string that does not end, or is no string: quote is what starts
// one besides a double quote.
func (f *source) program(quote string) *program {
	p := &program{f: f}
	var s scanner.Scanner
	s.Init(strings.NewReader(f.text))
	s.Mode = scanner.ScanIdents | scanner.ScanStrings | scanner.ScanInts
	s.Error = func(s *scanner.Scanner, msg string) { f.fail(s.Offset, "%s", msg) }
	for c := s.Scan(); c != scanner.EOF && f.err == nil; c = s.Scan() {
		t := token{c, s.TokenText(), s.Offset}
		switch {
		case c == '#':
			for n := s.Peek(); n != '\n' && n != scanner.EOF; n = s.Peek() {
				s.Next()
			}
			continue
		case c == '\'' && quote == "":
			f.fail(t.off, "a list of characters, which is no string: use double quotes")
		case c == '\'': // a string of Starlark
			n := s.Next()
			for t.kind, t.text = scanner.String, ""; !strings.ContainsRune("'\n\\", n) && n != scanner.EOF; n = s.Next() {
				t.text += string(n)
			}
			if n != '\'' {
				f.fail(t.off, "the string does not end, or has a backslash: use double quotes")
			}
		case c == scanner.String:
			var err error
			if t.text, err = strconv.Unquote(t.text); err != nil || strings.Contains(t.text, "#{") {
				f.fail(t.off, "an escape or an expression in a string")
			}
		}
		p.toks = append(p.toks, t)
	}
	p.toks = append(p.toks, token{scanner.EOF, "", len(f.text)})
	return p
}

// at is the token n places on.
func (p *program) at(n int) token { return p.toks[min(p.pos+n, len(p.toks)-1)] }

// value reads a value, up to a comma or a closing bracket.
func (p *program) value() *node {
	start := p.at(0).off
	ends := []rune{',', ')', ']', '}', scanner.EOF}
	if n := p.literal(); n != nil && slices.Contains(ends, p.at(0).kind) {
		return n
	}
	for depth := 0; depth > 0 || !slices.Contains(ends, p.at(0).kind); p.pos++ {
		switch p.at(0).kind {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case scanner.EOF:
			depth = 0
		}
	}
	return &node{Kind: expression, Off: start}
}

// literal reads a literal, nil for something else: a string, a list, true, false, nil, an atom of Elixir.
func (p *program) literal() *node {
	t := p.at(0)
	n := &node{Kind: word, Text: t.text, Off: t.off}
	p.pos++
	switch {
	case t.kind == scanner.String:
		n.Kind = text
	case t.kind == ':' && p.at(0).kind == scanner.Ident:
		n.Text = p.at(0).text
		p.pos++
	case t.text == "true" || t.text == "false" || t.text == "nil":
	case t.kind == '[':
		for n.Kind = list; p.at(0).kind != ']'; {
			if n.Items = append(n.Items, p.value()); p.at(0).kind == ',' {
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
func (p *program) pairs(separator, end rune) *node {
	out := &node{Kind: table, Off: p.at(0).off}
	for p.at(0).kind != end && p.f.err == nil {
		name := p.at(0)
		if name.kind != scanner.Ident || p.at(1).kind != separator || out.Get(name.text).Kind != 0 {
			const what = "a name, once, and its value were expected here: pattern = [...], phase: :plan"
			p.f.fail(name.off, what)
		}
		p.pos += 2
		out.Set(name.text, p.value())
		if p.at(0).kind == ',' {
			p.pos++
		} else if p.at(0).kind != end {
			p.f.fail(p.at(0).off, "the list does not end")
		}
	}
	p.pos++
	return out
}
