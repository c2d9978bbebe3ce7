// Package subcmd is what every subcommand works with: its literal, and an Env with the streams and the world
// (command.go), the call that is meant (call.go), the log (logged.go), whose settings and which file
// (scope.go), changes of files (change.go), what a project may grant (grants.go), and output (verdict.go, output.go).
package subcmd

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/term"
)

// Module is the path of this module, and where its repository is: the only place in Go that names the owner, but
// imports.
const Module = "github.com/permgate--owner/permgate"

// A Command is one subcommand.
type Command struct {
	Name     string
	Args     string // operands, as the usage line shows them
	Short    string // one line of the list, no full stop
	Long     string
	Examples []Example
	Flags    func(*pflag.FlagSet) // nil for none
	Run      func(*Env, []string) int
	Subs     []*Command // verbs of its own: "add" of "rules add"; the first operand names one
	// Operands are the kinds of values that completion offers for Args, the last for all further ones, "-" nothing.
	Operands string
	// Words says that options among the operands are those of a command; nil for never.
	Words func(fs *pflag.FlagSet, operands []string) bool
}

// An Example is a line to type and what it shows.
type Example [2]string

// Line is what to type.
func (x Example) Line() string { return x[0] }

// Note says what it shows, "" for nothing.
func (x Example) Note() string { return x[1] }

// An Env is what a subcommand works with.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	World    gate.World
	Cmd      string        // "permgate check", for messages
	Version  func() string // of this binary
}

// NewEnv is what the subcommands of a process work with.
func NewEnv(stdin io.Reader, stdout, stderr io.Writer, world gate.World, version func() string) *Env {
	out := &Output{w: stdout, columns: columnsOf(stdout, world.Getenv)}
	return &Env{In: stdin, Out: out, Err: stderr, World: world, Cmd: "permgate", Version: version}
}

// Fail prints what happened and where, in lower case without a full stop, and a hint: something to type.
func (e *Env) Fail(hint, format string, args ...any) int {
	return e.FailOf(hint, nil, format, args...)
}

// FailOf is Fail with a list of what the error is about, between it and the hint.
func (e *Env) FailOf(hint string, list []string, format string, args ...any) int {
	fmt.Fprintf(e.Err, "%s: %s\n", e.Cmd, hookio.Escape(fmt.Sprintf(format, args...)))
	for _, line := range list {
		fmt.Fprintf(e.Err, "    %s\n", hookio.Escape(line))
	}
	if hint != "" {
		fmt.Fprintf(e.Err, "  hint: %s\n", hookio.Escape(hint))
	}
	return ExitError
}

// Paint returns a function that colours text for e.Out where colours are wanted.
func (e *Env) Paint() func(d hookio.Decision, text string) string {
	if !term.Colour(e.Out, e.World.Getenv) {
		return func(_ hookio.Decision, text string) string { return text }
	}
	return func(d hookio.Decision, text string) string {
		switch d {
		case hookio.Allow:
			return "\x1b[32m" + text + "\x1b[0m"
		case hookio.Ask:
			return "\x1b[33m" + text + "\x1b[0m"
		case hookio.Deny:
			return "\x1b[31m" + text + "\x1b[0m"
		}
		return "\x1b[2m" + text + "\x1b[0m"
	}
}

// Exit codes of the subcommands.
const (
	ExitOK    = 0 // done; check: allow
	ExitAsk   = 1 // check: ask, or silence
	ExitDeny  = 2 // check: deny
	ExitError = 3 // nothing was decided or done

	ExitFindings = 1 // lint, test, doctor: something was found
)

// Written returns the exit code of a subcommand that would end with code.
func (e *Env) Written(code int) int {
	o := e.Out.(*Output)
	o.flush()
	if o.err == nil || code == ExitError {
		return code
	}
	return e.Fail("", "the output could not be written: %v", o.err)
}

// MaxJobs bounds --jobs: each of them has memory of its own.
const MaxJobs = 64

// How a batch uses memory: a heap that may grow further costs less time, up to the limit.
const (
	BatchGC    = 400
	BatchLimit = 44 << 20 // of one worker; each other one adds a part of it
	BatchMost  = 96 << 20
	BatchRoom  = 12 << 20 // what all workers together may keep of settings and files
)

// Progress shows how far a run is, nil where its answers go to the terminal and say so themselves.
func (e *Env) Progress() *term.Progress {
	if term.Is(e.Out) {
		return nil
	}
	return e.Waiting()
}

// Waiting shows on the terminal how far a run is that prints nothing before its end.
func (e *Env) Waiting() *term.Progress { return term.NewProgress(e.Err, e.World.Getenv, time.Now()) }
