package wine

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// share is the per cent of the tests that have to run.
const share = 90

// A tally counts tests, scripts included: all that the programs have, whatever became of them.
type tally struct {
	sync.Mutex
	ran, passed int
	partly      int            // run, and failed for parts alone that are listed
	parts       map[string]int // subtests that are no scripts, by their result
	left        map[string]int // that fail and are listed, or are never started, by reason
	own         map[string]int // skipped by themselves, by what they say
	wrong       []string
}

var (
	started = regexp.MustCompile(`(?m)^=== RUN +(\S+)$`)
	ended   = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): (\S+) \(`)
	place   = regexp.MustCompile(`^\s+\S+_test\.go:\d+: `)
)

// Results of a test, besides PASS, FAIL and SKIP.
const (
	died    = "DIED"    // started, and no result: its program ended
	unasked = "NOT RUN" // the program ended before
)

// counts reports whether a name is that of a test to count.
func counts(name string) bool {
	if part, ok := strings.CutPrefix(name, scripts); ok {
		return !strings.Contains(part, "/")
	}
	return !strings.Contains(name, "/") && name+"/" != scripts
}

// results are how tests and their parts ended, by what their program printed. names are those it has.
func results(names []string, out string, listed map[string]entry) map[string]string {
	found := map[string]string{}
	for _, name := range names {
		if !listed[name].never {
			found[name] = unasked
		}
	}
	for _, m := range started.FindAllStringSubmatch(out, -1) {
		found[m[1]] = died
	}
	for _, m := range ended.FindAllStringSubmatch(out, -1) {
		found[m[2]] = m[1]
	}
	return found
}

// fails reports whether a result is not one that a test may have.
func fails(result string) bool { return result != "PASS" && result != "SKIP" }

// add counts what a test program printed.
func (a *tally) add(dir string, names []string, out string, listed map[string]entry) {
	a.Lock()
	defer a.Unlock()
	if a.left == nil {
		a.parts, a.left, a.own = map[string]int{}, map[string]int{}, map[string]int{}
	}
	found, wrong := results(names, out, listed), len(a.wrong)
	a.listed(dir, found, listed)
	for name, result := range found {
		e, known := listed[name]
		if fails(result) && !known && !within(name, found, listed) {
			a.wrong = append(a.wrong, fmt.Sprintf("%s %s: %s", dir, name, result))
		}
		switch {
		case name+"/" == scripts:
		case !counts(name):
			a.parts[result]++
		case result == "SKIP":
			a.own[says(out, name)]++
		case fails(result) && known:
			a.left[e.why]++
		case result == unasked:
			a.left["its program ended before"]++
		default:
			a.ran++
			if result == "PASS" {
				a.passed++
			} else if within(name, found, listed) {
				a.partly++
			}
		}
	}
	if len(a.wrong) > wrong || len(found) == 0 {
		a.wrong = append(a.wrong, dir+" printed:\n"+out[max(0, len(out)-40_000):])
	}
}

// listed holds the list against the results: a line that is not needed is wrong.
func (a *tally) listed(dir string, found map[string]string, listed map[string]entry) {
	for name, e := range listed {
		switch result := found[name]; {
		case e.never && counts(name):
			a.left[e.why]++
		case e.never:
		case result == "":
			a.wrong = append(a.wrong, dir+" "+name+" is listed and unknown")
		case !fails(result):
			a.wrong = append(a.wrong, dir+" "+name+" is listed and no longer fails: "+result)
		}
	}
}

// within reports whether a test that failed has parts that did, which are judged by themselves, or is part of one that
// is listed.
func within(name string, found map[string]string, listed map[string]entry) bool {
	for other, result := range found {
		if strings.HasPrefix(other, name+"/") && fails(result) {
			return true
		}
		if _, known := listed[other]; known && strings.HasPrefix(name, other+"/") {
			return true
		}
	}
	return false
}

// says is the first line that a test printed.
func says(out, name string) string {
	_, rest, _ := strings.Cut(out, "=== RUN   "+name+"\n")
	rest, _, _ = strings.Cut(rest, "--- SKIP: "+name+" ")
	for line := range strings.Lines(rest) {
		if at := place.FindString(line); at != "" {
			return strings.TrimSpace(line[len(at):])
		}
	}
	return "?"
}

func (a *tally) report(t *testing.T, form string) {
	all := a.ran
	for what, reasons := range map[string]map[string]int{"left out": a.left, "skipped": a.own} {
		n := 0
		for _, why := range slices.SortedFunc(maps.Keys(reasons), func(x, y string) int {
			return cmp.Or(reasons[y]-reasons[x], strings.Compare(x, y))
		}) {
			n += reasons[why]
			t.Logf("%4d %s: %s", reasons[why], what, why)
		}
		t.Logf("%4d tests and scripts %s", n, what)
		all += n
	}
	t.Logf("subtests: %v", a.parts)
	percent := 100 * float64(a.ran) / float64(max(1, all))
	t.Logf("%d tests and scripts run, %d passed, %d but for parts that are left out, %d failed: %.1f %% of %d run",
		a.ran, a.passed, a.partly, a.ran-a.passed-a.partly, percent, all)
	slices.Sort(a.wrong)
	for _, w := range a.wrong {
		t.Error(w)
	}
	if form == "all" && percent < share {
		t.Errorf("less than %d %% run", share)
	}
}

// TestTally counts a made-up run: every test that its program has is in one place, and what is wrong is said.
func TestTally(t *testing.T) {
	const out = `=== RUN   TestSilent
--- SKIP: TestSilent (0.00s)
=== RUN   TestA
--- PASS: TestA (0.00s)
=== RUN   TestB
=== RUN   TestB/x
=== RUN   TestB/y
--- FAIL: TestB (0.00s)
    --- FAIL: TestB/x (0.00s)
    --- PASS: TestB/y (0.00s)
=== RUN   TestScript
=== RUN   TestScript/one
=== RUN   TestScript/two
--- FAIL: TestScript (0.00s)
    --- PASS: TestScript/one (0.00s)
    --- FAIL: TestScript/two (0.00s)
=== RUN   TestC
    c_test.go:7: git is not here
--- SKIP: TestC (0.00s)
=== RUN   TestMended
--- PASS: TestMended (0.00s)
=== RUN   TestD
panic: x
`
	names := []string{"TestSilent", "TestA", "TestB", "TestScript", "TestC", "TestMended", "TestD", "TestE", "TestHangs"}
	listed := map[string]entry{"TestScript/two": {why: "sh"}, "TestB/x": {why: "links"}, "TestMended": {why: "old"},
		"TestHangs": {"hangs", true}, "TestNone": {why: "old"}}
	var a tally
	a.add("dir", names, out, listed)
	got := fmt.Sprint(a.ran, a.passed, a.partly, a.left, a.own, a.parts)
	const want = "5 3 1 map[hangs:1 its program ended before:1 sh:1] map[?:1 git is not here:1] map[FAIL:1 PASS:1]"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	slices.Sort(a.wrong)
	if got := strings.Join(a.wrong[:max(0, len(a.wrong)-1)], "; "); got != "dir TestD: DIED; dir TestE: NOT RUN; "+
		"dir TestMended is listed and no longer fails: PASS; dir TestNone is listed and unknown" {
		t.Error(got)
	}
}
