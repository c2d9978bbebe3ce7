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

// TestFirst compares the first text that a search finds with all texts tried one by one,
// where each list makes texts wanted or takes that away, and many texts are left out so.
func TestFirst(t *testing.T) {
	found, count := 0, testenv.Count(t, 150, 500, 500)
	for seed := range uint64(count) {
		r := rand.New(rand.NewPCG(seed, 7))
		s, u := randomSearch(r)
		s.Wanted = looser
		for i := range s.Patterns {
			s.Patterns[i].Lists = []Lists{deny * both, ask * both, allow * both, deny, ask, allow << 3, Lists(r.IntN(64))}[r.IntN(7)]
		}
		p := s.Prepare()
		for i := -1; i < len(s.Patterns); i++ {
			var only []int
			if i >= 0 {
				only = []int{i}
			}
			want, got := "none", "none"
			for text := range u.texts(longest) {
				if lists, which := s.lists(text); looser(lists) && (only == nil || slices.Contains(which, i)) {
					want = fmt.Sprint(len(text))
					break
				}
			}
			complete := p.run(only, func(f Found) bool {
				found++
				if got = fmt.Sprint(len(f.Text)); len(f.Text) > longest && want == "none" {
					want = got
				}
				if lists, which := s.lists(f.Text); lists != f.Lists || !slices.Equal(which, f.Patterns) || !looser(lists) {
					t.Errorf("seed %d: found as %b of %v, is %b of %v", seed, f.Lists, f.Patterns, lists, which)
				}
				return false
			})
			if !complete || got != want {
				t.Errorf("seed %d, pattern %d: found length %s, want %s", seed, i, got, want)
			}
		}
	}
	if found < count*3/5 {
		t.Errorf("only %d searches found a text", found)
	}
}

// TestCovers counts what is looked at where no text is found: what a pattern that denies
// has begun to match is nothing that others may not go on from.
func TestCovers(t *testing.T) {
	s := small(nil)
	add := func(pattern string, l Lists) {
		s.Patterns = append(s.Patterns, Pattern{rule(pattern, false, false), l})
	}
	for i := range 200 {
		add(fmt.Sprintf("* word%d-%d*", i%7, i*i), deny*both)
		add(fmt.Sprintf("* other%d", i*i), allow*both)
	}
	add("* --force*", deny)
	add("*-force*", deny*both)
	s.Budget = 300
	if found := texts(t, func(f func(Found) bool) bool { return s.Prepare().RunFor([]int{400}, f) }); found != nil {
		t.Errorf("found %q", found)
	}
	s.Patterns = s.Patterns[:401]
	if found := texts(t, func(f func(Found) bool) bool {
		return s.Prepare().RunFor([]int{400}, func(g Found) bool { f(g); return false })
	}); len(found) != 1 || len(found[0]) != len("x --force") {
		t.Errorf("found %q", found)
	}
}

// TestWork takes the work away: what one run leaves is for further ones, and where nothing
// is left a run says so.
func TestWork(t *testing.T) {
	p := small(map[string]Lists{"git push:*": allow, "git:*": allow << 3}).Prepare()
	if !p.Run(func(Found) bool { return true }) || p.sets.work <= 0 {
		t.Errorf("%d left", p.sets.work)
	}
	used := maxWork - p.sets.work
	p = p.With(looser)
	p.sets.clear()
	if p.sets.work = 2 * used; p.Run(func(Found) bool { return true }) {
		t.Error("an eighth of the work was enough")
	}
	if p.sets.work < used {
		t.Errorf("%d of %d is left for further runs", p.sets.work, 2*used)
	}
}
