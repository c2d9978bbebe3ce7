package grammar

import (
	"slices"
	"strings"
)

// A Hole is a part of a command that cannot be known before it runs.
type Hole uint8

const (
	NoHole Hole = iota
	Single      // some text inside one word
	Any         // any number of words, none included
)

// A Piece is literal text or a hole.
type Piece struct {
	Lit  string
	Hole Hole
}

// A Text is one spelling of a subcommand: words joined by single spaces in
// canonical quoting (Quote), holes between literal pieces.
type Text []Piece

// maxForks bounds the sets of states coversAll follows at once. Fillings
// quickly lead to the same few sets; a text with more of them is not covered.
const maxForks = 16

// flat returns the text of t when it has no holes.
func (t Text) flat() (string, bool) {
	switch {
	case len(t) == 0:
		return "", true
	case len(t) == 1 && t[0].Hole == NoHole:
		return t[0].Lit, true
	}
	var b strings.Builder
	for _, p := range t {
		if p.Hole != NoHole {
			return "", false
		}
		b.WriteString(p.Lit)
	}
	return b.String(), true
}

// Covers says how g matches t: all when every filling of the holes is certain
// to match, some when one may.
func (g *Glob) Covers(t Text) (all, some bool) {
	if text, ok := t.flat(); ok {
		m := g.Match(text)
		return m, m
	}
	if g.coversAll(t) {
		return true, true
	}
	return false, g.coversSome(t)
}

// coversAll reports whether g matches t whatever the holes hold. An Any hole
// that is a word of its own may be no word at all; then its blank is
// not there either, and the glob must match that text as well: Bash(git *)
// does not match a bare git.
func (g *Glob) coversAll(t Text) bool {
	if vanishes(t, 0) && !g.coversAll(t.withoutLeadingHoles()) {
		return false
	}
	forks := []states{g.start()}
	for i, p := range t {
		lit := p.Lit
		if p.Hole != NoHole {
			lit = ""
		}
		trail := vanishes(t, i+1) && strings.HasSuffix(lit, " ")
		if trail {
			lit = lit[:len(lit)-1]
		}
		var next []states
		add := func(s states) {
			if !slices.ContainsFunc(next, func(o states) bool { return slices.Equal(o, s) }) {
				next = append(next, s)
			}
		}
		for _, s := range forks {
			switch {
			case p.Hole == Any && vanishes(t, i):
				if i > 0 {
					add(s)
					s = g.read(s, " ")
				}
				add(g.cover(s))
			case p.Hole != NoHole:
				add(g.cover(s))
			default:
				add(g.read(s, lit))
			}
		}
		for _, s := range next {
			if !slices.Contains(s, true) {
				return false
			}
		}
		if forks = next; len(forks) > maxForks {
			return false
		}
	}
	for _, s := range forks {
		if !g.accepts(s) {
			return false
		}
	}
	return true
}

// coversSome reports whether g matches t for some filling of the holes.
func (g *Glob) coversSome(t Text) bool {
	if vanishes(t, 0) && g.coversSome(t.withoutLeadingHoles()) {
		return true
	}
	s := g.start()
	for i, p := range t {
		switch {
		case p.Hole == NoHole && strings.HasSuffix(p.Lit, " ") && vanishes(t, i+1):
			before := g.read(s, p.Lit[:len(p.Lit)-1])
			s = g.read(before, " ")
			for j := range s {
				s[j] = s[j] || before[j]
			}
		case p.Hole == NoHole:
			s = g.read(s, p.Lit)
		default:
			s = g.guess(s)
		}
	}
	return g.accepts(s)
}

// withoutLeadingHoles is t without the holes it begins with and their blanks: all of them,
// for when only some hold nothing the first that holds something takes the
// place of the first.
func (t Text) withoutLeadingHoles() Text {
	for vanishes(t, 0) {
		rest := append(Text(nil), t[1:]...)
		if len(rest) > 0 {
			rest[0].Lit = strings.TrimPrefix(rest[0].Lit, " ")
			if rest[0].Lit == "" && rest[0].Hole == NoHole {
				rest = rest[1:]
			}
		}
		t = rest
	}
	return t
}

// vanishes reports whether piece i of t is an Any hole that is a whole word,
// so that its blank goes with it when it holds nothing.
func vanishes(t Text, i int) bool {
	if i >= len(t) || t[i].Hole != Any {
		return false
	}
	before := i == 0 || t[i-1].Hole == NoHole && strings.HasSuffix(t[i-1].Lit, " ")
	after := i == len(t)-1 || t[i+1].Hole == NoHole && strings.HasPrefix(t[i+1].Lit, " ")
	return before && after
}
