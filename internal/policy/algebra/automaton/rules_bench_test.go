package automaton_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
)

// ruled is two policies of n rules as package algebra compiles them, without those of one
// list in n that the new one lost; where they are.
func ruled(b *testing.B, n int, stars bool) (s *automaton.Search, states int, differ []int) {
	policy := algebra.Of(&rules.Policy{})
	s = &automaton.Search{Universe: policy.Universe("Bash"), Wanted: automaton.Looser, Budget: 400_000}
	r := rand.New(rand.NewPCG(uint64(n), 9))
	texts := automaton.Stems(b, n)
	if stars {
		copy(texts, automaton.Stars)
	}
	for i, text := range texts {
		list := []rules.List{rules.Deny, rules.Ask, rules.Allow, rules.Allow}[i%4]
		if r.IntN(3) > 0 && !strings.Contains(text, "*") {
			text += ":*"
		}
		rule, err := rules.ParseRule("Bash("+text+")", list, rules.User, rules.Pos{}, false)
		if err != nil {
			continue
		}
		l, why := policy.LanguageOf(&rule, "Bash")
		if why != "" {
			b.Fatal(text, why)
		}
		bits := automaton.Lists(9) << (i % 4 % 3)
		if i%4 == 3 {
			bits = 9 << 2
		}
		if i%50 == 7 {
			bits = 1 << 5 // allow, new
			differ = append(differ, len(s.Patterns))
		}
		if i%50 == 8 {
			bits = 1
			differ = append(differ, len(s.Patterns))
		}
		for _, m := range append(l.Sure, l.Maybe...) {
			s.Patterns = append(s.Patterns, automaton.Pattern{Machine: m, Lists: bits})
			states += len(m.Edges)
		}
	}
	return s, states, differ
}

func BenchmarkRules(b *testing.B) {
	for _, n := range []int{500, 5000} {
		for _, stars := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d/stars=%v", n, stars), func(b *testing.B) {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				t0 := time.Now()
				s, states, differ := ruled(b, n, stars)
				compiled := time.Since(t0)
				runtime.GC()
				runtime.ReadMemStats(&after)
				machines := after.HeapAlloc - before.HeapAlloc
				var prepare, first, all []time.Duration
				var found, incomplete int
				for b.Loop() {
					found, incomplete = 0, 0
					t0 := time.Now()
					p := s.Prepare()
					t1 := time.Now()
					for i, d := range differ {
						if !p.RunFor([]int{d}, func(automaton.Found) bool { found++; return false }) {
							incomplete++
						}
						if i == 0 {
							first = append(first, time.Since(t1))
						}
					}
					prepare, all = append(prepare, t1.Sub(t0)), append(all, time.Since(t1))
				}
				runtime.ReadMemStats(&after)
				mid := func(d []time.Duration) float64 { slices.Sort(d); return float64(d[len(d)/2].Microseconds()) / 1000 }
				b.ReportMetric(float64(compiled.Milliseconds()), "ms-languages")
				b.ReportMetric(mid(prepare), "ms-prepare")
				b.ReportMetric(mid(first), "ms-first")
				b.ReportMetric(mid(all), "ms-all")
				b.ReportMetric(float64(machines>>20), "MiB-machines")
				b.ReportMetric(float64((after.HeapAlloc-before.HeapAlloc)>>20), "MiB")
				b.ReportMetric(float64(states), "states")
				b.ReportMetric(float64(len(s.Patterns)), "patterns")
				b.ReportMetric(float64(len(differ)), "differ")
				b.ReportMetric(float64(found), "found")
				b.ReportMetric(float64(incomplete), "incomplete")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
