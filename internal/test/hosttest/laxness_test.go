package hosttest

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/gate/log"
)

// A laxMode is one column of the table. Where the host asks a classifier on its server, that one agrees or refuses.
type laxMode struct {
	name, mode string
	verdict    string         // of the classifier (API.Verdict)
	settings   map[string]any // of the user, besides
}

var laxModes = [...]laxMode{
	{"default", "default", "", nil},
	{"acceptEdits", "acceptEdits", "", nil},
	{"plan", "plan", "", map[string]any{"useAutoModeDuringPlan": false}},
	{"plan, agreeing", "plan", "not_flagged", nil},
	{"plan, refusing", "plan", "flagged", nil},
	{"auto, agreeing", "auto", "not_flagged", nil},
	{"auto, refusing", "auto", "flagged", nil},
	{"dontAsk", "dontAsk", "", nil},
	{"bypassPermissions", "bypassPermissions", "", nil},
}

// A laxSetup is what a person has written down; permgate is installed in all of them.
type laxSetup struct {
	name string
	init bool                // permgate init was run in the project
	user map[string][]string // rules of ~/.claude/settings.json, with the names of world.fill
	repo []string            // allow rules of .claude/settings.json of the project, which no one trusted

	list  func() []laxCall             // nil: allLaxCalls
	place func(t *testing.T, w *world) // what is different about the world
	gate  func(posture map[string]any) // changes what install wrote in permgate.json for the host
	agent string                       // the calls are those of a subagent of this type
}

// calls are those of the set-up.
func (s *laxSetup) calls() []laxCall {
	if s.list == nil {
		return allLaxCalls()
	}
	return s.list()
}

var laxSetups = [...]laxSetup{
	{name: "install"},
	{name: "install and init", init: true},
	{name: "20 rules", user: map[string][]string{
		"allow": {"Bash(git status:*)", "Bash(git log:*)", "Bash(git diff:*)", "Bash(git add:*)", "Bash(npm test:*)",
			"Bash(npm run build:*)",
			"Bash(ls:*)", "Bash(cat:*)", "Bash(mktemp:*)", "Read(~/notes/**)", "Edit(/{temp}/**)", "WebFetch(domain:go.dev)",
			"mcp__stub__touch"},
		"deny": {"Read(./.env)", "Bash(curl:*)", "Read(~/.ssh/**)"},
		"ask":  {"Bash(git push:*)"},
	}, repo: []string{"Bash(touch:*)", "Bash(rm -rf old)", "WebFetch(domain:unknown-host.example)"}},
}

// How a call ended, the laxest first.
const (
	laxRan     = "ran"
	laxJudged  = "judged" // the host's classifier refused it
	laxAsked   = "asked"
	laxRefused = "refused"
	// laxStopped is any but ran, in the columns of a classifier that refuses: after some refusals Claude Code asks a
	// person instead.
	laxStopped = "stopped"
)

var laxOrder = [...]string{laxRan, laxStopped, laxJudged, laxAsked, laxRefused}

// A laxCell is how one call ended, and what permgate noted of it.
type laxCell struct {
	outcome string
	said    *log.Record
}

// TestLaxness has Claude Code make the calls of the table in every mode, with permgate and with its hooks
// switched off, and compares: permgate never makes a call run that is asked about or refused without it, unless
// a rule of the user's allows it, and never stops one that runs without it, unless it says by which rule or step.
func TestLaxness(t *testing.T) {
	h := &Claude
	program := h.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the paths of the table are those of Unix")
	}
	permgate := BuildPermgate(t)
	var cells [len(laxSetups)][len(laxModes)][2][]laxCell
	t.Run("sessions", func(t *testing.T) {
		for i := range laxSetups {
			for j := range laxModes {
				for with := range 2 {
					t.Run(fmt.Sprintf("%s, %s, %d", laxSetups[i].name, laxModes[j].name, with), func(t *testing.T) {
						t.Parallel()
						cells[i][j][with] = laxSession(t, program, permgate, &laxSetups[i], &laxModes[j], with == 1)
					})
				}
			}
		}
	})
	if t.Failed() {
		return
	}
	var table strings.Builder
	table.WriteString("set-up\tcall")
	for j := range laxModes {
		table.WriteString("\t" + laxModes[j].name)
	}
	table.WriteString("\n")
	for i := range laxSetups {
		for n, call := range allLaxCalls() {
			table.WriteString(laxSetups[i].name + "\t" + call.name)
			for j := range laxModes {
				alone, with := cells[i][j][0][n], cells[i][j][1][n]
				if why := laxWrong(&laxSetups[i], alone, with); why != "" {
					t.Errorf("%s, %s, %s: %s alone, %s with permgate, %s: %s", laxSetups[i].name, laxModes[j].name, call.name,
						alone.outcome, with.outcome, why, describe(with.said))
				}
				table.WriteString("\t" + laxText(alone, with))
			}
			table.WriteString("\n")
		}
	}
	compareLaxness(t, laxPath, table.String())
}

var laxPath = filepath.Join("..", "..", "..", "testdata", "hosts", "claude", "laxness.tsv")

// compareLaxness compares the table with the one recorded, or records it.
func compareLaxness(t *testing.T, path, got string) {
	t.Helper()
	if *record {
		writeFile(t, path, got)
		return
	}
	want := strings.Split(readFile(t, path), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(want) || want[i] != line {
			t.Errorf("line %d of %s, which -record rewrites:\n%s", i+1, path, line)
		}
	}
}

// laxText is one cell of the table: how the call ended alone, and with permgate where that differs, with
// the step that did it.
func laxText(alone, with laxCell) string {
	if alone.outcome == with.outcome {
		return alone.outcome
	}
	return alone.outcome + " > " + with.outcome + " by " + laxCause(with.said)
}

// laxCause names the rule, the check or the step that a record is about.
func laxCause(r *log.Record) string {
	switch {
	case r == nil:
		return "nothing"
	case r.Rule != "":
		return "step " + laxStep(r) + ", " + r.Rule
	case r.Check != "":
		return "step " + laxStep(r) + ", " + r.Check
	}
	return "step " + laxStep(r)
}

// laxStep is the step that had the opinion, whichever tightened it.
func laxStep(r *log.Record) string { return cmp.Or(r.Origin, r.Step) }

// laxWrong says what is wrong with a cell, "" where nothing is.
func laxWrong(setup *laxSetup, alone, with laxCell) string {
	was, is := laxRank(alone.outcome), laxRank(with.outcome)
	switch r := with.said; {
	case is == was:
		return ""
	case is < was && (r == nil || r.Answered != "allow" || r.Rule == "" || with.outcome != laxRan):
		return "laxer without a rule"
	case is > was && !laxNamed(setup, r):
		return "stricter without a reason of permgate's own"
	}
	return ""
}

// laxNamed reports whether a record names what permgate itself stops a call for: step 1, 2, 3b or 5, or in its
// reason an allow rule of the set-up, which is held back or not trusted.
func laxNamed(setup *laxSetup, r *log.Record) bool {
	if r == nil || r.Answered != "ask" && r.Answered != "deny" {
		return false
	}
	switch laxStep(r) {
	case "1", "2", "3b", "5":
		return true
	}
	return slices.ContainsFunc(append(setup.repo, setup.user["allow"]...),
		func(rule string) bool { return strings.Contains(r.Reason, rule) })
}

func laxRank(outcome string) int {
	for i, o := range laxOrder {
		if o == outcome {
			return i
		}
	}
	return len(laxOrder)
}

func describe(r *log.Record) string {
	if r == nil {
		return "permgate was not asked"
	}
	return fmt.Sprintf("%s at step %s (%s), the host was told %s: %s", r.Decision, r.Step, r.Origin, r.Answered, r.Reason)
}
