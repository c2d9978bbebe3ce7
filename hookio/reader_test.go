package hookio

import (
	"cmp"
	"strings"
	"testing"
)

// TestEndedExamples: a host reads of every line permgate prints what permgate meant.
func TestEndedExamples(t *testing.T) {
	for _, h := range Hosts() {
		for _, x := range h.Examples() {
			c, err := Read(strings.NewReader(x.In), Options{Host: h.Name, Event: string(x.Event)})
			if err != nil {
				t.Fatal(err)
			}
			asks := EndsAsk
			if h.askIs(c) == AskDenies {
				asks = EndsDeny
			}
			for _, tt := range []struct {
				told Decision
				want Ending
			}{{Allow, EndsAllow}, {Ask, asks}, {Deny, EndsDeny}} {
				line := string(Write(nil, c, Answer{Decision: tt.told, Reason: "why"}))
				if line == "" {
					continue
				}
				if got := h.Ended(cmp.Or(c.RawEvent, string(c.Event)), 0, line, ""); got != tt.want {
					t.Errorf("%s, %s: %s is read as %s, want %s", h.Name, x.Name, line, got, tt.want)
				}
			}
		}
	}
}

// TestEnded: exit codes and what is no answer.
func TestEnded(t *testing.T) {
	const deny = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`
	for _, tt := range []struct {
		host           string
		code           int
		stdout, stderr string
		want           Ending
	}{
		{"claude", 0, "", "a note", EndsSilence},
		{"claude", 0, "fine", "", EndsText},
		{"claude", 0, "{", "", EndsBroken},
		{"claude", 0, "{}", "", EndsSilence},
		{"claude", 0, `{"continue":true}`, "", EndsSilence},
		{"claude", 0, `{"continue":false}`, "", EndsDeny},
		{"claude", 0, `{"decision":"approve"}`, "", EndsAllow},
		{"claude", 0, `{"permissionDecision":"deny"}`, "", EndsSilence},
		{"claude", 0, strings.Replace(deny, "PreToolUse", "PostToolUse", 1), "", EndsText},
		{"claude", 1, deny, "", EndsDeny},
		{"gen", 1, deny, "", EndsFailed},
		{"claude", 2, "", "no", EndsBlocked},
		{"claude", 2, "", " \n", EndsMute},
		{"claude", 127, "", "sh: x: not found", EndsMissing},
		{"claude", -1, deny, "", EndsKilled},
		{"codex", 0, strings.Replace(deny, "deny", "allow", 1), "", EndsText},
		{"goose", 0, "{}", "", EndsText},
		{"cursor", 0, "", "", EndsFailed},
		{"crush", 0, `{"decision":"ask"}`, "", EndsSilence},
	} {
		if got := Lookup(tt.host).Ended("PreToolUse", tt.code, tt.stdout, tt.stderr); got != tt.want {
			t.Errorf("%s, exit %d, %q, %q: %s, want %s", tt.host, tt.code, tt.stdout, tt.stderr, got, tt.want)
		}
	}
}
