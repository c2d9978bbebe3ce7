// Package cli is the command line: everything permgate does besides answering
// a hook. The file NAME.go holds the literal of a subcommand, from which help and
// completion are made, and what it does; where that is long, NAME_*.go has the rest.
// Several of them share call.go (which call, one of the log or one typed), scope.go
// (whose settings, which file), change.go (showing, asking, writing), first.go (what
// a change does to logged calls), log_index.go (the log, outcomes joined to their
// decisions) and output.go (text and JSON).
package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/term"
)

// Exit codes of the subcommands. Those of the hook are the host's business, see
// "permgate help exit-codes".
const (
	exitOK    = 0 // done; check: allow
	exitAsk   = 1 // check: ask, or silence
	exitDeny  = 2 // check: deny
	exitError = 3 // nothing was decided or done

	exitFindings = 1 // lint, test, doctor: something was found
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
type Example struct{ Line, Note string }

// list holds every subcommand in the order help prints them. It is a function
// so that nothing is built before a subcommand is called.
func list() []*Command {
	return []*Command{
		installCommand(),
		checkCommand(),
		explainCommand(),
		allowCommand(),
		testCommand(),
		doctorCommand(),
		rulesCommand(),
		autoCommand(),
		sessionCommand(),
		trustCommand(),
		lintCommand(),
		initCommand(),
		logCommand(),
		replayCommand(),
		proveCommand(),
		benchCommand(),
		recommendCommand(),
		reportCommand(),
		upgradeCommand(),
		uninstallCommand(),
		stateCommand(),
		schemaCommand(),
		completionCommand(),
		helpCommand(),
		versionCommand(),
		hookCommand(),
	}
}

// An env is what a subcommand works with.
type env struct {
	in       io.Reader
	out, err io.Writer
	world    gate.World
	cmd      string // "permgate check", for messages
}

// Main runs the subcommand named by the first argument and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, world gate.World) int {
	out := &output{w: stdout, columns: columnsOf(stdout, world.Getenv)}
	e := &env{in: stdin, out: out, err: stderr, world: world, cmd: "permgate"}
	return e.written(out, dispatch(e, args))
}

func dispatch(e *env, args []string) int {
	if len(args) == 0 {
		printOverview(e)
		return exitOK
	}
	switch args[0] {
	case "-h", "--help":
		args[0] = "help"
	case "--version":
		args[0] = "version"
	}
	if c := find(list(), args[0]); c != nil {
		return run(e, c, args[1:])
	}
	hint := "permgate help lists the subcommands; to decide a command: permgate check " + quoteArg(strings.Join(args, " "))
	if near := nearest(list(), args[0]); near != "" {
		hint = "did you mean permgate " + near + "?"
	}
	return e.fail(hint, "unknown subcommand %q", hookio.Escape(args[0]))
}

func run(e *env, c *Command, args []string) int {
	e.cmd += " " + c.Name
	fs := flagSet(c)
	err := fs.Parse(args)
	if args = fs.Args(); err == nil && len(args) > 0 {
		if sub := find(c.Subs, args[0]); sub != nil {
			return run(e, sub, args[1:])
		}
		if fs.ArgsLenAtDash() < 0 && (c.Words == nil || !c.Words(fs, args)) {
			fs.SetInterspersed(true)
			err = fs.Parse(args)
			args = fs.Args()
		}
	}
	switch {
	case errors.Is(err, pflag.ErrHelp):
		printCommand(e, e.cmd, c)
		return exitOK
	case err != nil:
		return e.fail(strings.Replace(e.cmd, " ", " help ", 1)+" lists the options", "%v", err)
	}
	return c.Run(e, args)
}

// find returns the command of a name, nil when there is none.
func find(list []*Command, name string) *Command {
	for _, c := range list {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// flagSet returns the options of a command, up to the first operand: it may be
// a verb that has options of its own, or start a command that has (see Words).
func flagSet(c *Command) *pflag.FlagSet {
	fs := pflag.NewFlagSet(c.Name, pflag.ContinueOnError)
	fs.SetInterspersed(false)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	fs.SortFlags = false
	if c.Flags != nil {
		c.Flags(fs)
	}
	return fs
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

// nearest returns the command a misspelt one probably means, "" for none.
func nearest(list []*Command, word string) string {
	best, name := min(3, len(word)/2+1), "" // of a short word not much may differ
	for _, c := range list {
		if d := distance(word, c.Name); d < best {
			best, name = d, c.Name
		}
	}
	return name
}

// distance is the number of single-character changes between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			up := row[j+1]
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(row[j]+1, up+1, diag+cost)
			diag = up
		}
	}
	return row[len(b)]
}
