package conformance

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// TestHostPlaces: a folder a call names for its command is a place it goes to,
// as if by cd; several files are judged each; a download is a write and a request.
func TestHostPlaces(t *testing.T) {
	const (
		crush  = `{"event":"PreToolUse","session_id":"s","cwd":"/work/project",`
		cursor = `{"conversation_id":"c","generation_id":"g","cursor_version":"3","workspace_roots":["/work/project"],"transcript_path":null,`
		droid  = `{"transcript_path":"/home/dev/.factory/s.jsonl","cwd":"/work/project","hook_event_name":"PreToolUse",`
	)
	files := map[string]string{"/home/dev/.gen/settings.json": `{"permissions":{
		"allow": ["Bash(touch:*)", "Bash(git commit:*)", "Bash(cat:*)", "Edit", "Write", "WebFetch(domain:go.dev)"],
		"deny": ["Read(secret)", "Edit(/vendor/**)", "WebFetch(domain:evil.test)"]}}`}
	for _, tt := range []struct{ name, in, want string }{
		{"in the project", crush + `"tool_name":"bash","tool_input":{"command":"touch a"}}`, "allow 6"},
		{"a folder below", crush + `"tool_name":"bash","tool_input":{"command":"touch a","working_dir":"sub"}}`, "allow 6"},
		{"a folder outside", crush + `"tool_name":"bash","tool_input":{"command":"touch a","working_dir":"/work/other"}}`, "ask 3b"},
		{"out by ..", crush + `"tool_name":"bash","tool_input":{"command":"touch a","working_dir":"../other"}}`, "ask 3b"},
		{"a system folder", crush + `"tool_name":"bash","tool_input":{"command":"touch a","working_dir":"/etc"}}`, "ask 2"},
		{"a repository outside", crush + `"tool_name":"bash","tool_input":{"command":"git commit -m x","working_dir":"/work/other"}}`, "ask 2"},
		{"a denied file from its folder", crush + `"tool_name":"bash","tool_input":{"command":"cat secret","working_dir":"/work/other"}}`, "deny 1"},
		{"cursor's own folder outside", cursor + `"hook_event_name":"beforeShellExecution","command":"touch a","cwd":"/work/other"}`, "ask 3b"},
		{"cursor's tool elsewhere", cursor + `"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"touch a","working_directory":"/work/other"},"cwd":"/work/project"}`, "ask 3b"},
		{"an attachment that is denied", cursor + `"hook_event_name":"beforeReadFile","file_path":"/work/project/a","attachments":[{"type":"file","file_path":"/work/project/secret"}]}`, "deny 1"},
		{"no attachment", cursor + `"hook_event_name":"beforeReadFile","file_path":"/work/project/a","attachments":[]}`, "allow 7"},
		{"no server", cursor + `"hook_event_name":"preToolUse","tool_name":"MCP:x","tool_input":{}}`, "ask 2"},
		{"a patch of two files", droid + `"tool_name":"ApplyPatch","tool_input":{"input":"*** Begin Patch\n*** Update File: a\n*** Update File: vendor/b\n*** End Patch"}}`, "deny 1"},
		{"a move out", droid + `"tool_name":"ApplyPatch","tool_input":{"input":"*** Begin Patch\n*** Update File: a\n*** Move to: /work/other/b\n*** End Patch"}}`, "ask 3b"},
		{"an edit of two files", droid + `"tool_name":"MultiEdit","tool_input":{"file_path":"a","edits":[{"file_path":"vendor/b","old_string":"x","new_string":"y"}]}}`, "deny 1"},
		{"patterns of a search", droid + `"tool_name":"Glob","tool_input":{"patterns":["*.go","secret"]}}`, "deny 1"},
		{"a download", crush + `"tool_name":"download","tool_input":{"url":"https://go.dev/x","file_path":"x"}}`, "allow 6"},
		{"a download of a denied site", crush + `"tool_name":"download","tool_input":{"url":"https://evil.test/x","file_path":"x"}}`, "deny 1"},
		{"a download of any site", crush + `"tool_name":"download","tool_input":{"url":"https://x.test/x","file_path":"x"}}`, "ask 7"},
		{"a download into a denied folder", crush + `"tool_name":"download","tool_input":{"url":"https://go.dev/x","file_path":"vendor/x"}}`, "deny 1"},
		{"a download out", crush + `"tool_name":"download","tool_input":{"url":"https://go.dev/x","file_path":"/work/other/x"}}`, "ask 3b"},
		{"an input cut short", `{"workspaceRoot":"/work/project","cwd":"/work/project","hookEventName":"pre_tool_use","toolName":"run_terminal_command","toolInput":{"command":"touch a"},"toolInputTruncated":true}`, "ask 2"},
	} {
		_, v, err := judge(tt.in, hookio.Options{}, files)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if got := v.Decision().String() + " " + v.Step(); got != tt.want {
			t.Errorf("%s: %s, want %s: %s\n%s", tt.name, got, tt.want, v.Reason(), strings.ReplaceAll(tt.in, `\n`, " "))
		}
	}
}
