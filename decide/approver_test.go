package decide

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// TestApprover: who is asked, about what, and what that may change.
func TestApprover(t *testing.T) {
	yes := say.Approval{Decision: hookio.Allow, Answer: say.AnswerOnce, Reason: "yes"}
	no := say.Approval{Decision: hookio.Deny, Answer: say.AnswerDeny, Reason: "no"}
	headless := func(c *Input) { c.Headless = true }
	both := func(change ...func(*Input)) func(*Input) {
		return func(c *Input) {
			for _, f := range change {
				f(c)
			}
		}
	}
	mode := func(name string) func(*Input) { return func(c *Input) { c.Policy.Mode.Value = name } }
	host := func(name string) func(*Input) { return func(c *Input) { c.Call.Host = hookio.Lookup(name) } }
	deny := func(c *Input) {
		c.Policy.Deny = []rules.Rule{{Text: "Odd", Tool: "Odd", Bare: true, List: rules.Deny, Scope: rules.User}}
	}
	for _, row := range []struct {
		name   string
		change func(*Input)
		said   say.Approval
		want   hookio.Decision
		asked  bool
	}{
		{"the host asks", func(*Input) {}, yes, hookio.Ask, false},
		{"nobody is there", headless, yes, hookio.Allow, true},
		{"nobody is there, and it says no", headless, no, hookio.Deny, true},
		{"it has no opinion", headless, say.Approval{}, hookio.Deny, true},
		{"it asks back", headless, say.Approval{Decision: hookio.Ask}, hookio.Deny, true},
		{"prompts are off", func(c *Input) { c.Policy.NoPrompts.Value = "true" }, yes, hookio.Allow, true},
		{"a subagent", func(c *Input) { c.AsAgent = true }, yes, hookio.Allow, true},
		{"a host without a prompt", host("gemini"), yes, hookio.Allow, true},
		{"a host without a prompt, no", host("gemini"), no, hookio.Deny, true},
		{"a host with its own prompt", host("crush"), yes, hookio.Ask, false},
		{"plan denies", both(headless, mode("plan")), yes, hookio.Deny, false},
		{"explore denies", both(headless, mode("explore")), yes, hookio.Deny, false},
		{"do not ask", mode("dontAsk"), yes, hookio.Deny, false},
		{"a deny rule", both(headless, deny), yes, hookio.Deny, false},
		{"a deny rule, and a host without a prompt", both(host("gemini"), deny), yes, hookio.Deny, false},
		{"input with two meanings", both(headless, func(c *Input) { c.Call.Malformed = "twice" }), yes, hookio.Deny, false},
		{"a question to the user", both(headless, func(c *Input) { c.Call.Tool = "ExitPlanMode" }), yes, hookio.Ask, false},
		{"nothing is enforced", both(headless, func(c *Input) { c.Policy.Posture.Enforce.Value = "false" }), yes, hookio.Deny, false},
	} {
		c := testCase("Odd")
		c.Policy.Posture.Approver = rules.Setting{Value: "{}", Scope: rules.User, Pos: rules.Pos{File: "p", Line: 1, Col: 1}}
		row.change(c)
		asked := false
		c.Approve = func(*Input, Verdict) say.Approval { asked = true; return row.said }
		v := Decide(c)
		if v.Decision() != row.want || asked != row.asked {
			t.Errorf("%s: %v at step %s, asked %v: %s", row.name, v.Decision(), v.Step(), asked, v.Reason())
		}
		if answered := row.said.Decision == hookio.Allow || row.said.Decision == hookio.Deny; asked && answered {
			code := map[hookio.Decision]say.Code{hookio.Allow: say.CodeUserApproved, hookio.Deny: say.CodeUserDenied}[row.said.Decision]
			if told := v.Answer(); told.Decision != row.want || v.Code() != code || v.Step() != "8b" || v.Approval() == nil || v.Origin() != "7" {
				t.Errorf("%s: told %v at step %s from %s", row.name, told.Decision, v.Step(), v.Origin())
			}
		}
		c.Approve = nil // a dry run
		dry := Decide(c)
		if says := strings.Contains(dry.Reason(), "the approver would be asked, p:1:1"); says != row.asked || dry.Decision() == hookio.Allow {
			t.Errorf("%s: a dry run says %v, %q", row.name, dry.Decision(), dry.Reason())
		}
		c.Policy.Posture.Approver = rules.Setting{}
		c.Approve = func(*Input, Verdict) say.Approval { t.Errorf("%s: asked though none is set", row.name); return yes }
		Decide(c)
	}
}

// TestOnlyOnce: what asks whatever is granted is granted for one call.
func TestOnlyOnce(t *testing.T) {
	asked := verdict.Must(verdict.Lost, unknown)
	for step, want := range map[string]bool{"7": false, "5": false, "2": true, "3b": true} {
		if got := verdict.Asking(step, asked.AskedOr(unknown)).Verdict().OnlyOnce(); got != want {
			t.Errorf("step %s: %v", step, got)
		}
	}
	if v := verdict.Withdrawn(verdict.ByRules(unknown), asked).Verdict(); !v.OnlyOnce() || v.Origin() != "6" || v.Decision() != hookio.Ask {
		t.Errorf("step 0: %v of step %s", v.Decision(), v.Origin())
	}
}
