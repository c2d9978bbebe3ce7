package hosttest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// attended is a session of Claude Code in front of a person: what it asks about once, on its first start, is settled.
func attended(t *testing.T, permgate string, calls func(w *world) []ToolCall) (*world, *Session) {
	t.Helper()
	w := newWorld(t)
	s := &Session{Host: &Claude, API: StartAPI(t, Claude.API, calls(w)...), Home: w.home, Project: w.project, Env: w.environment()}
	s.InstallPermgate(t, permgate)
	addSettings(t, filepath.Join(w.home, ".claude", "settings.json"), map[string]any{"skipDangerousModePermissionPrompt": true})
	addSettings(t, filepath.Join(w.home, ".claude.json"), map[string]any{
		"hasCompletedOnboarding": true, "theme": "dark", "bypassPermissionsModeAccepted": true,
		"customApiKeyResponses": map[string]any{"approved": []string{"dummy"}, "rejected": []string{}},
	})
	return w, s
}

// start opens the session in a permission mode.
func (s *Session) start(t *testing.T, program []string, mode string) *Terminal {
	t.Helper()
	args, env := s.Host.Launch(t, s)
	if at := slices.Index(args, "--output-format"); at >= 0 {
		args = slices.Delete(args, at, at+2)
	}
	return s.Open(t, program, append(args[2:], "--permission-mode", mode, Prompt), env) // without -p
}

// TestYesInTerminal: in a real terminal one yes is enough for a target, in each mode in which the literal says that nothing
// but the dialog lets such a call go on, and a no is no yes.
func TestYesInTerminal(t *testing.T) {
	program, permgate := Claude.Install(t), BuildPermgate(t)
	for _, mode := range []string{"default", "auto", "acceptEdits", "bypassPermissions"}[:testenv.Count(t, 1, 1, 4)] {
		t.Run(mode, func(t *testing.T) {
			add := func(w *world, file string) ToolCall {
				return Claude.Shell("cd " + w.other + " && git add " + file)
			}
			w, s := attended(t, permgate, func(w *world) []ToolCall {
				return []ToolCall{add(w, "README.md"), Claude.Shell("cd " + w.other + " && git commit -m x --allow-empty"), add(w, "README.md README.md"), add(w, "README.md")}
			})
			addSettings(t, filepath.Join(w.home, ".claude", "settings.json"), map[string]any{
				"permissions": map[string]any{"allow": []string{"Bash(cd:*)", "Bash(git add:*)", "Bash(git commit:*)"}}})
			term := s.start(t, program, mode)
			const shown = "changes a git repository outside"
			term.Wait(t, shown)
			term.Type("Enter")
			term.Wait(t, "git commit")
			term.Wait(t, shown) // another subcommand
			said := w.said(t)
			if r := said[callID("toolu", 0)]; r == nil || r.Decision != "ask" {
				t.Errorf("the first call: %+v", r)
			}
			time.Sleep(2 * time.Second) // the record of the first call comes while the session goes on
			term.Type("Enter")
			for end := time.Now().Add(idleLimit); time.Now().Before(end) && len(s.API.Results()) < 4; time.Sleep(200 * time.Millisecond) {
			}
			said = w.said(t)
			for n, want := range []string{"ask", "ask", "", ""} {
				r := said[callID("toolu", n)]
				switch {
				case r == nil:
					t.Errorf("call %d: no record\n%s", n, term.Screen())
				case want == "ask" && (r.Decision != want || strings.Contains(r.Reason, "you said yes")):
					t.Errorf("call %d: %s, %s", n, r.Decision, r.Reason)
				case want == "" && r.Step == "2":
					t.Errorf("call %d: asked again: %s", n, r.Reason)
				}
			}
		})
	}
	t.Run("no", func(t *testing.T) {
		w, s := attended(t, permgate, func(w *world) []ToolCall {
			return []ToolCall{Claude.Shell("cd " + w.other + " && git add README.md")}
		})
		term := s.start(t, program, "default")
		term.Wait(t, "changes a git repository outside")
		term.Type("Escape")
		time.Sleep(3 * time.Second)
		var after []string
		if _, err := log.ReadDir(filepath.Join(w.home, ".local", "state", "permgate"), func(r *log.Record) {
			if r.Event == log.EventOutcome {
				after = append(after, r.HostEvent)
			}
		}); err != nil {
			t.Fatal(err)
		}
		if len(after) > 0 {
			t.Errorf("a no sends %v", after)
		}
	})
}
