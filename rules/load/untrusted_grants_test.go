package load_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// TestClaims: what a project's files grant, whoever trusts them.
func TestClaims(t *testing.T) {
	f := tree(map[string]string{
		home + "/.gen/settings.json":        perms("allow", "Bash"),
		home + "/.gen/agents/mine.md":       "---\nallow_tools: [Bash]\n---\n",
		proj + "/.gen/settings.json":        `{"permissions": {"allow": ["Edit", "Bash(x"], "deny": ["Read(s)"], "additionalDirectories": ["../lib"], "defaultMode": "acceptEdits"}}`,
		proj + "/.claude/settings.json":     `{"permissions": {"deny": ["Read(s)"], "defaultMode": "bypassPermissions"}}`,
		proj + "/.san/settings.json":        `{"permissions": {"allow": ["Edit"], "allow": []}}`,
		proj + "/.gen/settings.local.json":  perms("allow", "Bash(make)"),
		proj + "/.san/settings.local.json":  perms("allow", "Bash(npm)"),
		proj + "/.gen/permgate.json":        `{"enforce": false, "rules": [{"allow": "Bash(a)"}, {"ask": "Bash(b)"}], "hosts": {"claude": {"rules": [{"allow": "Bash(c)"}]}}}`,
		proj + "/.gen/agents/a.md":          "---\nmode: acceptEdits\nallow_tools: [Edit]\ndeny_tools: [Bash]\n---\n",
		proj + "/.gen/agents/b/AGENT.md":    "---\nname: b\nallow_tools: [Bash(go*)]\n---\n",
		proj + "/.gen/agents/none.md":       "---\ntools: [Read]\n---\n",
		proj + "/.gen/agents/broken.md":     "---\nallow_tools: [Edit\n",
		proj + "/.gen/agents/README":        "no agent",
		proj + "/sub/.gen/settings.json":    perms("allow", "Bash(deeper)"),
		"/home/.gen/settings.json":          perms("allow", "Bash(above)"),
		proj + "/.claude/skills/s/SKILL.md": "---\nallowed-tools: [Bash]\n---\n",
	})
	f.File(proj + "/.san/settings.local.json").Tracked = true
	_, claims := load.Claims(where(func(w *load.Where) { w.Cwd = proj + "/sub" }), f)
	var got []string
	for _, c := range claims {
		line := strings.TrimPrefix(c.Path, proj+"/")
		for _, g := range c.Grants {
			line += " " + g.Kind + ":" + g.Text
		}
		if c.Needed {
			line += " needed"
		}
		if c.Fault != nil {
			line += " faulty"
		}
		if string(c.Content) != f.File(c.Path).Data {
			t.Errorf("%s holds %q", c.Path, c.Content)
		}
		got = append(got, line)
	}
	check(t, "claims", strings.Join(got, "\n"), strings.Join([]string{
		".gen/settings.local.json allow:Bash(make)",
		".san/settings.local.json allow:Bash(npm) needed",
		".gen/settings.json allow:Edit directory:../lib mode:acceptEdits needed",
		".gen/permgate.json allow:Bash(a) allow:Bash(c) needed",
		".san/settings.json allow:Edit needed faulty",
		".claude/settings.json",
		".gen/agents/a.md agent allow:Edit agent mode:acceptEdits needed",
		".gen/agents/b/AGENT.md agent allow:Bash(go*) needed",
		".gen/agents/broken.md faulty",
		".gen/agents/none.md",
	}, "\n"))
}

// TestProjectTrustRuleObjects: an allow of a project's permgate.json is a grant.
func TestProjectTrustRuleObjects(t *testing.T) {
	const gate = `{"rules": [{"allow": "Bash(a)"}, {"deny": "Bash(b)"}], "hosts": {"claude": {"rules": [{"allow": "Bash(c)"}]}}}`
	files := map[string]string{home + "/.gen/permgate.json": `{"projectTrust": "require"}`, proj + "/.gen/permgate.json": gate}
	for _, c := range []struct {
		host, allow string
		trusted     bool
	}{{"", "", false}, {"claude", "", false}, {"", "Bash(a)", true}, {"claude", "Bash(a) | Bash(c)", true}} {
		p := load.Load(where(func(w *load.Where) {
			w.Host = c.host
			w.Trusted = func(_ *rules.Policy, _ string, text []byte) load.Trust {
				return load.Trust{OK: c.trusted && string(text) == gate}
			}
		}), tree(files))
		check(t, c.host, texts(p.Allow), c.allow)
		check(t, c.host+": deny", texts(p.Deny), "Bash(b)")
	}
}
