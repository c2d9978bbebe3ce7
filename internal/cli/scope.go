package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// settingsFile is the file of a scope in the root in use: that of the host when
// one is named that has one permgate reads, else the first that is there, else .claude.
func (e *env) settingsFile(p *rules.Policy, h *hookio.Host, scope string) (string, error) {
	switch scope {
	case rules.Local.String():
		return filepath.Join(p.Project.Given, rootInUse(h, p.Project.Given), "settings.local.json"), nil
	case rules.Shared.String():
		return filepath.Join(p.Project.Given, rootInUse(h, p.Project.Given), "settings.json"), nil
	case rules.User.String():
		folders, err := e.postureFolders(hookio.ForUser)
		if err != nil {
			return "", err
		}
		use := rootInUse(h, p.Home.Given)
		for i, root := range load.Roots {
			if root == use {
				return filepath.Join(folders[i], "settings.json"), nil
			}
		}
	}
	return "", fmt.Errorf("unknown scope %q; scopes are local, shared, user", hookio.Escape(scope))
}

// ownRoot is the settings folder of a host, "" when none is named or permgate
// reads no settings from its folder.
func ownRoot(h *hookio.Host) string {
	if h != nil && len(h.Roots) > 0 && slices.Contains(load.Roots[:], h.Roots[0]) {
		return h.Roots[0]
	}
	return ""
}

// rootInUse is the settings folder that is used in dir.
func rootInUse(h *hookio.Host, dir string) string {
	if root := ownRoot(h); root != "" {
		return root
	}
	for _, root := range load.Roots {
		if exists(filepath.Join(dir, root)) {
			return root
		}
	}
	return load.Roots[len(load.Roots)-1]
}

// settingsFiles are all files of a scope: those of the host's root when one is
// named, else of every root.
func (e *env) settingsFiles(p *rules.Policy, h *hookio.Host, scope string) []string {
	if ownRoot(h) != "" {
		if name, err := e.settingsFile(p, h, scope); err == nil {
			return []string{name}
		}
		return nil
	}
	var out []string
	for _, root := range load.Roots {
		if name, err := e.settingsFile(p, &hookio.Host{Roots: []string{root}}, scope); err == nil {
			out = append(out, name)
		}
	}
	return out
}

// openSettings reads the settings file of a scope for a change. One that
// symlinks lead to is changed where it is and the link stays, unless that is a
// place the scope has no say in: a project may have brought the link along.
func (e *env) openSettings(p *rules.Policy, scope, name string) (*change, *edit.Doc, error) {
	if err := e.dangling(name); err != nil {
		return nil, nil, err
	}
	ch, doc, err := readForChange(e, name)
	if err == nil {
		err = e.elsewhere(p, scope, ch)
	}
	if err != nil {
		return nil, nil, err
	}
	return ch, doc, nil
}

// openText is openSettings for another file in the settings folder.
func (e *env) openText(p *rules.Policy, scope, name string) (*change, error) {
	err := e.dangling(name)
	if err != nil {
		return nil, err
	}
	ch, err := loadText(name)
	if err == nil {
		err = e.elsewhere(p, scope, ch)
	}
	return ch, err
}

// dangling is the error for a file or folder that is a symlink to nothing.
func (e *env) dangling(name string) error {
	files := e.world.Files
	for _, at := range [...]string{filepath.Dir(name), name} {
		if !links(files, at) {
			continue
		}
		if _, err := files.Stat(at); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is a symlink to %s, which does not exist: create the target or remove the link", e.path(at), e.path(load.Resolve(files, at)))
		}
	}
	return nil
}

// elsewhere is the error for a change of a file that symlinks lead out of where
// its scope has a say.
func (e *env) elsewhere(p *rules.Policy, scope string, ch *change) error {
	real, base, whose := load.Resolve(e.world.Files, ch.target), p.Project, "the project"
	if scope == rules.User.String() {
		base, whose = p.Home, "your home directory"
	}
	if rules.Within(real, base.Real) || scope == rules.User.String() && e.owns(real, ch.name) {
		return nil
	}
	return fmt.Errorf("%s is reached through a symlink to %s, outside %s: change that file in its own place, or replace the link with a file",
		e.path(ch.name), e.path(real), whose)
}

// addRules adds rules to a list of the settings file of a scope as it is now.
func (e *env) addRules(p *rules.Policy, scope, name string, list rules.List, texts ...string) (*change, error) {
	ch, doc, err := e.openSettings(p, scope, name)
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		if _, err := doc.AddRule(list.String(), text); err != nil {
			return nil, err
		}
	}
	ch.text = doc.Bytes()
	ch.readable(scope)
	return ch, nil
}

// owns reports whether a file outside of home is the user's own all the same:
// it is theirs, or lies in the folder their settings were moved to.
func (e *env) owns(real, name string) bool {
	files := e.world.Files
	if real == load.Resolve(files, filepath.Dir(name))+"/"+filepath.Base(name) && !links(files, filepath.Dir(name)) {
		return true // no link: CLAUDE_CONFIG_DIR, or a home that --home named
	}
	info, err := files.Stat(real)
	if err != nil {
		return false
	}
	uid, ok := files.Owner(info)
	return ok && uid == e.world.UID && !files.OthersWrite(info)
}

func links(files load.Files, name string) bool {
	info, err := files.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// unknownHost reports a name that --host has and no agent program.
func (e *env) unknownHost(err error) int {
	return e.fail("permgate help hosts lists the programs", "%v", err)
}

// policy is what the settings say about calls of a host made from here; of none
// in particular when h is nil.
func (e *env) policy(h *hookio.Host) *rules.Policy {
	return e.policyUnder(h, &gate.Flags{})
}

// policyUnder is policy with options.
func (e *env) policyUnder(h *hookio.Host, f *gate.Flags) *rules.Policy {
	return gate.Policy(callOf(h), f, e.world)
}

// callOf is a call about nothing, for what asks for one: of h, or of no program
// that has a name.
func callOf(h *hookio.Host) *hookio.Call {
	call := hookio.Unread(hookio.Options{})
	if h != nil {
		call.Host, call.Named = h, true
	}
	return call
}
