package hookio

import (
	"strings"
	"testing"
)

// TestEveryField: of several fields or URLs that may count, all do; null is no value.
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
		{"gemini", "BeforeTool", "run_shell_command", `{"command":null,"command":"ls"}`, "malformed"},
		{"qwen", "PreToolUse", "monitor", `{"command":"rm x","directory":"/etc"}`, "rm x /etc"},
	} {
		in := `{"session_id":"s","turn_id":"t","cwd":"/w","hook_event_name":"` + tt.event + `","tool_name":"` + tt.tool + `","tool_input":` + tt.input + `}`
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
			got = []string{"malformed"}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s %s %s: %q, %s", tt.host, tt.tool, tt.input, got, c.Malformed)
		}
	}
}
