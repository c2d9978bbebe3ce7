package rules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Elements of a glob besides plain runes. Bytes that are no UTF-8 become values
// above utf8.MaxRune, so that no two texts look the same.
const (
	elemStar rune = -1 // any run of characters, none included
	elemOne  rune = -2 // one character
)

// A glob is a compiled pattern over a text that may have holes. With tail set
// it matches what el matches, alone or followed by the tail character and any
// text: Bash(git:*) has a blank there, Skill(ns:*) a colon.
type glob struct {
	el   []rune
	tail rune
}

// compileGlob reads * and ? as wildcards and everything else as itself.
func compileGlob(pattern string) glob {
	g := glob{el: make([]rune, 0, len(pattern))}
	for i := 0; i < len(pattern); {
		r, n := nextRune(pattern[i:])
		i += n
		switch r {
		case '*':
			g.el = append(g.el, elemStar)
		case '?':
			g.el = append(g.el, elemOne)
		default:
			g.el = append(g.el, r)
		}
	}
	return g
}

func nextRune(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return utf8.MaxRune + 1 + rune(s[0]), 1
	}
	return r, n
}

// plain reports whether the glob has no wildcard.
func (g *glob) plain() bool {
	if g.tail != 0 {
		return false
	}
	for _, e := range g.el {
		if e < 0 {
			return false
		}
	}
	return true
}

// match reports whether the glob matches a text without holes. Only the last
// star is ever tried again, which is enough and keeps the work bounded by the
// product of both lengths; in a long text what follows a star is searched for.
func (g *glob) match(text string) bool {
	el := g.el
	if len(text) > longText {
		if all, ok := g.matchLong(text); ok {
			return all
		}
	}
	p, star, back := 0, -1, 0
	for i := 0; ; {
		if p < len(el) && el[p] == elemStar {
			star, back = p, i
			p++
			continue
		}
		if i == len(text) {
			return p == len(el)
		}
		r, n := nextRune(text[i:])
		switch {
		case p < len(el) && (el[p] == r || el[p] == elemOne):
			p++
			i += n
		case p == len(el) && g.tail != 0 && r == g.tail:
			return true
		case star >= 0:
			_, n := nextRune(text[back:])
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
func (g *glob) width() int { return len(g.el) + 1 }

func (g *glob) start() states {
	s := make(states, g.width()+1)
	s[0] = true
	g.close(s)
	return s
}

// close adds what is reached without reading anything.
func (g *glob) close(s states) {
	for i, e := range g.el {
		if s[i] && e == elemStar {
			s[i+1] = true
		}
	}
}

// over is the place after the tail character: everything that follows matches.
func (g *glob) over() int { return g.width() }

func (g *glob) accepts(s states) bool { return s[len(g.el)] || s[g.over()] }

func (s states) empty() bool {
	for _, b := range s {
		if b {
			return false
		}
	}
	return true
}

func (s states) equal(t states) bool {
	for i := range s {
		if s[i] != t[i] {
			return false
		}
	}
	return true
}

// read advances over literal text. It leaves s alone.
func (g *glob) read(s states, lit string) states {
	now, next := append(states(nil), s...), make(states, len(s))
	for i := 0; i < len(lit) && !now.empty(); {
		r, n := nextRune(lit[i:])
		i += n
		g.step(now, next, r)
		now, next = next, now
	}
	return now
}

// step reads one element that is no star into next; elemOne is a character that is not known.
func (g *glob) step(now, next states, r rune) {
	clear(next)
	next[g.over()] = now[g.over()] || now[len(g.el)] && g.tail != 0 && r == g.tail
	for p, e := range g.el {
		switch {
		case !now[p]:
		case e == elemStar:
			next[p] = true
		case e == elemOne || e == r:
			next[p+1] = true
		}
	}
	g.close(next)
}

// cover advances over a hole that only a star or the tail may take whole.
func (g *glob) cover(s states) states {
	next := make(states, len(s))
	next[g.over()] = s[g.over()]
	for p, e := range g.el {
		next[p] = s[p] && e == elemStar
	}
	g.close(next)
	return next
}

// guess advances over a hole that may be any text: everything further on is
// reached by some filling.
func (g *glob) guess(s states) states {
	next := make(states, len(s))
	reached := false
	for p := 0; p <= len(g.el); p++ {
		reached = reached || s[p]
		next[p] = reached
	}
	next[g.over()] = s[g.over()] || reached && g.tail != 0
	return next
}

// longText is the length from which on the text between two stars is searched
// for as a whole, in bytes.
const longText = 128

// matchLong is match in time that grows with the text alone. ok is false for a
// glob that it cannot do: one character wildcards, and bytes that are no UTF-8.
func (g *glob) matchLong(text string) (all, ok bool) {
	first := slices.Index(g.el, elemStar)
	if first < 0 {
		return false, false // compared once, from the start
	}
	for _, e := range g.el {
		if e == elemOne || e > utf8.MaxRune {
			return false, false
		}
	}
	head := string(g.el[:first])
	if !strings.HasPrefix(text, head) {
		return false, true
	}
	text = text[len(head):]
	for el := g.el[first+1:]; ; {
		next := slices.Index(el, elemStar)
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
func (g *glob) ends(last, text string) bool {
	return strings.HasSuffix(text, last) || g.tail != 0 && strings.Contains(text, last+string(g.tail))
}

// matchName matches a pattern against a plain name: the type of Agent, the
// primary field of any other tool. It is exact in allow and blind to case in
// deny and ask. With tail set, stem:* is the stem alone or followed by the tail.
func matchName(r *Rule, name string, tail rune) bool {
	pattern := strings.TrimSpace(r.Pattern)
	if !r.strict() {
		g := compileGlob(pattern)
		if r.Claude {
			g = literalOnes(g)
		}
		return setTail(g, tail).match(name)
	}
	g := compileGlob(foldText(pattern))
	return setTail(g, tail).match(foldText(name))
}

// matchSkill adds to matchName that Skill(ns:*) is ns and everything below it.
// What Claude Code reads more widely counts in deny and ask: name * is also
// the bare name, and a name also names the skills nested below a directory.
func matchSkill(r *Rule, name string) bool {
	switch {
	case matchName(r, name, ':'):
		return true
	case !r.strict() || !r.Claude:
		return false
	}
	stem, star := strings.CutSuffix(strings.TrimSpace(r.Pattern), " *")
	bare, nested := *r, *r
	bare.Pattern, nested.Pattern = stem, "*:"+stem
	return star && matchName(&bare, name, 0) || matchName(&nested, name, 0)
}

// setTail turns a trailing :* into the tail.
func setTail(g glob, tail rune) *glob {
	if n := len(g.el); tail != 0 && n > 2 && g.el[n-1] == elemStar && g.el[n-2] == ':' {
		g.el, g.tail = g.el[:n-2], tail
	}
	return &g
}

// literalOnes turns the one-character wildcard back into a question mark, which
// is all it is to Claude Code.
func literalOnes(g glob) glob {
	for i, e := range g.el {
		if e == elemOne {
			g.el[i] = '?'
		}
	}
	return g
}

// foldText takes the case off a text.
func foldText(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := nextRune(s[i:])
		i += n
		putRune(&b, foldRune(r))
	}
	return b.String()
}

// foldRune maps all characters that differ only in case to one of them.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	low := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		low = min(low, f)
	}
	return unicode.ToLower(low)
}
