package automaton

import (
	"iter"
	"math/rand/v2"
	"slices"
)

// letters are the runes of the texts in these tests; the mark Single comes in where a
// universe has it.
const letters = "abc"

// A machine of few states of a universe, made at random.
type randomUniverse struct {
	next   [][]int // by state and letter, -1 where no text goes on so; the last is Single
	accept []bool
}

func newUniverse(r *rand.Rand) *randomUniverse {
	u := &randomUniverse{}
	for range 1 + r.IntN(3) {
		u.next, u.accept = append(u.next, nil), append(u.accept, r.IntN(3) > 0)
	}
	for s := range u.next {
		for range len(letters) {
			u.next[s] = append(u.next[s], max(-1, r.IntN(len(u.next)+2)-2))
		}
		u.next[s] = append(u.next[s], r.IntN(len(u.next)+2)-2)
	}
	if r.IntN(2) == 0 { // all texts
		u = &randomUniverse{[][]int{{0, 0, 0, -1}}, []bool{true}}
	}
	return u
}

func (u *randomUniverse) Next(s int, r Symbol) (int, bool) {
	i := len(letters)
	if r != Single {
		i = slices.Index([]rune(letters), r)
	}
	if i < 0 || u.next[s][i] < 0 {
		return 0, false
	}
	return u.next[s][i], true
}

func (u *randomUniverse) Accepts(s int) bool { return u.accept[s] }

func (u *randomUniverse) Pools(s int) []string {
	pools := make([]string, len(u.next)+1)
	for i, r := range letters {
		if to := u.next[s][i]; to >= 0 {
			pools[to] += string(r)
		}
	}
	return pools
}

func (u *randomUniverse) Marks(s int) []Symbol {
	if u.next[s][len(letters)] < 0 {
		return nil
	}
	return []Symbol{Single}
}

// texts are all of a universe up to a length, the shortest first.
func (u *randomUniverse) texts(length int) iter.Seq[[]Symbol] {
	type text struct {
		symbols []Symbol
		state   int
	}
	return func(yield func([]Symbol) bool) {
		all := []text{{}}
		for i := 0; i < len(all); i++ {
			t := all[i]
			if u.accept[t.state] && !yield(t.symbols) {
				return
			}
			for _, r := range []Symbol{'a', 'b', 'c', Single} {
				if s, ok := u.Next(t.state, r); ok && len(t.symbols) < length {
					all = append(all, text{append(slices.Clip(t.symbols), r), s})
				}
			}
		}
	}
}

func randomSet(r *rand.Rand) Set {
	var listed []Symbol
	for _, l := range []Symbol{Single, 'a', 'b', 'c'} {
		if r.IntN(4) == 0 {
			listed = append(listed, l)
		}
	}
	if r.IntN(3) == 0 {
		s := AllBut(listed...)
		s.Marks = r.IntN(2) == 0
		return s
	}
	return Rune(listed...)
}

func randomMachine(r *rand.Rand) *Machine {
	var b Builder
	n := 1 + r.IntN(5)
	for range n {
		b.State()
	}
	for s := range n {
		for range r.IntN(3) {
			b.Edge(s, randomSet(r), r.IntN(n))
		}
		if r.IntN(4) == 0 {
			b.Accept(s)
		}
		if r.IntN(5) == 0 { // all that goes on from here
			b.Accept(s)
			b.Edge(s, Set{Except: true, Marks: true}, s)
		}
		if r.IntN(6) == 0 {
			b.Empty(s, r.IntN(n))
		}
		if s == 0 || r.IntN(6) == 0 {
			b.Start(s)
		}
	}
	return b.Machine()
}

// matches reports whether a machine matches a text, read plainly.
func (m *Machine) matches(text []Symbol) bool {
	now := m.Start
	for _, r := range text {
		var next []int
		for _, s := range now {
			for _, e := range m.Edges[s] {
				if e.Set.Has(r) {
					next = append(next, e.To)
				}
			}
		}
		slices.Sort(next)
		now = slices.Compact(next)
	}
	return slices.ContainsFunc(now, func(s int) bool { return m.Accept[s] })
}

// randomSearch is a search of a few patterns for some of the unions of their lists.
func randomSearch(r *rand.Rand) (*Search, *randomUniverse) {
	u := newUniverse(r)
	s := &Search{Universe: u, Budget: 1 << 16, many: r.IntN(4), few: r.IntN(2)}
	for range 1 + r.IntN(5) {
		p := Pattern{randomMachine(r), Lists(r.IntN(16))}
		if r.IntN(20) == 0 {
			p.Machine = nil
		}
		s.Patterns = append(s.Patterns, p)
	}
	wanted := r.Uint32()
	if r.IntN(2) == 0 {
		wanted = 1 << r.IntN(16)
	}
	s.Wanted = func(l Lists) bool { return wanted>>l&1 == 1 }
	return s, u
}

// is reports whether a text is one of the universe.
func (u *randomUniverse) is(text []Symbol) bool {
	state := 0
	for _, r := range text {
		next, ok := u.Next(state, r)
		if !ok {
			return false
		}
		state = next
	}
	return u.accept[state]
}
