package conformance

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/auto"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// TestAllowIsNamed decides generated calls of every tool, mode and host under settings of every kind, where what
// no rule speaks of is left to the host, and holds each answer against what decisions 2b promises.
func TestAllowIsNamed(t *testing.T) {
	count := testenv.Count(t, 5_000, 25_000, 100_000)
	n := &namer{r: rand.New(rand.NewSource(13)), policies: map[policyKey]*rules.Policy{}, calls: map[string]*hookio.Call{}}
	for range 150 {
		n.variants = append(n.variants, newVariant(n.r))
	}
	said, bad := map[string]int{}, map[string]int{}
	for range count {
		v, policy, make := n.next(t)
		c := make(policy)
		verdict := decide.Decide(c)
		answer := verdict.Answer()
		said[c.Call.Host.Name+" "+answer.Decision.String()]++
		said[answer.Decision.String()+" of step "+verdict.Origin()]++
		bare := *policy
		bare.Posture.OnUnmatched.Value = "ask"
		for i := range bare.Auto.Own { // a built-in list that does not apply next to this host does not there either
			in, _ := auto.InForce(c.Facts(), i)
			bare.Auto.Own[i] = bare.Auto.Own[i] || !in
		}
		other := make(&bare)
		spoken := decide.Decide(other).Answer()
		for _, p := range promises {
			if p.broken(&promised{c, verdict, answer, spoken, v}) {
				if bad[p.name]++; bad[p.name] <= 2 {
					t.Errorf("%s: %s %s on %s, mode %q (in effect %s), host %s, agent %q, headless %v", p.name, c.Call.Tool,
						c.Call.Input.Raw, c.Call.Event, c.Call.Mode, policy.Mode.Value, c.Call.Host.Name, c.Call.AgentType, c.Headless)
					t.Errorf("%s at step %s (%s): %s\nthe host is told %s\n%s",
						verdict.Decision(), verdict.Step(), verdict.Origin(), verdict.Reason(), answer.Decision, v.text)
				}
			}
		}
	}
	for name, n := range bad {
		t.Errorf("%s: broken in %d of %d cases", name, n, count)
	}
	for _, h := range hookio.Hosts() { // a generator that never gets there would prove nothing
		for d := hookio.Pass; d <= hookio.Deny; d++ {
			if said[h.Name+" "+d.String()] == 0 {
				t.Errorf("%s was never told %s", h.Name, d)
			}
		}
	}
	for _, s := range [...]string{"allow of step 4", "allow of step 6", "allow of step 7", "pass of step 3",
		"pass of step 3b", "pass of step 7", "ask of step 7", "deny of step 7", "ask of step 3b"} {
		if said[s] == 0 {
			t.Errorf("no %s among the cases: %s", s, fmt.Sprint(said))
		}
	}
	t.Log(len(n.policies), "policies;", said)
}

// A promised is one case, decided, with what its host is told; spoken is what it is told where nothing is left to it.
type promised struct {
	*decide.Input
	verdict        decide.Verdict
	answer, spoken hookio.Answer
	variant        *variant
}

// A promise is a sentence of decisions 2b.
type promise struct {
	name   string
	broken func(*promised) bool
}

var promises = [...]promise{
	{"an allow names a rule, a grant or readOnlyCommands", func(p *promised) bool {
		v := &p.verdict
		named := v.Step() == "4" || v.Step() == "6" && (v.Why().Rule != nil || v.ReadOnly()) || v.Step() == "7" && v.ReadOnly()
		return p.defers() && p.answer.Decision == hookio.Allow && !named
	}},
	{"what is left to the host is no laxer than what is not", func(p *promised) bool {
		return p.answer.Decision == hookio.Allow && p.spoken.Decision != hookio.Allow
	}},
	{"a deny of step 1 is told", func(p *promised) bool {
		return p.enforced() && p.verdict.Origin() == "1" && p.answer.Decision != hookio.Deny
	}},
	{"what steps 2 and 5 stop is told", func(p *promised) bool {
		stopped := p.verdict.Origin() == "2" || p.verdict.Origin() == "5"
		return p.told() && stopped && p.answer.Decision < hookio.Ask
	}},
	{"step 3b is left only to a host that looks there itself", func(p *promised) bool {
		left := p.verdict.Origin() == "3b" && p.answer.Decision == hookio.Pass
		return p.told() && left && (!p.defers() || !p.Call.Host.ChecksWorkspace(p.Call.Tool, p.mode()))
	}},
	{"a stricter mode than the host's leaves no ask and no deny to it", func(p *promised) bool {
		strict := p.mode() != "" && rules.StricterMode(p.Policy.Mode.Value, p.mode())
		stopped := p.verdict.Decision() != hookio.Allow && !p.harmless()
		return p.told() && strict && stopped && p.answer.Decision < hookio.Ask
	}},
	{"a deny of a mode the host does not enforce is told", func(p *promised) bool {
		denied := p.verdict.Decision() == hookio.Deny && p.verdict.Origin() == "7" && !p.harmless()
		ours := p.denies() && !p.Call.Host.Enforces(p.Policy.Mode.Value)
		return p.told() && denied && ours && p.answer.Decision != hookio.Deny
	}},
	{"a mode the host sent and enforces is the host's", func(p *promised) bool {
		theirs := p.Policy.Mode.FromPayload() && p.Call.Host.Enforces(p.Policy.Mode.Value)
		spoke := p.verdict.Origin() == "7" && p.answer.Decision >= hookio.Ask
		main := p.before() && p.Call.AgentID == "" && !p.unasked()
		return p.defers() && main && p.variant.plain && theirs && spoke
	}},
	{"where nobody can be asked nothing that is not allowed is left to the host", func(p *promised) bool {
		denied := p.verdict.Decision() == hookio.Deny && !p.harmless()
		return p.told() && p.unasked() && denied && p.answer.Decision != hookio.Deny
	}},
	{"nothing is left to a host where silence runs the call", func(p *promised) bool {
		silent := p.answer.Decision == hookio.Pass && !facts.NeedsUser(p.Call.Tool)
		return p.told() && p.Call.Host.SilenceRuns && silent
	}},
	{"a fault of a file that is not the project's leaves to the host only what it was left before",
		func(p *promised) bool {
			v := &p.verdict
			left := v.Faulted() && (v.Origin() == "4" || v.Origin() == "6") && p.answer.Decision == hookio.Pass
			return p.told() && left && p.closed()
		}},
}

// enforced reports whether what is decided is told.
func (p *promised) enforced() bool { return !p.verdict.ObserveOnly() }

// defers reports whether what no rule speaks of is left to the host.
func (p *promised) defers() bool {
	return p.enforced() && p.Policy.Posture.OnUnmatched.Value == "defer" && !p.Call.Host.SilenceRuns
}

// before reports whether the host asks before the call, and not for the answer to its dialog.
func (p *promised) before() bool { return p.Call.Event == hookio.PreToolUse }

// told reports whether the host asks before the call and hears what is decided.
func (p *promised) told() bool { return p.enforced() && p.before() }

// unasked reports whether an ask reaches no one, whatever the mode.
func (p *promised) unasked() bool { return p.Headless || p.Policy.NoPrompts.On() }

// harmless reports whether the call is a question to the user, or one that was left to the host before a fault.
func (p *promised) harmless() bool {
	return facts.NeedsUser(p.Call.Tool) || p.verdict.Faulted() && (p.verdict.Origin() == "3" || p.verdict.Origin() == "7")
}

// denies reports whether the mode in effect denies what no rule allows.
func (p *promised) denies() bool {
	switch p.Policy.Mode.Value {
	case "plan", "dontAsk", "explore":
		return true
	}
	return false
}

// mode is the mode the host sent.
func (p *promised) mode() string {
	if p.Call.Mode == "manual" {
		return "default"
	}
	return p.Call.Mode
}

// closed reports whether a file that is not the project's cannot be used.
func (p *promised) closed() bool {
	for i := range p.Policy.Faults {
		if f := &p.Policy.Faults[i]; f.Closed && f.Scope != rules.Shared && f.Scope != rules.Local {
			return true
		}
	}
	return false
}
