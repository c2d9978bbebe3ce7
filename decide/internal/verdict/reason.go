package verdict

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/loss"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A Reason is what an answer says, in parts. Three texts are made of them: Verdict.Reason for the log and explain, and
// Verdict.Told for a person who is asked, or for an agent.
type Reason struct {
	Code   say.Code // "" where the step alone says it
	What   string   // the part of the call, quoted as it is written; "" where Text is a whole sentence
	Text   string   // what that does
	Target string   // to what
	Why    string   // why it matters; it begins with "which" or "outside" where it is about the target
	// Way is what would be accepted instead, Own what the user can do so that it is not asked again: sentences without
	// their ends, "" for none. "Try `X` …" names a command that is safer.
	Way, Own string
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
	// Of is the command that a question is about, if it is about one. Vague: it names no place, or no program. Operand:
	// the place is one that the command's own words name.
	Of             *bashsafety.Subcommand
	Vague, Operand bool

	none  bool     // there is no opinion, and Text says why
	notes string   // what was added to the first sentence later
	also  []Reason // what else is asked, gravest first, in words
	more  string   // how much is asked besides, in no words
}

// A Reader is who reads a reason. The zero value is who reads all of it, in the log and in explain.
type Reader uint8

// The readers of an answer. A person who is asked can say yes or no; an agent that is denied can try something else.
const (
	All Reader = iota
	Agent
	Person
)

// EveryMode is what the mark of a question of step 2 says after its id.
const EveryMode = ": asks in every mode"

// deed is what does what to which target.
func (r *Reason) deed() string { return strings.TrimSpace(r.What + " " + r.Text + " " + r.Target) }

// clause is the deed and, with all, why it matters. Else only what is said of the target is.
func (r *Reason) clause(all bool) string {
	text := r.deed()
	switch first, _, _ := strings.Cut(r.Why, " "); {
	case first == "which" || first == "each" || first == "outside":
		text += ", " + r.Why
	case all && r.Why != "":
		text += "; " + r.Why
	}
	return text
}

// sentence tells a reader what is asked, in one sentence, what else is, in another, and the way out. Who reads all is
// told of everything why it matters.
func (r *Reason) sentence(reader Reader) string {
	rest := append([]Reason{*r}, r.also...)
	q, n := joined(rest)
	text, sep, what, others := q.clause(true)+r.notes, ". Also: ", r.What, false
	for rest = rest[n:]; len(rest) > 0; sep, rest = "; ", rest[n:] {
		q, n = joined(rest)
		others = others || q.What != r.What
		switch again := q.What == what && what != ""; {
		case again && sep == "; ":
			sep, q.What = ", and ", ""
		case again && strings.HasPrefix(q.Text, "may "):
			sep, q.What, q.Text = ". It may also ", "", q.Text[len("may "):]
		case again:
			sep, q.What = ". It also ", ""
		default:
			what = q.What
		}
		if text += sep + q.clause(reader == All); q.Check != nil {
			text += " (" + q.Check.ID + ")"
		}
	}
	return text + r.more + r.wayOut(reader, others)
}

// Looks ends a way out that only shows what the call would change.
const Looks = " to look first"

// wayOut is what a reader can do instead, or so that it is not asked again. With others, other commands are told of.
func (r *Reason) wayOut(reader Reader, others bool) string {
	way, own := r.Way, r.Own
	try, tries := strings.CutPrefix(way, "Try ")
	switch {
	case reader == Person && tries && !others && strings.HasPrefix(try, "`"):
		if way, own = "Safer: "+try, ""; strings.HasSuffix(try, Looks) {
			way = "To look first: " + strings.TrimSuffix(try, Looks)
		}
	case reader == Person:
		way = ""
	case tries && others && r.What != "":
		way = "Instead of " + r.What + ", try " + try
	}
	if reader == Agent {
		own = ""
	}
	out := ""
	for _, sentence := range [...]string{way, own} {
		if sentence != "" {
			out += ". " + sentence
		}
	}
	return out
}

// joined is the first of some reasons, with the targets of those after it that say the same of others, and how many
// they are.
func joined(all []Reason) (r Reason, n int) {
	same := func(o Reason) bool { return o.Target != "" && o.What+o.Text+o.Why == r.What+r.Text+r.Why }
	var targets []string
	for r, n = all[0], 1; n < len(all) && r.Target != "" && same(all[n]); n++ {
		targets = append(targets, r.Target)
		r.Target = all[n].Target
	}
	if len(targets) > 0 {
		r.Target = strings.Join(targets, ", ") + " and " + r.Target
		if strings.HasPrefix(r.Why, "which ") {
			r.Why = "each of " + r.Why
		}
	}
	return r, n
}

// Note adds words to what is said first.
func (r *Reason) Note(words string) { r.notes += words }

// Also adds what else there is to say of the call.
func (r *Reason) Also(o Reason) { r.also = append(r.also, o) }

// Instead is a reason that says something else of the same, and what it said before.
func (r Reason) Instead(words string) Reason {
	r.Text = words + " (otherwise: " + r.sentence(All) + ")"
	r.What, r.Target, r.Why, r.Way, r.Own, r.Mark, r.notes, r.also, r.more = "", "", "", "", "", "", "", nil, ""
	return r
}

// String is the reason with its mark, if it has one.
func (r *Reason) String() string { return r.sentence(All) + marked(r.Mark) }

func marked(mark string) string {
	if mark == "" {
		return ""
	}
	return hookio.MarkOpens + mark + "]"
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
