// Package grammar knows how the patterns of rules are written and what texts they match: globs, words in quotes,
// patterns of paths. It knows neither rules nor policies.
package grammar

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Elements of a glob besides plain runes. Bytes that are no UTF-8 become values
// above utf8.MaxRune, so that no two texts look the same.
const (
	Star rune = -1 // any run of characters, none included
	One  rune = -2 // one character
)

// A Glob is a compiled pattern over a text that may have holes. With Tail set
// it matches what El matches, alone or followed by the tail character and any
// text: Bash(git:*) has a blank there, Skill(ns:*) a colon.
type Glob struct {
	El   []rune
	Tail rune
}

// Holds reports whether g matches every text that o matches, its stars by stars
// of its own: then holes that o may cover g covers too.
func (g *Glob) Holds(o *Glob) bool {
	s := g.start()
	for _, e := range o.El {
		if e == Star {
			s = g.cover(s)
		} else {
			s = g.advance(s, e)
		}
	}
	if o.Tail == 0 {
		return g.accepts(s)
	}
	return g.accepts(s) && g.accepts(g.cover(g.advance(s, o.Tail)))
}

// advance is step from a set that stays.
func (g *Glob) advance(s states, r rune) states {
	next := make(states, len(s))
	g.step(s, next, r)
	return next
}

// Compile reads * and ? as wildcards and everything else as itself.
func Compile(pattern string) Glob {
	g := Glob{El: make([]rune, 0, len(pattern))}
	for i := 0; i < len(pattern); {
		r, n := NextRune(pattern[i:])
		i += n
		switch r {
		case '*':
			g.El = append(g.El, Star)
		case '?':
			g.El = append(g.El, One)
		default:
			g.El = append(g.El, r)
		}
	}
	return g
}

// NextRune is the first character of a text and its length; a byte that is no UTF-8 is one above utf8.MaxRune.
func NextRune(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return utf8.MaxRune + 1 + rune(s[0]), 1
	}
	return r, n
}

// Plain reports whether the glob has no wildcard.
func (g *Glob) Plain() bool {
	return g.Tail == 0 && !slices.ContainsFunc(g.El, func(e rune) bool { return e < 0 })
}

// Match reports whether the glob matches a text without holes. Only the last
// star is ever tried again, which is enough and keeps the work bounded by the
// product of both lengths; in a long text what follows a star is searched for.
func (g *Glob) Match(text string) bool {
	el := g.El
	if len(text) > longText {
		if all, ok := g.matchLong(text); ok {
			return all
		}
	}
	p, star, back := 0, -1, 0
	for i := 0; ; {
		if p < len(el) && el[p] == Star {
			star, back = p, i
			p++
			continue
		}
		if i == len(text) {
			return p == len(el)
		}
		r, n := NextRune(text[i:])
		switch {
		case p < len(el) && (el[p] == r || el[p] == One):
			p++
			i += n
		case p == len(el) && g.Tail != 0 && r == g.Tail:
			return true
		case star >= 0:
			_, n := NextRune(text[back:])
			back += n
			p, i = star+1, back
		default:
			return false
		}
	}
}

// A states is the set of places in a glob that can be reached; the index
// len(el) is the end.
type states []bool

// width is the number of places: with a tail there are two more, after the
// tail character and at its end.
func (g *Glob) width() int { return len(g.El) + 1 }

func (g *Glob) start() states {
	s := make(states, g.width()+1)
	s[0] = true
	g.close(s)
	return s
}

// close adds what is reached without reading anything.
func (g *Glob) close(s states) {
	for i, e := range g.El {
		if s[i] && e == Star {
			s[i+1] = true
		}
	}
}

// Over is the place after the tail character: everything that follows matches.
func (g *Glob) Over() int { return g.width() }

func (g *Glob) accepts(s states) bool { return s[len(g.El)] || s[g.Over()] }

// read advances over literal text. It leaves s alone.
func (g *Glob) read(s states, lit string) states {
	now, next := append(states(nil), s...), make(states, len(s))
	for i := 0; i < len(lit) && slices.Contains(now, true); {
		r, n := NextRune(lit[i:])
		i += n
		g.step(now, next, r)
		now, next = next, now
	}
	return now
}

// step reads one element that is no star into next; One is a character that is not known.
func (g *Glob) step(now, next states, r rune) {
	clear(next)
	next[g.Over()] = now[g.Over()] || now[len(g.El)] && g.Tail != 0 && r == g.Tail
	for p, e := range g.El {
		switch {
		case !now[p]:
		case e == Star:
			next[p] = true
		case e == One || e == r:
			next[p+1] = true
		}
	}
	g.close(next)
}

// cover advances over a hole that only a star or the tail may take whole.
func (g *Glob) cover(s states) states {
	next := make(states, len(s))
	next[g.Over()] = s[g.Over()]
	for p, e := range g.El {
		next[p] = s[p] && e == Star
	}
	g.close(next)
	return next
}

// guess advances over a hole that may be any text: everything further on is
// reached by some filling.
func (g *Glob) guess(s states) states {
	next := make(states, len(s))
	reached := false
	for p := 0; p <= len(g.El); p++ {
		reached = reached || s[p]
		next[p] = reached
	}
	next[g.Over()] = s[g.Over()] || reached && g.Tail != 0
	return next
}

// longText is the length from which on the text between two stars is searched
// for as a whole, in bytes.
const longText = 128

// matchLong is match in time that grows with the text alone. ok is false for a
// glob that it cannot do: one character wildcards, and bytes that are no UTF-8.
func (g *Glob) matchLong(text string) (all, ok bool) {
	first := slices.Index(g.El, Star)
	if first < 0 {
		return false, false // compared once, from the start
	}
	for _, e := range g.El {
		if e == One || e > utf8.MaxRune {
			return false, false
		}
	}
	head := string(g.El[:first])
	if !strings.HasPrefix(text, head) {
		return false, true
	}
	text = text[len(head):]
	for el := g.El[first+1:]; ; {
		next := slices.Index(el, Star)
		if next < 0 {
			return g.ends(string(el), text), true
		}
		part := string(el[:next])
		i := strings.Index(text, part)
		if i < 0 {
			return false, true
		}
		text, el = text[i+len(part):], el[next+1:]
	}
}

// ends reports whether what follows the last star is the end of a text, or with a
// tail in front of its character.
func (g *Glob) ends(last, text string) bool {
	return strings.HasSuffix(text, last) || g.Tail != 0 && strings.Contains(text, last+string(g.Tail))
}

// WithTail turns a trailing :* into the tail.
func WithTail(g Glob, tail rune) *Glob {
	if n := len(g.El); tail != 0 && n > 2 && g.El[n-1] == Star && g.El[n-2] == ':' {
		g.El, g.Tail = g.El[:n-2], tail
	}
	return &g
}

// LiteralOnes turns the one-character wildcard back into a question mark, which
// is all it is to Claude Code.
func LiteralOnes(g Glob) Glob {
	for i, e := range g.El {
		if e == One {
			g.El[i] = '?'
		}
	}
	return g
}

// CompileStars reads * as a wildcard and ? as itself.
func CompileStars(pattern string) Glob { return LiteralOnes(Compile(pattern)) }
