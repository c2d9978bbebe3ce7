package automaton

import "slices"

// A hope is what decides which lists a text may still come to be matched by: those that
// always match, and the Lists of the patterns that may still match.
type hope struct {
	always  Lists
	classes uint64
}

// maxUnions is how many unions of Lists are tried. Where there may be more, one of them
// may be wanted.
const maxUnions = 1 << 10

// distance is how many symbols a text needs at least that goes on from a move, is wanted,
// and one of the patterns that have to match does; never where there is none.
func (w *walk) distance(m move) int32 {
	classes := w.sets.inSet[m.set].classes
	if m.mine {
		if w.hope(hope{m.always, classes}) {
			return 0
		}
		return never
	}
	far := int32(never)
	for _, i := range w.only {
		if w.hope(hope{m.always | w.sets.lists[i], classes}) {
			w.sets.each(i, m.set, func(q int32) { far = min(far, w.missing(i, q)) })
		}
	}
	return far
}

// missing is how many symbols are missing at least until a state of a pattern matches.
func (w *walk) missing(pattern int, q int32) int32 {
	if w.sets.whole[q] {
		return 0
	}
	far, known := w.far[pattern]
	if !known {
		far = w.sets.distances(w.sets.machines[pattern])
		w.far[pattern] = far
	}
	return far[w.sets.state[q]]
}

// hope reports whether some union of what always matches and of Lists is wanted.
func (p *Prepared) hope(h hope) bool {
	is, known := p.hopes[h]
	if !known {
		unions, all := p.unions(h)
		is = !all || slices.ContainsFunc(unions, p.wanted)
		p.hopes[h] = is
	}
	return is
}

// unions are those of what always matches and of Lists; false where there are too many.
func (p *Prepared) unions(h hope) (list []Lists, ok bool) {
	list = []Lists{h.always}
	for class, lists := range p.sets.kinds {
		if h.classes&(1<<class) == 0 {
			continue
		}
		for _, u := range list {
			if !slices.Contains(list, u|lists) {
				list = append(list, u|lists)
			}
		}
		if len(list) > maxUnions {
			return nil, false
		}
	}
	return list, h.classes&(1<<manyKinds) == 0
}

// matches reports whether the text that leads to a node is wanted.
func (w *walk) matches(n node) bool {
	mine := n.mine
	for _, i := range w.only {
		w.sets.each(i, n.set, func(q int32) { mine = mine || w.sets.accept[q] })
	}
	return mine && w.universe.Accepts(n.universe) && w.wanted(n.always|w.sets.inSet[n.set].accepted)
}
