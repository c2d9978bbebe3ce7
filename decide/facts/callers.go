package facts

import (
	"iter"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// Strict reports whether the caller is a subagent that inherits every
// restriction and no grant (seed 0).
func (c *scene) Strict() bool {
	return c.unread() || (c.Call().Subagent() || c.AsAgent()) && c.Policy().Posture.Subagents.Value != "host"
}

// unread reports whether the caller has a definition that cannot be used, or a
// skill without one: what its lists would have taken away is not known, so
// nothing is granted.
func (c *scene) unread() bool {
	a := c.Policy().Agent
	return a != nil && a.Found && !a.Known || c.unknownSkill()
}

func (c *scene) unknownSkill() bool { return c.Policy().Skill != nil && !c.Policy().Skill.Known }

// AsAgent reports whether --agent asked to decide as a subagent.
func (c *scene) AsAgent() bool { return c.in.AsAgent }

// SubagentDenies reports whether an ask of this caller cannot reach anybody.
func (c *scene) SubagentDenies() bool {
	if !c.Call().Subagent() && !c.AsAgent() {
		return false
	}
	return c.Strict() || c.Call().Host == nil || !c.Call().Host.SubagentsPrompt
}

// Visible reports whether a host should show a tool to a subagent at all (seed
// 0's schema filter). It is a courtesy to the model: the gate stays the authority.
// With an allow list exactly the named tools are shown, without one the safe
// tools, the edit tools too in acceptEdits and auto, everything in bypassPermissions.
// What deny_tools takes away as a whole, and what the tools whitelist leaves
// out, is never shown.
func Visible(p *rules.Policy, tool string) bool {
	if slices.ContainsFunc(p.Tools, func(l rules.ToolList) bool { return !NamesTool(l.Rules, tool) }) {
		return false
	}
	if a := p.Agent; a != nil {
		for i := range a.Deny {
			if a.Deny[i].Bare && a.Deny[i].Governs(tool) {
				return false
			}
		}
		if a.HasTools && !NamesTool(a.Tools, tool) {
			return false
		}
		if a.HasAllow {
			return NamesTool(a.Allow, tool)
		}
	}
	switch p.Mode.Value {
	case "bypassPermissions":
		return true
	case "acceptEdits", "auto":
		return rules.SafeTool(tool) || rules.EditTool(tool)
	}
	return rules.SafeTool(tool)
}

// NamesTool reports whether a list names the very tool, its MCP server or, with a wildcard, several.
func NamesTool(list []rules.Rule, tool string) bool {
	for i := range list {
		r := &list[i]
		if wide := strings.HasPrefix(tool, "mcp__") || strings.ContainsAny(r.Tool, "*?"); r.Tool == tool || wide && r.Governs(tool) {
			return true
		}
	}
	return false
}

// GrantLists returns the lists whose allow rules count for this caller.
func (c *scene) GrantLists() [][]rules.Rule {
	p := c.Policy()
	if !c.Call().Subagent() && !c.AsAgent() && !c.unread() {
		return [][]rules.Rule{p.Allow}
	}
	var own []rules.Rule
	if p.Agent != nil && !p.Agent.Narrow {
		own = p.Agent.Granted
	}
	if c.Strict() {
		return [][]rules.Rule{own}
	}
	return [][]rules.Rule{p.Allow, own}
}

type RuleList struct {
	Word  string
	Rules []rules.Rule
	Code  say.Code // of a denial
}

// The keys of the two fences.
const (
	FenceRead  = "blockReadsOutsideWorkingDirectories"
	FenceWrite = "blockWritesOutsideWorkingDirectories"
)

// DenyLists are the lists of step 1 but those of an agent definition or skill.
func (c *scene) DenyLists() iter.Seq[RuleList] {
	p := c.Policy()
	return func(yield func(RuleList) bool) {
		more := yield(RuleList{"deny rule", p.Deny, say.CodeDeniedByRule}) &&
			yield(RuleList{"excluded content", p.Posture.ContentExclusion, say.CodeExcluded}) &&
			yield(RuleList{"excluded url", p.Posture.URLs, say.CodeExcluded})
		if more && p.AutoRestricts() {
			yield(RuleList{"autoMode.hard_deny", p.Auto.HardDeny, say.CodeAutoDenied})
		}
	}
}

// StrictLists are all lists that deny or ask.
func (c *scene) StrictLists() iter.Seq[RuleList] {
	p := c.Policy()
	return func(yield func(RuleList) bool) {
		for list := range c.DenyLists() {
			if !yield(list) {
				return
			}
		}
		if !yield(RuleList{"ask rule", p.Ask, ""}) ||
			p.AutoRestricts() && !yield(RuleList{"autoMode.soft_deny", p.Auto.SoftDeny, ""}) {
			return
		}
		for _, a := range [...]*rules.AgentDef{p.Agent, p.Skill} {
			if a != nil && !yield(RuleList{"deny_tools", a.Deny, ""}) {
				return
			}
		}
	}
}

// Defers reports whether the posture leaves unmatched calls to the host, and
// the host really has a permission flow of its own when it is told nothing.
func (c *scene) Defers() bool {
	return c.Policy().Posture.OnUnmatched.Value == "defer" && c.Call().Host != nil && !c.Call().Host.SilenceRuns
}

// refusing are the modes that deny what they would ask about.
var refusing = [...]string{"plan", "dontAsk", "explore"}

// Refuses reports whether a mode, by its name or one that a host or a flag has for it, denies what it would ask about.
func Refuses(mode string) bool {
	return slices.Contains(refusing[:], mode) || slices.Contains(refusing[:], rules.ModeAlias(mode))
}
