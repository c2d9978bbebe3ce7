package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
)

// barWidth is the columns of the longest bar.
const barWidth = 40

// observingNow says where observe mode is switched on for a call made here, of
// any host, "" when it is not.
func observingNow(e *env, f *gate.Flags) string {
	for _, h := range append([]*hookio.Host{nil}, hookio.Hosts()...) {
		call := hookio.Unread(hookio.Options{})
		if h != nil {
			call.Host, call.Named = h, true
		}
		s := gate.Policy(call, f, e.world).Posture.Enforce
		if s.Value != "false" {
			continue
		}
		note := ""
		if h != nil {
			note = " for " + h.Name
		}
		return note + " (enforce: false, " + e.place(s.Pos) + ")"
	}
	return ""
}

// printStats prints the counts, as text or as JSON.
func printStats(v *logView, o *logOptions, n *logCount) {
	if o.json {
		v.w.Write(append(n.object().end(), '\n'))
		return
	}
	if n.observing != "" {
		v.w.WriteString(v.paint(hookio.Deny, "OBSERVE MODE IS ON"+n.observing+": permgate answers only managed denies") + "\n")
	}
	if n.observed > 0 {
		v.w.WriteString(v.paint(hookio.Ask, fmt.Sprintf("observe mode was on for %d of %s: they count as the decision they would have got", n.observed, plural(n.calls, "call", "calls"))) + "\n")
	}
	if n.observing != "" || n.observed > 0 {
		v.w.WriteByte('\n')
	}
	if n.calls == 0 {
		v.w.WriteString("no call\n")
		return
	}
	fmt.Fprintf(v.w, "%s in %s, %s to %s\n", plural(n.calls, "call", "calls"), plural(n.sessions, "session", "sessions"),
		n.first.Local().Format("2006-01-02 15:04"), n.last.Local().Format("2006-01-02 15:04"))
	v.bars("by day   (+ allow  ? ask  x deny  . silence)", n.days)
	v.bars("by program", n.hosts)
	v.bars("by step", named(n.steps))
	v.top("top rules and checks", n.rules)
	v.top("top prompts", n.prompts)
	if n.asked > 0 {
		fmt.Fprintf(v.w, "\n%s\n  %d approved, %d refused, %d without outcome (refused, failed or given up), %d unknown\n", plural(n.asked, "prompt", "prompts"), n.approved, n.refused, n.notRun, n.unknown)
	}
	if n.worst > 0 {
		fmt.Fprintf(v.w, "\ntime to the answer\n  p50 %s   p90 %s   p99 %s   max %s\n", ms(n.p50), ms(n.p90),
			ms(n.p99), ms(n.worst))
	}
	if n.faults > 0 {
		fmt.Fprintf(v.w, "\n%s could not be decided; permgate doctor looks for the reason\n",
			plural(n.faults, "call", "calls"))
	}
}

// ms spells a duration in milliseconds.
func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

// named adds the names of the steps.
func named(steps tallies) tallies {
	out := make(tallies, len(steps))
	for i, t := range steps {
		c := *t
		for j := range decide.Steps {
			if decide.Steps[j].Num == t.name {
				c.name += " " + decide.Steps[j].Name
			}
		}
		out[i] = &c
	}
	return out
}

// bars prints one bar for each tally, and the numbers.
func (v *logView) bars(title string, list tallies) {
	most, wide := 1, 0
	for _, t := range list {
		most, wide = max(most, t.total()), max(wide, len(t.name))
	}
	fmt.Fprintf(v.w, "\n%s\n", title)
	for _, t := range list {
		bar, used := "", 0
		for _, p := range t.parts() {
			n := (p.n*barWidth + most - 1) / most
			bar, used = bar+v.paint(p.d, strings.Repeat(p.sign, n)), used+n
		}
		fmt.Fprintf(v.w, "  %s  %s%s  %s\n", pad(hookio.Escape(t.name), wide), bar,
			strings.Repeat(" ", max(barWidth+3-used, 0)), t.numbers())
	}
}

type part struct {
	n    int
	d    hookio.Decision
	sign string
	word string
}

func (t *tally) parts() []part {
	return []part{{t.allow, hookio.Allow, "+", "allow"}, {t.ask, hookio.Ask, "?", "ask"},
		{t.deny, hookio.Deny, "x", "deny"}, {t.silence, hookio.Pass, ".", "silence"}}
}

// numbers spells a tally: "12 allow, 3 ask".
func (t *tally) numbers() string {
	var out []string
	for _, p := range t.parts() {
		if p.n > 0 {
			out = append(out, fmt.Sprint(p.n, " ", p.word))
		}
	}
	return strings.Join(out, ", ")
}

// top prints a list of what there is most of.
func (v *logView) top(title string, list tallies) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(v.w, "\n%s\n", title)
	for _, t := range list {
		name := t.name
		if rule, place, ok := strings.Cut(name, "  "); ok {
			name = rule + "  " + v.e.place(parsePlace(place))
		}
		fmt.Fprintf(v.w, "  %5d  %s\n", t.total(), cut(hookio.Escape(name), v.width-9))
	}
}

// object is the counts as JSON; docs/log.md names the keys.
func (n *logCount) object() *object {
	o := &object{}
	o.boolean("observing", n.observing != "")
	o.num("observed", n.observed)
	o.num("calls", n.calls)
	o.num("faults", n.faults)
	o.num("sessions", n.sessions)
	if n.calls > 0 {
		o.str("first", n.first.UTC().Format(time.RFC3339Nano))
		o.str("last", n.last.UTC().Format(time.RFC3339Nano))
	}
	fillTally(o, &n.all)
	for _, l := range [...]struct {
		key  string
		list tallies
	}{{"days", n.days}, {"hosts", n.hosts}, {"steps", n.steps}, {"top_rules", n.rules}, {"top_prompts", n.prompts}} {
		o.list(l.key, len(l.list), func(i int, o *object) {
			o.str("name", l.list[i].name)
			fillTally(o, l.list[i])
		})
	}
	var p, t object
	p.num("asked", n.asked)
	p.num("approved", n.approved)
	p.num("refused", n.refused)
	p.num("no_outcome", n.notRun)
	p.num("unknown", n.unknown)
	o.raw("prompts", p.end())
	t.num("p50", int(n.p50.Microseconds()))
	t.num("p90", int(n.p90.Microseconds()))
	t.num("p99", int(n.p99.Microseconds()))
	t.num("max", int(n.worst.Microseconds()))
	o.raw("duration_us", t.end())
	return o
}

func fillTally(o *object, t *tally) {
	o.num("allow", t.allow)
	o.num("ask", t.ask)
	o.num("deny", t.deny)
	o.num("silence", t.silence)
}
