package automaton

import (
	"cmp"
	"slices"
	"strings"
)

// A walk is one run of a search: its nodes are what texts lead to.
type walk struct {
	*Prepared
	only  []int // patterns of which one has to match; nil where none has to
	nodes []node
	next  [][]int32 // nodes to be looked at, by the length their texts will have at least
	seen  map[place]int32
	moves map[move]settled
	far   map[int][]int32 // by pattern of only and state, see missing

	effects *effects
	front   front
}

// A node is where a text leads to, and the text by its last symbol and the node before.
type node struct {
	place
	from   int32
	by     Symbol
	length int32
}

// A place is what decides about a text and all that goes on from it.
type place struct {
	move
	universe int
}

// A move is to a set of states, knowing which lists match whatever goes on.
type move struct {
	set    int32
	always Lists
	mine   bool // one of the patterns that have to match does, whatever goes on
}

// A settled move is without the patterns that no longer matter.
type settled struct {
	move
	far int32 // how many symbols are missing at least; never where nothing is wanted
}

func newWalk(p *Prepared, only []int, e *effects) *walk {
	w := &walk{Prepared: p, only: only, effects: e, front: front{},
		seen: map[place]int32{}, moves: map[move]settled{}, far: map[int][]int32{}}
	mine := only == nil || slices.ContainsFunc(only, func(i int) bool { return slices.Contains(p.sets.all, i) })
	w.visit(w.settle(move{0, p.always, mine}), 0, -1, 0)
	return w
}

// pop is the next node: texts that it can lead to are the shortest of those not seen.
func (w *walk) pop() (at int32, ok bool) {
	for i := range w.next {
		for len(w.next[i]) > 0 {
			at, w.next[i] = w.next[i][0], w.next[i][1:]
			if n := &w.nodes[at]; w.seen[n.place] == n.length {
				return at, true
			}
		}
	}
	return 0, false
}

// visit adds a place, if it is hopeful and no text as short leads there.
func (w *walk) visit(m settled, universe int, from int32, by Symbol) {
	n := node{place{m.move, universe}, from, by, 0}
	if from >= 0 {
		n.length = w.nodes[from].length + 1
	}
	if length, known := w.seen[n.place]; m.far == never || known && length <= n.length {
		return
	}
	w.seen[n.place] = n.length
	w.nodes = append(w.nodes, n)
	for int(n.length+m.far) >= len(w.next) {
		w.next = append(w.next, nil)
	}
	w.next[n.length+m.far] = append(w.next[n.length+m.far], int32(len(w.nodes)-1))
}

// follow visits all places one symbol after a node: one of each pool that no pattern
// names, then those that patterns name, capitals last, then marks.
func (w *walk) follow(at int32) {
	n := w.nodes[at]
	a := w.sets.steps(n.set)
	if rest := w.settle(move{a.over(noRune), n.always, n.mine}); rest.far < never {
		for _, pool := range w.universe.Pools(n.universe) {
			named := func(r rune) bool { _, is := slices.BinarySearch(a.named, r); return is }
			if i := strings.IndexFunc(pool, func(r rune) bool { return !named(r) }); i >= 0 {
				w.try(at, rest, []rune(pool[i:])[0])
			}
		}
	}
	for _, capitals := range [...]bool{false, true} {
		for i, r := range a.named {
			if r >= 0 && r != noRune && (r >= 'A' && r <= 'Z') == capitals {
				w.try(at, w.settle(move{a.to[i], n.always, n.mine}), r)
			}
		}
	}
	for _, r := range w.universe.Marks(n.universe) {
		w.try(at, w.settle(move{a.over(r), n.always, n.mine}), r)
	}
}

func (w *walk) try(at int32, m settled, r Symbol) {
	if m.far == never {
		return
	}
	if u, ok := w.universe.Next(w.nodes[at].universe, r); ok {
		w.visit(m, u, at, r)
	}
}

// found is the text that leads to a node, with all that matches it.
func (w *walk) found(at int32) Found {
	f := Found{Patterns: slices.Clone(w.sets.all)}
	for i := at; w.nodes[i].from >= 0; i = w.nodes[i].from {
		f.Text = append(f.Text, w.nodes[i].by)
	}
	slices.Reverse(f.Text)
	set := int32(0)
	for _, r := range f.Text {
		f.Patterns = w.sets.matched(f.Patterns, set, false)
		set = w.sets.steps(set).over(r)
	}
	f.Patterns = w.sets.matched(f.Patterns, set, true)
	slices.Sort(f.Patterns)
	f.Patterns = slices.Compact(f.Patterns)
	for _, i := range f.Patterns {
		f.Lists |= w.sets.lists[i]
	}
	return f
}

// after is the sets that one more symbol leads to.
type after struct {
	named []Symbol // noMark, the symbols that edges from the set list, noRune; sorted
	to    []int32  // by index in named
}

// over is the set that a symbol leads to.
func (a *after) over(r Symbol) int32 {
	i, named := slices.BinarySearch(a.named, r)
	switch {
	case named:
		return a.to[i]
	case r < 0:
		return a.to[0]
	default:
		return a.to[len(a.to)-1]
	}
}

// steps is what leads on from a set: worked out once.
func (s *sets) steps(set int32) *after {
	if s.after[set] != nil {
		return s.after[set]
	}
	parts := s.sets.lists[set]
	n, _ := slices.BinarySearch(parts, 0) // the chunks come first
	s.spread.fill(s, parts[n:])
	named := slices.Clone(s.spread.named)
	for _, chunk := range parts[:n] {
		named = append(named, s.chunk(chunk).named...)
	}
	if n > 0 {
		slices.Sort(named)
		named = slices.Compact(named)
	}
	a := &after{named: named, to: make([]int32, len(named))}
	for i, r := range named {
		s.to = append(s.to[:0], s.spread.over(r)...)
		for _, chunk := range parts[:n] {
			s.to = append(s.to, s.chunk(chunk).over(r)...)
		}
		a.to[i] = s.set(s.to)
	}
	s.kept += 2*len(a.named) + 16
	s.after[set] = a
	return a
}

// chunk is what leads on from a chunk: worked out once.
func (s *sets) chunk(part int32) *spread {
	i := -1 - part
	if s.spreads[i] == nil {
		p := &spread{}
		p.fill(s, s.chunks.lists[i])
		p.ones, p.groups, p.list = nil, nil, nil
		s.spreads[i], s.kept = p, s.kept+2*len(p.named)+cap(p.parts)+32
	}
	return s.spreads[i]
}

// settle works out a move: patterns that match whatever goes on add to what always
// matches, and those that no longer matter are taken out of the set.
func (w *walk) settle(m move) settled {
	out, known := w.moves[m]
	if known {
		return out
	}
	out.move = m
	whole := w.sets.inSet[m.set].whole
	if whole {
		w.absorb(&out.move)
	}
	out.far = w.distance(out.move)
	if out.far < never && (whole || m.set == 0) {
		out.set = w.drop(out.move)
		out.far = w.distance(out.move)
	}
	w.moves[m] = out
	return out
}

// absorb adds the patterns of a set that match whatever goes on.
func (w *walk) absorb(m *move) {
	s := w.sets
	parts := s.sets.lists[m.set]
	for i := range parts {
		if !s.fact(parts[i]).whole {
			continue
		}
		for _, q := range s.states(parts, i) {
			if p := s.owner[q]; s.whole[q] {
				m.always |= s.lists[p]
				m.mine = m.mine || slices.Contains(w.only, int(p))
			}
		}
	}
}

// drop is a set without the patterns that are only on lists that match in any case.
func (w *walk) drop(m move) int32 {
	s := w.sets
	gone := uint64(1) << manyKinds // the classes that patterns to be dropped may have
	for class, lists := range s.kinds {
		if lists&^m.always == 0 || w.effects.none&(1<<class) != 0 {
			gone |= 1 << class
		}
	}
	var left []int32
	parts := s.sets.lists[m.set]
	for i := range parts {
		if s.fact(parts[i]).classes&gone == 0 {
			left = append(left, parts[i])
			continue
		}
		var states []int32
		for _, q := range s.states(parts, i) {
			p := s.owner[q]
			matters := s.lists[p]&^m.always != 0 && w.effects.none&(1<<s.class[p]) == 0
			if matters || !m.mine && slices.Contains(w.only, int(p)) {
				states = append(states, q)
			}
		}
		left = append(left, s.bundle(states)...)
	}
	return s.set(left)
}

// A rune or mark that no edge lists represents all others that none lists.
const (
	noRune Symbol = 1 << 30
	noMark Symbol = -noRune
)

// A spread is the parts that one more symbol leads to from some states.
type spread struct {
	named []Symbol // noMark, the symbols that edges list, noRune; sorted
	parts []int32
	ends  []int32 // by index in named, where its parts end

	ones   []one // what it is made of: the edges over one symbol
	groups []group
	list   []int32
}

// A one is an edge over one symbol.
type one struct {
	by Symbol
	to int32
}

// A group is the edges that read all but the same symbols.
type group struct {
	set *Set
	to  []int32
}

// over is the parts that a symbol leads to.
func (p *spread) over(r Symbol) []int32 {
	i, named := slices.BinarySearch(p.named, r)
	switch {
	case named:
	case r < 0:
		i = 0
	default:
		i = len(p.named) - 1
	}
	if i == 0 {
		return p.parts[:p.ends[0]]
	}
	return p.parts[p.ends[i-1]:p.ends[i]]
}

// fill works out what leads on from some states.
func (p *spread) fill(s *sets, states []int32) {
	p.gather(&s.graph, states)
	s.work -= len(p.ones)
	p.parts, p.ends = p.parts[:0], p.ends[:0]
	for i := range p.groups {
		p.groups[i].to = s.bundle(p.groups[i].to)
	}
	ones := p.ones
	for _, r := range p.named {
		p.list = p.list[:0]
		for len(ones) > 0 && ones[0].by == r {
			p.list = append(p.list, ones[0].to)
			ones = ones[1:]
		}
		p.parts = append(p.parts, s.bundle(p.list)...)
		for i := range p.groups {
			if p.groups[i].set.Has(r) {
				p.parts = append(p.parts, p.groups[i].to...)
			}
		}
		p.ends = append(p.ends, int32(len(p.parts)))
	}
}

// gather collects the edges from some states.
func (p *spread) gather(g *graph, states []int32) {
	p.ones, p.groups, p.named = p.ones[:0], p.groups[:0], append(p.named[:0], noMark, noRune)
	for _, q := range states {
		edges, to := g.edges(q)
		for i := range edges {
			p.add(&edges[i].Set, to[i])
		}
	}
	slices.SortFunc(p.ones, func(a, b one) int { return cmp.Compare(a.by, b.by) })
	for i, o := range p.ones {
		if i == 0 || o.by != p.ones[i-1].by {
			p.named = append(p.named, o.by)
		}
	}
	for i := range p.groups {
		p.named = append(p.named, p.groups[i].set.Listed...)
	}
	slices.Sort(p.named)
	p.named = slices.Compact(p.named)
}

// manyGroups is how many groups an edge is compared with.
const manyGroups = 32

// add takes in an edge.
func (p *spread) add(set *Set, to int32) {
	if !set.Except {
		for _, r := range set.Listed {
			p.ones = append(p.ones, one{r, to})
		}
		return
	}
	for i := range p.groups[:min(len(p.groups), manyGroups)] {
		if g := &p.groups[i]; g.set.Marks == set.Marks && slices.Equal(g.set.Listed, set.Listed) {
			g.to = append(g.to, to)
			return
		}
	}
	if n := len(p.groups); n < cap(p.groups) { // its room is used again
		p.groups = p.groups[:n+1]
		p.groups[n].set, p.groups[n].to = set, append(p.groups[n].to[:0], to)
		return
	}
	p.groups = append(p.groups, group{set, []int32{to}})
}
