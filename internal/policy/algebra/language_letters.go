package algebra

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// letters are the characters of several spellings that paths of languages have: sorted.
// There are thousands, so that a language knows those that policies name.
type letters []rune

// maxLetters is how many there are at most: each is looked at in every state.
const maxLetters = 64

// WithLetters is the policy with languages of paths that know the characters of some
// texts, in each case and spelling. Two of which languages are compared need the same.
func (p *Policy) WithLetters(texts []string) *Policy {
	out := *p
	out.letters = letters{'é'} // one for all: two characters to deny and ask, one to allow
	for _, text := range texts {
		for _, form := range [...]string{text, norm.NFC.String(text), norm.NFD.String(text)} {
			for _, r := range form {
				out.letters.add(r)
			}
		}
	}
	return &out
}

// add adds a character in both cases.
func (l *letters) add(r rune) {
	for f := r; ; {
		if at, known := slices.BinarySearch(*l, f); !known && spellable(f) && len(*l) < maxLetters {
			*l = slices.Insert(*l, at, f)
		}
		if f = unicode.SimpleFold(f); f == r {
			return
		}
	}
}

func (l letters) has(r rune) bool {
	_, is := slices.BinarySearch(l, r)
	return is
}

// spellable reports whether a character has several spellings, each of which counts.
func spellable(r rune) bool {
	return odd(r) && unicode.IsGraphic(r) && r != utf8.RuneError && !grammar.Ignorable(r)
}

// odd reports whether pathTexts does not have a character.
func odd(r rune) bool {
	if r > 0 && r < utf8.RuneSelf {
		return false
	}
	if r == 0 || r == utf8.RuneError || !utf8.ValidRune(r) {
		return true
	}
	if grammar.Ignorable(r) || grammar.Unfolded(r) != "" {
		return true
	}
	text := string(r)
	return !norm.NFD.IsNormalString(text) || norm.NFD.PropertiesString(text).CCC() != 0
}

// oddRune is the first character of a text that pathTexts has not.
func (l letters) oddRune(text string) (rune, bool) {
	for i := 0; i < len(text); {
		r, n := grammar.NextRune(text[i:])
		if odd(r) && !l.has(r) {
			return r, true
		}
		i += n
	}
	return 0, false
}

// unfolded is a machine of folded paths as one of paths, see grammar.FoldPath: a letter is
// followed as the characters that it is folded to.
func (l letters) unfolded(m *automaton.Machine) *automaton.Machine {
	out := &automaton.Machine{Edges: make([][]automaton.Edge, len(m.Edges)), Start: m.Start, Accept: m.Accept}
	for s, edges := range m.Edges {
		for i := range edges {
			set := l.unfoldSet(&edges[i].Set)
			if len(set.Listed) > 0 || set.Except {
				out.Edges[s] = append(out.Edges[s], automaton.Edge{Set: set, To: edges[i].To})
			}
		}
		for _, r := range l {
			for _, to := range follow(m, s, grammar.FoldPath(string(r))) {
				out.Edges[s] = append(out.Edges[s], automaton.Edge{Set: automaton.Rune(r), To: to})
			}
		}
	}
	return out
}

// unfoldSet is the characters but letters that are folded to those of a set.
func (l letters) unfoldSet(set *automaton.Set) automaton.Set {
	var list []rune
	for _, r := range set.Listed {
		if r < 0 {
			list = append(list, r)
		} else {
			list = append(list, unfold(r)...)
		}
	}
	if set.Except {
		list = append(list, l...)
	}
	out := automaton.Rune(list...)
	out.Except, out.Marks = set.Except, set.Marks
	return out
}

// follow is the states that a text leads to from one.
func follow(m *automaton.Machine, from int, text string) []int {
	at := []int{from}
	for _, r := range text {
		var next []int
		for _, s := range at {
			for i := range m.Edges[s] {
				if e := &m.Edges[s][i]; e.Set.Has(r) && !slices.Contains(next, e.To) {
					next = append(next, e.To)
				}
			}
		}
		at = next
	}
	return at
}

// unfold is the characters of pathTexts that deny and ask read as r.
func unfold(r rune) (out []rune) {
	for f := r; ; {
		if grammar.FoldRune(f) == r && !odd(f) {
			out = append(out, f)
		}
		if f = unicode.SimpleFold(f); f == r {
			return out
		}
	}
}
