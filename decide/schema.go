package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// Visible reports whether a host should show a tool to a subagent at all (seed
// 0's schema filter). It is a courtesy to the model: the gate stays the authority.
// With an allow list exactly the named tools are shown, without one the safe
// tools, the edit tools too in acceptEdits and auto, everything in bypassPermissions.
// What deny_tools takes away as a whole, and what the tools whitelist leaves
// out, is never shown.
func Visible(p *rules.Policy, tool string) bool {
	if p.HasTools && !spelled(p.Tools, tool) {
		return false
	}
	if a := p.Agent; a != nil {
		for i := range a.Deny {
			if a.Deny[i].Bare && a.Deny[i].Governs(tool) {
				return false
			}
		}
		if a.HasTools && !spelled(a.Tools, tool) {
			return false
		}
		if a.HasAllow {
			return spelled(a.Allow, tool)
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

// spelled reports whether a list names the very tool, or its MCP server.
func spelled(list []rules.Rule, tool string) bool {
	for i := range list {
		r := &list[i]
		if r.Tool == tool || strings.HasPrefix(tool, "mcp__") && r.Governs(tool) {
			return true
		}
	}
	return false
}
