package hosttest

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// laxOutside are the calls of the table that write outside the project, one for each kind of tool.
var laxOutside = [...]struct{ tool, call string }{
	{"Write", "write outside"}, {"Bash", "touch outside"}, {"PowerShell", "PowerShell writes"},
}

// laxRecorded is the table as it was recorded: set-up, call and mode to what is in the cell.
func laxRecorded(t *testing.T) map[[3]string]string {
	t.Helper()
	cells := map[[3]string]string{}
	lines := strings.Split(strings.TrimSpace(readFile(t, laxPath)), "\n")
	head := strings.Split(lines[0], "\t")
	for _, line := range lines[1:] {
		row := strings.Split(line, "\t")
		if len(row) != len(head) {
			t.Fatalf("%d fields, not %d: %s", len(row), len(head), line)
		}
		for i, cell := range row[2:] {
			cells[[3]string{row[0], row[1], head[i+2]}] = cell
		}
	}
	if want := len(laxSetups) * len(allLaxCalls()) * len(laxModes); len(cells) != want {
		t.Errorf("%d cells in %s, not %d: -record rewrites it", len(cells), laxPath, want)
	}
	return cells
}

// TestLaxnessLiteral holds what Claude Code's literal says of it alone against what was seen of it alone: what it
// checks outside the project, which modes it enforces, and where its own files are.
func TestLaxnessLiteral(t *testing.T) {
	h, cells := hookio.Lookup("claude"), laxRecorded(t)
	alone := func(call, mode string) string {
		was, _, _ := strings.Cut(cells[[3]string{"install", call, mode}], " > ")
		return was
	}
	for i := range laxModes {
		m := &laxModes[i]
		for _, o := range laxOutside {
			if got := alone(o.call, m.name); h.ChecksWorkspace(o.tool, m.mode) && (got == laxRan || got == "") {
				t.Errorf("%s: the literal says that %s is checked in %s, but it ran", o.call, o.tool, m.name)
			}
		}
		if got := alone("MCP", m.name); h.Enforces(m.mode) && got == laxRan {
			t.Errorf("the literal says that %s is enforced, but an MCP tool ran", m.name)
		}
		for _, own := range [...]string{"write the memory", "write a plan", "write the scratchpad",
			"touch in the scratchpad"} {
			if cell := cells[[3]string{"install", own, m.name}]; strings.Contains(cell, " > ") {
				t.Errorf("%s in %s: %s, but the file is the host's own", own, m.name, cell)
			}
		}
	}
	for key, cell := range cells {
		if _, cause, ok := strings.Cut(cell, " > "+laxRan); ok && !strings.HasPrefix(cause, " by step 4") &&
			!strings.HasPrefix(cause, " by step 6, ") {
			t.Errorf("%v: laxer without a rule: %s", key, cell)
		}
	}
}
