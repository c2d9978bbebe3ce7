package automaton

import "slices"

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
