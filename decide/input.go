package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/asks"
	"github.com/permgate--owner/permgate/decide/internal/deny"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// An Input is a call as Decide is given it. Steps see its Facts; steps 1, 7 and 8b also get the Input, for the three
// functions below.
type Input struct {
	facts.Input
	// Classify asks the operator's classifier of mode auto about an ask; nil on the default path, and
	// in every dry run.
	Classify func(*Input, Verdict) say.Judgement
	// Approve asks the operator's approver about an ask that reaches no person; nil on the default
	// path, and in every dry run.
	Approve func(*Input, Verdict) say.Approval
	// Denied is told of a denial of step 1 as soon as it is found, so that the
	// deadline need not ask about what is denied anyway; nil tells no one.
	Denied func(Verdict)

	// Texts are the shell calls that texts in the input of a tool of which nothing is known amount to. Only what is
	// certain of them counts, in steps 1, 2 and 5.
	Texts []*Input

	settledCds bool // Script takes the cds to work that will
}

// Facts finds out what is known of the call. Verdict.Facts are those that a verdict was made of.
func (in *Input) Facts() facts.Facts { return facts.New(in.Input, passes) }

// Under is the same call under another policy, ready to be decided: what a rule
// would change is found out by adding it and asking again. No program of the
// operator's is run for that.
func (in *Input) Under(p *rules.Policy) *Input {
	nobody := func(*Input, Verdict) say.Approval { return say.Approval{} } // no one is asked about what is only tried
	var texts []*Input
	for _, text := range in.Texts {
		texts = append(texts, text.Under(p))
	}
	return &Input{Input: in.Input.Under(p), Approve: nobody, Texts: texts}
}

// settled is what a step asks about a text of a call, in the reading in which its cds work that will.
func (in *Input) settled(step string, asks func(facts.Facts) []verdict.Question) verdict.Asked {
	c := in.Facts()
	q := standing(c, asks)
	if !q.Holds() {
		return q
	}
	if again, _ := readAgain(in, c, step, q); again != nil {
		return standing(in.readAs(c, again).Facts(), asks)
	}
	return q
}

// readAs is the same call with another reading of its text, and the policy with its index.
func (in *Input) readAs(c facts.Facts, text *bashsafety.Analysis) *Input {
	again := *in
	again.Policy, again.Script, again.settledCds = c.Policy(), text, true
	return &again
}

// passes reports whether steps 1, 2, 3b and 5 have nothing to say to a call.
func passes(c facts.Facts) bool {
	return !deny.Step(c).Holds() && !asksIn(c, "2") && !asksIn(c, "3b") && !asksIn(c, "5")
}

// asksIn reports whether a step asks anything of a call that is well-formed. It stops at the first question.
func asksIn(c facts.Facts, step string) bool {
	switch step {
	case "2":
		for _, asks := range asks.EachImmune() {
			if standing(c, asks).Holds() {
				return true
			}
		}
		return false
	case "3b":
		return standing(c, asks.Workspace).Holds()
	}
	return standing(c, asks.Rules).Holds()
}
