package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/rules"
)

// showSession prints what is granted for a session, until when, and what of it
// does not count.
func showSession(e *env, o *sessionOptions) int {
	s, code := o.find(e)
	if s == nil {
		return code
	}
	had, until, err := s.store.Read(s.id)
	none, void := "", s.void(e)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, state.ErrExpired):
		none = "the grants ended on " + minute(until)
	case err != nil:
		none = err.Error()
	case had.Project != s.project:
		none = "the grants were for " + e.path(had.Project)
	}
	if none != "" || err != nil {
		had, until = state.Session{}, time.Time{}
	}
	var dropped []rules.Dropped
	if void == "" && err == nil {
		before := len(s.policy.Dropped)
		s.store.Load(s.id, s.policy, e.world.PasswdHome, e.world.Getenv("HOME"))
		dropped = s.policy.Dropped[before:]
	}
	if o.json {
		e.machine().Write(append(s.object(&had, until, none, void, dropped).end(), '\n'))
		return exitOK
	}
	fmt.Fprintln(e.out, s.title(e))
	for _, line := range lines(&had) {
		fmt.Fprintf(e.out, "  %s\n", hookio.Escape(line))
	}
	for _, d := range dropped {
		e.wrapped("  ", "does not count: "+hookio.Escape(d.Text+": "+d.Why))
	}
	switch {
	case none != "":
		e.wrapped("  ", "no grants: "+hookio.Escape(none))
	case had.Empty():
		e.wrapped("  ", "no grants")
	default:
		e.wrapped("  ", "until "+minute(until)+" or the end of the session   "+e.path(state.File(s.store.Dir, s.id)))
	}
	if void != "" {
		e.wrapped("  ", "the grants do not count: "+void)
	}
	return exitOK
}

// object is what show prints, as JSON.
func (s *session) object(had *state.Session, until time.Time, none, void string, dropped []rules.Dropped) *object {
	o := &object{}
	o.str("session", s.id)
	o.opt("host", s.host)
	if !s.last.IsZero() {
		o.str("last_call", s.last.UTC().Format(time.RFC3339))
	}
	o.boolean("over", s.ended)
	o.str("project", s.project)
	o.str("file", state.File(s.store.Dir, s.id))
	o.boolean("allow_all", had.All)
	o.boolean("allow_all_edits", had.AllEdits)
	o.boolean("allow_all_bash", had.AllBash)
	o.strs("allow", had.Allow)
	o.strs("dirs", had.Dirs)
	if !had.Empty() {
		o.str("until", until.UTC().Format(time.RFC3339))
	}
	o.opt("nothing_granted", none)
	o.opt("nothing_counts", void)
	o.list("dropped", len(dropped), func(i int, o *object) {
		o.str("text", dropped[i].Text)
		o.str("why", dropped[i].Why)
	})
	return o
}

// lines are the grants, one a line.
func lines(s *state.Session) (out []string) {
	if s.All {
		out = append(out, allowAllLine)
	}
	if s.AllEdits {
		out = append(out, "allow all edits: Edit, Write, NotebookEdit")
	}
	if s.AllBash {
		out = append(out, "allow all Bash")
	}
	for _, r := range s.Allow {
		out = append(out, "allow "+r)
	}
	for _, d := range s.Dirs {
		out = append(out, "directory "+d)
	}
	return out
}
