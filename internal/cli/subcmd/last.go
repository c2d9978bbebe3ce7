package subcmd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// LastOptions are the options that take a call from the log.
type LastOptions struct {
	N       string // "" when --last was not given
	Session string
}

// Register adds --last and --session: with goes before what --last does, session says what the other one does.
func (l *LastOptions) Register(fs *pflag.FlagSet, with, session string) {
	fs.StringVar(&l.N, "last", "", with+"the `N`th last call in the log instead of one given here")
	fs.Lookup("last").NoOptDefVal = defaultLast
	fs.StringVar(&l.Session, "session", "", session)
}

// Subject is the call that operands or --last name and its flags; nil when it said why there is none. forms is the
// command whose help shows operands, cannot what is not done with a call that was not logged whole.
func (l *LastOptions) Subject(e *Env, o *CallOptions, args []string, forms, cannot string) (call *hookio.Call,
	f *gate.Flags, code int) {
	if l.N == "" {
		call, err := o.Call(e, args)
		if err != nil {
			return nil, nil, e.Fail("permgate help "+forms+" shows the forms", "%v", err)
		}
		return call, &o.Flags, ExitOK
	}
	last, _, _, code := l.Find(e, o, args)
	if last == nil {
		return nil, nil, code
	}
	call, f, why := gate.Again(&last.Record)
	if call == nil {
		return nil, nil, e.Fail("permgate explain --last shows what was logged", "%s: %s", cannot, why)
	}
	return call, f, ExitOK
}

// Find takes the nth last of the logged calls that where describes; nil when it said why there is none.
func (l *LastOptions) Find(e *Env, o *CallOptions, args []string) (last *LastCall, n int, where string, code int) {
	n, err := l.number(args)
	if err != nil {
		return nil, n, "", e.Fail(e.Cmd+" --last=2 is the last call but one", "%v", err)
	}
	index, dir, err := e.Index(o)
	if err != nil {
		return nil, n, "", e.Fail("permgate doctor checks the state folder", "the log cannot be read: %v", err)
	}
	found, where := lastOf(e, o, l, index)
	switch {
	case len(index.Calls) == 0:
		return nil, n, where, e.nothingLogged(o, dir)
	case len(found) == 0:
		return nil, n, where, e.Fail("permgate log -n 5 lists the last calls anywhere, --session ID takes one of any project", "no call is logged %s", where)
	case len(found) < n:
		return nil, n, where, e.Fail(fmt.Sprintf("%s --last=%d is the oldest", e.Cmd, len(found)),
			"only %s logged %s", Plural(len(found), "call is", "calls are"), where)
	}
	last = &LastCall{LoggedCall: found[len(found)-n], Args: fmt.Sprintf("--last=%d", n)}
	if l.Session != "" {
		last.Args += " --session " + grammar.Quote(l.Session)
	}
	for i := range index.Lines {
		if l := &index.Lines[i]; l.Call == last.LoggedCall && l.Rec.Event == log.EventDecision && last.Line == "" {
			last.Line = l.Text
		}
	}
	return last, n, where, ExitOK
}

func (l *LastOptions) number(args []string) (int, error) {
	text := l.N
	if len(args) == 1 && text == defaultLast {
		text, args = args[0], nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case len(args) > 0:
		return 0, errors.New("--last takes its call from the log, not from a command")
	case err != nil || n < 1:
		return 0, fmt.Errorf("--last %s: not a number; 1 is the last call", QuoteArg(text))
	}
	return n, nil
}

// looks reports whether a call was an agent's look at the log, or started a skill that takes one: the call it asks
// about is one before. A denied one is a call like any other.
func looks(c *LoggedCall) bool {
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

const defaultLast = "1"

// A LastCall is one call of the log and how it would be decided now.
type LastCall struct {
	*LoggedCall
	Line string // as it is stored
	Args string // name the call to permgate allow

	Changed bool         // the settings are others than then
	Why     string       // why it cannot be decided again; "" when it was
	Case    *decide.Case // nil when it cannot be decided again
	Verdict decide.Verdict
}

// Again decides the call again, under the settings of now.
func (l *LastCall) Again(e *Env) {
	call, f, why := gate.Again(&l.Record)
	if call == nil {
		l.Why = why
		call = hookio.Unread(hookio.Options{Host: l.Host, Event: l.HostEvent})
		call.Cwd, call.Project, call.AgentID, call.AgentType = l.Cwd, l.Project, l.AgentID, l.AgentType
		l.Changed = l.PolicyHash != gate.Policy(call, f, e.World).Hash()
		return
	}
	l.Case = gate.Case(call, f, e.World)
	l.Verdict = decide.Decide(l.Case)
	l.Changed = l.PolicyHash != l.Case.Policy.Hash()
}

// Index reads the whole log in dir.
func (e *Env) Index(o *CallOptions) (index *LogIndex, dir string, err error) {
	index = &LogIndex{Texts: true}
	tail := &log.Tail{Dir: LogDir(e, &o.Flags)}
	defer tail.Close()
	if err := tail.Next(index.Add); err != nil {
		return nil, tail.Dir, err
	}
	tail.End(index.Add)
	index.Settle()
	return index, tail.Dir, nil
}

// lastOf returns the calls meant: those of this project in any session, or of one session anywhere.
func lastOf(e *Env, o *CallOptions, l *LastOptions, b *LogIndex) (found []*LoggedCall, where string) {
	where = "of session " + hookio.Escape(l.Session)
	meant := func(c *LoggedCall) bool { return strings.HasPrefix(c.Session, l.Session) }
	if l.Session == "" {
		p := e.PolicyUnder(nil, &o.Flags).Project
		where = "below " + e.Path(p.Given)
		meant = func(c *LoggedCall) bool {
			return c.Project == p.Given || Within(c.Cwd, p) || c.Project == "" && c.Cwd == ""
		}
	}
	for _, c := range b.Calls {
		if meant(c) && !looks(c) {
			found = append(found, c)
		}
	}
	return found, where
}

// Within reports whether a file or folder is below a directory.
func Within(name string, dir rules.Path) bool {
	return rules.Within(name, dir.Given) || rules.Within(name, dir.Real)
}

// InProject reports whether a recorded call is one of a project: it was made in it, or below its directory.
func InProject(dir, project, cwd string) bool {
	dir = rules.NativeOS().Canon(dir)
	return project == dir || rules.Within(cwd, dir)
}

func (e *Env) nothingLogged(o *CallOptions, dir string) int {
	p := e.PolicyUnder(nil, &o.Flags)
	if a := p.Posture.Audit; p.Posture.AuditLevel().Level == "off" {
		return e.Fail(`remove "audit": "off", or set "decisions"`,
			"nothing is logged: the log is switched off (%s)", e.Place(a.Pos))
	}
	return e.Fail("permgate doctor checks that the hook is registered and the log is writable",
		"no call is logged in %s", e.Path(dir))
}

// Ago spells how long ago something was.
func Ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return Plural(max(int(d.Seconds()), 0), "second", "seconds") + " ago"
	case d < time.Hour:
		return Plural(int(d.Minutes()), "minute", "minutes") + " ago"
	case d < 48*time.Hour:
		return Plural(int(d.Hours()), "hour", "hours") + " ago"
	}
	return Plural(int(d.Hours()/24), "day", "days") + " ago"
}
