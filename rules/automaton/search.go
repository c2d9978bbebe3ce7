package automaton

import "slices"

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
