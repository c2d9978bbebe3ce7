package say

import "github.com/permgate--owner/permgate/bashsafety"

// A Code says in one word why a call was decided as it was. Codes are for programs: unlike
// reasons they do not change. They come from the steps, never from the text of a reason.
type Code string

// The codes, as Codes describes them.
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

// Codes are all codes, in the order of the steps. Example is a permgate command line whose
// answer has the code, "" where it takes more than one command.
var Codes = [...]struct {
	Code         Code
	Doc, Example string
}{
	{CodeDeniedByRule, "a deny rule, also one of an agent or a skill",
		`permgate check --disallowedTools 'Bash(rm:*)' 'rm x'`},
	{CodeExcluded, "`contentExclusion` or `urls`", ""},
	{CodeOutsideAllowTools, "the lists of an agent definition (`allow_tools`, `tools`) or a skill (`allowed-tools`) do not cover the call", ""},
	{CodeNotInAllowlist, "`--tools` does not cover the call", `permgate check --tools Read 'make test'`},
	{CodeOutsideWorkspace, "outside the working directories: a fence, or step 3b",
		`permgate check --tool Write /opt/x/notes.txt`},
	{CodeCatastrophic, "a check of that severity, asked about or denied", `permgate check 'rm -rf /'`},
	{CodeDestructive, "a check of that severity", `permgate check 'git reset --hard'`},
	{CodeSuspicious, "a check of that severity, or a call that may do something else than it seems to",
		`permgate check 'tmux send-keys -t 0 ls'`},
	{CodeMalformed, "the tool's input can be read in more than one way", `permgate check --tool Edit '{"file_path": 1}'`},
	{CodeSensitivePath, "a write to what runs later or holds credentials", `permgate check --tool Edit .git/hooks/pre-commit`},
	{CodeSecret, "a read of a secret", `permgate check 'cat /proc/1/environ'`},
	{CodeNotUnderstood, "the analysis cannot see through the call, or stopped at a limit", `permgate check 'echo "'`},
	{CodeCouldMatchRule, "a deny or ask rule matches for some value of an unknown word",
		`permgate check --disallowedTools 'Bash(git push:*)' 'git $X'`},
	{CodeAskedByRule, "an ask rule", ""},
	{CodeAddressNotListed, "`urls` has a list `allow`, which does not name the address", ""},
	{CodeBypass, "mode bypassPermissions",
		`permgate check --permission-mode bypassPermissions --allow-dangerously-skip-permissions 'make test'`},
	{CodeSessionGrant, "granted for this session", ""},
	{CodeAllowedByRule, "an allow rule", `permgate check --allowedTools 'Bash(git:*)' 'git status'`},
	{CodeSafeTool, "a tool that is safe in every mode", `permgate check --tool Read main.go`},
	{CodeReadOnly, "a command that only reads, where `readOnlyCommands` is \"allow\"", ""},
	{CodeAcceptEdits, "an edit in mode acceptEdits or auto", `permgate check --permission-mode acceptEdits --tool Edit main.go`},
	{CodePlanAllows, "what mode plan is for: the plan file, and with Gen's kind of host agents",
		`permgate check --permission-mode plan --tool Agent Explore`},
	{CodeNeedsTheUser, "the tool is itself a question to the user", `permgate check --tool ExitPlanMode '{}'`},
	{CodeAutoAllowed, "mode auto allowed it: its list, what is proven of the command, or a classifier", ""},
	{CodeAutoAsked, "mode auto asks: `soft_deny`, an edit of a file that is run without asking, or a classifier", ""},
	{CodeAutoDenied, "mode auto denies: `hard_deny` or a classifier", ""},
	{CodeModeDefault, "no rule matched, and the mode asks", `permgate check 'make test'`},
	{CodeMutationInPlan, "mode plan denies what is not safe", `permgate check --permission-mode plan 'make test'`},
	{CodeMutationInExplore, "mode explore denies what is not safe", `permgate check --permission-mode explore 'make test'`},
	{CodeDontAsk, "mode dontAsk denies what no rule allows", `permgate check --permission-mode dontAsk 'make test'`},
	{CodeSettingsFault, "step 0: a settings file cannot be used",
		`permgate check --settings missing.json --allowedTools 'Bash(git:*)' 'git status'`},
	{CodeNobodyToAsk, "step 8: an ask, where no one can be asked", `permgate check --headless 'make test'`},
	{CodeUserApproved, "the approver said yes", ""},
	{CodeUserDenied, "the approver said no", ""},
	{CodeUnexpectedCallback, "the approver gave no answer that counts", ""},
	{CodeUndecided, "the call could not be decided, and `error.type` in the log says why: the deadline, a fault, a payload that cannot be read", ""},
}

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
	case "sensitive path":
		return CodeSensitivePath
	case "secret-file", "process environment":
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
