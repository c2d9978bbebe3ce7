package rules

import (
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/rules/automaton"
)

// globMachine matches what a glob does. same lists the characters of a text that are read
// as one of the glob; nil for itself.
func globMachine(g *glob, same func(rune) []rune) *automaton.Machine {
	var b automaton.Builder
	all := automaton.AllBut()
	at := b.State()
	b.Start(at)
	next := func(set automaton.Set) {
		to := b.State()
		b.Edge(at, set, to)
		at = to
	}
	for i, e := range g.el {
		switch {
		case e == elemStar && i > 0 && g.el[i-1] == elemStar:
		case e == elemStar:
			star := b.State()
			b.Empty(at, star)
			b.Edge(star, all, star)
			at = star
		case e == elemOne:
			next(all)
		case same != nil:
			next(automaton.Rune(same(e)...))
		default:
			next(automaton.Rune(e))
		}
	}
	b.Accept(at)
	if g.tail != 0 {
		next(automaton.Rune(g.tail))
		b.Accept(at)
		b.Edge(at, all, at)
	}
	return b.Machine()
}

// classRunes is a class at the start of a segment, as doublestar reads it; n is 0 where
// it is none.
func classRunes(seg string) (set []rune, n int, why string) {
	i := 1
	if i == len(seg) || seg[i] == ']' {
		return nil, 0, ""
	}
	const none = utf8.MaxRune
	last := rune(none)
	next := func() rune {
		if seg[i] == '\\' {
			i++
		}
		r, n := nextRune(seg[i:])
		i += n
		return r
	}
	for i < len(seg) && seg[i] != ']' {
		if last < none && seg[i] == '-' && i+1 < len(seg) && seg[i+1] != ']' {
			i++
			high := next()
			if high >= utf8.RuneSelf {
				return nil, 0, "a class with a range beyond ASCII"
			}
			for r := last; r <= high; r++ {
				set = append(set, r)
			}
			last = none
			continue
		}
		last = next()
		set = append(set, last)
	}
	if i == len(seg) || seg[1] == '!' || seg[1] == '^' || strings.ContainsRune(string(set), '/') {
		return nil, 0, "a class that may hold a slash"
	}
	return set, i + 1, ""
}

// spelled is a machine of paths and, on a Mac, those of the paths of which another
// spelling is matched, see macSpellings.
func (p *Policy) spelled(m *automaton.Machine) []*automaton.Machine {
	if p.OS != MacOS {
		return []*automaton.Machine{m}
	}
	moved := p.letters.newPaths(true)
	for _, d := range macPrivate {
		moved.spec(&spec{dir: d, segs: []string{"**"}}, false)
	}
	data := automaton.After(m, []rune(macData)...)
	private := []rune("/private")
	return []*automaton.Machine{m, data, rootOf(data),
		automaton.Intersect(moved.Machine(), automaton.After(m, private...)),
		automaton.Intersect(moved.Machine(), automaton.After(data, private...))}
}

// rootOf matches / where a machine matches nothing more, and / with Tree likewise.
func rootOf(m *automaton.Machine) *automaton.Machine {
	b := letters(nil).newPaths(false)
	at := b.State()
	b.Start(at)
	at = b.read(at, '/')
	for _, s := range m.Start {
		if m.Accept[s] {
			b.Accept(at)
		}
		for _, e := range m.Edges[s] {
			if e.Set.Has(automaton.Tree) {
				b.tree(at)
			}
		}
	}
	return b.Machine()
}
