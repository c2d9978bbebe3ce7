package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

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
