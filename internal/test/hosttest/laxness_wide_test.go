package hosttest

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/gate/log"
)

// A laxPosture is a permgate.json of the person's.
type laxPosture struct {
	name string
	gate func(posture map[string]any) // changes what install wrote
	// own reports whether the posture itself answers for what was allowed; nil: none does.
	own func(r *log.Record) bool
}

var laxPostures = [...]laxPosture{
	{name: "installed"},
	{"loosened", func(p map[string]any) {
		p["readOnlyCommands"], p["projectTrust"], p["secrets"], p["outsideReads"] = "allow", "off", "rules", "allow"
	}, func(r *log.Record) bool { return strings.Contains(r.Reason, "readOnlyCommands") }},
	// Without a posture permgate has its own idea of what is safe, and a rule for a command covers what that writes.
	{"bare", func(p map[string]any) { clear(p) }, func(r *log.Record) bool {
		return laxStep(r) == "3" || laxStep(r) == "7" || laxStep(r) == "6" && r.Rule != ""
	}},
}

// wideModes are the six modes, auto with a classifier that refuses: else nothing is stopped there.
var wideModes = [...]string{"default", "acceptEdits", "plan", "auto, refusing", "dontAsk", "bypassPermissions"}

// A wideSetup is a set-up, and the modes and postures it is driven in, the first ones of each.
type wideSetup struct {
	laxSetup
	modes    []string
	postures int
}

// someModes are those in which a place can make a difference: in the others a person is asked, or no one.
var someModes = []string{"default", "acceptEdits", "dontAsk"}

var wideSetups = [...]wideSetup{
	{laxSetup{name: "narrow", user: narrowRules, list: narrowCalls, place: narrowPlace}, wideModes[:], 3},
	{laxSetup{name: "worktree inside", user: placeUser, list: placeCalls, place: worktree("{main}/.claude/worktrees/side")}, someModes, 1},
	{laxSetup{name: "worktree beside", user: placeUser, list: placeCalls, place: worktree("{home}/src/side")}, wideModes[:], 1},
	{laxSetup{name: "settings moved", list: placeCalls, place: movedConfig}, someModes, 1},
	{laxSetup{name: "agent of the project, acceptEdits", list: placeCalls, place: definedAgent("acceptEdits"), agent: "helper"}, someModes, 1},
	{laxSetup{name: "agent of the project, bypassPermissions", list: placeCalls, place: definedAgent("bypassPermissions"), agent: "helper"},
		someModes, 1},
	{laxSetup{name: "folder added", list: folderCalls, place: addedFolder}, someModes, 1},
}

// TestLaxnessWide has Claude Code make calls that narrow rules, worktrees, moved settings, agent definitions and further
// folders make hard to tell: alone, and with permgate as it is installed, loosened and bare. What does not run alone does
// not run with permgate, or it is in one of the two lists, whose entries are all true.
func TestLaxnessWide(t *testing.T) {
	program := Claude.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the paths of the table are those of Unix")
	}
	permgate := BuildPermgate(t)
	runs := make([]wideRun, 0, 100)
	for i := range wideSetups {
		for _, mode := range wideSetups[i].modes {
			for p := -1; p < wideSetups[i].postures; p++ {
				if p < 1 || mode != "bypassPermissions" { // where every posture is the same
					runs = append(runs, wideRun{setup: &wideSetups[i].laxSetup, mode: mode, posture: p})
				}
			}
		}
	}
	t.Run("sessions", func(t *testing.T) {
		for i := range runs {
			t.Run(runs[i].String(), func(t *testing.T) {
				t.Parallel()
				runs[i].drive(t, program, permgate)
			})
		}
	})
	if t.Failed() {
		return
	}
	laxer := map[string][]string{}
	var alone *wideRun
	all := true
	for i := range runs {
		r := &runs[i]
		switch all = all && r.cells != nil; {
		case r.posture < 0:
			alone = r
		case r.cells != nil && alone.cells != nil: // else -run names others
			r.compare(alone, laxer)
		}
	}
	wideLists(t, laxer, all)
}

// wideLists holds what was found to the two lists.
func wideLists(t *testing.T, laxer map[string][]string, all bool) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(laxer)) {
		own := slices.Contains(laxOwn[:], name)
		for _, cell := range laxer[name] {
			if own && !strings.Contains(cell, "allow at step 6") || !own && !slices.Contains(laxGaps[:], name) {
				t.Errorf("%q runs with permgate only: %s", name, cell)
			}
		}
	}
	for _, name := range slices.Concat(laxGaps[:], laxOwn[:]) {
		if all && laxer[name] == nil {
			t.Errorf("%q runs with permgate no more than without it: take it out of the list", name)
		}
	}
}

// A wideRun is one session, with permgate in a posture, or without it where that is below 0.
type wideRun struct {
	setup   *laxSetup
	mode    string
	posture int
	cells   []laxCell
}

func (r *wideRun) String() string {
	name := "alone"
	if r.posture >= 0 {
		name = laxPostures[r.posture].name
	}
	return fmt.Sprintf("%s, %s, %s", r.setup.name, r.mode, name)
}

// drive has one session make the calls.
func (r *wideRun) drive(t *testing.T, program []string, permgate string) {
	setup, mode := *r.setup, slices.IndexFunc(laxModes[:], func(m laxMode) bool { return m.name == r.mode })
	if r.posture >= 0 {
		setup.gate = laxPostures[r.posture].gate
	}
	r.cells = laxSession(t, program, permgate, &setup, &laxModes[mode], r.posture >= 0)
}

// compare notes what ran with permgate and not alone. Where Claude Code asked although permgate had said yes, the dialog's
// own event gets the same yes, and the call runs: here another answer may come first.
func (r *wideRun) compare(alone *wideRun, laxer map[string][]string) {
	own := laxPostures[r.posture].own
	for i, call := range r.setup.calls() {
		was, is := alone.cells[i], r.cells[i]
		ran := is.outcome == laxRan || is.outcome == laxAsked && is.said != nil && is.said.Answered == "allow"
		if was.outcome == laxRan || !ran || is.said != nil && own != nil && own(is.said) {
			continue
		}
		name := r.setup.name + ": " + call.name
		laxer[name] = append(laxer[name], fmt.Sprintf("%s: %s alone: %s", r, was.outcome, describe(is.said)))
	}
}

// TestLaxnessLists: each entry of the two lists names a call, once.
func TestLaxnessLists(t *testing.T) {
	calls := map[string]int{}
	for i := range wideSetups {
		for _, call := range wideSetups[i].calls() {
			calls[wideSetups[i].name+": "+call.name]++
		}
	}
	for name, n := range calls {
		if n != 1 {
			t.Errorf("%d calls are named %q", n, name)
		}
	}
	for _, name := range slices.Concat(laxGaps[:], laxOwn[:]) {
		if calls[name]--; calls[name] != 0 {
			t.Errorf("%q names no call, or is there twice", name)
		}
	}
}
