package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// tally counts by key.
type tally map[string]int

// top returns the n most frequent keys, one line each.
func (t tally) top(n int) string {
	keys := make([]string, 0, len(t))
	for k := range t {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		return t[keys[i]] > t[keys[j]] || t[keys[i]] == t[keys[j]] && keys[i] < keys[j]
	})
	var b strings.Builder
	for i, k := range keys {
		if i == n {
			break
		}
		fmt.Fprintf(&b, "\n%7d  %s", t[k], k)
	}
	return b.String()
}

func share(n, of int) string {
	return fmt.Sprintf("%d of %d (%.2f %%)", n, of, 100*float64(n)/float64(max(of, 1)))
}

var (
	aPath = regexp.MustCompile(`(^|[ "'])[~./]*/[^ "']*`)
	aName = regexp.MustCompile(`"[^"]*": `)
)

// general takes the names of files and the commands themselves out of a reason.
func general(reason string) string {
	return aPath.ReplaceAllString(aName.ReplaceAllString(reason, ""), "${1}FILE")
}

// TestRecordedReadOnly: of the recorded shell calls at least half are proven to
// only read. It prints what keeps the rest from it.
func TestRecordedReadOnly(t *testing.T) {
	calls, proven := 0, 0
	reasons, unknown := tally{}, tally{}
	for i, r := range recordedCalls(t) {
		if r.Tool != "Bash" {
			continue
		}
		calls++
		c, v, err := Call(r.setup("default", readsPass, ""))
		if err != nil {
			t.Fatalf("call %d: %v", i+1, err)
		}
		for j := range c.Script.Subcommands {
			if program, ok := strings.CutPrefix(c.Script.Subcommands[j].Unproven(), "unknown command "); ok && !strings.Contains(program, " ") {
				unknown[program]++
			}
		}
		if v.Decision() == hookio.Allow && v.Step() == "7" {
			proven++
			continue
		}
		key := unprovenKey(c, v)
		reasons[key]++
		if os.Getenv("PERMGATE_ROWS") != "" {
			fmt.Printf("%s\t%.400q\n", key, c.Call.Command)
		}
	}
	t.Logf("proven to only read: %s", share(proven, calls))
	t.Logf("why the rest is not, by the first command without a proof:%s", reasons.top(20))
	t.Logf("programs no table knows, by occurrence:%s", unknown.top(40))
	if proven*2 < calls {
		t.Errorf("less than half are proven to only read: %s", share(proven, calls))
	}
}

// unprovenKey is the program, its subcommand and what prevents a proof.
func unprovenKey(c *decide.Input, v decide.Verdict) string {
	if v.Step() == "2" {
		return "step 2: " + kindOf(c, v)
	}
	for i := range c.Script.Subcommands {
		s := &c.Script.Subcommands[i]
		if why := s.Unproven(); why != "" {
			return s.Program + ": " + general(why)
		}
	}
	return general(v.Unproven())
}

// kindOf names what asked, in words that hold nothing of the call.
func kindOf(c *decide.Input, v decide.Verdict) string {
	if v.Why().Check != nil {
		return "check " + v.Why().Check.ID
	}
	reason := v.Why().Text
	if c.Script != nil && len(c.Script.Doubts) > 0 && v.Why().What == "" && strings.HasPrefix(c.Script.Doubts[0].Msg, reason) {
		return "doubt " + c.Script.Doubts[0].ID
	}
	for _, what := range [...]string{"sources", "changes a git repository in a folder that it does not name", "changes a git repository outside", "changes another git repository"} {
		if strings.Contains(reason, what) {
			return what
		}
	}
	word, _, _ := strings.Cut(v.Why().Mark, ":")
	return word
}

// TestRecordedWorkspace prints what step 3b asks about: writes outside of the
// project, by where they go, and writes whose place is not known.
func TestRecordedWorkspace(t *testing.T) {
	asked, places := 0, tally{}
	answers := bareAnswers(t)
	for i := range answers {
		if a := &answers[i]; a.origin == "3b" {
			asked++
			places[a.call.Tool+": "+a.kind]++
			a.row(i)
		}
	}
	t.Logf("step 3b asks about %s of all calls, by where they write:%s", share(asked, len(answers)), places.top(30))
}

// A bareAnswer is what the bare binary answers to a recorded call.
type bareAnswer struct {
	call   *recorded
	origin string // the step that answered or asked
	kind   string // what asked, for steps 2 and 3b
	reason string
}

func (a *bareAnswer) row(i int) {
	if os.Getenv("PERMGATE_ROWS") != "" {
		fmt.Printf("%s\t%s\t%d\t%s\t%s\t%s\t%q\n", callKey(a.call.Tool, a.call.Input), a.kind, i+1, a.call.Cwd, a.call.Tool, a.call.Input, a.reason)
	}
}

var bare []bareAnswer

// bareAnswers decides every recorded call without settings, in mode default;
// where that does not reach step 2, in the recorded mode too.
func bareAnswers(t *testing.T) []bareAnswer {
	t.Helper()
	if bare != nil {
		return bare
	}
	calls := recordedCalls(t)
	bare = make([]bareAnswer, len(calls))
	for i := range calls {
		r := &calls[i]
		for _, mode := range [...]string{"default", r.Mode} {
			c, v, err := Call(r.setup(mode, "", ""))
			if err != nil {
				t.Fatalf("call %d: %v", i+1, err)
			}
			a := bareAnswer{call: r, origin: v.Origin(), reason: v.Reason()}
			switch v.Origin() {
			case "2":
				a.kind = kindOf(c, v)
			case "3b":
				a.kind = placeOf(c, v)
			}
			if mode == "default" || a.origin == "2" {
				bare[i] = a
			}
			if r.Mode == "default" || a.origin == "2" || r.Mode == "bypassPermissions" { // which says of step 2 what default does
				break
			}
		}
	}
	return bare
}

// notRecorded represents the directory in the records of one source, which they
// do not hold: its writes seem to lie outside.
const notRecorded = "/Users/dev/getspecstory"

// placeOf names the kind of place a write outside the project goes to.
func placeOf(c *decide.Input, v decide.Verdict) string {
	if strings.Contains(v.Reason(), "only known when it runs") {
		return "a place that is not known"
	}
	_, place, _ := strings.Cut(v.Reason(), " writes /")
	if v.Why().Part != "" && strings.HasPrefix(v.Why().Part, "/") {
		place = v.Why().Part[1:]
	}
	place = "/" + place
	plans := strings.HasPrefix(place, c.Policy.Home.Given+"/.claude/plans/")
	switch {
	case plans:
		return "plan files of the host, out of plan mode"
	case strings.HasPrefix(place, "/tmp"), strings.HasPrefix(place, "/private/tmp"), strings.HasPrefix(place, "/var/folders"):
		return "temporary files"
	case c.Policy.Cwd.Given == notRecorded:
		return "a folder of a session whose directory was not recorded"
	case strings.HasPrefix(place, c.Policy.Home.Given+"/"):
		return "another folder of the home"
	}
	return "elsewhere"
}

// TestRecordedAllowed decides the recorded calls under the allow rules a person
// would have written for these projects (testdata/corpus/recorded_allow.json)
// and readOnlyCommands, and prints what is still asked about and why.
func TestRecordedAllowed(t *testing.T) {
	written, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "corpus", "recorded_allow.json"))
	if err != nil {
		t.Fatal(err)
	}
	var calls, shell, askedAll, asked, alone, spared int
	reasons, others := tally{}, tally{}
	for i, r := range recordedCalls(t) {
		s := r.setup("default", readsPass, string(written))
		c, v, err := Call(s)
		if err != nil {
			t.Fatalf("call %d: %v", i+1, err)
		}
		if len(c.Policy.Faults) > 0 {
			t.Fatalf("the rules have a fault: %v", c.Policy.Faults[0])
		}
		calls++
		if v.Decision() != hookio.Allow {
			askedAll++
		}
		if r.Tool != "Bash" {
			if v.Decision() != hookio.Allow {
				others["step "+v.Origin()+", "+r.Tool]++
			}
			continue
		}
		shell++
		if v.Decision() == hookio.Allow {
			if v.Step() == "6" { // above what readOnlyCommands adds
				alone++
			}
			continue
		}
		asked++
		key := "step " + v.Origin() + ": " + kindOf(c, v)
		switch v.Origin() {
		case "7":
			program, mixed := uncovered(c)
			if mixed {
				spared++
			}
			key = "step 7: no rule for " + program
		case "3b":
			key = "step 3b: writes " + placeOf(c, v)
		}
		reasons[key]++
		if os.Getenv("PERMGATE_ROWS") != "" {
			fmt.Printf("%s\t%.400q\t%.300q\n", key, c.Call.Command, v.Reason())
		}
	}
	t.Logf("still asked about: %s of the shell calls, %s of all calls", share(asked, shell), share(askedAll, calls))
	t.Logf("allowed by the rules without readOnlyCommands: %s of the shell calls", share(alone, shell))
	t.Logf("asked about although every command is proven to only read or has a rule: %s", share(spared, shell))
	t.Logf("shell calls asked about, by reason:%s", reasons.top(40))
	t.Logf("other tools:%s", others.top(20))
	if asked*100 > shell*15 {
		t.Errorf("more than 15 %% is asked about under rules for just these projects: %s", share(asked, shell))
	}
}

// uncovered names the first command without a rule that is not proven to only
// read; mixed is set if no command is like that.
func uncovered(c *decide.Input) (program string, mixed bool) {
	first := ""
	for _, p := range c.Facts().Parts() {
		if !p.NeedsAllow || p.Sub == nil {
			continue
		}
		allowed := false
		for _, h := range p.Hits {
			allowed = allowed || h.Sure && h.Rule.List == rules.Allow
		}
		if allowed {
			continue
		}
		if first == "" {
			first = p.Sub.Program
		}
		if p.Sub.Unproven() != "" {
			why := ""
			if len(p.Sub.PatternBlockers) > 0 {
				why = ", which narrows: " + general(p.Sub.PatternBlockers[0])
			}
			return filepath.Base(p.Sub.Program) + why, false
		}
	}
	return first, first != ""
}
