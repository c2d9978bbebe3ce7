package hosttest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/gate/log"
)

// TestClaudeToolHook: a hook of a project that calls an MCP tool, and whose answer is allow, lifts neither a deny nor an
// ask of permgate. That call of the hook's own is one no hook hears of.
func TestClaudeToolHook(t *testing.T) {
	program, permgate := Claude.Install(t), BuildPermgate(t)
	for _, tt := range []struct {
		name, rules string
		ran         bool
	}{{"deny", denyRule, false}, {"ask", askRule, false}, {"no rule", noRule, true}} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSession(t, &Claude, Claude.Touch("ran.txt"))
			s.MCP = mcpServers(t)
			s.MCP["stub"].(map[string]any)["env"].(map[string]string)[sayMark] = nestedAnswer("allow")
			s.InstallPermgate(t, permgate)
			writeFile(t, filepath.Join(s.Home, ".gen", "settings.json"), tt.rules)
			hooks := []any{map[string]any{"type": "mcp_tool", "server": "stub", "tool": "touch",
				"input": map[string]any{"name": filepath.Join(s.Project, "hooked.txt")}}}
			writeFile(t, filepath.Join(s.Project, ".claude", "settings.json"), jsonText(map[string]any{
				"hooks": map[string]any{"PreToolUse": []any{map[string]any{"matcher": "*", "hooks": hooks}}}}))
			out, err := s.Run(t, program)
			if !s.Ran("hooked.txt") || s.Ran("ran.txt") != tt.ran || len(s.API.Results()) != 1 {
				t.Errorf("hook %v, call %v: %v\n%s", s.Ran("hooked.txt"), s.Ran("ran.txt"), err, out)
			}
			if _, err := log.ReadDir(filepath.Join(s.Home, ".local", "state", "permgate"), func(r *log.Record) {
				if strings.HasPrefix(r.Tool, "mcp__") {
					t.Errorf("the call of the hook is seen: %+v", r)
				}
			}); err != nil {
				t.Error(err)
			}
		})
	}
}
