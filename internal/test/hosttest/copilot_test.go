package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCopilotAsks shows that an ask of the registered binary is a question to the person at the terminal,
// with the reason, even where all tools are allowed; and that the tool runs only after a yes.
func TestCopilotAsks(t *testing.T) {
	h := &Copilot
	program := h.Install(t)
	permgate := BuildPermgate(t)
	for i, p := range copilotPostures {
		for answer, want := range map[string]bool{"1": true, "2": false} {
			if !want && i > 0 {
				continue // a no is a no
			}
			t.Run(p.Name+" "+answer, func(t *testing.T) {
				s := NewSession(t, h, h.Touch("ran.txt"))
				s.InstallPermgate(t, permgate)
				writeFile(t, filepath.Join(s.Project, ".gen", "settings.json"), `{"permissions":{"ask":["Bash(touch:*)"]}}`)
				writeFile(t, filepath.Join(s.Home, ".copilot", "config.json"), jsonText(map[string]any{"trusted_folders": []string{s.Project}}))
				_, env := h.Launch(t, s)
				term := s.Open(t, program, p.Args, env)
				term.Wait(t, "/ commands")
				term.Type(Prompt, "Enter")
				term.Wait(t, "Do you want to allow this tool call?")
				if screen := term.Screen(); !strings.Contains(screen, "ask rule: Bash(touch:*)") {
					t.Errorf("the question does not give the reason:\n%s", screen)
				}
				if s.Ran("ran.txt") {
					t.Fatal("ran before the answer")
				}
				term.Type(answer)
				for end := time.Now().Add(5 * time.Second); want && !s.Ran("ran.txt") && time.Now().Before(end); {
					time.Sleep(100 * time.Millisecond)
				}
				if !want {
					time.Sleep(time.Second)
				}
				if got := s.Ran("ran.txt"); got != want {
					t.Errorf("answer %s: ran %v\n%s", answer, got, term.Screen())
				}
			})
		}
	}
}

// TestCopilotClaudeFile runs Copilot CLI in a project whose .claude/settings.json has permgate for Claude
// Code: Copilot runs that hook too, and must be answered in its own form.
func TestCopilotClaudeFile(t *testing.T) {
	h := &Copilot
	program := h.Install(t)
	permgate := BuildPermgate(t)
	for _, tt := range []struct {
		name, settings, file string
		ran                  bool
		reason               string
	}{
		{"allow", `{"permissions":{"allow":["Bash(touch:*)"]}}`, "ran.txt", true, ""},
		{"ask", `{"permissions":{"ask":["Bash(touch:*)"]}}`, "ran.txt", false, "ask rule"},
		{"deny", `{"permissions":{"deny":["Bash(touch:*)"]}}`, "ran.txt", false, "deny rule"},
		{"sensitive", `{}`, ".envrc", false, ".envrc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSession(t, h, h.Touch(tt.file))
			s.Posture = h.posture("bypass")
			s.Posture.Args = append(s.Posture.Args[:1:1], "--trust-folder")
			cmd := exec.Command(permgate, "install", "--host", "claude", "--scope", "project", "--yes")
			cmd.Dir = s.Project
			cmd.Env = []string{"HOME=" + s.Home, "PATH=" + os.Getenv("PATH")}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			writeFile(t, filepath.Join(s.Project, ".gen", "settings.json"), tt.settings)
			out, err := s.Run(t, program)
			results := s.API.Results()
			if len(results) != 1 {
				t.Fatalf("%d tool results: %v\n%s", len(results), err, out)
			}
			t.Logf("%.300q", results[0].Text)
			if ran := s.Ran(tt.file); ran != tt.ran {
				t.Errorf("ran %v", ran)
			}
			if !tt.ran && !strings.Contains(results[0].Text, tt.reason) {
				t.Errorf("the reason does not say %q: %q", tt.reason, results[0].Text)
			}
		})
	}
}
