package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// Input is the call and the policy it is decided by. What needs only these is a method of Input:
// it cannot ask the disk, and knows nothing that was found out on the way.
type Input struct {
	Call     *hookio.Call
	Policy   *rules.Policy
	Script   *bashsafety.Analysis // the analysis of Call.Command; nil when there is no shell text
	Grants   Grants               // of the running session
	AsAgent  bool                 // --agent: decide as a subagent
	Headless bool                 // --headless: no one can be asked
}

// A scene is an Input and where it would happen. What asks the disk, and knows nothing of
// the parts of the call, is a method of it.
type scene struct {
	Input
	World *world.World
	repos *repo.Repos
	guard *guard.Guard
}

// A reading is a call in its parts, each with what rules are matched against. What the parts are, and what
// each of them does, is a method of reading; which rules match them is one of matcher.
type reading struct {
	scene
	units     []unit    // see subject.go; filled once by Decide
	crowded   bool      // the input of a tool names more files than were looked at
	mentioned []mention // see mentions.go; nil until asked
}

// A matcher compares the parts of a call with rules.
type matcher struct {
	reading
	memo    []matched
	reads   *bool       // what restrictsReads said; nil until asked
	spent   int         // of matchBudget
	overrun *rules.Rule // the first rule that was not compared any more
}

// A Case is everything Decide looks at, as New makes it. The types within it are its layers:
// Input, scene, reading, matcher. Each knows those before it, so the type of a method says what it can
// depend on.
type Case struct {
	matcher
	// Classify asks the operator's classifier of mode auto about an ask; nil on the default path, and
	// in every dry run.
	Classify func(*Case, Verdict) Judgement
	// Approve asks the operator's approver about an ask that reaches no person; nil on the default
	// path, and in every dry run.
	Approve func(*Case, Verdict) Approval
	// Denied is told of a denial of step 1 as soon as it is found, so that the
	// deadline need not ask about what is denied anyway; nil tells no one.
	Denied func(Verdict)

	waivers []waiver
}

// New is the case of a call. Where w is nil it is made from the policy alone, without a disk to ask.
func New(in Input, w *world.World) *Case {
	return &Case{matcher: matcher{reading: reading{scene: scene{Input: in, World: w}}}}
}

// Grants are what the user granted for the running session.
type Grants struct {
	AllEdits bool // the three edit tools
	AllBash  bool
	All      bool         // every call but a question to the user
	Rules    []rules.Rule // allow rules of scope Session
	Until    string       // when they end, as reasons name it
	File     string       // where they are kept
}

func (g *Grants) until() string {
	if g.Until == "" {
		return ""
	}
	return ", until " + g.Until
}
