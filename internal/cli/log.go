package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// followed is how many calls -f shows before it waits for new ones.
const followed = 10

// logOptions are the options of permgate log.
type logOptions struct {
	gate.Flags // --state and --home only
	filter     logFilter
	since      string
	follow     bool
	json, csv  bool
	stats      bool
	last       int
}

func logCommand() *Command {
	var o logOptions
	return &Command{
		Name:  "log",
		Short: "show every decision and its outcome",
		Long: `Shows the calls the hook decided, newest last: time, program, answer, call, step,
rule, and the outcome if the program reports it. The reason follows on the next line
unless the call was allowed. An answer in parentheses was not given: permgate only
observed.

--decision matches both the decision and what the program was told. --rule matches
part of a rule, its place (settings.json:12) or the id of a check. Filters can be
combined.

Dry runs (check, explain) are not logged. docs/log.md describes the format.`,
		Examples: []Example{
			{"permgate log --since 2h", "the last two hours"},
			{"permgate log -f", "the last ten calls, then new ones as they come"},
			{"permgate log --decision deny -n 5", "the last five denied calls"},
			{"permgate log --stats --since 7d", "a week in numbers"},
			{"permgate log --json --session 0c9e | jq .", "the stored lines"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVarP(&o.follow, "follow", "f", false, "keep showing new calls until interrupted")
			fs.StringVar(&o.since, "since", "", "only since: 90s, 30m, 2h, 7d, 2w, 2026-11-20 or 2026-11-20T15:04")
			fs.StringVar(&o.filter.session, "session", "", "only this session: its id or the start of it")
			fs.StringVar(&o.filter.decision, "decision", "", "only allow, ask, deny or silence")
			fs.StringVar(&o.filter.tool, "tool", "", "only this tool; * means any characters: mcp__github__*")
			fs.StringVar(&o.filter.rule, "rule", "", "only calls decided by this rule, place or check")
			fs.StringVar(&o.filter.host, "host", "", "only this agent program")
			fs.IntVarP(&o.last, "last", "n", 0, "only the last N calls")
			fs.BoolVar(&o.stats, "stats", false, "print statistics; with --json as one object")
			fs.BoolVar(&o.json, "json", false, "print the stored lines")
			fs.BoolVar(&o.csv, "csv", false, "print CSV with a header, for spreadsheets")
			fs.StringVar(&o.State, "state", "", "folder of the log")
			fs.StringVar(&o.Home, "home", "", "home directory, for the folder of the log")
		},
		Run: func(e *env, args []string) int { return showLog(e, &o, args) },
	}
}

// showLog reads the log and prints it in the form asked for.
func showLog(e *env, o *logOptions, args []string) int {
	if err := o.prepare(e, args); err != nil {
		return e.fail("permgate help log shows the options", "%v", err)
	}
	index, tail := &logIndex{texts: o.json, since: o.filter.since}, &log.Tail{Dir: logDir(e, &o.Flags)}
	defer tail.Close()
	if err := tail.Next(index.add); err != nil {
		return e.fail("permgate doctor checks the state folder", "the log cannot be read: %v", err)
	}
	if !o.follow {
		tail.End(index.add)
	}
	if index.skipped > 0 {
		fmt.Fprintf(e.err, "%s: %s skipped: incomplete, or not written by permgate\n", e.cmd,
			plural(index.skipped, "line", "lines"))
	}
	if index.newer > 0 {
		fmt.Fprintf(e.err, "%s: %s skipped: written by a newer permgate; upgrade permgate to read them\n", e.cmd,
			plural(index.newer, "line", "lines"))
	}
	if len(index.calls) == 0 && !o.follow {
		fmt.Fprintf(e.err, "%s: no call is logged in %s\n  hint: permgate doctor says whether the hook is registered and the log can be written\n", e.cmd, e.path(tail.Dir))
	}
	e.needed()
	if o, ok := e.out.(*output); ok {
		o.left = true
	}
	signal.Ignore(syscall.SIGPIPE)
	out := bufio.NewWriter(e.out)
	if o.json || o.csv {
		out = bufio.NewWriter(e.machine())
	}
	v := newLogView(e, out)
	index.settle()
	chosen := index.choose(&o.filter, o.last)
	switch {
	case o.follow:
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return follow(ctx, v, o, index, tail, chosen)
	case o.stats:
		printStats(v, o, countLog(e, &o.Flags, chosen))
	case o.json:
		v.lines(index, chosen, o)
	case o.csv:
		v.csv(chosen)
	default:
		for _, c := range chosen {
			v.call(c)
		}
	}
	return v.end()
}

// logDir is the folder of the log that a call made here would be written to.
func logDir(e *env, f *gate.Flags) string {
	return gate.LogDir(f, e.world, e.policyUnder(nil, f))
}

// prepare checks the options and completes the filter.
func (o *logOptions) prepare(e *env, args []string) (err error) {
	if len(args) > 0 {
		return fmt.Errorf("%s is not an option, and log takes no operands", quoteArg(args[0]))
	}
	if err := o.fit(); err != nil {
		return err
	}
	if o.follow && o.last == 0 {
		o.last = followed
	}
	o.filter.since, err = parseSince(o.since, e.world.Now)
	if err != nil {
		return err
	}
	return o.filter.check()
}

// fit refuses options that exclude each other.
func (o *logOptions) fit() error {
	for _, refused := range [...]struct {
		is  bool
		why string
	}{
		{o.json && o.csv, "use only one of --json and --csv"},
		{o.csv && (o.stats || o.follow), "--csv does not go with --stats or --follow"},
		{o.follow && o.stats, "--stats does not go with --follow"},
		{o.last < 0, "-n takes a number of calls, 1 or more"},
	} {
		if refused.is {
			return errors.New(refused.why)
		}
	}
	return nil
}

// plural spells a number of things.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
