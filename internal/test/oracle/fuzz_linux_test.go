package oracle

import (
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestOracleFuzz runs texts made by a grammar and by mutation in a real shell and holds the analysis
// against what the shell did. By default it takes a few seconds; the environment says otherwise:
//
//	PERMGATE_ORACLE        how long, as 2m
//	PERMGATE_ORACLE_RUNS   how many executions that count
//	PERMGATE_ORACLE_SEED   another seed than 1: the same seed and shell give the same texts
//	PERMGATE_ORACLE_HUNT   not empty: texts the analysis doubts are not run, as they cannot be missed; and a
//	                       sample of each doubt is printed
//
// What testdata/misses.txt lists as open is left out, and counted.
//
// An execution counts when the shell parsed the whole text, it ended by itself and it ran a program.
func TestOracleFuzz(t *testing.T) { fuzzShell(t, "bash", 2000) }

// TestOracleFuzzDash does the same with dash, which runs what is not bash's own alike. The analysis reads
// every text as bash.
func TestOracleFuzzDash(t *testing.T) { fuzzShell(t, "dash", 1000) }

// TestOracleFuzzBash32 does the same with bash 3.2, the /bin/bash and /bin/sh of macOS.
func TestOracleFuzzBash32(t *testing.T) { fuzzShell(t, "bash32", 1000) }

// TestOracleFuzzBash53 does the same with bash 5.3, which has substitutions that run in the shell itself.
func TestOracleFuzzBash53(t *testing.T) { fuzzShell(t, "bash53", 1000) }

// TestOracleFuzzZsh does the same with zsh, which reads much in a way of its own: where that makes a
// difference there must be a doubt, or the analysis must cover both readings.
func TestOracleFuzzZsh(t *testing.T) { fuzzShell(t, "zsh", 1000) }

func fuzzShell(t *testing.T, shell string, quick int) {
	row := tongueOf(t, shell)
	dynamicShell(t, row.program(t)) // before the rest is made: without it the test is skipped
	limit := budgetFromEnv(t, testenv.Count(t, quick/20, quick, quick))
	shim, all := Build(t), append(seeds(t), recorded(t)...)
	workers := make([]*worker, min(4, max(1, limit.runs/100))) // their number says which texts there are
	for i := range workers {
		workers[i] = newWorker(t, shell, shim, i, limit.seed+uint64(i)<<32, all)
		workers[i].hunt, workers[i].forms = limit.hunt, formsOf(shell)
	}
	start := time.Now()
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(func() {
			for i := 0; w.err == nil && !limit.reached(start, w.counted*len(workers)); i++ {
				w.check(w.next(i))
			}
		})
	}
	wg.Wait()
	total := newStats()
	for _, w := range workers {
		if w.err != nil {
			t.Error(w.err)
		}
		total.add(&w.stats)
	}
	total.report(t, shell, time.Since(start), limit.hunt)
}

// A fuzzBudget says when to stop.
type fuzzBudget struct {
	time time.Duration // 0: no limit
	runs int
	seed uint64
	hunt bool
}

func budgetFromEnv(t testing.TB, quick int) fuzzBudget {
	b := fuzzBudget{runs: quick, seed: 1, hunt: os.Getenv("PERMGATE_ORACLE_HUNT") != ""}
	var err error
	if s := os.Getenv("PERMGATE_ORACLE"); s != "" {
		if b.time, err = time.ParseDuration(s); err != nil {
			t.Fatal(err)
		}
		b.runs = 1 << 40
	}
	if s := os.Getenv("PERMGATE_ORACLE_RUNS"); s != "" {
		if b.runs, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	if s := os.Getenv("PERMGATE_ORACLE_SEED"); s != "" {
		if b.seed, err = strconv.ParseUint(s, 10, 32); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b *fuzzBudget) reached(start time.Time, runs int) bool {
	return runs >= b.runs || b.time > 0 && time.Since(start) > b.time
}
