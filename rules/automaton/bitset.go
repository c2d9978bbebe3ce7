package automaton

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

// fits reports whether there are few states.
func (s *sets) fits() bool { return len(s.owner) <= s.few }

// bitset is one for the states that have a number.
func (s *sets) bitset() bitset { return make(bitset, len(s.owner)/64+1) }

// bits are the states of a set.
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
