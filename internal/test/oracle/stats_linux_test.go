package oracle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
)

// maxMisses bounds how many missed texts are made small; one would be enough to fail.
const maxMisses = 60

// stats is what a fuzzing run counts.
type stats struct {
	texts   int
	counted int // executions of texts that parsed and ran a program
	doubted int // of those, of texts with a doubt
	named   int // programs the analysis names in counted texts without a doubt
	idle    int // of those, run by no execution
	execs   int // programs run in counted texts without a doubt
	exact   int // of those, named with every word known
	missed  int
	left    int               // texts left out
	ids     map[string]int    // texts by doubt id
	details map[string]int    // and by its message
	samples map[string]string // the shortest text of each message
	misses  map[string]string // small texts and what was missed
	shapes  map[string]bool   // of the small texts

	forms  []form   // what is counted
	formed [][2]int // texts that ran and have each form, and those of them without a doubt
}

func newStats() stats {
	return stats{ids: map[string]int{}, details: map[string]int{}, samples: map[string]string{}, misses: map[string]string{}, shapes: map[string]bool{}}
}

// add1 keeps a small text unless one of the same shape is kept already.
func (s *stats) add1(text, what string) {
	if shape := shapeOf(text); !s.shapes[shape] {
		s.shapes[shape] = true
		s.misses[text] = what
	}
}

// shapeOf is a text with every word written alike.
func shapeOf(text string) string {
	tokens := tokenize(text)
	for i, t := range tokens {
		if c := t[0]; c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			tokens[i] = "w"
		}
	}
	return strings.Join(tokens, "")
}

// formsIn counts a text that ran.
func (s *stats) formsIn(text string, doubted bool) {
	if s.formed == nil {
		s.formed = make([][2]int, len(s.forms))
	}
	for i := range s.forms {
		if s.forms[i].finds.MatchString(text) {
			s.formed[i][0]++
			if !doubted {
				s.formed[i][1]++
			}
		}
	}
}

func (s *stats) doubts(text string, script *bashsafety.Analysis) {
	seen := map[string]bool{}
	for _, d := range script.Doubts {
		if !seen[d.ID] {
			s.ids[d.ID]++
		}
		if !seen[d.Msg] {
			s.details[d.Msg]++
			if old, ok := s.samples[d.Msg]; !ok || len(text) < len(old) {
				s.samples[d.Msg] = text
			}
		}
		seen[d.ID], seen[d.Msg] = true, true
	}
}

func (s *stats) add(o *stats) {
	s.texts += o.texts
	s.counted += o.counted
	s.doubted += o.doubted
	s.named += o.named
	s.idle += o.idle
	s.execs += o.execs
	s.exact += o.exact
	s.missed += o.missed
	s.left += o.left
	for k, n := range o.ids {
		s.ids[k] += n
	}
	for k, n := range o.details {
		s.details[k] += n
		if old, ok := s.samples[k]; !ok || len(o.samples[k]) < len(old) {
			s.samples[k] = o.samples[k]
		}
	}
	for k, v := range o.misses {
		s.add1(k, v)
	}
	if s.forms = o.forms; s.formed == nil {
		s.formed = make([][2]int, len(o.forms))
	}
	for i, n := range o.formed {
		s.formed[i][0] += n[0]
		s.formed[i][1] += n[1]
	}
}

func (s *stats) report(t testing.TB, shell string, d time.Duration, verbose bool) {
	t.Helper()
	for _, text := range sorted(s.misses) {
		t.Errorf("missed: %q\n   %s%s", text, shell, s.misses[text])
	}
	t.Logf("%s: %d texts, %d executions count, %.0f a second; %.1f %% of them of texts with a doubt; %.1f %% of %d programs named without a doubt were run by none; of %d run %.1f %% are named word by word; %d missed; %d texts left out",
		shell, s.texts, s.counted, float64(s.counted)/d.Seconds(), 100*ratio(s.doubted, s.counted), 100*ratio(s.idle, s.named), s.named, s.execs, 100*ratio(s.exact, s.execs), s.missed, s.left)
	t.Logf("texts by doubt: %s", counts(s.ids, 40))
	for i, n := range s.formed {
		t.Logf("texts with %s: %d ran, %d of them without a doubt", s.forms[i].name, n[0], n[1])
	}
	if verbose {
		for _, msg := range byCount(s.details) {
			t.Logf("%7d %s\n    %q", s.details[msg], msg, s.samples[msg])
		}
	}
	if s.counted == 0 {
		t.Error("nothing ran")
	}
}

func ratio(a, b int) float64 { return float64(a) / float64(max(b, 1)) }

func sorted(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func byCount(m map[string]int) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return m[b] - m[a] })
	return keys
}

func counts(m map[string]int, most int) string {
	var out []string
	for _, k := range byCount(m) {
		out = append(out, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(out[:min(len(out), most)], ", ")
}
