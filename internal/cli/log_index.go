package cli

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// A loggedCall is one decision of the log and the outcome of the call. The dialog
// that a call led to is part of it: of two answers the dialog's is the one that counts.
type loggedCall struct {
	log.Record
	dialog *log.Record // the decision about the dialog, nil for none
	// first is the decision that was made before about the same call, when this
	// one is about a second event of the program.
	first   *loggedCall
	outcome *log.Record // nil while it is not known; of first, where there is one
	passed  bool        // the session went on without an outcome
}

// A logLine is one line as it is stored, and the call it is about.
type logLine struct {
	text string
	rec  log.Record
	call *loggedCall // nil for the end of a session, and an outcome without a call
	// dialog says that it is about the dialog of a call that has a line of its own.
	dialog bool
}

// A logIndex is the whole log in the order it was written, outcomes joined to
// their decisions.
type logIndex struct {
	lines   []logLine
	calls   []*loggedCall
	skipped int                    // lines that are no records
	newer   int                    // lines of a later schema
	texts   bool                   // keep the lines as they are stored
	since   time.Time              // leave out what is older
	open    map[string]*loggedCall // by log.Record.Keys
}

// add takes one line of the log.
func (b *logIndex) add(line []byte) {
	r, ok := log.Parse(line)
	switch {
	case !ok && log.Newer(line):
		b.newer++
		return
	case !ok:
		b.skipped++
		return
	}
	if r.Time.Before(b.since) {
		return
	}
	b.lines = append(b.lines, logLine{rec: r})
	l := &b.lines[len(b.lines)-1]
	if b.texts {
		l.text = string(line)
	}
	if b.open == nil {
		b.open = map[string]*loggedCall{}
	}
	switch r.Event {
	case log.EventDecision:
		l.call, l.dialog = b.decision(r)
	case log.EventOutcome:
		l.call = b.outcome(r)
	}
}

// decision adds a decision. A later one about a call that is still open belongs
// to it: the dialog, or a second event of the program with the same id.
func (b *logIndex) decision(r log.Record) (c *loggedCall, dialog bool) {
	c = &loggedCall{Record: r}
	asks := r.OfDialog()
	for i, k := range r.Keys() {
		had := b.open[k]
		if had != nil && c.first == nil && (i == 0 || asks) { // the hash alone may be that of an equal call
			c.first = had
		}
	}
	if had := c.first; had != nil && asks {
		had.dialog = &r
		if r.Answered != log.Silence {
			id := had.CallID
			had.Record = r
			had.CallID = cmp.Or(r.CallID, id)
		}
		return had, true
	}
	b.calls = append(b.calls, c)
	for _, k := range r.Keys() {
		if k != "" && c.first == nil {
			b.open[k] = c
		}
	}
	return c, false
}

// outcome joins an outcome to its call, which it returns.
func (b *logIndex) outcome(r log.Record) *loggedCall {
	for _, k := range r.Keys() {
		if c := b.open[k]; c != nil {
			c.outcome = &r
			for _, k := range c.Keys() {
				delete(b.open, k)
			}
			return c
		}
	}
	return nil
}

// settle marks the calls that probably did not run. Agents go on only when a
// call is over: one without an outcome, in a session that tells outcomes and has
// told a later one or ended, was refused or given up.
func (b *logIndex) settle() {
	tells, wentOn := map[string]bool{}, map[string]bool{} // by session
	for _, c := range b.calls {
		if c.outcome != nil {
			tells[c.Session] = true
		}
	}
	for i := len(b.lines) - 1; i >= 0; i-- {
		l := &b.lines[i]
		session := l.rec.Session
		starts := l.rec.Event == log.EventDecision && l.call.first == nil && !l.dialog
		mayRun := l.rec.Fault == "" && l.rec.Answered != "deny"
		switch {
		case l.rec.Event == log.EventSessionEnd, starts && l.call.outcome != nil:
			wentOn[session] = true
		case starts && mayRun && wentOn[session] && tells[session]:
			l.call.passed = true
		}
	}
}

// prompted reports whether a person was asked: by permgate's answer, or by the
// program itself, which then asked us about its dialog.
func (c *loggedCall) prompted() bool {
	return c.Answered == hookio.Ask.String() || c.hostAsked()
}

// hostAsked reports whether the program showed a dialog that permgate left to its user.
func (c *loggedCall) hostAsked() bool {
	return c.Answered == log.Silence && (c.dialog != nil || c.OfDialog())
}

// base is the first decision about the same call.
func (c *loggedCall) base() *loggedCall {
	if c.first != nil {
		return c.first
	}
	return c
}

// became says how a call ended, "" when that is not known.
func (c *loggedCall) became() string {
	b := c.base()
	switch {
	case b.outcome == nil && b.passed:
		return "no outcome"
	case b.outcome == nil:
		return ""
	case b.outcome.Outcome == log.Refused && (c.prompted() || b.prompted()):
		return "refused by the user"
	}
	return hookio.Escape(b.outcome.Outcome)
}

// choose returns the calls a filter takes, the last n of them; 0 is all.
func (b *logIndex) choose(f *logFilter, n int) []*loggedCall {
	var out []*loggedCall
	for _, c := range b.calls {
		if f.takes(&c.Record) {
			out = append(out, c)
		}
	}
	if n > 0 && len(out) > n {
		out = out[len(out)-n:]
	}
	return out
}

// topOf is how many rules and prompts --stats names.
const topOf = 10

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
	sort.SliceStable(l, func(i, j int) bool {
		if a, b := l[i].Calls(), l[j].Calls(); a != b {
			return a > b
		}
		return l[i].Name < l[j].Name
	})
	return l[:min(n, len(l))]
}

// A logCount is what --stats prints.
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
	p50, p90, p99, worst time.Duration
}

// countLog counts the chosen calls. A decision that was only observed counts as
// what it would have been.
func countLog(e *env, f *gate.Flags, chosen []*loggedCall) *logCount {
	n := &logCount{observing: observingNow(e, f)}
	sessions := map[string]bool{}
	in, asked := make(map[*loggedCall]bool, len(chosen)), map[*loggedCall]bool{}
	for _, c := range chosen {
		in[c] = true
	}
	var took []time.Duration
	for _, c := range chosen {
		if c.Duration > 0 {
			took = append(took, c.Duration)
		}
		if c.dialog != nil && c.dialog.Duration > 0 {
			took = append(took, c.dialog.Duration)
		}
		if c.prompted() && !asked[c.base()] {
			asked[c.base()] = true
			n.prompt(c)
		}
		if c.first != nil && in[c.first] {
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
	n.rules, n.prompts = n.rules.top(topOf), n.prompts.top(topOf)
	n.hosts = n.hosts.top(len(n.hosts))
	sort.SliceStable(n.steps, func(i, j int) bool { return n.steps[i].Name < n.steps[j].Name })
	sort.SliceStable(n.days, func(i, j int) bool { return n.days[i].Name < n.days[j].Name })
	return n
}

// count counts one call.
func (n *logCount) count(c *loggedCall) {
	n.calls++
	if n.first.IsZero() || c.Time.Before(n.first) {
		n.first = c.Time
	}
	if c.Time.After(n.last) {
		n.last = c.Time
	}
	answer := c.answered()
	if c.Observed {
		n.observed++
	}
	n.all.Add(answer)
	n.days.of(c.Time.Local().Format(time.DateOnly)).Add(answer)
	n.hosts.of(c.Host).Add(answer)
	if c.Fault != "" {
		n.faults++
		return
	}
	step := c.Origin
	if step == "" {
		step = c.Step
	}
	n.steps.of(step).Add(answer)
	switch {
	case c.Rule != "":
		n.rules.of(c.Rule + "  " + c.RulePlace).Add(answer)
	case c.Check != "":
		n.rules.of("check " + c.Check).Add(answer)
	}
}

// prompt counts one prompt and its outcome.
func (n *logCount) prompt(c *loggedCall) {
	n.asked++
	n.prompts.of(replay.Group(c.Tool, gjson.Parse(c.Input), c.Cwd, c.Reason)).Add("ask")
	switch b := c.base(); {
	case b.outcome == nil && b.passed:
		n.notRun++
	case b.outcome == nil:
		n.unknown++
	case b.outcome.Outcome == log.Refused:
		n.refused++
	default:
		n.approved++
	}
}
