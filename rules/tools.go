package rules

import "strings"

// SafeTool reports whether calls of a tool are allowed where no rule speaks:
// it neither changes the machine nor runs anything (decisions 2, step 7).
func SafeTool(name string) bool {
	switch name {
	case "Read", "Glob", "Grep", "WebFetch", "WebSearch", "LSP",
		"TaskCreate", "TaskGet", "TaskList", "TaskUpdate",
		"AskUserQuestion", "CronList":
		return true
	}
	return false
}

// EditTool reports whether a tool changes files.
func EditTool(name string) bool {
	switch name {
	case "Edit", "Write", "NotebookEdit":
		return true
	}
	return false
}

// Tools are the tools a rule can name, those of MCP servers apart.
var Tools = [...]string{
	"Bash", "PowerShell", "Monitor", "Read", "Glob", "Grep", "LS", "LSP", "NotebookRead",
	"Edit", "Write", "NotebookEdit", "MultiEdit", "apply_patch", "WebFetch", "WebSearch", "Agent", "Task", "Skill", "MCP",
	"AskUserQuestion", "BashOutput", "KillShell", "KillBash", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate",
	"TaskOutput", "TaskStop", "TodoRead", "TodoWrite", "EnterPlanMode", "ExitPlanMode",
	"EnterWorktree", "ExitWorktree", "SlashCommand", "ToolSearch", "SendMessage", "TeamCreate", "TeamDelete",
	"ListMcpResourcesTool", "ReadMcpResourceTool", "CronCreate", "CronDelete", "CronList", "RemoteTrigger",
	"StructuredOutput", "Sleep", "Brief", "Config", "Cd",
	"Memory", "Sampling", "Extension", // what hosts have a tool for under many names
}

// KnownTool reports whether a rule for the tool can mean a tool of some host.
// Names of MCP tools and name patterns always can.
func KnownTool(name string) bool {
	if mcpTool(name) || strings.ContainsAny(name, "*?") {
		return true
	}
	for _, known := range Tools {
		if name == known {
			return true
		}
	}
	return false
}

// CanonicalTool returns the name that rules and calls use for a tool.
func CanonicalTool(name string) string {
	switch name {
	case "Task":
		return "Agent"
	case "MultiEdit", "apply_patch":
		return "Edit"
	}
	return name
}

func commandTool(name string) bool {
	return name == "Bash" || name == "Monitor" || name == "PowerShell"
}

// readTool reports whether a Read rule speaks about the tool.
func readTool(name string) bool {
	switch name {
	case "Read", "Grep", "Glob", "LSP", "LS", "NotebookRead":
		return true
	}
	return false
}

func mcpTool(name string) bool { return strings.HasPrefix(name, "mcp__") && len(name) > len("mcp__") }

// mcpPrefix returns the length of mcp__server__ at the start of a name, more
// than the whole when there is no such prefix. A wildcard is no server.
func mcpPrefix(name string) int {
	if mcpTool(name) {
		if i := strings.Index(name[5:], "__"); i > 0 && !strings.ContainsAny(name[:5+i], "*?") {
			return 5 + i + 2
		}
	}
	return len(name) + 1
}
