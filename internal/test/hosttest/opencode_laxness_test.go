package hosttest

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// opencodeModes are the columns of opencode's table: a person who is not there, one that agrees to all that is
// asked, and the calls of a task.
var opencodeModes = [...]Posture{{Name: "default"}, {Name: "auto", Args: []string{"--auto"}}, Opencode.posture("errand")}

// opencodeLaxCalls are those of the table that say something of opencode, and some of its own.
func (h *Host) opencodeLaxCalls() []laxCall {
	list := slices.DeleteFunc(allLaxCalls(), func(c laxCall) bool {
		return c.tool == "PowerShell" || strings.Contains(c.text, "{memory}") || strings.Contains(c.text, "{elsewhere}") ||
			strings.Contains(c.text, "{scratch}") || strings.Contains(c.text, "/.claude/")
	})
	own := []laxCall{
		{"redirect outside", "Bash", "echo x > {home}/notes/made5.txt", "{home}/notes/made5.txt"},
		{"tee outside", "Bash", "echo x | tee {home}/notes/made6.txt", "{home}/notes/made6.txt"},
		{"write an agent definition", "Write", "{project}/.opencode/agent/x.md", "{project}/.opencode/agent/x.md"},
		{"write a plan", "Write", "{project}/.opencode/plans/plan.md", "{project}/.opencode/plans/plan.md"},
		{"write the host's settings", "Write", "{project}/opencode.json", "{project}/opencode.json"},
		{"write a plugin", "Bash", "touch {home}/.config/opencode/plugins/x.js", "{home}/.config/opencode/plugins/x.js"},
		{"switch the plugin off", "Bash", "opencode run --pure x", ""},
	}
	for _, c := range own { // Kilo has its own names
		c.text, c.made = strings.ReplaceAll(c.text, "opencode", h.Name), strings.ReplaceAll(c.made, "opencode", h.Name)
		list = append(list, c)
	}
	return list
}

// opencodeCall is a call of the table in opencode's words.
func opencodeCall(c *laxCall, w *world) ToolCall {
	call := c.call(w)
	names := map[string]string{"file_path": "filePath", "old_string": "oldString", "new_string": "newString", "prompt": "", "description": ""}
	in := map[string]any{}
	for k, v := range call.Input {
		if to, ok := names[k]; !ok {
			in[k] = v
		} else if to != "" {
			in[to] = v
		}
	}
	name := strings.TrimPrefix(strings.ToLower(call.Name), "mcp__")
	return ToolCall{Name: strings.ReplaceAll(name, "__", "_"), Input: in}
}

// TestOpencodeLaxness has opencode and Kilo make the calls with permgate and without, and compares as TestLaxness does.
func TestOpencodeLaxness(t *testing.T) {
	for _, h := range []*Host{&Opencode, &Kilo} {
		t.Run(h.Name, h.opencodeLaxness)
	}
}

func (h *Host) opencodeLaxness(t *testing.T) {
	program := h.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the paths of the table are those of Unix")
	}
	permgate := BuildPermgate(t)
	list := h.opencodeLaxCalls()
	rows := make([]string, len(list))
	head := "call"
	for _, mode := range opencodeModes {
		head += "\t" + mode.Name
		alone, with := h.opencodeSession(t, program, permgate, mode, false), h.opencodeSession(t, program, permgate, mode, true)
		for i := range list {
			if why := laxWrong(&laxSetups[0], alone[i], with[i]); why != "" {
				t.Errorf("%s, %s: %s alone, %s with permgate, %s: %s", mode.Name, list[i].name, alone[i].outcome, with[i].outcome, why,
					describe(with[i].said))
			}
			rows[i] += "\t" + laxText(alone[i], with[i])
		}
	}
	for i := range list {
		head += "\n" + list[i].name + rows[i]
	}
	compareLaxness(t, filepath.Join("..", "..", "..", "testdata", "hosts", h.Name, "laxness.tsv"), head+"\n")
}

// opencodeSession has one session make all calls in a world of its own.
func (h *Host) opencodeSession(t *testing.T, program []string, permgate string, mode Posture, with bool) []laxCell {
	t.Helper()
	w := newWorld(t)
	list := h.opencodeLaxCalls()
	calls := make([]ToolCall, len(list))
	for i := range list {
		calls[i] = opencodeCall(&list[i], w)
	}
	path := "PATH=" + filepath.Dir(permgate) + string(os.PathListSeparator) + os.Getenv("PATH")
	s := &Session{Host: h, API: StartAPI(t, h.API, calls...), Home: w.home, Project: w.project, MCP: mcpServers(t),
		Env: []string{"TMPDIR=" + w.temp, path}}
	s.take(t, mode)
	writeFile(t, filepath.Join(w.home, ".config", h.Name, h.Name+".json"), `{"experimental":{"continue_loop_on_deny":true}}`)
	writeFile(t, filepath.Join(w.home, ".config", h.Name, "plugins", "README"), "plugins\n")
	if with {
		s.InstallPermgate(t, permgate)
	}
	out, err := s.Run(t, program)
	results, said := s.API.Results(), w.said(t)
	if len(results) != len(calls) {
		t.Fatalf("%d of %d calls were made: %v\n%s", len(results), len(calls), err, out)
	}
	cells := make([]laxCell, len(calls))
	for i, r := range results {
		cells[i] = laxCell{opencodeOutcome(r.Text), said[callID("call", i)]}
		if made := list[i].made; made != "" && exists(w.fill(made)) != (cells[i].outcome == laxRan) {
			t.Errorf("%s: %s, but its file says otherwise: %s", list[i].name, cells[i].outcome, firstLine(r.Text))
		}
		t.Logf("%-40s %-8s %s", list[i].name, cells[i].outcome, firstLine(r.Text))
		if with == (cells[i].said == nil) {
			t.Errorf("%s: permgate was asked: %v, want %v", list[i].name, !with, with)
		}
	}
	return cells
}

// opencodeOutcome is how a call ended by what the model was told.
func opencodeOutcome(text string) string {
	switch {
	case strings.Contains(text, "rejected permission"):
		return laxAsked
	case strings.Contains(text, "[permgate "), strings.Contains(text, "permgate did not answer"), strings.Contains(text, "rule which prevents"):
		return laxRefused
	}
	return laxRan // the network is not there, and some commands fail
}
