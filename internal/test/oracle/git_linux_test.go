package oracle

import (
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestOracleGit runs the real git in a scratch repository, in a cage, with generated subcommands, options and operands,
// and holds what it writes, runs and prints against what the analysis says of it. PERMGATE_ORACLE_RUNS says how many
// lines there are for each subcommand, by default 2 for some of them, with PERMGATE_FULL for all; PERMGATE_ORACLE_SEED and
// PERMGATE_ORACLE are those of TestOracleWrites.
//
// One subcommand: -run TestOracleGit/lines/apply
func TestOracleGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	limit, every := budgetFromEnv(t, 0), 1
	if limit.time > 0 && limit.runs == 1<<40 || limit.runs == 0 {
		limit.runs, every = testenv.Count(t, 2, 2, gitLinesEach), testenv.Every(t, 8, 1, 1)
	}
	bin := BuildCage(t)
	ProveCage(t, bin)
	start, total := time.Now(), gitStats{}
	workers := make(chan *gitFixture, runtime.GOMAXPROCS(0))
	for range cap(workers) {
		f := newGitFixture(t, confined(t, bin, 0))
		f.cage.Deadline = 2 * time.Second
		workers <- f
	}
	for round := uint64(0); round == 0 || limit.time > 0 && time.Since(start) < limit.time; round++ {
		t.Run("lines", func(t *testing.T) {
			for i := 0; i < len(gitForms); i += every {
				g := gitForms[i]
				t.Run(g.verb, func(t *testing.T) {
					t.Parallel()
					f := <-workers
					defer func() { workers <- f }()
					f.lines(t, newGitMaker(t, f.cage, g.verb, g.forms, limit.seed+round<<32), int(limit.runs), &total)
				})
			}
		})
	}
	t.Logf("%d command lines of git, of which %d succeeded, %d wrote, %d ran something else, %d timed out, %d missed, %.0f s",
		total.lines, total.worked, total.wrote, total.ran, total.late, total.missed, time.Since(start).Seconds())
}

const gitLinesEach = 4

type gitStats struct {
	sync.Mutex
	lines, worked, wrote, ran, late, missed int
}

// lines runs n distinct lines of one subcommand.
func (g *gitFixture) lines(t *testing.T, m *gitMaker, n int, total *gitStats) {
	var s gitStats
	seen := map[string]bool{}
	var missed []string
	for try := 0; len(seen) < n && try < 20*n; try++ {
		l := m.line()
		text := l.text()
		if seen[text] {
			continue
		}
		seen[text] = true
		tr, printed := g.do(t, &l)
		s.wrote += min(len(tr.written), 1)
		s.ran += min(len(tr.execs), 1)
		if tr.run.TimedOut {
			s.late++
		}
		if tr.run.Status == 0 {
			s.worked++
		}
		if found := g.missedBy(&l, &tr, printed); len(found) > 0 {
			if s.missed++; len(missed) < maxMisses {
				missed = append(missed, g.smallest(t, l, found))
			}
		}
	}
	slices.Sort(missed)
	for _, text := range slices.Compact(missed) {
		t.Error(text)
	}
	total.Lock()
	defer total.Unlock()
	total.lines += len(seen)
	total.worked += s.worked
	total.wrote += s.wrote
	total.ran += s.ran
	total.late += s.late
	total.missed += s.missed
}

// do runs a line, returns what it printed and puts everything back.
func (g *gitFixture) do(t *testing.T, l *commandLine) (trace, string) {
	t.Helper()
	r, err := g.cage.Run(l.stdin, l.argv...)
	if err != nil {
		t.Fatalf("%s: %v", l.text(), err)
	}
	printed := g.cage.Output(1 << 16)
	now, err := g.look(g.was)
	if err != nil {
		t.Fatal(err)
	}
	changes := changed(g.was, now)
	tr := g.traceOf(r, changes, now)
	g.restore(t, changes)
	return tr, printed
}

// smallest describes the smallest line that is still missed.
func (g *gitFixture) smallest(t *testing.T, l commandLine, missed []string) string {
	for again := true; again; {
		again = false
		for _, s := range l.shorter() {
			if len(s.argv) == 0 || s.argv[0] != "git" {
				continue
			}
			tr, printed := g.do(t, &s)
			if m := g.missedBy(&s, &tr, printed); len(m) > 0 {
				l, missed, again = s, m, true
				break
			}
		}
	}
	text := "missed: " + l.text()
	for _, m := range missed[:min(len(missed), 4)] {
		text += "\n\t" + m
	}
	return text
}
