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

// A Case is everything Decide looks at. What a step wants to know of paths and the disk
// it asks World.
type Case struct {
	Input
	// World is made from Policy alone where it is nil: then there is no disk to ask.
	World *world.World
	// Classify asks the operator's classifier of mode auto about an ask; nil on the default path, and
	// in every dry run.
	Classify func(*Case, Verdict) Judgement
	// Approve asks the operator's approver about an ask that reaches no person; nil on the default
	// path, and in every dry run.
	Approve func(*Case, Verdict) Approval

	// Denied is told of a denial of step 1 as soon as it is found, so that the
	// deadline need not ask about what is denied anyway; nil tells no one.
	Denied func(Verdict)

	units   []unit // see subject.go; filled once by Decide
	crowded bool   // the input of a tool names more files than were looked at
	memo    []matched

	waivers []waiver
	repos   *repo.Repos
	guard   *guard.Guard

	mentioned []mention // see mentions.go; nil until asked

	reads *bool // what restrictsReads said; nil until asked

	spent   int         // of matchBudget
	overrun *rules.Rule // the first rule that was not compared any more
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
