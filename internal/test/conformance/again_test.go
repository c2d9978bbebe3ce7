package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// again logs a decision, reads the line back, makes the call of it once more
// and decides that: with the settings of then it must come out as it was. It
// reports whether the record held the whole call.
func again(t *testing.T, id string, c *decide.Input, v decide.Verdict, command []string, w gate.World) bool {
	t.Helper()
	a := v.Answer()
	was := log.Decided(c, v, a)
	was.CalledWith(command)
	was.Time = w.Now.AddDate(2026, 0, 0)
	r, ok := log.Parse(was.AppendJSON(nil))
	if !ok {
		t.Errorf("%s: the line is no record", id)
		return false
	}
	call, f, why := gate.Again(&r)
	if call == nil {
		if !r.Redacted && r.Malformed == "" && !strings.Contains(r.Input, log.CutMark) {
			t.Errorf("%s: not made again: %s", id, why)
		}
		return false
	}
	c2 := gate.Case(call, f, w)
	v2 := decide.Decide(c2)
	if got := c2.Policy.Hash(); got != r.PolicyHash {
		t.Errorf("%s: the settings are others: %s, %s", id, got, r.PolicyHash)
	}
	now := log.Decided(c2, v2, v2.Answer())
	for _, d := range [...]struct{ what, was, now string }{
		{"decision", was.Decision, now.Decision}, {"answer", was.Answered, now.Answered}, {"step", was.Step, now.Step}, {"origin", was.Origin, now.Origin},
		{"rule", was.Rule + was.RulePlace, now.Rule + now.RulePlace}, {"check", was.Check, now.Check}, {"reason", was.Reason, now.Reason}, {"mode", was.Mode, now.Mode},
		{"trace", fmt.Sprint(was.Trace), fmt.Sprint(now.Trace)},
	} {
		if d.was != d.now {
			t.Errorf("%s: %s was %q and is %q: %.300s", id, d.what, d.was, d.now, r.Input)
		}
	}
	return true
}

// TestAgainEveryHost makes the two hundred calls once more of what is logged of
// them, in every form of every host.
func TestAgainEveryHost(t *testing.T) {
	whole, all := 0, 0
	calls := canonCalls(t)
	every := testenv.Every(t, 12, 3, 1)
	for i := 0; i < len(calls); i += every {
		call := &calls[i]
		for policy, files := range canonPolicies(call) {
			for fi := range forms {
				f := &forms[fi]
				if f.gap(call) != "" {
					continue
				}
				payload, o := spell(f, call), hookio.Options{Host: f.host, Event: f.event(call)}
				c, v, err := judge(payload, o, files)
				if err != nil {
					continue
				}
				s := Setup{Cwd: "/work/project", Home: "/home/dev", Settings: files}
				all++
				if again(t, fmt.Sprintf("%s %s-%d %s", f.name, call.id, i, policy), c, v, []string{"--host", o.Host, "--event", o.Event, "--state", "/state"}, s.world()) {
					whole++
				}
			}
		}
	}
	t.Logf("%d of %d decided again", whole, all)
	if whole*10 < all*9 {
		t.Errorf("only %d of %d could be decided again", whole, all)
	}
}

// TestAgainCorpora does the same with the rows of the project's own corpora.
func TestAgainCorpora(t *testing.T) {
	var setups []Setup
	every := testenv.Every(t, 12, 4, 1)
	for _, name := range []string{"attacks.tsv", "benign.tsv", "gaps.tsv"} {
		for i, r := range ownCorpus(t, name) {
			if i%every != 0 {
				continue
			}
			setups = append(setups, Setup{Tool: r.tool, Input: json.RawMessage(r.input), Settings: map[string]string{
				"/home/dev/.gen/settings.json": `{"permissions":` + r.settings + `}`,
			}})
		}
	}
	againAll(t, setups)
}

// TestAgainConformance does the same with the conformance rows: modes, agents,
// session grants, links.
func TestAgainConformance(t *testing.T) {
	var setups []Setup
	for _, name := range []string{"gen", "copilot", "exathena", "caliban", "coreagent"} {
		for _, r := range rows(t, name) {
			if !strings.HasPrefix(r.Tool, "@") && len(r.Settings) > 0 && r.Tier != "head" {
				setups = append(setups, r.setup())
			}
		}
	}
	againAll(t, setups)
}

func againAll(t *testing.T, setups []Setup) {
	t.Helper()
	whole, all := 0, 0
	for i := range setups {
		s := &setups[i]
		c, v, err := Call(*s)
		if err != nil {
			continue
		}
		if s.Cwd == "" {
			s.Cwd = "/work/project"
		}
		if s.Home == "" {
			s.Home = "/home/dev"
		}
		command := []string{"--state", "/state"}
		if s.Headless {
			command = append(command, "--headless")
		}
		all++
		if again(t, fmt.Sprintf("%d %s %.200s", i, s.Tool, s.Input), c, v, command, s.world()) {
			whole++
		}
	}
	t.Logf("%d of %d decided again", whole, all)
	if whole*10 < all*8 {
		t.Errorf("only %d of %d could be decided again", whole, all)
	}
}
