package verdict

import "github.com/permgate--owner/permgate/decide/say"

// The grants: each reason to allow a call, in the order of the steps, and why it is sound. There is no other way
// to make an Allowed that holds. Steps 1 and 2 come before all of them.

// ByBypass: the user started the session without prompts. Managed settings can lock that: rules/load has turned the
// mode into default then.
func ByBypass(r Reason) Allowed[Bypass] { return allow[Bypass](say.CodeBypass, r) }

// BySession: the user granted everything, all edits or all Bash until the session ends, or rules granted to the session
// cover every part of the call. Step 3b has asked about what leaves the project.
func BySession(r Reason) Allowed[Session] { return allow[Session](say.CodeSessionGrant, r) }

// ByRules: the rules of one list that counts for this caller cover every part of the call, or some parts, and each of
// the others is proven to read inside the workspace and to hand nothing on.
func ByRules(r Reason) Allowed[Rules] { return allow[Rules](say.CodeAllowedByRule, r) }

// BySafeTool: the tool reads, or only talks to the user (rules.SafeTool). Fences and deny rules have spoken.
func BySafeTool(r Reason) Allowed[Mode] { return allow[Mode](say.CodeSafeTool, r) }

// ByReadOnly: readOnlyCommands is the user's own switch, and every command is proven to only read.
func ByReadOnly(r Reason) Allowed[Mode] { return allow[Mode](say.CodeReadOnly, r) }

// ByPlan: writing the plan, and what the host counts as planning, is what mode plan is for.
func ByPlan(r Reason) Allowed[Mode] { return allow[Mode](say.CodePlanAllows, r) }

// ByEdits: the user chose a mode that accepts edits. Steps 2 and 3b have asked about places.
func ByEdits(r Reason) Allowed[Mode] { return allow[Mode](say.CodeAcceptEdits, r) }

// ByAuto: mode auto, and the user's autoMode.allow covers every part of the call, a built-in entry names a tool that
// changes nothing outside the session, every effect of the text is proven to stay in the workspace, or the operator's
// classifier allows what the mode asks about. Nothing else is put to the classifier.
func ByAuto(r Reason) Allowed[Mode] { return allow[Mode](say.CodeAutoAllowed, r) }

// ByApprover: a person, or the operator's program in a person's place, said yes to this very call. A denial of step 1
// or 7 never gets there.
func ByApprover(r Reason) Allowed[Approver] { return allow[Approver](say.CodeUserApproved, r) }

func allow[S Step](code say.Code, r Reason) Allowed[S] {
	r.Code = code
	return Allowed[S]{why: &r}
}
