package prove

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// TestLifts has allow rules that name one thing, which lift questions that no other rule does.
func TestLifts(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	practical := func(p *rules.Policy) { p.Posture.Destructive.Value = "practical" }
	secrets := func(p *rules.Policy) { p.Posture.Secrets.Value = "ask" }
	auto := func(p *rules.Policy) { p.Mode.Value = "auto" }
	for _, c := range []struct {
		was, now string
		with     func(*rules.Policy)
		holds    bool
	}{
		{now: "allow user Read(~/.ssh/id_rsa)", with: secrets},
		{now: "allow user Read(~/.ssh/id_rsa); deny LS; deny NotebookRead", was: "deny LS; deny NotebookRead", with: secrets},
		{now: "allow Read(~/.ssh/id_rsa)", with: secrets, holds: true},
		{was: "allow Read(~/.ssh/id_rsa)", now: "allow user Read(~/.ssh/id_rsa)", with: secrets},
		{was: "allow user Read(~/.ssh/id_rsa)", now: "allow Read(~/.ssh/id_rsa)", with: secrets, holds: true},
		{now: "allow user Read(/docs/x)", with: secrets, holds: true},
		{was: "allow Read(.env)", now: "allow user Read(.env)", with: auto},
		{was: "allow Bash(cat:*)", now: "allow Bash(cat:*); allow user Bash(cat ~/.ssh/id_rsa)", with: secrets},
		{was: "allow Bash(rm:*)", now: "allow Bash(rm:*); allow Bash(rm -rf src)", with: practical},
		{was: "allow shared Bash(rm -rf src)", now: "allow Bash(rm -rf src)", with: practical},
		{was: "allow Bash(rm -rf src)", now: "allow shared Bash(rm -rf src)", with: practical, holds: true},
	} {
		const both = "allow LS; allow NotebookRead; allow Bash(cat:*); "
		now, was := policyWith(t, both+c.now, "default"), policyWith(t, both+c.was, "default")
		c.with(now)
		c.with(was)
		for _, tool := range []string{"", "Bash"} {
			r, err := (&Job{Flags: &gate.Flags{}, Tool: tool}).compare(w.side(now), w.side(was))
			if err != nil || (r.Verdict == Holds) != c.holds {
				t.Errorf("%s => %s: %q: %v, %v: %s", c.was, c.now, tool, err, r.Verdict, findings(r))
			}
		}
	}
}

// TestAlwaysInAuto has a mode that asks about some calls although rules allow them.
func TestAlwaysInAuto(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	for _, pattern := range []string{"Read(src/**)", "Bash(foo:*)"} {
		side := w.side(policyWith(t, "allow "+pattern, "auto"))
		j := &Job{Flags: &gate.Flags{}, Claim: Always, Pattern: pattern}
		if r, err := j.compare(side, side); err != nil || r.Verdict == Holds {
			t.Errorf("%s: %v: %+v", pattern, err, r)
		}
	}
}
