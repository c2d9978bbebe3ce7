package hosttest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/gate/log"
)

// laxSession has one session make all calls of the table in a world of its own. Its permission prompts go to a
// tool that notes them and says no. Without permgate everything is the same but that hooks are switched off.
func laxSession(t *testing.T, program []string, permgate string, setup *laxSetup, mode *laxMode, with bool) []laxCell {
	t.Helper()
	w := newWorld(t)
	if setup.place != nil {
		setup.place(t, w)
	}
	list := setup.calls()
	calls := make([]ToolCall, len(list))
	for i := range list {
		calls[i] = list[i].call(w)
	}
	s := &Session{Host: &Claude, API: StartAPI(t, Claude.API, calls...), Home: w.home, Project: w.project,
		Env: w.environment()}
	s.API.Verdict = mode.verdict
	s.Posture = Posture{Args: []string{"--permission-mode", mode.mode, "--session-id", w.session,
		"--permission-prompt-tool", "mcp__stub__consent"}}
	if setup.agent != "" {
		errand := claudeErrand(false)
		errand.Input["subagent_type"] = setup.agent
		s.API.Conversations, s.API.Watched = []Conversation{{Prompt, []ToolCall{*errand}}, {errandPrompt, calls}}, 1
		if mode.verdict == "flagged" {
			s.API.Verdict = "not_flagged" // else the subagent is not started
		}
	}
	consent := filepath.Join(w.temp, "consent")
	s.MCP = mcpServers(t)
	s.MCP["stub"].(map[string]any)["env"].(map[string]string)[consentMark] = consent
	w.prepare(t, s, permgate, setup, mode, with)
	out, err := s.Run(t, program)
	results := s.API.Results()
	if len(results) != len(calls) {
		t.Fatalf("%d of %d calls were made: %v\n%s", len(results), len(calls), err, out)
	}
	asked, _ := os.ReadFile(consent) // not there: no prompt
	said := w.said(t)
	if !with && len(said) > 0 {
		t.Fatalf("%d records of permgate, whose hooks are switched off", len(said))
	}
	cells := make([]laxCell, len(calls))
	for i, r := range results {
		id := callID("toolu", i)
		cells[i] = laxCell{laxOutcome(r, strings.Contains(string(asked), id)), said[id]}
		if made := list[i].made; made != "" && w.made(made) != (cells[i].outcome == laxRan) {
			t.Errorf("%s: %s, but its file says otherwise: %s", list[i].name, cells[i].outcome, firstLine(r.Text))
		}
		if mode.verdict == "flagged" && cells[i].outcome != laxRan {
			cells[i].outcome = laxStopped
		}
		t.Logf("%-40s %-8s %s", list[i].name, cells[i].outcome, firstLine(r.Text))
	}
	return cells
}

// laxOutcome is how a call ended by what the model was told.
func laxOutcome(r ToolResult, asked bool) string {
	switch {
	case asked && (r.IsError || strings.Contains(r.Text, consentNo)): // else permgate said yes before the tool said no
		return laxAsked
	case strings.Contains(r.Text, "auto mode classifier"):
		return laxJudged
	case !r.IsError, strings.HasPrefix(r.Text, "Exit code "), strings.HasPrefix(r.Text, "Unable to verify if domain "):
		return laxRan // the network is not there, and some commands fail
	}
	return laxRefused
}

// prepare installs permgate and writes what the person wrote.
func (w *world) prepare(t *testing.T, s *Session, permgate string, setup *laxSetup, mode *laxMode, with bool) {
	t.Helper()
	s.InstallPermgate(t, permgate)
	if setup.init {
		cmd := exec.Command(permgate, "init", "--host", s.Host.Name, "--yes")
		cmd.Dir, cmd.Env = w.project, []string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH")}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("permgate init: %v\n%s", err, out)
		}
	}
	members := map[string]any{}
	if len(setup.user) > 0 {
		rules := map[string]any{}
		for list, texts := range setup.user {
			filled := []string{}
			for _, text := range texts {
				filled = append(filled, w.fill(text))
			}
			rules[list] = filled
		}
		members["permissions"] = rules
	}
	for k, v := range mode.settings {
		members[k] = v
	}
	if !with {
		members["disableAllHooks"] = true
	}
	addSettings(t, filepath.Join(w.config, "settings.json"), members)
	if setup.gate != nil {
		changePosture(t, filepath.Join(w.config, "permgate.json"), s.Host.Name, setup.gate)
	}
	if len(setup.repo) > 0 {
		writeFile(t, filepath.Join(w.project, ".claude", "settings.json"),
			jsonText(map[string]any{"permissions": map[string]any{"allow": setup.repo}}))
	}
}

// changePosture changes what install wrote for a host.
func changePosture(t *testing.T, path, host string, change func(posture map[string]any)) {
	t.Helper()
	var settings struct {
		Hosts map[string]map[string]any `json:"hosts"`
	}
	if err := json.Unmarshal([]byte(readFile(t, path)), &settings); err != nil || settings.Hosts[host] == nil {
		t.Fatalf("%s: nothing for %s: %v", path, host, err)
	}
	change(settings.Hosts[host])
	writeFile(t, path, jsonText(settings))
}

// said returns what permgate decided, by the id of the call.
func (w *world) said(t *testing.T) map[string]*log.Record {
	t.Helper()
	out := map[string]*log.Record{}
	dir := filepath.Join(w.home, ".local", "state", "permgate")
	if !exists(dir) {
		return out
	}
	_, err := log.ReadDir(dir, func(r *log.Record) {
		if c := *r; r.Event == log.EventDecision && r.CallID != "" {
			out[r.CallID] = &c
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// made reports whether a file is there, or, where only a name is given, one of that name anywhere.
func (w *world) made(path string) bool {
	if strings.Contains(path, "/") {
		return exists(w.fill(path))
	}
	found := false
	for _, root := range []string{w.home, w.temp} {
		filepath.WalkDir(root, func(_ string, d os.DirEntry, _ error) error {
			if found = found || d != nil && d.Name() == path; found {
				return filepath.SkipAll
			}
			return nil
		})
	}
	return found
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
