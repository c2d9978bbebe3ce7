package cli

import (
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

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
// directory, in whatever session, or those of one session, in whatever project.
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
