package cli

import (
	"cmp"
	"fmt"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/bench"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
)

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
