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
		open             bool // it is silence still
	}{
		{"git -c core.pager=./x log", "user", "Bash(git:*)", false},
		{"rg --pre sh x", "user", "Bash(rg:*)", false},
		{"uv run sh x.sh", "user", "Bash(uv run:*)", false},
		{"uv run --with x pytest", "user", "Bash(uv run:*)", false},
		{"sudo make", "user", "Bash(sudo:*)", false},
		{"env make deploy", "user", "Bash(env:*)", false},
		{"env -u X make deploy", "user", "Bash(env:*)", false},
		{"env A=1 make deploy", "user", "Bash(env:*)", true},
		{"env A=1 sh x.sh", "user", "Bash(env A=1:*)", true},
		{"CI=1 rg --pre sh x", "user", "Bash(rg:*)", false},
		{"if rg --pre sh x; then true; fi", "user", "Bash(rg:*)", false},
		{"cd sub && rg --pre sh x", "user", "Bash(rg:*)", false},
		{"make -f x.mk", "local", "Bash(make:*)", false},
		{"pytest", "shared", "Bash(pytest:*)", false},
		{"make deploy", "shared", "Bash", false},
		{"uv run make deploy", "shared", "Bash(uv run:*)", false},
		{"env A=1 make deploy", "shared", "Bash(env:*)", true},
		{"ssh host uptime", "shared", "Bash(ssh:*)", false},
		{"docker run x make", "shared", "Bash(docker:*)", false},
		{"docker exec c sh -c 'rm x'", "shared", "Bash(docker exec:*)", true},
		{"podman exec c make", "shared", "Bash(podman:*)", true},
		{"kubectl exec p -- make", "shared", "Bash(kubectl:*)", true},
		{"kubectl apply -f x.yaml", "shared", "Bash(kubectl:*)", false},
	} {
		for _, mode := range []string{"default", "acceptEdits"} {
			s := &scene{text: row.text, mode: mode, added: in(row.file, row.rule)}
			if !s.alone(s.added).runs(s.text) {
				t.Errorf("the model does not run it: %s", s)
			}
			v := st.decide(s, s.added, "")
			if told := hookio.Told(v.Input().Call, v.Answer()); told != hookio.Ask && !(row.open && told == hookio.Pass) {
				t.Errorf("%s: %s: %s", s, told, v.Reason())
			} else if row.open && told == hookio.Ask {
				t.Errorf("%s: it is asked about now: take its mark away", s)
			}
		}
	}
}
