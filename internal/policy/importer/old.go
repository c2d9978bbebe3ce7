package importer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"text/scanner"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/tree"
	"github.com/permgate--owner/permgate/rules"
)

// This file goes when every system is a table of rows.

// atom reports whether a word is a name, as those of Elixir are.
func atom(n *node) bool { return n.Atom() }

// lock notes a lock: every value but false locks.
func (r *reader) lock(n *node, said, value string, names ...string) {
	why := ""
	switch {
	case n.Kind == word && (n.Text == "false" || n.Text == "null"):
		names = nil
	case n.Text != "true" && n.Text != "disable":
		why = "a value that is not known locks"
	}
	r.add(n, said+": "+n.Text, why, locks(value, names...)...)
}

// A keyed says what is made of the keys of a table.
type keyed map[string]func(v *node)

// keys hands every key of a table to its function, and reports those that have none and are not inert, which are words.
func (r *reader) keys(t *node, path string, known keyed, inert string) {
	for i, k := range t.Keys {
		same := func(name string) bool { return name == k || r.fold && strings.EqualFold(name, k) }
		f := known[k]
		for name := range known {
			if f == nil && same(name) {
				f = known[name]
			}
		}
		if f != nil {
			f(t.Items[i])
		} else if !slices.ContainsFunc(strings.Fields(inert), same) {
			r.add(t.Items[i], path+k, "no rule is made of this key")
			r.last().Status = Unknown
		}
	}
}

// each hands every text of a list to a function, with what it says. A list that has anything else in it cannot be said.
func (r *reader) each(list rules.List, said string, f func(v *node, said, text string)) func(v *node) {
	return func(v *node) {
		texts, ok := textsOf(v)
		if v.Kind == 0 {
			return
		} else if !ok || v.Kind != tree.List {
			r.cannot(v, list, said, "no list of strings", "*")
			return
		}
		for _, t := range texts {
			f(v, said+" "+t, t)
		}
	}
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

// dirs notes folders that are no longer outside. starts are what a path may start with, nothing for anything.
func (r *reader) dirs(said string, starts ...string) func(v *node) {
	return func(v *node) {
		texts, ok := textsOf(v)
		if !ok {
			r.refuse(v, said, "something else than strings")
		}
		for _, dir := range texts {
			starting := func(with string) bool { return strings.HasPrefix(dir, with) }
			if len(starts) > 0 && !slices.ContainsFunc(starts, starting) {
				r.refuse(v, said+" "+dir, "no absolute path")
				continue
			}
			r.add(v, said+" "+dir, "writes there go by the mode",
				Entry{Path: "permissions.additionalDirectories", List: true, Value: edit.Quote(dir)})
		}
	}
}

func (s *System) older(r *reader) {
	if s.program == nil || s.read != nil && (strings.HasSuffix(r.source.name, ".json") || strings.HasSuffix(r.source.name, ".toml")) {
		root := r.source.tree(&System{})
		if s.fold && r.source.err == nil {
			r.source.sameKeys(root)
		}
		if r.source.err == nil {
			s.read(r, root)
		}
	} else {
		s.program(r)
	}
}

// autoLists are the lists of mode auto. ours says a rule in permgate's words, or why that cannot be.
func (r *reader) autoLists(not string, ours func(text string) (rule, why string)) keyed {
	known := keyed{}
	for _, name := range [...]string{"hard_deny", "soft_deny", "allow"} {
		known[name] = r.each(rules.Deny, name, func(v *node, said, t string) {
			rule, why := ours(t)
			tool, _, _ := strings.Cut(t, ":")
			switch {
			case name == not:
				r.refuse(v, said, "permgate judges by itself here: write an allow rule")
			case why != "":
				r.cannot(v, rules.Deny, said, why, cmp.Or(r.tool(tool), "*"))
			default:
				r.add(v, said, "", Entry{Path: "autoMode." + name, List: true, Value: edit.Quote(rule)})
			}
		})
	}
	return known
}
