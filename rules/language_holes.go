package rules

import "github.com/permgate--owner/permgate/rules/automaton"

// sureOf is what coversAll is true of. A hole is covered by a star or the tail. Of one
// that is a word of its own and may be none, both texts have to match, with the word and
// without: so either a star reads the blank before it as well, or a place that the text
// without it goes on from reads the blank and comes to a star, which then matches all
// that the place does.
func sureOf(m *holeMachine) *holeMachine {
	n := len(m.g.el) + 1
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
		before, after := m.states(1), m.states(1) // of a hole that is none
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

// maybeOf is what coversSome is true of: a hole may be any text, so that the glob goes on
// from any place further on. A text that has begun otherwise than the first head
// characters of the glob before its first hole is none, see mayStart.
func maybeOf(m *holeMachine, head int) *holeMachine {
	n := len(m.g.el) + 1
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
	if m.edge(from, eachHole, on...); m.g.tail != 0 {
		m.edge(from, eachHole, m.g.over())
	}
}

// ahead is what leads on from a place or any further on, by place, and what of it reads a
// blank. Each is the end of the one before it.
func (m *holeMachine) ahead() (all, blanks [][]automaton.Edge) {
	n := len(m.g.el) + 1
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
