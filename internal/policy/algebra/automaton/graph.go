package automaton

import (
	"slices"
)

// A graph is the machines of many patterns as one. States are numbered once a text leads
// to them: most states of most patterns never are.
type graph struct {
	machines []*Machine // by pattern
	all      []int      // patterns without one: they match every text
	start    []int32

	owner  []int32 // by number, the pattern
	state  []int32 // by number, the state of its machine
	accept []bool  // by number
	// whole says of which states every text matches that goes on from there. All of
	// one pattern have one number; what leads on from there is not asked.
	whole []bool
	to    [][]int32 // by number, where the edges of the state lead; nil as long as it was not needed
	of    [][]int32 // by pattern, its numbers
	known table
	size  int // in numbers
	texts *offers
}

// stateSize is how many numbers a state takes.
const stateSize = 20

// add takes in the machine of the next pattern.
func (g *graph) add(m *Machine) {
	if m == nil {
		g.all = append(g.all, len(g.machines))
	}
	g.machines = append(g.machines, m)
}

// renumber forgets all states but those that texts start from.
func (g *graph) renumber() {
	*g = graph{machines: g.machines, all: g.all, texts: g.texts, of: make([][]int32, len(g.machines))}
	for pattern, m := range g.machines {
		if m == nil {
			continue
		}
		for _, s := range m.Start {
			g.start = append(g.start, g.number(pattern, s))
		}
	}
}

// number is the number of a state of the machine of a pattern.
func (g *graph) number(pattern, s int) int32 {
	id, ok := g.find(pattern, s)
	if ok {
		return id
	}
	m := g.machines[pattern]
	whole := m.Accept[s] && g.wholeFrom(m, s)
	if whole {
		s = -1
		if id, ok := g.find(pattern, s); ok {
			return id
		}
	}
	id = int32(len(g.owner))
	g.owner, g.state, g.to = append(g.owner, int32(pattern)), append(g.state, int32(s)), append(g.to, nil)
	g.accept, g.whole = append(g.accept, whole || m.Accept[s]), append(g.whole, whole)
	g.of[pattern] = append(g.of[pattern], id)
	g.size += stateSize
	g.known.add(mix(uint64(pattern), uint64(s)), id)
	return id
}

func (g *graph) find(pattern, s int) (id int32, ok bool) {
	is := func(id int32) bool { return int(g.owner[id]) == pattern && int(g.state[id]) == s }
	return g.known.find(mix(uint64(pattern), uint64(s)), is)
}

// edges is what leads on from a state, and the numbers of what each edge leads to.
func (g *graph) edges(q int32) ([]Edge, []int32) {
	if g.whole[q] {
		return nil, nil
	}
	pattern := int(g.owner[q])
	edges := g.machines[pattern].Edges[g.state[q]]
	if g.to[q] == nil && len(edges) > 0 {
		to := make([]int32, len(edges))
		g.size += len(edges)
		for i := range edges {
			to[i] = g.number(pattern, edges[i].To)
		}
		g.to[q] = to
	}
	return edges, g.to[q]
}

// never is a distance that no text has.
const never = 1 << 30

// distances says of each state of a machine how many symbols are missing at least until it
// matches, of those that texts have.
func (g *graph) distances(m *Machine) []int32 {
	out := make([]int32, len(m.Edges))
	read := func(s *Set) bool { return s.Except || slices.ContainsFunc(s.Listed, g.texts.has) }
	for s := range out {
		if out[s] = never; m.Accept[s] {
			out[s] = 0
		}
	}
	for more := true; more; {
		more = false
		for s := len(out) - 1; s >= 0; s-- {
			for i := range m.Edges[s] {
				if d := out[m.Edges[s][i].To] + 1; d < out[s] && read(&m.Edges[s][i].Set) {
					out[s], more = d, true
				}
			}
		}
	}
	return out
}

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

// Effects say of each class of patterns, as a bit of its number, what it makes of a text
// that one of the patterns that have to match does, whether one of the class does, too.
type effects struct {
	known  bool    // else nothing is said
	none   uint64  // makes no difference
	grants uint64  // a text may become wanted by it, and none is no longer
	takes  uint64  // a text may be no longer wanted by it, and none becomes so
	mine   uint64  // has patterns that have to match
	own    []Lists // of those; nil where none has to
	unions []Lists
	ranks  map[[2]Lists]bool
}

// effects are worked out once for the Lists of the patterns that have to match.
func (p *Prepared) effects(only []int) *effects {
	e := &effects{ranks: map[[2]Lists]bool{}}
	for _, i := range only {
		if l := p.sets.lists[i]; !slices.Contains(e.own, l) {
			e.own = append(e.own, l)
		}
		e.mine |= 1 << p.sets.class[i]
	}
	for _, other := range p.effected {
		if slices.Equal(other.own, e.own) {
			return other
		}
	}
	p.effected = append(p.effected, e)
	if slices.Contains(p.sets.class, manyKinds) {
		return e
	}
	e.unions, e.known = p.unions(hope{p.always, 1<<len(p.sets.kinds) - 1})
	for class, lists := range p.sets.kinds {
		grants, takes := !e.known, !e.known
		for _, l := range e.unions {
			if e.may(l) {
				without, with := p.wanted(l), p.wanted(l|lists)
				grants, takes = grants || with && !without, takes || without && !with
			}
		}
		switch bit := uint64(1) << class; {
		case !grants && !takes:
			e.none |= bit
		case !takes:
			e.grants |= bit
		case !grants && e.mine&bit == 0:
			e.takes |= bit
		}
	}
	return e
}

// may reports whether Lists are of a text that one of the patterns that have to match may
// match.
func (e *effects) may(l Lists) bool {
	return e.own == nil || slices.ContainsFunc(e.own, func(own Lists) bool { return own&^l == 0 })
}

// better reports whether all texts stay wanted where they are known to be on some lists
// instead of others.
func (w *walk) better(these, those Lists) bool {
	if these == those {
		return true
	}
	key := [2]Lists{these, those}
	is, known := w.effects.ranks[key]
	if !known {
		worse := func(l Lists) bool { return w.effects.may(l|those) && w.wanted(l|those) && !w.wanted(l|these) }
		is = !slices.ContainsFunc(w.effects.unions, worse)
		w.effects.ranks[key] = is
	}
	return is
}

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
