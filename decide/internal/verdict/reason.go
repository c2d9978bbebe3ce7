package verdict

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/loss"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// A Reason is what an answer says. A Denial, a Question and an Allowed have a copy.
type Reason struct {
	Code say.Code // "" where the step alone says it
	Text string   // a sentence without its end
	Hint string   // a sentence without its end: what would be accepted instead, "" for none
	// ToAgent marks a hint that only an agent is told: a person who is asked can do it at once. ToUser marks one that
	// only the user can follow.
	ToAgent, ToUser bool
	// Mark is what the brackets at the end hold: which check, rule or mode has the call asked or denied. A host's
	// dialog shows the reason alone, so the mark also says whose it is. "" is the step.
	Mark    string
	Part    string            // the subcommand or path that decided
	Rule    *rules.Rule       // the rule that decided, if one did
	Check   *bashsafety.Check // the check that decided, if one did
	Loss    *loss.Loss        // what a removal would take; nil where that is not known
	Managed bool              // a denial that managed settings give
	Judged  *say.Judgement    // mode auto had an opinion; nil in every other mode
	Targets []say.Target      // what a yes is remembered for; none where it is not
	// Of is the command that a question is about, if it is about one. Vague: it names no place. Operand: the place is
	// one that the command's own words name.
	Of             *bashsafety.Subcommand
	Vague, Operand bool

	none  bool   // there is no opinion, and Text says why
	notes string // what was added to the sentence later
}

// The brackets around a mark.
const (
	markOpens  = " [permgate "
	markCloses = "]"
)

// EveryMode is what the mark of a question of step 2 says after its id.
const EveryMode = ": asks in every mode"

// Sentence is the reason without its mark.
func (r *Reason) Sentence() string {
	if r.Hint != "" {
		return r.Text + ". " + r.Hint + r.notes
	}
	return r.Text + r.notes
}

// toPerson is the reason as a person reads it who is asked.
func (r Reason) toPerson() Reason {
	if r.ToAgent {
		r.Hint = ""
	}
	return r
}

// toAgent is the reason of a question as an agent reads it where no one can be asked.
func (r Reason) toAgent() Reason {
	if r.ToUser {
		r.Hint = ""
	}
	r.Mark = strings.TrimSuffix(r.Mark, EveryMode)
	return r
}

// Note adds words to the sentence.
func (r *Reason) Note(words string) { r.notes += words }

// Take returns the sentence, and leaves none.
func (r *Reason) Take() string {
	sentence := r.Sentence()
	r.Text, r.Hint, r.notes = "", "", ""
	return sentence
}

// String is the reason with its mark, if it has one.
func (r *Reason) String() string { return r.Sentence() + marked(r.Mark) }

func marked(mark string) string {
	if mark == "" {
		return ""
	}
	return markOpens + mark + markCloses
}

// Gravity orders the questions of one call: the gravest is told first.
type Gravity uint8

// The kinds of questions, gravest first. The zero value is the gravest.
const (
	Sent         Gravity = iota // a secret goes to the network, or the input has two meanings
	Catastrophic                // the machine or the home may be gone
	Control                     // what runs later, or decides what is asked later
	Unchecked                   // an agent that asks no one
	Lost                        // what is destroyed
	Secret                      // other secrets
	Doubtful                    // what is not understood, and what a rule could match
	Remembered                  // a yes to it is remembered: prose, another repository, outside the workspace
)
