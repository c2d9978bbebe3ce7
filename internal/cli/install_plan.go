package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
)

// planHooks works out what the files of the host become, its hook file first.
func planHooks(e *env, o *installOptions, h *hookio.Host, p agents.Place, exe string) ([]*change, []string, error) {
	ch, doc, err := readForChange(e, p.Name)
	if err != nil {
		return nil, nil, err
	}
	var notes []string
	if h.Register.Inherits {
		if notes, err = inherit(e, o, h, doc); err != nil {
			return nil, nil, err
		}
	}
	if o.scope == hookio.ForProject {
		notes = append(notes, "everyone on this project gets this hook, with this path to the binary: "+exe)
	}
	absent, outdated := agents.Missing(h, p, doc, exe)
	ch.what = hookSummary(absent, outdated, e.path(exe))
	if err := agents.Register(h, p, doc, exe); err != nil {
		return nil, nil, err
	}
	ch.text = doc.Bytes()
	ch.readable(o.scope)
	out := []*change{ch}
	for _, f := range h.Register.Beside {
		name := filepath.Join(filepath.Dir(p.Name), filepath.FromSlash(f.Path))
		side, err := loadText(name)
		if err != nil {
			return nil, nil, err
		}
		if len(side.old) == 0 { // somebody's own text is left alone
			side.text = []byte(f.Text)
			side.readable(o.scope)
		}
		out = append(out, side)
	}
	dirs, err := e.dirs()
	if err != nil {
		return nil, nil, err
	}
	for _, other := range dirs.Places(h) { // where it was before a file that counts more came to be
		if other.Scope != p.Scope || other.Name == p.Name {
			continue
		}
		more, n, err := planRemoval(e, h, other)
		if err != nil {
			return nil, nil, err
		}
		if n > 0 {
			out = append(out, more...)
			notes = append(notes, "removed from "+e.path(other.Name)+", its former place")
		}
	}
	return out, notes, nil
}

// hookSummary says which hooks are added, and which are brought up to date.
func hookSummary(added, stale []string, exe string) (what []string) {
	if len(added) > 0 {
		what = append(what, plural(len(added), "hook", "hooks")+" added that run "+exe+": "+strings.Join(added, ", "))
	}
	if len(stale) > 0 {
		what = append(what, plural(len(stale), "hook", "hooks")+" updated: "+strings.Join(stale, ", "))
	}
	return what
}

// inherit deals with hosts that run the hooks of .claude files only as long as
// no file of their own speaks about the event.
func inherit(e *env, o *installOptions, h *hookio.Host, doc *edit.Doc) ([]string, error) {
	const event = "PreToolUse" // PermissionRequest is never inherited
	if agents.Native(doc, event) {
		return nil, nil
	}
	dirs, err := e.dirs()
	if err != nil {
		return nil, err
	}
	claude, _ := dirs.Place(agents.Lookup("claude"), hookio.ForUser)
	_, theirs, err := readForChange(e, claude.Name)
	if err != nil {
		return nil, fmt.Errorf("%w; %s reads the hooks of this file too", err, h.Title)
	}
	hidden := h.Title + " no longer runs the PreToolUse hooks of .claude files, now that its own file has some"
	if o.scope != hookio.ForUser {
		if agents.Others(theirs, event) > 0 {
			hidden += "; copy those from " + e.path(claude.Name) + " by hand if you want them here"
		}
		return []string{hidden + ", nor those of lower native files"}, nil
	}
	n, err := agents.Copy(doc, theirs, event)
	if n > 0 {
		hidden += fmt.Sprintf("; %[2]d from %[1]s were copied", e.path(claude.Name), n)
	}
	return []string{hidden}, err
}

// planPosture works out what permgate.json becomes. Keys that are there keep
// their values, but for enforce, which --observe and --enforce are about. Where the
// hook is registered already, only what is new since then is added.
func planPosture(e *env, o *installOptions, h *hookio.Host) (*change, []hookio.Recommended, error) {
	name, err := e.postureFile(h, o.scope)
	if err != nil {
		return nil, nil, err
	}
	ch, doc, err := readForChange(e, name)
	if err != nil {
		return nil, nil, err
	}
	again := e.isRegistered(h, o.scope) && agents.Written(h, doc)
	keys, err := agents.Recommend(h, doc, !again)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case again:
		ch.what = append(ch.what, newKeys(h, keys)...)
	case len(keys) > 0:
		ch.what = append(ch.what, "posture for "+h.Title+": "+keyNames(keys)+" (permgate help posture)")
	}
	if o.scope == hookio.ForManaged && !o.observe {
		set, err := agents.Enforce(h, doc)
		if err != nil {
			return nil, nil, err
		}
		if set {
			ch.what = append(ch.what, "enforce true: users and projects cannot turn answers off")
		}
	}
	if before := string(doc.Bytes()); o.observe || o.enforceNow {
		if err := agents.Observe(h, doc, o.observe); err != nil {
			return nil, nil, err
		}
		switch changed := before != string(doc.Bytes()); {
		case changed && o.observe:
			ch.what = append(ch.what, "observe mode on: calls are logged, not answered (enforce false)")
		case changed:
			ch.what = append(ch.what, "observe mode off: calls are answered (enforce false removed)")
		}
	}
	ch.text = doc.Bytes()
	if o.scope == hookio.ForManaged {
		ch.readable(o.scope)
	}
	return ch, keys, nil
}

// isRegistered reports whether the posture of a scope is already in use.
func (e *env) isRegistered(h *hookio.Host, scope string) bool {
	dirs, err := e.dirs()
	if err != nil {
		return false
	}
	exe, _ := e.executable()
	return slices.ContainsFunc(e.registrations(dirs, h, exe), func(r registered) bool {
		return len(r.found) > 0 && (r.Scope == hookio.ForManaged) == (scope == hookio.ForManaged)
	})
}
