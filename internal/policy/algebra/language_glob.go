package algebra

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// globMachine matches what a glob does. same lists the characters of a text that are read
// as one of the glob; nil for itself.
func globMachine(g *grammar.Glob, same func(rune) []rune) *automaton.Machine {
	var b automaton.Builder
	all := automaton.AllBut()
	at := b.State()
	b.Start(at)
	for i, e := range g.El {
		switch {
		case e == grammar.Star && i > 0 && g.El[i-1] == grammar.Star:
		case e == grammar.Star:
			star := b.State()
			b.Empty(at, star)
			b.Edge(star, all, star)
			at = star
		case e == grammar.One:
			at = b.Next(at, all)
		case same != nil:
			at = b.Next(at, automaton.Rune(same(e)...))
		default:
			at = b.Next(at, automaton.Rune(e))
		}
	}
	b.Accept(at)
	if g.Tail != 0 {
		at = b.Next(at, automaton.Rune(g.Tail))
		b.Accept(at)
		b.Edge(at, all, at)
	}
	return b.Machine()
}

// patternMachine matches what a pattern of values does.
func patternMachine(pattern string) *automaton.Machine {
	g := grammar.Compile(pattern)
	return globMachine(&g, nil)
}

// classRunes is a class at the start of a segment, as doublestar reads it; n is 0 if
// there is no class.
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
		r, n := grammar.NextRune(seg[i:])
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
// spelling is matched, see rules.MacData.
func (p *Policy) spelled(m *automaton.Machine) []*automaton.Machine {
	if p.OS != rules.MacOS {
		return []*automaton.Machine{m}
	}
	moved := p.letters.newPaths(true)
	for _, d := range rules.MacPrivate {
		moved.spec(&grammar.Spec{Dir: d, Segs: []string{"**"}}, false)
	}
	data := automaton.After(m, []rune(rules.MacData)...)
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

// A holeMachine is a machine in the making, of what a glob matches. Its first states are
// the places of the glob, which end with its end and the place over its tail.
type holeMachine struct {
	automaton.Machine
	g    grammar.Glob
	fold bool // texts are read without case
	// quoted is where a quote sign leads, by state, in a text whose quoting is taken off:
	// to one or two states, noState for none
	quoted [][2]int
}

const noState = -1

// What the edges of a holeMachine read.
var (
	everything = automaton.Set{Except: true, Marks: true}
	anyRune    = automaton.Set{Except: true}
	unblank    = automaton.Set{Except: true, Listed: []automaton.Symbol{' '}}
	blank      = automaton.Set{Listed: []automaton.Symbol{' '}}
	oneHole    = automaton.Set{Listed: []automaton.Symbol{automaton.Single}}
	anyHole    = automaton.Set{Listed: []automaton.Symbol{automaton.Any}}
	eachHole   = automaton.Set{Listed: []automaton.Symbol{automaton.Any, automaton.Single}}
)

func newHoleMachine(g *grammar.Glob, fold bool) *holeMachine {
	m := &holeMachine{fold: fold, g: grammar.Glob{El: make([]rune, 0, len(g.El)), Tail: g.Tail}}
	for _, e := range g.El {
		if n := len(m.g.El); e != grammar.Star || n == 0 || m.g.El[n-1] != grammar.Star {
			m.g.El = append(m.g.El, e)
		}
	}
	m.states(len(m.g.El) + 2)
	for p := range len(m.g.El) + 1 {
		m.Accept[p] = p == len(m.g.El) || p == len(m.g.El)-1 && m.star(p)
	}
	m.Accept[m.g.Over()] = true
	m.edge(m.g.Over(), everything, m.g.Over())
	m.Start = []int{0}
	return m
}

// states adds states, and returns the first.
func (m *holeMachine) states(n int) int {
	first := len(m.Edges)
	for range n {
		m.quoted = append(m.quoted, [2]int{len(m.Edges), noState})
		m.Edges, m.Accept = append(m.Edges, nil), append(m.Accept, false)
	}
	return first
}

func (m *holeMachine) edge(from int, set automaton.Set, to ...int) {
	for _, t := range to {
		m.Edges[from] = append(m.Edges[from], automaton.Edge{Set: set, To: t})
	}
}

func (m *holeMachine) edges(from []int, set automaton.Set, to ...int) {
	for _, s := range from {
		m.edge(s, set, to...)
	}
}

func (m *holeMachine) star(p int) bool { return p >= 0 && p < len(m.g.El) && m.g.El[p] == grammar.Star }

// past is the place after the star of a place.
func (m *holeMachine) past(p int) int {
	if m.star(p) {
		return p + 1
	}
	return p
}

// reads is what leads from a place without a star to another; ok is false where nothing does.
func (m *holeMachine) reads(p int) (set automaton.Set, to int, ok bool) {
	switch {
	case p == len(m.g.El) && m.g.Tail != 0:
		return m.runes(m.g.Tail), m.g.Over(), true
	case p >= len(m.g.El) || m.g.El[p] == grammar.Star:
		return set, 0, false
	case m.g.El[p] == grammar.One:
		return anyRune, p + 1, true
	}
	return m.runes(m.g.El[p]), p + 1, true
}

// runes is the set of one character, or without case of those that are read as it.
func (m *holeMachine) runes(r rune) automaton.Set {
	switch {
	case m.fold:
		return automaton.Rune(caseless(r)...)
	case r == ' ':
		return blank
	}
	return automaton.Rune(r)
}

// caseless lists the characters that FoldRune maps to r.
func caseless(r rune) []rune {
	all := []rune{r}
	for f := unicode.SimpleFold(r); f != r && r <= unicode.MaxRune; f = unicode.SimpleFold(f) {
		all = append(all, f)
	}
	if r == 'i' {
		all = append(all, '\u0130')
	}
	return all
}

// sureOf matches what the glob covers for certain. A hole is covered by a star or the tail.
// Of one that is a word of its own and may be empty, both texts have to match, with the word and
// without: so either a star reads the blank before it as well, or a place that the text
// without it goes on from reads the blank and comes to a star, which then matches all
// that the place does.
func sureOf(m *holeMachine) *holeMachine {
	n := len(m.g.El) + 1
	// by star: after a blank that it did not read; then after a hole, where more of the
	// word has to follow; the same after a quote sign that is taken off
	fresh := make([]int, n+1)
	for p := range n {
		if m.star(p) {
			fresh[p] = m.states(3)
		}
	}
	for p := range n {
		words := append(make([]int, 0, 2), p)
		var parts []int
		if m.star(p) {
			f, more, quote := fresh[p], fresh[p]+1, fresh[p]+2
			words, parts = append(words, f), []int{more, quote}
			m.quoted[more][0] = quote
			m.Accept[f], m.Accept[quote] = m.Accept[p], m.Accept[p]
			m.edge(p, everything, p)
			m.edge(f, anyRune, p)
			m.edge(f, oneHole, p)
			m.edge(f, anyHole, more)
			for _, s := range parts {
				m.edge(s, unblank, p)
				m.edge(s, eachHole, p)
			}
		}
		set, to, ok := m.reads(m.past(p))
		if !ok {
			continue
		}
		for _, s := range parts {
			m.edge(s, less(set, " "), to)
		}
		if !m.star(to) || !set.Has(' ') {
			m.edges(words, set, to)
			continue
		}
		before, after := m.states(1), m.states(1) // of an empty hole
		m.edge(before, anyHole, after)
		m.edge(after, blank, fresh[to], before)
		m.edges(words, less(set, " "), to)
		m.edges(words, blank, fresh[to], before)
	}
	if m.star(0) {
		m.leading(fresh[0], fresh[0])
	}
	return m
}

// leading starts a machine at a place, or in texts that begin with holes, which may be no
// words, once more at another after them.
func (m *holeMachine) leading(from, next int) {
	start, again, left := m.states(1), m.states(1), m.states(1)
	m.Edges[start] = append(m.Edges[start], m.Edges[from]...)
	m.Edges[again] = append(m.Edges[again], m.Edges[next]...)
	m.Accept[start], m.Accept[again], m.Accept[left] = m.Accept[0], m.Accept[0], m.Accept[0]
	m.edge(start, anyHole, left)
	m.edge(again, anyHole, left)
	m.edge(left, blank, again)
	m.quoted[start][0] = 0 // a hole after it is not at the start
	m.Start = []int{start}
}

// maybeOf matches what the glob may cover: a hole may be any text, so that it goes on from
// any place further on. It covers no text that begins otherwise than the first
// head characters of the glob before its first hole.
func maybeOf(m *holeMachine, head int) *holeMachine {
	n := len(m.g.El) + 1
	// from any place further on, and what else leads on from there
	on, hole := m.states(n), m.states(n)
	// before a hole that is a word of its own, after it, and what else leads on from there
	before, after, word, quote := m.states(n), m.states(n), m.states(n), m.states(n)
	all, blanks := m.ahead()
	none := [2]int{noState, noState} // they share their edges
	for p := range n {
		if m.star(p) {
			m.edge(p, anyRune, p)
		}
		if set, to, ok := m.reads(m.past(p)); ok {
			m.edge(p, set, to)
		}
		m.Edges[on+p], m.Accept[on+p] = all[p], true
		m.Edges[after+p], m.Accept[after+p] = blanks[p], true
		m.Edges[quote+p] = blanks[p]
		for _, s := range [...]int{p, hole + p} {
			m.hole(s, on+p, hole+p)
			m.edge(s, blank, before+p)
		}
		m.edge(before+p, anyHole, after+p, word+p)
		m.edge(word+p, blank, before+p)
		m.quoted[on+p], m.quoted[hole+p] = none, [2]int{on + p, hole + p}
		m.quoted[after+p], m.quoted[word+p], m.quoted[quote+p] = none, [2]int{quote + p, word + p}, none
	}
	first := m.states(head) // the places of the head, as long as there was nothing else
	for p := range head {
		set, to, _ := m.reads(p)
		if to < head {
			to += first
		}
		m.edge(first+p, set, to)
		m.hole(first+p, on+p, hole+p)
		if m.quoted[first+p][0] = p; p > 0 && p+2 <= head {
			other := m.states(1)
			m.edge(first+p, blank, other)
			m.quoted[other][0] = before + p
		}
	}
	if head > 0 {
		m.leading(first, 0)
	} else {
		m.leading(0, 0)
	}
	return m
}

// hole adds what a hole leads to: what goes on from any place further on.
func (m *holeMachine) hole(from int, on ...int) {
	if m.edge(from, eachHole, on...); m.g.Tail != 0 {
		m.edge(from, eachHole, m.g.Over())
	}
}

// ahead is what leads on from a place or any further on, by place, and what of it reads a
// blank. Each is the end of the one before it.
func (m *holeMachine) ahead() (all, blanks [][]automaton.Edge) {
	n := len(m.g.El) + 1
	all, blanks = make([][]automaton.Edge, n), make([][]automaton.Edge, n)
	var back, backBlanks []automaton.Edge
	for p := range n {
		if m.star(p) {
			back = append(back, automaton.Edge{Set: anyRune, To: p})
			backBlanks = append(backBlanks, automaton.Edge{Set: blank, To: p})
		}
		if set, to, ok := m.reads(p); ok {
			back = append(back, automaton.Edge{Set: set, To: to})
			if set.Has(' ') {
				backBlanks = append(backBlanks, automaton.Edge{Set: blank, To: to})
			}
		}
		all[p], blanks[p] = back, backBlanks // by now how much comes before the next
	}
	for p := n - 1; p > 0; p-- {
		all[p], blanks[p] = back[len(all[p-1]):], backBlanks[len(blanks[p-1]):]
	}
	all[0], blanks[0] = back, backBlanks
	return all, blanks
}
