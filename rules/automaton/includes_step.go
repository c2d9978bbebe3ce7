package automaton

import (
	"slices"
	"strings"
)

// follow visits what the symbols of an edge of want lead to: where it reads all but some,
// one of each pool that no edge lists, those that one does, and marks.
func (in *inclusion) follow(at int32, e *Edge) {
	n := in.nodes[at]
	if !e.Set.Except {
		for _, r := range e.Set.Listed {
			if r >= 0 || slices.Contains(in.universe.Marks(n.universe), r) {
				in.step(at, e.To, r)
			}
		}
		return
	}
	in.named = append(in.named[:0], e.Set.Listed...)
	for _, s := range in.states[n.first:n.after] {
		for i, edges := 0, in.edges(s); i < len(edges); i++ {
			in.named = append(in.named, edges[i].Set.Listed...)
		}
	}
	slices.Sort(in.named)
	in.named = slices.Compact(in.named)
	unnamed := func(r rune) bool { _, is := slices.BinarySearch(in.named, r); return !is }
	for _, pool := range in.universe.Pools(n.universe) {
		if i := strings.IndexFunc(pool, unnamed); i >= 0 {
			in.step(at, e.To, []rune(pool[i:])[0])
		}
	}
	for _, r := range append(in.named, in.universe.Marks(n.universe)...) {
		if e.Set.Has(r) && (r >= 0 || slices.Contains(in.universe.Marks(n.universe), r)) {
			in.step(at, e.To, r)
		}
	}
}

// step visits what a symbol leads to from a node.
func (in *inclusion) step(at int32, want int, r Symbol) {
	n := in.nodes[at]
	u, ok := in.universe.Next(n.universe, r)
	if !ok {
		return
	}
	first := len(in.states)
	for i := n.first; i < n.after; i++ {
		s := in.states[i]
		for j, edges := 0, in.edges(s); j < len(edges); j++ {
			if e := &edges[j]; e.Set.Has(r) {
				in.states = append(in.states, s>>32<<32|int64(e.To))
			}
		}
	}
	in.visit(pair{u, int32(want), int32(first), 0, at, r})
}
