// Package verdict holds the values that decide, and the only makers of each. Only Open.AnsweredYes turns a question, or
// step 8's denial of one, into an allow: what asks has no other way, so an auditor need not look for one. Only decide
// and the packages below it can import it.
package verdict

import (
	"cmp"
	"slices"
)

// No lift applies to a Denial, and the approver can overrule only that of step 8. One that a mode gives keeps its
// question, and step 9 may hand that back. The zero value is no denial.
type Denial struct {
	why  *Reason
	kept Asked
}

// Deny makes a denial.
func Deny(r Reason) Denial { return Denial{why: &r} }

// Refuse makes a denial of what a mode would ask about. It keeps the question.
func Refuse(q Question, r Reason) Denial { return Denial{&r, Asked{all: []Question{q}}} }

// Holds reports whether there is a denial.
func (d Denial) Holds() bool { return d.why != nil }

// Reason is what the denial says, the zero Reason of no denial.
func (d Denial) Reason() Reason { return read(d.why) }

// A Question is asked unless a lift for its evidence takes it back. The zero value is no question.
type Question struct {
	why   func() Reason // may look at the disk, or analyse again
	of    any           // the evidence; nil for what no lift takes back
	grave Gravity
}

// Must asks what no lift takes back: what is catastrophic, managed, malformed, not known, or could match a deny rule.
func Must(g Gravity, r Reason) Question { return MustLater(g, func() Reason { return r }) }

// MustLater is Must for a reason that takes work, which is done where it is told.
func MustLater(g Gravity, why func() Reason) Question { return Question{why, nil, g} }

// Ask asks about evidence. Only lifts for evidence of its type see the question.
func Ask[K any](g Gravity, evidence K, why func() Reason) Question { return Question{why, evidence, g} }

// Holds reports whether there is a question.
func (q Question) Holds() bool { return q.why != nil }

// Grave reports whether a question is as grave as that, and no more.
func (q Question) Grave(g Gravity) bool { return q.grave == g }

// Evidence returns what a question is about, if that is a K.
func Evidence[K any](q Question) (k K, ok bool) {
	k, ok = q.of.(K)
	return k, ok
}

// A Step is the type of one step that allows, and what tells its grants from those of the other steps.
type Step interface{ Num() string }

// The steps that allow.
type (
	Bypass   struct{}
	Session  struct{}
	Rules    struct{}
	Mode     struct{}
	Approver struct{}
)

func (Bypass) Num() string   { return "3" }
func (Session) Num() string  { return "4" }
func (Rules) Num() string    { return "6" }
func (Mode) Num() string     { return "7" }
func (Approver) Num() string { return "8b" }

// Allowed is an allow by a grant of step S, and counts in no other step. The zero value is no allow. The zero-length
// array keeps the allows of two steps from being converted into each other.
type Allowed[S Step] struct {
	why *Reason
	_   [0]S
}

// No says why a step does not allow.
func No[S Step](why string) Allowed[S] { return Allowed[S]{why: &Reason{Text: why, none: true}} }

// Holds reports whether there is an allow.
func (a Allowed[S]) Holds() bool { return a.why != nil && !a.why.none }

// Reason is what the allow says, or why the step does not allow.
func (a Allowed[S]) Reason() Reason { return read(a.why) }

func read(r *Reason) Reason {
	if r == nil {
		return Reason{}
	}
	return *r
}

// A Lift is one reason not to ask about a K. F is what is known of the call.
type Lift[F any] struct {
	Why   string // why it is sound not to ask
	holds func(F, any) bool
}

// NewLift makes a lift for questions whose evidence is a K.
func NewLift[K, F any](why string, holds func(F, K) bool) Lift[F] {
	return Lift[F]{why, func(f F, of any) bool { k, ok := of.(K); return ok && holds(f, k) }}
}

// Standing returns the questions that no lift takes back, the gravest first. It stops after most of them (0 is no
// limit), and notes whether some were not looked at. It sorts questions in place. Nothing else asks a lift.
func Standing[F any](f F, questions []Question, lifts func() []Lift[F], most int) (a Asked) {
	if len(questions) == 0 {
		return a
	}
	slices.SortStableFunc(questions, func(a, b Question) int { return cmp.Compare(a.grave, b.grave) })
	all := lifts()
	for i, q := range questions {
		if q.of != nil && slices.ContainsFunc(all, func(l Lift[F]) bool { return l.holds(f, q.of) }) {
			continue
		}
		if a.all = append(a.all, q); len(a.all) == most {
			a.more = i+1 < len(questions)
			break
		}
	}
	return a
}

// Stricter returns d, or o if d is no denial or only o is managed: a managed denial counts even where the gate
// observes.
func (d Denial) Stricter(o Denial) Denial {
	if o.Holds() && (!d.Holds() || o.why.Managed && !d.why.Managed) {
		return o
	}
	return d
}

// Changed is a denial that says something else, given by the same settings.
func (d Denial) Changed(change func(*Reason)) Denial {
	if d.why != nil {
		r := *d.why
		change(&r)
		r.Managed = d.why.Managed
		d.why = &r
	}
	return d
}

// String is what the denial says, with its mark.
func (d Denial) String() string { return d.why.String() }

// Changed is a question that says something else.
func (q Question) Changed(change func(*Reason)) Question {
	if why := q.why; why != nil {
		q.why = func() Reason {
			r := why()
			change(&r)
			return r
		}
	}
	return q
}

// String is what the question says, with its mark.
func (q Question) String() string {
	r := q.why()
	return r.String()
}

// AskedOr is all that is asked: q, or the given reason if q is no question.
func (q Question) AskedOr(r Reason) Asked {
	if !q.Holds() {
		q = Must(Doubtful, r)
	}
	return Asked{all: []Question{q}}
}
