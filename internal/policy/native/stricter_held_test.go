package native

import (
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// TestHeldBackStays: what a rule is held back from is asked about where Claude Code would run it by that rule, be it one
// that is not trusted.
func TestHeldBackStays(t *testing.T) {
	st := newStage(t)
	for _, row := range []struct {
		text, file, rule string
	}{
		{"git -c core.pager=./x log", "user", "Bash(git:*)"},
		{"rg --pre sh x", "user", "Bash(rg:*)"},
		{"uv run sh x.sh", "user", "Bash(uv run:*)"},
		{"uv run --with x pytest", "user", "Bash(uv run:*)"},
		{"sudo make", "user", "Bash(sudo:*)"},
		{"env make deploy", "user", "Bash(env:*)"},
		{"env -u X make deploy", "user", "Bash(env:*)"},
		{"env A=1 make deploy", "user", "Bash(env:*)"},
		{"env A=1 sh x.sh", "user", "Bash(env A=1:*)"},
		{"CI=1 rg --pre sh x", "user", "Bash(rg:*)"},
		{"if rg --pre sh x; then true; fi", "user", "Bash(rg:*)"},
		{"cd sub && rg --pre sh x", "user", "Bash(rg:*)"},
		{"make -f x.mk", "local", "Bash(make:*)"},
		{"pytest", "shared", "Bash(pytest:*)"},
		{"make deploy", "shared", "Bash"},
		{"uv run make deploy", "shared", "Bash(uv run:*)"},
		{"env A=1 make deploy", "shared", "Bash(env:*)"},
		{"ssh host uptime", "shared", "Bash(ssh:*)"},
		{"docker run x make", "shared", "Bash(docker:*)"},
		{"docker exec c sh -c 'rm x'", "shared", "Bash(docker exec:*)"},
		{"podman exec c make", "shared", "Bash(podman:*)"},
		{"kubectl exec p -- make", "shared", "Bash(kubectl:*)"},
		{"kubectl apply -f x.yaml", "shared", "Bash(kubectl:*)"},
	} {
		for _, mode := range []string{"default", "acceptEdits"} {
			s := &scene{text: row.text, mode: mode, added: in(row.file, row.rule)}
			if !s.alone(s.added).runs(s.text) {
				t.Errorf("the model does not run it: %s", s)
			}
			v := st.decide(s, s.added, "")
			if told := hookio.Told(v.Input().Call, v.Answer()); told != hookio.Ask {
				t.Errorf("%s: %s: %s", s, told, v.Reason())
			}
		}
	}
}
