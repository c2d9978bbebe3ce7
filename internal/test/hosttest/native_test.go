package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/policy/native"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

// nativeSession has Claude Code make calls of Bash with a program that only prints, and says which ran.
func nativeSession(t *testing.T, w *world, mode, verdict string, texts []string) map[string]bool {
	t.Helper()
	program := Claude.Install(t)
	executable.Write(t, filepath.Join(w.home, "bin", "plugh"), "#!/bin/sh\necho ran \"$@\"\n")
	var calls []ToolCall
	for _, text := range texts {
		calls = append(calls, ToolCall{Name: "Bash", Input: map[string]any{"command": text, "description": "go on"}})
	}
	s := &Session{Host: &Claude, API: StartAPI(t, Claude.API, calls...), Home: w.home, Project: w.project, Env: w.environment()}
	s.API.Verdict = verdict
	s.Posture = Posture{Args: []string{"--permission-mode", mode}}
	out, err := s.Run(t, program)
	results := s.API.Results()
	if len(results) != len(calls) {
		t.Fatalf("%d of %d calls were made: %v\n%s", len(results), len(calls), err, out)
	}
	ran := map[string]bool{}
	for i, r := range results {
		ran[texts[i]] = laxOutcome(r, false) == laxRan
		t.Logf("%-45q %-5v %s", texts[i], ran[texts[i]], firstLine(r.Text))
	}
	return ran
}

// TestNativeReadings holds Claude Code to what the literal says of its rules.
func TestNativeReadings(t *testing.T) {
	Claude.Install(t)
	w := newWorld(t)
	var texts, allow []string
	for _, r := range native.Lookup("claude").Readings {
		texts, allow = append(texts, r.Call), append(allow, r.Rule)
	}
	addSettings(t, filepath.Join(w.home, ".claude", "settings.json"), map[string]any{"permissions": map[string]any{"allow": allow}})
	ran := nativeSession(t, w, "default", "", texts)
	for _, r := range native.Lookup("claude").Readings {
		if ran[r.Call] != r.Covers {
			t.Errorf("%s, %q: ran: %v", r.Rule, r.Call, ran[r.Call])
		}
	}
}

// TestNativeExport exports rules, switches the hooks off and has a classifier refuse everything: what was exported
// runs, and nothing that permgate would not allow.
func TestNativeExport(t *testing.T) {
	Claude.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	permgate, w := BuildPermgate(t), newWorld(t)
	tool := func(args ...string) string {
		cmd := exec.Command(permgate, args...)
		cmd.Dir, cmd.Env = w.project, []string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH")}
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code > 2 {
			t.Fatalf("permgate %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	trust := exec.Command(permgate, "trust", "--folder", w.home, "--yes")
	trust.Dir, trust.Env = w.project, []string{"HOME=" + passwdHome(t), "PATH=" + os.Getenv("PATH")}
	if out, err := trust.CombinedOutput(); err != nil {
		t.Fatalf("permgate trust: %v\n%s", err, out)
	}
	tool("install", "--host", "claude", "--yes")
	writeFile(t, filepath.Join(w.home, ".gen", "settings.json"), jsonText(map[string]any{"permissions": map[string]any{
		"allow": []string{"Bash(plugh)", "Bash(plugh --all:*)", "Bash(basename:*)", "Bash(touch made.txt)", "Bash(git gc)"}, "deny": []string{"Bash(plugh --bad:*)"}}}))
	t.Log(tool("export", "--host", "claude", "--yes"))
	addSettings(t, filepath.Join(w.home, ".claude", "settings.json"), map[string]any{"disableAllHooks": true})
	exported := []string{"plugh", "timeout 5 plugh", "plugh && plugh", "for i in 1 2; do plugh; done", "NODE_ENV=x plugh"}
	others := []string{"plugh -x", "plugh --all ~/.ssh/id_rsa", "touch made.txt", "git gc", "plugh > out.txt", "plugh --bad", "plugh | tee x", "env plugh", "sudo plugh",
		"(plugh)", "plugh &", "bash -c plugh", "LD_PRELOAD=x plugh", "basename a > out.txt", "plugh $(id)"}
	ran := nativeSession(t, w, "auto", "flagged", append(exported, others...))
	for _, text := range exported {
		if !ran[text] {
			t.Errorf("%q did not run", text)
		}
	}
	for text, did := range ran {
		if did && !strings.HasPrefix(tool("check", "--host", "claude", "--", text), "allow") {
			t.Errorf("%q ran, and permgate does not allow it", text)
		}
	}
}
