package hookio

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestMCPNames reads names of MCP tools as hosts spell them: the first name is
// the likeliest reading, the others follow.
func TestMCPNames(t *testing.T) {
	const (
		gemini  = `{"hook_event_name":"BeforeTool","cwd":"/w","tool_input":{},"tool_name":`
		copilot = `{"sessionId":"s","timestamp":1,"cwd":"/w","toolArgs":{},"toolName":`
		crush   = `{"event":"PreToolUse","session_id":"s","cwd":"/w","tool_input":{},"tool_name":`
		goose   = `{"event":"PreToolUse","working_dir":"/w","tool_input":{},"tool_name":`
		claude  = `{"transcript_path":"/h/.claude/x","hook_event_name":"PreToolUse","tool_input":{},"tool_name":`
	)
	long := strings.Repeat("x_", maxToolName/2)
	for _, tt := range []struct{ in, want, fault string }{
		{gemini + `"mcp_github_list"}`, "mcp__github__list", ""},
		{gemini + `"mcp_a_b_c"}`, "mcp__a__b_c mcp__a_b__c", ""},
		{gemini + `"mcp_a"}`, "mcp_a", ""},
		{gemini + `"mcp__s__t"}`, "mcp__s__t", ""},
		{gemini + `"mcp_a_` + long + `"}`, "mcp__a__" + long, "over 1024 bytes"},
		{gemini + `"mcp_a_` + long + `","mcp_context":{"server_name":"a","tool_name":"c"}}`, "mcp__a__c mcp_a_" + long + " mcp__a__" + long, "over 1024 bytes"},
		{copilot + `"a-` + long + `b-c"}`, "mcp__a-" + long + "b__c a-" + long + "b-c", "over 1024 bytes"},
		{gemini + `"run_shell_command"}`, "Bash", "no command"},
		{gemini + `"mcp_a_b_c","mcp_context":{"server_name":"a_b","tool_name":"c"}}`, "mcp__a_b__c", ""},
		{gemini + `"c","mcp_context":{"server_name":"a b","tool_name":"c"}}`, "mcp__a_b__c", ""},
		{gemini + `"mcp_x_y","mcp_context":{"server_name":"a","tool_name":"c"}}`, "mcp__a__c mcp_x_y mcp__x__y", ""},
		{gemini + `"mcp_a_b_c","mcp_context":{"server_name":7,"tool_name":"c"}}`, "mcp____c mcp_a_b_c mcp__a__b_c mcp__a_b__c", "not a string"},
		{gemini + `"mcp_a_b","mcp_context":{"server_name":"a","tool_name":"b","server_name":"x"}}`, "mcp__a__b", "twice"},
		{gemini + `"mcp_a_b","mcp_context":{"server_name":"a","tool_name":"b"},"mcp_context":{}}`, "mcp__a__b", "twice"},
		{copilot + `"github-list"}`, "mcp__github__list github-list", ""},
		{copilot + `"a-b-c"}`, "mcp__a-b__c mcp__a__b-c a-b-c", ""},
		{copilot + `"a-b/c-d"}`, "mcp__a-b__c-d a-b/c-d", ""},
		{copilot + `"report_intent"}`, "report_intent", ""},
		{copilot + `"-x"}`, "-x", ""},
		{crush + `"mcp_docs_search"}`, "mcp__docs__search", ""},
		{goose + `"github__list__all"}`, "mcp__github__list__all mcp__github__list__all github__list__all", ""},
		{claude + `"mcp__a_b__c"}`, "mcp__a_b__c", ""},
		{claude + `"mcp_a_b"}`, "mcp_a_b", ""},
	} {
		c := read(t, tt.in, Options{})
		if got := strings.Join(append([]string{c.Tool}, c.AlsoTool...), " "); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.in, got, tt.want)
		}
		if c.Malformed != "" && tt.fault == "" || !strings.Contains(c.Malformed, tt.fault) {
			t.Errorf("%s: malformed %q, want %q", tt.in, c.Malformed, tt.fault)
		}
	}
}

// TestFormsOfText reads what Codex, Copilot CLI, VS Code and Gemini CLI put into
// one text: patches, arguments as JSON, addresses among words, patterns.
func TestFormsOfText(t *testing.T) {
	const (
		codex   = `{"turn_id":"t","cwd":"/w","hook_event_name":"PreToolUse","tool_name":`
		request = `{"turn_id":"t","cwd":"/w","hook_event_name":"PermissionRequest","tool_name":`
		copilot = `{"sessionId":"s","timestamp":1,"cwd":"/w","toolName":`
		pascal  = `{"hook_event_name":"PreToolUse","timestamp":"2026-09-05T10:00:00.000Z","cwd":"/w","tool_name":`
		vscode  = `{"hookEventName":"PreToolUse","sessionId":"s","cwd":"/w","tool_name":`
		gemini  = `{"hook_event_name":"BeforeTool","cwd":"/w","tool_name":`
	)
	for _, tt := range []struct{ in, want, fault string }{ // want: tool|primary|paths|further URLs
		{codex + `"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Environment ID: box\n*** Add File: a\n+x\n*** End Patch"}}`, "Edit|a|a|", "another environment"},
		{codex + `"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Environment: box\n*** Add File: a\n+x\n*** End Patch"}}`, "Edit|a|a|", "unknown header"},
		{codex + `"apply_patch","tool_input":{"command":["apply_patch","x"]}}`, "Edit|||", "not a string"},
		{codex + `"shell","tool_input":{"command":["rm","-rf","a b"],"workdir":7}}`, "Bash|rm -rf 'a b'||", "not a string"},
		{codex + `"Bash","tool_input":{"command":["ls","-l"]}}`, "Bash|ls -l||", ""},
		{codex + `"exec_command","tool_input":{"cmd":"ls"}}`, "Bash|ls||", ""},
		{codex + `"exec_command","tool_input":{"command":"ls"}}`, "Bash|||", "has no cmd"},
		{codex + `"write_stdin","tool_input":{"chars":"rm x\n"}}`, "Bash|rm x\n||", ""},
		{codex + `"write_stdin","tool_input":{"chars":""}}`, "write_stdin|||", ""},
		{codex + `"write_stdin","tool_input":{"chars":7}}`, "Bash|||", "not a string"},
		{codex + `"write_stdin","tool_input":{"Chars":"rm x"}}`, "Bash|||", "only in case"},
		{request + `"Bash","tool_input":{"command":"npm i","description":"network-access registry.npmjs.org"}}`, "Bash|npm i||https://registry.npmjs.org", ""},
		{request + `"Bash","tool_input":{"command":"npm i","description":"to install"}}`, "Bash|npm i||", ""},
		{copilot + `"bash","toolArgs":"{\"command\":\"ls\",\"command\":\"rm x\"}"}`, "Bash|rm x||", "twice"},
		{copilot + `"bash","toolArgs":"ls"}`, "Bash|||", "not a JSON object"},
		{copilot + `"bash","toolArgs":"*** Begin Patch\n*** Add File: a\n*** End Patch"}`, "Bash|||", "not a JSON object"},
		{copilot + `"bash","toolArgs":{"command":"ls"},"tool_input":{"command":"rm x"}}`, "Bash|ls||", "twice"},
		{copilot + `"bash","toolArgs":{"command":"ls"},"Toolname":"view"}`, "Bash|ls||", "only in case"},
		{copilot + `"apply_patch","toolArgs":"*** Begin Patch\n*** Add File: a\n+x\n*** Move to: b\n*** End Patch"}`, "Edit|a|a b|", ""},
		{copilot + `"apply_patch","toolArgs":"*** Begin Patch\n*** End Patch"}`, "Edit|||", "names no file"},
		{pascal + `"Edit","tool_input":{"input":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}}`, "Edit|a|a|", ""},
		{pascal + `"Edit","tool_input":{"path":"a","input":"*** Begin Patch\n*** Delete File: b\n*** End Patch"}}`, "Edit|a|a b|", ""},
		{pascal + `"Edit","tool_input":{"input":"something else"}}`, "Edit|||", "names no file"},
		{pascal + `"Edit","tool_input":{}}`, "Edit|||", "has no path"},
		{vscode + `"multi_replace_string_in_file","tool_input":{"replacements":[{"filePath":"a"},{"filePath":"b"}]}}`, "Edit|a|a b|", ""},
		{vscode + `"multi_replace_string_in_file","tool_input":{"replacements":[{"filePath":"a"},{"FilePath":"b"}]}}`, "Edit|a|a|", "only in case"},
		{vscode + `"multi_replace_string_in_file","tool_input":{"replacements":"a"}}`, "Edit|||", "not a list"},
		{vscode + `"fetch_webpage","tool_input":{"urls":["https://a.b/","https://c.d/",7]}}`, "WebFetch|https://a.b/||https://c.d/", "not a string"},
		{vscode + `"fetch_webpage","tool_input":{"urls":[]}}`, "WebFetch|||", "names no URL"},
		{vscode + `"create_and_run_task","tool_input":{"task":{"command":"make","args":["a b","-n"]}}}`, "Bash|make 'a b' -n||", ""},
		{vscode + `"create_and_run_task","tool_input":{"task":{"command":"make","command":"rm"}}}`, "Bash|make||", "twice"},
		{vscode + `"copilot_applyPatch","tool_input":{"input":"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch","explanation":"e"}}`, "Edit|a|a|", ""},
		{vscode + `"copilot_findFiles","tool_input":{"query":"/etc/**"}}`, "Glob|||", ""},
		{vscode + `"create_file","tool_input":{"FilePath":"a"}}`, "Write|||", "only in case"},
		{vscode + `"create_file","tool_input":{"filePath":"a","dirPath":"b"}}`, "Write|a|a b|", ""},
		{vscode + `"copilot_createAndRunTask","tool_input":{"task":{"command":"make"}}}`, "Bash|make||", ""},
		{vscode + `"create_and_run_task","tool_input":{"task":{}}}`, "Bash|||", "has no command"},
		{gemini + `"web_fetch","tool_input":{"prompt":"what is new?"}}`, "WebFetch|||", "names no URL"},
		{gemini + `"web_fetch","tool_input":{"prompt":"(HTTPS://A.b/c), <http://d.e>; www.f.g! and see:https://h.i/?q=1."}}`, "WebFetch|HTTPS://A.b/c||http://d.e http://www.f.g https://h.i/?q=1", ""},
		{gemini + `"read_many_files","tool_input":{"include":"a"}}`, "Read|a|a|", ""},
		{gemini + `"read_many_files","tool_input":{"include":["a","b\\*.c"]}}`, "Read|a|a b\\*.c b/*.c|", ""},
		{gemini + `"read_many_files","tool_input":{"include":["x/{..,y}/z"]}}`, "Read|x/{..,y}/z|x/{..,y}/z x/**|", "out of its folder"},
		{gemini + `"read_many_files","tool_input":{"include":["x*/../../y"]}}`, "Read|x*/../../y|x*/../../y x*/../../y|", "out of its folder"},
		{gemini + `"glob","tool_input":{"pattern":"{/etc,/tmp}/*"}}`, "Glob|||", "out of its folder"},
		{gemini + `"glob","tool_input":{"pattern":"../x/**/v1..2*.{ts,tsx}"}}`, "Glob|||", ""},
		{gemini + `"grep_search","tool_input":{"pattern":"a..b","include_pattern":"*.go"}}`, "Grep|||", ""},
		{gemini + `"grep_search","tool_input":{"pattern":"x","include_pattern":"*/../../y/*"}}`, "Grep|||", "out of its folder"},
		{gemini + `"read_many_files","tool_input":{"include":[]}}`, "Read|||", ""},
		{gemini + `"read_many_files","tool_input":{"include":[7]}}`, "Read|||", "not a string"},
	} {
		c := read(t, tt.in, Options{})
		var paths []string
		for _, a := range c.Args {
			paths = append(paths, a.Path)
		}
		if got := strings.Join([]string{c.Tool, primary(c), strings.Join(paths, " "), strings.Join(c.AlsoURL, " ")}, "|"); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.in, got, tt.want)
		}
		if c.Malformed != "" && tt.fault == "" || !strings.Contains(c.Malformed, tt.fault) {
			t.Errorf("%s: malformed %q, want %q", tt.in, c.Malformed, tt.fault)
		}
	}
}

// TestTextsBudget: what is looked at of the texts of one input is bounded, however many there are.
func TestTextsBudget(t *testing.T) {
	cell := `{"code":"` + strings.Repeat("x = 1; ", 8<<10) + `"},`
	c := &Call{Tool: "mcp__x__do", RawTool: "mcp__x__do", Input: gjson.Parse(`{"cells":[` + strings.Repeat(cell, 40) + `{}]}`)}
	no := func(string) bool { return false }
	bytes := 0
	for _, text := range c.Texts(Readers{SQL: no, Program: no}) {
		bytes += len(text.Command)
	}
	if most := 2 * maxTextBytes; bytes == 0 || bytes > most {
		t.Errorf("%d bytes, at most %d are wanted", bytes, most)
	}
}
