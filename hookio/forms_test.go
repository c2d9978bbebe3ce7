package hookio

import (
	"fmt"
	"strings"
	"testing"
)

// TestForms reads what hosts spell otherwise than Claude Code: several paths,
// folders a command runs in, names of MCP tools, both spellings of a field.
func TestForms(t *testing.T) {
	const (
		cursorBase = `"conversation_id":"c","generation_id":"g","cursor_version":"3","workspace_roots":["/w/a","/w/b"],"transcript_path":null,`
		winBase    = `"conversation_id":"c","generation_id":"g","cursor_version":"3","workspace_roots":["/c:/w/a"],"transcript_path":null,`
		droidBase  = `"transcript_path":"/h/.factory/s.jsonl","cwd":"/w","hook_event_name":"PreToolUse",`
		crushBase  = `"event":"PreToolUse","session_id":"s","cwd":"/w",`
		gooseBase  = `"event":"PreToolUse","session_id":"s","working_dir":"/w","tool_call_id":"i",`
		grokBase   = `"workspaceRoot":"/w","cwd":"/w/x","hookEventName":"pre_tool_use","hook_event_name":"PreToolUse",`
	)
	// want: tool | primary | paths <patterns | cwd dir project session | fault
	for _, tt := range []struct{ in, want string }{
		{cursorBase + `"hook_event_name":"beforeShellExecution","command":"ls","cwd":"/w/b/x"`, "Bash|ls||/w/b/x  /w/b c|"},
		{cursorBase + `"hook_event_name":"beforeShellExecution","command":"ls","cwd":"/w"`, "Bash|ls||/w/a /w /w/a c|"},
		{cursorBase + `"hook_event_name":"beforeShellExecution","command":"ls","cwd":"/w/bc"`, "Bash|ls||/w/a /w/bc /w/a c|"},
		{cursorBase + `"hook_event_name":"beforeShellExecution","command":"ls","cwd":"/w/a/../.."`, "Bash|ls||/w/a /w/a/../.. /w/a c|"},
		{cursorBase + `"hook_event_name":"beforeShellExecution","command":"ls","cwd":"/w/b/"`, "Bash|ls||/w/b/  /w/b c|"},
		{winBase + `"hook_event_name":"beforeShellExecution","command":"ls","cwd":"C:\\W\\a\\x"`, `Bash|ls||C:\W\a\x  c:/w/a c|`},
		{winBase + `"hook_event_name":"beforeShellExecution","command":"ls","cwd":"D:\\w\\a"`, `Bash|ls||c:/w/a D:\w\a c:/w/a c|`},
		{cursorBase + `"hook_event_name":"beforeShellExecution","command":"ls"`, "Bash|ls||/w/a  /w/a c|"},
		{cursorBase + `"hook_event_name":"beforeShellExecution","command":"ls","command":"rm x"`, "Bash|rm x||/w/a  /w/a c|twice"},
		{cursorBase + `"hook_event_name":"beforeShellExecution","command":"ls","Command":"rm x"`, "Bash|ls||/w/a  /w/a c|only in case"},
		{cursorBase + `"hook_event_name":"beforeShellExecution","cwd":"/w/a"`, "Bash|||/w/a  /w/a c|has no command"},
		{cursorBase + `"hook_event_name":"BeforeShellExecution","command":"ls"`, "Bash|ls||/w/a  /w/a c|"},
		{cursorBase + `"command":"ls","cwd":"/w/a"`, "Bash|ls||/w/a  /w/a c|"},
		{cursorBase + `"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"ls","working_directory":"/etc"},"cwd":"/w/a"`, "Bash|ls||/w/a /etc /w/a c|"},
		{cursorBase + `"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"ls","working_directory":7},"cwd":"/w/a"`, "Bash|ls||/w/a  /w/a c|not a string"},
		{cursorBase + `"hook_event_name":"preToolUse","tool_name":"Delete","tool_input":{"path":"a"}`, "Edit|a|a|/w/a  /w/a c|"},
		{cursorBase + `"hook_event_name":"preToolUse","tool_name":"Task","tool_input":{"subagent_type":"explore","prompt":"p"}`, "Agent|explore||/w/a  /w/a c|"},
		{cursorBase + `"hook_event_name":"subagentStart","subagent_type":"explore","task":"p"`, "Agent|explore||/w/a  /w/a c|"},
		{cursorBase + `"hook_event_name":"beforeReadFile","file_path":"/w/a/x","content":"y","attachments":[{"type":"file","filePath":"/etc/y"},{"type":"rule","file_path":"r"}]`,
			"Read|/w/a/x|/w/a/x /etc/y r|/w/a  /w/a c|"},
		{cursorBase + `"hook_event_name":"beforeReadFile","file_path":"/w/a/x","attachments":"/etc/y"`, "Read|/w/a/x|/w/a/x|/w/a  /w/a c|not a list"},
		{cursorBase + `"hook_event_name":"beforeMCPExecution","tool_name":"t","tool_input":"{\"path\":\"q\"}","mcp_server_name":"s","command":"npx s"`, "mcp__s__t|q||/w/a  /w/a c|"},
		{cursorBase + `"hook_event_name":"beforeMCPExecution","tool_name":"MCP:t","tool_input":"{\"path\":\"q\"","mcp_server_name":"s"`, "mcp__s__t|||/w/a  /w/a c|not a JSON object"},
		{cursorBase + `"hook_event_name":"beforeMCPExecution","tool_name":"t","tool_input":"{}","mcp_server_name":"a__b"`, "mcp__a__b__t|||/w/a  /w/a c|contains __"},
		{cursorBase + `"hook_event_name":"beforeMCPExecution","tool_name":"t","tool_input":{},"mcp_server_name":"my server"`, "mcp__my_server__t|||/w/a  /w/a c|"},
		{cursorBase + `"hook_event_name":"beforeMCPExecution","tool_name":"t","tool_input":{},"mcp_server_name":"g\u0456thub"`, "mcp__g__thub__t|||/w/a  /w/a c|contains __"},
		{cursorBase + `"hook_event_name":"preToolUse","tool_name":"Grep","tool_input":{"pattern":"x","path":"src","glob":"../../etc/*"}`, "Grep|src|src <../../etc/*|/w/a  /w/a c|"},
		{cursorBase + `"hook_event_name":"preToolUse","tool_name":"MCP:t","tool_input":{}`, "mcp__unknown__t|||/w/a  /w/a c|does not name the MCP server"},

		{droidBase + `"tool_name":"MultiEdit","tool_input":{"file_path":"a","edits":[{"file_path":"b","old_string":"x","new_string":"y"}]}`, "Edit|a|a b|/w   |"},
		{droidBase + `"tool_name":"ApplyPatch","tool_input":{"patch":"*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Delete File: c\n*** End Patch"}`, "Edit|a|a b c|/w   |"},
		{droidBase + `"tool_name":"LS","tool_input":{"directory_path":"/etc"}`, "LS|/etc|/etc|/w   |"},
		{droidBase + `"tool_name":"Glob","tool_input":{"folder":"/etc","patterns":["*"]}`, "Glob|/etc|/etc <*|/w   |"},
		{droidBase + `"toolName":"Execute","tool_name":"Read","tool_input":{"file_path":"a"}`, "Bash|||/w   |twice"},
		{droidBase + `"hookEventName":"PostToolUse","tool_name":"Execute","tool_input":{"command":"ls"}`, "Bash|ls||/w   |twice"},

		{crushBase + `"tool_name":"bash","tool_input":{"command":"ls","working_dir":"sub"}`, "Bash|ls||/w sub  s|"},
		{crushBase + `"tool_name":"grep","tool_input":{"pattern":"x","include":"*.go"}`, "Grep|||/w   s|"},
		{crushBase + `"tool_name":"grep","tool_input":{"pattern":"x","include":"/etc/*"}`, "Grep||</etc/*|/w   s|"},
		{crushBase + `"tool_name":"glob","tool_input":{"pattern":"/etc/*"}`, "Glob||</etc/*|/w   s|"},
		{crushBase + `"tool_name":"mcp_a_b_c","tool_input":{}`, "mcp__a__b_c|||/w   s|"},
		{crushBase + `"tool_name":"ls","tool_input":{"path":"/etc"}`, "LS|/etc|/etc|/w   s|"},
		{crushBase + `"tool_name":"download","tool_input":{"url":"https://x.org/a","file_path":"a"}`, "Write|https://x.org/a|a|/w   s|"},
		{crushBase + `"tool_name":"download","tool_input":{"file_path":"a"}`, "Write|a|a|/w   s|no url"},
		{crushBase + `"tool_name":"agentic_fetch","tool_input":{"prompt":"find it"}`, "WebFetch|||/w   s|has no url"},

		{gooseBase + `"tool_name":"developer__write","tool_input":{"path":"a","content":"x"}`, "Write|a|a|/w   s|"},
		{gooseBase + `"tool_name":"developer__tree","tool_input":{"path":"/etc","depth":2}`, "LS|/etc|/etc|/w   s|"},
		{gooseBase + `"tool_name":"developer__read_image","tool_input":{"source":"a.png"}`, "Read|a.png|a.png|/w   s|"},
		{gooseBase + `"tool_name":"developer__read_image","tool_input":{"source":"https://x.org/a.png"}`, "WebFetch|https://x.org/a.png||/w   s|"},

		{grokBase + `"toolName":"run_terminal_command","tool_name":"run_terminal_command","toolInput":{"command":"ls"},"tool_input":{"command":"ls"}`, "Bash|ls||/w/x  /w |"},
		{grokBase + `"toolName":"run_terminal_command","toolInput":{"command":"ls"},"tool_input":{"command":"rm x"}`, "Bash|ls||/w/x  /w |twice"},
		{grokBase + `"toolName":"read_file","toolInput":{"target_file":"a"},"toolInputTruncated":true`, "Read|a|a|/w/x  /w |truncated the input"},
	} {
		c := read(t, "{"+tt.in+"}", Options{})
		want, fault := cutLast(tt.want, "|")
		got := fmt.Sprintf("%s|%s|%s|%s %s %s %s", c.Tool, primary(c), pathsOf(c), c.Cwd, c.Dir, c.Project, c.SessionID)
		if got != want {
			t.Errorf("%s:\n got %q\nwant %q", tt.in, got, want)
		}
		if c.Malformed != "" && fault == "" || !strings.Contains(c.Malformed, fault) {
			t.Errorf("%s: malformed %q, want %q", tt.in, c.Malformed, fault)
		}
		if c.Event != PreToolUse {
			t.Errorf("%s: event %s", tt.in, c.Event)
		}
	}
}

func cutLast(s, sep string) (before, after string) {
	i := strings.LastIndex(s, sep)
	return s[:i], s[i+len(sep):]
}

// pathsOf lists the paths of a call, and after < the patterns of names below them.
func pathsOf(c *Call) string {
	var paths []string
	for _, a := range c.Args {
		paths = append(paths, a.Path)
	}
	for _, pattern := range c.Under {
		paths = append(paths, "<"+pattern)
	}
	return strings.Join(paths, " ")
}
