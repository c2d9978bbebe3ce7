package hosttest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A posture is what Claude Code would do with the call if no hook had an opinion.
type posture struct {
	name  string
	mode  string   // --permission-mode
	allow []string // the host's own allow rules
}

var postures = [...]posture{
	{"prompt", "default", nil}, // nobody can answer a prompt under -p: the call is refused
	{"rule", "default", []string{"Bash(touch:*)"}},
	{"bypass", "bypassPermissions", nil},
}

// A behaviour is one way a hook can answer or fail, and whether the tool ran: one letter per posture,
// in the order of postures, y for ran and n for did not.
type behaviour struct {
	name   string
	script string // sh; the payload has been read already
	open   string // observed without onFailure
	block  string // observed with onFailure "block"
}

func answer(decision string) string {
	return fmt.Sprintf(`echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":%q,"permissionDecisionReason":"probe"}}'`, decision)
}

// behaviours holds what Claude Code 2.1.329 does. Two things follow for whoever writes a hook. Without
// onFailure "block" every fault but exit 2 lets the call go on. With it, one fault still does: output that
// does not both start with { and end with } counts as plain text, so an answer cut short, or with a stray
// byte before it, is no answer. An answer is therefore one line, written at once, and nothing else.
var behaviours = [...]behaviour{
	{"allow", answer("allow"), "yyy", "yyy"},
	{"ask", answer("ask"), "nnn", "nnn"},
	{"deny", answer("deny"), "nnn", "nnn"},
	{"silence", `:`, "nyy", "nyy"},
	{"text", `echo fine by me`, "nyy", "nyy"},
	{"brokenjson", `echo '{"hookSpecificOutput":{"hookEventName":'`, "nyy", "nyy"},
	{"notclosed", `printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"'`, "nyy", "nyy"},
	{"badvalue", answer("block"), "nyy", "nnn"},
	{"flat", `echo '{"permissionDecision":"deny","permissionDecisionReason":"probe"}'`, "nyy", "nyy"},
	{"twolines", answer("deny") + "; " + answer("deny"), "nyy", "nnn"},
	{"textjson", "echo note; " + answer("deny"), "nyy", "nyy"},
	{"binary", `printf '\377\376\000\001{'`, "nyy", "nyy"},
	{"exit1", `exit 1`, "nyy", "nnn"},
	{"exit1allow", answer("allow") + `; exit 1`, "yyy", "nnn"},
	{"exit1deny", answer("deny") + `; exit 1`, "nnn", "nnn"},
	{"exit2", `echo probe >&2; exit 2`, "nnn", "nnn"},
	{"exit2allow", answer("allow") + `; exit 2`, "nnn", "nnn"},
	{"killed", `kill -9 $$`, "nyy", "nnn"},
	{"timeout", `sleep 20`, "nyy", "nnn"},
	{"denytimeout", answer("deny") + `; sleep 20`, "nyy", "nnn"},
}

// TestClaudeHookFailure asks a real Claude Code to run one harmless command per behaviour and compares
// which of them ran with the table, for each posture, with and without onFailure.
func TestClaudeHookFailure(t *testing.T) {
	claude := Claude(t)
	if runtime.GOOS == "windows" {
		t.Skip("the probe hook is a shell script")
	}
	hook := writeProbe(t)
	var calls []ToolCall
	for _, b := range behaviours {
		calls = append(calls, Touch(b.name+".txt"))
	}
	ran := map[string]string{} // behaviour + onFailure to a letter per posture
	for _, onFailure := range []string{"", "block"} {
		for _, p := range postures {
			api := StartAPI(t, calls...)
			s := NewSession(t, api)
			s.Mode = p.mode
			s.Settings = Settings(Hook{Command: hook, Args: []string{}, Timeout: 2, OnFailure: onFailure}, p.allow...)
			out, err := s.Run(t, claude)
			if got := len(api.Results()); got != len(calls) {
				t.Fatalf("%s: %d of %d calls answered: %v\n%s\n%q", p.name, got, len(calls), err, out, api.Requests())
			}
			for i, b := range behaviours {
				ran[b.name+onFailure] += letter(s.Ran(b.name + ".txt"))
				if testing.Verbose() {
					t.Logf("%-8s %-6s %-12s %.160q", onFailure, p.name, b.name, api.Results()[i].Text)
				}
			}
		}
	}
	t.Logf("Claude Code %s: did the tool run? postures prompt, rule, bypass", ClaudeVersion)
	t.Logf("%-12s %-8s %s", "hook", "default", "onFailure block")
	for _, b := range behaviours {
		open, block := ran[b.name], ran[b.name+"block"]
		t.Logf("%-12s %-8s %s", b.name, open, block)
		if open != b.open || block != b.block {
			t.Errorf("%s: ran %s %s, the table says %s %s", b.name, open, block, b.open, b.block)
		}
	}
}

// TestClaudeMissingHook does the same for a hook that cannot be started.
func TestClaudeMissingHook(t *testing.T) {
	claude := Claude(t)
	missing := filepath.Join(t.TempDir(), "no-such-program")
	for _, tt := range []struct {
		name        string
		hook        Hook
		open, block string
	}{
		{"exec form", Hook{Command: missing, Args: []string{"hook"}}, "nyy", "nnn"},
		{"shell form", Hook{Command: missing + " hook"}, "nyy", "nnn"},
	} {
		for _, onFailure := range []string{"", "block"} {
			got, want := "", tt.open
			if onFailure != "" {
				want = tt.block
			}
			for _, p := range postures {
				s := NewSession(t, StartAPI(t, Touch("ran.txt")))
				tt.hook.OnFailure = onFailure
				s.Mode, s.Settings = p.mode, Settings(tt.hook, p.allow...)
				out, err := s.Run(t, claude)
				if len(s.API.Results()) != 1 {
					t.Fatalf("%s %s: %v\n%s", tt.name, p.name, err, out)
				}
				got += letter(s.Ran("ran.txt"))
			}
			t.Logf("missing, %s, onFailure %q: %s", tt.name, onFailure, got)
			if got != want {
				t.Errorf("missing, %s, onFailure %q: ran %s, the table says %s", tt.name, onFailure, got, want)
			}
		}
	}
}

// writeProbe writes one hook that behaves as the name in its payload says.
func writeProbe(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("#!/bin/sh\npayload=$(cat)\ncase $payload in\n")
	for _, x := range behaviours {
		fmt.Fprintf(&b, "*'\"touch %s.txt\"'*) %s ;;\n", x.name, x.script)
	}
	b.WriteString("*) echo unexpected payload >&2; exit 2 ;;\nesac\n")
	path := filepath.Join(t.TempDir(), "probe")
	if err := os.WriteFile(path, []byte(b.String()), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func letter(ran bool) string {
	if ran {
		return "y"
	}
	return "n"
}
