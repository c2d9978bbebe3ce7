package policytest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// judge says whether the budget holds.
func (s *spending) judge(err error) {
	b, most := s.Budget, 0
	s.Sessions = len(s.sessions)
	var counts []int
	for _, in := range s.sessions {
		counts = append(counts, in.N)
		if in.N > b.Most || !b.PerSession && in.N > 0 {
			s.Over = append(s.Over, in.Count)
		}
	}
	slices.Sort(counts)
	if len(counts) > 0 {
		most = replay.Percentile(counts, cmp.Or(b.Percentile, 100))
	}
	byCount := func(a, b Count) int { return cmp.Or(b.N-a.N, cmp.Compare(a.Name, b.Name)) }
	slices.SortFunc(s.Over, byCount)
	for _, name := range slices.Sorted(maps.Keys(s.top)) {
		s.Top = append(s.Top, Count{Name: name, N: s.top[name]})
	}
	slices.SortFunc(s.Top, byCount)
	s.Top = s.Top[:min(len(s.Top), topOf)]
	switch {
	case err != nil:
		s.Wrong, s.Over = err.Error(), nil
	case !b.PerSession && s.Total > b.Most:
		s.Wrong = fmt.Sprintf("expected %s <= %d, got %d", b.Counts(), b.Most, s.Total)
	case !b.PerSession || most <= b.Most:
		s.Over = nil
	case b.Percentile > 0:
		s.Wrong = fmt.Sprintf("expected %s <= %d in %d%% of the sessions, got up to %d; over it: %d of %d", b.Counts(), b.Most,
			b.Percentile, most, len(s.Over), s.Sessions)
	default:
		s.Wrong = fmt.Sprintf("expected %s <= %d in each session, got up to %d; over it: %d of %d", b.Counts(), b.Most,
			most, len(s.Over), s.Sessions)
	}
}
