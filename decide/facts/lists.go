package facts

import (
	"iter"

	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// The keys of the two fences.
const (
	FenceRead  = "blockReadsOutsideWorkingDirectories"
	FenceWrite = "blockWritesOutsideWorkingDirectories"
)

type denyList struct {
	Word  string
	Rules []rules.Rule
	Code  say.Code // of a denial
}

// DenyLists are the lists of step 1 but those of an agent definition or skill.
func (c *scene) DenyLists() iter.Seq[denyList] {
	p := c.Policy()
	return func(yield func(denyList) bool) {
		more := yield(denyList{"deny rule", p.Deny, say.CodeDeniedByRule}) &&
			yield(denyList{"excluded content", p.Posture.ContentExclusion, say.CodeExcluded}) &&
			yield(denyList{"excluded url", p.Posture.URLs, say.CodeExcluded})
		if more && p.AutoRestricts() {
			yield(denyList{"autoMode.hard_deny", p.Auto.HardDeny, say.CodeAutoDenied})
		}
	}
}

// StrictLists are all lists that deny or ask.
func (c *scene) StrictLists() iter.Seq[denyList] {
	p := c.Policy()
	return func(yield func(denyList) bool) {
		for list := range c.DenyLists() {
			if !yield(list) {
				return
			}
		}
		if !yield(denyList{"ask rule", p.Ask, ""}) ||
			p.AutoRestricts() && !yield(denyList{"autoMode.soft_deny", p.Auto.SoftDeny, ""}) {
			return
		}
		for _, a := range [...]*rules.AgentDef{p.Agent, p.Skill} {
			if a != nil && !yield(denyList{"deny_tools", a.Deny, ""}) {
				return
			}
		}
	}
}
