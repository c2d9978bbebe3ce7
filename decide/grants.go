package decide

import (
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
)

// A grant is one reason to allow a call. Every allow is made by one of those below, through
// grant.allow or grant.by, and counts in its own step alone (Step.decide). TestGrants looks
// through the source and finds no other place that makes an allow.
type grant struct {
	step string // the number of the only step that may give it
	code say.Code
	why  string // why it is sound to allow by it
}

// The grants, in the order of the steps. Steps 1 and 2 come before all of them.
var (
	grantBypass = grant{"3", say.CodeBypass,
		"the user started the session without prompts; managed settings can lock that, and rules.Load has turned the mode into default then"}

	grantSession = grant{"4", say.CodeSessionGrant,
		"the user granted everything, all edits or all Bash until the session ends; step 3b has asked about what leaves the project"}
	grantSessionRule = grant{"4", say.CodeSessionGrant, "rules granted to the session cover every part of the call"}

	grantRule  = grant{"6", say.CodeAllowedByRule, "the rules of one list that counts for this caller cover every part of the call"}
	grantMixed = grant{"6", say.CodeAllowedByRule,
		"rules cover some parts, and each of the others is proven to read inside the workspace and to hand nothing on"}

	grantSafeTool = grant{"7", say.CodeSafeTool, "the tool reads, or only talks to the user (rules.SafeTool); fences and deny rules have spoken"}
	grantReadOnly = grant{"7", say.CodeReadOnly, "readOnlyCommands is the user's own switch, and every command is proven to only read"}
	grantPlan     = grant{"7", say.CodePlanAllows, "writing the plan, and what the host counts as planning, is what mode plan is for"}
	grantEdit     = grant{"7", say.CodeAcceptEdits, "the user chose a mode that accepts edits; steps 2 and 3b have asked about places"}
	grantAutoList = grant{"7", say.CodeAutoAllowed, "the user's autoMode.allow covers every part of the call"}
	grantBuiltIn  = grant{"7", say.CodeAutoAllowed, "an entry of AutoDefaults: a tool that changes nothing outside the session"}
	grantBenign   = grant{"7", say.CodeAutoAllowed, "mode auto, and every effect of the text is proven to stay in the workspace"}
	grantJudged   = grant{"7", say.CodeAutoAllowed, "the operator's classifier allows what mode auto asks about, and nothing else is put to it"}

	grantApproval = grant{approverStep, say.CodeUserApproved,
		"a person, or a program of the operator's for one, said yes to this very call; a deny never gets there"}
)

// by makes the allow of a verdict that says what was found and where.
func (g *grant) by(v Verdict) Verdict {
	v.Decision, v.Cause, v.grant = hookio.Allow, g.code, g
	return v
}

// allow is by for a verdict that has no more than a reason.
func (g *grant) allow(reason string) Verdict { return g.by(Verdict{Reason: reason}) }
