package hookio

import (
	"strings"

	"github.com/tidwall/gjson"
)

// vscode is the agent of Visual Studio Code. It takes Claude Code's answers and
// has tools of its own. It also runs the files of Copilot CLI and, where the user
// switched that on, those of Claude Code, whose matchers it ignores.
var vscode = Host{
	Name:    "vscode",
	Aliases: []string{"vs-code", "code"},
	Title:   "VS Code",
	Detect: func(p Top) bool {
		if p.Has("hookEventName", "sessionId", "tool_name") {
			return true
		}
		// the other spelling, which several programs have
		if !isoTime(p.Get("timestamp")) || !p.Has("hook_event_name", "tool_name", "transcript_path") {
			return false
		}
		return !transcriptIn(p, ".claude") &&
			(vscodeTool(p.Get("tool_name").String()) || transcriptIn(p, "GitHub.copilot-chat"))
	},
	Events: []EventName{{"PreToolUse", PreToolUse}, {"PostToolUse", PostToolUse}},
	Fields: []Pair{{"hookEventName", "hook_event_name"}, {"sessionId", "session_id"}, {"transcriptPath", "transcript_path"}},
	Decode: decodeVSCode,
	Tools:  vscodeTools,
	Shapes: []Shape{
		{Tools: "create_and_run_task copilot_createAndRunTask", Kind: KindCommand, Keys: []string{"command"}, First: 1}, // see decodeVSCode
		{Tools: "Read", Kind: KindPath, Access: AccessRead, Keys: keysVSCode, First: 3, Need: true},
		{Tools: "Write", Kind: KindPath, Access: AccessWrite, Keys: []string{"filePath", "file_path", "path", "dirPath", "paths", "edits"}, First: 4, Need: true, Also: alsoEdit},
		{Tools: "NotebookEdit", Kind: KindPath, Access: AccessWrite, Keys: keysVSCode, First: 3, Need: true, Also: alsoEdit},
		{Tools: "Edit", Kind: KindPath, Access: AccessWrite, First: 6, Need: true, Patch: "input",
			Keys:  []string{"filePath", "file_path", "path", "replacements", "files", "input", "edits"},
			Lists: []string{"files"}, Nested: []string{"replacements"}, Also: []string{"oldString", "newString", "code", "explanation"}},
		{Tools: "Glob", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "paths", "query"}, First: 1, Under: []string{"query"}},
		{Tools: "Grep", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "paths", "includePattern"}, First: 1, Filter: []string{"includePattern"}, Also: []string{"query"}},
		{Tools: "WebFetch", Kind: KindURL, Keys: []string{"urls", "url"}, First: 2, Need: true, Lists: []string{"urls"}, Also: []string{"query"}},
		{Tools: "Agent", Keys: []string{"agentName", "subagent_type"}, First: 2, Also: []string{"prompt", "description"}},
	},
	MCP:     MCP{Forms: []MCPForm{{Prefix: "mcp_", Sep: "_"}}},
	AskIs:   askNested,
	Answers: answersNested,
	Encode:  encodeNested,
	Shared:  true,
	URIs:    true,
	Register: &Registration{
		Programs: []string{"code"}, Folder: "~/.vscode",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.copilot/hooks/permgate-vscode.json", Root: "hooks", Own: true},
			{Scope: ForProject, Path: ".github/hooks/permgate-vscode.json", Root: "hooks", Own: true},
		},
		Flat: true, Command: commandKey, Fixed: typeCommand, Timeout: "timeout", OrExit2: true,
		OnWindows: WindowsShell{PowerShell, "microsoft/vscode extensions/copilot hookExecutor.ts, pull 317383 (2026-05): powershell.exe where ComSpec is cmd.exe, as nearly everywhere"},
		Events: []HookEvent{
			{Name: "PreToolUse", Gates: true},
			{Name: "PostToolUse", Records: true},
		},
		Posture: posture,
		Notes: []string{
			"Copilot CLI reads these folders too and runs this hook as well; permgate answers it in Copilot's form",
			"a hook that times out lets the call go on to VS Code's own prompt",
		},
		Source: "microsoft/vscode-docs hooks-reference.md (2026-07-29)",
	},
	Reader: []Reading{
		{"", []Ending{EndsAllow}, FateRuns, 0, ""},
		{"", []Ending{EndsAsk}, FatePrompts, 0, ""},
		{"", []Ending{EndsDeny, EndsBlocked, EndsMute}, FateBlocks, 0, ""},
		{"", []Ending{EndsSilence, EndsText, EndsBroken, EndsLate}, FateHost, 0, ""},
		{"", []Ending{EndsFailed, EndsKilled, EndsMissing}, FateHost, FateBlocks, ""},
		// it does not send this event; a Claude Code file may name it
		{"PermissionRequest", []Ending{EndsAsk}, FateHost, 0, ""},
	},
	Source: "microsoft/vscode-docs hooks-reference.md (2026-07-29) and agent-customization/hooks.md (2026-06-03); tool names: microsoft/vscode-copilot-chat",
}

var keysVSCode = []string{"filePath", "file_path", "path", "paths", "edits"}

// decodeVSCode is decode; the command of a task is in an object of its own.
func decodeVSCode(c *Call, payload Top) {
	decode(c, payload)
	if c.RawTool != "create_and_run_task" && c.RawTool != "copilot_createAndRunTask" || !c.Event.Decides() {
		return
	}
	task := c.Input.Get("task")
	c.once(topOf(task.Raw), "command", "args")
	words := []string{c.text("task.command", task.Get("command"), true)}
	task.Get("args").ForEach(func(_, arg gjson.Result) bool {
		words = append(words, quoteArg(c.text("task.args", arg, false)))
		return true
	})
	if c.Command = strings.Join(words, " "); words[0] == "" {
		c.fault("tool_input of " + quote(c.RawTool) + " has no command")
	}
}

// A tool of the Copilot extension has a second name, that of its contribution.
var vscodeTools = []Pair{
	{"run_in_terminal", "Bash"}, {"send_to_terminal", "Bash"},
	{"memory", toolMemory}, {"copilot_memory", toolMemory},
	{"install_extension", toolExtension}, {"copilot_installExtension", toolExtension},
	{"create_and_run_task", "Bash"}, {"copilot_createAndRunTask", "Bash"},
	{"read_file", "Read"}, {"copilot_readFile", "Read"}, {"view_image", "Read"},
	{"create_file", "Write"}, {"copilot_createFile", "Write"}, {"create_directory", "Write"}, {"copilot_createDirectory", "Write"},
	{"replace_string_in_file", "Edit"}, {"copilot_replaceString", "Edit"},
	{"multi_replace_string_in_file", "Edit"}, {"copilot_multiReplaceString", "Edit"},
	{"insert_edit_into_file", "Edit"}, {"copilot_insertEdit", "Edit"},
	{"editFiles", "Edit"}, {"edit_files", "Edit"}, {"copilot_editFiles", "Edit"},
	{"apply_patch", "Edit"}, {"copilot_applyPatch", "Edit"},
	{"edit_notebook_file", "NotebookEdit"}, {"copilot_editNotebook", "NotebookEdit"},
	{"list_dir", "LS"}, {"copilot_listDirectory", "LS"}, {"file_search", "Glob"}, {"copilot_findFiles", "Glob"},
	{"grep_search", "Grep"}, {"copilot_findTextInFiles", "Grep"},
	{"fetch_webpage", "WebFetch"}, {"copilot_fetchWebPage", "WebFetch"}, {"open_simple_browser", "WebFetch"}, {"copilot_openSimpleBrowser", "WebFetch"},
	{"runSubagent", "Agent"}, {"manage_todo_list", "TodoWrite"},
	{"Task", "Agent"}, {"MultiEdit", "Edit"},
}

// vscodeTool reports whether no other program has a tool of that name.
func vscodeTool(name string) bool {
	switch name {
	case "read_file", "apply_patch", "grep_search", "Task", "MultiEdit":
		return false
	}
	return lookup(vscodeTools, name) != name || strings.HasPrefix(name, "copilot_")
}
