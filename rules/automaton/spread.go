package automaton

import (
	"cmp"
	"slices"
)

// What no edge lists stands for all the runes and marks that none lists.
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
