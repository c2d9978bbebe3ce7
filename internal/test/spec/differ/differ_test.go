package differ

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/built"
	"github.com/permgate--owner/permgate/internal/test/spec"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

var (
	forTime  = flag.Duration("differ", 0, "ask about new cases for this long, or until -lines are asked")
	lines    = flag.Float64("lines", 0, "calls for check --lines; 0 is a number of the test's own, or as many as -differ has time for")
	hooks    = flag.Float64("hooks", 50, "calls of them for hook, one process each")
	perTree  = flag.Int("tree", 200, "calls under the same settings")
	seed     = flag.Uint64("seed", 0, "of the random numbers; 0 takes another one each time with -differ, and else always the same")
	keepFile = flag.String("keep", "", "file that differences are appended to")
)

// program is permgate, built to take HOME for everything outside the project: see TestMain of package main.
var program string

// known are the names of the constants of package spec.
var known names

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if program, err = built.Permgate(); err != nil {
		panic(err)
	}
	if known, err = readNames("../case.go"); err != nil {
		panic(err)
	}
	return m.Run()
}

// roomFor is a folder for trees. It lies in no temporary folder, where other rules hold for writes.
func roomFor(t *testing.T) string {
	if runtime.GOOS != "linux" {
		t.Skip("needs a folder that is not among the temporary ones and below no project: /dev/shm")
	}
	dir, err := os.MkdirTemp("/dev/shm", "permgate-differ")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// A difference is a case that the program answers otherwise than the specification.
type difference struct {
	drawn
	want spec.Told
	step string
	got  answer
}

func (d *difference) String() string {
	return fmt.Sprintf("%s\n  specified: %s at step %q; permgate: %s at step %s%s: %s", known.seed(&d.drawn), toldWord(d.want), d.step,
		d.got.Told, d.got.Step, d.got.Origin, d.got.Reason)
}

// A prober asks the program.
type prober struct {
	room  string
	n     int
	hooks int // that may still be asked
	asked struct{ lines, hooks, trees int }
}

// probe asks about cases of one tree, and returns those that differ.
func (p *prober) probe(cases []drawn) (out []difference, err error) {
	p.n++
	t := realise(fmt.Sprintf("%s/%d", p.room, p.n), cases)
	defer os.RemoveAll(t.dir)
	if err := t.write(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, known.seed(&cases[0]))
	}
	answers, err := t.check(cases)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, known.seed(&cases[0]))
	}
	p.asked.lines, p.asked.trees = p.asked.lines+len(cases), p.asked.trees+1
	for i := range cases {
		want, step := spec.Answer(cases[i].Case)
		if d := (difference{cases[i], want, step, answers[i]}); d.is() {
			out = append(out, d)
		}
	}
	share := 1 + len(cases)/50
	if *lines > 0 {
		share = max(share, int(*hooks / *lines * float64(len(cases))))
	}
	for i := range min(p.hooks, share, len(cases)) {
		told, err := t.hook(&cases[i], i)
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, known.seed(&cases[i]))
		}
		p.hooks--
		if p.asked.hooks++; told.Told != "" && told.Told != answers[i].Told {
			want, _ := spec.Answer(cases[i].Case)
			out = append(out, difference{cases[i], want, "hook", told})
		}
	}
	return out, nil
}

func (d *difference) is() bool {
	return d.got.Error != "" || d.got.Told != toldWord(d.want) || d.step != "" && d.got.Step != d.step
}

// reduce shrinks a difference.
func (p *prober) reduce(d difference) difference {
	d.drawn = shrink(d.drawn, func(less *drawn) bool {
		found, err := p.probe([]drawn{*less})
		if len(found) > 0 {
			d.want, d.step, d.got = found[0].want, found[0].step, found[0].got
		}
		return err == nil && len(found) > 0
	})
	return d
}

// TestSeeds asks again about every case that was answered differently once.
func TestSeeds(t *testing.T) {
	text, err := os.ReadFile("../testdata/seeds.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	seeds, err := known.readSeeds(text)
	if err != nil {
		t.Fatal(err)
	}
	p := &prober{room: roomFor(t)}
	for i := range seeds {
		found, err := p.probe(seeds[i : i+1])
		if err != nil {
			t.Error(err)
		}
		for i := range found {
			t.Error(&found[i])
		}
	}
}

// maxShown bounds the differences that are shrunk.
const maxShown = 12

// TestDiffer asks about new cases.
func TestDiffer(t *testing.T) {
	count := testenv.Count(t, 600, 6_000, 6_000)
	if *lines == 0 && *forTime == 0 {
		*lines = float64(count)
	}
	if *seed == 0 && *forTime > 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed %d", *seed)
	r := drawer{rand.New(rand.NewPCG(*seed, 0))}
	p := &prober{room: roomFor(t), hooks: int(*hooks)}
	shown := map[string]bool{}
	differ := 0
	end := time.Now().Add(*forTime)
	for (*forTime == 0 || time.Now().Before(end)) && (*lines == 0 || p.asked.lines < int(*lines)) {
		found, err := p.probe(r.tree(*perTree))
		if err != nil {
			t.Fatal(err)
		}
		differ += len(found)
		for i := range found {
			if len(shown) < maxShown {
				report(t, p, &found[i], shown)
			}
		}
	}
	t.Logf("%d calls by check --lines under %d settings, %d by hook: %d differences", p.asked.lines, p.asked.trees, p.asked.hooks, differ)
}

// report shrinks a difference, and shows it once.
func report(t *testing.T, p *prober, d *difference, shown map[string]bool) {
	if d.step != "hook" {
		alone := &prober{room: p.room + "/less"}
		if found, err := alone.probe([]drawn{d.drawn}); err != nil || len(found) == 0 {
			t.Errorf("only among other calls: %v", d)
			return
		}
		*d = alone.reduce(*d)
	}
	text := known.seed(&d.drawn)
	if shown[text] {
		return
	}
	shown[text] = true
	t.Error(d)
	if *keepFile == "" {
		return
	}
	f, err := os.OpenFile(*keepFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintf(f, "# %s\n%s\n", strings.ReplaceAll(d.got.Reason, "\n", " "), text)
}
