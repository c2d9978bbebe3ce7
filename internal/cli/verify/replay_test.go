package verify

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// TestReplayRefused: what a person refused and the policy allows comes first, in red.
func TestReplayRefused(t *testing.T) {
	rep := &replay.Report{
		Read: 3, Decided: 3, Policy: "new", Other: "old",
		Overruled: []replay.Change{{Kind: replay.Allowed, By: "Bash(rm:*)", Calls: 2, Refused: 2, Examples: []string{"rm x\x1b[2J"}}},
		Changes:   []replay.Change{{Kind: replay.Asked, By: "Bash(ls:*)", Calls: 1, Examples: []string{"ls"}}},
	}
	var out bytes.Buffer
	e := &subcmd.Env{Out: &out, World: gate.World{Getenv: func(string) string { return "" }}}
	v := newReplayView(e)
	v.paint = func(d hookio.Decision, text string) string { return fmt.Sprint("<", d, ">", text, "</>") }
	v.print(rep)
	text := out.String()
	red := strings.Index(text, "<deny>allowed, though somebody refused the call</>")
	asked := strings.Index(text, "newly asked")
	if red < 0 || asked < red || !strings.Contains(text, "<deny>Bash(rm:*)</>") || strings.Contains(text, "\x1b") {
		t.Errorf("%q", text)
	}
	out.Reset()
	newReplayView(e).print(rep)
	if strings.Contains(out.String(), "\x1b") || !slices.Contains(strings.Split(out.String(), "\n"), "allowed, though somebody refused the call") {
		t.Errorf("colour without a terminal: %q", out.String())
	}
}
