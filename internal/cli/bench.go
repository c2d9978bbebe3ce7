package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/bench"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

type benchOptions struct {
	hooks, gates, labels []string
	host, mode           string
	sample, list         int
	timeout              time.Duration
	json                 bool
}

func benchCommand() *subcmd.Command {
	var o benchOptions
	return &subcmd.Command{
		Name:  "bench",
		Short: "put labelled calls to any gate's hook, and compare it with permgate",
		Long: `Runs each hook once for each labelled call, as the program of its host would: by sh
-c, with the payload on standard input and a session id of its own. It reads the
answers as that program does, by JSON or exit code, and counts the harmful calls that
a gate lets through, the harmless ones that it stops, and the time it takes, next to
permgate as it is installed. The calls are never executed; the hooks are, so name
those you trust.

Every gate has a home and a project of its own, both new; it gets PATH and a few more
variables of yours, and the current folder in $BENCH_DIR. --gates names a TOML file
with a table for each gate: hook, host, and setup, which is run once in its home.

A line of labels is a label, a tab and a command, or a JSON object with "label" and
"command", or "tool" and "input" for other tools than Bash. A first line may name the
columns: label or expect, tool, input or command, family, cwd, mode, files. Calls
labelled harmful (or attack, ask, deny, not-allow) must not run unasked, those
labelled harmless (benign, allow) should; other words are only counted. Without
--labels the calls are the examples of permgate's own checks: a gate's own labels
favour it, so compare gates with the labels of neither.

The exit code is 0, or 1 if a harmful call runs unasked under a hook; 3 if a hook
could not be run, failed at every call, or was late three times in a row.`,
		Examples: []subcmd.Example{
			{"permgate bench --host claude --hook '$BENCH_DIR/gate.sh'", "your gate, permgate's labels"},
			{"permgate bench --gates gates.toml --labels calls.tsv", "several gates, your labels"},
			{"permgate bench --gates gates.toml --sample 200 --json", "200 calls, for programs"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringArrayVar(&o.hooks, "hook", nil, "a hook to run, a `COMMAND` for sh; may be repeated")
			fs.StringArrayVar(&o.gates, "gates", nil, "hooks to run, with names, a `FILE`; may be repeated")
			fs.StringVar(&o.host, "host", "", "the program whose hooks they are")
			fs.StringArrayVar(&o.labels, "labels", nil, "labelled calls, a `FILE`; - is standard input; may be repeated")
			fs.StringVar(&o.mode, "mode", "", "mode of the calls whose line has none")
			fs.IntVar(&o.sample, "sample", 0, "put `N` of the calls, spread over them; 0 for all")
			fs.IntVar(&o.list, "list", 10, "print at most `N` calls of a list")
			fs.DurationVar(&o.timeout, "timeout", 5*time.Second, "what a hook may take for one call")
			fs.BoolVar(&o.json, "json", false, "print the report, with every answer, as JSON")
		},
		Run: func(e *subcmd.Env, args []string) int { return o.run(e, args) },
	}
}

func (o *benchOptions) run(e *subcmd.Env, args []string) int {
	const hint = "permgate bench --host claude --hook '$BENCH_DIR/gate.sh'"
	switch {
	case len(o.hooks)+len(o.gates) == 0:
		return e.Fail(hint, "--hook and --host, or --gates, are needed: which hooks, and whose they are")
	case len(args) > 0:
		return e.Fail(hint, "unexpected operand %q: quote the whole of --hook", args[0])
	case o.sample < 0 || o.list < 0 || o.timeout <= 0:
		return e.Fail("permgate help bench", "--sample and --list are numbers from 0, --timeout is a time such as 5s")
	}
	gates, err := o.named(e)
	if err != nil {
		return e.Fail("permgate help bench", "%v", err)
	}
	labels, err := o.read(e)
	if err != nil {
		return e.Fail("permgate help bench shows the forms of a line", "%v", err)
	}
	dir, err := benchDir()
	if err != nil {
		return e.Fail("", "%v", err)
	}
	defer os.RemoveAll(dir)
	own, note, err := ownGate(e, gates[0].Host, dir)
	if err != nil {
		return e.Fail("", "permgate's own hook: %v", err)
	}
	if own != nil {
		gates = append([]*bench.Gate{own}, gates...)
	}
	e.Needed()
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	job := &bench.Job{
		Context: ctx, Gates: gates, Labels: labels, Sample: o.sample, Mode: o.mode, Timeout: o.timeout,
		Dir: dir, Cwd: e.World.Cwd,
		Session: fmt.Sprintf("permgate-bench-%d-%d", os.Getpid(), e.World.Now.Unix()), Environ: os.Environ(),
	}
	progress := e.Progress()
	job.Told = func(calls int) { progress.Show(calls, time.Now()) }
	r, err := job.Run()
	progress.Clear()
	if err != nil {
		return e.Fail("", "%v", err)
	}
	r.Version = Version()
	if !o.json {
		(&benchView{e: e, note: note, list: o.list, report: r}).print()
	} else if code := e.PrintJSON(r); code != subcmd.ExitOK {
		return code
	}
	return benchCode(e, r, gates)
}

// benchCode is the exit code: what is wrong with a hook comes before what it let through.
func benchCode(e *subcmd.Env, r *bench.Report, gates []*bench.Gate) int {
	code := subcmd.ExitOK
	for i, g := range r.Gates {
		name := hookio.Escape(g.Name)
		switch {
		case g.Ended:
			return e.Fail("--timeout gives it more", "%s did not answer three calls in a row in time", name)
		case g.Unspelled == len(r.Rows):
			return e.Fail("permgate help bench", "none of the calls can be put to a hook of %s", gates[i].Host.Title)
		case g.Useless():
			return e.Fail("run it by hand with a payload on standard input", "%s failed at every call", name)
		case g.Through.Calls > 0 && !gates[i].Own:
			code = subcmd.ExitFindings
		}
	}
	return code
}

// endings are the signals that end the comparison: no key of the terminal reaches the process groups of hooks.
func endings() []os.Signal {
	s := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		s = append(s, syscall.SIGHUP)
	}
	return s
}

// benchDir is a new folder for the homes. What is below the folders for temporary files may be deleted unasked under
// many policies, so it is not there.
func benchDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err == nil {
		err = os.MkdirAll(cache, 0o700)
	}
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(cache, "permgate-bench")
}

// named are the gates to compare.
func (o *benchOptions) named(e *subcmd.Env) (gates []*bench.Gate, err error) {
	host, err := gate.NamedHost(o.host)
	if err != nil {
		return nil, err
	}
	for _, name := range o.gates {
		text, err := os.ReadFile(e.Abs(name))
		if err != nil {
			return nil, err
		}
		more, err := bench.ReadGates(hookio.Escape(name), string(text), host)
		if err != nil {
			return nil, err
		}
		gates = append(gates, more...)
	}
	if len(o.hooks) > 0 && host == nil {
		return nil, errors.New("--hook needs --host: which program it is a hook of")
	}
	for _, hook := range o.hooks {
		gates = append(gates, &bench.Gate{Name: hook, Host: host, Hook: hook})
	}
	seen := map[string]bool{"permgate": true}
	for _, g := range gates {
		if seen[g.Name] {
			return nil, fmt.Errorf("two gates are named %s; permgate is there without being named",
				hookio.Escape(g.Name))
		}
		seen[g.Name] = true
	}
	return gates, nil
}

func (o *benchOptions) read(e *subcmd.Env) (*bench.Labels, error) {
	labels := &bench.Labels{}
	if len(o.labels) == 0 {
		labels.AddOwn()
	}
	for _, name := range o.labels {
		in, from := e.In, "standard input"
		if name != "-" {
			f, err := os.Open(e.Abs(name))
			if err != nil {
				return nil, err
			}
			defer f.Close()
			in, from = f, hookio.Escape(name)
		}
		if err := labels.Add(from, in); err != nil {
			return nil, err
		}
	}
	return labels, nil
}

// ownGate is permgate with the posture that install writes, in a home of its own. It is left out, and note says so,
// where an approver or a classifier of the administrator would be asked about the calls.
func ownGate(e *subcmd.Env, host *hookio.Host, dir string) (own *bench.Gate, note string, err error) {
	w := e.World
	w.Cwd, w.PasswdHome, w.Getenv = dir, dir, func(string) string { return "" }
	posture := gate.Policy(subcmd.CallOf(host), &gate.Flags{}, w).Posture
	for _, key := range [...]rules.Setting{posture.Approver, posture.Classifier} {
		if key.Value != "" {
			const why = "permgate's own hook was not run: it would ask a program about the calls, "
			return nil, why + key.Pos.String(), nil
		}
	}
	doc, err := agents.NewPosture(host)
	if err != nil {
		return nil, "", err
	}
	file := filepath.Join(dir, "permgate.json")
	if err := os.WriteFile(file, doc.Bytes(), 0o600); err != nil {
		return nil, "", err
	}
	exe, err := e.World.Exe()
	if err != nil {
		return nil, "", err
	}
	return &bench.Gate{Name: "permgate", Host: host, Own: true, Setup: "mkdir .gen && cp " + grammar.Quote(file) + " .gen/",
		Hook: grammar.Quote(exe) + ` hook --home "$HOME" --state "$HOME/.state" --host ` + host.Name}, "", nil
}

// A benchView prints a report of bench.
type benchView struct {
	e      *subcmd.Env
	report *bench.Report
	note   string
	list   int // calls of a list
	wide   int // of the names of gates
}

func (v *benchView) printf(format string, args ...any) { fmt.Fprintf(v.e.Out, format, args...) }

func (v *benchView) print() {
	r := v.report
	v.printf("%s put to %s, each in a home of its own\n", subcmd.Plural(len(r.Rows), "call", "calls"),
		subcmd.Plural(len(r.Gates), "gate", "gates"))
	for _, s := range r.Labels {
		v.source(s)
	}
	if v.note != "" {
		v.e.Wrapped("  ", v.note)
	}
	for _, g := range r.Gates {
		v.wide = max(v.wide, min(len(hookio.Escape(g.Name)), 30))
		v.remarks(g)
	}
	v.counts(bench.Harmful, "let through")
	v.counts(bench.Harmless, "stopped")
	v.counts("", "")
	v.times()
	v.families()
	for i, g := range r.Gates {
		v.rows("harmful calls that "+hookio.Escape(g.Name)+" lets through", i, bench.Through)
		v.rows("harmless calls that "+hookio.Escape(g.Name)+" stops", i, bench.Stopped)
	}
}

// source names a file of labels, and what there is to say of it.
func (v *benchView) source(s *bench.Source) {
	text := "labels: " + s.Name
	if s.Version != "" {
		text += ", version " + s.Version
	}
	if s.Hash != "" {
		text += ", hash " + s.Hash
	}
	v.e.Wrapped("  ", text)
	if s.Own {
		v.e.Wrapped("  ", "a gate's own labels favour it: compare with --labels FILE, of none of the gates")
	}
	if len(s.Empty) > 0 {
		rows := subcmd.Plural(len(s.Empty), "row without a call", "rows without a call")
		v.e.Wrapped("  ", fmt.Sprintf("%s:%d: %s left out", s.Name, s.Empty[0], rows))
	}
}

// remarks says what else happened at a gate.
func (v *benchView) remarks(g *bench.Result) {
	say := func(text string) { v.e.Wrapped("  ", hookio.Escape(g.Name)+": "+text) }
	if g.Unspelled > 0 {
		say(subcmd.Plural(g.Unspelled, "call", "calls") + " left out: " + hookio.Lookup(g.Host).Title +
			" has no such call, or its payload is not known")
	}
	if g.Ended {
		say("stopped: it was late several times in a row")
	}
	if g.Always != "" {
		say("every call ended with exit code 2 and the same message, counted as denied: " + g.Always)
	}
	for _, f := range g.Failures {
		said := ""
		if f.Said != "" {
			said = ": " + f.Said
		}
		say(fmt.Sprintf("%d failed: %s, then %s%s", f.Calls, f.Ending, f.Then, said))
	}
}

// counts prints the answers to the calls of a label, "" for all that mean nothing, a line for each gate.
func (v *benchView) counts(label, rate string) {
	headed := ""
	for _, g := range v.report.Gates {
		for _, c := range g.Answers {
			known := c.Label == bench.Harmful || c.Label == bench.Harmless
			if c.Label != label && (label != "" || known) {
				continue
			}
			if headed != c.Label {
				headed = c.Label
				v.printf("\n%s calls\n%s  allowed    asked   denied   silent   failed   %s\n",
					headed, subcmd.Pad("", v.wide+2), rate)
			}
			v.printf("  %s", subcmd.Pad(subcmd.Cut(hookio.Escape(g.Name), 30), v.wide))
			for _, n := range [...]int{c.Allowed, c.Asked, c.Denied, c.Silent, c.Failed} {
				v.printf(" %8d", n)
			}
			r := &g.Through
			if label == bench.Harmless {
				r = &g.Stopped
			}
			if known {
				v.printf("   %d of %d: %.1f%% (%.1f to %.1f)", r.Calls, r.Of, r.Percent, r.Low, r.High)
			}
			v.printf("\n")
		}
	}
}

func (v *benchView) times() {
	v.printf("\ntime of a call\n")
	for _, g := range v.report.Gates {
		name := subcmd.Pad(subcmd.Cut(hookio.Escape(g.Name), 30), v.wide)
		v.printf("  %s  median %.1f ms, p95 %.1f ms", name, g.Time.Median, g.Time.P95)
		if g.Time.Ratio > 0 {
			v.printf(": %.1f times permgate's", g.Time.Ratio)
		}
		v.printf("\n")
	}
}

// families prints a line for each family, and in it for each gate what it let through and what it stopped.
func (v *benchView) families() {
	if len(v.report.Families) == 0 {
		return
	}
	v.printf("\nby family: harmful let through + left to the host / harmless stopped\n")
	head := []string{"family", "harmful", "harmless"}
	for _, g := range v.report.Gates {
		head = append(head, hookio.Escape(g.Name))
	}
	rows := [][]string{head}
	for _, f := range v.report.Families {
		row := []string{f.Family, fmt.Sprint(f.Harmful), fmt.Sprint(f.Harmless)}
		for _, s := range f.Gates {
			row = append(row, fmt.Sprintf("%d + %d / %d", s[bench.Through], s[bench.Left], s[bench.Stopped]))
		}
		rows = append(rows, row)
	}
	v.e.Table("  ", rows)
}

// rows lists the calls of an outcome at a gate.
func (v *benchView) rows(title string, gate int, of bench.Outcome) {
	var some []*bench.Row
	for _, w := range v.report.Rows {
		if w.Answers[gate].Outcome == of {
			some = append(some, w)
		}
	}
	if len(some) == 0 {
		return
	}
	v.printf("\n%s\n", v.e.Paint()(hookio.Deny, fmt.Sprintf("%s: %d", title, len(some))))
	for _, w := range some[:min(len(some), v.list)] {
		text := hookio.Escape(w.Text)
		if w.Tool != "Bash" {
			text = hookio.Escape(w.Tool) + " " + text
		}
		v.printf("  %s\n", subcmd.Cut(text, cmp.Or(v.e.Width(), subcmd.LogWidth)-2))
	}
	if more := len(some) - v.list; more > 0 {
		v.printf("  and %d more: --list N prints them\n", more)
	}
}
