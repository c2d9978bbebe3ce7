package automaton

import "slices"

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
