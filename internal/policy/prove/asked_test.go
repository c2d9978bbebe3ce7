package prove

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// TestAsked adds rules on paths that step 2 asks about, and on some that look like them.
func TestAsked(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	pieces := []string{"/", "/", "a", ".git", ".claude", "/plans", "/Plans.", "/worktrees", ".env", ".example", ".x", "memory/", ".md", ".agents/x.json"}
	var calls []*trial
	every := testenv.Every(t, 5, 1, 1)
	for n, text := range texts(pieces, 4) {
		if n%every > 0 || n > 4000 && n/every%5 > 0 { // of the longest some will do
			continue
		}
		if strings.HasPrefix(text, "/") && text == path.Clean(text) {
			calls = append(calls, trialOf("Edit", text))
		}
	}
	r := rand.New(rand.NewPCG(20, 7))
	rule := func() string {
		return "Edit(" + pick(r, "//", "./", "~/", "//h/") + word(r, append(pieces[:len(pieces):len(pieces)], "*", "**", "/**"), 4) + ")"
	}
	var count [3]int
	for n := range max(pairs(t)/20, 30) {
		mode := pick(r, "default", "default", "acceptEdits", "bypassPermissions", "plan")
		now, was := policyOf(mode), policyOf(mode)
		text := ""
		for range 1 + r.IntN(2) {
			own := rule()
			text += own + "; "
			add(now, own, rules.Allow, rules.User, false)
		}
		if r.IntN(3) == 0 {
			own, list := rule(), rules.List(1+r.IntN(3))
			text += list.String() + " in both: " + own
			add(now, own, list, rules.User, false)
			add(was, own, list, rules.User, false)
		}
		for _, host := range []string{"", "claude-code"} {
			flags := &gate.Flags{Host: host}
			j := &Job{Flags: flags, Tool: "Edit"}
			report, err := j.compare(w.side(now), w.side(was))
			if err != nil {
				t.Fatal(err)
			}
			count[report.Verdict]++
			if report.Verdict != Holds {
				continue
			}
			a, b := w.side(now), w.side(was)
			for _, c := range calls {
				if call, err := c.call(flags, nil); err == nil && a.decide(call).told < b.decide(call).told {
					t.Fatalf("pair %d, host %q, %s: %s: looser for %s", n, host, mode, text, c.text)
				}
			}
		}
	}
	t.Logf("%d calls: %d hold, %d fail, %d unknown", len(calls), count[Holds], count[Fails], count[Unknown])
	if count[Unknown] > count[Holds] {
		t.Error("too much is not known")
	}
}
