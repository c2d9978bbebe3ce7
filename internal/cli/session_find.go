package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/rules"
)

// A session is the one a command is about.
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

// find settles which session is meant; nil when that is not clear, which it
// then has said.
func (o *sessionOptions) find(e *env) (*session, int) {
	here := e.policyUnder(nil, &o.Flags)
	all, err := loggedSessions(gate.LogDir(&o.Flags, e.world, here))
	if err != nil {
		return nil, e.fail("permgate doctor checks the state folder", "the log cannot be read: %v", err)
	}
	var s *session
	code := exitOK
	if o.session != "" {
		s, code = o.named(e, all)
	} else {
		s, code = o.newest(e, all, here)
	}
	if s == nil {
		return nil, code
	}
	call := callOf(hookio.Lookup(s.host))
	call.Cwd, call.Project, call.SessionID = s.cwd, s.project, s.id
	s.policy = gate.Policy(call, &o.Flags, e.world)
	s.project = s.policy.Project.Given
	s.store = gate.Sessions(&o.Flags, e.world)
	s.foul = gate.SessionStoreProblem(&o.Flags, e.world, s.policy)
	return s, exitOK
}

// named is the session of --session: its id, or the beginning of one that is logged.
func (o *sessionOptions) named(e *env, all []*session) (*session, int) {
	if state.File("/", o.session) == "" {
		return nil, e.fail("permgate log --json shows the ids",
			"%s is not a valid session id: use letters, digits and . _ -", quoteArg(o.session))
	}
	var found []*session
	for _, s := range all {
		if s.id == o.session {
			return s, exitOK
		}
		if strings.HasPrefix(s.id, o.session) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return &session{id: o.session}, exitOK
	case 1:
		return found[0], exitOK
	}
	return nil, e.failOf("add --session ID, with one of these ids", e.listed(found),
		"several sessions start with %s:", o.session)
}

// newest is the session of this project that made the last call, unless another
// one is at work too.
func (o *sessionOptions) newest(e *env, all []*session, here *rules.Policy) (*session, int) {
	var found []*session
	for _, s := range all {
		if !s.ended && e.world.Now.Sub(s.last) <= state.MaxAge &&
			(s.project == here.Project.Given || within(s.cwd, here.Project)) {
			found = append(found, s)
		}
	}
	where := "below " + e.path(here.Project.Given)
	if here.Project.Given == e.world.Cwd {
		where = "in this project"
	}
	switch {
	case len(found) == 0:
		return nil, e.fail(e.cmd+" --session ID, with the id the agent program shows; permgate log --json shows the ids of logged calls",
			"no active session made a call %s", where)
	case len(found) > 1 && e.world.Now.Sub(found[1].last) <= active:
		n := 2
		for n < len(found) && e.world.Now.Sub(found[n].last) <= active {
			n++
		}
		return nil, e.failOf("add --session ID, with one of these ids", e.listed(found[:n]),
			"%d sessions are active %s:", n, where)
	}
	return found[0], exitOK
}

// listed is a list of sessions for a message.
func (e *env) listed(list []*session) (lines []string) {
	for _, s := range list {
		lines = append(lines, fmt.Sprintf("%s  %s, last call %s", s.id, programTitle(s.host), ago(e.world.Now.Sub(s.last))))
	}
	return lines
}

// loggedSessions returns the sessions of the log, the one that made the last
// call first. Ids that cannot be those of a state file are left out.
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

// read returns what is granted, nothing where the file is of another project
// or too old.
func (s *session) read() (state.Session, time.Time, error) {
	had, until, err := s.store.Read(s.id)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, state.ErrExpired), err == nil && had.Project != s.project:
		return state.Session{}, until, nil
	}
	return had, until, err
}

// void says why nothing that is granted for the session counts, "" if it does.
func (s *session) void(e *env) string {
	switch p := s.policy; {
	case p.Posture.NoSessionGrants.On():
		return "disableSessionGrants is set" + e.from(p.Posture.NoSessionGrants)
	case p.ManagedOnly.On():
		return "allowManagedPermissionRulesOnly is set" + e.from(p.ManagedOnly)
	}
	return s.foul
}

// title names the session and says how it was found.
func (s *session) title(e *env) string {
	how := "not in the log"
	if !s.last.IsZero() {
		how = programTitle(s.host) + ", last call " + ago(e.world.Now.Sub(s.last))
	}
	if s.ended {
		how += ", ended"
	}
	return fmt.Sprintf("session %s (%s) in %s", hookio.Escape(s.id), how, e.path(s.project))
}

// minute is a time as messages show it.
func minute(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// programTitle is how the title calls a program.
func programTitle(host string) string {
	if h := hookio.Lookup(host); h != nil {
		return h.Title
	}
	return cmp.Or(hookio.Escape(host), "unknown program")
}
