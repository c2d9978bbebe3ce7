//go:build unix

package growth

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/gate/hook"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// most is the exponent above which the test fails.
const most = 1.3

// steps are the sizes that are run, as parts of a row's size; the first is what it
// costs at all.
var steps = [...]int{64, 8, 4, 2, 1}

// TestGrowth fails where the work grows faster than what is worked on, or not at all:
// then a row does not reach the code it is about.
func TestGrowth(t *testing.T) {
	every := testenv.Every(t, 2, 1, 1) // of the steps, the first and the last among them
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			var costs []cost
			for i, part := range steps {
				if i%every == 0 {
					c, _ := r.measure(t, r.size/4/part, 1)
					costs = append(costs, c)
				}
			}
			grows := false
			for _, unit := range [...]struct {
				name string
				of   func(cost) float64
			}{
				{"bytes", func(c cost) float64 { return c.bytes }},
				{"allocations", func(c cost) float64 { return c.pieces }},
				{"file operations", func(c cost) float64 { return c.files }},
			} {
				e := exponent(costs, unit.of)
				t.Logf("%-16s %.2f  (%.0f at size %d)", unit.name, e, unit.of(costs[len(costs)-1]), r.size/4)
				grows = grows || e > 0.5
				if e > max(r.most, most) {
					t.Errorf("%s grow with the power %.2f of: %s", unit.name, e, r.what)
				}
			}
			if every == 1 && grows == r.flat { // three sizes do not tell where a bound is
				t.Errorf("grows is %v, want %v: %s", grows, !r.flat, r.what)
			}
		})
	}
}

// BenchmarkGrowth prints the time for each size, and the fitted exponent.
func BenchmarkGrowth(b *testing.B) {
	// a collection that only the larger sizes meet would look like growth
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(512 << 20))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, r := range rows {
		b.Run(r.name, func(b *testing.B) {
			var costs [len(steps)]cost
			for b.Loop() {
				for i, part := range steps {
					runtime.GC()
					c, took := r.measure(b, r.size/part, 5)
					if c.time = took.Seconds(); costs[i].time == 0 || c.time < costs[i].time {
						costs[i] = c
					}
				}
			}
			for i, part := range steps {
				b.ReportMetric(costs[i].time*1000, fmt.Sprintf("ms/%d", r.size/part))
			}
			b.ReportMetric(exponent(costs[:], func(c cost) float64 { return c.time }), "exponent")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// A cost is what one run took.
type cost struct{ size, bytes, pieces, files, time float64 }

// measure makes a site of a size and works on it: the least of so many runs.
func (r *row) measure(tb testing.TB, n, runs int) (least cost, took time.Duration) {
	n = max(n, 1)
	s := newSite(tb)
	r.make(s, n)
	for i := range runs {
		var before, after runtime.MemStats
		*s.ops = 0
		runtime.ReadMemStats(&before)
		start := testenv.Worked()
		r.run(s)
		d := testenv.Worked() - start
		runtime.ReadMemStats(&after)
		if i == 0 || d < took {
			took = d
		}
		if pieces := float64(after.Mallocs - before.Mallocs); i == 0 || pieces < least.pieces {
			least = cost{size: float64(n), bytes: float64(after.TotalAlloc - before.TotalAlloc), pieces: pieces, files: float64(*s.ops)}
		}
	}
	return least, took
}

// exponent fits the slope of cost over size, both as logarithms, without what the
// smallest size costs; 0 where that is nearly all.
func exponent(costs []cost, of func(cost) float64) float64 {
	base := of(costs[0])
	var x, y, xx, xy, n float64
	for i := 1; i < len(costs); i++ {
		more := of(costs[i]) - base
		if more <= base/20 || more <= 0 {
			continue
		}
		lx, ly := math.Log(costs[i].size-costs[0].size), math.Log(more)
		x, y, xx, xy, n = x+lx, y+ly, xx+lx*lx, xy+lx*ly, n+1
	}
	if n < 2 {
		return 0
	}
	return (n*xy - x*y) / (n*xx - x*x)
}

// A site is a machine with one user and one project, on the disk.
type site struct {
	tb            testing.TB
	home, project string
	cwd           string
	env           map[string]string
	flags         gate.Flags
	input         string // of the call: tool_name and tool_input
	ops           *int
}

func newSite(tb testing.TB) *site {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() { // some sites have a thousand files
		tb.Setenv("TMPDIR", "/dev/shm")
	}
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	s := &site{tb: tb, home: dir + "/home", project: dir + "/home/p", ops: new(int)}
	s.cwd, s.env = s.project, map[string]string{"HOME": s.home}
	s.bash("git status")
	s.write(s.project+"/.git/HEAD", "ref: refs/heads/main\n")
	return s
}

// write makes a file and the folders above it.
func (s *site) write(name, text string) {
	s.tb.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		s.tb.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		s.tb.Fatal(err)
	}
}

// settings writes the shared settings of the project.
func (s *site) settings(text string) { s.write(s.project+"/.claude/settings.json", text) }

// bash makes a command the call.
func (s *site) bash(command string) {
	s.input = `"tool_name":"Bash","tool_input":{"command":` + string(hookio.AppendJSON(nil, command)) + `}`
}

func (s *site) world() gate.World {
	return gate.World{
		Getenv: func(key string) string { return s.env[key] }, Environ: func() []string { return nil },
		Cwd: s.cwd, PasswdHome: s.home, UID: disk.UID(), Files: counted{&disk.Once{}, s.ops}, Now: time.Now(),
		ManagedDir: []string{s.home + "/none"}, Exe: func() (string, error) { return "/usr/local/bin/permgate", nil },
		OS: rules.NativeOS(),
	}
}

// decision is what the hook does with the call.
func decision(s *site) { decideCall(s) }

// answered is the same with what comes after the answer: the count of questions, and a line of the log.
func answered(s *site) {
	c, v, answer := decideCall(s)
	a := &hook.Answerer{Start: time.Now(), Flags: &s.flags}
	to := a.Writer(s.world(), c.Policy)
	_, asks := a.Repeated(to, c, v, answer, false)
	a.Log(to, func() *log.Record { return log.Decided(c, v, answer) })
	asks.Add()
}

func decideCall(s *site) (*decide.Input, decide.Verdict, hookio.Answer) {
	payload := `{"hook_event_name":"PreToolUse","permission_mode":"default","session_id":"s1","cwd":` +
		string(hookio.AppendJSON(nil, s.cwd)) + `,` + s.input + `}`
	call, err := hookio.Read(strings.NewReader(payload), hookio.Options{Host: "claude"})
	if err != nil {
		s.tb.Fatal(err)
	}
	s.flags.Host = "claude"
	c := gate.Case(call, &s.flags, s.world())
	v := decide.Decide(c)
	answer := v.Answer()
	hookio.Write(nil, call, answer)
	return c, v, answer
}

// command runs a subcommand; what it prints counts for nothing.
func command(args ...string) func(*site) {
	return func(s *site) {
		var out, err strings.Builder
		if code := cli.Main(args, strings.NewReader(""), &out, &err, s.world()); code > 1 {
			s.tb.Fatalf("%v: %d %s", args, code, err.String())
		}
	}
}

// counted counts what is asked of the file system: one for each question, and one for
// each KiB that is read.
type counted struct {
	load.Files
	n *int
}

func (c counted) ReadFile(name string, max int64) ([]byte, error) {
	data, err := c.Files.ReadFile(name, max)
	*c.n += 1 + len(data)/1024
	return data, err
}

func (c counted) ReadDir(name string) ([]string, error) {
	names, err := c.Files.ReadDir(name)
	*c.n += 1 + len(names)
	return names, err
}

func (c counted) Lstat(name string) (fs.FileInfo, error) { *c.n++; return c.Files.Lstat(name) }

func (c counted) Stat(name string) (fs.FileInfo, error) { *c.n++; return c.Files.Stat(name) }

func (c counted) Readlink(name string) (string, error) { *c.n++; return c.Files.Readlink(name) }

func (c counted) Tracked(name string) bool { *c.n++; return c.Files.Tracked(name) }

func (c counted) Unindexed(name string) bool { *c.n++; return c.Files.Unindexed(name) }
