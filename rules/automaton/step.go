package automaton

import "slices"

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
