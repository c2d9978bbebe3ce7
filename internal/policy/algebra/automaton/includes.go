package automaton

import (
	"slices"
	"strings"
)

// Includes reports whether each text of a universe that want matches is matched by one of
// have, and where not, the shortest that is not. A nil machine matches every text. complete
// is false where more than budget states would have to be visited: then nothing is known.
// It is for few and small machines; for many there is Search.
func Includes(u Universe, have []*Machine, want *Machine, budget int) (text []Symbol, included, complete bool) {
	if slices.Contains(have, nil) {
		return nil, true, true
	}
	if want == nil {
		all := Edge{Set{Except: true, Marks: true}, 0}
		want = &Machine{Edges: [][]Edge{{all}}, Start: []int{0}, Accept: []bool{true}}
	}
	in := inclusion{universe: u, have: have, want: want}
	in.nodes, in.states = make([]pair, 0, fewPairs), make([]int64, 0, 2*fewPairs)
	in.begin()
	for at := 0; at < len(in.nodes); at++ {
		n := in.nodes[at]
		switch {
		case at >= budget:
			return nil, false, false
		case want.Accept[n.want] && u.Accepts(n.universe) && !in.matched(n):
			return in.text(at), false, true
		}
		for i := range want.Edges[n.want] {
			in.follow(int32(at), &want.Edges[n.want][i])
		}
	}
	return nil, true, true
}

// Shortest is the shortest text of a universe that a machine matches. ok is false if
// it matches none; complete is as in Includes.
func Shortest(u Universe, m *Machine, budget int) (text []Symbol, ok, complete bool) {
	text, included, complete := Includes(u, nil, m, budget)
	return text, complete && !included, complete
}

type inclusion struct {
	universe Universe
	have     []*Machine
	want     *Machine
	nodes    []pair  // what texts lead to, the shortest first
	states   []int64 // of have, of all nodes one after the other: machine<<32 | state
	table    table   // of the nodes, once there are more than a few
	named    []Symbol
}

// A pair is a state of want and all the states of have that one text leads to.
type pair struct {
	universe     int
	want         int32
	first, after int32 // in states
	from         int32
	by           Symbol
}

// fewPairs is how many nodes are compared one by one.
const fewPairs = 32

func (in *inclusion) begin() {
	for _, q := range in.want.Start {
		first := len(in.states)
		for i, m := range in.have {
			for _, s := range m.Start {
				in.states = append(in.states, int64(i)<<32|int64(s))
			}
		}
		in.visit(pair{0, int32(q), int32(first), 0, -1, 0})
	}
}

func (in *inclusion) edges(s int64) []Edge { return in.have[s>>32].Edges[int32(s)] }

func (in *inclusion) matched(n pair) bool {
	return slices.ContainsFunc(in.states[n.first:n.after], func(s int64) bool { return in.have[s>>32].Accept[int32(s)] })
}

// text is what leads to a node.
func (in *inclusion) text(at int) (text []Symbol) {
	for ; in.nodes[at].from >= 0; at = int(in.nodes[at].from) {
		text = append(text, in.nodes[at].by)
	}
	slices.Reverse(text)
	return text
}

// visit adds a node, if it is new. Its states of have are the last ones.
func (in *inclusion) visit(n pair) {
	states := in.states[n.first:]
	slices.Sort(states)
	states = slices.Compact(states)
	n.after = n.first + int32(len(states))
	if slices.ContainsFunc(states, in.whole) || in.known(n, states) {
		in.states = in.states[:n.first]
		return
	}
	in.states, in.nodes = in.states[:n.after], append(in.nodes, n)
}

// whole reports whether it is plain that a state matches whatever goes on.
func (in *inclusion) whole(s int64) bool {
	loops := func(e Edge) bool {
		return e.To == int(int32(s)) && e.Set.Except && e.Set.Marks && len(e.Set.Listed) == 0
	}
	return in.have[s>>32].Accept[int32(s)] && slices.ContainsFunc(in.edges(s), loops)
}

// known reports whether a node was visited.
func (in *inclusion) known(n pair, states []int64) bool {
	is := func(i int32) bool {
		m := &in.nodes[i]
		return m.want == n.want && m.universe == n.universe && slices.Equal(in.states[m.first:m.after], states)
	}
	if len(in.nodes) < fewPairs {
		for i := range in.nodes {
			if is(int32(i)) {
				return true
			}
		}
		return false
	}
	for i := len(in.table.hash); i < len(in.nodes); i++ {
		m := &in.nodes[i]
		in.table.add(in.hash(m, in.states[m.first:m.after]), int32(i))
	}
	_, known := in.table.find(in.hash(&n, states), is)
	return known
}

func (in *inclusion) hash(n *pair, states []int64) uint64 {
	h := mix(uint64(n.universe), uint64(n.want))
	for _, s := range states {
		h = mix(h, uint64(s))
	}
	return h
}

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
