package cli

import (
	"cmp"
	"fmt"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// printReplay prints a report for people.
func printReplay(e *env, r *replay.Report) { newReplayView(e).print(r) }

func newReplayView(e *env) *replayView {
	return &replayView{e: e, paint: e.paint(), width: cmp.Or(e.width(), logWidth)}
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
	e     *env
	paint func(hookio.Decision, string) string
	width int
}

func (v *replayView) printf(format string, args ...any) { fmt.Fprintf(v.e.out, format, args...) }

// read says what was read and what of it was decided.
func (v *replayView) read(r *replay.Report) {
	v.printf("%s read: %d decided, %d skipped\n", plural(r.Read, "call", "calls"), r.Decided, r.Read-r.Decided)
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

// answers prints the totals.
func (v *replayView) answers(r *replay.Report) {
	when := ""
	if !r.First.IsZero() {
		when = ", " + r.First.Local().Format("2006-01-02 15:04") + " to " + r.Last.Local().Format("2006-01-02 15:04")
	}
	v.printf("\nunder %s: %s%s\n", hookio.Escape(r.Policy), v.numbers(&r.All), when)
	s := &r.Sessions
	v.printf("%s in %s; per session p50 %d, p90 %d, max %d\n", plural(s.Prompts, "prompt", "prompts"),
		plural(s.Count, "session", "sessions"), s.P50, s.P90, s.Max)
}

// numbers spells a tally: "12 allow, 3 ask".
func (v *replayView) numbers(t *replay.Tally) string {
	return (&tally{allow: t.Allow, ask: t.Ask, deny: t.Deny, silence: t.Silence}).numbers()
}

// overruled prints what a person refused and the policy allows.
func (v *replayView) overruled(r *replay.Report) {
	if len(r.Overruled) == 0 {
		return
	}
	v.printf("\n%s\n", v.paint(hookio.Deny, "allowed, though somebody refused the call"))
	for i := range r.Overruled {
		v.change(&r.Overruled[i], hookio.Deny)
	}
}

// changes prints what is answered otherwise than under the other settings.
func (v *replayView) changes(r *replay.Report) {
	if r.Other == "" {
		return
	}
	v.printf("\ncompared with %s: %s answered otherwise, %d alike\n", hookio.Escape(r.Other),
		plural(r.Decided-r.Same, "call is", "calls are"), r.Same)
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

// change prints some calls and who is responsible.
func (v *replayView) change(c *replay.Change, colour hookio.Decision) {
	by := hookio.Escape(stepNamed(c.By))
	if c.Place != "" {
		by += "  " + v.e.place(parsePlace(c.Place))
	}
	v.printf("  %5d  %s\n", c.Calls, v.paint(colour, cut(by, v.width-9)))
	v.examples(c.Examples)
}

// stepNamed adds the name of a step.
func stepNamed(by string) string {
	for i := range decide.Steps {
		if by == "step "+decide.Steps[i].Num {
			return by + " " + decide.Steps[i].Name
		}
	}
	return by
}

func (v *replayView) examples(list []string) {
	for _, text := range list {
		v.printf("           %s\n", cut(hookio.Escape(text), v.width-11))
	}
}

// classifier prints what the program's own classifier refused.
func (v *replayView) classifier(r *replay.Report) {
	for i := range r.Classifier {
		c := &r.Classifier[i]
		v.printf("\nrefused by the program's own classifier (%s): %s; a rule would have spared %d\n",
			hookio.Escape(c.Word), plural(c.Calls, "call", "calls"), c.Spared)
		v.examples(c.Examples)
	}
}

// tools prints the answers by tool.
func (v *replayView) tools(r *replay.Report) {
	v.printf("\nby tool\n")
	list, wide := r.Tools[:min(len(r.Tools), topOf)], 0
	for i := range list {
		wide = max(wide, len(list[i].Name))
	}
	for i := range list {
		v.printf("  %5d  %s  %s\n", list[i].Calls(), pad(hookio.Escape(list[i].Name), wide), v.numbers(&list[i].Tally))
	}
}

// top prints a list of what there is most of.
func (v *replayView) top(title string, list []replay.Named) {
	if len(list) == 0 {
		return
	}
	v.printf("\n%s\n", title)
	for _, n := range list[:min(len(list), topOf)] {
		name := hookio.Escape(n.Name)
		if n.Place != "" {
			name += "  " + v.e.place(parsePlace(n.Place))
		}
		v.printf("  %5d  %s\n", n.Calls(), cut(name, v.width-9))
	}
}

// neverHit prints the rules that match nothing.
func (v *replayView) neverHit(r *replay.Report) {
	if len(r.NeverHit) == 0 {
		return
	}
	v.printf("\n%s matched no call\n", plural(len(r.NeverHit), "rule", "rules"))
	for _, n := range r.NeverHit[:min(len(r.NeverHit), topOf)] {
		v.printf("  %s\n", cut(n.List+" "+hookio.Escape(n.Name)+"  "+v.e.place(parsePlace(n.Place)), v.width-2))
	}
	if more := len(r.NeverHit) - topOf; more > 0 {
		v.printf("  and %d more: --json lists them\n", more)
	}
}

// unsaid prints what the counts cannot know.
func (v *replayView) unsaid(r *replay.Report) {
	v.printf("\nwhat is not known\n")
	for _, s := range r.Unsaid {
		v.e.wrapped("  ", s)
	}
}
