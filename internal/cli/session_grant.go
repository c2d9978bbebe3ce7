package cli

import (
	"fmt"

	"permgate/hookio"
	"permgate/internal/state"
)

// grantSession grants something, or takes everything back.
func grantSession(e *env, o *sessionOptions, grant func(*granting, string) error, operand string) int {
	s, code := o.find(e)
	if s == nil {
		return code
	}
	if grant == nil {
		return resetSession(e, o, s)
	}
	if why := s.void(e); why != "" {
		return e.fail("permgate session show says more", "nothing that is granted would count: %s", why)
	}
	g := &granting{session: s, e: e}
	if err := grant(g, operand); err != nil {
		return e.fail("nothing was granted", "%s", hookio.Escape(err.Error()))
	}
	had, until, err := s.read()
	if err != nil {
		return e.fail("permgate session reset --session "+s.id+" removes the file", "%v", err)
	}
	fmt.Fprintln(e.out, s.title(e))
	for _, n := range g.notes {
		e.wrapped("  note: ", n)
	}
	if g.has(&had) {
		fmt.Fprintf(e.out, "  %s: granted already, until %s\n", hookio.Escape(g.line), minute(until))
		return exitOK
	}
	fmt.Fprintf(e.out, "+ %s\n", hookio.Escape(g.line))
	if o.dryRun {
		return exitOK
	}
	if !o.yes {
		if code := e.confirm("grant this?"); code != exitOK {
			return code
		}
	}
	now, err := s.store.Update(s.id, s.project, func(now *state.Session) error {
		if !g.has(now) {
			g.apply(now)
		}
		return nil
	})
	if err != nil {
		return e.failFile(err)
	}
	e.wrapped("", "granted until "+minute(now.Since.Add(state.MaxAge))+", or until the session ends; deny rules, step 2 and writes outside the workspace stay as they are")
	return exitOK
}

// resetSession takes everything back.
func resetSession(e *env, o *sessionOptions, s *session) int {
	name := state.File(s.store.Dir, s.id)
	if !exists(name) {
		fmt.Fprintln(e.out, s.title(e))
		fmt.Fprintln(e.out, "  nothing is granted")
		return exitOK
	}
	fmt.Fprintln(e.out, s.title(e))
	had, _, err := s.read()
	for _, line := range lines(&had) {
		fmt.Fprintf(e.out, "- %s\n", hookio.Escape(line))
	}
	if err != nil {
		e.wrapped("- ", err.Error())
	}
	if o.dryRun {
		return exitOK
	}
	if !o.yes {
		if code := e.confirm("take this back?"); code != exitOK {
			return code
		}
	}
	if err := s.store.Forget(s.id); err != nil {
		return e.failFile(err)
	}
	fmt.Fprintln(e.out, "nothing is granted any more")
	return exitOK
}
