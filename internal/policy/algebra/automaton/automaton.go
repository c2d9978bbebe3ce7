// Package automaton says whether the texts that some patterns match are matched by
// others as well, and finds the shortest that are not. It knows texts and sets of
// symbols only: what a rule matches is compiled in package algebra.
package automaton

import (
	"math/bits"
	"slices"
)

// A Symbol is a rune of a text, a byte that is no UTF-8 (above utf8.MaxRune), or below
// zero a mark: a part of a text that is not known, or what package algebra says of it.
type Symbol = rune

// The marks.
const (
	Single Symbol = -1 - iota // some text inside one word
	Any                       // any number of words, none included
	Tree                      // at the end of a path: it is taken away with all below it
)

// A Set is the symbols that an edge reads: those listed, or with Except all runes but
// those. Marks are read only where they are listed, or with Marks, by which an edge of
// Except reads every mark as well.
type Set struct {
	Listed []Symbol // sorted
	Except bool
	Marks  bool
}

// Rune is the set of one symbol, or of several that count as the same.
func Rune(r ...Symbol) Set {
	slices.Sort(r)
	return Set{Listed: slices.Compact(r)}
}

// AllBut is the set of all runes but some.
func AllBut(r ...Symbol) Set {
	s := Rune(r...)
	s.Except = true
	return s
}

// Has reports whether a symbol is in the set.
func (s *Set) Has(r Symbol) bool {
	_, listed := slices.BinarySearch(s.Listed, r)
	if !s.Except {
		return listed
	}
	return !listed && (r >= 0 || s.Marks)
}

// An Edge leads to a state over one symbol of Set.
type Edge struct {
	Set Set
	To  int
}

// A Machine is a nondeterministic automaton without empty moves. It matches the texts
// that lead from a state of Start to one of Accept.
type Machine struct {
	Edges  [][]Edge // by state
	Start  []int
	Accept []bool // by state
}

// A Universe is which texts there are: a deterministic automaton. States are small
// numbers, of which 0 is the first.
type Universe interface {
	// Next is the state after one more symbol; false where no text goes on so.
	Next(state int, r Symbol) (next int, ok bool)
	// Accepts reports whether a text may end in a state.
	Accepts(state int) bool
	// Pools lists symbols that may follow in a state, in groups: those of one group lead
	// to the same state. A search tries one symbol of each group that no pattern names,
	// the first that there is, and those that patterns name.
	Pools(state int) []string
	// Marks lists the marks that may follow in a state.
	Marks(state int) []Symbol
}

// A Builder makes a Machine. Empty moves are taken out at the end.
type Builder struct {
	m     Machine
	empty [][]int
}

// State adds a state.
func (b *Builder) State() int {
	b.m.Edges, b.m.Accept, b.empty = append(b.m.Edges, nil), append(b.m.Accept, false), append(b.empty, nil)
	return len(b.empty) - 1
}

// Start makes a state one that texts begin in.
func (b *Builder) Start(s int) { b.m.Start = append(b.m.Start, s) }

// Accept makes a state one that texts may end in.
func (b *Builder) Accept(s int) { b.m.Accept[s] = true }

// Edge leads from one state to another over a symbol of a set.
func (b *Builder) Edge(from int, set Set, to int) {
	b.m.Edges[from] = append(b.m.Edges[from], Edge{set, to})
}

// Next adds a state that an edge leads to.
func (b *Builder) Next(from int, set Set) int {
	to := b.State()
	b.Edge(from, set, to)
	return to
}

// Empty leads from one state to another over nothing.
func (b *Builder) Empty(from, to int) { b.empty[from] = append(b.empty[from], to) }

// Machine is what was built so far. It shares nothing that the Builder still changes.
func (b *Builder) Machine() *Machine {
	out := &Machine{Edges: make([][]Edge, len(b.empty)), Accept: slices.Clone(b.m.Accept), Start: slices.Clone(b.m.Start)}
	var seen []int32 // by state, 1 plus that whose closure it was last found in
	for s := range b.empty {
		if len(b.empty[s]) == 0 {
			out.Edges[s] = slices.Clip(b.m.Edges[s])
			continue
		}
		if seen == nil {
			seen = make([]int32, len(b.empty))
		}
		for _, t := range b.closure(s, seen) {
			out.Edges[s] = append(out.Edges[s], b.m.Edges[t]...)
			out.Accept[s] = out.Accept[s] || b.m.Accept[t]
		}
	}
	return out
}

// closure is what empty moves lead to from a state, that included.
func (b *Builder) closure(s int, seen []int32) []int {
	states := []int{s}
	seen[s] = int32(s + 1)
	for i := 0; i < len(states); i++ {
		for _, t := range b.empty[states[i]] {
			if seen[t] != int32(s+1) {
				seen[t] = int32(s + 1)
				states = append(states, t)
			}
		}
	}
	return states
}

// Intersect is the machine of the texts that both match.
func Intersect(a, b *Machine) *Machine {
	type pair struct{ a, b int }
	var out Builder
	var pairs []pair
	state := map[pair]int{}
	of := func(p pair) int {
		s, known := state[p]
		if !known {
			s = out.State()
			state[p], pairs = s, append(pairs, p)
		}
		return s
	}
	for _, s := range a.Start {
		for _, t := range b.Start {
			out.Start(of(pair{s, t}))
		}
	}
	for i := 0; i < len(pairs); i++ { // the i-th pair is state i
		p := pairs[i]
		if a.Accept[p.a] && b.Accept[p.b] {
			out.Accept(i)
		}
		for _, e := range a.Edges[p.a] {
			for _, f := range b.Edges[p.b] {
				if set := e.Set.And(&f.Set); set.Except || len(set.Listed) > 0 {
					out.Edge(i, set, of(pair{e.To, f.To}))
				}
			}
		}
	}
	return out.Machine()
}

// And is the symbols that are in both sets.
func (s *Set) And(t *Set) Set {
	if s.Except && !t.Except {
		s, t = t, s
	}
	if s.Except { // neither
		out := AllBut(append(append([]Symbol(nil), s.Listed...), t.Listed...)...)
		out.Marks = s.Marks && t.Marks
		return out
	}
	var both []Symbol
	for _, r := range s.Listed {
		if t.Has(r) {
			both = append(both, r)
		}
	}
	return Set{Listed: both}
}

// After is the machine of what follows a text in the texts that one matches.
func After(m *Machine, text ...Symbol) *Machine {
	at := m.Start
	for _, r := range text {
		var next []int
		for _, s := range at {
			for _, e := range m.Edges[s] {
				if e.Set.Has(r) && !slices.Contains(next, e.To) {
					next = append(next, e.To)
				}
			}
		}
		at = next
	}
	return &Machine{Edges: m.Edges, Start: at, Accept: m.Accept}
}

// An interned keeps lists of numbers, each one once and by number.
type interned struct {
	lists [][]int32
	table table
	free  []int32 // room for further lists
}

// number is the number of a list, and whether it is a new one.
func (in *interned) number(list []int32) (id int32, added bool) {
	h := hash(list)
	id, ok := in.table.find(h, func(id int32) bool { return slices.Equal(in.lists[id], list) })
	if ok {
		return id, false
	}
	if len(in.free) < len(list) {
		in.free = make([]int32, max(1<<12, len(list)))
	}
	kept := in.free[:len(list):len(list)]
	in.free = in.free[copy(kept, list):]
	in.lists = append(in.lists, kept)
	id = int32(len(in.lists) - 1)
	in.table.add(h, id)
	return id, true
}

func hash(list []int32) uint64 {
	h := uint64(len(list))
	for _, n := range list {
		h = mix(h, uint64(n))
	}
	return h
}

// mix is a hash with one more number.
func mix(h, n uint64) uint64 {
	hi, lo := bits.Mul64(h^n, 0x9e3779b97f4a7c15)
	return hi ^ lo ^ 0xd6e8feb86659fd93
}

// A table finds things by hash: numbers counted from 0, each added once.
type table struct {
	heads []int32 // by the low bits of the hash: the latest number, plus 1
	next  []int32 // by number: the one before with the same low bits, plus 1
	hash  []uint64
}

// find is the thing of a hash that is the one looked for.
func (t *table) find(hash uint64, is func(int32) bool) (id int32, ok bool) {
	if len(t.heads) == 0 {
		return 0, false
	}
	for i := t.heads[hash&uint64(len(t.heads)-1)]; i > 0; i = t.next[i-1] {
		if t.hash[i-1] == hash && is(i-1) {
			return i - 1, true
		}
	}
	return 0, false
}

// add takes in the next number.
func (t *table) add(hash uint64, id int32) {
	t.hash, t.next = append(t.hash, hash), append(t.next, 0)
	if len(t.hash) <= len(t.heads) {
		t.link(id)
		return
	}
	t.heads = make([]int32, max(64, 2*len(t.heads)))
	for i := range t.hash {
		t.link(int32(i))
	}
}

func (t *table) link(id int32) {
	head := &t.heads[t.hash[id]&uint64(len(t.heads)-1)]
	t.next[id], *head = *head, id+1
}
