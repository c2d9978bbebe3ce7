// Package decide is the policy: one call, one policy, one answer.
//
// Decide is the only function that decides. The hook, check, explain and every
// test call it. The order of Steps is the security argument: a step may only
// be placed above another if its answer must win over it.
package decide

import "github.com/permgate--owner/permgate/hookio"

// A Step is one line of the security argument.
type Step struct {
	Num  string
	Name string
	May  Power
	Doc  string // why it has its place

	run  func(*Case, Verdict) Verdict                                             // of Steps: what it makes of the verdict so far
	tell func(*Case, Verdict, hookio.Answer) (told hookio.Answer, silence string) // of HostSteps: what the host hears
}

// A Power is what a step may do. Nothing else that it says counts: see Step.decide and Step.host.
type Power uint8

// The powers of steps. The first three are for steps that answer where no step above did.
const (
	Denies Power = 1 << iota
	Asks
	Allows    // by a grant that grants.go lists for this step
	Tightens  // makes the answer so far stricter
	TakesBack // takes an ask back, or what was made of one
	Silences  // keeps the answer from the host, which then decides by itself
)

// Answers reports whether a step is one of those of which the first with an opinion answers.
func (s *Step) Answers() bool { return s.May&(Denies|Asks|Allows) != 0 }

// Steps is the whole policy, in order.
var Steps = [...]Step{
	{"1", "deny", Denies, "a deny of any scope is final: nothing below can lift it", stepDeny, nil},
	{"2", "immune", Asks, "always asks; no rule, mode or session grant can skip it", stepImmune, nil},
	{"3", "bypass", Allows, "the user switched prompts off for everything but steps 1 and 2", stepBypass, nil},
	{"3b", "workspace", Asks, "writes outside the project are asked about before any grant counts", stepWorkspace, nil},
	{"4", "session", Allows, "what the user granted for this session", stepSession, nil},
	{"5", "ask", Asks, "ask rules override allow rules", stepAsk, nil},
	{"6", "allow", Allows, "an allow rule must cover every part of the call", stepAllow, nil},
	{"7", "mode", Denies | Asks | Allows, "no rule matched: the mode decides", stepMode, nil},

	{"0", "load", Tightens, "a settings file that cannot be used turns every allow of steps 3 to 7 into an ask", stepLoad, nil},
	{"8", "coercion", Tightens, "where no prompt is possible (subagents, --headless, dontAsk), ask is deny", stepHeadless, nil},
	{approverStep, "approver", TakesBack,
		"the program named in approver is asked where an ask would become deny because no one is there; never about a deny",
		stepApprover, nil},
}

// HostSteps are step 9, in order: they turn the verdict into what the host is told.
var HostSteps = [...]Step{
	{"9", "host", Tightens, "an ask that the program would ignore is denied, an allow that only an untrusted rule explains is asked about",
		nil, tellStricter},
	{"9", "handback", TakesBack, "a deny that is no more than the program's own mode is the ask it was made of", nil, tellAsk},
	{"9", "silence", Silences, "nothing is told where the program asks or decides by itself", nil, tellNothing},
	{"9", "unseen", Tightens, "an ask that the program does not show in its mode is denied", nil, tellUnseen},
}

// StepName is the name of a step by its number, "" for no step.
func StepName(num string) string {
	for _, list := range [...][]Step{Steps[:], HostSteps[:]} {
		for i := range list {
			if list[i].Num == num {
				return list[i].Name
			}
		}
	}
	return ""
}

// Decide answers one call. Falling off the end of the steps that answer asks.
func Decide(c *Case) Verdict {
	c.prepare()
	v := Verdict{Decision: hookio.Ask, Step: "7", Reason: "no step has an opinion"}
	trace, answered := make(Trace, 0, len(Steps)), false
	for i := range Steps {
		s := &Steps[i]
		if answered && s.Answers() {
			continue
		}
		o := s.decide(c, v)
		if s.Answers() || o.Decision != hookio.Pass || o.Reason != "" {
			trace = append(trace, Entry{s, o.Decision, o.Reason})
		}
		switch {
		case o.Decision == hookio.Ask && c.cdsWork(s, &o):
			return Decide(c)
		case o.Decision != hookio.Pass:
			v, answered = o, true
		case s.May&TakesBack != 0 && o.Reason != "":
			v = v.saying("; " + o.Reason)
		}
	}
	v = c.noting(v).signed()
	v.Trace = trace
	return v
}

// decide is what a step makes of the verdict so far: Pass where it has no opinion. Only what
// the step may do counts. An answer it may not give is an ask, whatever it was.
func (s *Step) decide(c *Case, v Verdict) Verdict {
	o := s.run(c, v)
	switch {
	case s.Answers():
		if !s.mayGive(&o) {
			o = Verdict{Decision: hookio.Ask, Reason: "step " + s.Num + " gave an answer that it may not give"}
		}
		o.Step, o.Origin = s.Num, s.Num
	case s.May == Tightens && o.Decision > v.Decision, s.May == TakesBack && v.asked() && s.mayGive(&o):
		o.Step, o.Origin, o.Judged = s.Num, v.Origin, v.Judged
	case s.May == Tightens:
		return Verdict{}
	default:
		o.Decision, o.Step = hookio.Pass, ""
	}
	return o
}

// mayGive reports whether an answer is one of a step. An allow needs a grant of this very step.
func (s *Step) mayGive(o *Verdict) bool {
	switch o.Decision {
	case hookio.Deny:
		return s.May&(Denies|TakesBack) != 0
	case hookio.Ask:
		return s.May&Asks != 0
	case hookio.Allow:
		return s.May&(Allows|TakesBack) != 0 && o.grant != nil && o.grant.step == s.Num
	}
	return s.May != TakesBack
}

// asked reports whether a verdict is an ask, or one that step 8 made a deny of.
func (v *Verdict) asked() bool { return v.Decision == hookio.Ask || v.Coerced }

// host is what a step of HostSteps makes of what the host would be told. silence says why that
// is nothing. Only what the step may do counts.
func (s *Step) host(c *Case, v Verdict, told hookio.Answer) (o hookio.Answer, silence string) {
	if s.May == Silences && c.Call.Event.Decides() && v.mustBeTold(told) {
		return told, ""
	}
	o, silence = s.tell(c, v, told)
	switch {
	case s.May == Silences:
		return told, silence
	case s.May == Tightens && o.Decision > told.Decision:
		return o, ""
	case s.May == TakesBack && o.Decision == hookio.Ask && (v.Coerced || v.Origin == "7"):
		return o, ""
	}
	return told, ""
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
