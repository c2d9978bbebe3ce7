// Package policytest reads, writes and runs policy tests: lines that say what
// the gate has to answer to a call, in a file permissions.test beside the
// settings they are about. A line is decided by the very function of the hook.
package policytest

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// FileName is what a file of policy tests is called in a settings folder.
// LocalFileName holds those of one person, about their own settings.local.json.
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
	End     Context // what context lines leave behind at the end
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

// Expectations are the first words of a test: the decision as permgate check
// says it; silence is what the host gets where it is left to decide itself.
var Expectations = [...]string{"allow", "ask", "deny", Silence}

// Silence is the expectation that the host gets no answer.
const Silence = "silence"

// An Error is a line that cannot be understood.
type Error struct {
	Pos rules.Pos
	Msg string
}

func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

// A Context is what context lines say of the calls below them; "" where they
// say nothing.
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
	if mode == "manual" { // an older name of default
		return nil
	}
	var names []string
	for i := range rules.Modes {
		if rules.Modes[i].Name == mode {
			return nil
		}
		names = append(names, rules.Modes[i].Name)
	}
	return fmt.Errorf("unknown mode %q: modes are %s", hookio.Escape(mode), strings.Join(names, ", "))
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
	var names []string
	for _, h := range hookio.Hosts() {
		names = append(names, h.Name)
	}
	return fmt.Errorf("unknown host %q: hosts are %s", hookio.Escape(name), strings.Join(names, ", "))
}

func checkEvent(event string) error {
	if e := hookio.Event(event); e.Decides() {
		return nil
	}
	return fmt.Errorf("event %q takes no decision: events are %s, %s", hookio.Escape(event), hookio.PreToolUse,
		hookio.PermissionRequest)
}

func checkSwitch(value string) error {
	if value == "on" || value == "off" {
		return nil
	}
	return fmt.Errorf("%q is neither on nor off", hookio.Escape(value))
}
