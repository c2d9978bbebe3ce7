package say

import (
	"time"

	"github.com/permgate--owner/permgate/hookio"
)

// A Target is what a yes is remembered for: a place outside the workspace (step 3b), prose that an agent program loads,
// or a git command in another repository (both step 2). The zero value is no target.
type Target struct {
	Kind        string // "write", "read below" ..., for git followed by a blank and the subcommand
	Given, Real string // the place as given and as resolved; of a repository its root, and where git runs
	Stamp       string // of a git command: what configuration, hooks and attributes were, and what it does
	Folder      string // of a file: the folder of whose others it is one, "" for none
}

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
