package rules

import (
	"slices"
	"strings"
	"unicode/utf8"
)

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
