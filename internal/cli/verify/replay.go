// Package verify is the subcommands that show what settings do to many calls: test
// to written examples, replay to recorded ones, prove to every one.
package verify

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/atomicfile"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/policy/replay/page"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

type replayOptions struct {
	RecordedOptions
	comparedOptions
	json bool
	html string
	jobs int
}

// ReplayCommand decides recorded calls again.
func ReplayCommand() *subcmd.Command {
	var o replayOptions
	return &subcmd.Command{
		Name:     "replay",
		Args:     "[FILE...]",
		Operands: "file",
		Short:    "decide recorded calls again and count the answers",
		Long: `Decides every recorded call again, under the settings of now, and counts the answers
by tool, rule, command and session. Every call that is read is decided, or skipped
with the reason.

Without operands the calls are those of permgate's own log; with --host NAME those of
that program's session files. Operands are such files, of any format that
docs/replay.md lists; - is standard input, and --lines reads hook payloads from it.

--policy names the settings to decide under, --against those to compare with, the
old ones: "newly allowed" is what --policy allows and --against does not. Without
--policy the calls are decided under the settings of now; --against now compares with
them. A folder replaces the settings folders of every project: another project, or
its .claude. A file replaces the file of its name: settings.json, settings.local.json,
permgate.json; SCOPE=FILE with user, shared, local or managed puts it elsewhere.
--against also takes a git revision: the project's settings at that commit. What you
name so is trusted. Agents, skills and all other files are those of now.

Nothing is executed or logged, only the page of --html is written, and neither
classifier nor approver is asked.
The exit code is 0, with --against 1 if some call is answered otherwise; 3 if something
could not be read.`,
		Examples: []subcmd.Example{
			{"permgate replay --since 7d", "the last week of the log"},
			{"permgate replay --host claude", "the session files of Claude Code"},
			{"permgate replay --against HEAD", "what the uncommitted changes of the settings do"},
			{"permgate replay --policy user=new.json --against now", "what a file would do as your own settings.json"},
			{"permgate replay --against HEAD --html page.html", "a page to look at"},
			{"permgate replay --json session.jsonl | jq .answers", "one file, for programs"},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.RecordedOptions.Register(fs)
			fs.StringVar(&o.policy, "policy", "", "decide under the settings of this `DIR|FILE`")
			fs.StringVar(&o.against, "against", "", "compare with the settings of this `DIR|FILE|GITREF`, or now")
			fs.BoolVar(&o.json, "json", false, "print the report as JSON")
			fs.StringVar(&o.html, "html", "", "write the report as a page to this `file`, too")
			fs.IntVar(&o.jobs, "jobs", 0, "use `N` cores (default all)")
			o.RegisterPlaces(fs)
			o.given = fs.Changed
		},
		Run: func(e *subcmd.Env, args []string) int { return o.run(e, args) },
	}
}

// comparedOptions name the settings to decide under, and those to compare with.
type comparedOptions struct {
	policy, against string
	given           func(option string) bool
}

// sides are these settings: those in force without --policy, nil without --against; with revisions --policy may be one.
func (o *comparedOptions) sides(e *subcmd.Env, revisions bool) (policy, against *gate.World, err error) {
	policy = &e.World
	if o.given("policy") {
		if policy, err = settingsOf(e, o.policy, revisions); err != nil {
			return nil, nil, fmt.Errorf("--policy %w", err)
		}
	}
	if o.given("against") {
		if against, err = settingsOf(e, o.against, true); err != nil {
			return nil, nil, fmt.Errorf("--against %w", err)
		}
	}
	return policy, against, nil
}

// RecordedOptions say which recorded calls: of files, standard input, session files, or the log.
type RecordedOptions struct {
	gate.Flags // --host, --state and --home only
	since      string
	project    string // a directory
	lines      bool
}

// Register adds the options.
func (o *RecordedOptions) Register(fs *pflag.FlagSet) {
	fs.StringVar(&o.Host, "host", "",
		"read this program's session files; with FILE: whose call it is where the file does not say")
	fs.StringVar(&o.since, "since", "", "only since: 90s, 30m, 2h, 7d, 2w, 2026-11-20 or 2026-11-20T15:04")
	fs.StringVar(&o.project, "project", "", "only calls of this project: a `directory`")
	fs.BoolVar(&o.lines, "lines", false, "read one hook payload per line from standard input")
}

// RegisterPlaces adds the options for where log and session files are.
func (o *RecordedOptions) RegisterPlaces(fs *pflag.FlagSet) {
	fs.StringVar(&o.State, "state", "", "folder of the log")
	fs.StringVar(&o.Home, "home", "", "home directory, for the folders of log and session files")
}

// RecordedCalls are the calls that are meant.
type RecordedCalls struct {
	counts sessions.Counts
	names  []string        // of the files
	Poster *subcmd.Implied // whose posture a call has that names no program
	Read   func(take func(*sessions.Call) error) error
}

// Source finds the files that hold the calls.
func (o *RecordedOptions) Source(e *subcmd.Env, args []string) (*RecordedCalls, error) {
	since, err := subcmd.ParseSince(o.since, e.World.Now)
	if err != nil {
		return nil, err
	}
	h, err := gate.NamedHost(o.Host)
	if err != nil {
		return nil, err
	}
	var only *sessions.Format
	out := &RecordedCalls{Poster: o.poster(e, h)}
	switch {
	case o.lines && len(args) > 0:
		return nil, errors.New("--lines reads standard input, and takes no files")
	case o.lines:
		out.names, only = []string{"-"}, sessions.Lookup("payload")
	case len(args) > 0:
		for _, name := range args {
			if name != "-" {
				name = e.Abs(name)
			}
			out.names = append(out.names, name)
		}
	default:
		out.names, only, err = o.kept(e, h, since)
	}
	project := o.project
	if project != "" {
		project = e.Abs(project)
	}
	out.Read = func(take func(*sessions.Call) error) error {
		return sessions.Read(out.names, e.In, only, &out.counts, &sessions.Seen{}, since, func(c *sessions.Call) error {
			if c.Time.Before(since) && !c.Time.IsZero() {
				return nil
			}
			if project != "" && (c.Call == nil || !subcmd.InProject(project, c.Project, c.Cwd)) {
				return nil
			}
			return take(c)
		})
	}
	return out, err
}

// kept are the files of the log, or those a program keeps its sessions in.
func (o *RecordedOptions) kept(e *subcmd.Env, h *hookio.Host, since time.Time) ([]string, *sessions.Format, error) {
	if h == nil {
		names, err := log.Files(subcmd.LogDir(e, &o.Flags))
		return names, sessions.Lookup("permgate"), err
	}
	f := sessions.Lookup(h.Name)
	if f == nil {
		return nil, nil, fmt.Errorf("permgate reads no session files of %s; name files of payloads, or use --lines", h.Title)
	}
	var names []string
	for _, found := range f.Find(cmp.Or(o.Home, e.World.Getenv("HOME"), e.World.PasswdHome), e.World.Getenv) {
		if !found.Changed.Before(since) {
			names = append(names, found.Name)
		}
	}
	return names, f, nil
}

// poster says whose posture a call has that names no program.
func (o *RecordedOptions) poster(e *subcmd.Env, h *hookio.Host) *subcmd.Implied {
	if h != nil {
		return &subcmd.Implied{Host: h}
	}
	c := subcmd.CallOptions{Flags: gate.Flags{Home: o.Home}}
	c.Imply(e)
	return c.Implied
}

func (o *replayOptions) run(e *subcmd.Env, args []string) int {
	if o.jobs < 0 || o.jobs > subcmd.MaxJobs {
		return e.Fail("", "--jobs is %d, and takes a number from 1 to %d", o.jobs, subcmd.MaxJobs)
	}
	from, err := o.Source(e, args)
	if err != nil {
		return e.Fail("permgate help replay shows what it reads", "%v", err)
	}
	policy, against, err := o.sides(e, false)
	if err != nil {
		return e.Fail("permgate help replay shows what --policy and --against take", "%v", err)
	}
	PrintFaults(e, gate.Policy(subcmd.CallOf(nil), &gate.Flags{Home: o.Home}, *policy))
	if o.html != "" {
		o.html = e.Abs(o.html)
		if err := ownPage(e, o.html); err != nil {
			return e.Fail("", "%v", err)
		}
	}
	if len(from.names) == 0 {
		fmt.Fprintf(e.Err, "%s: no recorded call was found\n  hint: name files, or a program with --host\n", e.Cmd)
	}
	e.Needed()
	job := &replay.Job{World: *policy, Against: against, Rows: o.json || o.html != ""}
	r, err := o.replay(e, job, from)
	if err != nil {
		return e.Fail("", "%v", err)
	}
	if o.html != "" {
		if err := writePage(o.html, r); err != nil {
			return e.Fail("", "%v", err)
		}
	}
	return o.print(e, r)
}

func (o *replayOptions) print(e *subcmd.Env, r *replay.Report) int {
	if !o.json {
		newReplayView(e).print(r)
	} else if code := e.PrintJSON(r); code != subcmd.ExitOK {
		return code
	}
	if len(r.Changes) > 0 {
		return subcmd.ExitFindings
	}
	return subcmd.ExitOK
}

// replay decides all calls of a source, with the memory that check --lines has for one job.
func (o *replayOptions) replay(e *subcmd.Env, job *replay.Job, from *RecordedCalls) (*replay.Report, error) {
	jobs := o.jobs
	if jobs == 0 {
		jobs = min(runtime.GOMAXPROCS(0), subcmd.MaxJobs)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(subcmd.BatchGC))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(subcmd.BatchLimit + int64(jobs-1)<<20))
	progress := e.Progress()
	defer progress.Clear()
	job.Flags, job.Jobs, job.Room = &gate.Flags{State: o.State, Home: o.Home}, jobs, subcmd.BatchRoom/2
	job.Bind, job.Told = from.Poster.Bind, func(calls int) { progress.Show(calls, time.Now()) }
	r, err := job.Run(from.Read)
	if r != nil {
		r.Version = e.Version()
		r.Policy = settingsName(o.policy)
		if o.against != "" {
			r.Other = settingsName(o.against)
		}
		n := &from.counts
		r.Lines = replay.Lines{Read: n.Lines, Unknown: n.Unknown, Torn: n.Torn, Newer: n.Newer, Duplicates: n.Duplicates}
	}
	return r, err
}

// ownPage refuses to write a page in place of a file that is no such page.
func ownPage(e *subcmd.Env, name string) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(name)); err != nil {
			return fmt.Errorf("%s cannot be written: its folder does not exist", e.Path(name))
		}
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", e.Path(name))
	case info.Size() == 0:
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	begin := make([]byte, len(page.FirstLine))
	if _, err := io.ReadFull(f, begin); err != nil || string(begin) != page.FirstLine {
		return fmt.Errorf("%s is there already and is no page of permgate replay: name another file", e.Path(name))
	}
	return nil
}

func writePage(name string, r *replay.Report) error {
	var text bytes.Buffer
	if err := page.Write(&text, r); err != nil {
		return err
	}
	return atomicfile.Replace(name, ".permgate-*.html", text.Bytes())
}

func newReplayView(e *subcmd.Env) *replayView {
	return &replayView{e: e, paint: e.Paint(), width: cmp.Or(e.Width(), subcmd.LogWidth)}
}

func (v *replayView) print(r *replay.Report) {
	v.read(r)
	if r.Decided == 0 {
		return
	}
	v.answers(r)
	v.overruled(r)
	v.changes(r)
	v.classifier(r)
	v.tools(r)
	v.top("top rules and checks", r.Rules)
	v.top("top prompts", r.Commands)
	v.neverHit(r)
	v.unsaid(r)
}

type replayView struct {
	e     *subcmd.Env
	paint func(hookio.Decision, string) string
	width int
}

func (v *replayView) printf(format string, args ...any) { fmt.Fprintf(v.e.Out, format, args...) }

func (v *replayView) read(r *replay.Report) {
	v.printf("%s read: %d decided, %d skipped\n", subcmd.Plural(r.Read, "call", "calls"), r.Decided, r.Read-r.Decided)
	for _, s := range r.Skipped {
		v.printf("  %5d  skipped: %s\n", s.Calls, hookio.Escape(s.Why))
	}
	l := &r.Lines
	for _, n := range [...]struct {
		n    int
		what string
	}{
		{l.Duplicates, "left out: the same call again"}, {l.Unknown, "left out: no call"}, {l.Torn, "left out: no JSON"},
		{l.Newer, "left out: written by a newer version, upgrade permgate to read it"},
	} {
		if n.n > 0 {
			v.printf("  %5d  %s\n", n.n, n.what)
		}
	}
}

func (v *replayView) answers(r *replay.Report) {
	when := ""
	if !r.First.IsZero() {
		when = ", " + r.First.Local().Format("2006-01-02 15:04") + " to " + r.Last.Local().Format("2006-01-02 15:04")
	}
	v.printf("\nunder %s: %s%s\n", hookio.Escape(r.Policy), r.All.Numbers(), when)
	s := &r.Sessions
	v.printf("%s in %s; per session p50 %d, p90 %d, max %d\n", subcmd.Plural(s.Prompts, "prompt", "prompts"),
		subcmd.Plural(s.Count, "session", "sessions"), s.P50, s.P90, s.Max)
}

func (v *replayView) overruled(r *replay.Report) {
	if len(r.Overruled) == 0 {
		return
	}
	v.printf("\n%s\n", v.paint(hookio.Deny, "allowed, though somebody refused the call"))
	for i := range r.Overruled {
		v.change(&r.Overruled[i], hookio.Deny)
	}
}

func (v *replayView) changes(r *replay.Report) {
	if r.Other == "" {
		return
	}
	v.printf("\ncompared with %s: %s answered otherwise, %d alike\n", hookio.Escape(r.Other),
		subcmd.Plural(r.Decided-r.Same, "call is", "calls are"), r.Same)
	for _, k := range [...]struct {
		kind, title string
		colour      hookio.Decision
	}{
		{replay.Allowed, "newly allowed", hookio.Allow}, {replay.Asked, "newly asked", hookio.Ask},
		{replay.Refused, "newly denied", hookio.Deny}, {replay.Left, "newly left to the program", hookio.Pass},
	} {
		title := "\n" + k.title + "\n"
		for i := range r.Changes {
			if c := &r.Changes[i]; c.Kind == k.kind {
				v.printf("%s", title)
				v.change(c, k.colour)
				title = ""
			}
		}
	}
}

func (v *replayView) change(c *replay.Change, colour hookio.Decision) {
	by := hookio.Escape(stepNamed(c.By))
	if c.Place != "" {
		by += "  " + v.e.Place(subcmd.ParsePlace(c.Place))
	}
	v.printf("  %5d  %s\n", c.Calls, v.paint(colour, subcmd.Cut(by, v.width-9)))
	v.examples(c.Examples)
}

func stepNamed(by string) string {
	num, _ := strings.CutPrefix(by, "step ")
	return strings.TrimSpace(by + " " + decide.StepOf(num).Name)
}

func (v *replayView) examples(list []string) {
	for _, text := range list {
		v.printf("           %s\n", subcmd.Cut(hookio.Escape(text), v.width-11))
	}
}

func (v *replayView) classifier(r *replay.Report) {
	for i := range r.Classifier {
		c := &r.Classifier[i]
		v.printf("\nrefused by the program's own classifier (%s): %s; a rule would have spared %d\n",
			hookio.Escape(c.Word), subcmd.Plural(c.Calls, "call", "calls"), c.Spared)
		v.examples(c.Examples)
	}
}

func (v *replayView) tools(r *replay.Report) {
	v.printf("\nby tool\n")
	var rows [][]string
	for _, t := range r.Tools[:min(len(r.Tools), subcmd.TopOf)] {
		rows = append(rows, []string{fmt.Sprintf("%5d", t.Calls()), hookio.Escape(t.Name), t.Numbers()})
	}
	v.e.Table("  ", rows)
}

func (v *replayView) top(title string, list []replay.Named) {
	if len(list) == 0 {
		return
	}
	v.printf("\n%s\n", title)
	for _, n := range list[:min(len(list), subcmd.TopOf)] {
		name := hookio.Escape(n.Name)
		if n.Place != "" {
			name += "  " + v.e.Place(subcmd.ParsePlace(n.Place))
		}
		v.printf("  %5d  %s\n", n.Calls(), subcmd.Cut(name, v.width-9))
	}
}

func (v *replayView) neverHit(r *replay.Report) {
	if len(r.NeverHit) == 0 {
		return
	}
	v.printf("\n%s matched no call\n", subcmd.Plural(len(r.NeverHit), "rule", "rules"))
	for _, n := range r.NeverHit[:min(len(r.NeverHit), subcmd.TopOf)] {
		v.printf("  %s\n", subcmd.Cut(n.List+" "+hookio.Escape(n.Name)+"  "+v.e.Place(subcmd.ParsePlace(n.Place)), v.width-2))
	}
	if more := len(r.NeverHit) - subcmd.TopOf; more > 0 {
		v.printf("  and %d more: --json lists them\n", more)
	}
}

func (v *replayView) unsaid(r *replay.Report) {
	v.printf("\nwhat is not known\n")
	for _, s := range r.Unsaid {
		v.e.Wrapped("  ", s)
	}
}
