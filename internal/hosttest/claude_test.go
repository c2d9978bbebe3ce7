package hosttest

import (
	"runtime"
	"strings"
	"testing"

	"permgate/hookio"
)

// claudeModes is what Claude Code does in its other modes after the lines permgate prints for pass,
// allow, ask and deny (see Seen), headless: a call is refused where a person would be asked.
var claudeModes = [...]struct{ mode, ran string }{
	{"plan", "nnnn"}, // an allow does not lift it
	{"acceptEdits", "yynn"},
	{"dontAsk", "nynn"},
	{"auto", "yynn"}, // a file in the workspace is no question for the model
}

// TestClaudeModes drives the decisions through the modes that TestHosts does not.
func TestClaudeModes(t *testing.T) {
	h := &Claude
	program := h.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the probe hook is a shell script")
	}
	g := &h.Gates[0]
	for _, tt := range claudeModes {
		seen := h.Observe(t, program, g, Posture{Name: tt.mode, Args: []string{"--permission-mode", tt.mode}}, true,
			func(name string) bool { return strings.HasPrefix(name, "our") })
		got := ""
		for d := hookio.Pass; d <= hookio.Deny; d++ {
			got += seen[ourName(d)]
		}
		if got != tt.ran {
			t.Errorf("%s: pass, allow, ask, deny: %s, the table says %s", tt.mode, got, tt.ran)
		}
	}
}
