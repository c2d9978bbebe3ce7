package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
)

// Asked is what one step asks, or steps 2 and 3b together. The zero value is nothing.
type Asked struct {
	all  []Question
	more bool // there may be more questions
}

// Holds reports whether anything is asked.
func (a Asked) Holds() bool { return len(a.all) > 0 }

// With adds questions.
func (a Asked) With(o Asked) Asked { return Asked{slices.Concat(a.all, o.all), a.more || o.more} }

// All are the questions.
func (a Asked) All() []Question { return slices.Clone(a.all) }

// Catastrophic reports whether a question is about a catastrophe, or whether one that was not looked at may be.
func (a Asked) Catastrophic() bool {
	lighter := func(q Question) bool { return q.grave > Catastrophic }
	return a.more && !slices.ContainsFunc(a.all, lighter) ||
		slices.ContainsFunc(a.all, func(q Question) bool { return q.grave == Catastrophic })
}

// most is how many questions a reason spells out; the others are only counted.
const most = 3

// reason tells every question, the gravest first. What is told already is not told again. A yes is remembered only for
// what is told in words.
func (a Asked) reason() Reason {
	byGravity := func(a, b Question) int { return cmp.Compare(a.grave, b.grave) }
	all := slices.SortedStableFunc(slices.Values(a.all), byGravity)
	first := all[0].why()
	told := []telling{{first, all[0].grave}}
	for _, q := range all[1:] {
		r := q.why()
		switch {
		case slices.ContainsFunc(told, func(t telling) bool { return t.tells(q.grave, &r) }):
			continue
		case slices.ContainsFunc(told[:min(len(told), most)], func(t telling) bool { return t.above(q.grave, &r) }):
		default:
			if told = append(told, telling{r, q.grave}); len(told) > most {
				continue
			}
			first.Also(r)
		}
		first.Targets = append(first.Targets, r.Targets...)
	}
	switch untold := len(told) - most; {
	case untold > 0 && a.more:
		first.more = fmt.Sprintf(", and %d or more others", untold)
	case untold > 0:
		first.more = fmt.Sprintf(", and %d more", untold)
	case a.more:
		first.more = ", and more"
	}
	return first
}

// A telling is a question that is told.
type telling struct {
	Reason
	grave Gravity
}

// tells reports whether another question says nothing more: the same words about the same targets; a file that a check
// has named; a place outside the workspace of which something graver is told, be it by the command that destroys it.
func (t *telling) tells(g Gravity, r *Reason) bool {
	alike := t.Of == r.Of && r.Part != ""
	said := t.clause(true)
	named := alike && t.Of != nil && strings.Contains(said, say.Quoted(r.Part))
	switch {
	case said == r.clause(true):
		return slices.Equal(t.Targets, r.Targets)
	case g == Lost && r.Check != nil && t.deed() == r.deed(): // the file that is lost, and why that is graver
		return true
	case r.Code == say.CodeCouldMatchRule && r.Vague: // files that it does not delete by their names
		return t.Of != nil && t.Of == r.Of && t.grave == Lost
	case r.Code == say.CodeCouldMatchRule && t.Code == say.CodeNotUnderstood: // a program whose name is not known
		return t.Vague && t.What == r.What && t.What != ""
	case named && g == t.grave:
		return g == Control
	case alike && g == Secret && t.grave == Control: // a tool that may do anything, a container that has all
		whole := t.Check != nil && t.Check.Whole
		return t.Of == nil && r.Part == t.Part || whole && r.Operand
	case g != Remembered || t.grave == g || t.Of != r.Of:
		return false
	case r.Part == t.Part || named:
		return r.Part != ""
	}
	return r.Vague || r.Operand && (t.grave == Lost || t.grave == Catastrophic)
}

// above reports whether a question outside the workspace is told that is about a folder, or what could be one, and the
// other is about what the same command does in it: cp A B, where B may be a folder.
func (t *telling) above(g Gravity, r *Reason) bool {
	same := g == Remembered && t.grave == g && t.Of == r.Of && t.Part != ""
	return same && strings.HasPrefix(r.Part, t.Part+"/")
}

// A Verdict is a decision and where it came from. It can be read by everyone, and made only here.
type Verdict struct {
	decision     hookio.Decision
	step, origin string
	why          Reason
	asked        Asked // what is asked, or was before it became a denial
	faulted      bool
	approval     *say.Approval
	trace        Trace
}

// An Entry is what one step said.
type Entry struct {
	Step     string          // its number
	Decision hookio.Decision // Pass: the step had no opinion; Reason then says why, where that helps
	Reason   string
}

// A Trace is what the steps said, in order, up to the one that answered.
type Trace []Entry

// Denied is the verdict of a denial of a step.
func Denied(step string, d Denial) Verdict {
	v := Verdict{decision: hookio.Deny, step: step, origin: step, why: *d.why}
	if step == (Mode{}).Num() { // no other step's question can be handed back
		v.asked = d.kept
	}
	return v
}

// An Open verdict is a question, or what step 8 made of one. Nothing else is put to step 8 and to the approver.
type Open struct{ v Verdict }

// Verdict is the verdict if no one answers.
func (o Open) Verdict() Verdict { return o.v }

// Noting adds words to the sentence, before its mark.
func (o Open) Noting(words string) Open { return Open{o.v.Noting(words)} }

// Asking is the verdict where a step asks.
func Asking(step string, a Asked) Open {
	return Open{Verdict{decision: hookio.Ask, step: step, origin: step, why: a.reason(), asked: a}}
}

// Granted is the verdict of an allow, of the step that it counts in. Without an allow it is a question.
func Granted[S Step](a Allowed[S]) Verdict {
	var s S
	v := Verdict{decision: hookio.Allow, step: s.Num(), origin: s.Num(), why: a.Reason()}
	if !a.Holds() {
		v.decision = hookio.Ask
	}
	return v
}

// Withdrawn is an allow that step 0 makes a question of.
func Withdrawn[S Step](a Allowed[S], q Question) Open {
	v := Granted(a)
	v.decision, v.step, v.why, v.asked, v.faulted = hookio.Ask, "0", q.why(), Asked{all: []Question{q}}, true
	return Open{v}
}

// DeniedUnasked is a question that step 8 denies because no one can be asked. The question is kept.
func (o Open) DeniedUnasked(d Denial) Open {
	o.v.decision, o.v.step, o.v.why = hookio.Deny, "8", *d.why
	return o
}

// AnsweredNo is a question that the approver denies.
func (o Open) AnsweredNo(d Denial, by say.Approval) Verdict {
	return o.answered(hookio.Deny, d.why, by)
}

// AnsweredYes is a question that the approver allows.
func (o Open) AnsweredYes(a Allowed[Approver], by say.Approval) Verdict {
	if !a.Holds() {
		return o.v
	}
	return o.answered(hookio.Allow, a.why, by)
}

func (o Open) answered(d hookio.Decision, why *Reason, by say.Approval) Verdict {
	v := o.v
	v.decision, v.step, v.why, v.asked, v.approval = d, Approver{}.Num(), *why, Asked{}, &by
	return v
}

// Noting adds words to the sentence of a verdict, before its mark.
func (v Verdict) Noting(words string) Verdict {
	v.why.notes += words
	return v
}

// Traced is a verdict with what the steps said.
func (v Verdict) Traced(t Trace) Verdict {
	v.trace = t
	return v
}

// Decision is the decision. The zero Verdict has no opinion.
func (v Verdict) Decision() hookio.Decision { return v.decision }

// Step is the number of the step that decided.
func (v Verdict) Step() string { return v.step }

// Origin is the step of the answer that a later step changed, else Step.
func (v Verdict) Origin() string { return v.origin }

// Why is what the verdict says, without the mark of its step.
func (v Verdict) Why() Reason { return v.why }

// Reason is one sentence for the agent and the user, with the mark at its end.
func (v Verdict) Reason() string { return v.why.sentence(All) + v.mark() }

// mark is the mark of the reason. A question or a denial without one is marked with its step.
func (v Verdict) mark() string {
	if v.why.Mark == "" && v.decision != hookio.Allow && v.step != "" {
		return marked("step " + v.step)
	}
	return marked(v.why.Mark)
}

// Told is the reason with its mark, as the person reads it who is asked, or the agent that is denied.
func (v Verdict) Told(reader Reader) string {
	if reader == Agent {
		v.why.Mark = strings.TrimSuffix(v.why.Mark, EveryMode)
	}
	return v.why.sentence(reader) + v.mark()
}

// ReadOnly reports an allow by readOnlyCommands, the user's own switch.
func (v Verdict) ReadOnly() bool { return v.why.Code == say.CodeReadOnly }

// Faulted reports whether step 0 made a question of an allow.
func (v Verdict) Faulted() bool { return v.faulted }

// Coerced reports whether step 8 made a denial of a question.
func (v Verdict) Coerced() bool { return v.step == "8" }

// Approval is the approver's answer; nil where it gave none.
func (v Verdict) Approval() *say.Approval { return v.approval }

// Trace is what the steps said.
func (v Verdict) Trace() Trace { return v.trace }

// Kept is what is asked, or would have been. Nothing else can be handed back.
func (v Verdict) Kept() Asked { return v.asked }

// OnlyOnce reports whether a yes may count for this one call only: what asks whatever is granted cannot be granted.
func (v Verdict) OnlyOnce() bool {
	return v.faulted || v.origin == "2" || v.origin == "3b"
}

// Code is the code of the reason, else that of its step.
func (v Verdict) Code() say.Code {
	switch {
	case v.why.Code != "":
		return v.why.Code
	case v.step == "2" && v.why.Check != nil:
		return say.OfSeverity(v.why.Check.Severity)
	}
	switch v.step {
	case "0":
		return say.CodeSettingsFault
	case "1":
		return say.CodeDeniedByRule
	case "2":
		return say.CodeSuspicious
	case "3b":
		return say.CodeOutsideWorkspace
	case "5":
		return say.CodeAskedByRule
	case "7":
		return say.CodeModeDefault
	case "8":
		return say.CodeNobodyToAsk
	}
	return say.CodeUndecided
}
