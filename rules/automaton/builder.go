package automaton

import "slices"

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
