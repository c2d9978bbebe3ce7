package automaton

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// commandTexts are words joined by single blanks, each bare or in single quotes.
type commandTexts struct{}

// Its states.
const (
	first  = iota // nothing was written yet
	bare          // in a word without quotes
	blank         // after a blank
	quoted        // in quotes
	closed        // after a closing quote
)

func (commandTexts) Next(s int, r Symbol) (int, bool) {
	special := strings.ContainsRune(" *?$&;|<>(){}[]~#\\\"`!", r)
	switch s {
	case first, blank:
		switch {
		case r == Any, r == Single:
			return bare, true
		case r == '\'':
			return quoted, true
		}
		return bare, r > ' ' && !special
	case bare:
		if r == ' ' {
			return blank, true
		}
		return bare, r == Single || r > ' ' && !special && r != '\''
	case quoted:
		if r == '\'' {
			return closed, true
		}
		return quoted, r == Single || r >= 0
	default:
		return blank, r == ' '
	}
}

func (commandTexts) Accepts(s int) bool { return s == bare || s == closed }

func (commandTexts) Pools(s int) []string {
	switch s {
	case quoted:
		return []string{" *?$&;|<>(){}[]~#\\\"`!abcdefghijklmnopqrstuvwxyz0123456789", "'"}
	case closed:
		return []string{" "}
	case bare:
		return []string{"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./=_", " "}
	default:
		return []string{"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./=_", "'"}
	}
}

func (commandTexts) Marks(s int) []Symbol {
	switch s {
	case first, blank:
		return []Symbol{Any, Single}
	case closed:
		return nil
	}
	return []Symbol{Single}
}

// stems are the first words of recorded commands, alone and with the second word, without
// quotes; and with the third to the eighth, as there are not enough of those.
func stems(tb testing.TB, n int) []string {
	data := testenv.Corpus(tb, "corpus/real_calls.jsonl")
	var out []string
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var call struct {
			Tool  string `json:"tool_name"`
			Input struct {
				Command string `json:"command"`
			} `json:"tool_input"`
		}
		if json.Unmarshal(lines.Bytes(), &call) != nil || call.Tool != "Bash" {
			continue
		}
		words := strings.Fields(call.Input.Command)
		for k := 1; k <= min(8, len(words)); k++ {
			stem := strings.Join(words[:k], " ")
			if strings.ContainsAny(stem, "'\"\\$`;&|<>(){}*?#\n") || len(stem) > 100 {
				break
			}
			if !seen[stem] {
				seen[stem] = true
				out = append(out, stem)
			}
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	if len(out) < n {
		tb.Skipf("only %d stems of %d", len(out), n)
	}
	return out[:n]
}

// rule is the machine of a pattern with stars; with tail, of pattern:*; by any path, where
// base is set.
func rule(pattern string, tail, base bool) *Machine {
	var b Builder
	s := b.State()
	b.Start(s)
	if base {
		loop := b.State()
		b.Start(loop)
		b.Edge(loop, AllBut(' ', '/', '\''), loop)
		b.Edge(loop, Rune('/'), s)
		b.Edge(loop, Rune('/'), loop)
	}
	for _, r := range pattern {
		if r == '*' {
			b.Edge(s, Set{Except: true, Marks: true}, s)
			continue
		}
		next := b.State()
		b.Edge(s, Rune(r), next)
		s = next
	}
	b.Accept(s)
	if tail {
		next := b.State()
		b.Edge(s, Rune(' '), next)
		b.Edge(next, Set{Except: true, Marks: true}, next)
		b.Accept(next)
	}
	return b.Machine()
}

// Lists of the benchmarks: those of the old policy, and three bits higher of the new.
const (
	deny Lists = 1 << iota
	ask
	allow
	both Lists = 9 // times one of the above
)

func rank(l Lists) int {
	switch {
	case l&deny != 0:
		return 3
	case l&ask != 0:
		return 2
	case l&allow != 0:
		return 0
	}
	return 1
}

func looser(l Lists) bool { return rank(l>>3) < rank(l) }

// policies are two of n rules, of which one differs.
func policies(tb testing.TB, n int, change string, stars, wide bool) *Search {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	s := &Search{Universe: commandTexts{}, Wanted: looser, Budget: 1 << 20}
	for i, stem := range stems(tb, n) {
		l := []Lists{deny, ask, allow, allow}[i%4]
		add := func(m *Machine, l Lists) { s.Patterns = append(s.Patterns, Pattern{m, l}) }
		strict := wide && l != allow
		m := rule(stem, r.IntN(3) > 0, strict)
		if change == "apart" {
			add(m, l)
			add(m, l<<3)
			continue
		}
		add(m, l*both)
		if strict {
			add(rule("'"+stem, true, true), l*both)
		} else if wide {
			add(rule("/usr/bin/"+stem, true, false), l*both)
		}
	}
	i := r.IntN(n)
	stem := stems(tb, n)[i]
	switch change {
	case "added":
		s.Patterns = append(s.Patterns, Pattern{rule(stem+" -zq", true, false), allow << 3})
	case "removed":
		s.Patterns = append(s.Patterns, Pattern{rule(stem+" -zq", true, wide), deny})
	case "widened":
		word, _, _ := strings.Cut(stem, " ")
		s.Patterns = append(s.Patterns, Pattern{rule(stem, true, false), allow}, Pattern{rule(word, true, false), allow << 3})
	case "star":
		s.Patterns = append(s.Patterns, Pattern{rule("*zq*", false, false), allow << 3})
	case "tight": // nothing is looser: an ask that also covers all there was is new
		s.Patterns = append(s.Patterns, Pattern{rule("*", false, false), ask << 3})
	}
	if stars {
		for i, p := range Stars {
			s.Patterns = append(s.Patterns, Pattern{rule(p, false, false), []Lists{deny, allow, ask}[i%3] * both})
		}
	}
	return s
}

func peak() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkPolicies is a whole search for what a new policy is looser about: the median,
// the heap at its end, and how much was looked at.
func BenchmarkPolicies(b *testing.B) {
	for _, n := range []int{500, 5000} {
		for _, change := range []string{"same", "added", "removed", "widened", "star", "tight", "apart"} {
			for _, kind := range []string{"plain", "stars", "wide", "wide+stars"} {
				b.Run(fmt.Sprintf("%d/%s/%s", n, change, kind), func(b *testing.B) {
					s := policies(b, n, change, strings.Contains(kind, "stars"), strings.Contains(kind, "wide"))
					benchmark(b, s)
				})
			}
		}
	}
}

func benchmark(b *testing.B, s *Search) {
	var times []time.Duration
	var heap uint64
	var found, looked int
	for b.Loop() {
		runtime.GC()
		before, start := peak(), time.Now()
		found = 0
		p := s.Prepare()
		complete := p.Run(func(f Found) bool { found++; return true })
		times = append(times, time.Since(start))
		heap = max(heap, peak()-before)
		if looked = len(p.sets.sets.lists); !complete {
			b.Error("the budget was not enough")
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(heap)/(1<<20), "MiB")
	b.ReportMetric(float64(looked), "sets")
	b.ReportMetric(float64(found), "found")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkRunFor looks for one text for each of the rules that differ, of which there
// are many: all deny rules of one policy, say, are gone from the other.
func BenchmarkRunFor(b *testing.B) {
	for _, n := range []int{500, 5000} {
		for _, kind := range []string{"plain", "stars", "wide", "wide+stars"} {
			b.Run(fmt.Sprintf("%d/%s", n, kind), func(b *testing.B) {
				s := policies(b, n, "same", strings.Contains(kind, "stars"), strings.Contains(kind, "wide"))
				var differ []int
				for i := range s.Patterns {
					if p := &s.Patterns[i]; p.Lists == deny*both {
						p.Lists = deny
						differ = append(differ, i)
					}
				}
				var times []time.Duration
				for b.Loop() {
					start, found := time.Now(), 0
					p := s.Prepare()
					for _, i := range differ {
						if !p.RunFor([]int{i}, func(f Found) bool { found++; return false }) {
							b.Error("the budget was not enough")
						}
					}
					times = append(times, time.Since(start))
					b.ReportMetric(float64(found), "found")
				}
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-median")
				b.ReportMetric(float64(len(differ)), "rules")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
