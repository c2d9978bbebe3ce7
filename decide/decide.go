// Package decide is the policy: one call, one policy, one answer.
//
// Decide is the only function that decides. The hook, check, explain and every
// test call it. Its order is the security argument: a step may only be placed
// above another if its answer must win over it.
package decide

import (
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/asks"
	"github.com/permgate--owner/permgate/decide/internal/lifts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/hookio"
)

// Decide answers one call. Steps run from top to bottom, and the first opinion wins. A question of step 2 also tells
// those of step 3b, except where step 3 allows. The type of a step says what it may do: steps 1,
// 2, 3b and 5 cannot allow, a grant counts in its own step alone, and only a question is put to lifts, to step 8 and to
// the approver. What no step has an opinion on is asked. ask, allow and outcome below end a question and an allow.
func Decide(in *Input) Verdict {
	c := in.Facts()
	f := &fold{in, c, make(verdict.Trace, 0, len(Steps)+len(LaterSteps))}
	if d := stepDeny(in, c); f.denies("1", d) {
		return f.end(verdict.Denied("1", d))
	}
	if q := f.asked("2", asks.Immune); q.Holds() {
		if !stepBypass(c).Holds() { // where step 3 allows, step 3b is never reached
			q = q.With(standing(c, asks.Workspace))
		}
		return f.ask("2", q)
	}
	if a := stepBypass(c); grants(f, a) {
		return allow(f, a)
	}
	if q := f.asked("3b", asks.Workspace); q.Holds() {
		return f.ask("3b", q)
	}
	if a := stepSession(c); grants(f, a) {
		return allow(f, a)
	}
	if q := f.asked("5", asks.Rules); q.Holds() {
		return f.ask("5", q)
	}
	if a := stepAllow(c); grants(f, a) {
		return allow(f, a)
	}
	switch d, q, a := stepMode(in, c); {
	case f.denies("7", d):
		return f.end(verdict.Denied("7", d))
	case a.Holds() && !q.Holds():
		return allow(f, a)
	default:
		return f.outcome(verdict.Asking("7", q.AskedOr(unknown)))
	}
}

// unknown is asked where no step has an opinion.
var unknown = verdict.Reason{Text: "no step has an opinion"}

// A fold collects what each step said.
type fold struct {
	in    *Input
	c     facts.Facts
	trace verdict.Trace
}

// ask is a question of step 2, 3b or 5. Where the text has a cd that will work, what is asked because it could fail
// counts only if it is asked of that reading as well: the call is decided once more, from step 1 on. readAgain has
// the exceptions.
func (f *fold) ask(step string, q verdict.Asked) Verdict {
	text, note := readAgain(f.in, f.c, step, q)
	if text != nil {
		return Decide(f.in.readAs(f.c, text))
	}
	return f.outcome(verdict.Asking(step, q).Noting(note))
}

// allow ends the call with an allow, or with the question of step 0.
func allow[S verdict.Step](f *fold, a verdict.Allowed[S]) Verdict {
	v := f.recorded(verdict.Granted(a))
	if q := stepLoad(f.c, v); q.Holds() {
		return f.outcome(verdict.Withdrawn(a, q))
	}
	return f.end(v)
}

// outcome is a question as it ends: as a denial where no one can be asked (step 8), or with the approver's answer (8b).
func (f *fold) outcome(asked verdict.Open) Verdict {
	f.recorded(asked.Verdict())
	if d := stepHeadless(f.c, asked); d.Holds() {
		asked = asked.DeniedUnasked(d)
		f.recorded(asked.Verdict())
	}
	switch d, a, by := stepApprover(f.in, f.c, asked); {
	case d.Holds():
		return f.end(f.recorded(asked.AnsweredNo(d, by)))
	case a.Holds():
		return f.end(f.recorded(asked.AnsweredYes(a, by)))
	case by.Reason != "":
		f.record(verdict.Approver{}.Num(), hookio.Pass, verdict.Reason{Text: by.Reason})
		return f.end(asked.Verdict().Noting("; " + by.Reason))
	}
	return f.end(asked.Verdict())
}

// recorded notes an answer as what its step said.
func (f *fold) recorded(v verdict.Verdict) verdict.Verdict {
	f.record(v.Step(), v.Decision(), v.Why())
	return v
}

// asked returns what a step asks after the lifts of the call and of its texts, and records when that is nothing.
func (f *fold) asked(step string, asks func(facts.Facts) []verdict.Question) verdict.Asked {
	q := standing(f.c, asks)
	for i := 0; step != "3b" && i < len(f.in.Texts); i++ {
		q = q.With(f.in.Texts[i].settled(step, asks))
	}
	if !q.Holds() {
		why := ""
		if step == "2" {
			why = lifts.TakenBack(f.c)
		}
		f.record(step, hookio.Pass, verdict.Reason{Text: why})
	}
	return q
}

// enough is how many standing questions of a step are kept: a reason tells fewer.
const enough = 16

// standing is what the lifts leave of a step's questions. Only this and allStanding ask lifts.All.
func standing(c facts.Facts, asks func(facts.Facts) []verdict.Question) verdict.Asked {
	return verdict.Standing(c, asks(c), lifts.All, enough)
}

// allStanding is standing without a limit, for callers that list every question.
func allStanding(c facts.Facts, asks func(facts.Facts) []verdict.Question) []verdict.Question {
	return verdict.Standing(c, asks(c), lifts.All, 0).All()
}

func (f *fold) denies(step string, d verdict.Denial) bool {
	switch {
	case d.Holds():
		f.record(step, hookio.Deny, d.Reason())
	case step == "1":
		f.record(step, hookio.Pass, d.Reason())
	}
	return d.Holds()
}

func grants[S verdict.Step](f *fold, a verdict.Allowed[S]) bool {
	if !a.Holds() {
		var s S
		f.record(s.Num(), hookio.Pass, a.Reason())
	}
	return a.Holds()
}

// record notes for explain and the log what a step said.
func (f *fold) record(step string, d hookio.Decision, why verdict.Reason) {
	f.trace = append(f.trace, verdict.Entry{Step: step, Decision: d, Reason: why.String()})
}

func (f *fold) end(v verdict.Verdict) Verdict {
	return answered(v.Noting(f.c.YesNotes()).Traced(f.trace), f.in, f.c)
}
