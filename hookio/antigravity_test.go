package hookio

import (
	"fmt"
	"strings"
	"testing"
)

// TestAntigravity tries to get a call past its decoder: what is there twice, in another case or of another type is in
// doubt, and what restricts a tool, an agent or a server is not evaded by another spelling.
func TestAntigravity(t *testing.T) {
	base := func(name, args string) string {
		return `{"toolCall":{"name":"` + name + `","args":` + args + `},"conversationId":"s","workspacePaths":["/w","/x"]}`
	}
	// want: tool | primary | name | paths | cwd dir | also | fault
	for _, tt := range []struct{ in, want string }{
		{base("run_command", `{"CommandLine":"ls","Cwd":"sub"}`), "Bash|ls||/w sub||"},
		{base("run_command", `{"CommandLine":"ls","Cwd":"/x"}`), "Bash|ls||/w /x||"},
		{base("run_command", `{"CommandLine":"ls","CommandLine":"rm x"}`), "Bash|rm x||/w ||twice"},
		{base("run_command", `{"CommandLine":"ls","commandLine":"rm x"}`), "Bash|ls||/w ||only in case"},
		{base("run_command", `{"command_line":"rm x"}`), "Bash|||/w ||has no CommandLine"},
		{base("run_command", `{"CommandLine":["rm","x"]}`), "Bash|||/w ||not a string"},
		{base("run_command", `{"CommandLine":""}`), "Bash|||/w ||is empty"},
		{base("run_command", `{"CommandLine":"ls","Cwd":7}`), "Bash|ls||/w ||not a string"},
		{base("run_command", `"ls"`), "Bash|||/w ||not an object"},
		{base("run_command", `{"CommandLine":"ls"},"args":{"CommandLine":"rm x"}`), "Bash|ls||/w ||twice"},
		{base("run_command", `{"CommandLine":"ls"},"Args":{"CommandLine":"rm x"}`), "Bash|ls||/w ||only in case"},
		{base("run_command", `{"CommandLine":"ls"},"name":"view_file"`), "Bash|ls||/w ||twice"},
		{`{"tool_name":"Read",` + base("run_command", `{"CommandLine":"ls"}`)[1:], "Read|||/w ||twice"},
		{`{"ToolCall":{"name":"view_file"},` + base("run_command", `{"CommandLine":"ls"}`)[1:], "Bash|ls||/w ||only in case"},
		{strings.Replace(base("run_command", `{"CommandLine":"ls"}`), `["/w","/x"]`, `[]`, 1), "Bash|ls|| ||names no workspace"},
		{strings.Replace(base("run_command", `{"CommandLine":"ls"}`), `["/w","/x"]`, `"/w"`, 1), "Bash|ls|| ||names no workspace"},
		{strings.Replace(base("run_command", `{"CommandLine":"ls"}`), `["/w","/x"]`, `[""]`, 1), "Bash|ls|| ||names no workspace"},
		{strings.Replace(base("run_command", `{"CommandLine":"ls"}`), `"/w"`, `"file:///w"`, 1), "Bash|ls||file:///w ||names no workspace"},
		{strings.Replace(base("run_command", `{"CommandLine":"ls"}`), `"workspacePaths"`, `"WorkspacePaths"`, 1), "Bash|ls|| ||another case"},
		{base("view_file", `{"AbsolutePath":"file:///etc/x"}`), "Read|/etc/x|/etc/x file:///etc/x|/w ||"},
		{base("view_file", `{"TargetFile":"/etc/x"}`), "Read|||/w ||has no AbsolutePath"},
		{base("write_to_file", `{"TargetFile":"a","targetFile":"/etc/x"}`), "Write|a|a|/w ||only in case"},
		{base("grep_search", `{"SearchPath":"/w","Query":"x","Includes":["/etc/*"]}`), "Grep|/w|/w </etc/*|/w ||"},
		{base("grep_search", `{"SearchPath":"/w","Query":"x","Includes":{"a":"/etc/*"}}`), "Grep|/w|/w|/w ||Includes"},
		{base("find_by_name", `{"SearchDirectory":"/w","Pattern":"../../etc/*"}`), "Glob|/w|/w <../../etc/*|/w ||"},
		{base("find_by_name", `{"Pattern":"*"}`), "Glob||<*|/w ||has no SearchDirectory"},
		{base("read_url_content", `{"url":"https://x.org"}`), "WebFetch|||/w ||only in case"},
		{base("manage_task", `{"Action":"send_input","Input":"rm x\n"}`), `Bash|rm x\n||/w ||`},
		{base("manage_task", `{"Action":"send_input","input":"rm x\n"}`), `manage_task|||/w ||only in case`},
		{base("manage_task", `{"Action":"send_input","Input":["rm x"]}`), `Bash|||/w ||not a string`},
		{base("invoke_subagent", `{"Subagents":[{"TypeName":"a"},{"TypeName":"a"}]}`), "Agent|a||/w ||"},
		{base("invoke_subagent", `{"Subagents":[{"TypeName":"a"},{"TypeName":"b"}]}`), "Agent|b||/w ||several names"},
		{base("invoke_subagent", `{"Subagents":[{"TypeName":"a","TypeName":"b"}]}`), "Agent|a||/w ||twice"},
		{base("invoke_subagent", `{"Subagents":[{"typeName":"b"}]}`), "Agent|||/w ||another case"},
		{base("invoke_subagent", `{"subagents":[{"TypeName":"b"}]}`), "Agent|||/w ||only in case"},
		{base("invoke_subagent", `{"Subagents":{"TypeName":"b"}}`), "Agent|||/w ||not a list"},
		{base("call_mcp_tool", `{"ServerName":"s","ToolName":"t","Arguments":{"path":"q"}}`), "mcp__s__t|q||/w |call_mcp_tool|"},
		{base("call_mcp_tool", `{"ServerName":"s","ToolName":"t"}`), "mcp__s__t|||/w |call_mcp_tool|"},
		{base("call_mcp_tool", `{"ServerName":"s","serverName":"v","ToolName":"t"}`), "mcp__s__t|||/w |call_mcp_tool|another case"},
		{base("call_mcp_tool", `{"ToolName":"t","Arguments":{}}`), "mcp____t|||/w |call_mcp_tool|missing"},
		{base("call_mcp_tool", `{"ServerName":"s","ToolName":"t","Arguments":"{}"}`), "mcp__s__t|||/w |call_mcp_tool|not an object"},
		{base("call_mcp_tool", `{"ServerName":"a__b","ToolName":"t","Arguments":{}}`), "mcp__a__b__t|||/w |call_mcp_tool|contains __"},
		{base("bash", `{"command":"rm x"}`), "Bash|rm x||/w ||"}, // a name of other programs restricts, and grants nothing
	} {
		c := read(t, tt.in, Options{Host: "antigravity", Event: "PreToolUse"})
		want, fault := cutLast(tt.want, "|")
		got := fmt.Sprintf("%s|%s|%s|%s %s|%s", c.Tool, Escape(primary(c)), pathsOf(c), c.Cwd, c.Dir, strings.Join(c.AlsoTool, " "))
		if got != want {
			t.Errorf("%s:\n got %q\nwant %q", tt.in, got, want)
		}
		if c.Malformed != "" && fault == "" || !strings.Contains(c.Malformed, fault) {
			t.Errorf("%s: malformed %q, want %q", tt.in, c.Malformed, fault)
		}
		if c.Alias != (c.RawTool == "bash" || c.RawTool == "manage_task" && c.Tool == "Bash") {
			t.Errorf("%s: alias %v", tt.in, c.Alias)
		}
	}
}
