package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// A logView prints calls of the log. Every text from the log is escaped on its way.
type logView struct {
	e     *subcmd.Env
	w     *bufio.Writer
	paint func(hookio.Decision, string) string
	width int
}

func newLogView(e *subcmd.Env, w *bufio.Writer) *logView {
	v := &logView{e: e, w: w, paint: e.Paint(), width: subcmd.LogWidth}
	if width := e.Width(); width > 0 {
		v.width = max(width, 60)
	}
	return v
}

// end flushes the output; that it could not be written is for Main to say.
func (v *logView) end() int {
	v.w.Flush()
	return subcmd.ExitOK
}

// call prints one call on a line, and the reason below unless it was allowed.
func (v *logView) call(c *subcmd.LoggedCall) {
	word, colour := answeredWord(c)
	head := stamp(&c.Record) + "  " + subcmd.Pad(cmp.Or(hookio.Escape(c.Host), "-"), 8) + "  "
	tail := "  (" + v.source(c) + ")"
	if b := c.Became(); b != "" {
		tail += "  " + b
	}
	room := max(v.width-len(head)-9-utf8.RuneCountInString(tail), 40)
	title := subcmd.Cut(cmp.Or(loggedTitle(&c.Record), "-"), room)
	fmt.Fprintf(v.w, "%s%s  %s%s\n", head, v.paint(colour, subcmd.Pad(word, 7)), title, tail)
	if c.Decision != "allow" && c.Reason != "" && !unsaid(c) {
		v.w.WriteString("    " + subcmd.Cut(v.e.Short(hookio.Escape(c.Reason)), 2*v.width) + "\n")
	}
}

// later prints a word about a call that was printed before, at the time of a later record.
func (v *logView) later(c *subcmd.LoggedCall, r *log.Record, word string, colour hookio.Decision) {
	head := stamp(r) + "  " + subcmd.Pad(cmp.Or(hookio.Escape(c.Host), "-"), 8) + "  "
	title := subcmd.Cut(loggedTitle(&c.Record), max(v.width-len(head)-9, 40))
	fmt.Fprintf(v.w, "%s%s  %s\n", head, v.paint(colour, subcmd.Pad(word, 7)), title)
}

// unsaid reports whether nothing of ours spoke about a call. Earlier versions logged a reason all the same.
func unsaid(c *subcmd.LoggedCall) bool {
	nothingSpoke := c.Fault == "" && c.Rule == "" && c.Check == ""
	return nothingSpoke && c.Answered == log.Silence && !c.Observed
}

func stamp(r *log.Record) string { return r.Time.Local().Format("2006-01-02 15:04:05") }

// answeredWord is what the program was told, in parentheses where permgate only observed.
func answeredWord(c *subcmd.LoggedCall) (word string, colour hookio.Decision) {
	switch {
	case c.Fault != "":
		return "fault", hookio.Deny
	case c.Observed:
		return "(" + hookio.Escape(c.Told()) + ")", subcmd.Decision(c.Told())
	}
	return hookio.Escape(c.Answered), subcmd.Decision(c.Answered)
}

// source names what decided, and the decision where the program was told another.
func (v *logView) source(c *subcmd.LoggedCall) string {
	if c.Fault != "" {
		return hookio.Escape(c.Fault + ", told " + cmp.Or(c.Answered, "deny"))
	}
	s := "step " + c.Step
	if c.Origin != "" && c.Origin != c.Step {
		s += " after " + c.Origin
	}
	if c.Told() != c.Decision {
		s = c.Decision + ", " + s
	}
	if c.HostAsked() || c.OfDialog() {
		s = "dialog, " + s
	}
	switch {
	case c.Rule != "":
		s += ": " + v.e.Place(subcmd.ParsePlace(c.RulePlace)) + "  " + c.Rule
	case c.Check != "":
		s += ": check " + c.Check
	case c.Step == "7" || c.Origin == "7" && c.AutoBy != "":
		s += ": mode " + c.Mode + judged(&c.Record)
	case decide.StepOf(c.Step).Name != "":
		s += ": " + decide.StepOf(c.Step).Name
	}
	return hookio.Escape(s)
}

// judged is what mode auto made of a call, and who said so.
func judged(r *log.Record) string {
	switch r.AutoBy {
	case say.ByOperator:
		return fmt.Sprintf(", your classifier: %s, %v", r.Auto, r.AutoTook)
	case say.ByCache:
		return ", your classifier: " + r.Auto + " (as before)"
	}
	return ""
}

// loggedTitle names a logged call on one line, as title does a call.
func loggedTitle(r *log.Record) string {
	in := gjson.Parse(r.Input)
	tool := cmp.Or(r.RawTool, r.Tool)
	for _, key := range [...]string{"command", gate.Primary(r.Tool), "file_path", "path", "paths", "pattern",
		"url", "query", "name"} {
		f := in.Get(gjson.Escape(key))
		switch {
		case f.Type == gjson.String && f.Str != "" && key == "command" && r.Tool != "Edit":
			return hookio.Escape(f.Str)
		case f.Type == gjson.String && f.Str != "":
			return hookio.Escape(tool + " " + f.Str)
		case f.IsArray():
			var parts []string
			for _, el := range f.Array() {
				parts = append(parts, el.String())
			}
			return hookio.Escape(tool + " " + strings.Join(parts, " "))
		}
	}
	return hookio.Escape(tool)
}

// calls prints the chosen calls, with --json as stored, and with those lines that are about no call and that the
// filter leaves.
func (v *logView) calls(b *subcmd.LogIndex, chosen []*subcmd.LoggedCall, o *logOptions) {
	want := make(map[*subcmd.LoggedCall]bool, len(chosen))
	for _, c := range chosen {
		if want[c] = true; !o.json {
			v.call(c)
		}
	}
	if !o.json {
		return
	}
	for i := range b.Lines {
		l := &b.Lines[i]
		wanted := want[l.Call]
		if l.Call == nil {
			wanted = o.last == 0 && o.filter.takesLine(&l.Rec)
		}
		if wanted {
			v.w.WriteString(l.Text + "\n")
		}
	}
}

const barWidth = 40

// observingNow says where observe mode is on for a call made here, of any host, "" where it is off.
func observingNow(e *subcmd.Env, f *gate.Flags) string {
	for _, h := range append([]*hookio.Host{nil}, hookio.Hosts()...) {
		s := e.PolicyUnder(h, f).Posture.Enforce
		if s.Value != "false" {
			continue
		}
		note := ""
		if h != nil {
			note = " for " + h.Name
		}
		return note + " (enforce: false, " + e.Place(s.Pos) + ")"
	}
	return ""
}

func printStats(v *logView, o *logOptions, n *logCount) {
	if o.json {
		v.w.Write(append(n.object().End(), '\n'))
		return
	}
	if n.observing != "" {
		v.w.WriteString(v.paint(hookio.Deny, "OBSERVE MODE IS ON"+n.observing+": permgate answers only managed denies") + "\n")
	}
	if n.observed > 0 {
		v.w.WriteString(v.paint(hookio.Ask, fmt.Sprintf("observe mode was on for %d of %s: they count as the decision they would have got", n.observed, subcmd.Plural(n.calls, "call", "calls"))) + "\n")
	}
	if n.observing != "" || n.observed > 0 {
		v.w.WriteByte('\n')
	}
	if n.calls == 0 {
		v.w.WriteString("no call\n")
		return
	}
	fmt.Fprintf(v.w, "%s in %s, %s to %s\n", subcmd.Plural(n.calls, "call", "calls"), subcmd.Plural(n.sessions, "session", "sessions"),
		n.first.Local().Format("2006-01-02 15:04"), n.last.Local().Format("2006-01-02 15:04"))
	v.bars("by day   (+ allow  ? ask  x deny  . silence)", n.days)
	v.bars("by program", n.hosts)
	v.bars("by step", named(n.steps))
	v.top("top rules and checks", n.rules)
	v.top("top prompts", n.prompts)
	if n.asked > 0 {
		fmt.Fprintf(v.w, "\n%s\n  %d approved, %d refused, %d without outcome (refused, failed or given up), %d unknown\n", subcmd.Plural(n.asked, "prompt", "prompts"), n.approved, n.refused, n.notRun, n.unknown)
	}
	if calls := n.escapes.Calls(); calls > 0 {
		fmt.Fprintf(v.w, "\nasked to leave the sandbox: Sandbox(escape)\n  %s: %s\n", subcmd.Plural(calls, "call", "calls"), n.escapes.Numbers())
	}
	if n.worst > 0 {
		fmt.Fprintf(v.w, "\ntime to the answer\n  p50 %s   p90 %s   p99 %s   max %s\n", ms(n.p50), ms(n.p90),
			ms(n.p99), ms(n.worst))
	}
	if n.faults > 0 {
		fmt.Fprintf(v.w, "\n%s could not be decided; permgate doctor looks for the reason\n",
			subcmd.Plural(n.faults, "call", "calls"))
	}
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

func named(steps tallies) tallies {
	out := make(tallies, len(steps))
	for i, t := range steps {
		c := *t
		c.Name = strings.TrimSpace(t.Name + " " + decide.StepOf(t.Name).Name)
		out[i] = &c
	}
	return out
}

func (v *logView) bars(title string, list tallies) {
	most, wide := 1, 0
	for _, t := range list {
		most, wide = max(most, t.Calls()), max(wide, len(t.Name))
	}
	fmt.Fprintf(v.w, "\n%s\n", title)
	for _, t := range list {
		bar, used := "", 0
		for _, p := range [...]struct {
			n    int
			d    hookio.Decision
			sign string
		}{{t.Allow, hookio.Allow, "+"}, {t.Ask, hookio.Ask, "?"}, {t.Deny, hookio.Deny, "x"}, {t.Silence, hookio.Pass, "."}} {
			n := (p.n*barWidth + most - 1) / most
			bar, used = bar+v.paint(p.d, strings.Repeat(p.sign, n)), used+n
		}
		fmt.Fprintf(v.w, "  %s  %s%s  %s\n", subcmd.Pad(hookio.Escape(t.Name), wide), bar,
			strings.Repeat(" ", max(barWidth+3-used, 0)), t.Numbers())
	}
}

func (v *logView) top(title string, list tallies) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(v.w, "\n%s\n", title)
	for _, t := range list {
		name := t.Name
		if rule, place, ok := strings.Cut(name, "  "); ok {
			name = rule + "  " + v.e.Place(subcmd.ParsePlace(place))
		}
		fmt.Fprintf(v.w, "  %5d  %s\n", t.Calls(), subcmd.Cut(hookio.Escape(name), v.width-9))
	}
}

// object is the counts as JSON; docs/log.md names the keys.
func (n *logCount) object() *subcmd.Object {
	o := &subcmd.Object{}
	o.Add("observing", n.observing != "", "observed", n.observed, "calls", n.calls, "faults", n.faults,
		"sessions", n.sessions)
	if n.calls > 0 {
		o.Add("first", n.first.UTC().Format(time.RFC3339Nano), "last", n.last.UTC().Format(time.RFC3339Nano))
	}
	fillTally(o, &n.all)
	for _, l := range [...]struct {
		key  string
		list tallies
	}{{"days", n.days}, {"hosts", n.hosts}, {"steps", n.steps}, {"top_rules", n.rules}, {"top_prompts", n.prompts}} {
		o.List(l.key, len(l.list), func(i int, o *subcmd.Object) {
			o.Add("name", l.list[i].Name)
			fillTally(o, &l.list[i].Tally)
		})
	}
	if n.escapes.Calls() > 0 {
		escapes := &subcmd.Object{}
		fillTally(escapes, &n.escapes)
		o.Add("sandbox_escapes", escapes)
	}
	o.Add("prompts", subcmd.NewObject("asked", n.asked, "approved", n.approved, "refused", n.refused,
		"no_outcome", n.notRun, "unknown", n.unknown))
	o.Add("duration_us", subcmd.NewObject("p50", int(n.p50.Microseconds()), "p90", int(n.p90.Microseconds()),
		"p99", int(n.p99.Microseconds()), "max", int(n.worst.Microseconds())))
	return o
}

func fillTally(o *subcmd.Object, t *replay.Tally) {
	o.Add("allow", t.Allow, "ask", t.Ask, "deny", t.Deny, "silence", t.Silence)
}

// chosenOf returns the calls a filter takes, the last n of them; 0 is all.
func chosenOf(b *subcmd.LogIndex, f *logFilter, n int) []*subcmd.LoggedCall {
	var out []*subcmd.LoggedCall
	for _, c := range b.Calls {
		if f.takes(&c.Record) {
			out = append(out, c)
		}
	}
	if n > 0 && len(out) > n {
		out = out[len(out)-n:]
	}
	return out
}

// tallies are tallies by name, in the order the names were met.
type tallies []*replay.Named

func (l *tallies) of(name string) *replay.Named {
	for _, t := range *l {
		if t.Name == name {
			return t
		}
	}
	t := &replay.Named{Name: name}
	*l = append(*l, t)
	return t
}

// top sorts by how often, then by name, and keeps the first n.
func (l tallies) top(n int) tallies {
	slices.SortStableFunc(l, func(a, b *replay.Named) int {
		return cmp.Or(b.Calls()-a.Calls(), strings.Compare(a.Name, b.Name))
	})
	return l[:min(n, len(l))]
}

type logCount struct {
	observing            string // why permgate observes now, "" when it enforces
	observed             int    // calls decided while it observed
	calls, faults        int
	first, last          time.Time
	sessions             int
	all                  replay.Tally
	days, hosts, steps   tallies
	rules, prompts       tallies
	asked                int // prompts, by us or by the program itself
	approved, refused    int
	notRun, unknown      int
	escapes              replay.Tally // calls that asked to leave the sandbox
	p50, p90, p99, worst time.Duration
}

// countLog counts the chosen calls, an observed decision as what it would have been.
func countLog(e *subcmd.Env, f *gate.Flags, chosen []*subcmd.LoggedCall) *logCount {
	n := &logCount{observing: observingNow(e, f)}
	sessions := map[string]bool{}
	in, asked := make(map[*subcmd.LoggedCall]bool, len(chosen)), map[*subcmd.LoggedCall]bool{}
	for _, c := range chosen {
		in[c] = true
	}
	var took []time.Duration
	for _, c := range chosen {
		if c.Duration > 0 {
			took = append(took, c.Duration)
		}
		if c.Dialog != nil && c.Dialog.Duration > 0 {
			took = append(took, c.Dialog.Duration)
		}
		if c.Prompted() && !asked[c.Base()] {
			asked[c.Base()] = true
			n.prompt(c)
		}
		if c.First != nil && in[c.First] {
			continue
		}
		n.count(c)
		sessions[c.Session] = true
	}
	n.sessions = len(sessions)
	if slices.Sort(took); len(took) > 0 {
		n.p50, n.p90, n.p99 = replay.Percentile(took, 50), replay.Percentile(took, 90), replay.Percentile(took, 99)
		n.worst = took[len(took)-1]
	}
	n.rules, n.prompts = n.rules.top(subcmd.TopOf), n.prompts.top(subcmd.TopOf)
	n.hosts = n.hosts.top(len(n.hosts))
	byName := func(a, b *replay.Named) int { return strings.Compare(a.Name, b.Name) }
	slices.SortStableFunc(n.steps, byName)
	slices.SortStableFunc(n.days, byName)
	return n
}

func (n *logCount) count(c *subcmd.LoggedCall) {
	n.calls++
	if n.first.IsZero() || c.Time.Before(n.first) {
		n.first = c.Time
	}
	if c.Time.After(n.last) {
		n.last = c.Time
	}
	answer := c.Told()
	if c.Observed {
		n.observed++
	}
	n.all.Add(answer)
	n.days.of(c.Time.Local().Format(time.DateOnly)).Add(answer)
	n.hosts.of(c.Host).Add(answer)
	if c.Escape != "" || c.Dialog != nil && c.Dialog.Escape != "" {
		n.escapes.Add(answer)
	}
	if c.Fault != "" {
		n.faults++
		return
	}
	n.steps.of(cmp.Or(c.Origin, c.Step)).Add(answer)
	switch {
	case c.Rule != "":
		n.rules.of(c.Rule + "  " + c.RulePlace).Add(answer)
	case c.Check != "":
		n.rules.of("check " + c.Check).Add(answer)
	}
}

func (n *logCount) prompt(c *subcmd.LoggedCall) {
	n.asked++
	n.prompts.of(replay.Group(c.Tool, gjson.Parse(c.Input), c.Cwd, c.Reason)).Add("ask")
	switch b := c.Base(); {
	case b.End == nil && b.Passed:
		n.notRun++
	case b.End == nil:
		n.unknown++
	case b.End.Outcome == log.Refused:
		n.refused++
	default:
		n.approved++
	}
}
