package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

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
	args string // name the call to permgate allow

	changed bool         // the settings are others than then
	why     string       // why it cannot be decided anew; "" when it was
	c       *decide.Case // nil when it cannot be decided anew
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
		e.out.Write(append(last.object(e).end(), '\n'))
		return exitOK
	}
	last.print(e, n, where)
	return exitOK
}

// find takes the call from the log that is meant, the nth from the end of those
// that where describes. Without one it says so and returns nil.
func (l *lastOptions) find(e *env, o *callOptions, args []string) (last *lastCall, n int, where string, code int) {
	n, err := l.number(args)
	if err != nil {
		return nil, n, "", e.fail(e.cmd+" --last=2 is the last call but one", "%v", err)
	}
	book, dir, err := e.book(o)
	if err != nil {
		return nil, n, "", e.fail("permgate doctor looks at the state folder", "the log cannot be read: %v", err)
	}
	found, where := lastOf(e, o, l, book)
	switch {
	case len(book.calls) == 0:
		return nil, n, where, e.nothingLogged(o, dir)
	case len(found) == 0:
		return nil, n, where, e.fail("permgate log -n 5 lists the last calls anywhere, --session ID takes one of any project", "no call is logged %s", where)
	case len(found) < n:
		return nil, n, where, e.fail(fmt.Sprintf("%s --last=%d is the oldest", e.cmd, len(found)), "only %s logged %s", plural(len(found), "call is", "calls are"), where)
	}
	last = &lastCall{loggedCall: found[len(found)-n], args: fmt.Sprintf("--last=%d", n)}
	if l.session != "" {
		last.args += " --session " + rules.Quote(l.session)
	}
	for i := range book.lines {
		if l := &book.lines[i]; l.call == last.loggedCall && l.rec.Event == log.EventDecision {
			last.line = l.text
		}
	}
	return last, n, where, exitOK
}

// book reads the whole log, which lies in dir.
func (e *env) book(o *callOptions) (book *logBook, dir string, err error) {
	book = &logBook{texts: true}
	tail := &log.Tail{Dir: logDir(e, &o.Flags)}
	defer tail.Close()
	if err := tail.Next(book.add); err != nil {
		return nil, tail.Dir, err
	}
	tail.End(book.add)
	book.settle()
	return book, tail.Dir, nil
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
