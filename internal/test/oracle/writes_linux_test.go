package oracle

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestOracleWrites runs programs for real, in a cage, with generated options and operands, and holds what
// they write against what the analysis says they write. The environment says how much:
//
//	PERMGATE_ORACLE        how long, as 2m: until then again and again, each time with another seed
//	PERMGATE_ORACLE_RUNS   how many lines for each program; by default 4 for some, with PERMGATE_FULL 10 or 40 for all
//	PERMGATE_ORACLE_SEED   another seed than 1
//	PERMGATE_ORACLE_READS  not empty: files that are read and are no effect are listed as well, one a program
//
// One program: -run TestOracleWrites/lines/cp
func TestOracleWrites(t *testing.T) {
	limit, every := budgetFromEnv(t, 0), 1
	if limit.time > 0 && limit.runs == 1<<40 {
		limit.runs = linesEach
	}
	if limit.runs == 0 {
		limit.runs, every = testenv.Count(t, 4, 10, linesDefault), testenv.Every(t, 4, 1, 1)
	}
	bin := BuildCage(t)
	ProveCage(t, bin)
	start, total := time.Now(), writeStats{}
	workers := make(chan *writeWorker, runtime.GOMAXPROCS(0))
	more := 0
	if os.Getenv("PERMGATE_ORACLE_READS") != "" {
		more = reads
	}
	for range cap(workers) {
		f := newFixture(t, confined(t, bin, more))
		f.cage.Deadline = 500 * time.Millisecond
		workers <- &writeWorker{f: f, total: &total}
	}
	for round := uint64(0); round == 0 || limit.time > 0 && time.Since(start) < limit.time; round++ {
		t.Run("lines", func(t *testing.T) {
			for i := 0; i < len(writers); i += every {
				t.Run(writers[i].name, func(t *testing.T) {
					t.Parallel()
					w := <-workers
					defer func() { workers <- w }()
					w.program(t, &writers[i], limit.runs, limit.seed+round<<32)
				})
			}
		})
	}
	sort.Strings(total.absent)
	if total.programs == len(writers)-len(total.absent) && total.whole < 50 && limit.runs >= linesEach {
		t.Errorf("only %d programs have %d command lines", total.whole, linesEach)
	}
	t.Logf("%d programs, %d with at least %d command lines, %d in all, of which %d wrote %d paths, %d ran something else, %d timed out, %d filled the log, %d missed, %.0f s; not installed: %s",
		total.programs, total.whole, linesEach, total.lines, total.wrote, total.paths, total.ran, total.late, total.cut, total.missed, time.Since(start).Seconds(), strings.Join(total.absent, " "))
}

const (
	linesEach    = 200 // command lines that each program gets where the time does not matter
	linesDefault = 40
)

// writeStats counts over all programs.
type writeStats struct {
	sync.Mutex
	programs, whole, lines, wrote, paths, ran, missed, late int
	cut                                                     int // the log was full: what changed is known from the tree alone
	absent                                                  []string
}

// A writeWorker has a cage of its own.
type writeWorker struct {
	f     *fixture
	total *writeStats
}

// program runs n distinct lines of one program.
func (w *writeWorker) program(t *testing.T, p *program, n int, seed uint64) {
	if _, err := exec.LookPath(p.name); err != nil {
		w.total.Lock()
		defer w.total.Unlock()
		w.total.absent = append(w.total.absent, p.name)
		t.Skip("not installed")
	}
	m := newLineMaker(t, w.f.cage, p, seed)
	seen, missed, begin, n0 := map[string]bool{}, []string(nil), time.Now(), writeStats{}
	unseen := false
	for try := 0; len(seen) < n && try < 20*n; try++ {
		l := m.line()
		if text := l.text(); seen[text] {
			continue
		} else {
			seen[text] = true
		}
		tr := w.do(t, &l)
		n0.paths += len(tr.written)
		n0.wrote += min(len(tr.written), 1)
		n0.ran += min(len(tr.execs), 1)
		if tr.run.TimedOut {
			n0.late++
		}
		if tr.run.Cut {
			n0.cut++
		}
		if u := w.f.unseenReads(&l, &tr); len(u) > 0 && !unseen {
			unseen = true
			t.Logf("read unseen: %s: %s", l.text(), strings.Join(u, " "))
		}
		if m := w.f.missedBy(&l, p, &tr); len(m) > 0 {
			n0.missed++
			if len(missed) < maxMisses {
				missed = append(missed, w.smallest(t, p, l, m))
			}
		}
	}
	slices.Sort(missed)
	for _, s := range slices.Compact(missed) {
		t.Error(s)
	}
	if len(seen) < n {
		t.Errorf("only %d distinct command lines", len(seen))
	}
	t.Logf("%d lines, %d wrote, %d ran something else, %d timed out, %.1f s", len(seen), n0.wrote, n0.ran, n0.late, time.Since(begin).Seconds())
	w.total.Lock()
	defer w.total.Unlock()
	w.total.programs++
	if n >= linesEach {
		w.total.whole++
	}
	w.total.lines += len(seen)
	w.total.wrote += n0.wrote
	w.total.paths += n0.paths
	w.total.ran += n0.ran
	w.total.missed += n0.missed
	w.total.late += n0.late
	w.total.cut += n0.cut
}

// do runs a line and puts everything back.
func (w *writeWorker) do(t *testing.T, l *commandLine) trace {
	t.Helper()
	r, err := w.f.cage.Run(l.stdin, l.argv...)
	if err != nil {
		t.Fatalf("%s: %v", l.text(), err)
	}
	now, err := w.f.look(w.f.was)
	if err != nil {
		t.Fatal(err)
	}
	changes := changed(w.f.was, now)
	tr := w.f.traceOf(r, changes, now)
	w.f.restore(t, changes)
	return tr
}

// smallest describes the smallest line that is still missed.
func (w *writeWorker) smallest(t *testing.T, p *program, l commandLine, missed []string) string {
	for again := true; again; {
		again = false
		for _, s := range l.shorter() {
			tr := w.do(t, &s)
			if m := w.f.missedBy(&s, p, &tr); len(m) > 0 {
				l, missed, again = s, m, true
				break
			}
		}
	}
	return "missed: " + l.text() + "\n\t" + strings.Join(missed, "\n\t")
}
