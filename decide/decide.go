// Package decide is the policy: one call, one policy, one answer.
//
// Decide is the only function that decides. The hook, check, explain and every
// test call it. Its order is the security argument: a step may only be placed
// above another if its answer must win over it.
package decide

import (
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/hookio"
)

// Decide answers one call. It is read from top to bottom: nothing below a return changes what is returned. The type of
// a step says what it may do: one that denies or asks cannot allow, a grant counts in its own step alone, and only a
// question is put to lifts, to step 8 and to the approver. What no step has an opinion on is asked.
func Decide(c *Case) Verdict {
	c.prepare()
	f := &fold{c: c}
	if d := stepDeny(c); f.denies("1", d) {
		return f.end(verdict.Denied("1", d))
	}
	if q := f.asked("2", stepImmune); q.Holds() {
		if !stepBypass(c).Holds() { // else the mode does not reach step 3b
			q = q.With(c.standing(stepWorkspace))
		}
		return f.ask("2", q)
	}
	if a := stepBypass(c); grants(f, a) {
		return allow(f, a)
	}
	if q := f.asked("3b", stepWorkspace); q.Holds() {
		return f.ask("3b", q)
	}
	if a := stepSession(c); grants(f, a) {
		return allow(f, a)
	}
	if q := f.asked("5", stepAsk); q.Holds() {
		return f.ask("5", q)
	}
	if a := stepAllow(c); grants(f, a) {
		return allow(f, a)
	}
	switch d, q, a := stepMode(c); {
	case f.denies("7", d):
		return f.end(verdict.Denied("7", d))
	case q.Holds():
		return f.heard(verdict.Asking("7", q.Or(unknown)))
	case a.Holds():
		return allow(f, a)
	}
	return f.heard(verdict.Asking("7", verdict.Question{}.Or(unknown)))
}

// unknown is asked where no step has an opinion.
func unknown() verdict.Reason { return verdict.Reason{Text: "no step has an opinion"} }

// A fold is what was said so far of a call.
type fold struct {
	c     *Case
	trace verdict.Trace
}

// ask is a question of step 2, 3b or 5, unless another reading of the text answers it.
func (f *fold) ask(step string, q verdict.Asked) Verdict {
	next, note := f.c.readAgain(step, q)
	if next != nil {
		return Decide(next)
	}
	return f.heard(verdict.Asking(step, q).Noting(note))
}

// allow is an allow of a step, or step 0's question instead of it.
func allow[S verdict.Step](f *fold, a verdict.Allowed[S]) Verdict {
	v := verdict.Granted(a)
	f.say(v.Step(), v.Decision(), v.Why())
	if q := stepLoad(f.c, v); q.Holds() {
		return f.heard(v.Withdrawn(q))
	}
	return f.end(v)
}

// heard is a question as it ends: as a denial where no one can be asked (step 8), or with the approver's answer (8b).
func (f *fold) heard(v verdict.Verdict) Verdict {
	f.say(v.Step(), v.Decision(), v.Why())
	if d := stepHeadless(f.c, v); d.Holds() {
		v = v.Unheard(d)
		f.say(v.Step(), v.Decision(), v.Why())
	}
	d, a, by := stepApprover(f.c, v)
	switch {
	case d.Holds():
		v = v.AnsweredNo(d, by)
	case a.Holds():
		v = v.AnsweredYes(a, by)
	case by.Reason != "":
		f.say(approverStep, hookio.Pass, verdict.Reason{Text: by.Reason})
		return f.end(v.Noting("; " + by.Reason))
	default:
		return f.end(v)
	}
	f.say(v.Step(), v.Decision(), v.Why())
	return f.end(v)
}

// asked is what a step asks, and no lift takes back.
func (f *fold) asked(step string, asks func(*Case) []verdict.Question) verdict.Asked {
	q := f.c.standing(asks)
	if !q.Holds() {
		why := ""
		if step == "2" {
			why = f.c.takenBack()
		}
		f.say(step, hookio.Pass, verdict.Reason{Text: why})
	}
	return q
}

// standing is asked without a word about it. Only here are lifts put to questions.
func (c *Case) standing(asks func(*Case) []verdict.Question) verdict.Asked {
	return verdict.Standing(c, asks(c), lifts)
}

func (f *fold) denies(step string, d verdict.Denial) bool {
	switch {
	case d.Holds():
		f.say(step, hookio.Deny, d.Reason())
	case step == "1":
		f.say(step, hookio.Pass, d.Reason())
	}
	return d.Holds()
}

func grants[S verdict.Step](f *fold, a verdict.Allowed[S]) bool {
	if !a.Holds() {
		var s S
		f.say(s.Num(), hookio.Pass, a.Reason())
	}
	return a.Holds()
}

// say notes for explain and the log what a step said.
func (f *fold) say(step string, d hookio.Decision, why verdict.Reason) {
	if f.trace == nil {
		f.trace = make(verdict.Trace, 0, len(Steps)+len(LaterSteps))
	}
	f.trace = append(f.trace, verdict.Entry{Step: step, Decision: d, Reason: why.String()})
}

func (f *fold) end(v verdict.Verdict) Verdict { return Verdict{f.c.noting(v).Traced(f.trace), f.c} }
