package automaton

import "slices"

// manyWhole is how many states are looked at to see that every text matches that goes on
// from one. Where there are more, that is not seen, and all is searched that goes on.
const manyWhole = 16

// wholeFrom reports whether every text matches that goes on from a state that accepts: of
// the states that accept and that it leads to, there are some from each of which each
// symbol leads to one of them, and it is one.
func (g *graph) wholeFrom(m *Machine, s int) bool {
	var room [manyWhole]int
	list := append(room[:0], s)
	for i := 0; i < len(list); i++ {
		for j := range m.Edges[list[i]] {
			to := m.Edges[list[i]][j].To
			if !m.Accept[to] || slices.Contains(list, to) {
				continue
			}
			if len(list) == manyWhole {
				return false
			}
			list = append(list, to)
		}
		if i == 0 && !slices.ContainsFunc(m.Edges[s], func(e Edge) bool { return e.Set.Except && m.Accept[e.To] }) {
			return false
		}
	}
	var gone [manyWhole]bool
	in := func(t int) bool { i := slices.Index(list, t); return i >= 0 && !gone[i] }
	for more := true; more && !gone[0]; {
		more = false
		for i, t := range list {
			if !gone[i] && !g.covered(m.Edges[t], in) {
				gone[i], more = true, true
			}
		}
	}
	return !gone[0]
}

// covered reports whether each symbol that texts have leads to one of some states.
func (g *graph) covered(edges []Edge, in func(int) bool) bool {
	i := slices.IndexFunc(edges, func(e Edge) bool { return e.Set.Except && in(e.To) })
	if i < 0 {
		return false
	}
	missing := func(r Symbol) bool {
		reads := func(e Edge) bool { return e.Set.Has(r) && in(e.To) }
		return !slices.ContainsFunc(edges, reads) && g.texts.has(r)
	}
	return !slices.ContainsFunc(edges[i].Set.Listed, missing) && !missing(Single) && !missing(Any) && !missing(Tree)
}
