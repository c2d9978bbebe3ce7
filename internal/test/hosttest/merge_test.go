package hosttest

import "testing"

// TestTwoHooks shows which of two hooks of one event a host listens to: whether an allow can outvote the
// deny of another hook.
func TestTwoHooks(t *testing.T) {
	for _, tt := range []struct {
		h          *Host
		allowFirst bool // the tool runs where the allow comes first
		denyFirst  bool
	}{
		{&Claude, false, false},
		{&Codex, false, false},
		{&GeminiCLI, false, false},
		{&Qwen, false, true}, // the last that decides
		{&Copilot, false, false},
		{&Droid, true, false}, // the first that decides
		{&Opencode, false, false},
		{&Kilo, false, false},
	} {
		t.Run(tt.h.Name, func(t *testing.T) {
			program := tt.h.Install(t)
			g := tt.h.Gates[0]
			hook := func(decision string) Hook {
				return Hook{Event: g.Event, Command: "cat >/dev/null; echo " + shellQuote(g.Answer(decision)), Timeout: probeTimeout}
			}
			for _, order := range []struct {
				hooks []Hook
				ran   bool
			}{
				{[]Hook{hook("allow"), hook("deny")}, tt.allowFirst},
				{[]Hook{hook("deny"), hook("allow")}, tt.denyFirst},
			} {
				s := NewSession(t, tt.h, tt.h.Touch("ran.txt"))
				s.Posture, s.Hooks = tt.h.posture("rule"), order.hooks
				out, err := s.Run(t, program)
				if len(s.API.Results()) != 1 {
					t.Fatalf("%d tool results: %v\n%s", len(s.API.Results()), err, out)
				}
				if ran := s.Ran("ran.txt"); ran != order.ran {
					t.Errorf("%s\n%s\nran %v", order.hooks[0].Command, order.hooks[1].Command, ran)
				}
			}
		})
	}
}
