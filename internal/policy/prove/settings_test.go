package prove

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// TestSettings: what else than rules differs, and which setting is named.
func TestSettings(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	for _, r := range []struct {
		name    string
		change  func(now, was *rules.Policy)
		verdict Verdict
		rule    string // of a finding or of what is open
	}{
		{"mode", func(now, _ *rules.Policy) { now.Mode.Value = "acceptEdits" }, Fails, "defaultMode"},
		{"stricter mode", func(now, _ *rules.Policy) { now.Mode.Value = "dontAsk" }, Holds, ""},
		{"bypass", func(now, _ *rules.Policy) { now.Mode.Value = "bypassPermissions" }, Fails, "defaultMode"},
		{"defer", func(now, _ *rules.Policy) { now.Posture.OnUnmatched.Value = "defer" }, Fails, "onUnmatched"},
		{"read only", func(now, _ *rules.Policy) { now.Posture.ReadOnlyCommands.Value = "allow" }, Fails, "readOnlyCommands"},
		{"catastrophic", func(_, was *rules.Policy) { was.Posture.Catastrophic.Value = "deny" }, Fails, "catastrophic"},
		{"outside reads", func(_, was *rules.Policy) { was.Posture.OutsideReads.Value = "ask" }, Fails, "outsideReads"},
		{"fence", func(_, was *rules.Policy) { was.FenceWrite.Value = "true" }, Fails, "blockWritesOutsideWorkingDirectories"},
		{"fence added", func(now, _ *rules.Policy) { now.FenceWrite.Value = "true" }, Holds, ""},
		{"scripts", func(_, was *rules.Policy) { was.Posture.ExpandScripts.Value = "true" }, Unknown, "expandScripts"},
		{"classifier", func(now, _ *rules.Policy) { now.Posture.Classifier.Value = "x" }, Unknown, "classifier"},
		{"folder", func(now, was *rules.Policy) {
			now.Dirs = dirsOf("/srv")
			add(now, "Edit", rules.Allow, rules.User, false)
			add(was, "Edit", rules.Allow, rules.User, false)
		}, Fails, "additionalDirectories"},
		{"folder without a rule", func(now, _ *rules.Policy) { now.Dirs = dirsOf("/srv") }, Holds, ""},
		{"folder of the project", func(now, _ *rules.Policy) {
			now.Mode.Value, now.Dirs = "bypassPermissions", dirsOf("/b/src")
		}, Fails, "defaultMode"},
		{"folder in one that is there", func(now, was *rules.Policy) {
			now.Dirs, was.Dirs = dirsOf("/srv", "/srv/a", "/b/src"), dirsOf("/srv")
			add(now, "Bash", rules.Allow, rules.User, false)
			add(was, "Bash", rules.Allow, rules.User, false)
		}, Holds, ""},
		{"folder with allowed names", func(now, was *rules.Policy) {
			now.Dirs = dirsOf("/srv")
			add(now, "Edit(*.md)", rules.Allow, rules.User, false)
			add(was, "Edit(*.md)", rules.Allow, rules.User, false)
		}, Holds, ""},
		{"folder with edits allowed below all", func(now, was *rules.Policy) {
			now.Dirs = dirsOf("/srv")
			add(now, "Edit(//*/a/*.md)", rules.Allow, rules.User, false)
			add(was, "Edit(/../*/a/*.md)", rules.Allow, rules.User, false)
		}, Fails, "additionalDirectories"},
		{"folder that is fenced off", func(now, was *rules.Policy) {
			now.Dirs, now.FenceRead.Value, was.FenceRead.Value = dirsOf("/srv"), "true", "true"
		}, Fails, "additionalDirectories"},
		{"folder under denied commands", func(now, was *rules.Policy) {
			now.Dirs, now.FenceRead.Value, was.FenceRead.Value = dirsOf("/srv"), "true", "true"
			for _, tool := range []string{"Bash", "PowerShell", "Monitor", "Read", "Edit"} {
				add(now, tool, rules.Deny, rules.User, false)
				add(was, tool, rules.Deny, rules.User, false)
			}
		}, Holds, ""},
		{"folder that commands may use", func(now, was *rules.Policy) {
			now.Dirs = dirsOf("/srv")
			add(now, "Bash(curl *)", rules.Allow, rules.User, false)
			add(was, "Bash(curl *)", rules.Allow, rules.User, false)
		}, Fails, "additionalDirectories"},
		{"folder of the system", func(now, was *rules.Policy) {
			now.Dirs, now.Mode.Value, was.Mode.Value = dirsOf("/usr"), "dontAsk", "dontAsk"
		}, Holds, ""},
		{"folder of the system under bypass", func(now, was *rules.Policy) {
			now.Dirs, now.Mode.Value, was.Mode.Value = dirsOf("/usr"), "bypassPermissions", "bypassPermissions"
		}, Fails, "additionalDirectories"},
		{"addresses", func(now, was *rules.Policy) {
			was.Posture.URLsSet = rules.Setting{Value: "true", Pos: rules.Pos{File: "/b/permgate.json", Line: 1, Col: 1}}
		}, Fails, "urls.allow"},
	} {
		t.Run(r.name, func(t *testing.T) {
			now, was := policyOf("default"), policyOf("default")
			r.change(now, was)
			report, err := (&Job{Flags: &gate.Flags{}}).compare(w.side(now), w.side(was))
			if err != nil {
				t.Fatal(err)
			}
			named := r.rule == ""
			for _, f := range report.Findings {
				named = named || f.Rule == r.rule
			}
			for _, o := range report.Open {
				named = named || o.Rule == r.rule
			}
			if report.Verdict != r.verdict || !named {
				t.Errorf("got %d: %s %+v", report.Verdict, findings(report), report)
			}
		})
	}
}

func dirsOf(paths ...string) (out []rules.Dir) {
	for _, path := range paths {
		out = append(out, rules.Dir{Path: rules.Path{Given: path, Real: path}})
	}
	return out
}

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
