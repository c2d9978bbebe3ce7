// Package decide is the policy: one call, one policy, one answer.
//
// Decide is the only function that decides. The hook, check, explain and every
// test call it. The order of Steps is the security argument: a step may only
// be placed above another if its answer must win over it.
package decide

import (
	"github.com/permgate--owner/permgate/hookio"
)

// A Step is one line of the security argument.
type Step struct {
	Num     string
	Name    string
	Doc     string                       // why it has its place
	run     func(*Case) Verdict          // of Steps
	tighten func(*Case, Verdict) Verdict // of Tightenings: what the answer becomes
}

// Steps is the whole policy, in order. The first step with an opinion answers.
var Steps = [...]Step{
	{"1", "deny", "a deny of any scope is final: nothing below can lift it", stepDeny, nil},
	{"2", "immune", "always asks; no rule, mode or session grant can skip it", stepImmune, nil},
	{"3", "bypass", "the user switched prompts off for everything but steps 1 and 2", stepBypass, nil},
	{"3b", "workspace", "writes outside the project are asked about before any grant counts", stepWorkspace, nil},
	{"4", "session", "what the user granted for this session", stepSession, nil},
	{"5", "ask", "ask rules override allow rules", stepAsk, nil},
	{"6", "allow", "an allow rule must cover every part of the call", stepAllow, nil},
	{"7", "mode", "no rule matched: the mode decides", stepMode, nil},
}

// Tightenings see the answer of Steps, and may only make it stricter.
var Tightenings = [...]Step{
	{"0", "load", "a settings file that cannot be used turns every allow of steps 3 to 7 into an ask", nil, faulted},
	{"8", "coercion", "where no prompt is possible (subagents, --headless, dontAsk), ask is deny", nil, coerced},
}

// HostStep is the last step, Verdict.Answer: it turns the decision into what the
// host is told. Deferrals lists when that is nothing.
var HostStep = Step{Num: "9", Name: "host",
	Doc: "the answer, or nothing where the program asks or decides itself"}

// StepName is the name of a step by its number, "" for no step.
func StepName(num string) string {
	for _, list := range [...][]Step{Steps[:], Tightenings[:], {ApproverStep}, {HostStep}} {
		for i := range list {
			if list[i].Num == num {
				return list[i].Name
			}
		}
	}
	return ""
}

// Decide answers one call. Falling off the end of the steps asks.
func Decide(c *Case) Verdict {
	c.prepare()
	v := Verdict{Decision: hookio.Ask, Step: "7", Reason: "no step has an opinion"}
	trace := make(Trace, 0, len(Steps)+len(Tightenings))
	for i := range Steps {
		o := Steps[i].run(c)
		o.Step, o.Origin = Steps[i].Num, Steps[i].Num
		trace = append(trace, Entry{&Steps[i], o})
		if o.Decision != hookio.Pass {
			v = o
			break
		}
	}
	for i := range Tightenings {
		if o := Tightenings[i].apply(c, v); o.Decision != hookio.Pass {
			trace = append(trace, Entry{&Tightenings[i], o})
			v = o
		}
	}
	if o := c.approve(v); o.Step != "" {
		trace = append(trace, Entry{&ApproverStep, o})
		v = o
	} else if o.Reason != "" {
		trace = append(trace, Entry{&ApproverStep, o})
		v = v.saying("; " + o.Reason)
	}
	v.Trace = trace
	return v
}

// apply runs a step of Tightenings, and ignores any answer that is not stricter.
func (s *Step) apply(c *Case, v Verdict) Verdict {
	o := s.tighten(c, v)
	if o.Decision <= v.Decision {
		return Verdict{}
	}
	o.Step, o.Origin, o.Judged = s.Num, v.Origin, v.Judged
	return o
}

// Answer is what the host is told. Silence never replaces a deny of steps 1 and
// 2, and replaces an ask only where the host then asks or decides itself.
func (v Verdict) Answer(c *Case) hookio.Answer {
	if v.ObserveOnly(c) {
		return hookio.Answer{Reason: v.Reason}
	}
	return v.HostAnswer(c)
}

// HostAnswer is what the host is told where the gate enforces.
func (v Verdict) HostAnswer(c *Case) hookio.Answer {
	told, silence := c.hostStep(v)
	if silence != "" {
		return hookio.Answer{Reason: v.Reason}
	}
	return told
}
