package cli

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

// A lastCall is one call of the log and how it would be decided now.
type lastCall struct {
	*loggedCall
	line string // as it is stored
	args string // name the call to permgate allow

	changed bool         // the settings are others than then
	why     string       // why it cannot be decided again; "" when it was
	c       *decide.Case // nil when it cannot be decided again
	v       decide.Verdict
}

// explainLast explains a call the hook decided.
func explainLast(e *env, o *callOptions, l *lastOptions, args []string) int {
	last, n, where, code := l.find(e, o, args)
	if last == nil {
		return code
	}
	last.again(e)
	if o.json {
		e.machine().Write(append(last.object(e).end(), '\n'))
		return exitOK
	}
	last.print(e, n, where)
	return exitOK
}

// index reads the whole log in dir.
func (e *env) index(o *callOptions) (index *logIndex, dir string, err error) {
	index = &logIndex{texts: true}
	tail := &log.Tail{Dir: logDir(e, &o.Flags)}
	defer tail.Close()
	if err := tail.Next(index.add); err != nil {
		return nil, tail.Dir, err
	}
	tail.End(index.add)
	index.settle()
	return index, tail.Dir, nil
}

// lastOf returns the calls that are meant: those of the project of the working
// directory, in any session, or those of one session, in any project.
func lastOf(e *env, o *callOptions, l *lastOptions, b *logIndex) (found []*loggedCall, where string) {
	if l.session != "" {
		for _, c := range b.calls {
			if strings.HasPrefix(c.Session, l.session) {
				found = append(found, c)
			}
		}
		return found, "of session " + hookio.Escape(l.session)
	}
	p := e.policyUnder(nil, &o.Flags)
	for _, c := range b.calls {
		if c.Project == p.Project.Given || within(c.Cwd, p.Project) || c.Project == "" && c.Cwd == "" {
			found = append(found, c)
		}
	}
	return found, "below " + e.path(p.Project.Given)
}

func within(name string, dir rules.Path) bool {
	return rules.Within(name, dir.Given) || rules.Within(name, dir.Real)
}

// nothingLogged says why there may be no log.
func (e *env) nothingLogged(o *callOptions, dir string) int {
	p := e.policyUnder(nil, &o.Flags)
	if a := p.Posture.Audit; p.Posture.AuditLevel().Level == "off" {
		return e.fail(`remove "audit": "off", or set "decisions"`, "nothing is logged: the log is switched off (%s)", e.place(a.Pos))
	}
	return e.fail("permgate doctor checks that the hook is registered and the log is writable",
		"no call is logged in %s", e.path(dir))
}

// again decides the call again, under the settings of now.
func (l *lastCall) again(e *env) {
	call, f, why := gate.Again(&l.Record)
	if call == nil {
		l.why = why
		call = hookio.Unread(hookio.Options{Host: l.Host, Event: l.HostEvent})
		call.Cwd, call.Project, call.AgentID, call.AgentType = l.Cwd, l.Project, l.AgentID, l.AgentType
		l.changed = l.PolicyHash != gate.Policy(call, f, e.world).Hash()
		return
	}
	l.c = gate.Case(call, f, e.world)
	l.v = decide.Decide(l.c)
	l.changed = l.PolicyHash != l.c.Policy.Hash()
}

// differs names what is not as it was: decision, step, rule, check, answer.
func (l *lastCall) differs() []string {
	if l.c == nil {
		return nil
	}
	rule, place, check := "", "", ""
	if l.v.Rule != nil {
		rule, place = l.v.Rule.Text, l.v.Rule.Pos.String()
	}
	if l.v.Check != nil {
		check = l.v.Check.ID
	}
	var out []string
	for _, d := range [...]struct{ name, then, now string }{
		{"decision", l.Decision, l.v.Decision.String()},
		{"answer", l.Answered, answer(l.c, l.v)},
		{"step", l.Step, l.v.Step},
		{"rule", l.Rule, hookio.Escape(rule)},
		{"check", l.Check, check},
		{"place", l.RulePlace, hookio.Escape(place)},
	} {
		if d.then != d.now && (d.name != "place" || rule != "" && len(out) == 0) {
			out = append(out, d.name+" "+cmp.Or(d.then, "none")+" -> "+cmp.Or(d.now, "none"))
		}
	}
	return out
}

// print shows what was answered then, and what would be now.
func (l *lastCall) print(e *env, n int, where string) {
	v := newLogView(e, nil)
	which := "the last call "
	if n > 1 {
		which = fmt.Sprintf("call %d from the end ", n)
	}
	e.wrapped("", which+where+", "+l.Time.Local().Format("2006-01-02 15:04:05")+" ("+ago(e.world.Now.Sub(l.Time))+")")
	word, colour := l.answer()
	fmt.Fprintf(e.out, "\n%s  %s  (%s)\n", v.paint(colour, word), cmp.Or(loggedTitle(&l.Record), "-"),
		v.source(l.loggedCall))
	if l.Reason != "" {
		e.wrapped("  ", e.short(hookio.Escape(l.Reason)))
	}
	e.wrapped("  ", l.told())
	e.heading("then")
	for _, f := range [...]struct{ name, value string }{
		{"program", strings.TrimSuffix(l.Host+", event "+l.HostEvent, ", event ")}, {"called as", l.Command}, {"session", l.Session}, {"subagent", strings.TrimSpace(l.AgentType + " " + l.AgentID)},
		{"working directory", l.Cwd}, {"project", l.Project}, {"mode", l.Mode}, {"took", ms(l.Duration)}, {"permgate", l.Version},
	} {
		if strings.TrimSpace(f.value) != "" {
			e.wrapped("  ", f.name+": "+hookio.Escape(f.value))
		}
	}
	if len(l.Trace) > 0 {
		e.heading("steps then")
		for _, t := range l.Trace {
			d := decision(t.Decision)
			word := map[bool]string{true: d.String(), false: "-"}[d != hookio.Pass]
			e.stepLine(hookio.Escape(t.Step), decide.StepName(t.Step), d, word, cmp.Or(hookio.Escape(t.Reason), "no opinion"))
		}
	}
	l.printNow(e)
}

// printNow shows what the call would be decided now, in explain's form where
// that differs.
func (l *lastCall) printNow(e *env) {
	e.heading("now")
	settings := "settings unchanged since"
	switch {
	case l.PolicyHash == "":
		settings = "the log does not tell whether the settings changed since"
	case l.changed:
		settings = "settings changed since"
	}
	if l.c == nil {
		e.wrapped("  ", settings+"; the call cannot be decided again: "+l.why)
		return
	}
	diff := l.differs()
	if len(diff) == 0 {
		e.wrapped("  ", settings+"; the decision would be the same")
		e.allowHint(l.c, l.v, l.args)
		return
	}
	if l.PolicyHash != "" && !l.changed {
		settings += ", but something else changed: session grants, files on disk, or input that is not logged"
		if l.Version != version() {
			settings += ", the version (" + hookio.Escape(l.Version) + ")"
		}
	}
	e.wrapped("  ", settings+"; the decision would be different:")
	for _, d := range diff {
		e.wrapped("  ", e.short(d))
	}
	fmt.Fprintln(e.out)
	explainAll(e, l.c, l.v, l.args)
}

// told says what the program was told and how the call ended.
func (l *lastCall) told() string {
	s := "the program was told: " + hookio.Escape(cmp.Or(l.Answered, "nothing"))
	switch {
	case l.Fault != "" && l.Answered == "":
		s = "the hook ended with exit code 2, which blocks the call"
	case l.Observed:
		s = "observe mode: the program was told nothing, and would have been told: " + hookio.Escape(l.answered())
	case l.Answered == log.Silence:
		s = "the program was told nothing and decides itself"
		if l.hostAsked() {
			s = "the program was told nothing and asked its user"
		}
	}
	if b := l.became(); b != "" {
		s += "; " + b
	}
	if o := l.base().outcome; o != nil && o.OutcomeReason != "" {
		s += ": " + hookio.Escape(o.OutcomeReason)
	}
	return s
}

// ago spells how long ago something was.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return plural(max(int(d.Seconds()), 0), "second", "seconds") + " ago"
	case d < time.Hour:
		return plural(int(d.Minutes()), "minute", "minutes") + " ago"
	case d < 48*time.Hour:
		return plural(int(d.Hours()), "hour", "hours") + " ago"
	}
	return plural(int(d.Hours()/24), "day", "days") + " ago"
}

// object is explain --last as JSON: the line as stored, and the call decided again.
func (l *lastCall) object(e *env) *object {
	o := &object{}
	o.add("logged", []byte(l.line), "outcome", opt(l.became()))
	if l.PolicyHash != "" {
		o.boolean("settings_changed", l.changed)
	}
	if l.c == nil {
		o.str("not_decided_anew", l.why)
		return o
	}
	o.add("changed", l.differs(), "now", explanation(e, l.c, l.v).end())
	return o
}
