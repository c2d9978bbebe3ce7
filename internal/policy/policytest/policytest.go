// Package policytest reads, writes and runs policy tests: lines that say what
// the gate has to answer to a call, in a file permissions.test next to the
// settings they are about. A line is decided by the very function of the hook.
package policytest

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// FileName is a settings folder's policy tests, LocalFileName those about settings.local.json.
const (
	FileName      = "permissions.test"
	LocalFileName = "permissions.local.test"
)

// FileNames are all names of files of tests, in the order they are run.
var FileNames = [...]string{FileName, LocalFileName}

// A File is one file of policy tests.
type File struct {
	Name    string
	Tests   []Test
	Budgets []Budget
	End     Context // what the context lines say at the end
	Errors  []Error
}

// A Test is one line: EXPECT TOOL ARGUMENT => REASON.
type Test struct {
	Pos      rules.Pos
	Want     string // one of Expectations
	Tool     string // canonical name
	Argument string // text of the tool's primary field, or a JSON object that is the whole input
	Given    bool   // there is an argument
	Reason   string // what the reason must contain; "" for anything
	Context  Context
}

// Expectations are a test's first words: a decision as permgate check says it, or silence.
var Expectations = [...]string{"allow", "ask", "deny", Silence}

// Silence is the expectation that the host gets no answer.
const Silence = "silence"

// An Error is a line that cannot be understood.
type Error struct {
	Pos rules.Pos
	Msg string
}

func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

// A Context is what context lines say of the calls below them; "" for nothing.
type Context struct {
	Mode, Agent, Skill, Cwd, Host, Event, Headless string
}

// A Word is one kind of context line.
type Word struct {
	Name  string // without the @
	Value string // what follows it, for help
	Doc   string
	// Alone is the value of the word without one; "" takes the word back, as - always does.
	Alone string
	check func(value string) error // nil for any value
	field func(*Context) *string
}

// Words are the context lines there are.
func Words() []Word {
	return []Word{
		{"mode", "MODE", "the mode of the session", "", checkMode, func(c *Context) *string { return &c.Mode }},
		{"agent", "NAME", "the subagent that makes the call", "", nil, func(c *Context) *string { return &c.Agent }},
		{"skill", "NAME", "the skill whose allowed-tools restrict the call", "", nil, func(c *Context) *string { return &c.Skill }},
		{"cwd", "DIR", "the working directory of the call, from the folder the tests run in", "", checkCwd, func(c *Context) *string { return &c.Cwd }},
		{"host", "NAME", "the calling program, as with --host", "", checkHost, func(c *Context) *string { return &c.Host }},
		{"event", "EVENT", "the hook event, default PreToolUse", "", checkEvent, func(c *Context) *string { return &c.Event }},
		{"headless", "on|off", "no prompt is possible: on or off, default on", "on", checkSwitch, func(c *Context) *string { return &c.Headless }},
	}
}

func checkMode(mode string) error {
	if rules.ModeAlias(mode) != "" || rules.Strictness(mode) >= 0 {
		return nil
	}
	return fmt.Errorf("unknown mode %q: modes are %s", hookio.Escape(mode), strings.Join(rules.ModeNames(), ", "))
}

func checkCwd(dir string) error {
	if strings.HasPrefix(dir, "~") {
		return fmt.Errorf("%q means something else on every machine: write an absolute path, or one relative to the folder the tests run in", hookio.Escape(dir))
	}
	return nil
}

func checkHost(name string) error {
	if hookio.Lookup(name) != nil {
		return nil
	}
	return fmt.Errorf("unknown host %q: hosts are %s", hookio.Escape(name), hookio.HostNames())
}

func checkEvent(event string) error {
	if e := hookio.Event(event); e.Decides() {
		return nil
	}
	return fmt.Errorf("event %q takes no decision: events are %s, %s, %s", hookio.Escape(event), hookio.PreToolUse,
		hookio.PermissionRequest, hookio.PreSkillShellCommand)
}

func checkSwitch(value string) error {
	if value == "on" || value == "off" {
		return nil
	}
	return fmt.Errorf("%q is neither on nor off", hookio.Escape(value))
}

// An Outcome is the result of an example of a rule object.
type Outcome struct {
	Example rules.Example
	Wrong   string // why it failed, "" when it holds
}

// Examples checks whether every rule object matches its examples, whatever else
// the policy says. w and f loaded the policy; calls are made in the project.
func Examples(p *rules.Policy, f gate.Flags, w gate.World) []Outcome {
	var out []Outcome
	f.Cwd = p.Project.Given
	// The rule is asked as the main session's: an agent's lists have no say in it.
	f.Agent, f.Skill, f.Event = "", "", ""
	r := &Runner{World: w, Flags: f, Dir: f.Cwd, once: true}
	for i := range p.Examples {
		out = append(out, Outcome{p.Examples[i], example(&p.Examples[i], r)})
	}
	return out
}

// example says why an example does not hold.
func example(x *rules.Example, r *Runner) string {
	t, wrong := ofExample(x)
	if wrong != "" {
		return wrong
	}
	v, err := r.Decide(t)
	if err != nil {
		return err.Error()
	}
	if m := v.Input().Call.Malformed; m != "" {
		return "the call is malformed: " + m
	}
	meets, sure, why := v.Facts().Meets(x.Rule)
	if !x.Match {
		return matchFault(meets, sure)
	}
	switch {
	case meets && sure:
		return ""
	case meets:
		return "the rule matches only for some values of a word only known at run time"
	case x.Rule.List == rules.Allow:
		return "the rule alone does not allow it: " + why
	}
	return "the rule does not match"
}

// matchFault says what is wrong with a call that a rule must not match.
func matchFault(meets, sure bool) string {
	switch {
	case !meets:
		return ""
	case !sure:
		return "the rule could match, depending on a word only known at run time"
	}
	return "the rule matches"
}

// ofExample makes an example's call: of the rule's tool, or of the one of several it begins with.
func ofExample(x *rules.Example) (t *Test, wrong string) {
	tool, text := x.Rule.Tool, x.Text
	if tool == "MCP" || strings.HasPrefix(tool, "mcp__") || strings.ContainsAny(tool, "*?") {
		tool, text, _ = strings.Cut(strings.Trim(text, blanks), " ")
		text = strings.Trim(text, blanks)
		if msg := toolFault(tool); msg != "" {
			return nil, "the rule covers several tools, and " + msg
		}
		if strings.HasPrefix(tool, "{") {
			return nil, "the rule covers several tools: write the tool before its input"
		}
	}
	if msg := objectFault(text); msg != "" {
		return nil, hookio.Escape(msg)
	}
	return &Test{Tool: tool, Argument: text, Given: text != ""}, ""
}
