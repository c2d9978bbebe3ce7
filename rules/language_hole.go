package rules

import (
	"unicode"

	"github.com/permgate--owner/permgate/rules/automaton"
)

// A holeMachine is a machine in the making, of what a glob matches. Its first states are
// the places of the glob, which end with its end and the place over its tail.
type holeMachine struct {
	automaton.Machine
	g    glob
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

func newHoleMachine(g *glob, fold bool) *holeMachine {
	m := &holeMachine{fold: fold, g: glob{el: make([]rune, 0, len(g.el)), tail: g.tail}}
	for _, e := range g.el {
		if n := len(m.g.el); e != elemStar || n == 0 || m.g.el[n-1] != elemStar {
			m.g.el = append(m.g.el, e)
		}
	}
	m.states(len(m.g.el) + 2)
	for p := range len(m.g.el) + 1 {
		m.Accept[p] = p == len(m.g.el) || p == len(m.g.el)-1 && m.star(p)
	}
	m.Accept[m.g.over()] = true
	m.edge(m.g.over(), everything, m.g.over())
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

func (m *holeMachine) star(p int) bool { return p >= 0 && p < len(m.g.el) && m.g.el[p] == elemStar }

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
	case p == len(m.g.el) && m.g.tail != 0:
		return m.runes(m.g.tail), m.g.over(), true
	case p >= len(m.g.el) || m.g.el[p] == elemStar:
		return set, 0, false
	case m.g.el[p] == elemOne:
		return anyRune, p + 1, true
	}
	return m.runes(m.g.el[p]), p + 1, true
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

// caseless lists the characters that foldRune maps to r.
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
