package decide

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A Verdict is a decision and where it came from.
type Verdict struct {
	Decision hookio.Decision
	Step     string            // number of the step that decided: one of Steps or Tightenings
	Reason   string            // one sentence for the agent and the user
	Rule     *rules.Rule       // the rule that decided, if one did
	Check    *bashsafety.Check // the check that decided, if one did
	Part     string            // the subcommand or path that decided
	Managed  bool              // a deny of step 1 that managed settings gave
	Origin   string            // step of the answer that a later step tightened; else equal to Step
	ReadOnly bool              // an allow of step 7 by readOnlyCommands, the user's own switch
	Faulted  bool              // step 0 made an ask of an allow
	Coerced  bool              // step 8 made a deny of an ask
	Judged   *Judgement        // mode auto had an opinion; nil in every other mode
	Cause    Code              // what Code says, where the step alone does not say it
	Approval *Approval         // of step 8b; nil where the approver was not asked
	Trace    Trace

	grant *grant // of an allow
	mark  string // the end of Reason: what has it asked, in brackets
}

// An Entry is what one step said.
type Entry struct {
	Step    *Step
	Verdict Verdict // Decision Pass: the step had no opinion; Reason then says why, where that helps
}

// A Trace is what the steps said, in order, up to the one that answered.
type Trace []Entry

// marked ends a verdict's reason with a mark in brackets. What is added later
// goes before it.
func (v Verdict) marked(mark string) Verdict {
	v.mark = " (" + mark + ")"
	v.Reason += v.mark
	return v
}

// saying adds words to the sentence, before the mark.
func (v Verdict) saying(words string) Verdict {
	v.Reason = v.sentence() + words + v.mark
	return v
}

// sentence is the reason without its mark.
func (v Verdict) sentence() string { return strings.TrimSuffix(v.Reason, v.mark) }

// id is what the mark of a reason begins with.
func (v Verdict) id() string {
	id, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(v.mark, " ("), ")"), ":")
	return id
}

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

// as sets the code of a verdict, where the step alone does not say it.
func (v Verdict) as(code Code) Verdict {
	v.Cause = code
	return v
}

// Code is the code of a verdict.
func (v Verdict) Code() Code {
	switch {
	case v.Cause != "":
		return v.Cause
	case v.Step == "2" && v.Check != nil:
		return severityCode(v.Check.Severity)
	}
	switch v.Step {
	case "0":
		return CodeSettingsFault
	case "1":
		return CodeDeniedByRule
	case "2":
		return CodeSuspicious
	case "3":
		return CodeBypass
	case "3b":
		return CodeOutsideWorkspace
	case "4":
		return CodeSessionGrant
	case "5":
		return CodeAskedByRule
	case "6":
		return CodeAllowedByRule
	case "7":
		return CodeModeDefault
	case "8":
		return CodeNobodyToAsk
	}
	return CodeUndecided
}

func severityCode(s bashsafety.Severity) Code {
	switch s {
	case bashsafety.Catastrophic:
		return CodeCatastrophic
	case bashsafety.Destructive:
		return CodeDestructive
	}
	return CodeSuspicious
}

// immuneCode is the code of an ask of step 2 by its id; "" is CodeSuspicious.
func immuneCode(id string) Code {
	switch id {
	case "malformed-input":
		return CodeMalformed
	case "sensitive path":
		return CodeSensitivePath
	case "secret-file", "process environment":
		return CodeSecret
	case "too-much", "rule-budget":
		return CodeNotUnderstood
	case fenceRead, fenceWrite:
		return CodeOutsideWorkspace
	}
	return ""
}

// modeCode is the code of a mode that denies.
func modeCode(mode string) Code {
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

// everyMode is what a mark of step 2 says after its id.
const everyMode = ": asks in every mode"

// hidesOption reports whether what another check found has an option behind a backslash.
func (in *Input) hidesOption(f *bashsafety.Finding) bool {
	return f.Check.ID != bashsafety.EscapedOption && slices.ContainsFunc(in.Script.Findings, func(o bashsafety.Finding) bool {
		return o.Sub == f.Sub && o.Check.ID == bashsafety.EscapedOption
	})
}

// seedWords are seed 0's for what a check finds.
func seedWords(c *bashsafety.Check) string {
	if c.Severity >= bashsafety.Destructive {
		return "bypass-immune: destructive command"
	}
	return "bypass-immune: suspicious command"
}

// named quotes a unit in a reason: file operands with what is done to them.
func (u *unit) named() string {
	if u.quote == "" { // several steps may ask
		u.quote = quoted(u.text)
	}
	if u.effect == nil {
		return u.quote
	}
	switch u.effect.Kind {
	case bashsafety.Write, bashsafety.Delete:
		return "writing " + u.quote
	case bashsafety.Network:
		return "fetching " + u.quote
	}
	return "reading " + u.quote
}

// doer begins a sentence about what a unit does: with its command, if it has one.
func (c *Case) doer(u *unit) string {
	if of := u.of(); of != "" {
		return of
	}
	return "the call "
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

// An Approval is what became of asking the approver. The zero value is no opinion:
// the call stays as denied as it was.
type Approval struct {
	Decision   hookio.Decision // Allow or Deny; Pass where no one was asked
	Answer     string          // one of those above; "" where what came back is none
	Reason     string          // a sentence: who said what, and what was saved or not
	Unexpected bool            // a Deny because no answer came that counts
	Failed     string          // why nothing was saved though the answer says so
	Took       time.Duration   // how long the answer was waited for
}

// The answers of an approver. Those behind once also say what to save, so that the
// next call of the kind is not asked about.
const (
	AnswerDeny        = "deny"
	AnswerOnce        = "once"
	AnswerSession     = "session"      // this very call, until the session ends
	AnswerSessionTool = "session-tool" // the tool, until the session ends
	AnswerAlways      = "always"       // the rules permgate allow would write
	AnswerAlwaysURL   = "always-url"   // the same, of a URL
)

func (a *Approval) code() Code {
	switch {
	case a.Unexpected:
		return CodeUnexpectedCallback
	case a.Decision == hookio.Allow:
		return CodeUserApproved
	}
	return CodeUserDenied
}

// OnlyOnce reports whether a yes to a verdict may lift nothing but this one call:
// what asks whatever is granted cannot be granted.
func (v Verdict) OnlyOnce() bool {
	return v.Faulted || v.Origin == "0" || v.Origin == "2" || v.Origin == "3b"
}

// NeedsUser reports whether a tool is itself a question to the user, which no rule answers for them.
func NeedsUser(tool string) bool {
	return tool == "AskUserQuestion" || tool == "ExitPlanMode"
}

// Noting adds a sentence to the reason of an answer, before the mark.
func (v Verdict) Noting(a hookio.Answer, sentence string) hookio.Answer {
	mark := ""
	if body, ok := strings.CutSuffix(a.Reason, v.mark); ok {
		a.Reason, mark = body, v.mark
	}
	a.Reason += ". " + sentence + mark
	return a
}

// immune is an ask of step 2 about a part of the call.
func immune(id, part, sentence string) Verdict {
	return Verdict{Decision: hookio.Ask, Part: part, Reason: sentence, Cause: immuneCode(id)}.marked(id + everyMode)
}

// found turns a finding into step 2's ask.
func (c *Case) found(f *bashsafety.Finding) Verdict {
	v := Verdict{Decision: hookio.Ask, Check: f.Check, Reason: "the command "}
	title, target := f.Check.Title, ""
	if f.Sub >= 0 && f.Sub < len(c.Script.Subcommands) {
		sub := &c.Script.Subcommands[f.Sub]
		v.Part = Spell(sub.Argv)
		v.Reason = quoted(v.Part) + origin(sub) + " "
		if target = c.target(sub); target != "" && f.Check.Names[0] != "" {
			title = strings.Replace(title, f.Check.Names[0], target, 1)
		}
	}
	v.Reason += title + "; " + cmp.Or(c.whyNotWaived(f), f.Check.Why)
	if c.hidesOption(f) {
		v.Reason += "; a backslash hides an option of it"
	}
	if hint := c.hint(f.Check, target); hint != "" {
		v.Reason += ". Try " + hint
	}
	mark := f.Check.ID + everyMode
	if f.Check.Severity == bashsafety.Catastrophic {
		mark += "; " + seedWords(f.Check)
	}
	return v.marked(mark)
}

// withFinding adds the worst finding to a denial, so that the agent learns at
// once what else is wrong.
func (c *Case) withFinding(v Verdict) Verdict {
	if f := c.worst(); f != nil {
		v.Check = f.Check
		v.Reason += "; it also " + f.Check.Title + " (" + f.Check.ID + ": " +
			strings.TrimPrefix(seedWords(f.Check), "bypass-immune: ") + ")"
	}
	return v
}
