package prove

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// TestAcross has rules on files and addresses, which are about commands as well, and
// looks at commands alone, or in a mode that only commands with unknown words tell apart.
func TestAcross(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	for _, c := range []struct {
		was, now, mode, tool string
		claim                Claim
		pattern              string
		holds                bool
	}{
		{was: "deny Read(//b/x)", tool: "Bash"},
		{was: "deny Read(//b/x)", tool: "Monitor"},
		{was: "deny Read(//b/x)", now: "deny Read(//b/**)", tool: "Bash", holds: true},
		{was: "deny Edit(*.md)", mode: "bypassPermissions", tool: "Bash"},
		{was: "allow Bash(make); ask Edit(//b/x)", now: "allow Bash(make)", tool: "Bash"},
		{was: "ask Edit(//b/x)", tool: "Bash", holds: true},
		{was: "allow Bash(cat:*); ask Read(//b/x)", now: "allow Bash(cat:*)", mode: "dontAsk", tool: "Bash"},
		{was: "deny WebFetch(domain:example.com)", tool: "Bash"},
		{was: "deny WebSearch", tool: "Bash", holds: true},
		{now: "allow Edit(/src/**); allow Read; allow WebFetch(domain:x)", tool: "Bash", holds: true},
		{was: "ask Read(//b/x)", mode: "bypassPermissions"},
		{was: "ask Edit(//b/x)", mode: "bypassPermissions"},
		{was: "ask WebFetch(domain:example.com)", mode: "bypassPermissions"},
		{was: "ask Read(//b/x)", now: "deny Read(//b/x)", mode: "bypassPermissions", holds: true},
		{was: "ask *", mode: "bypassPermissions"}, // of AskUserQuestion, which that mode does not answer
		{was: "ask *", mode: "bypassPermissions", tool: "Bash", holds: true},
		{was: "ask Edit", now: "ask Edit; allow Edit(//b/x)", mode: "bypassPermissions", tool: "Bash", holds: true},
		{was: "ask Read(//b/x)", now: "ask *", mode: "bypassPermissions", tool: "Bash"},
		{was: "ask managed Read", mode: "bypassPermissions", tool: "Bash"},
		{was: "ask Read(*.tsx)", now: "ask Read(*.tsx); allow Read(//b/cmd/**)", mode: "bypassPermissions", holds: true},
		{was: "ask Read(*.tsx); ask Read(//b/cmd/**)", now: "ask Read(*.tsx)", mode: "bypassPermissions", tool: "Bash"},
		{mode: "bypassPermissions", tool: "Bash", claim: Never, pattern: "Read(*.go)"},
		{now: "allow Bash(curl:*)", tool: "Bash", claim: Never, pattern: "WebFetch(domain:example.com)"},
		{now: "allow Bash(cat:*); deny Read", tool: "Bash", claim: Never, pattern: "Read(*.go)", holds: true},
		{now: "allow Bash(make:*)", tool: "WebFetch", claim: Never, pattern: "Bash(make:*)", holds: true},
	} {
		if c.mode == "" {
			c.mode = "default"
		}
		now, was := policyWith(t, c.now, c.mode), policyWith(t, c.was, c.mode)
		j := &Job{Flags: &gate.Flags{}, Claim: c.claim, Pattern: c.pattern, Tool: c.tool}
		r, err := j.compare(w.side(now), w.side(was))
		if err != nil || (r.Verdict == Holds) != c.holds {
			t.Errorf("%+v: %v, %v: %s", c, err, r.Verdict, findings(r))
		}
		for _, f := range r.Findings {
			if c.tool != "" && f.Tool != c.tool {
				t.Errorf("%+v: it finds a call of %s", c, f.Tool)
			}
		}
	}
}

// TestAcrossExcluded has calls of an agent that has no tool but Bash.
func TestAcrossExcluded(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	now, was := policyOf("default"), policyWith(t, "deny Read(//b/x)", "default")
	for _, p := range []*rules.Policy{now, was} {
		p.Agent = &rules.AgentDef{Name: "x", Found: true, Known: true, HasTools: true, Tools: bare("Bash", rules.Allow, rules.Agent)}
	}
	a, b := w.side(now), w.side(was)
	if r, err := (&Job{Flags: &gate.Flags{}}).compare(a, b); err != nil || r.Verdict == Holds {
		t.Errorf("%v: %+v", err, r)
	}
}

// TestAcrossSettings has settings that are about commands, of which alone calls are looked at.
func TestAcrossSettings(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	for name, change := range map[string]func(*rules.Policy){
		"reads":  func(p *rules.Policy) { p.FenceRead.Value = "true" },
		"writes": func(p *rules.Policy) { p.FenceWrite.Value = "true" },
		"addresses": func(p *rules.Policy) {
			p.Posture.URLsSet.Pos = rules.Pos{File: "/b/permgate.json", Line: 1, Col: 1}
		},
		"no prompts": func(p *rules.Policy) { p.NoPrompts.Value = "true" },
	} {
		for _, tool := range []string{"Bash", "Monitor"} {
			now, was := policyWith(t, "allow Bash; allow Monitor", "default"), policyWith(t, "allow Bash; allow Monitor", "default")
			change(was)
			j := &Job{Flags: &gate.Flags{}, Tool: tool}
			if r, err := j.compare(w.side(now), w.side(was)); err != nil || r.Verdict == Holds {
				t.Errorf("%s, %s: %v, %+v", name, tool, err, r)
			}
		}
	}
}
