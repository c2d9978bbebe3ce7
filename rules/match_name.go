package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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
