package hosttest

import (
	"runtime"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// claudeModes is what Claude Code does in postures that TestHosts does not drive, after the lines permgate
// prints for pass, allow, ask and deny (see Seen), headless: a call is refused where a person would be asked.
var claudeModes = [...]struct {
	name, mode string
	errand     *ToolCall
	ran        string
}{
	{"plan", "plan", nil, "nnnn"}, // an allow does not lift it
	{"acceptEdits", "acceptEdits", nil, "yynn"},
	{"dontAsk", "dontAsk", nil, "nynn"},
	{"auto", "auto", nil, "yynn"}, // a file in the workspace is no question for the model
	{"subagent", "default", claudeErrand(false), "nynn"},
	{"subagent in bypass", "bypassPermissions", claudeErrand(false), "yynn"},
	{"background", "default", claudeErrand(true), "nynn"},
	{"background in bypass", "bypassPermissions", claudeErrand(true), "yynn"},
}

// TestClaudeModes drives the decisions through the modes and subagents that TestHosts does not.
func TestClaudeModes(t *testing.T) {
	h := &Claude
	program := h.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the probe hook is a shell script")
	}
	g := &h.Gates[0]
	for _, tt := range claudeModes {
		seen := h.Observe(t, program, g, Posture{Name: tt.name, Args: []string{"--permission-mode", tt.mode}, Errand: tt.errand}, true,
			func(name string) bool { return strings.HasPrefix(name, "our") })
		got := ""
		for d := hookio.Pass; d <= hookio.Deny; d++ {
			got += seen[ourName(d)]
		}
		if got != tt.ran {
			t.Errorf("%s: pass, allow, ask, deny: %s, the table says %s", tt.name, got, tt.ran)
		}
	}
}
