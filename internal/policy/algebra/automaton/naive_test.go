package automaton

import (
	"encoding/binary"
	"slices"
	"strings"
)

// naive is Run as it is written down most plainly: nothing is left out, nothing is kept.
func (s *Search) naive(found func(Found) bool) (complete bool) {
	type node struct {
		live     []int64 // pattern<<32 | state, sorted
		universe int
		from     int
		by       Symbol
	}
	var always Lists
	start := node{from: -1}
	for i, p := range s.Patterns {
		if p.Machine == nil {
			always |= p.Lists
			continue
		}
		for _, q := range p.Machine.Start {
			start.live = append(start.live, int64(i)<<32|int64(q))
		}
	}
	slices.Sort(start.live)
	nodes := []node{start}
	seen := map[string]bool{}
	for at := 0; at < len(nodes); at++ {
		if at >= s.Budget {
			return false
		}
		n := nodes[at]
		if lists, which := s.naiveAccepted(n.live); s.Universe.Accepts(n.universe) && s.Wanted(lists|always) {
			var text []Symbol
			for i := at; nodes[i].from >= 0; i = nodes[i].from {
				text = append(text, nodes[i].by)
			}
			slices.Reverse(text)
			if !found(Found{text, lists | always, which}) {
				return true
			}
		}
		for _, r := range s.naiveSymbols(n.live, n.universe) {
			u, ok := s.Universe.Next(n.universe, r)
			if !ok {
				continue
			}
			next := node{live: s.naiveStep(n.live, r), universe: u, from: at, by: r}
			key := binary.AppendVarint(nil, int64(u))
			for _, l := range next.live {
				key = binary.AppendVarint(key, l)
			}
			if !seen[string(key)] {
				seen[string(key)] = true
				nodes = append(nodes, next)
			}
		}
	}
	return true
}

func (s *Search) naiveAccepted(live []int64) (lists Lists, which []int) {
	for _, l := range live {
		if i := int(l >> 32); s.Patterns[i].Machine.Accept[int32(l)] {
			lists |= s.Patterns[i].Lists
			which = append(which, i)
		}
	}
	return lists, slices.Compact(which)
}

func (s *Search) naiveStep(live []int64, r Symbol) []int64 {
	var out []int64
	for _, l := range live {
		i := l >> 32
		for _, e := range s.Patterns[i].Machine.Edges[int32(l)] {
			if e.Set.Has(r) {
				out = append(out, i<<32|int64(e.To))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// symbols are those that tell the patterns or the universe apart.
func (s *Search) naiveSymbols(live []int64, universe int) []Symbol {
	var named []Symbol
	for _, l := range live {
		for _, e := range s.Patterns[l>>32].Machine.Edges[int32(l)] {
			named = append(named, e.Set.Listed...)
		}
	}
	slices.Sort(named)
	named = slices.Compact(named)
	out := append([]Symbol(nil), s.Universe.Marks(universe)...)
	for _, pool := range s.Universe.Pools(universe) {
		i := strings.IndexFunc(pool, func(r rune) bool { _, is := slices.BinarySearch(named, r); return !is })
		if i >= 0 {
			r := []rune(pool[i:])[0]
			out = append(out, r)
		}
	}
	for _, r := range named {
		if r >= 0 {
			out = append(out, r)
		}
	}
	return out
}
