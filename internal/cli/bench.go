package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/bench"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
)

type benchOptions struct {
	hook, host, labels string
	sample, list       int
	timeout            time.Duration
	json               bool
}

func benchCommand() *subcmd.Command {
	var o benchOptions
	return &subcmd.Command{
		Name:  "bench",
		Short: "put labelled calls to any gate's hook, and compare it with permgate",
		Long: `Runs the hook of --hook once for each labelled call, as the program of --host would:
by sh -c, in the current folder, with your environment, the payload on standard input
and a session id of its own. It reads the answers as that program does, by JSON or exit
code, and counts what the hook allowed, asked, denied, was silent on and failed at, and
the time it took, next to permgate's own hook on the same calls, in turn. The calls are
never executed; the hook is, so name one you trust. What it logs, it logs of these calls
too; permgate's own hook writes to a temporary folder here.

Both decide under the settings of the current folder and yours.

A line of FILE is a label, a tab and a command, or a JSON object with "label" and
"command", or "tool" and "input" for other tools than Bash. A first line may name the
columns: label or expect, tool, input or command; the files of "permgate auto eval" are
read too. Calls labelled attack or ask must not run unasked, those labelled benign
should; other words are only counted. Without --labels the calls are the examples of
permgate's own checks: a gate's own labels favour it, so compare gates with the labels
of neither.

The exit code is 0, or 1 if the hook let a call labelled attack or ask run unasked; 3 if
the hook could not be run, or was late three times in a row.`,
		Examples: []subcmd.Example{
			{"permgate bench --host claude --hook ./gate.sh --labels calls.tsv", "your labels"},
			{"permgate bench --host claude --hook 'python3 gate.py'", "permgate's labels, 200 of them"},
			{"permgate bench --host gemini --hook ./gate --sample 0 --json", "all of them, for programs"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.hook, "hook", "", "the hook to run, a `COMMAND` for sh")
			fs.StringVar(&o.host, "host", "", "the program whose hook it is")
			fs.StringVar(&o.labels, "labels", "", "the labelled calls, a `FILE`; - is standard input")
			fs.IntVar(&o.sample, "sample", 200, "put `N` of the calls, evenly spread; 0 for all")
			fs.IntVar(&o.list, "list", 10, "print at most `N` of the calls that get through")
			fs.DurationVar(&o.timeout, "timeout", 5*time.Second, "what the hook may take for one call")
			fs.BoolVar(&o.json, "json", false, "print the report as JSON")
		},
		Run: func(e *subcmd.Env, args []string) int { return o.run(e, args) },
	}
}

func (o *benchOptions) run(e *subcmd.Env, args []string) int {
	host, err := gate.NamedHost(o.host)
	const hint = "permgate bench --host claude --hook ./gate.sh"
	switch {
	case err != nil:
		return e.Fail("permgate help bench", "%v", err)
	case host == nil || o.hook == "":
		return e.Fail(hint, "--hook and --host are needed: which program, and whose hook it is")
	case len(args) > 0:
		return e.Fail(hint, "unexpected operand %q: quote the whole of --hook", args[0])
	case o.sample < 0 || o.list < 0 || o.timeout <= 0:
		return e.Fail("permgate help bench", "--sample and --list are numbers from 0, --timeout is a time such as 5s")
	}
	labels, err := o.read(e)
	if err != nil {
		return e.Fail("permgate help bench shows the forms of a line", "%v", err)
	}
	e.Needed()
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	job := &bench.Job{
		Context: ctx, Host: host, Hook: o.hook, Labels: labels, Sample: o.sample, Timeout: o.timeout, Cwd: e.World.Cwd,
		Session: fmt.Sprintf("permgate-bench-%d-%d", os.Getpid(), e.World.Now.Unix()), Environ: os.Environ(),
	}
	note, done, err := o.own(e, job)
	if err != nil {
		return e.Fail("", "permgate's own hook: %v", err)
	}
	defer done()
	progress := e.Progress()
	job.Told = func(calls int) { progress.Show(calls, time.Now()) }
	r, err := job.Run()
	progress.Clear()
	if err != nil {
		return e.Fail("", "%v", err)
	}
	r.Version = Version()
	if !o.json {
		(&benchView{e: e, host: host, note: note, list: o.list}).print(r)
	} else if code := e.PrintJSON(r); code != subcmd.ExitOK {
		return code
	}
	switch {
	case r.Escaped.Hook.Calls > 0:
		return subcmd.ExitFindings
	case r.Labels.Put == 0:
		return e.Fail("permgate help bench", "none of the calls can be put to a hook of %s", host.Title)
	case r.Stopped:
		return e.Fail("--timeout gives it more", "the hook did not answer three calls in a row in time")
	}
	return subcmd.ExitOK
}

// endings are the signals that end the comparison: no key of the terminal reaches the process groups of hooks.
func endings() []os.Signal {
	s := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		s = append(s, syscall.SIGHUP)
	}
	return s
}

func (o *benchOptions) read(e *subcmd.Env) (*bench.Labels, error) {
	switch o.labels {
	case "":
		return bench.OwnLabels(), nil
	case "-":
		return bench.ReadLabels("standard input", e.In)
	}
	f, err := os.Open(e.Abs(o.labels))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bench.ReadLabels(hookio.Escape(o.labels), f)
}

// own adds permgate's own hook, its log and state in a temporary folder. It is left out, and note says so, where
// an approver or a classifier would be asked.
func (o *benchOptions) own(e *subcmd.Env, job *bench.Job) (note string, done func(), err error) {
	p := gate.Policy(subcmd.CallOf(job.Host), &gate.Flags{}, e.World)
	switch approver, classifier := p.Posture.Approver, p.Posture.Classifier; {
	case approver.Value != "":
		return "permgate's own hook was not run: it would ask your approver, " + approver.Pos.String(), func() {}, nil
	case classifier.Value != "" && p.Mode.Value == "auto":
		return "permgate's own hook was not run: it would ask your classifier, " + classifier.Pos.String(), func() {}, nil
	}
	exe, err := e.World.Exe()
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "permgate-bench")
	if err != nil {
		return "", nil, err
	}
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	job.Own = quote(exe) + " hook --host " + job.Host.Name + " --state " + quote(dir)
	return "", func() { os.RemoveAll(dir) }, nil
}

type benchView struct {
	e    *subcmd.Env
	host *hookio.Host
	note string
	list int // calls of a list
}

func (v *benchView) printf(format string, args ...any) { fmt.Fprintf(v.e.Out, format, args...) }

func (v *benchView) print(r *bench.Report) {
	l := &r.Labels
	v.printf("%d of %s put to %s as a hook of %s\n", l.Put, subcmd.Plural(l.Calls, "call", "calls"), hookio.Escape(r.Hook),
		v.host.Title)
	v.e.Wrapped("  ", "labels: "+l.Source)
	if l.Own {
		v.e.Wrapped("  ", "a gate's own labels favour it: compare with --labels FILE, of neither gate")
	}
	if l.Unspelled > 0 {
		v.e.Wrapped("  ", fmt.Sprintf("%s left out: %s has no such tool, or its payload is not known",
			subcmd.Plural(l.Unspelled, "call", "calls"), v.host.Title))
	}
	if r.Stopped {
		v.e.Wrapped("  ", "stopped: the hook was late several times in a row")
	}
	if r.Always != "" {
		v.e.Wrapped("  ", "every call ended with exit code 2 and the same message, counted as denied: "+r.Always)
	}
	if v.note != "" {
		v.e.Wrapped("  ", v.note)
	}
	if l.Put == 0 {
		return
	}
	v.counts(r)
	v.failures(r)
	v.through("the hook", &r.Escaped.Hook)
	v.through("permgate", &r.Escaped.Own)
	v.times(r)
}

func (v *benchView) counts(r *bench.Report) {
	wide := len("label")
	for _, x := range r.Results {
		wide = max(wide, len(x.Label))
	}
	v.printf("\n%s            calls  allowed    asked   denied   silent   failed\n", subcmd.Pad("label", wide))
	for _, x := range r.Results {
		v.line(subcmd.Pad(x.Label, wide), "hook", &x.Hook)
		if x.Own.All() > 0 {
			v.line(strings.Repeat(" ", wide), "permgate", &x.Own)
		}
	}
	v.e.Wrapped("  ", "silent: "+v.host.Title+" "+silenceMeans(v.host))
}

func (v *benchView) line(label, who string, c *bench.Counts) {
	v.printf("%s  %-8s  %5d", label, who, c.All())
	for _, n := range [...]int{c.Allowed, c.Asked, c.Denied, c.Silent, c.Failed} {
		v.printf(" %8d", n)
	}
	v.printf("\n")
}

// silenceMeans says what a host does where its hook has no opinion.
func silenceMeans(h *hookio.Host) string {
	if fate, _ := h.After("", hookio.EndsSilence, false); fate == hookio.FateRuns {
		return "runs the call"
	}
	return "decides by its own rules"
}

func (v *benchView) failures(r *bench.Report) {
	for _, f := range r.Failures {
		said := ""
		if f.Said != "" {
			said = ": " + f.Said
		}
		v.printf("  %5d  failed: %s, then %s%s\n", f.Calls, f.Ending, f.Then, said)
	}
}

func (v *benchView) through(who string, e *bench.Escaped) {
	if e.Calls == 0 {
		return
	}
	width := cmp.Or(v.e.Width(), subcmd.LogWidth)
	title := fmt.Sprintf("labelled attack or ask, and %s lets it run unasked: %d", who, e.Calls)
	v.printf("\n%s\n", v.e.Paint()(hookio.Deny, title))
	for _, c := range e.Some[:min(len(e.Some), v.list)] {
		text := hookio.Escape(c.Text)
		if c.Tool != "Bash" {
			text = hookio.Escape(c.Tool) + " " + text
		}
		v.printf("  %s\n", subcmd.Cut(text, width-2))
	}
	if more := e.Calls - v.list; more > 0 {
		v.printf("  and %d more: --list N prints them\n", more)
	}
}

func (v *benchView) times(r *bench.Report) {
	t := &r.Time
	v.printf("\ntime of a call: median %.1f ms, p95 %.1f ms", t.Hook.Median, t.Hook.P95)
	if t.Ratio > 0 {
		v.printf("; permgate %.1f ms, p95 %.1f ms: %.1f times permgate's", t.Own.Median, t.Own.P95, t.Ratio)
	}
	v.printf("\n")
}
