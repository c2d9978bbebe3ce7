package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"permgate/decide"
	"permgate/hookio"
	"permgate/internal/gate"
	"permgate/internal/log"
	"permgate/rules"
)

// lastOptions are the options of explain --last.
type lastOptions struct {
	n       string // "" when --last was not given
	session string
}

// defaultLast is the value of --last alone.
const defaultLast = "1"

// A lastCall is one call of the log and what would become of it now.
type lastCall struct {
	*loggedCall
	line string // as it is stored

	changed bool         // the settings are others than then
	why     string       // why it cannot be decided anew; "" when it was
	c       *decide.Case // nil when it cannot be decided anew
	v       decide.Verdict
}

// explainLast explains a call the hook decided.
func explainLast(e *env, o *callOptions, l *lastOptions, args []string) int {
	n, err := l.number(args)
	if err != nil {
		return e.fail("permgate explain --last=2 is the last call but one", "%v", err)
	}
	book, tail := &logBook{texts: true}, &log.Tail{Dir: logDir(e, &o.Flags)}
	defer tail.Close()
	if err := tail.Next(book.add); err != nil {
		return e.fail("permgate doctor looks at the state folder", "the log cannot be read: %v", err)
	}
	tail.End(book.add)
	book.settle()
	found, where := lastOf(e, o, l, book)
	switch {
	case len(book.calls) == 0:
		return e.nothingLogged(o, tail.Dir)
	case len(found) == 0:
		return e.fail("permgate log -n 5 lists the last calls anywhere, --session ID takes one of any project", "no call is logged %s", where)
	case len(found) < n:
		return e.fail(fmt.Sprintf("permgate explain --last=%d is the oldest", len(found)), "only %s logged %s", plural(len(found), "call is", "calls are"), where)
	}
	last := &lastCall{loggedCall: found[len(found)-n]}
	for i := range book.lines {
		if l := &book.lines[i]; l.call == last.loggedCall && l.rec.Event == log.EventDecision {
			last.line = l.text
		}
	}
	last.again(e)
	if o.json {
		e.out.Write(append(last.object(e).end(), '\n'))
		return exitOK
	}
	last.print(e, n, where)
	return exitOK
}

// rest reads the options behind the N of --last N, which is no operand though
// options end there, and returns what is left over.
func (l *lastOptions) rest(fs *pflag.FlagSet, args []string) []string {
	if len(args) < 2 || fs.Parse(args[1:]) != nil {
		return args
	}
	return append(args[:1:1], fs.Args()...)
}

// number reads N of --last=N or --last N.
func (l *lastOptions) number(args []string) (int, error) {
	text := l.n
	if len(args) == 1 && text == defaultLast {
		text, args = args[0], nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case len(args) > 0:
		return 0, errors.New("--last takes its call from the log, and no command")
	case err != nil || n < 1:
		return 0, fmt.Errorf("--last %s: it is a number, 1 for the last call", quoteArg(text))
	}
	return n, nil
}

// lastOf returns the calls that are meant: those of the project of the working
// directory, in whatever session, or those of one session, in whatever project.
func lastOf(e *env, o *callOptions, l *lastOptions, b *logBook) (found []*loggedCall, where string) {
	if l.session != "" {
		for _, c := range b.calls {
			if strings.HasPrefix(c.Session, l.session) {
				found = append(found, c)
			}
		}
		return found, "of session " + hookio.Escape(l.session)
	}
	p := gate.Policy(hookio.Unread(hookio.Options{}), &o.Flags, e.world)
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
	p := gate.Policy(hookio.Unread(hookio.Options{}), &o.Flags, e.world)
	if a := p.Gate.Audit; p.Gate.AuditLevel().Level == "off" {
		return e.fail(`take "audit": "off" out, or set "decisions"`, "nothing is logged: the log is switched off (%s)", e.place(a.Pos))
	}
	return e.fail("permgate doctor says whether the hook is registered and the log can be written", "no call is logged in %s", e.path(dir))
}

// again decides the call anew, with the settings of now.
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
			out = append(out, d.name+" "+first(d.then, "none")+" -> "+first(d.now, "none"))
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
	fmt.Fprintf(e.out, "\n%s  %s  (%s)\n", v.paint(colour, word), first(loggedTitle(&l.Record), "-"), v.source(l.loggedCall))
	e.wrapped("  ", e.short(hookio.Escape(l.Reason)))
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
			line := fmt.Sprintf("  %-3s%-10s%s", hookio.Escape(t.Step), stepTitle(t.Step), v.paint(d, fmt.Sprintf("%-6s", map[bool]string{true: d.String(), false: "-"}[d != hookio.Pass])))
			e.columns(line, 19, e.short(first(hookio.Escape(t.Reason), "no opinion")))
		}
	}
	l.printNow(e)
}

// printNow shows what the call would be decided now, in explain's form where that differs.
func (l *lastCall) printNow(e *env) {
	e.heading("now")
	settings := "the settings are those of then"
	switch {
	case l.PolicyHash == "":
		settings = "whether the settings changed since is not logged"
	case l.changed:
		settings = "the settings have changed since"
	}
	if l.c == nil {
		e.wrapped("  ", settings+"; the call cannot be decided anew: "+l.why)
		return
	}
	diff := l.differs()
	if len(diff) == 0 {
		e.wrapped("  ", settings+"; it would be decided alike")
		return
	}
	e.wrapped("  ", settings+"; it would be decided otherwise:")
	for _, d := range diff {
		e.wrapped("  ", e.short(d))
	}
	fmt.Fprintln(e.out)
	explainAll(e, l.c, l.v)
}

// told says what the program was told and what became of the call.
func (l *lastCall) told() string {
	s := "the program was told: " + hookio.Escape(first(l.Answered, "nothing"))
	switch {
	case l.Fault != "" && l.Answered == "":
		s = "the hook ended with exit code 2, which blocks the call"
	case l.Observed:
		s = "observe mode: the program was told nothing, and would have been told: " + hookio.Escape(l.answered())
	case l.Answered == log.Silence:
		s = "the program was told nothing: it decides itself"
	}
	if b := l.became(); b != "" {
		s += "; " + b
	}
	if o := l.base().outcome; o != nil && o.OutcomeReason != "" {
		s += ": " + hookio.Escape(o.OutcomeReason)
	}
	return s
}

func stepTitle(num string) string {
	for i := range decide.Steps {
		if decide.Steps[i].Num == num {
			return decide.Steps[i].Name
		}
	}
	switch num {
	case "0":
		return "load"
	case "8":
		return "coercion"
	}
	return ""
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

// object is explain --last as JSON: the line as stored, and the call decided anew.
func (l *lastCall) object(e *env) *object {
	o := &object{}
	o.raw("logged", []byte(l.line))
	o.opt("outcome", l.became())
	if l.PolicyHash != "" {
		o.boolean("settings_changed", l.changed)
	}
	if l.c == nil {
		o.str("not_decided_anew", l.why)
		return o
	}
	o.strs("changed", l.differs())
	o.raw("now", explanation(e, l.c, l.v).end())
	return o
}
