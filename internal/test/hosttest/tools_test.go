package hosttest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// toolsPath is the list of the tools a host sent to the model.
func toolsPath(host string) string {
	return filepath.Join("..", "..", "..", "testdata", "hosts", host, "tools.txt")
}

// compareTools compares the tools of all requests with the list, or records it. A host without a list has none to compare.
func (h *Host) compareTools(t *testing.T, requests []Request) {
	t.Helper()
	var names []string
	for _, r := range requests {
		var body struct{ Tools any }
		if json.Unmarshal(r.Body, &body) == nil {
			names = append(append(names, toolNames(body.Tools)...), deferredTools(string(r.Body))...)
		}
	}
	slices.Sort(names)
	got := strings.Join(slices.Compact(names), "\n") + "\n"
	if *record {
		writeFile(t, toolsPath(h.Name), got)
	} else if want, err := os.ReadFile(toolsPath(h.Name)); err == nil && string(want) != got {
		t.Errorf("tools, which -record writes to %s: got\n%swant\n%s", toolsPath(h.Name), got, want)
	}
}

// toolNames are the names of the tools in a request, whichever API it is of.
func toolNames(tools any) (names []string) {
	switch v := tools.(type) {
	case []any:
		for _, one := range v {
			names = append(names, toolNames(one)...)
		}
	case map[string]any:
		if name, ok := v["name"].(string); ok {
			return []string{name}
		}
		for _, key := range []string{"function", "functionDeclarations"} {
			names = append(names, toolNames(v[key])...)
		}
	}
	return names
}

// deferredTools are those that Claude Code only names, in a note to the model, until it asks for them.
func deferredTools(body string) []string {
	_, list, ok := strings.Cut(body, `to load tool schemas before calling them:\n`)
	if !ok {
		return nil
	}
	list, _, _ = strings.Cut(list, `\n\n`)
	list, _, _ = strings.Cut(list, `"`)
	list, _, _ = strings.Cut(list, `\n<`)
	return strings.Split(list, `\n`)
}

// TestTools: of each tool a host was seen to have permgate knows what it does, or it is one of those that are as any
// unknown one.
func TestTools(t *testing.T) {
	unknown := []string{
		"claude DeferredToolPlaceholder", // never called
		"claude ListAgents", "claude ReportFindings", "claude ScheduleWakeup", "claude Workflow",
		"codex create_goal", "codex get_goal", "codex update_goal",
		"codex list_mcp_resource_templates", "codex list_mcp_resources", "codex read_mcp_resource",
	}
	for _, h := range Hosts {
		text, err := os.ReadFile(toolsPath(h.Name))
		if err != nil {
			continue
		}
		for _, name := range strings.Fields(string(text)) {
			c, err := hookio.Read(strings.NewReader(jsonText(map[string]any{"hook_event_name": h.Gates[0].Event, "tool_name": name,
				"tool_input": map[string]any{}, "session_id": "1", "cwd": "/home/u/app"})), hookio.Options{Host: h.Name})
			if err != nil {
				t.Fatalf("%s %s: %v", h.Name, name, err)
			}
			if known := rules.KnownTool(c.Tool); known == slices.Contains(unknown, h.Name+" "+name) {
				t.Errorf("%s %s is %s: known %v", h.Name, name, c.Tool, known)
			}
		}
	}
}
