package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/bench"
)

// A benchView prints a comparison for people.
type benchView struct {
	e    *env
	host *hookio.Host
	note string
	list int // calls of a list
}

func (v *benchView) printf(format string, args ...any) { fmt.Fprintf(v.e.out, format, args...) }

func (v *benchView) print(r *bench.Report) {
	l := &r.Labels
	v.printf("%d of %s put to %s as a hook of %s\n", l.Put, plural(l.Calls, "call", "calls"), hookio.Escape(r.Hook),
		v.host.Title)
	v.e.wrapped("  ", "labels: "+l.Source)
	if l.Own {
		v.e.wrapped("  ", "a gate's own labels favour it: compare with --labels FILE, of neither gate")
	}
	if l.Unspelled > 0 {
		v.e.wrapped("  ", fmt.Sprintf("%s left out: %s has no such tool, or its payload is not known",
			plural(l.Unspelled, "call", "calls"), v.host.Title))
	}
	if r.Stopped {
		v.e.wrapped("  ", "stopped: the hook was late several times in a row")
	}
	if r.Always != "" {
		v.e.wrapped("  ", "every call ended with exit code 2 and the same message, counted as denied: "+r.Always)
	}
	if v.note != "" {
		v.e.wrapped("  ", v.note)
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

// counts prints a table: a line for each label and hook.
func (v *benchView) counts(r *bench.Report) {
	wide := len("label")
	for _, x := range r.Results {
		wide = max(wide, len(x.Label))
	}
	v.printf("\n%s            calls  allowed    asked   denied   silent   failed\n", pad("label", wide))
	for _, x := range r.Results {
		v.line(pad(x.Label, wide), "hook", &x.Hook)
		if x.Own.All() > 0 {
			v.line(strings.Repeat(" ", wide), "permgate", &x.Own)
		}
	}
	v.e.wrapped("  ", "silent: "+v.host.Title+" "+silenceMeans(v.host))
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

// failures prints how the hook failed, and what the host does then.
func (v *benchView) failures(r *bench.Report) {
	for _, f := range r.Failures {
		said := ""
		if f.Said != "" {
			said = ": " + f.Said
		}
		v.printf("  %5d  failed: %s, then %s%s\n", f.Calls, f.Ending, f.Then, said)
	}
}

// through prints the calls that run unasked.
func (v *benchView) through(who string, e *bench.Escaped) {
	if e.Calls == 0 {
		return
	}
	width := cmp.Or(v.e.width(), logWidth)
	title := fmt.Sprintf("labelled attack or ask, and %s lets it run unasked: %d", who, e.Calls)
	v.printf("\n%s\n", v.e.paint()(hookio.Deny, title))
	for _, c := range e.Some[:min(len(e.Some), v.list)] {
		text := hookio.Escape(c.Text)
		if c.Tool != "Bash" {
			text = hookio.Escape(c.Tool) + " " + text
		}
		v.printf("  %s\n", cut(text, width-2))
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
