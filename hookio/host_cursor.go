package hookio

import (
	"strings"

	"github.com/tidwall/gjson"
)

// cursor is Cursor. It has an event of its own for shell commands, MCP tools
// and file reads, with the fields of the call at the top level, and a general
// one that takes an ask and runs the tool all the same. An empty answer is a
// failed hook there, so silence is an explicit allow.
var cursor = Host{
	Name:      "cursor",
	Aliases:   []string{"cursor-agent"},
	Title:     "Cursor",
	OnWindows: WindowsShell{PowerShell, "cursor/cursor issues 3673 and 3711: PowerShell, whatever the default terminal is (2025-11)"},
	Roots:     []string{".cursor"},
	Detect: func(p Top) bool {
		return p.Has("cursor_version") || p.Has("conversation_id", "generation_id")
	},
	Events: []EventName{
		{"preToolUse", PreToolUse},
		{"beforeShellExecution", PreToolUse},
		{"beforeMCPExecution", PreToolUse},
		{"beforeReadFile", PreToolUse},
		{"beforeTabFileRead", PreToolUse},
		{"subagentStart", PreToolUse},
		{"postToolUse", PostToolUse},
		{"postToolUseFailure", PostToolUseFailure},
		{"sessionEnd", SessionEnd},
	},
	Answers:   []AnswerKey{{Path: "permission", Words: "allow ask deny"}},
	Decode:    decodeCursor,
	InputText: true,
	Silence:   `{"permission":"allow"}`,
	Encode:    encodeCursor,
	Shapes: []Shape{
		{Tools: "Shell", Kind: KindCommand, Keys: []string{"command", "working_directory"}, First: 1, Need: true, Also: alsoCommand, Dir: "working_directory"},
		{Tools: "Read", Kind: KindPath, Access: AccessRead, Keys: []string{"file_path", "path", "target_file", "filePath", "paths", "attachments"}, First: 4, Need: true},
		{Tools: "Write Delete", Kind: KindPath, Access: AccessWrite, Keys: keysCursor, First: 5, Need: true, Also: alsoEdit},
		{Tools: "Grep", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "file_path", "target_directory", "paths", "glob"}, First: 3, Filter: []string{"glob"}, Also: alsoSearch},
		{Tools: "Glob", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "target_directory", "pattern", "glob_pattern", "paths"}, First: 2,
			Lists: []string{"pattern", "glob_pattern"}, Under: []string{"pattern", "glob_pattern"}, Also: alsoSearch},
		{Tools: "LS", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "target_directory", "paths"}, First: 2},
		{Tools: "Task", Keys: []string{"subagent_type"}, First: 1, Also: []string{"prompt", "task", "model"}},
	},
	Tools: []Pair{{"Shell", "Bash"}, {"Delete", "Edit"}, {"Task", "Agent"}},
	AskIs: func(c *Call) AskForm {
		if sameWord(c.RawEvent, "beforeShellExecution") || sameWord(c.RawEvent, "beforeMCPExecution") {
			return AskPrompts
		}
		return AskDenies
	},
	SilenceRuns: true,
	Shared:      true,
	ProjectVar:  "CURSOR_PROJECT_DIR",
	Register: &Registration{
		Programs: []string{"cursor-agent", "cursor"}, Folder: "~/.cursor",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.cursor/hooks.json", Root: "hooks"},
			{Scope: ForProject, Path: ".cursor/hooks.json", Root: "hooks"},
			{Scope: ForManaged, OS: "darwin", Path: "/Library/Application Support/Cursor/hooks.json", Root: "hooks"},
			{Scope: ForManaged, OS: "windows", Path: `C:\ProgramData\Cursor\hooks.json`, Root: "hooks"},
			{Scope: ForManaged, Path: "/etc/cursor/hooks.json", Root: "hooks"},
		},
		Head: version1, Flat: true, Command: commandKey, Timeout: "timeout",
		FailShut: Member{"failClosed", "true"}, OrExit2: true,
		OnWindows: WindowsShell{PowerShell, "Arize-ai/coding-harness-tracing issue 58 and speakeasy-api/gram pull 3736 (2026-06)"},
		Events: []HookEvent{
			{Name: "beforeShellExecution", Gates: true},
			{Name: "beforeMCPExecution", Gates: true},
			{Name: "beforeReadFile", Gates: true},
			// An ask is a deny here, and would come before the events that can ask
			// about a shell command or an MCP tool. Named tools as well, should the
			// matcher be no regular expression of JavaScript.
			{Name: "preToolUse", Gates: true, Matcher: "Read|Write|Grep|Delete|Task|^(?!Shell$|MCP:)"},
			{Name: "postToolUse", Records: true},
			{Name: "sessionEnd", Records: true, NoTool: true},
		},
		Posture: []Recommended{{"catastrophic", `"deny"`, 1}, {"destructive", `"practical"`, 1}, {"secrets", `"ask"`, 1},
			{"projectTrust", `"require"`, 1}, {"expandScripts", "true", 1}},
		Notes: []string{
			"Cursor cannot ask about an edit, nor about a tool permgate does not know: without an allow rule (Edit, the tool's name) or the mode acceptEdits it is denied",
			"Cursor also runs the hooks of .claude files, only on preToolUse, where an ask is a deny: turn off third-party configuration in its settings to get prompts",
			"Cursor enforces only deny everywhere: its own run mode may let an ask pass",
			"cloud agents load only a committed .cursor/hooks.json",
		},
		Source: "cursor.com/docs/hooks, as quoted 2026-08-25 to 2026-10-05",
	},
	Reader: []Reading{
		// the line of silence is an allow
		{"", []Ending{EndsAllow, EndsSilence}, FateRuns, 0, ""},
		{"beforeShellExecution", []Ending{EndsAsk}, FatePrompts, 0, ""},
		{"beforeMCPExecution", []Ending{EndsAsk}, FatePrompts, 0, ""},
		// the line of an ask is a deny
		{"", []Ending{EndsAsk, EndsDeny, EndsBlocked, EndsMute}, FateBlocks, 0, ""},
		{"", []Ending{EndsText, EndsBroken}, FateUnknown, FateBlocks, ""},
		{"", []Ending{EndsFailed, EndsKilled, EndsLate, EndsMissing}, FateHost, FateBlocks, ""},
	},
	Source: "cursor.com/docs/hooks, as quoted 2026-08-25 to 2026-10-05; staff in its forum on what is enforced",
}

var keysCursor = []string{"file_path", "path", "target_file", "target_notebook", "filePath", "paths", "edits"}

// decodeCursor reads a payload. Where the event is the tool, top-level fields become the input.
func decodeCursor(c *Call, p Top) {
	decodeFields(c, p)
	c.once(p, "workspace_roots", "conversation_id", "mcp_server_name")
	if c.SessionID == "" {
		c.SessionID = p.Get("conversation_id").String()
	}
	c.setWorkspace(p.Get("workspace_roots"))
	if !c.Event.Decides() {
		return
	}
	switch event := c.RawEvent; {
	case sameWord(event, "beforeShellExecution"):
		c.fromTop(p, "Shell", "command", "sandbox")
	case sameWord(event, "beforeReadFile"), sameWord(event, "beforeTabFileRead"):
		c.fromTop(p, "Read", "file_path", "attachments")
	case sameWord(event, "subagentStart"):
		c.fromTop(p, "Task", "subagent_type", "task")
	case sameWord(event, "beforeMCPExecution") || strings.HasPrefix(c.RawTool, "MCP:"):
		c.setServer(p.Get("mcp_server_name"))
	case c.RawTool == "" && p.Get("command").Exists():
		c.fromTop(p, "Shell", "command", "sandbox")
	case c.RawTool == "" && p.Get("file_path").Exists():
		c.fromTop(p, "Read", "file_path", "attachments")
	}
	if c.Input.Exists() {
		readInput(c)
	}
}

// fromTop makes fields of the payload a tool's input, in whatever case and
// however often they are there, so that doubts are noted as in any input.
func (c *Call) fromTop(p Top, tool string, keys ...string) {
	b := []byte{'{'}
	for _, m := range p {
		for _, key := range keys {
			if strings.EqualFold(m.Name, key) {
				if len(b) > 1 {
					b = append(b, ',')
				}
				b = append(append(AppendJSON(b, m.Name), ':'), m.JSON...)
				break
			}
		}
	}
	c.Input = gjson.Parse(string(append(b, '}')))
	c.RawTool, c.Alias = tool, false
	c.named()
}

// setServer gives an MCP tool its canonical name. Rules about a server need the name of the server.
func (c *Call) setServer(server gjson.Result) {
	name := server.Str
	if name == "" {
		name = "unknown"
		c.fault("the payload does not name the MCP server of the tool")
	}
	tool := strings.TrimPrefix(c.RawTool, "MCP:")
	c.oneServer(name)
	c.Tool, c.Alias = mcpName(name, tool), false
}

// oneServer notes a server's name that may be one with that of a tool.
func (c *Call) oneServer(name string) {
	if strings.Contains(plainName(name), "__") {
		c.fault("the name of the MCP server " + quote(name) + " contains __, so server and tool cannot be told apart")
	}
}

// setWorkspace takes the workspace folder around the working directory as the
// project. A working directory outside them all is where the call goes.
func (c *Call) setWorkspace(roots gjson.Result) {
	if !roots.IsArray() {
		return
	}
	roots.ForEach(func(_, r gjson.Result) bool {
		if r.Type != gjson.String || r.Str == "" {
			return true
		}
		root := r.Str
		if len(root) > 3 && root[0] == '/' && root[2] == ':' && root[3] == '/' {
			root = root[1:] // of a Windows folder Cursor sends the path of its URI
		}
		inside := below(c.Cwd, root)
		if c.Project == "" || inside {
			c.Project = root
		}
		return !inside
	})
	switch root := c.Project; {
	case root == "":
	case c.Cwd == "":
		c.Cwd = root
	case !below(c.Cwd, root):
		c.Cwd, c.Dir = root, c.Cwd
	}
}

// below reports whether a path is, as written, a folder's or below it, with ..
// elsewhere, and drive letters compared as Windows does.
func below(name, folder string) bool {
	if len(folder) > 1 && folder[1] == ':' {
		name, folder = strings.ToLower(strings.ReplaceAll(name, `\`, "/")),
			strings.ToLower(strings.ReplaceAll(folder, `\`, "/"))
	}
	return !strings.Contains(name+"/", "/../") &&
		strings.HasPrefix(strings.TrimSuffix(name, "/")+"/", strings.TrimSuffix(folder, "/")+"/")
}

// encodeCursor writes {"permission": ...}. An allow needs no words.
func encodeCursor(dst []byte, _ *Call, a Answer) []byte {
	dst = append(dst, `{"permission":"`...)
	dst = append(dst, a.Decision.String()...)
	dst = append(dst, '"')
	if a.Decision != Allow {
		dst = AppendJSON(append(dst, `,"user_message":`...), a.Reason)
		dst = AppendJSON(append(dst, `,"agent_message":`...), a.Reason)
	}
	return append(dst, "}\n"...)
}
