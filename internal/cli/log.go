package cli

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/term"
)

const followed = 10

type logOptions struct {
	gate.Flags // --state and --home only
	filter     logFilter
	since      string
	follow     bool
	json, csv  bool
	stats      bool
	last       int
}

func logCommand() *subcmd.Command {
	var o logOptions
	return &subcmd.Command{
		Name:  "log",
		Short: "show every decision and its outcome",
		Long: `Shows the calls the hook decided, newest last: time, program, answer, call, step,
rule, and the outcome if the program reports it. The reason follows on the next line
unless the call was allowed. An answer in parentheses was not given: permgate only
observed.

--decision matches the decision and what the program was told; of a call that was
answered with silence it matches silence alone. --project takes a directory: calls
of that project and those made below it. --rule matches
part of a rule, its place (settings.json:12) or the id of a check. Filters can be
combined.

Dry runs (check, explain) are not logged. docs/log.md describes the format.`,
		Examples: []subcmd.Example{
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
			fs.StringVar(&o.filter.project, "project", "", "only calls of this project: a `directory`")
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
		Run: func(e *subcmd.Env, args []string) int { return showLog(e, &o, args) },
	}
}

func showLog(e *subcmd.Env, o *logOptions, args []string) int {
	if err := o.prepare(e, args); err != nil {
		return e.Fail("permgate help log shows the options", "%v", err)
	}
	index, tail := &subcmd.LogIndex{Texts: o.json, Since: o.filter.since}, &log.Tail{Dir: subcmd.LogDir(e, &o.Flags)}
	defer tail.Close()
	if err := tail.Next(index.Add); err != nil {
		return e.Fail("permgate doctor checks the state folder", "the log cannot be read: %v", err)
	}
	if !o.follow {
		tail.End(index.Add)
	}
	if index.Skipped > 0 {
		fmt.Fprintf(e.Err, "%s: %s skipped: incomplete, or not written by permgate\n", e.Cmd,
			subcmd.Plural(index.Skipped, "line", "lines"))
	}
	if index.Newer > 0 {
		fmt.Fprintf(e.Err, "%s: %s skipped: written by a newer permgate; upgrade permgate to read them\n", e.Cmd,
			subcmd.Plural(index.Newer, "line", "lines"))
	}
	if len(index.Calls) == 0 && !o.follow {
		fmt.Fprintf(e.Err, "%s: no call is logged in %s\n  hint: permgate doctor says whether the hook is registered and the log can be written\n", e.Cmd, e.Path(tail.Dir))
	}
	e.Needed()
	if o, ok := e.Out.(*subcmd.Output); ok {
		o.Left = true
	}
	signal.Ignore(syscall.SIGPIPE)
	out := bufio.NewWriter(e.Out)
	if o.json || o.csv {
		out.Reset(e.Machine())
	}
	v := newLogView(e, out)
	index.Settle()
	chosen := chosenOf(index, &o.filter, o.last)
	switch {
	case o.follow:
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return follow(ctx, v, o, index, tail, chosen)
	case o.stats:
		printStats(v, o, countLog(e, &o.Flags, chosen))
	case o.csv:
		v.csv(chosen)
	default:
		v.calls(index, chosen, o)
	}
	return v.end()
}

func (o *logOptions) prepare(e *subcmd.Env, args []string) (err error) {
	switch {
	case len(args) > 0:
		return fmt.Errorf("%s is not an option, and log takes no operands", subcmd.QuoteArg(args[0]))
	case o.json && o.csv:
		return errors.New("use only one of --json and --csv")
	case o.csv && (o.stats || o.follow):
		return errors.New("--csv does not go with --stats or --follow")
	case o.follow && o.stats:
		return errors.New("--stats does not go with --follow")
	case o.last < 0:
		return errors.New("-n takes a number of calls, 1 or more")
	}
	if o.follow && o.last == 0 {
		o.last = followed
	}
	o.filter.since, err = subcmd.ParseSince(o.since, e.World.Now)
	if err != nil {
		return err
	}
	if o.filter.project != "" {
		o.filter.project = e.Abs(o.filter.project)
	}
	return o.filter.check()
}

// A logFilter says which calls of the log are meant; empty fields mean all.
type logFilter struct {
	since                               time.Time
	session, decision, tool, rule, host string
	project                             string // absolute
}

// check completes a filter and refuses what nothing could match.
func (f *logFilter) check() error {
	switch f.decision {
	case "", "allow", "ask", "deny", log.Silence:
	default:
		return fmt.Errorf("--decision %s: expected allow, ask, deny or silence", subcmd.QuoteArg(f.decision))
	}
	if _, err := path.Match(f.tool, ""); err != nil {
		return fmt.Errorf("--tool %s: incomplete pattern", subcmd.QuoteArg(f.tool))
	}
	h, err := gate.NamedHost(f.host)
	if h != nil {
		f.host = h.Name
	}
	return err
}

func (f *logFilter) takes(r *log.Record) bool {
	answers := []string{r.Decision, r.Answered, r.Would}
	if r.Answered == log.Silence && !r.Observed {
		answers = answers[1:] // the program was left to decide
	}
	decision := f.decision == "" || slices.Contains(answers, f.decision)
	tool := f.tool == "" || nameMatches(f.tool, r.Tool) || nameMatches(f.tool, r.RawTool)
	rule := r.Check == f.rule || strings.Contains(r.Rule, f.rule) || strings.Contains(r.RulePlace, f.rule)
	return f.takesFrom(r) && decision && tool && rule
}

func (f *logFilter) takesFrom(r *log.Record) bool {
	if f.project != "" && !subcmd.InProject(f.project, r.Project, r.Cwd) {
		return false
	}
	return !r.Time.Before(f.since) && strings.HasPrefix(r.Session, f.session) && (f.host == "" || r.Host == f.host)
}

// takesLine is takes for the end of a session.
func (f *logFilter) takesLine(r *log.Record) bool {
	return f.decision == "" && f.tool == "" && f.rule == "" && f.takesFrom(r)
}

func nameMatches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok && name != ""
}

const pollEvery = 250 * time.Millisecond

func follow(ctx context.Context, v *logView, o *logOptions, b *subcmd.LogIndex, tail *log.Tail, chosen []*subcmd.LoggedCall) int {
	v.calls(b, chosen, o)
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if v.w.Flush() != nil {
			return v.end()
		}
		select {
		case <-ctx.Done():
			return subcmd.ExitOK
		case <-tick.C:
		}
		if term.Gone(v.e.Out) {
			return subcmd.ExitOK
		}
		b.Lines, b.Calls = b.Lines[:0], b.Calls[:0] // printed
		if err := tail.Next(b.Add); err != nil {
			return v.e.Fail("permgate doctor checks the state folder", "the log cannot be read: %v", err)
		}
		for i := range b.Lines {
			v.news(o, &b.Lines[i])
		}
	}
}

func (v *logView) news(o *logOptions, l *subcmd.LogLine) {
	wanted := l.Call == nil && o.filter.takesLine(&l.Rec) || l.Call != nil && o.filter.takes(&l.Call.Record)
	switch {
	case !wanted:
	case o.json:
		v.w.WriteString(l.Text + "\n")
	case l.Call == nil:
	case l.Rec.Event == log.EventOutcome:
		v.later(l.Call, l.Call.End, l.Call.Became(), hookio.Pass)
	case l.Dialog && l.Call.HostAsked():
		v.later(l.Call, l.Call.Dialog, "dialog", hookio.Ask)
	case l.Dialog && l.Rec.Answered == log.Silence: // it was our ask
	default:
		v.call(l.Call)
	}
}

var csvColumns = [...]struct {
	name string
	cell func(*subcmd.LoggedCall) string
}{
	{"time", func(c *subcmd.LoggedCall) string { return c.Time.UTC().Format("2006-01-02T15:04:05.000Z") }},
	{"host", func(c *subcmd.LoggedCall) string { return c.Host }},
	{"event", func(c *subcmd.LoggedCall) string { return c.HostEvent }},
	{"session", func(c *subcmd.LoggedCall) string { return c.Session }},
	{"agent", func(c *subcmd.LoggedCall) string { return c.AgentType }},
	{"cwd", func(c *subcmd.LoggedCall) string { return c.Cwd }},
	{"project", func(c *subcmd.LoggedCall) string { return c.Project }},
	{"tool", func(c *subcmd.LoggedCall) string { return c.Tool }},
	{"call", func(c *subcmd.LoggedCall) string { return loggedTitle(&c.Record) }},
	{"mode", func(c *subcmd.LoggedCall) string { return c.Mode }},
	{"decision", func(c *subcmd.LoggedCall) string { return c.Decision }},
	{"answered", func(c *subcmd.LoggedCall) string { return c.Answered }},
	{"observed", func(c *subcmd.LoggedCall) string { return strconv.FormatBool(c.Observed) }},
	{"would_answer", func(c *subcmd.LoggedCall) string { return c.Would }},
	{"step", func(c *subcmd.LoggedCall) string { return c.Step }},
	{"origin", func(c *subcmd.LoggedCall) string { return c.Origin }},
	{"rule", func(c *subcmd.LoggedCall) string { return c.Rule }},
	{"rule_place", func(c *subcmd.LoggedCall) string { return c.RulePlace }},
	{"check", func(c *subcmd.LoggedCall) string { return c.Check }},
	{"code", func(c *subcmd.LoggedCall) string { return c.Code }},
	{"reason", func(c *subcmd.LoggedCall) string { return c.Reason }},
	{"duration_us", func(c *subcmd.LoggedCall) string { return strconv.FormatInt(c.Duration.Microseconds(), 10) }},
	{"fault", func(c *subcmd.LoggedCall) string { return c.Fault }},
	{"outcome", (*subcmd.LoggedCall).Became},
}

// csv prints the calls as RFC 4180 says, with a header.
func (v *logView) csv(chosen []*subcmd.LoggedCall) {
	w := csv.NewWriter(v.w)
	w.UseCRLF = true
	row := make([]string, len(csvColumns))
	for i := range csvColumns {
		row[i] = csvColumns[i].name
	}
	w.Write(row)
	for _, c := range chosen {
		for i := range csvColumns {
			row[i] = csvCell(csvColumns[i].cell(c))
		}
		w.Write(row)
	}
	w.Flush()
}

// csvCell escapes a text and keeps a spreadsheet from taking it for a formula:
// owasp.org/www-community/attacks/CSV_Injection.
func csvCell(s string) string {
	s = hookio.Escape(s)
	if s != "" && strings.ContainsRune("=+-@|%", rune(s[0])) {
		return "'" + s
	}
	return s
}
