package cli

import (
	"fmt"
	"io"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/term"
	"github.com/spf13/pflag"
)

// A Command is one subcommand.
type Command struct {
	Name     string
	Args     string // operands, as the usage line shows them
	Short    string // one line of the list, no full stop
	Long     string
	Examples []Example
	Flags    func(*pflag.FlagSet) // nil for none
	Run      func(*env, []string) int
	Subs     []*Command // verbs of its own: "add" of "rules add"; the first operand names one
	// Operands are the kinds of values that completion offers for Args, by place; the last is that of all
	// further ones, "-" offers nothing. completion_test.go has the values.
	Operands string
	// Words says that the operands are the words of a command, so that the options
	// among them are the command's; nil for never.
	Words func(fs *pflag.FlagSet, operands []string) bool
}

// An Example is a line to type and what it shows.
type Example [2]string

// Line is what to type.
func (x Example) Line() string { return x[0] }

// Note says what it shows, "" for nothing.
func (x Example) Note() string { return x[1] }

// An env is what a subcommand works with.
type env struct {
	in       io.Reader
	out, err io.Writer
	world    gate.World
	cmd      string        // "permgate check", for messages
	version  func() string // of this binary
}

// newEnv is what the subcommands of a process work with.
func newEnv(stdin io.Reader, stdout, stderr io.Writer, world gate.World, version func() string) *env {
	out := &output{w: stdout, columns: columnsOf(stdout, world.Getenv)}
	return &env{in: stdin, out: out, err: stderr, world: world, cmd: "permgate", version: version}
}

// fail prints an error and what to do about it. Messages say what happened and
// where, lower case and without a full stop; the hint is something to type.
func (e *env) fail(hint, format string, args ...any) int {
	return e.failOf(hint, nil, format, args...)
}

// failOf is fail with a list of what the error is about, between it and the hint.
func (e *env) failOf(hint string, list []string, format string, args ...any) int {
	fmt.Fprintf(e.err, "%s: %s\n", e.cmd, hookio.Escape(fmt.Sprintf(format, args...)))
	for _, line := range list {
		fmt.Fprintf(e.err, "    %s\n", hookio.Escape(line))
	}
	if hint != "" {
		fmt.Fprintf(e.err, "  hint: %s\n", hookio.Escape(hint))
	}
	return exitError
}

// paint returns a function that colours text for e.out where colours are wanted.
func (e *env) paint() func(d hookio.Decision, text string) string {
	if !term.Colour(e.out, e.world.Getenv) {
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

// Exit codes of the subcommands. Those of the hook are the host's business, see
// "permgate help exit-codes".
const (
	exitOK    = 0 // done; check: allow
	exitAsk   = 1 // check: ask, or silence
	exitDeny  = 2 // check: deny
	exitError = 3 // nothing was decided or done

	exitFindings = 1 // lint, test, doctor: something was found
)

// written returns the exit code of a subcommand that would end with code.
func (e *env) written(code int) int {
	o := e.out.(*output)
	o.flush()
	if o.err == nil || code == exitError {
		return code
	}
	return e.fail("", "the output could not be written: %v", o.err)
}
