// Package verdict holds the values that decide, and the only makers of each. None can be made of another: what asks has
// no way to allow, so an auditor need not look for one. Only packages below decide can import it.
package verdict

import "slices"

// A Denial is final. The zero value is no denial.
type Denial struct {
	why  *Reason
	kept Asked // what was asked where no one answers; only that can be taken back
}

// Deny makes a denial.
func Deny(r Reason) Denial { return Denial{why: &r} }

// Refuse makes the denial of a question that a mode asks no one. The denial keeps the question.
func Refuse(q Question, r Reason) Denial { return Denial{&r, Asked{all: []Question{q}}} }

// Holds reports whether there is a denial.
func (d Denial) Holds() bool { return d.why != nil }

// Reason is what the denial says; the zero Reason without one.
func (d Denial) Reason() Reason { return read(d.why) }

// A Question is asked unless a lift for its evidence takes it back. The zero value is no question.
type Question struct {
	why   func() Reason // worked out only where it is told
	of    any           // the evidence; nil for what no lift takes back
	grave Gravity
}

// Must asks what no lift takes back: what is catastrophic, managed, malformed, or could match a deny rule.
func Must(g Gravity, why func() Reason) Question { return Question{why, nil, g} }

// Ask asks about evidence. Only lifts for evidence of its type see the question.
func Ask[K any](g Gravity, evidence K, why func() Reason) Question { return Question{why, evidence, g} }

// Holds reports whether there is a question.
func (q Question) Holds() bool { return q.why != nil }

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

// Allowed is an allow by a grant of step S, and counts in no other step. The zero value is no allow. The array of no S
// keeps the allows of two steps from being converted into each other.
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

// Standing returns the questions that no lift takes back. Nothing else asks a lift.
func Standing[F any](f F, questions []Question, lifts func() []Lift[F]) Asked {
	if len(questions) == 0 {
		return Asked{}
	}
	all := lifts()
	return Asked{slices.DeleteFunc(questions, func(q Question) bool {
		return q.of != nil && slices.ContainsFunc(all, func(l Lift[F]) bool { return l.holds(f, q.of) })
	})}
}

// Or is a denial, another one without it, or the other one where managed settings give only the other: that is in force
// even where the rest is only observed.
func (d Denial) Or(o Denial) Denial {
	if o.Holds() && (!d.Holds() || o.why.Managed && !d.why.Managed) {
		return o
	}
	return d
}

// Saying is a denial that says something else.
func (d Denial) Saying(change func(*Reason)) Denial {
	if d.why != nil {
		r := *d.why
		change(&r)
		d.why = &r
	}
	return d
}

// Words are the words of a denial.
func (d Denial) Words() string { return d.why.String() }

// Saying is a question that says something else.
func (q Question) Saying(change func(*Reason)) Question {
	if why := q.why; why != nil {
		q.why = func() Reason {
			r := why()
			change(&r)
			return r
		}
	}
	return q
}

// Words are the words of a question.
func (q Question) Words() string {
	r := q.why()
	return r.String()
}

// Or is all that is asked: a question, or another one without it.
func (q Question) Or(why func() Reason) Asked {
	if !q.Holds() {
		q = Must(Sent, why)
	}
	return Asked{[]Question{q}}
}
