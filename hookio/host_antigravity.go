package hookio

import (
	"strings"

	"github.com/tidwall/gjson"
)

// antigravity is Antigravity, agy on the command line, which came after Gemini CLI. Its payload puts
// the call into an object and names no event. It has no silence: {} is a denial, and ask is what it does
// by itself. force_ask asks in spite of what was allowed for good. No exit code blocks.
var antigravity = Host{
	Name:    "antigravity",
	Aliases: []string{"agy"},
	Title:   "Antigravity",
	Detect:  func(p Top) bool { return p.Get("toolCall").IsObject() },
	Events:  []EventName{{"PreToolUse", PreToolUse}, {"PostToolUse", PostToolUse}},
	Fields: []Pair{
		{"hookEventName", "hook_event_name"}, {"toolCall.name", "tool_name"}, {"toolCall.args", "tool_input"},
		{"conversationId", "session_id"}, {"transcriptPath", "transcript_path"},
	},
	Decode:  decodeAntigravity,
	Silence: `{"decision":"ask"}`,
	Answers: []AnswerKey{{Path: "decision", Words: "allow deny force_ask -ask"}},
	Encode:  encodeAntigravity,
	Tools: []Pair{
		{"run_command", "Bash"}, {"view_file", "Read"}, {"write_to_file", "Write"},
		{"replace_file_content", "Edit"}, {"multi_replace_file_content", "Edit"}, {"grep_search", "Grep"}, {"find_by_name", "Glob"},
		{"list_dir", "LS"}, {"read_url_content", "WebFetch"}, {"search_web", "WebSearch"}, {"invoke_subagent", "Agent"},
		{"ask_question", "AskUserQuestion"},
	},
	MCP: MCP{Forms: []MCPForm{{Prefix: "mcp_", Sep: "_"}}},
	Shapes: []Shape{
		{Tools: "run_command", Kind: KindCommand, Keys: []string{"CommandLine", "Cwd"}, First: 1, Need: true, Dir: "Cwd"},
		{Tools: "manage_task", Kind: KindCommand, Keys: []string{"Input"}, First: 1, Typed: true},
		{Tools: "invoke_subagent", Keys: []string{"Subagents"}, First: 1, Each: "TypeName"},
		{Tools: "view_file", Kind: KindPath, Access: AccessRead, Keys: []string{"AbsolutePath"}, First: 1, Need: true},
		{Tools: "write_to_file", Kind: KindPath, Access: AccessWrite, Keys: keysAntigravity, First: 1, Need: true, Also: []string{"CodeContent"}},
		{Tools: "replace_file_content", Kind: KindPath, Access: AccessWrite, Keys: keysAntigravity, First: 1, Need: true, Also: []string{"TargetContent", "ReplacementContent"}},
		{Tools: "multi_replace_file_content", Kind: KindPath, Access: AccessWrite, Keys: keysAntigravity, First: 1, Need: true, Also: []string{"ReplacementChunks"}},
		{Tools: "grep_search", Kind: KindPath, Access: AccessRead, Keys: []string{"SearchPath", "Includes"}, First: 1, Need: true, Lists: []string{"Includes"}, Filter: []string{"Includes"}, Also: []string{"Query"}},
		{Tools: "find_by_name", Kind: KindPath, Access: AccessRead, Keys: []string{"SearchDirectory", "Pattern"}, First: 1, Need: true, Under: []string{"Pattern"}},
		{Tools: "list_dir", Kind: KindPath, Access: AccessRead, Keys: []string{"DirectoryPath"}, First: 1, Need: true},
		{Tools: "read_url_content", Kind: KindURL, Keys: []string{"Url"}, First: 1, Need: true},
	},
	AskIs: func(*Call) AskForm { return AskPrompts },
	Alone: Alone{
		Own: []OwnFiles{
			{Base: BaseHome, Dir: ".gemini/antigravity-cli/brain/{session}", Ext: ".md", Doc: "plans and task lists of the conversation"},
			{Base: BaseHome, Dir: ".gemini/antigravity/brain/{session}", Ext: ".md", Doc: "those of the desktop program"},
			{Base: BaseHome, Dir: ".gemini/antigravity-ide/brain/{session}", Ext: ".md", Doc: "those of the editor"},
		},
		Source: "agy-customizations docs/hooks.md in Antigravity (2026-09-18): artifactDirectoryPath",
	},
	Register: &Registration{
		Programs: []string{"agy"}, Folder: "~/.gemini/antigravity-cli",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.gemini/config/hooks.json", Root: "permgate"},
			{Scope: ForProject, Path: ".agents/hooks.json", Root: "permgate"},
		},
		Matcher: "*", Command: commandKey, Fixed: typeCommand, Timeout: "timeout", OrDeny: true, Sh: true,
		OnWindows: WindowsShell{NoQuotes, "google-antigravity/antigravity-cli issue 222, herdrdev/herdr issue 3348, akitaonrails/ai-memory issue 611 (2026-07 to 2026-09)"},
		Events:    []HookEvent{{Name: "PreToolUse", Gates: true}},
		Posture:   posture,
		Off: []OffSwitch{
			{Scope: ForUser, Key: "permgate.enabled", Value: "false"},
			{Scope: ForProject, Key: "permgate.enabled", Value: "false"},
		},
		Notes: []string{
			"an allow lifts no prompt of Antigravity's own in headless runs (reported for 1.1.2 to 1.2.14), and -p refuses what it would ask about",
			"with toolPermission always-proceed, 1.1.27 is reported to run what a hook asks about: use a deny rule for what must not run",
			"agy -p names a workspace only with --add-dir: without one every call is asked about, and so refused",
			"of several workspace folders the first is the project, the others are outside",
			"one entry of the file that Antigravity cannot read switches off all hooks in it: agy -p /hooks lists those in force",
			"a hook that times out lets the call go on to Antigravity's own prompt, and on Windows so does one that cannot be started",
		},
		Source: "antigravity.google/docs/hooks, agy-customizations docs/hooks.md in Antigravity (2026-09-18)",
	},
	Reader: []Reading{
		{"", []Ending{EndsAllow}, FateRuns, 0, ""},
		{"", []Ending{EndsAsk}, FatePrompts, 0, ""},
		{"", []Ending{EndsDeny}, FateBlocks, 0, ""},
		// the line of silence is "ask", which keeps to what was allowed for good
		{"", []Ending{EndsSilence, EndsLate}, FateHost, 0, ""},
		// installed, the shell prints a denial
		{"", []Ending{EndsFailed, EndsBlocked, EndsMute, EndsKilled, EndsMissing}, FateHost, FateBlocks, ""},
	},
	Source: "antigravity.google/docs/hooks, agy-customizations docs/hooks.md in Antigravity (2026-09-18); payloads and answers as others saw them in 1.1.2 to 1.2.14 (to 2026-10-01)",
}

var keysAntigravity = []string{"TargetFile"}

// decodeAntigravity is decode of the payload with the members of its call at the top level. The hook
// runs in the folder of its file, so that nothing but the payload says where the session works.
func decodeAntigravity(c *Call, p Top) {
	decodeFields(c, p.lifted("toolCall"))
	c.once(p, "workspacePaths")
	if c.setWorkspace(p.Get("workspacePaths")); c.Cwd == "" || strings.Contains(c.Cwd, "://") {
		c.fault("the payload names no workspace folder, so it is unknown where the call would run")
	}
	if !c.Event.Decides() || !c.Input.IsObject() {
		return
	}
	if c.RawTool == "call_mcp_tool" {
		c.calledMCP("ServerName", "ToolName", "Arguments")
	}
	readInput(c)
}

// calledMCP reads the call of an MCP tool that is the input of a tool for all of them.
func (c *Call) calledMCP(server, tool, input string) {
	in := topOf(c.Input.Raw)
	c.once(in, server, tool, input)
	c.oneServer(in.Get(server).Str)
	c.namedMCP(&c.Host.MCP, in.Get(server), in.Get(tool))
	if c.Input = in.Get(input); !c.Input.Exists() {
		c.Input = gjson.Parse("{}")
	} else if !c.Input.IsObject() {
		c.fault(input + " is not an object")
	}
}

func encodeAntigravity(dst []byte, _ *Call, a Answer) []byte {
	word := a.Decision.String()
	if a.Decision == Ask {
		word = "force_ask"
	}
	dst = append(append(append(dst, `{"decision":"`...), word...), `","reason":`...)
	return append(AppendJSON(dst, a.Reason), "}\n"...)
}
