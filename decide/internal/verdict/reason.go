package verdict

import (
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/loss"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A Reason is what an answer says. It is fixed when a Denial, a Question or an Allowed is made of it.
type Reason struct {
	Code say.Code // "" where the step alone says it
	Text string   // a sentence without its end
	Hint string   // a sentence without its end: what would be accepted instead, "" for none
	// Mark is what the brackets at the end hold: which check, rule or mode has the call asked or denied. A host's
	// dialog shows the reason alone, so the mark also says whose it is. "" is the step.
	Mark    string
	Part    string            // the subcommand or path that decided
	Rule    *rules.Rule       // the rule that decided, if one did
	Check   *bashsafety.Check // the check that decided, if one did
	Loss    *loss.Loss        // what a removal would take; nil where that is not known
	Managed bool              // a denial that managed settings give
	Judged  *Judgement        // mode auto had an opinion; nil in every other mode
	Targets []Target          // what a yes is remembered for; none where it is not
	// Of is the command that a question is about, if it is about one. A vague question names nothing that another one
	// about the same command does not name.
	Of    *bashsafety.Subcommand
	Vague bool

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

// A Target is what a yes is remembered for: a place outside the workspace (step 3b), prose that an agent program loads,
// or a git command in another repository (both step 2). The zero value is no target.
type Target struct {
	Kind        string // "write", "read below" ..., for git followed by a blank and the subcommand
	Given, Real string // the place as given and as resolved; of a repository its root
	Stamp       string // of a repository: what its configuration, hooks and attributes were
}

// Gravity orders the questions of one call: the gravest is told first.
type Gravity uint8

// The kinds of questions, gravest first. The zero value is the gravest.
const (
	Sent         Gravity = iota // a secret goes to the network, or the input has two meanings
	Catastrophic                // the machine or the home may be gone
	Control                     // what runs later, or what is asked later
	Unchecked                   // an agent that asks no one
	Lost                        // what is destroyed
	Secret                      // other secrets
	Doubtful                    // what is not understood, and what a rule could match
	Remembered                  // a yes to it is remembered: prose, another repository, outside the workspace
)

// The verdicts of mode auto, as a classifier gives them.
const (
	AutoAllow    = "allow"
	AutoSoftDeny = "soft_deny" // ask
	AutoHardDeny = "hard_deny" // deny
)

// The sources of a Judgement.
const (
	ByList     = "list"     // a rule or built-in entry of autoMode
	ByAnalysis = "local"    // the shell analysis
	ByOperator = "operator" // the operator's classifier
	ByCache    = "cache"    // what the operator's classifier said before
)

// A Judgement is what mode auto made of a call, for the log.
type Judgement struct {
	Verdict string        // AutoAllow, AutoSoftDeny, AutoHardDeny
	Source  string        // one of those above
	ID      string        // of the built-in entry, "" for everything else
	Took    time.Duration // how long the operator's classifier was waited for
	// Reason is what the operator's classifier says, or why it gave no verdict that
	// counts: Verdict is "" then. One line without secrets.
	Reason string
	// Tired is set for a hard denial after so many in a row that the user is asked
	// instead: the classifier may be wrong, and the agent stuck.
	Tired bool
}

// Asked reports whether the operator's classifier was asked, now or before.
func (j *Judgement) Asked() bool { return j != nil && (j.Source == ByOperator || j.Source == ByCache) }

// An Approval is what the approver said. The zero value is no opinion:
// the call stays as denied as it was.
type Approval struct {
	Decision   hookio.Decision // Allow or Deny; Pass where no one was asked
	Answer     string          // one of those below; "" where what came back is no answer
	Reason     string          // a sentence: who said what, and what was saved or not
	Unexpected bool            // a Deny because no answer came that counts
	Failed     string          // why nothing was saved though the answer says so
	Took       time.Duration   // how long the answer was waited for
}

// The answers of an approver. Those after once also say what to save, so that the
// next call of the kind is not asked about.
const (
	AnswerDeny        = "deny"
	AnswerOnce        = "once"
	AnswerSession     = "session"      // this very call, until the session ends
	AnswerSessionTool = "session-tool" // the tool, until the session ends
	AnswerAlways      = "always"       // the rules permgate allow would write
	AnswerAlwaysURL   = "always-url"   // the same, of a URL
)
