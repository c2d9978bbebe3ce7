package automaton

import (
	"slices"
)

// A Lists is a set of numbered lists, the n-th as bit n.
type Lists uint64

// A Pattern is a machine and the lists that match where it does. A nil Machine matches
// every text.
type Pattern struct {
	Machine *Machine
	Lists   Lists
}

// A Search looks for texts by which lists match them.
type Search struct {
	Universe Universe
	Patterns []Pattern
	// Wanted reports whether a text that exactly these lists match is looked for. It
	// is asked about lists in any order, and has to answer alike each time.
	Wanted func(Lists) bool
	// Budget is how many states are visited at most. A search also ends, as if the budget
	// were used up, where it would keep more than 128 MiB, or take more than an eighth of
	// the few seconds that earlier runs left.
	Budget int

	many, few, room int // as manyStates, fewStates and maxKept, in tests
}

// A Found is a text that was looked for.
type Found struct {
	Text     []Symbol
	Lists    Lists
	Patterns []int // all that match it, by index
}

// Run is Prepare and Run, for a search that is run once.
func (s *Search) Run(found func(Found) bool) (complete bool) { return s.Prepare().Run(found) }

// A Prepared is a search that is run many times. What was worked out in one run is
// kept for the next, so it must not be used by two goroutines; found may start a run.
type Prepared struct {
	universe Universe
	sets     *sets
	always   Lists // of the patterns that match every text
	wanted   func(Lists) bool
	budget   int
	hopes    map[hope]bool
	effected []*effects
}

// Prepare compiles the patterns of a search. They must not change afterwards.
func (s *Search) Prepare() *Prepared {
	p := &Prepared{universe: s.Universe, sets: newSets(s), budget: s.Budget}
	for _, i := range p.sets.all {
		p.always |= s.Patterns[i].Lists
	}
	return p.With(s.Wanted)
}

// With is the same search for other texts. Both share what either works out.
func (p *Prepared) With(wanted func(Lists) bool) *Prepared {
	other := *p
	other.wanted, other.hopes, other.effected = wanted, map[hope]bool{}, nil
	return &other
}

// Run visits texts, the shortest first, and calls found with those that are Wanted, until
// it returns false: with the first one of each state of the patterns that may still matter.
// A pattern no longer matters once every text that goes on so is on all of its lists.
// complete is false where the budget was not enough: then nothing follows from what was
// not found.
func (p *Prepared) Run(found func(Found) bool) (complete bool) { return p.run(nil, found) }

// RunFor is Run for texts that one of some patterns matches, given by their index.
func (p *Prepared) RunFor(patterns []int, found func(Found) bool) (complete bool) {
	if len(patterns) == 0 {
		return true
	}
	return p.run(patterns, found)
}

func (p *Prepared) run(only []int, found func(Found) bool) (complete bool) {
	if p.sets.runs == 0 && p.sets.kept+p.sets.size > p.sets.room/2 {
		p.sets.clear()
	}
	p.sets.runs++
	defer func() { p.sets.runs-- }()
	e := p.effects(only)
	if !e.known {
		return newWalk(p, only, e).run(found)
	}
	// most searches find nothing, or one text is enough: what is covered is left out first
	var first *Found
	complete = newWalk(p, only, e).run(func(f Found) bool { first = &f; return false })
	if first == nil || !found(*first) {
		return complete
	}
	return newWalk(p, only, &effects{}).run(func(f Found) bool { return slices.Equal(f.Text, first.Text) || found(f) })
}

// run is as that of Prepared.
func (w *walk) run(found func(Found) bool) (complete bool) {
	enough := w.sets.work - w.sets.work/8 // the rest is for further runs
	for looked := 0; ; looked++ {
		at, more := w.pop()
		switch {
		case !more:
			return true
		case looked >= w.budget, w.sets.work < enough, w.full():
			return false
		case w.effects.known && w.covered(at):
			continue
		case w.matches(w.nodes[at]) && !found(w.found(at)):
			return true
		}
		w.follow(at)
	}
}

// How many numbers a node takes, and a move, with what finds them again.
const (
	nodeSize = 32
	moveSize = 16
)

func (w *walk) full() bool {
	return w.sets.kept+w.sets.size+nodeSize*len(w.nodes)+moveSize*len(w.moves) > w.sets.room
}

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
	if none |= e.none; !m.mine { // they still have to match
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
// and one of the patterns that have to match does; never if no text does.
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
