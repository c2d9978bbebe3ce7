package automaton

import "slices"

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
