package hosttest

import (
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
