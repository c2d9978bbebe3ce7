package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
	"github.com/spf13/pflag"
	"github.com/tidwall/gjson"
)

// lastOptions are the options that take a call from the log.
type lastOptions struct {
	n       string // "" when --last was not given
	session string
}

// register adds --last and --session; with is written before what --last does, and
// session says what the other one is for.
func (l *lastOptions) register(fs *pflag.FlagSet, with, session string) {
	fs.StringVar(&l.n, "last", "", with+"the `N`th last call in the log instead of one given here")
	fs.Lookup("last").NoOptDefVal = defaultLast
	fs.StringVar(&l.session, "session", "", session)
}

// subject is the call that the operands or --last name, and the flags it is
// decided with; without one it says so and returns nil. forms is the command
// whose help shows the operands, and cannot what is not done with a call that
// was not logged whole.
func (l *lastOptions) subject(e *env, o *callOptions, args []string, forms, cannot string) (call *hookio.Call,
	f *gate.Flags, code int) {
	if l.n == "" {
		call, err := o.call(e, args)
		if err != nil {
			return nil, nil, e.fail("permgate help "+forms+" shows the forms", "%v", err)
		}
		return call, &o.Flags, exitOK
	}
	last, _, _, code := l.find(e, o, args)
	if last == nil {
		return nil, nil, code
	}
	call, f, why := gate.Again(&last.Record)
	if call == nil {
		return nil, nil, e.fail("permgate explain --last shows what was logged", "%s: %s", cannot, why)
	}
	return call, f, exitOK
}

// find takes the call from the log that is meant, the nth from the end of those
// that where describes. Without one it says so and returns nil.
func (l *lastOptions) find(e *env, o *callOptions, args []string) (last *lastCall, n int, where string, code int) {
	n, err := l.number(args)
	if err != nil {
		return nil, n, "", e.fail(e.cmd+" --last=2 is the last call but one", "%v", err)
	}
	index, dir, err := e.index(o)
	if err != nil {
		return nil, n, "", e.fail("permgate doctor checks the state folder", "the log cannot be read: %v", err)
	}
	found, where := lastOf(e, o, l, index)
	found = slices.DeleteFunc(found, looks)
	switch {
	case len(index.calls) == 0:
		return nil, n, where, e.nothingLogged(o, dir)
	case len(found) == 0:
		return nil, n, where, e.fail("permgate log -n 5 lists the last calls anywhere, --session ID takes one of any project", "no call is logged %s", where)
	case len(found) < n:
		return nil, n, where, e.fail(fmt.Sprintf("%s --last=%d is the oldest", e.cmd, len(found)),
			"only %s logged %s", plural(len(found), "call is", "calls are"), where)
	}
	last = &lastCall{loggedCall: found[len(found)-n], args: fmt.Sprintf("--last=%d", n)}
	if l.session != "" {
		last.args += " --session " + rules.Quote(l.session)
	}
	for i := range index.lines {
		if l := &index.lines[i]; l.call == last.loggedCall && l.rec.Event == log.EventDecision && last.line == "" {
			last.line = l.text
		}
	}
	return last, n, where, exitOK
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
		return 0, errors.New("--last takes its call from the log, not from a command")
	case err != nil || n < 1:
		return 0, fmt.Errorf("--last %s: not a number; 1 is the last call", quoteArg(text))
	}
	return n, nil
}

// looks reports whether a call was an agent's look at the log, or its start of a skill that takes one: the call it asks
// about is one before. One that was denied is a call as any other.
func looks(c *loggedCall) bool {
	switch input := gjson.Parse(c.Input); {
	case c.Answered == hookio.Deny.String():
		return false
	case c.Tool == "Skill":
		return strings.HasPrefix(input.Get("skill").Str, "permgate:")
	default:
		text := input.Get("command").Str
		return (strings.HasPrefix(text, "permgate explain ") || strings.HasPrefix(text, "permgate log")) &&
			!strings.ContainsAny(text, ";&|<>()$`\n")
	}
}

// defaultLast is the value of --last alone.
const defaultLast = "1"

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

// within reports whether a file or folder is below a directory.
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
