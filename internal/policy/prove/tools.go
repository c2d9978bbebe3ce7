package prove

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// usual are the tools whose calls are looked at whatever the rules say.
var usual = [...]string{"Bash", "Monitor", "PowerShell", "Read", "Grep", "Glob", "LS", "LSP", "NotebookRead",
	"Edit", "Write", "NotebookEdit", "WebFetch", "WebSearch", "Agent", "Skill", anyMCP, anyOther}

// Tools that stand for many: their texts are the names of the tools.
const (
	anyMCP   = "mcp__*"
	anyOther = "*" // that nothing is known of
)

// apart are tools that modes and hosts treat in a way of their own: rules on every tool are about them too.
var apart = [...]string{"AskUserQuestion", "ExitPlanMode", "TodoWrite", "TaskList"}

// shownTool is a tool as reports name it.
func shownTool(tool string) string {
	switch tool {
	case anyMCP:
		return "MCP tools"
	case anyOther:
		return "other tools"
	}
	return tool
}

// toolsOf are the tools whose calls are looked at.
func (b *book) toolsOf(only string) []string {
	if only != "" {
		return []string{rules.CanonicalTool(only)}
	}
	out := slices.Clone(usual[:])
	for _, e := range b.entries {
		r := e.any()
		if r.Tool == "*" && !slices.Contains(out, apart[0]) {
			out = append(out, apart[:]...)
		}
		if strings.ContainsAny(r.Tool, "*?") || r.Tool == "MCP" || byName(r) || slices.Contains(out, r.Tool) {
			continue
		}
		out = append(out, r.Tool)
	}
	return out
}

// byName reports whether a rule speaks of MCP tools by their names alone.
func byName(r *rules.Rule) bool { return byServer(r) && r.Pattern == "" }

func byServer(r *rules.Rule) bool { return strings.HasPrefix(r.Tool, "mcp__") }

// any is the rule of either side.
func (e *entry) any() *rules.Rule {
	if e.rule[0] != nil {
		return e.rule[0]
	}
	return e.rule[1]
}

// governs reports whether a rule speaks of calls of a tool, or of some that a name
// stands for.
func (e *entry) governs(tool string) bool {
	r := e.any()
	wild := strings.ContainsAny(r.Tool, "*?")
	switch tool {
	case anyMCP:
		return r.Tool == "MCP" || strings.HasPrefix(r.Tool, "mcp__") || wild
	case anyOther:
		return wild && !strings.HasPrefix(r.Tool, "mcp__")
	}
	if byServer(r) && r.Pattern != "" { // it is about some calls of the tools that it names
		own := *r
		own.Pattern = ""
		r = &own
	}
	return r.Governs(tool) || r.URL != nil && tool == "WebFetch"
}

// A kind is what texts of calls are.
type kind uint8

const (
	commands kind = iota
	files
	addresses
	names     // of agents, skills, what else a tool is called on
	toolNames // of tools
)

func kindOf(tool string) kind {
	switch tool {
	case "Bash", "Monitor", "PowerShell":
		return commands
	case "Read", "Grep", "Glob", "LS", "LSP", "NotebookRead", "Edit", "Write", "NotebookEdit":
		return files
	case "WebFetch":
		return addresses
	case anyMCP, anyOther:
		return toolNames
	}
	return names
}

// samples are texts of calls that no rule is about, of every sort that modes and
// switches tell apart, in a folder.
func samples(tool, folder string) []string {
	switch kindOf(tool) {
	case commands:
		if tool == "PowerShell" {
			return []string{"Xyzzy-Plugh", "Get-ChildItem", "Get-Content xyzzy", "Get-Date"}
		}
		return []string{"xyzzy", "ls", "cat xyzzy", "git status", "mkdir xyzzy", "touch xyzzy", "make", "go test ./...", "npm test",
			"curl https://xyzzy.example/", "pwd"}
	case files:
		if rules.EditTool(tool) {
			return []string{folder + "/xyzzy"}
		}
		return []string{folder + "/xyzzy", "/xyzzy/plugh"}
	case addresses:
		return []string{"https://xyzzy.example/"}
	case toolNames:
		if tool == anyMCP {
			return []string{"mcp__xyzzy__plugh"}
		}
		return []string{"Xyzzy"}
	}
	return []string{"xyzzy"}
}
