package decide

import "time"

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
}
