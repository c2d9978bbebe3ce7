// Package say has what reasons and hints are made of.
package say

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
)

// A Code says in one word why a call was decided as it was. Codes are for programs: unlike
// reasons they do not change. They come from the steps, never from the text of a reason.
type Code string

// The codes, in the order of the steps; docs/reference.md says what each means.
const (
	CodeDeniedByRule       Code = "denied_by_rule"
	CodeExcluded           Code = "excluded"
	CodeOutsideAllowTools  Code = "outside_allow_tools"
	CodeNotInAllowlist     Code = "not_in_allowlist"
	CodeOutsideWorkspace   Code = "outside_workspace"
	CodeCatastrophic       Code = "catastrophic"
	CodeDestructive        Code = "destructive"
	CodeSuspicious         Code = "suspicious"
	CodeMalformed          Code = "malformed"
	CodeSensitivePath      Code = "sensitive_path"
	CodeSecret             Code = "secret"
	CodeNotUnderstood      Code = "not_understood"
	CodeCouldMatchRule     Code = "could_match_rule"
	CodeAskedByRule        Code = "asked_by_rule"
	CodeAddressNotListed   Code = "address_not_listed"
	CodeBypass             Code = "bypass"
	CodeSessionGrant       Code = "session_grant"
	CodeAllowedByRule      Code = "allowed_by_rule"
	CodeSafeTool           Code = "safe_tool"
	CodeReadOnly           Code = "read_only"
	CodeAcceptEdits        Code = "accept_edits"
	CodePlanAllows         Code = "plan_mode"
	CodeNeedsTheUser       Code = "needs_user"
	CodeAutoAllowed        Code = "auto_allowed"
	CodeAutoAsked          Code = "auto_asked"
	CodeAutoDenied         Code = "auto_denied"
	CodeModeDefault        Code = "mode_default"
	CodeMutationInPlan     Code = "mutation_in_plan_mode"
	CodeMutationInExplore  Code = "mutation_in_explore_mode"
	CodeDontAsk            Code = "dont_ask"
	CodeSettingsFault      Code = "settings_fault"
	CodeNobodyToAsk        Code = "nobody_to_ask"
	CodeUserApproved       Code = "user_approved"
	CodeUserDenied         Code = "user_denied"
	CodeUnexpectedCallback Code = "unexpected_callback_result"
	CodeUndecided          Code = "undecided"
)

// OfSeverity is the code of what a check of a severity finds.
func OfSeverity(s bashsafety.Severity) Code {
	switch s {
	case bashsafety.Catastrophic:
		return CodeCatastrophic
	case bashsafety.Destructive:
		return CodeDestructive
	}
	return CodeSuspicious
}

// OfAsk is the code of an ask of step 2 by its id; "" is CodeSuspicious.
func OfAsk(id string) Code {
	switch id {
	case "malformed-input":
		return CodeMalformed
	case "sensitive-path":
		return CodeSensitivePath
	case "secret-file", "process-environment":
		return CodeSecret
	case "too-much", "rule-budget":
		return CodeNotUnderstood
	case "blockReadsOutsideWorkingDirectories", "blockWritesOutsideWorkingDirectories":
		return CodeOutsideWorkspace
	}
	return ""
}

// OfMode is the code of a mode that denies.
func OfMode(mode string) Code {
	switch mode {
	case "plan":
		return CodeMutationInPlan
	case "explore":
		return CodeMutationInExplore
	}
	return CodeDontAsk
}

// A prompt says one plain sentence, what would be accepted instead, and last, in
// brackets, what has it asked: the id of a check, the rule, the mode.

// maxQuoted bounds what a reason repeats of a call, in bytes.
const maxQuoted = 200

// maxQuotable bounds what is looked at for that. It is much more, so that no
// secret is cut in two before it is recognised.
const maxQuotable = 4 << 10

// Quoted repeats part of a call in a reason: shortened, invisible characters
// escaped, values that look like secrets left out.
func Quoted(s string) string {
	s, _ = redact.Text(s[:min(len(s), maxQuotable)])
	if len(s) > maxQuoted {
		cut := maxQuoted
		for cut > 0 && s[cut]&0xC0 == 0x80 {
			cut--
		}
		s = s[:cut] + "…"
	}
	mark := "`"
	if strings.Contains(s, mark) {
		mark = "\""
	}
	return mark + hookio.Escape(s) + mark
}
