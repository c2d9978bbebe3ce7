package hosttest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/log"
)

// codeMode opens the session in Code Mode, in which the model has one tool, that runs a script, and the script calls the
// others. Claude Code offers it to a person in a terminal, and not through a gateway.
func (s *Session) codeMode(t *testing.T, program []string, mode string) *Terminal {
	t.Helper()
	s.Env = append(s.Env, s.standIn(t, "api.anthropic.com")...)
	addSettings(t, filepath.Join(s.Home, ".claude", "settings.json"), map[string]any{
		"env": map[string]any{"CLAUDE_CODE_EXPERIMENTAL_CODE_MODE": "1"}, "skipDangerousModePermissionPrompt": true})
	addSettings(t, filepath.Join(s.Home, ".claude.json"), map[string]any{
		"hasCompletedOnboarding": true, "theme": "dark", "bypassPermissionsModeAccepted": true,
		"customApiKeyResponses": map[string]any{"approved": []string{"dummy"}, "rejected": []string{}},
		"projects":              map[string]any{s.Project: map[string]any{"hasTrustDialogAccepted": true}},
	})
	term := s.start(t, program, mode)
	for end := time.Now().Add(idleLimit); time.Now().Before(end); time.Sleep(300 * time.Millisecond) {
		switch screen := term.Screen(); {
		case strings.Contains(screen, "Code Mode (experimental) is on"):
			return term
		case strings.Contains(screen, "❯ No, start"):
			term.Type("Down")
		case strings.Contains(screen, "❯ Yes, turn on Code Mode"):
			term.Type("Enter")
		}
	}
	t.Fatalf("no Code Mode:\n%s", term.Screen())
	return nil
}

// script is the call of the one tool with a script that makes all calls, one after the other, whatever becomes of them.
func script(calls ...ToolCall) ToolCall {
	code := "const go = async (f) => { try { await f() } catch (e) { log(String(e)) } }\n"
	for _, c := range calls {
		code += fmt.Sprintf("await go(() => tools.%s(%s))\n", c.Name, c.inputJSON())
	}
	return ToolCall{Name: "REPL", Input: map[string]any{"code": code, "description": "go on"}}
}

// made waits for the file that a call of the script makes.
func (s *Session) made(t *testing.T, term *Terminal, name string) {
	t.Helper()
	for end := time.Now().Add(2 * idleLimit); !s.Ran(name); time.Sleep(300 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the script never came to %s:\n%s", name, term.Screen())
		}
	}
}

// TestClaudeCodeMode: a call that a script makes goes on or is refused as the table says of any other call, whatever the
// hook answers and however it fails; but one that is late refuses it, with the fail-closed switch and without.
func TestClaudeCodeMode(t *testing.T) {
	h := &Claude
	program, g := h.Install(t), &h.Gates[0]
	for i, p := range g.Postures {
		if p.Name == "prompt" {
			continue // a person is there
		}
		for _, closed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, fail-closed %v", p.Name, closed), func(t *testing.T) {
				var calls []ToolCall
				for _, seen := range g.Seen {
					if name := seen.Behaviour; name != "ask" && name != "ourask" && !strings.HasPrefix(name, "missing") {
						calls = append(calls, h.Touch(name+".txt"))
					}
				}
				s := NewSession(t, h, script(append(calls, h.Touch("silence.txt last.txt"))...)) // in bypass it goes on with the model
				s.Hooks = []Hook{{Event: g.Event, Command: h.WriteProbe(t, g, t.TempDir()), Timeout: probeTimeout, FailClosed: closed}}
				s.Posture = Posture{Args: p.Args[2:]}
				s.made(t, s.codeMode(t, program, p.Args[1]), "last.txt")
				for _, seen := range g.Seen {
					name, want := seen.Behaviour, seen.Open[i] == 'y'
					if closed {
						want = seen.Closed[i] == 'y'
					}
					driven := slices.ContainsFunc(calls, func(c ToolCall) bool { return c.Input["command"] == "touch "+name+".txt" })
					if got := s.Ran(name + ".txt"); driven && got != (want && !strings.HasSuffix(name, "timeout")) {
						t.Errorf("%s: ran %v, the table says %v", name, got, want)
					}
				}
			})
		}
	}
}

// TestClaudeCodeModePermgate: in a script the registered binary denies, has a person asked in bypassPermissions too, and
// learns how a call ended.
func TestClaudeCodeModePermgate(t *testing.T) {
	program, permgate := Claude.Install(t), BuildPermgate(t)
	for _, mode := range []string{"acceptEdits", "auto", "bypassPermissions"} {
		t.Run(mode, func(t *testing.T) {
			w, s := attended(t, permgate, func(w *world) []ToolCall {
				return []ToolCall{script(Claude.Touch("denied.txt"), Claude.Touch("ran.txt"),
					Claude.Shell("git stash drop; touch asked.txt"), Claude.Touch("last.txt"))}
			})
			s.API.Verdict = "not_flagged"
			writeFile(t, filepath.Join(w.home, ".gen", "settings.json"),
				`{"permissions":{"allow":["Bash(touch:*)","Bash(git reset:*)"],"deny":["Bash(touch denied.txt)"]}}`)
			term := s.codeMode(t, program, mode)
			term.Wait(t, "requires confirmation") // Hook PreToolUse:Bash
			if !s.Ran("ran.txt") || s.Ran("denied.txt") || s.Ran("asked.txt") {
				t.Errorf("ran %v, denied %v, asked %v:\n%s", s.Ran("ran.txt"), s.Ran("denied.txt"), s.Ran("asked.txt"), term.Screen())
			}
			term.Type("Escape")
			time.Sleep(3 * time.Second)
			if s.Ran("asked.txt") || s.Ran("last.txt") {
				t.Errorf("a no is taken for a yes, or ends one call alone:\n%s", term.Screen())
			}
			var ran []string
			if _, err := log.ReadDir(filepath.Join(w.home, ".local", "state", "permgate"), func(r *log.Record) {
				if r.Event == log.EventOutcome && r.Outcome == log.Ran {
					ran = append(ran, r.Tool)
				}
			}); err != nil || !slices.Contains(ran, "Bash") {
				t.Errorf("the log knows of no call that ran: %v, %v", ran, err)
			}
		})
	}
}
