package automaton

import (
	"cmp"
	"slices"
)

// maxKept is how many numbers a search may keep: 128 MiB.
const maxKept = 32 << 20

// maxWork is how many numbers all runs of a search may look at: a few seconds. To search
// for one counts as much as to look at searchWork.
const (
	maxWork    = 300 << 20
	searchWork = 8
)

// sets keeps the sets of states that texts lead to, and what leads from one to another.
//
// A set is a list of parts. A part is a state, or many states as one: a chunk, numbered
// below 0. Thousands of patterns that wait in a loop, for the last word of a
// path, cost each step no more than one state so.
type sets struct {
	graph
	lists []Lists // by pattern
	class []uint8 // by pattern, the number of its Lists
	kinds []Lists // by class; the last is of all that have no number of their own

	chunks  interned
	spreads []*spread // by chunk; nil as long as it was not needed
	inChunk []facts   // by chunk

	sets   interned
	after  []*after // by set; nil as long as it was not needed
	inSet  []facts  // by set
	inBits []bitset // by set; nil as long as it was not needed
	masks  map[uint64]*classMask
	kept   int

	spread spread // what leads from the states of the set being followed
	to     []int32

	many, few, room int
	runs            int // that go on
	work            int // that is left
}

// facts is what is known of a part or a set.
type facts struct {
	classes  uint64 // of the patterns that have a state in it
	accepted Lists  // of those that match the text that ends here
	accepts  bool   // there is one
	whole    bool   // a pattern matches whatever goes on from here
}

// manyKinds is the class of patterns whose Lists have no number of their own.
const manyKinds = 63

// manyStates is how many states are at least made a chunk, where tests say nothing else.
const manyStates = 32

func newSets(search *Search) *sets {
	s := &sets{graph: graph{texts: &offers{universe: search.Universe, patterns: search.Patterns}}}
	s.many, s.few = cmp.Or(search.many, manyStates), cmp.Or(search.few, fewStates)
	s.room, s.work = cmp.Or(search.room, maxKept), maxWork
	for _, p := range search.Patterns {
		s.add(p.Machine)
		class := slices.Index(s.kinds, p.Lists)
		switch {
		case class >= 0:
		case len(s.kinds) < manyKinds:
			class, s.kinds = len(s.kinds), append(s.kinds, p.Lists)
		default:
			class = manyKinds
		}
		s.class, s.lists = append(s.class, uint8(class)), append(s.lists, p.Lists)
	}
	s.clear()
	return s
}

// clear forgets all sets and states but the one that texts start from, which is number 0.
func (s *sets) clear() {
	s.chunks, s.spreads, s.inChunk = interned{}, nil, nil
	s.sets, s.after, s.inSet = interned{}, nil, nil
	s.inBits, s.masks = nil, map[uint64]*classMask{}
	s.kept = 0
	s.renumber()
	s.set(s.bundle(slices.Clone(s.start)))
}

// bundle makes a part of many states, and leaves few as they are. It sorts what it is given.
func (s *sets) bundle(states []int32) []int32 {
	slices.Sort(states)
	if states = slices.Compact(states); len(states) < s.many {
		return states
	}
	id, added := s.chunks.number(states)
	if added {
		var f facts
		for _, q := range states {
			f.add(s.fact(q))
		}
		s.spreads, s.inChunk, s.kept = append(s.spreads, nil), append(s.inChunk, f), s.kept+len(states)+16
	}
	return append(states[:0], -1-id)
}

// set is the number of a set. It sorts the parts it is given.
func (s *sets) set(parts []int32) int32 {
	slices.Sort(parts)
	parts = slices.Compact(parts)
	s.work -= len(parts)
	id, added := s.sets.number(parts)
	if added {
		var f facts
		for _, part := range parts {
			f.add(s.fact(part))
		}
		s.after, s.inSet, s.kept = append(s.after, nil), append(s.inSet, f), s.kept+len(parts)+16
	}
	return id
}

func (s *sets) fact(part int32) facts {
	if part < 0 {
		return s.inChunk[-1-part]
	}
	f := facts{classes: 1 << s.class[s.owner[part]], accepts: s.accept[part], whole: s.whole[part]}
	if f.accepts {
		f.accepted = s.lists[s.owner[part]]
	}
	return f
}

func (f *facts) add(g facts) {
	f.classes |= g.classes
	f.accepted |= g.accepted
	f.accepts = f.accepts || g.accepts
	f.whole = f.whole || g.whole
}

// states is the states of the i-th part of a set.
func (s *sets) states(parts []int32, i int) []int32 {
	if parts[i] < 0 {
		return s.chunks.lists[-1-parts[i]]
	}
	return parts[i : i+1]
}

// each calls f with the states of a pattern in a set, by their number.
func (s *sets) each(pattern int, set int32, f func(q int32)) {
	if s.fits() {
		bits := s.bits(set)
		s.work -= len(s.of[pattern])
		for _, q := range s.of[pattern] {
			if bits.has(q) {
				f(q)
			}
		}
		return
	}
	for _, part := range s.sets.lists[set] {
		if part >= 0 && int(s.owner[part]) == pattern {
			f(part)
		}
		if part >= 0 {
			continue
		}
		states := s.chunks.lists[-1-part]
		s.work -= searchWork * len(s.of[pattern])
		for _, q := range s.of[pattern] {
			if _, is := slices.BinarySearch(states, q); is {
				f(q)
			}
		}
	}
}

// matched adds the patterns that match whatever goes on from a set, and those that match
// what ends there.
func (s *sets) matched(patterns []int, set int32, ends bool) []int {
	parts := s.sets.lists[set]
	for i := range parts {
		if f := s.fact(parts[i]); !f.whole && !(ends && f.accepts) {
			continue
		}
		for _, q := range s.states(parts, i) {
			if s.whole[q] || ends && s.accept[q] {
				patterns = append(patterns, int(s.owner[q]))
			}
		}
	}
	return patterns
}

// fewStates is up to how many states sets are compared as bits, which is many times
// faster and, with more states, would not fit.
const fewStates = 1 << 14

// A bitset has a bit for each number from 0 on.
type bitset []uint64

func (b bitset) add(n int32) { b[n/64] |= 1 << (n % 64) }

func (b bitset) has(n int32) bool { return int(n/64) < len(b) && b[n/64]&(1<<(n%64)) != 0 }

// within reports whether all bits of b and mask are in other, and how many words say so.
// The mask has all words that b has.
func (b bitset) within(other, mask bitset) (is bool, words int) {
	for i, word := range b {
		if i < len(other) {
			word &^= other[i]
		}
		if word&mask[i] != 0 {
			return false, i + 1
		}
	}
	return true, len(b)
}

func (s *sets) fits() bool { return len(s.owner) <= s.few }

// bitset is one for the states that have a number.
func (s *sets) bitset() bitset { return make(bitset, len(s.owner)/64+1) }

func (s *sets) bits(set int32) bitset {
	for len(s.inBits) <= int(set) {
		s.inBits = append(s.inBits, nil)
	}
	if s.inBits[set] == nil {
		b, parts := s.bitset(), s.sets.lists[set]
		for i := range parts {
			for _, q := range s.states(parts, i) {
				b.add(q)
			}
		}
		s.inBits[set], s.kept, s.work = b, s.kept+2*len(b), s.work-len(b)
	}
	return s.inBits[set]
}

// ofClasses are all states of some classes.
func (s *sets) ofClasses(classes uint64) bitset {
	m := s.masks[classes]
	if m == nil || m.states < len(s.owner) {
		m = &classMask{s.bitset(), len(s.owner)}
		for q, pattern := range s.owner {
			if classes&(1<<s.class[pattern]) != 0 {
				m.bits.add(int32(q))
			}
		}
		s.masks[classes], s.work = m, s.work-m.states
	}
	return m.bits
}

// A classMask is the states of some classes, of so many that had a number.
type classMask struct {
	bits   bitset
	states int
}
