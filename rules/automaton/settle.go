package automaton

import "slices"

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
