package conformance

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
)

// forms are the ways hosts spell calls.
var forms = []form{
	{
		name: "claude", host: "claude", on: always("PreToolUse"), tools: claudeTools(), modes: claudeModes(), agents: true, mcp: claudeMCP,
		payload: claudeShape("/home/dev/.claude/projects/x/s1.jsonl", ""), reads: readNested,
	},
	{
		name: "claude, dialog", host: "claude", on: always("PermissionRequest"), tools: claudeTools(), modes: claudeModes(), agents: true, mcp: claudeMCP,
		payload: claudeShape("/home/dev/.claude/projects/x/s1.jsonl", ""), reads: readNested, becomes: dialog,
	},
	{
		name: "generic", host: "generic", on: always("PreToolUse"), tools: claudeTools(), modes: claudeModes(), agents: true, mcp: claudeMCP,
		payload: claudeShape("", ""), reads: readNested,
	},
	{
		name: "gen", host: "gen", on: always("PreToolUse"), tools: claudeTools(), mcp: claudeMCP,
		modes:   map[string]string{"default": "default", "acceptEdits": "auto", "bypassPermissions": "bypassPermissions"},
		payload: claudeShape("/home/dev/.gen/projects/x/s1.jsonl", ""), reads: readNested,
	},
	{
		name: "san", host: "san", on: always("PreToolUse"), tools: claudeTools(), mcp: claudeMCP,
		modes:   map[string]string{"default": "default", "acceptEdits": "auto", "bypassPermissions": "bypassPermissions"},
		payload: claudeShape("/home/dev/.san/projects/x/s1.jsonl", ""), reads: readNested,
	},
	{
		name: "codex", host: "codex", on: always("PreToolUse"), tools: codexTools,
		keys: codexKeys, wrap: codexPatch, modes: same("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"), agents: true, mcp: claudeMCP,
		payload: claudeShape("/home/dev/.codex/sessions/s1.jsonl", `,"turn_id":"t1","model":"m"`), reads: readCodex,
		becomes: map[hookio.Decision]string{hookio.Allow: "host", hookio.Ask: "deny"},
	},
	{
		name: "codex, approval", host: "codex", on: always("PermissionRequest"), tools: codexTools,
		keys: codexKeys, wrap: codexPatch, modes: same("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"), agents: true, mcp: claudeMCP,
		payload: claudeShape("/home/dev/.codex/sessions/s1.jsonl", `,"turn_id":"t1","model":"m"`), reads: readCodex, becomes: dialog,
	},
	{
		name: "cursor, own events", host: "cursor",
		on: func(c *canonCall) string {
			switch {
			case strings.HasPrefix(c.tool, "mcp__"):
				return "beforeMCPExecution"
			case c.tool == "Read":
				return "beforeReadFile"
			case c.tool == "Agent":
				return "subagentStart"
			}
			return "beforeShellExecution"
		},
		tools: map[string]string{"Bash": "Shell", "Read": "Read", "Agent": "Task"},
		keys: map[string]string{"Agent.prompt": "task", "Agent.description": "", "Bash.description": "", "Bash.timeout": "",
			"Bash.run_in_background": "", "Read.offset": "", "Read.limit": "", "Read.pages": ""},
		mcp: func(_, tool string) string { return tool }, payload: cursorShape, reads: readCursor,
		becomes: map[hookio.Decision]string{hookio.Pass: "allow", hookio.Ask: "deny"},
	},
	{
		name: "cursor, preToolUse", host: "cursor", on: always("preToolUse"),
		tools: map[string]string{"Bash": "Shell", "Read": "Read", "Write": "Write", "Edit": "Delete", "Grep": "Grep", "Agent": "Task"},
		keys:  map[string]string{"Edit.file_path": "path", "Edit.old_string": "!", "Edit.new_string": "!"},
		payload: func(s *spoken) string {
			return cursorBase(s) + `,"tool_name":` + quote(s.tool) + `,"tool_input":` + s.input + `,"tool_use_id":"tu_1","cwd":"/work/project","agent_message":""}`
		},
		reads: readCursor, becomes: map[hookio.Decision]string{hookio.Pass: "allow", hookio.Ask: "deny"},
	},
	{
		name: "droid", host: "droid", on: always("PreToolUse"), tools: droidTools, keys: droidKeys, wrap: inList("Glob", "pattern"),
		modes: same("default", "plan", "acceptEdits", "bypassPermissions"), mcp: claudeMCP,
		payload: claudeShape("/home/dev/.factory/sessions/s1.jsonl", ""), reads: readNested,
		becomes: map[hookio.Decision]string{hookio.Ask: "deny"},
	},
	{
		name: "droid, camelCase", host: "droid", on: always("PreToolUse"), tools: droidTools, keys: droidKeys, wrap: inList("Glob", "pattern"),
		modes: same("default", "plan", "acceptEdits", "bypassPermissions"), mcp: claudeMCP,
		payload: func(s *spoken) string {
			return `{"sessionId":"s1","transcriptPath":"/home/dev/.factory/sessions/s1.jsonl","cwd":"/work/project","permissionMode":` + quote(s.mode) +
				`,"hookEventName":"PreToolUse","toolName":` + quote(s.tool) + `,"toolInput":` + s.input + `}`
		},
		reads: readNested, becomes: map[hookio.Decision]string{hookio.Ask: "deny"},
	},
	{
		name: "crush", host: "crush", on: always("PreToolUse"),
		tools: map[string]string{"Bash": "bash", "Read": "view", "Write": "write", "Edit": "edit", "Glob": "glob", "Grep": "grep", "LS": "ls",
			"WebFetch": "fetch", "WebSearch": "web_search", "Agent": "agent"},
		keys: map[string]string{"Agent.subagent_type": "!", "Agent.description": "", "WebFetch.prompt": "", "Grep.glob": "include", "Bash.timeout": ""},
		mcp:  lowMCP,
		payload: func(s *spoken) string {
			return `{"event":"PreToolUse","session_id":"s1","cwd":"/work/project","tool_name":` + quote(s.tool) + `,"tool_input":` + s.input + `}`
		},
		reads: readCrush, becomes: map[hookio.Decision]string{hookio.Ask: "host"},
	},
	{
		name: "goose", host: "goose", on: always("PreToolUse"),
		tools: map[string]string{"Bash": "developer__shell", "Write": "developer__write", "Edit": "developer__edit", "LS": "developer__tree", "Read": "developer__read_image"},
		keys: map[string]string{"Write.file_path": "path", "Edit.file_path": "path", "Edit.old_string": "before", "Edit.new_string": "after",
			"Edit.replace_all": "!", "Read.file_path": "source", "Bash.description": "", "Bash.timeout": "timeout_secs"},
		mcp: func(server, tool string) string { return server + "__" + tool },
		payload: func(s *spoken) string {
			return `{"event":"PreToolUse","session_id":"s1","matcher_context":` + quote(s.tool) + `,"tool_name":` + quote(s.tool) +
				`,"tool_input":` + s.input + `,"working_dir":"/work/project","tool_call_id":"c1"}`
		},
		reads: readGoose, becomes: map[hookio.Decision]string{hookio.Pass: "allow", hookio.Ask: "deny"},
	},
	{
		name: "antigravity", host: "antigravity", on: always(""),
		tools: map[string]string{"Bash": "run_command", "Read": "view_file", "Write": "write_to_file", "Edit": "replace_file_content", "Glob": "find_by_name", "Grep": "grep_search",
			"LS": "list_dir", "WebFetch": "read_url_content", "WebSearch": "search_web", "Agent": "invoke_subagent"},
		keys: map[string]string{"Bash.command": "CommandLine", "Bash.description": "", "Bash.timeout": "", "Bash.run_in_background": "", "Read.file_path": "AbsolutePath",
			"Read.offset": "StartLine", "Read.limit": "EndLine", "Read.pages": "!", "Write.file_path": "TargetFile", "Write.content": "CodeContent",
			"Edit.file_path": "TargetFile", "Edit.old_string": "TargetContent", "Edit.new_string": "ReplacementContent", "Edit.replace_all": "AllowMultiple",
			"Glob.path": "SearchDirectory", "Glob.pattern": "Pattern", "Grep.path": "SearchPath", "Grep.pattern": "Query", "Grep.glob": "Includes", "LS.path": "DirectoryPath",
			"WebFetch.url": "Url", "WebFetch.prompt": "", "Agent.subagent_type": "Subagents", "Agent.description": "", "Agent.prompt": ""},
		wrap: func(tool, key, raw string) string {
			if tool == "Agent" && key == "subagent_type" {
				return `[{"TypeName":` + raw + `,"Role":"r","Prompt":"p"}]`
			}
			return inList("Grep", "glob")(tool, key, raw)
		},
		mcp: lowMCP,
		payload: func(s *spoken) string {
			for tool, key := range map[string]string{"find_by_name": "SearchDirectory", "grep_search": "SearchPath"} {
				if s.tool == tool && !gjson.Get(s.input, key).Exists() {
					s.input = `{"` + key + `":"/work/project",` + s.input[1:]
				}
			}
			return `{"toolCall":{"name":` + quote(s.tool) + `,"args":` + s.input + `},"stepIdx":3,"conversationId":"s1","workspacePaths":["/work/project"],"modelName":"auto"}`
		},
		reads: readAntigravity,
	},
	opencodeForm("opencode"), opencodeForm("kilo"),
	{
		name: "grok", host: "grok", on: always("pre_tool_use"),
		tools: map[string]string{"Bash": "run_terminal_command", "Read": "read_file", "Edit": "search_replace", "LS": "list_dir", "Grep": "grep", "Agent": "Task"},
		keys:  map[string]string{"LS.path": "target_directory"}, modes: same("default"),
		payload: func(s *spoken) string {
			return `{"hookEventName":"pre_tool_use","hook_event_name":"PreToolUse","sessionId":"s1","session_id":"s1","cwd":"/work/project",` +
				`"workspaceRoot":"/work/project","timestamp":"2026-09-13T10:00:00Z","permissionMode":"default","permission_mode":"default","toolName":` + quote(s.tool) +
				`,"tool_name":` + quote(s.tool) + `,"toolInput":` + s.input + `,"tool_input":` + s.input + `,"toolInputTruncated":false}`
		},
		reads: readGrok,
	},
	{
		name: "caliban", host: "caliban", on: always("PreToolUse"),
		tools: same("Bash", "Read", "Write", "Edit", "NotebookEdit", "Glob", "Grep", "WebFetch", "WebSearch"),
		keys: map[string]string{"Read.file_path": "path", "Write.file_path": "path", "Edit.file_path": "path", "NotebookEdit.notebook_path": "path",
			"Grep.glob": "include", "Bash.description": "", "Bash.timeout": "timeout_seconds", "Bash.run_in_background": "background", "WebFetch.prompt": ""},
		payload: func(s *spoken) string {
			return `{"hookEventName":"PreToolUse","session_id":"","turn_index":3,"tool":{"name":` + quote(s.tool) + `,"useId":"t1","input":` + s.input + `}}`
		},
		reads: readCaliban, becomes: cannot,
	},
	{
		name: "core-agent", host: "core-agent", on: always(""),
		tools: map[string]string{"Bash": "bash", "Read": "read_file", "Write": "write_file", "Edit": "edit_file", "LS": "list_dir", "Glob": "glob", "Grep": "grep"},
		keys: map[string]string{"Read.file_path": "path", "Write.file_path": "path", "Edit.file_path": "path", "Edit.replace_all": "!", "Grep.glob": "!",
			"Bash.description": "", "Bash.timeout": "", "Bash.run_in_background": ""},
		modes: map[string]string{"default": "ask", "acceptEdits": "acceptEdits", "plan": "plan", "dontAsk": "allow", "bypassPermissions": "yolo"},
		payload: func(s *spoken) string {
			return `{"id":"c1","name":` + quote(s.tool) + `,"args":` + s.input + `,"mode":` + quote(s.mode) + `,"cwd":"/work/project"}`
		},
		reads: readGrok,
	},
	{
		name: "ex_athena", host: "ex_athena", on: always(""),
		tools: map[string]string{"Bash": "bash", "Read": "read", "Write": "write", "Edit": "edit", "Glob": "glob", "Grep": "grep", "WebFetch": "web_fetch",
			"WebSearch": "web_search", "Agent": "spawn_agent", "Skill": "skill"},
		keys: map[string]string{"Read.file_path": "path", "Write.file_path": "path", "Edit.file_path": "path", "Glob.path": "!", "Grep.path": "!", "Grep.glob": "path_glob",
			"Bash.description": "", "Bash.timeout": "timeout_ms", "Bash.run_in_background": "", "WebFetch.prompt": "", "Skill.skill": "name", "Agent.subagent_type": "agent"},
		modes: map[string]string{"default": "default", "plan": "plan", "acceptEdits": "accept_edits", "bypassPermissions": "bypass_permissions"},
		mcp:   func(server, tool string) string { return server + "_" + tool },
		payload: func(s *spoken) string {
			return `{"id":"c1","name":` + quote(s.tool) + `,"arguments":` + s.input + `,"phase":` + quote(s.mode) + `,"cwd":"/work/project"}`
		},
		reads: readGrok,
	},
	{
		name: "copilot", host: "copilot", on: always("preToolUse"), tools: copilotTools, keys: copilotKeys, mcp: func(server, tool string) string { return server + "-" + tool },
		payload: func(s *spoken) string {
			return `{"sessionId":"s1","timestamp":1788000000000,"cwd":"/work/project","toolName":` + quote(s.tool) + `,"toolArgs":` + quote(s.input) + `}`
		},
		reads: readCopilot,
	},
	{
		name: "copilot, PascalCase", host: "copilot", on: always("PreToolUse"), keys: copilotKeys, mcp: func(server, tool string) string { return server + "-" + tool },
		tools: same("Bash", "Read", "Write", "Edit", "Glob", "Grep", "WebFetch", "WebSearch", "Agent", "Skill"),
		payload: func(s *spoken) string {
			return `{"hook_event_name":"PreToolUse","session_id":"s1","timestamp":"2026-09-05T10:00:00.000Z","cwd":"/work/project","tool_name":` + quote(s.tool) +
				`,"tool_input":` + s.input + `}`
		},
		reads: readCopilot,
	},
	{
		name: "copilot, permissionRequest", host: "copilot", on: always("permissionRequest"), tools: copilotTools, keys: copilotKeys,
		mcp: func(server, tool string) string { return server + "/" + tool },
		payload: func(s *spoken) string {
			return `{"hookName":"permissionRequest","sessionId":"s1","timestamp":1788000000000,"cwd":"/work/project","toolName":` + quote(s.tool) +
				`,"toolInput":` + s.input + `,"permissionSuggestions":[]}`
		},
		reads: readCopilot, becomes: dialog,
	},
	{
		name: "vscode", host: "vscode", on: always("PreToolUse"),
		tools: map[string]string{"Bash": "run_in_terminal", "Read": "read_file", "Write": "create_file", "Edit": "replace_string_in_file",
			"NotebookEdit": "edit_notebook_file", "Glob": "file_search", "Grep": "grep_search", "LS": "list_dir", "WebFetch": "fetch_webpage", "Agent": "runSubagent"},
		keys: map[string]string{"Read.file_path": "filePath", "Write.file_path": "filePath", "Edit.file_path": "filePath", "Edit.old_string": "oldString",
			"Edit.new_string": "newString", "Edit.replace_all": "!", "NotebookEdit.notebook_path": "filePath", "NotebookEdit.new_source": "newCode",
			"Glob.pattern": "query", "Glob.path": "!", "Grep.pattern": "query", "Grep.path": "!", "WebFetch.url": "urls", "WebFetch.prompt": "query",
			"Agent.subagent_type": "agentName"},
		wrap: inList("WebFetch", "url"), mcp: lowMCP,
		payload: func(s *spoken) string {
			return `{"timestamp":"2026-07-29T09:00:00.000Z","cwd":"/work/project","sessionId":"s1","hookEventName":"PreToolUse","transcript_path":"/work/t.json","tool_name":` +
				quote(s.tool) + `,"tool_input":` + s.input + `,"tool_use_id":"c1"}`
		},
		reads: readNested,
	},
	{
		name: "gemini", host: "gemini", on: always("BeforeTool"),
		tools: map[string]string{"Bash": "run_shell_command", "Read": "read_file", "Write": "write_file", "Edit": "replace", "Glob": "glob", "Grep": "grep_search",
			"LS": "list_directory", "WebFetch": "web_fetch", "WebSearch": "google_web_search", "Agent": "invoke_agent", "Skill": "activate_skill"},
		keys: map[string]string{"Glob.path": "dir_path", "Grep.path": "dir_path", "Grep.glob": "include_pattern", "LS.path": "dir_path", "WebFetch.url": "prompt", "WebFetch.prompt": "",
			"Edit.replace_all": "allow_multiple", "Agent.subagent_type": "agent_name", "Skill.skill": "name"},
		wrap: func(t, k, raw string) string {
			if t == "WebFetch" && k == "url" {
				return quote("Summarise " + gjson.Parse(raw).Str + " in a few words")
			}
			return raw
		},
		mcp:     lowMCP,
		payload: claudeShape("/home/dev/.gemini/tmp/x/chats/session.json", `,"timestamp":"2026-08-21T09:00:00.000Z"`),
		reads:   readGemini, becomes: cannot,
	},
	{
		name: "qwen", host: "qwen", on: always("PreToolUse"), tools: qwenTools, modes: qwenModes, mcp: lowMCP,
		payload: claudeShape("/home/dev/.qwen/projects/x/chats/s1.jsonl", `,"timestamp":"2026-09-12T08:00:00.000Z"`), reads: readNested,
	},
	{
		name: "qwen, dialog", host: "qwen", on: always("PermissionRequest"), tools: qwenTools, modes: qwenModes, mcp: lowMCP,
		payload: claudeShape("/home/dev/.qwen/projects/x/chats/s1.jsonl", `,"timestamp":"2026-09-12T08:00:00.000Z"`), reads: readNested, becomes: dialog,
	},
}

var (
	copilotTools = map[string]string{"Bash": "bash", "Read": "view", "Write": "create", "Edit": "edit", "Glob": "glob", "Grep": "grep",
		"WebFetch": "web_fetch", "WebSearch": "web_search", "Agent": "task", "Skill": "skill"}
	copilotKeys = map[string]string{
		"Read.file_path": "path", "Write.file_path": "path", "Write.content": "file_text",
		"Edit.file_path": "path", "Edit.old_string": "old_str", "Edit.new_string": "new_str", "Edit.replace_all": "!",
		"Agent.subagent_type": "agent_type",
	}
	qwenTools = map[string]string{"Bash": "run_shell_command", "Read": "read_file", "Write": "write_file", "Edit": "edit", "NotebookEdit": "notebook_edit", "Glob": "glob",
		"Grep": "grep_search", "LS": "list_directory", "WebFetch": "web_fetch", "WebSearch": "web_search", "Agent": "task", "Skill": "skill"}
	qwenModes = map[string]string{"default": "default", "plan": "plan", "acceptEdits": "auto_edit", "bypassPermissions": "yolo"}
)

// codexKeys: apply_patch has the path and the change in one text.
var (
	codexTools = map[string]string{"Bash": "Bash", "Edit": "apply_patch", "Read": "view_image"}
	codexKeys  = map[string]string{"Edit.file_path": "command", "Edit.old_string": "", "Edit.new_string": "", "Edit.replace_all": "",
		"Read.file_path": "path", "Read.offset": "!", "Read.limit": "!", "Read.pages": "!"}
)

func codexPatch(tool, key, raw string) string {
	if tool != "Edit" || key != "file_path" {
		return raw
	}
	return quote("*** Begin Patch\n*** Update File: " + gjson.Parse(raw).Str + "\n@@\n-a\n+b\n*** End Patch\n")
}

func cursorBase(s *spoken) string {
	return `{"conversation_id":"s1","generation_id":"g1","model":"m","hook_event_name":` + quote(s.event) +
		`,"cursor_version":"3.4.0","workspace_roots":["/work/project"],"user_email":null,"transcript_path":null`
}

// cursorShape is an event that is the tool: its fields are at the top level.
func cursorShape(s *spoken) string {
	p := cursorBase(s)
	switch s.event {
	case "beforeMCPExecution":
		server, _, _ := cutMCP(s.call.tool)
		return p + `,"tool_name":` + quote(s.tool) + `,"tool_input":` + quote(s.input) + `,"mcp_server_name":` + quote(server) + `,"command":"npx server"}`
	case "beforeShellExecution":
		p += `,"cwd":"/work/project","sandbox":true`
	case "beforeReadFile":
		p += `,"content":"x","attachments":[]`
	}
	if rest := strings.TrimPrefix(s.input, "{"); rest != "}" {
		return p + "," + rest
	}
	return p + "}"
}

// opencodeForm is that of opencode and of Kilo, which was made out of it.
func opencodeForm(host string) form {
	return form{
		name: host, host: host, on: always("PreToolUse"),
		tools: map[string]string{"Bash": "bash", "Read": "read", "Write": "write", "Edit": "edit", "Glob": "glob", "Grep": "grep", "LS": "list",
			"WebFetch": "webfetch", "WebSearch": "websearch", "Agent": "task", "Skill": "skill"},
		keys: map[string]string{"Read.file_path": "filePath", "Write.file_path": "filePath", "Edit.file_path": "filePath", "Edit.old_string": "oldString",
			"Edit.new_string": "newString", "Edit.replace_all": "replaceAll", "Grep.glob": "include", "WebFetch.prompt": "", "Skill.skill": "name",
			"Bash.run_in_background": "", "Read.pages": ""},
		mcp: func(server, tool string) string { return server + "_" + tool },
		payload: func(s *spoken) string {
			return `{"agent":"` + host + `","plugin":1,"hook_event_name":"PreToolUse","session_id":"s1","cwd":"/work/project","project":"/work/project",` +
				`"tool_use_id":"c1","tool_name":` + quote(s.tool) + `,"tool_input":` + s.input + `}`
		},
		reads: readGrok, becomes: map[hookio.Decision]string{hookio.Ask: "deny"},
	}
}
