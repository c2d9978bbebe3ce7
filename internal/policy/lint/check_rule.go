package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

var malformedRule = Check{
	ID: "malformed-rule", Severity: Error,
	Title: "a malformed rule",
	Why: "A rule is Tool or Tool(pattern). A malformed allow rule is ignored, so the call is asked about; a malformed deny or ask rule is read " +
		"as widely as possible, so more is refused than intended.",
	Fix: "write Tool or Tool(pattern), with nothing before the name or after the )",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if r.Err == nil {
				continue
			}
			text := r.Err.Error()
			switch {
			case r.List == rules.Allow:
				text += "; the rule is ignored"
			case r.Note != "":
				text += "; " + r.Note
			}
			now := r.bash()
			if r.ambiguous() {
				text += "; the first word may be the tool or a command, so --fix leaves it"
			}
			var e *Edit
			if now != "" && !rules.KnownTool(r.Tool) { // else it is read in a wider sense, and binds
				e = r.edit(now, false)
			}
			if now == "" && strings.HasPrefix(text, "a wildcard in the tool name") {
				now = "write one rule for each tool; mcp__server__* is all tools of one MCP server"
			}
			report(r.finding(text, now, e))
		}
	},
}

// bash is the rule meant by a command without Bash or with another name of it (npm
// run * and bash:npm run *); "" for none, or if it is not clear.
func (r *Rule) bash() string {
	text := strings.TrimSpace(r.Text)
	name, rest, colon := r.prefix()
	tool := hookio.OtherTool(name)
	switch {
	case r.ambiguous():
		return ""
	case tool != "" && colon:
		text = tool + "(" + rest + ")"
	case tool == "Bash" && name[0] < 'a' && startsWithProgram(rest), tool == "" && startsWithProgram(text):
		text = "Bash(" + cmp.Or(rest, text) + ")"
	default:
		return ""
	}
	now := r.spelled(text)
	if _, err := rules.ParseRule(now, r.List, r.Scope, r.Pos, r.Claude); err != nil {
		return ""
	}
	return now
}

// prefix cuts a rule text after the tool it begins with in another system's grammar, if any.
func (r *Rule) prefix() (name, rest string, colon bool) {
	text := strings.TrimSpace(r.Text)
	i := strings.IndexAny(text, ": ")
	if i < 0 || hookio.OtherTool(text[:i]) == "" {
		return "", "", false
	}
	return text[:i], strings.TrimSpace(text[i+1:]), text[i] == ':'
}

// ambiguous reports whether a rule begins with a name that may be the tool or a program:
// bash:* is every command or those of bash, and cat:x may be a file or an operand.
func (r *Rule) ambiguous() bool {
	name, rest, colon := r.prefix()
	shell := slices.Contains([]string{"bash", "sh", "zsh", "pwsh"}, name)
	switch {
	case name == "" || name[0] < 'a' && !colon:
		return false
	case !colon:
		return shell || !knownCommand(name)
	case !shell && knownCommand(name):
		return true
	}
	return rest == "*" || rest == "" || rest[0] == '-'
}

// startsWithProgram reports whether the first word is a path, a known name, or has words after it.
func startsWithProgram(text string) bool {
	word, _, more := strings.Cut(text, " ")
	word, args, _ := strings.Cut(word, ":")
	if !plainName(strings.ReplaceAll(strings.TrimPrefix(word, "~"), "/", "")) {
		return false
	}
	switch {
	case strings.HasPrefix(word, "./"), strings.HasPrefix(word, "/"), strings.HasPrefix(word, "~/"):
		return true
	case word[0] < 'a' || word[0] > 'z':
		return false
	}
	return more || args == "*" || programOf(word) != nil || knownCommand(word)
}

var unknownTool = Check{
	ID: "unknown-tool", Severity: Error,
	Title: "another program's name of a tool, or a misspelt one",
	Why: "Tool names are exact, case-sensitive and those of Claude Code, whatever the agent program calls its own: bash or run_shell_command matches no call. " +
		"Names with an underscore may be a program's own and are not reported, except those with another name here.",
	Fix: "write the name as in permgate help rules; MCP tools are mcp__server__tool",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if r.Err != nil || rules.KnownTool(r.Tool) || r.unheard() {
				continue
			}
			near := nearTool(r.Name)
			switch {
			case near == "" && r.bash() != "":
				report(r.finding("no tool is called "+r.Name+", which is a command", r.bash(), r.edit(r.bash(), false)))
			case near != "":
				now, why := near+strings.TrimPrefix(strings.TrimSpace(r.Text), r.Name), ": it is "+near
				var e *Edit
				if strings.EqualFold(near, r.Name) {
					e, why = r.edit(now, false), why+", and names are case-sensitive"
				} else if r.strict() && near == "Bash" && !r.Bare && !strings.Contains(r.Pattern, "*") {
					now = near + strings.TrimPrefix(r.with(r.Pattern+":*"), r.Name) // programs with that name read it as a beginning
				}
				report(r.finding("no tool is called "+r.Name+", so this rule "+r.void()+why, now, e))
			case strings.HasPrefix(strings.ToLower(r.Name), "mcp"):
				report(r.finding("no tool is called "+r.Name+": MCP tools are mcp__server__tool, with two underscores each", "", nil))
			}
		}
	},
}

var unheardTool = Check{
	ID: "unheard-tool", Severity: Warning,
	Title: "a tool this version has not heard of",
	Why: "Agent programs get new tools every week, so the name may be right; where it is not, the rule matches no call. " +
		"Names with an underscore may be a program's own and are not reported.",
	Fix: "write the name as in permgate help rules, or leave it if your agent program has the tool",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			known := rules.KnownTool(r.Tool) || slices.Contains(recent[:], r.Name) || strings.Contains(r.Name, "_")
			if r.Err == nil && !known && r.unheard() {
				report(r.finding("no tool is known that is called "+r.Name, "", nil))
			}
		}
	},
}

// unheard reports whether nothing says what an unknown tool may have been meant for.
func (r *Rule) unheard() bool {
	return r.bash() == "" && nearTool(r.Name) == "" && !strings.HasPrefix(strings.ToLower(r.Name), "mcp")
}

// recent are tools of the releases that tests drive which decide as any other does that rules.Tools does not have:
// what they take is not known well enough to let go of a question.
var recent = [...]string{"Workflow", "ListAgents", "ScheduleWakeup", "ReportFindings", "DesignSync", "Artifact", "PushNotification", "Projects",
	"REPL"}

// knownCommand reports whether there is a table of the options of a command.
func knownCommand(name string) bool {
	return slices.ContainsFunc(bashsafety.Commands(),
		func(c *bashsafety.Command) bool { return c.Named(name) })
}

// tools are the names people may have meant: fewer than rules.Tools, because
// --fix writes one of them, and a rule on MCP or Sleep is not what a slip means.
var tools = [...]string{"Bash", "Read", "Edit", "Write", "NotebookEdit", "Glob", "Grep", "WebFetch",
	"WebSearch", "Agent", "Skill", "PowerShell", "Monitor",
	"TodoWrite", "LSP", "LS", "ExitPlanMode", "AskUserQuestion", "MultiEdit", "Task", "KillShell", "BashOutput", "SlashCommand"}

// nearTool returns the tool meant: another case, a program's or people's name for it, or a typo.
func nearTool(name string) string {
	for _, t := range tools {
		if strings.EqualFold(t, name) {
			return t
		}
	}
	for _, h := range hookio.Hosts() {
		for _, p := range h.Tools {
			if p.From == name && rules.KnownTool(p.To) {
				return p.To
			}
		}
	}
	if t := hookio.OtherTool(name); t != "" {
		return t
	}
	for _, t := range tools {
		if len(t) > 3 && load.OneTypo(t, name) {
			return t
		}
	}
	return ""
}
