package cli

import (
	"fmt"
	"slices"

	"permgate/hookio"
	"permgate/internal/state"
)

// grantee is the session that --for-session grants to; the call becomes one of it.
func (o *allowOptions) grantee(e *env, call *hookio.Call) (*session, int) {
	so := &sessionOptions{Flags: o.Flags, session: o.last.session}
	if so.session == "" {
		so.session = call.SessionID
	}
	s, code := so.find(e)
	if s == nil {
		return nil, code
	}
	if why := s.void(e); why != "" {
		return nil, e.fail("permgate session show explains why", "no grant would count: %s", why)
	}
	call.SessionID, call.Project = s.id, s.project
	return s, exitOK
}

// grant writes the picked rules into the session's file.
func (a *allowing) grant(picked []string) int {
	if a.o.dryRun || !a.o.yes {
		for _, rule := range picked {
			fmt.Fprintf(a.out, "+ allow %s\n", hookio.Escape(rule))
		}
	}
	if a.o.dryRun {
		return exitOK
	}
	if !a.o.yes {
		if code := a.confirm("grant this?"); code != exitOK {
			return code
		}
	}
	now, err := a.session.store.Update(a.session.id, a.session.project, func(now *state.Session) error {
		for _, rule := range picked {
			if !slices.Contains(now.Allow, rule) {
				now.Allow = append(now.Allow, rule)
			}
		}
		return nil
	})
	if err != nil {
		return a.failFile(err)
	}
	a.wrapped("", "granted until "+minute(now.Since.Add(state.MaxAge))+", or until the session ends")
	a.verdictNow()
	return exitOK
}
