package hookio

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestURIs: a path that is a URI is the file it names.
func TestURIs(t *testing.T) {
	for _, tt := range []struct {
		host, path, want string
		doubt            bool
	}{
		{"vscode", "file:///etc/x", "/etc/x", false},
		{"vscode", "FILE:/etc/a%20b", "/etc/a b", false},
		{"vscode", "file:etc/x#L3", "/etc/x", false},
		{"vscode", "file:///c%3A/x", "c:/x", false},
		{"vscode", `c:\x`, `c:\x`, false},
		{"vscode", "file://localhost/etc/x", "/etc/x", true},
		{"vscode", "file:///etc/%zz", "file:///etc/%zz", true},
		{"vscode", "file:///etc/%00", "file:///etc/%00", true},
		{"vscode", "vscode-userdata:/User/settings.json", "vscode-userdata:/User/settings.json", true},
		{"vscode", "/w/a:b", "/w/a:b", false},
		{"vscode", "notes: old", "notes: old", true},
		{"claude", "file:///etc/x", "/etc/x file:///etc/x", false},
		{"claude", "/w/file:x", "/w/file:x", false},
		{"claude", "http://x/y", "http://x/y", false},
	} {
		path, _ := json.Marshal(tt.path)
		in := `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/w","tool_name":"Write","tool_input":{"file_path":` + string(path) + `}}`
		c, err := Read(strings.NewReader(in), Options{Host: tt.host})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range c.Args {
			got = append(got, a.Path)
		}
		if strings.Join(got, " ") != tt.want || (c.Malformed != "") != tt.doubt || c.Host.Name != tt.host {
			t.Errorf("%s %s: %q, %q", tt.host, tt.path, got, c.Malformed)
		}
	}
}
