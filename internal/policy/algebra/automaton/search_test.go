package automaton

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

const longest = 6 // of the texts that are tried one by one, where nothing else is said

// lists is what matches a text, read plainly.
func (s *Search) lists(text []Symbol) (lists Lists, which []int) {
	for i, p := range s.Patterns {
		if p.Machine == nil || p.Machine.matches(text) {
			lists |= p.Lists
			which = append(which, i)
		}
	}
	return lists, which
}

// check runs a search and compares each text with the plain reading, and what it found
// first with all texts up to a length. only is nil or a pattern that has to match.
func check(t *testing.T, s *Search, u *randomUniverse, p *Prepared, only []int, longest int) {
	t.Helper()
	shortest := map[Lists]int{} // by lists, the length of the first text found
	run := func(f Found) bool {
		lists, which := s.lists(f.Text)
		if f.Lists != lists || !slices.Equal(f.Patterns, which) || !s.Wanted(lists) {
			t.Errorf("%v: found as %b of %v; is %b of %v, wanted %v", f.Text, f.Lists, f.Patterns, lists, which, s.Wanted(lists))
		}
		if only != nil && !slices.Contains(which, only[0]) {
			t.Errorf("%v is not one of pattern %v", f.Text, only)
		}
		if _, ok := shortest[lists]; !ok {
			shortest[lists] = len(f.Text)
		}
		return true
	}
	complete := p.run(only, run)
	if !complete {
		t.Error("the budget was not enough")
	}
	tried := map[Lists]int{}
	for text := range u.texts(longest) {
		lists, which := s.lists(text)
		if _, ok := tried[lists]; ok || !s.Wanted(lists) || only != nil && !slices.Contains(which, only[0]) {
			continue
		}
		tried[lists] = len(text)
	}
	for lists, n := range tried {
		if got, ok := shortest[lists]; !ok || got != n {
			t.Errorf("lists %b: found %v at length %d; a text of length %d has them", lists, ok, got, n)
		}
	}
	for lists, n := range shortest {
		if _, ok := tried[lists]; !ok && n <= longest {
			t.Errorf("lists %b: found at length %d, and no text has them", lists, n)
		}
	}
}

// TestRandom compares searches with all texts tried one by one.
func TestRandom(t *testing.T) {
	for seed := range uint64(testenv.Count(t, 200, 600, 600)) {
		s, u := randomSearch(rand.New(rand.NewPCG(seed, 1)))
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p := s.Prepare()
			check(t, s, u, p, nil, longest)
			for i := range s.Patterns {
				check(t, s, u, p, []int{i}, longest)
			}
		})
	}
}

// TestNaive compares searches with the naive one: the same lists, as short a text each.
func TestNaive(t *testing.T) {
	for seed := range uint64(testenv.Count(t, 2_500, 10_000, 10_000)) {
		s, _ := randomSearch(rand.New(rand.NewPCG(seed, 2)))
		want, got := map[Lists]int{}, map[Lists]int{}
		first := func(m map[Lists]int) func(Found) bool {
			return func(f Found) bool {
				if _, ok := m[f.Lists]; !ok {
					m[f.Lists] = len(f.Text)
				}
				return true
			}
		}
		if s.naive(first(want)) != s.Run(first(got)) || fmt.Sprint(want) != fmt.Sprint(got) {
			t.Fatalf("seed %d: %v, naively %v", seed, got, want)
		}
	}
}
