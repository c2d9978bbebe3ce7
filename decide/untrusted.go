package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// untrusted reports whether a rule that you have not trusted, and that the host
// reads too, covers a part of the call. The host may know the other parts. What
// is proven to read inside the workspace only runs without the rule, too.
func (c *matcher) untrusted() bool {
	list := c.readByHost(c.Policy.Untrusted)
	if len(list) == 0 || c.readsInside() {
		return false
	}
	for i := range c.units {
		if !c.units[i].needsAllow {
			continue
		}
		if c.allowed(list, i) || c.coveredByHost(list, i) {
			return true
		}
	}
	return false
}

// readsInside reports whether a call is shell text that is proven to read
// inside the workspace only.
func (c *reading) readsInside() bool {
	if c.Script == nil || c.Unproven() != "" {
		return false
	}
	for i := range c.units {
		if u := &c.units[i]; u.effect != nil && !c.knownInside(u) {
			return false
		}
	}
	return true
}

// knownInside reports whether a file operand is known to lie in the workspace.
func (c *scene) knownInside(u *unit) bool {
	p := u.hit
	if p.Given == "" && u.subject.Path != nil {
		p = *u.subject.Path
	}
	return p.Given != "" && c.World.Inside(p)
}

// untrustedRead reports whether a rule that you have not trusted makes a
// difference to a safe tool: the host asks about reads outside its folders and
// about unknown web hosts, unless a rule allows them.
func (c *matcher) untrustedRead() bool {
	list := c.readByHost(c.Policy.Untrusted)
	if c.readsInside() {
		return false
	}
	for i := range c.units {
		u := &c.units[i]
		if c.ownFile(u) || u.subject.Path != nil && c.World.Inside(*u.subject.Path) {
			continue
		}
		if c.allowed(list, i) || u.subject.Path != nil && c.untrustedDir(u.subject.Path) {
			return true
		}
	}
	return false
}

// untrustedDir reports whether a path lies in an additional directory that you have
// not trusted, from a file that the host reads too.
func (in *Input) untrustedDir(p *rules.Path) bool {
	for i := range in.Policy.Dropped {
		d := &in.Policy.Dropped[i]
		within := rules.Within(p.Given, d.Dir.Given) || rules.Within(p.Real, d.Dir.Real)
		if within && d.Untrusted && in.hostReads(&rules.Rule{Pos: d.Pos, Claude: strings.Contains(d.Pos.File, "/.claude/")}) {
			return true
		}
	}
	return false
}
