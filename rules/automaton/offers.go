package automaton

import "slices"

// maxTexts is how many states of a universe are looked at to see which symbols its texts
// have. Where there are more, they may have any.
const maxTexts = 1024

// offers is the symbols that texts of a search have: those that lead from a state of
// the universe that a search of these patterns can come to.
type offers struct {
	universe Universe
	patterns []Pattern
	states   []int // of the universe, nil as long as they were not needed
	known    map[Symbol]bool
}

// has reports whether a text may have a symbol.
func (o *offers) has(r Symbol) bool {
	if o.known == nil {
		o.known = map[Symbol]bool{}
		o.visit()
	}
	is, known := o.known[r]
	if !known {
		is = len(o.states) >= maxTexts || slices.ContainsFunc(o.states, func(u int) bool { return o.follows(u, r) })
		o.known[r] = is
	}
	return is
}

// follows reports whether a symbol may follow in a state: a mark only where it is listed.
func (o *offers) follows(u int, r Symbol) bool {
	if r < 0 && !slices.Contains(o.universe.Marks(u), r) {
		return false
	}
	_, ok := o.universe.Next(u, r)
	return ok
}

// visit lists the states of the universe that the symbols of its pools, its marks and
// the symbols that patterns name lead to.
func (o *offers) visit() {
	named := o.named()
	seen := map[int]bool{0: true}
	o.states = []int{0}
	for i := 0; i < len(o.states) && len(o.states) < maxTexts; i++ {
		u := o.states[i]
		symbols := append(named, o.universe.Marks(u)...)
		for _, pool := range o.universe.Pools(u) {
			symbols = append(symbols, []rune(pool)...)
		}
		for _, r := range symbols {
			next, ok := o.universe.Next(u, r)
			if ok && !seen[next] {
				seen[next] = true
				o.states = append(o.states, next)
			}
		}
	}
}

func (o *offers) named() []Symbol {
	names := map[Symbol]bool{}
	for _, p := range o.patterns {
		if p.Machine == nil {
			continue
		}
		for _, edges := range p.Machine.Edges {
			for i := range edges {
				for _, r := range edges[i].Set.Listed {
					names[r] = r >= 0
				}
			}
		}
	}
	var out []Symbol
	for r, is := range names {
		if is {
			out = append(out, r)
		}
	}
	return slices.Clip(out)
}
