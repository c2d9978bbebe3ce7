package policytest

import (
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/rules"
)

// Coverage counts which rules of the policy some test is about.
type Coverage struct {
	all     []rules.Rule
	touched map[rules.Rule]bool // every rule of all is a key
}

// Add adds the rules of a policy: allow, ask and deny of every settings file.
func (c *Coverage) Add(p *rules.Policy) {
	if c.touched == nil {
		c.touched = map[rules.Rule]bool{}
	}
	for _, list := range [...][]rules.Rule{p.Deny, p.Ask, p.Allow} {
		for _, r := range list {
			if _, known := c.touched[r]; !known && r.Pos.Line > 0 {
				c.touched[r] = false
				c.all = append(c.all, r)
			}
		}
	}
}

// Touch notes which rules decided a case or match a part of its call.
func (c *Coverage) Touch(of *decide.Case, v decide.Verdict) {
	c.Add(of.Policy)
	if v.Rule != nil {
		c.TouchRule(*v.Rule)
	}
	for _, h := range of.Hits() {
		c.TouchRule(*h.Rule)
	}
}

// TouchRule notes a rule that is in force.
func (c *Coverage) TouchRule(r rules.Rule) {
	if _, known := c.touched[r]; known {
		c.touched[r] = true
	}
}

// Rules is the number of rules.
func (c *Coverage) Rules() int { return len(c.all) }

// Untouched lists the rules no test is about: deny, ask and allow, each in the
// order they are read.
func (c *Coverage) Untouched() []rules.Rule {
	var out []rules.Rule
	for _, r := range c.all {
		if !c.touched[r] {
			out = append(out, r)
		}
	}
	return out
}
