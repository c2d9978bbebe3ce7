package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// A standing is a place of a rule in a settings file that may be edited.
type standing struct {
	name, scope string
	list        rules.List
	at          string // file:line, as the user names it
}

// remove is rules remove.
func (o *ruleEdit) remove(e *env, args []string) int {
	if code, ok := o.operands(e, args); !ok {
		return code
	}
	all, bad := o.standings(e)
	var hits []standing
	for _, s := range all {
		if s.list == o.list && (o.scope == "" || s.scope == o.scope) {
			hits = append(hits, s)
		}
	}
	switch {
	case len(hits) == 0:
		return o.notThere(e, all, bad)
	case len(hits) > 1:
		var at []string
		for _, s := range hits {
			at = append(at, s.at+" ("+s.scope+")")
		}
		return e.fail("choose one: --scope "+hits[0].scope+o.hostHint(hits), "%s is in several files: %s",
			hookio.Escape(o.rule), strings.Join(at, ", "))
	}
	name, scope := hits[0].name, hits[0].scope
	var last *change
	plan := func() ([]*change, error) {
		ch, doc, err := e.openSettings(o.p, scope, name)
		if err != nil {
			return nil, err
		}
		if _, err := doc.RemoveRule(o.list.String(), o.rule); err != nil {
			return nil, err
		}
		ch.text = doc.Bytes()
		last = ch
		return []*change{ch}, nil
	}
	if _, err := plan(); err != nil {
		return e.failFile(err)
	}
	o.say(e, o.removed(e, last))
	o.first = e.firstOn(&gate.Flags{})
	if done, code := e.write(&o.writeOptions, plan); !done {
		return code
	}
	fmt.Fprintf(e.out, "removed from %s in %s (%s): %s\n", o.list, e.path(name), scope, hookio.Escape(o.rule))
	return exitOK
}

// hostHint is the further option that tells files of one scope apart.
func (o *ruleEdit) hostHint(hits []standing) string {
	if hits[0].scope != hits[1].scope {
		return ""
	}
	return " --host " + strings.TrimPrefix(filepath.Base(filepath.Dir(hits[0].name)), ".")
}

// standings lists where the rule stands in any list of any file of the scopes
// that can be edited. bad are the files that cannot be read.
func (o *ruleEdit) standings(e *env) (all []standing, bad []error) {
	for _, scope := range [...]string{rules.Local.String(), rules.Shared.String(), rules.User.String()} {
		for _, name := range e.settingsFiles(o.p, o.h, scope) {
			if _, err := e.world.Files.Lstat(name); err != nil || scope == rules.Shared.String() && o.users(e, name) {
				continue
			}
			_, doc, err := readForChange(e, name)
			if err != nil {
				if o.scope == "" || o.scope == scope {
					bad = append(bad, err)
				}
				continue
			}
			for _, list := range [...]rules.List{rules.Deny, rules.Ask, rules.Allow} {
				if at := rulePlace(e, doc, list, o.rule); at != "" {
					all = append(all, standing{name, scope, list, at})
				}
			}
		}
	}
	return all, bad
}

// users reports whether a file is the user's own settings, which is what the
// shared settings of the home directory are.
func (o *ruleEdit) users(e *env, name string) bool {
	return slices.Contains(e.settingsFiles(o.p, nil, rules.User.String()), name)
}

// notThere says where the rule stands instead.
func (o *ruleEdit) notThere(e *env, all []standing, bad []error) int {
	if len(bad) > 0 {
		return e.failFile(bad[0])
	}
	where := "the settings of this project and user"
	if o.scope != "" {
		where = "the " + o.scope + " settings"
	}
	what := fmt.Sprintf("%s is not in %s of %s", hookio.Escape(o.rule), o.list, where)
	if len(all) > 0 {
		s := all[0]
		return e.fail(fmt.Sprintf("permgate rules remove %s %s --scope %s", s.list, quoteArg(o.rule), s.scope),
			"%s; it is in %s of the %s settings, %s", what, s.list, s.scope, s.at)
	}
	for _, r := range o.loaded() {
		if r.Text != o.rule {
			continue
		}
		hint := "permgate rules shows where every rule is; edit that file by hand"
		if r.Scope == rules.Managed {
			hint = "only an administrator changes managed settings, by hand"
		}
		return e.fail(hint, "%s; it is in %s of the %s settings, %s", what, r.List, r.Scope, e.place(r.Pos))
	}
	for _, r := range o.loaded() {
		if want, err := rules.ParseRule(o.rule, r.List, r.Scope, r.Pos, r.Claude); err == nil &&
			o.p.Covers(r, &want) && o.p.Covers(&want, r) {
			return e.fail(fmt.Sprintf("permgate rules remove %s %s", r.List, quoteArg(r.Text)),
				"%s; it is spelt %s in %s, %s", what, hookio.Escape(r.Text), r.List, e.place(r.Pos))
		}
	}
	return e.fail("permgate rules lists the rules in force", "%s", what)
}

// loaded are all rules of the policy.
func (o *ruleEdit) loaded() []*rules.Rule {
	return append(append(pointers(o.p.Deny), pointers(o.p.Ask)...), pointers(o.p.Allow)...)
}
