package oracle

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
)

// A worker has a shell of its own. It is used by one goroutine.
type worker struct {
	stats
	o     *Oracle
	gen   *generator
	r     *rand.Rand
	seeds []string
	hunt  bool
	skip  *regexp.Regexp         // what is known to be missed; nil: nothing
	lacks func(text string) bool // what the shell does not have; nil: nothing
	err   error
}

func newWorker(t testing.TB, shell, shim string, n int, seed uint64, seeds []string) *worker {
	vars := []string{"LC_ALL=C.UTF-8"}
	if (n+int(seed))%2 == 1 {
		vars = nil // the C locale reads bytes
	}
	row := tongueOf(t, shell)
	w := &worker{
		stats: newStats(), o: Start(t, row.program(t), shim, vars...), gen: newGenerator(seed, row),
		r: rand.New(rand.NewPCG(seed, 3)), seeds: seeds, skip: openCauses(t, shell),
	}
	if row.lacks != nil {
		w.lacks = row.lacks()
	}
	w.o.Deadline = 300 * time.Millisecond
	return w
}

// next returns the i-th text: two of three from the grammar, one by mutation of seeds or of the grammar's.
func (w *worker) next(i int) string {
	switch {
	case i%3 != 2:
		s := w.gen.script()
		for len(s) > maxSeed {
			s = w.gen.script()
		}
		return s
	case i%2 == 0:
		return mutate(w.r, w.gen.script(), w.seeds[w.r.IntN(len(w.seeds))])
	}
	return mutate(w.r, w.seeds[w.r.IntN(len(w.seeds))], w.gen.script())
}

// check runs one text and counts.
func (w *worker) check(text string) {
	if w.leftOut(text) {
		w.left++
		return
	}
	w.texts++
	s := bashsafety.Analyze(text, bashsafety.Env{Cwd: w.o.Dir, Home: w.o.Home})
	w.doubts(text, s)
	if w.hunt && len(s.Doubts) > 0 {
		w.doubted++
		w.counted++
		return
	}
	var all Result
	counted := 0
	for _, exits := range patterns(text) {
		r, err := w.o.run(text, 0, exits)
		if err != nil {
			w.err = fmt.Errorf("%q: %w", text, err)
			return
		}
		if r.counts() {
			counted++
		}
		all.add(&r)
	}
	w.counted += counted
	if counted > 0 {
		w.formsIn(text, len(s.Doubts) > 0)
	}
	if counted > 0 && len(s.Doubts) > 0 {
		w.doubted += counted
	}
	if counted > 0 && len(s.Doubts) == 0 {
		named, never := idle(s, all.Execs)
		w.execs += len(all.Execs)
		w.exact += exactly(s, all.Execs)
		w.named += named
		w.idle += len(never)
	}
	if m := w.compare(s, &all); m.found() {
		w.missed++
		w.add1(w.shrunken(text))
	}
}

func (w *worker) leftOut(text string) bool {
	return w.lacks != nil && w.lacks(text) || w.skip != nil && w.skip.MatchString(text)
}

// counts reports whether the run was a whole one.
func (r *Result) counts() bool {
	return !r.BadSyntax && !r.TimedOut && !r.Cut && len(r.Execs) > 0
}

// patterns are the exit statuses a text is run with. Where a status can matter the text runs twice, with
// the first programs succeeding and with them failing; later ones do the opposite, so that loops end.
func patterns(text string) []uint32 {
	if strings.ContainsAny(text, "&|!?") || slices.ContainsFunc([]string{"if", "while", "until", "trap", "set", "wait"}, func(s string) bool { return strings.Contains(text, s) }) {
		return []uint32{0xfffff000, 0x00000fff}
	}
	return []uint32{0xfffff000}
}

// look analyses and runs a text; it is a miss when that says so.
func (w *worker) look(text string) (*bashsafety.Analysis, Result, miss) {
	s := bashsafety.Analyze(text, bashsafety.Env{Cwd: w.o.Dir, Home: w.o.Home})
	if len(s.Doubts) > 0 || w.leftOut(text) {
		return s, Result{}, miss{}
	}
	r, err := w.o.runs(text, patterns(text)...)
	if err != nil {
		w.err = err
		return s, Result{}, miss{}
	}
	return s, r, w.compare(s, &r)
}

// compare is compareRun by the rules of the shell.
func (w *worker) compare(s *bashsafety.Analysis, r *Result) miss { return compareRun(s, r, w.gen.null) }

// shrunken describes the smallest text that is still missed.
func (w *worker) shrunken(text string) (string, string) {
	if len(w.misses) >= maxMisses {
		return text, "not shrunken"
	}
	small := shrink(text, func(s string) bool { _, _, m := w.look(s); return m.found() })
	s, _, m := w.look(small)
	var b strings.Builder
	if len(m.execs) > 0 {
		fmt.Fprintf(&b, " ran %q", m.execs)
	}
	if len(m.writes) > 0 {
		fmt.Fprintf(&b, " wrote %q", m.writes[:min(len(m.writes), 5)])
	}
	fmt.Fprintf(&b, "\n    the analysis says %s\n    in %s", describe(s), w.o.Dir)
	return small, b.String()
}

// describe writes the subcommands and their writes, holes as ? (one argument) and ?? (any number).
func describe(s *bashsafety.Analysis) string {
	var b strings.Builder
	for i := range s.Subcommands {
		c := &s.Subcommands[i]
		if c.Structural {
			b.WriteString("(structure) ")
		}
		b.WriteString("[" + strings.Join(c.Via, ">"))
		for _, w := range c.Argv {
			hole := "?"
			if !w.Single {
				hole = "??"
			}
			if w.Glob {
				b.WriteString(" pattern")
			}
			fmt.Fprintf(&b, " %q", strings.ReplaceAll(w.Text, bashsafety.HoleMark, hole))
		}
		for _, e := range c.Effects {
			if e.Kind == bashsafety.Write || e.Kind == bashsafety.Delete {
				fmt.Fprintf(&b, " >%q", strings.ReplaceAll(e.Path, bashsafety.HoleMark, "?"))
			}
		}
		b.WriteString("] ")
	}
	return b.String()
}
