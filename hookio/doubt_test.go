package hookio

import (
	"strings"
	"testing"
)

// TestEveryField: of several fields or URLs that may count, all do; null is no value, and a path that is a URI is the
// file it names.
func TestEveryField(t *testing.T) {
	for _, tt := range []struct{ host, event, tool, input, want string }{
		{"droid", "PreToolUse", "ApplyPatch", `{"input":"*** Begin Patch\n*** Add File: a\n*** End Patch","patch":"*** Begin Patch\n*** Add File: b\n*** End Patch"}`, "a b"},
		{"codex", "PreToolUse", "apply_patch", `{"command":"*** Begin Patch\n*** Add File: a\n+x\r*** Add File: b\r*** End Patch"}`, "a b"},
		{"codex", "PreToolUse", "shell", `{"command":["ls"],"workdir":null}`, "ls"},
		{"gemini", "BeforeTool", "web_fetch", `{"prompt":"(https://go.dev/x,https://evil.com/y)."}`, "https://go.dev/x,https://evil.com/y https://evil.com/y"},
		{"gemini", "BeforeTool", "read_file", `{"file_path":null,"absolute_path":"/etc/x"}`, "/etc/x"},
		{"gemini", "BeforeTool", "read_file", `{"file_path":null}`, "malformed"},
		{"gemini", "BeforeTool", "run_shell_command", `{"command":null}`, "malformed"},
		{"gemini", "BeforeTool", "run_shell_command", `{"command":"ls","dir_path":null}`, "ls"},
		{"gemini", "BeforeTool", "run_shell_command", `{"command":null,"command":"ls"}`, "ls malformed"},
		{"qwen", "PreToolUse", "monitor", `{"command":"rm x","directory":"/etc"}`, "rm x /etc"},
		{"vscode", "PreToolUse", "Write", `{"file_path":"file:///etc/x"}`, "/etc/x"},
		{"vscode", "PreToolUse", "Write", `{"file_path":"FILE:/etc/a%20b"}`, "/etc/a b"},
		{"vscode", "PreToolUse", "Write", `{"file_path":"file:etc/x#L3"}`, "/etc/x"},
		{"vscode", "PreToolUse", "Write", `{"file_path":"file:///c%3A/x"}`, "c:/x"},
		{"vscode", "PreToolUse", "Write", `{"file_path":"c:\\x"}`, `c:\x`},
		{"vscode", "PreToolUse", "Write", `{"file_path":"file://localhost/etc/x"}`, "/etc/x malformed"},
		{"vscode", "PreToolUse", "Write", `{"file_path":"file:///etc/%zz"}`, "file:///etc/%zz malformed"},
		{"vscode", "PreToolUse", "Write", `{"file_path":"file:///etc/%00"}`, "file:///etc/%00 malformed"},
		{"vscode", "PreToolUse", "Write", `{"file_path":"vscode-userdata:/User/settings.json"}`, "vscode-userdata:/User/settings.json malformed"},
		{"vscode", "PreToolUse", "Write", `{"file_path":"/w/a:b"}`, "/w/a:b"},
		{"vscode", "PreToolUse", "Write", `{"file_path":"notes: old"}`, "notes: old malformed"},
		{"claude", "PreToolUse", "Write", `{"file_path":"file:///etc/x"}`, "/etc/x file:///etc/x"},
		{"claude", "PreToolUse", "Write", `{"file_path":"/w/file:x"}`, "/w/file:x"},
		{"claude", "PreToolUse", "Write", `{"file_path":"http://x/y"}`, "http://x/y"},
	} {
		in := `{"session_id":"s","cwd":"/w","hook_event_name":"` + tt.event + `","tool_name":"` + tt.tool +
			`","tool_input":` + tt.input + `}`
		c, err := Read(strings.NewReader(in), Options{Host: tt.host})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range c.Args {
			got = append(got, a.Path)
		}
		for _, s := range append([]string{c.Command, c.Dir, c.URL}, c.AlsoURL...) {
			if s != "" {
				got = append(got, s)
			}
		}
		if c.Malformed != "" {
			got = append(got, "malformed")
		}
		if strings.Join(got, " ") != tt.want || c.Host.Name != tt.host {
			t.Errorf("%s %s %s: %q, %s", tt.host, tt.tool, tt.input, got, c.Malformed)
		}
	}
}
