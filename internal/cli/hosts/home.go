package hosts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/rules"
)

// A user without a passwd entry has no folder where no variable leads, so what HOME names can be recorded nowhere but
// in the hook itself: with --home the folder counts as the user's own.

// NameHome makes the hooks that the user registered name a home directory, or none where dir is "".
func NameHome(e *subcmd.Env, o *subcmd.WriteOptions, dir string) int {
	dirs, err := e.Dirs()
	if err != nil {
		return e.Fail("", "%v", err)
	}
	m, n := &machine{e, dirs, ""}, 0
	var titles []string
	done, code := e.Write(o, func() ([]*subcmd.Change, error) {
		var changes []*subcmd.Change
		n, titles = 0, nil
		for _, h := range agents.Hosts() {
			more, found, err := m.nameHome(h, dir)
			if err != nil {
				return nil, err
			}
			if n += found; len(subcmd.Changed(more)) > 0 {
				titles = append(titles, h.Title)
			}
			changes = append(changes, more...)
		}
		return changes, nil
	})
	switch {
	case code == subcmd.ExitOK && n == 0:
		return e.Fail("permgate install --host "+agents.Names("|"), "you registered no hook that could name a home directory")
	case !done:
		return code
	case len(titles) == 0:
		fmt.Fprintln(e.Out, "nothing to do: "+homeNamed(e, dir, "every registered hook"))
	default:
		fmt.Fprintln(e.Out, homeNamed(e, dir, "the registered hook of "+strings.Join(titles, ", ")))
	}
	return subcmd.ExitOK
}

func homeNamed(e *subcmd.Env, dir, hooks string) string {
	if dir == "" {
		return hooks + " names no home directory"
	}
	return hooks + " names " + e.Path(dir) + " as your home directory"
}

// nameHome works out the changes of a host's files of user scope, and counts the hooks in them.
func (m *machine) nameHome(h *hookio.Host, dir string) ([]*subcmd.Change, int, error) {
	var changes []*subcmd.Change
	n := 0
	for _, r := range m.registrations(h) {
		if r.Scope != hookio.ForUser || r.err != nil {
			continue
		}
		ch, doc, err := subcmd.ReadForChange(m.Env, r.Name)
		if err != nil {
			return nil, 0, err
		}
		found, err := agents.NameHome(h, r.Place, doc, dir)
		if err != nil {
			return nil, 0, err
		}
		ch.Text = doc.Bytes()
		changes, n = append(changes, ch), n+found
	}
	return changes, n, nil
}

// namesHome reports whether every hook in the file that install writes names a home directory.
func (t *target) namesHome() bool {
	return slices.ContainsFunc(t.registrations(t.h), func(r registered) bool {
		return r.Name == t.place.Name && len(r.found) > 0 &&
			!slices.ContainsFunc(r.found, func(f agents.Found) bool { return f.Home() == "" })
	})
}

// BelowProject is the project that a folder lies below, "" for none: what a project holds is no home of the user's.
func BelowProject(e *subcmd.Env, dir string) string {
	p := e.Policy(nil).Project
	if dir != p.Real && (rules.Within(dir, p.Real) || rules.Within(dir, p.Given)) {
		return p.Given
	}
	return ""
}
