// Package cli is the command line: everything permgate does besides answering a hook. NAME.go holds the literal of a
// subcommand, from which help and completion are made, and what it does; a long one has NAME_*.go, too. Those about the
// hook in agent programs are in hosts, those that show what settings do to many calls in verify. first.go says what a
// change does to logged calls.
package cli

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/hosts"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/cli/verify"
	"github.com/permgate--owner/permgate/internal/gate"
)

// list holds every subcommand in the order of help. It is a function so that the hook builds none of it.
func list() []*subcmd.Command {
	return []*subcmd.Command{
		hosts.InstallCommand(),
		checkCommand(),
		explainCommand(),
		allowCommand(),
		verify.TestCommand(),
		hosts.DoctorCommand(),
		rulesCommand(),
		autoCommand(),
		sessionCommand(),
		trustCommand(),
		lintCommand(),
		initCommand(),
		importCommand(),
		logCommand(),
		verify.ReplayCommand(),
		verify.ProveCommand(),
		policyCommand(),
		benchCommand(),
		recommendCommand(),
		reportCommand(),
		hosts.UpgradeCommand(),
		hosts.ExportCommand(),
		hosts.UninstallCommand(),
		stateCommand(),
		schemaCommand(),
		completionCommand(),
		helpCommand(),
		versionCommand(),
		hookCommand(),
	}
}

// Main runs the subcommand named by the first argument and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, world gate.World) int {
	e := subcmd.NewEnv(stdin, stdout, stderr, world, Version)
	return e.Written(dispatch(e, args))
}

func dispatch(e *subcmd.Env, args []string) int {
	if len(args) == 0 {
		printOverview(e)
		return subcmd.ExitOK
	}
	switch args[0] {
	case "-h", "--help":
		args[0] = "help"
	case "-v", "--version":
		args[0] = "version"
	}
	if c := find(list(), args[0]); c != nil {
		return run(e, c, args[1:])
	}
	hint := "permgate help lists the subcommands; to decide a command: permgate check " + subcmd.QuoteArg(strings.Join(args, " "))
	if near := subcmd.Nearest(args[0], names()); near != "" {
		hint = "did you mean permgate " + near + "?"
	}
	return e.Fail(hint, "unknown subcommand %q", hookio.Escape(args[0]))
}

// names are those of the subcommands.
func names() (all []string) {
	for _, c := range list() {
		all = append(all, c.Name)
	}
	return all
}

func run(e *subcmd.Env, c *subcmd.Command, args []string) int {
	e.Cmd += " " + c.Name
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
		printCommand(e, e.Cmd, c)
		return subcmd.ExitOK
	case err != nil:
		return e.Fail(strings.Replace(e.Cmd, " ", " help ", 1)+" lists the options", "%v", err)
	}
	if err := e.Misnamed(fs); err != nil {
		return e.Fail("", "%v", err)
	}
	return c.Run(e, args)
}

func find(list []*subcmd.Command, name string) *subcmd.Command {
	for _, c := range list {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// flagSet returns the options of a command. They end at the first operand, which may be a verb or a command (Words).
func flagSet(c *subcmd.Command) *pflag.FlagSet {
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
