package automaton

import "slices"

// How many places a place is compared with, where there are few states and where there are more.
const (
	frontOfFew  = 1024
	frontOfMany = 64
)

// A front is places that were looked at, by the state of the universe: the first ones, as
// those that the shortest texts lead to have the fewest states.
type front map[int][]int32

// covered reports whether all that goes on from a node and is wanted is so, too, from
// one that was looked at, by texts that are no longer; if not, it is looked at now.
func (w *walk) covered(at int32) bool {
	n := &w.nodes[at]
	others, most := w.front[n.universe], frontOfMany
	if w.sets.fits() {
		most = frontOfFew
	}
	for _, i := range others[:min(len(others), most)] {
		if w.nodes[i].length <= n.length && w.covers(w.nodes[i].move, n.move) {
			return true
		}
	}
	if len(others) < most {
		w.front[n.universe] = append(others, at)
	}
	return false
}

// covers reports whether all that goes on from a move and is wanted is so from another
// one, m: that has the states of all patterns by which texts become wanted, and none else
// of those by which they no longer are.
func (w *walk) covers(m, other move) bool {
	e := w.effects
	if other.mine && !m.mine || !w.better(m.always, other.always) {
		return false
	}
	var none uint64 // classes that make no difference
	for class, lists := range w.sets.kinds {
		if lists&^m.always == 0 {
			none |= 1 << class
		}
	}
	if none |= e.none; !m.mine { // they have to match all the same
		none &^= e.mine
	}
	return w.within(m.set, other.set, ^(e.grants|e.mine&e.none|none)) && w.within(other.set, m.set, ^(e.takes|none))
}

// within reports whether the states of some classes in a set are in another one.
func (w *walk) within(set, other int32, classes uint64) bool {
	if set == other {
		return true
	}
	s := w.sets
	if s.fits() {
		is, words := s.bits(set).within(s.bits(other), s.ofClasses(classes))
		s.work -= words
		return is
	}
	parts := s.sets.lists[set]
	s.work -= len(parts)
	for i, part := range parts {
		if s.fact(part).classes&classes == 0 || s.hasPart(other, part) {
			continue
		}
		for _, q := range s.states(parts, i) {
			if classes&(1<<s.class[s.owner[q]]) != 0 && !s.hasState(other, q) {
				return false
			}
		}
	}
	return true
}

func (s *sets) hasPart(set, part int32) bool {
	_, is := slices.BinarySearch(s.sets.lists[set], part)
	return is
}

func (s *sets) hasState(set, q int32) bool {
	parts := s.sets.lists[set]
	if s.hasPart(set, q) {
		return true
	}
	for i := 0; i < len(parts) && parts[i] < 0; i++ { // the chunks come first
		s.work -= searchWork
		if _, is := slices.BinarySearch(s.states(parts, i), q); is {
			return true
		}
	}
	return false
}
