package cli

import (
	"fmt"
	"slices"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
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

// origins proposes entries of urls.allow in place of rules, where that list asks
// about what the call fetches. They go into the user's permgate.json that has the
// list: only user and managed files may have one.
func (a *allowing) origins() (out []propose.Proposal, code int) {
	open := decide.Unlisted(a.c, a.v)
	if len(open) == 0 || a.into.List != rules.Allow || a.session != nil {
		return nil, exitOK
	}
	g := &a.c.Policy.Posture
	from := g.URLsSet
	for i := range g.URLAllow {
		if r := &g.URLAllow[i]; from.Scope != rules.User && r.Scope == rules.User {
			from = rules.Setting{Scope: r.Scope, Pos: r.Pos}
		}
	}
	switch {
	case from.Scope != rules.User:
		return nil, a.fail("only an administrator changes managed settings, by hand",
			"urls.allow is set in %s and does not name the address", a.path(from.Pos.File))
	case a.o.scope == rules.Shared.String():
		return nil, a.fail("leave --scope out, or use --scope user",
			"urls.allow of %s does not name the address, and files of a project cannot add to it", a.path(from.Pos.File))
	}
	for i := range open {
		entry, ok := open[i].Origin()
		if !ok {
			return nil, a.fail("", "%s: its host is uncertain", hookio.Escape(open[i].Text))
		}
		out = append(out, propose.Proposal{Part: open[i].Text, Rule: entry, Note: "every address of that origin"})
	}
	a.file, a.urls = from.Pos.File, true
	return out, exitOK
}

// planURLs adds entries to urls.allow.
func (a *allowing) planURLs(entries []string) ([]*change, error) {
	ch, doc, err := readForChange(a.env, a.file)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if _, err := doc.AddURL(entry); err != nil {
			return nil, err
		}
	}
	ch.text = doc.Bytes()
	return []*change{ch}, nil
}

// listName is how messages call what is added to.
func (a *allowing) listName() string {
	if a.urls {
		return "urls.allow"
	}
	return a.into.List.String()
}
