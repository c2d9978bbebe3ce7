package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/rules"
)

type sessionOptions struct {
	gate.Flags // --state and --home only
	subcmd.WriteOptions
	session string
	json    bool
	saved   bool // reset: the allow rules of the project's local settings as well
}

func (o *sessionOptions) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.session, "session", "", "the session: its `ID`, or the start of a logged one; default: the newest of this project")
	fs.StringVar(&o.State, "state", "", "folder of the session state")
	fs.StringVar(&o.Home, "home", "", "home directory, for that folder")
}

func sessionCommand() *subcmd.Command {
	var o sessionOptions
	show := func(fs *pflag.FlagSet) {
		o.register(fs)
		fs.BoolVar(&o.json, "json", false, "print JSON")
	}
	all := grantAll(allowAllLine, func(s *state.Session) *bool { return &s.All },
		"nothing is asked about any more but what deny rules, step 2 and writes outside the workspace are for")
	edits := grantAll(allowEditsLine, func(s *state.Session) *bool { return &s.AllEdits })
	bash := grantAll(allowBashLine, func(s *state.Session) *bool { return &s.AllBash })
	return &subcmd.Command{
		Name:  "session",
		Args:  "[show | allow-all | allow-edits | allow-bash | allow RULE | add-dir DIR | reset]",
		Short: "show or change what a running session may do beyond the settings",
		Long: `Shows or changes the grants of one running session, like "allow this for the session"
in an agent program's dialog. They count in step 4. Deny rules, step 2 and the prompt
for writes outside the workspace still apply; ordinary ask rules are silenced, as by
every grant. Grants end with the session, after 7 days, or when the session works in
another project. What you said yes to in the program's own dialog is listed as well
("rememberYes" in permgate.json): it is not asked again for 12 hours.

Without --session it is the newest session of this project in the log. If two of them
made a call within the last hour, permgate does not guess.

Grants need a terminal to confirm on, or --yes.`,
		Examples: []subcmd.Example{
			{"permgate session", "the grants"},
			{"permgate session allow-all", "everything but what deny rules, step 2 and writes outside the workspace stop"},
			{"permgate session allow-edits", "Edit, Write and NotebookEdit, in the workspace"},
			{"permgate session allow 'Bash(npm test:*)'", "a rule, for this session only"},
			{"permgate session allow WebFetch", "every call of one tool"},
			{"permgate session add-dir ../lib", "another directory writes may go to"},
			{"permgate session reset --session 0c9e --yes", "remove all grants, and be asked everything again"},
			{"permgate session reset --saved", "and what permgate allow, or the program, saved for the project"},
		},
		Flags: show,
		Run: func(e *subcmd.Env, args []string) int {
			if len(args) > 0 {
				return e.Fail("permgate help session lists the verbs", "no %s", subcmd.QuoteArg(args[0]))
			}
			return showSession(e, &o)
		},
		Subs: []*subcmd.Command{
			{Name: "show", Short: "show the grants and when they end", Flags: show,
				Run: func(e *subcmd.Env, args []string) int { return o.none(e, args, showSession) }},
			o.verb("allow-all", "", "allow every call that deny rules, step 2 and writes outside the workspace do not stop", all),
			o.verb("allow-edits", "", "allow Edit, Write and NotebookEdit in the workspace", edits),
			o.verb("allow-bash", "", "allow every Bash command", bash),
			o.verb("allow", "RULE", "allow what a rule matches; a bare tool name allows all its calls", (*granting).rule),
			o.verb("add-dir", "DIR", "make a directory part of the workspace", (*granting).dir),
			o.verb("reset", "", "remove all grants, and forget what you said yes to", nil),
		},
	}
}

// verb is a command that changes what is granted; without a grant it takes everything back.
func (o *sessionOptions) verb(name, args, short string, grant func(*granting, string) error) *subcmd.Command {
	operands := ""
	if args == "DIR" {
		operands = "dir -"
	}
	return &subcmd.Command{
		Name: name, Args: args, Short: short, Operands: operands,
		Flags: func(fs *pflag.FlagSet) {
			o.WriteOptions.Register(fs)
			o.register(fs)
			if grant == nil {
				fs.BoolVar(&o.saved, "saved", false, "also remove the allow rules in the project's settings.local.json")
			}
		},
		Run: func(e *subcmd.Env, operands []string) int {
			if args == "" {
				return o.none(e, operands, func(e *subcmd.Env, o *sessionOptions) int { return grantSession(e, o, grant, "") })
			}
			if len(operands) != 1 {
				return e.Fail("quote it: "+e.Cmd+" '"+args+"'", "takes one %s, not %d", args, len(operands))
			}
			return grantSession(e, o, grant, operands[0])
		},
	}
}

func (o *sessionOptions) none(e *subcmd.Env, operands []string, run func(*subcmd.Env, *sessionOptions) int) int {
	if len(operands) > 0 {
		return e.Fail("permgate help session lists the verbs", "takes no operand, and got %s", subcmd.QuoteArg(operands[0]))
	}
	return run(e, o)
}

type session struct {
	id, project string
	host        string    // as logged; "" when the session is not in the log
	last        time.Time // of its last call
	ended       bool      // the program said that it is over
	cwd         string

	policy *rules.Policy
	store  *state.Store
	foul   string // why the state folder does not count
}

// active is how long after its last call a session may be the one that is meant.
const active = time.Hour

// find settles which session is meant; nil when that is not clear, which it then has said.
func (o *sessionOptions) find(e *subcmd.Env) (*session, int) {
	here := e.PolicyUnder(nil, &o.Flags)
	all, err := loggedSessions(gate.LogDir(&o.Flags, e.World, here))
	if err != nil {
		return nil, e.Fail("permgate doctor checks the state folder", "the log cannot be read: %v", err)
	}
	var s *session
	code := subcmd.ExitOK
	if o.session != "" {
		s, code = o.named(e, all)
	} else {
		s, code = o.newest(e, all, here)
	}
	if s == nil {
		return nil, code
	}
	call := subcmd.CallOf(hookio.Lookup(s.host))
	call.Cwd, call.Project, call.SessionID = s.cwd, s.project, s.id
	s.policy = gate.Policy(call, &o.Flags, e.World)
	s.project = s.policy.Project.Given
	s.store = gate.Sessions(&o.Flags, e.World)
	s.foul = gate.SessionStoreProblem(&o.Flags, e.World, s.policy)
	return s, subcmd.ExitOK
}

// named is the session of --session: its id, or the beginning of one that is logged.
func (o *sessionOptions) named(e *subcmd.Env, all []*session) (*session, int) {
	if state.File("/", o.session) == "" {
		return nil, e.Fail("permgate log --json shows the ids",
			"%s is not a valid session id: use letters, digits and . _ -", subcmd.QuoteArg(o.session))
	}
	var found []*session
	for _, s := range all {
		if s.id == o.session {
			return s, subcmd.ExitOK
		}
		if strings.HasPrefix(s.id, o.session) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return &session{id: o.session}, subcmd.ExitOK
	case 1:
		return found[0], subcmd.ExitOK
	}
	return nil, e.FailOf("add --session ID, with one of these ids", listedSessions(e, found),
		"several sessions start with %s:", o.session)
}

// newest is the session of this project with the last call, unless another one is at work too.
func (o *sessionOptions) newest(e *subcmd.Env, all []*session, here *rules.Policy) (*session, int) {
	var found []*session
	for _, s := range all {
		if !s.ended && e.World.Now.Sub(s.last) <= state.MaxAge &&
			(s.project == here.Project.Given || subcmd.Within(s.cwd, here.Project)) {
			found = append(found, s)
		}
	}
	where := "below " + e.Path(here.Project.Given)
	if here.Project.Given == e.World.OS.Canon(e.World.Cwd) {
		where = "in this project"
	}
	switch {
	case len(found) == 0:
		return nil, e.Fail(e.Cmd+" --session ID, with the id the agent program shows; permgate log --json shows the ids of logged calls",
			"no active session made a call %s", where)
	case len(found) > 1 && e.World.Now.Sub(found[1].last) <= active:
		n := 2
		for n < len(found) && e.World.Now.Sub(found[n].last) <= active {
			n++
		}
		return nil, e.FailOf("add --session ID, with one of these ids", listedSessions(e, found[:n]),
			"%d sessions are active %s:", n, where)
	}
	return found[0], subcmd.ExitOK
}

func listedSessions(e *subcmd.Env, list []*session) (lines []string) {
	for _, s := range list {
		lines = append(lines, fmt.Sprintf("%s  %s, last call %s", s.id, programTitle(s.host), subcmd.Ago(e.World.Now.Sub(s.last))))
	}
	return lines
}

// loggedSessions returns the logged sessions whose id a state file can have, that of the last call first.
func loggedSessions(dir string) ([]*session, error) {
	byID := map[string]*session{}
	var all []*session
	_, err := log.ReadDir(dir, func(r *log.Record) {
		if state.File("/", r.Session) == "" {
			return
		}
		s := byID[r.Session]
		if s == nil {
			s = &session{id: r.Session}
			byID[r.Session], all = s, append(all, s)
		}
		if s.last.After(r.Time) {
			return
		}
		s.last = r.Time
		if r.Event != log.EventOutcome { // which may come after the end
			s.ended = r.Event == log.EventSessionEnd
		}
		s.host, s.cwd, s.project = cmp.Or(r.Host, s.host), cmp.Or(r.Cwd, s.cwd), cmp.Or(r.Project, s.project)
	})
	slices.SortStableFunc(all, func(a, b *session) int { return b.last.Compare(a.last) })
	return all, err
}

// read returns what is granted, nothing where the file is of another project or too old.
func (s *session) read() (state.Session, time.Time, error) {
	had, until, err := s.store.Read(s.id)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, state.ErrExpired), err == nil && had.Project != s.project:
		return state.Session{}, until, nil
	}
	return had, until, err
}

// void says why nothing that is granted for the session counts, "" if it does.
func (s *session) void(e *subcmd.Env) string {
	switch p := s.policy; {
	case p.Posture.NoSessionGrants.On():
		return "disableSessionGrants is set" + e.From(p.Posture.NoSessionGrants)
	case p.ManagedOnly.On():
		return "allowManagedPermissionRulesOnly is set" + e.From(p.ManagedOnly)
	}
	return s.foul
}

func (s *session) title(e *subcmd.Env) string {
	how := "not in the log"
	if !s.last.IsZero() {
		how = programTitle(s.host) + ", last call " + subcmd.Ago(e.World.Now.Sub(s.last))
	}
	if s.ended {
		how += ", ended"
	}
	return fmt.Sprintf("session %s (%s) in %s", hookio.Escape(s.id), how, e.Path(s.project))
}

func programTitle(host string) string {
	if h := hookio.Lookup(host); h != nil {
		return h.Title
	}
	return cmp.Or(hookio.Escape(host), "unknown program")
}

// showSession prints the grants of a session, until when, and which do not count.
func showSession(e *subcmd.Env, o *sessionOptions) int {
	s, code := o.find(e)
	if s == nil {
		return code
	}
	had, until, err := s.store.Read(s.id)
	none, void := "", s.void(e)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, state.ErrExpired):
		none = "the grants ended on " + state.Minute(until)
	case err != nil:
		none = err.Error()
	case had.Project != s.project:
		none = "the grants were for " + e.Path(had.Project)
	}
	if none != "" || err != nil {
		had, until = state.Session{}, time.Time{}
	}
	had.Timed = slices.DeleteFunc(had.Timed, func(t state.Timed) bool { return !had.Live(&t, e.World.Now) })
	var dropped []rules.Dropped
	if void == "" && err == nil {
		before := len(s.policy.Dropped)
		s.store.Load(state.Use{Session: s.id}, s.policy, e.World.PasswdHome, e.World.Getenv("HOME"))
		dropped = s.policy.Dropped[before:]
	}
	questions, unread := s.store.Questions(s.id, s.project)
	if o.json {
		return e.PrintObject(s.object(&had, until, none, void, dropped, questions.Yes))
	}
	fmt.Fprintln(e.Out, s.title(e))
	for _, line := range lines(&had) {
		fmt.Fprintf(e.Out, "  %s\n", hookio.Escape(line))
	}
	for _, d := range dropped {
		e.Wrapped("  ", "does not count: "+hookio.Escape(d.Text+": "+d.Why))
	}
	switch {
	case none != "":
		e.Wrapped("  ", "no grants: "+hookio.Escape(none))
	case had.Empty():
		e.Wrapped("  ", "no grants")
	default:
		e.Wrapped("  ", "until "+state.Minute(until)+" or the end of the session   "+e.Path(state.File(s.store.Dir, s.id)))
	}
	if void != "" {
		e.Wrapped("  ", "the grants do not count: "+void)
	}
	showYes(e, s.policy, questions.Yes)
	if unread != nil {
		e.Wrapped("  ", "what you said yes to does not count: "+hookio.Escape(unread.Error()))
	}
	return subcmd.ExitOK
}

// showYes prints what the person said yes to, a line each, and whether it counts.
func showYes(e *subcmd.Env, p *rules.Policy, list []facts.Yes) {
	for i := range list {
		e.Wrapped("  ", "not asked again: "+hookio.Escape(list[i].String())+", until "+state.Minute(list[i].At.Add(state.YesAge)))
	}
	if len(list) > 0 && !p.Posture.RememberYes.On() {
		e.Wrapped("  ", `it is asked again, because "rememberYes" is not true`+e.From(p.Posture.RememberYes))
	}
}

func (s *session) object(had *state.Session, until time.Time, none, void string, dropped []rules.Dropped, yes []facts.Yes) *subcmd.Object {
	o := &subcmd.Object{}
	o.Add("session", s.id, "host", subcmd.Opt(s.host))
	if !s.last.IsZero() {
		o.Add("last_call", s.last.UTC().Format(time.RFC3339))
	}
	o.Add("over", s.ended, "project", s.project, "file", state.File(s.store.Dir, s.id), "allow_all", had.All,
		"allow_all_edits", had.AllEdits, "allow_all_bash", had.AllBash)
	o.List("timed", len(had.Timed), func(i int, o *subcmd.Object) {
		t := &had.Timed[i]
		o.Add("rule", t.Rule, "until", t.Until.UTC().Format(time.RFC3339), "once", t.Once, "used", t.Used)
	})
	o.Add("allow", had.Allow, "dirs", had.Dirs)
	if !had.Empty() {
		o.Add("until", until.UTC().Format(time.RFC3339))
	}
	o.Add("nothing_granted", subcmd.Opt(none), "nothing_counts", subcmd.Opt(void))
	o.List("dropped", len(dropped), func(i int, o *subcmd.Object) {
		o.Add("text", dropped[i].Text, "why", dropped[i].Why)
	})
	o.List("yes", len(yes), func(i int, o *subcmd.Object) {
		o.Add("kind", yes[i].Kind, "path", yes[i].Given, "resolved", yes[i].Real, "at", yes[i].At.UTC().Format(time.RFC3339))
	})
	return o
}

func lines(s *state.Session) (out []string) {
	if s.All {
		out = append(out, allowAllLine)
	}
	if s.AllEdits {
		out = append(out, allowEditsLine)
	}
	if s.AllBash {
		out = append(out, allowBashLine)
	}
	for _, r := range s.Allow {
		out = append(out, "allow "+r)
	}
	for i := range s.Timed {
		line := "allow " + s.Timed[i].Rule
		if s.Timed[i].Once {
			line += ", once"
		}
		if s.Timed[i].Used {
			line += ", used"
		}
		out = append(out, line+", until "+state.Minute(s.Timed[i].Until))
	}
	for _, d := range s.Dirs {
		out = append(out, "directory "+rules.NativeOS().Native(d))
	}
	return out
}
