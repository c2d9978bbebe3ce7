package load_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// ruleObjectCases are values of "rules" in a project's permgate.json.
var ruleObjectCases = []struct {
	name, in         string
	deny, ask, allow string
	examples         string
	closed, open     string
}{
	{name: "one of each", in: `[{"deny": "Read(./.env)"}, {"ask": "Bash(git push *)"}, {"allow": "Bash(go test *)"}]`,
		deny: "Read(./.env)", ask: "Bash(git push *)", allow: "Bash(go test *)"},
	{name: "examples", in: `[{"match": ["git push x"], "deny": "Bash(git push *)", "not_match": ["git log", "git"]}]`,
		deny: "Bash(git push *)", examples: "+git push x 1:23 | -git log 1:80 | -git 1:91"},
	{name: "comments", in: `[{"// why": "it leaks", "$schema": 1, "deny": "Read"}]`, deny: "Read"},
	{name: "empty", in: `[]`},
	{name: "no list", in: `{"deny": "Read"}`, closed: `:1:11: "rules" must be a list of objects such as {"deny": "Read(./.env)"}, not an object`},
	{name: "a string", in: `["Read"]`, closed: `:1:12: "rules" must contain objects such as {"deny": "Read(./.env)"}, not a string`},
	{name: "no rule", in: `[{"match": ["x"]}]`, closed: `:1:12: an object in "rules" has exactly one of "allow", "ask" and "deny", not 0 of them`},
	{name: "two lists", in: `[{"deny": "Read", "ask": "Edit", "allow": "Bash"}]`, deny: "Read", ask: "Edit", closed: "not 3 of them"},
	{name: "rule is a list", in: `[{"deny": ["Read"]}]`, closed: `:1:21: "deny" in "rules" takes one rule, a string, not a list`},
	{name: "unknown key", in: `[{"deny": "Read", "reason": "x"}]`, deny: "Read", closed: `:1:29: unknown key "reason" in "rules": allow, ask`},
	{name: "other case", in: `[{"Deny": "Read"}]`, deny: "Read", closed: `the key "Deny" must be written "deny"`},
	{name: "twice", in: `[{"deny": "Read", "deny": "Edit"}]`, deny: "Edit", closed: `the key "deny" appears twice`},
	{name: "match is no list", in: `[{"deny": "Read", "match": "x"}]`, deny: "Read", open: `:1:38: "match" must be a list of strings, not a string`},
	{name: "match holds a number", in: `[{"deny": "Read", "not_match": ["x", 1]}]`, deny: "Read", examples: "-x 1:43", open: `:1:48: "not_match" must contain only strings, not a number`},
	{name: "malformed deny", in: `[{"deny": "Bash(rm", "match": ["rm x"]}]`, deny: "Bash(rm", examples: "+rm x 1:42", open: "the closing parenthesis is missing"},
	{name: "malformed allow", in: `[{"allow": "Bash(rm", "match": ["rm x"]}]`, open: "the closing parenthesis is missing"},
	{name: "broken file", in: `[{"deny": "Read"}, {"allow": "Bash"}`, deny: "Read", closed: "not valid JSON"},
}

func TestRuleObjects(t *testing.T) {
	for _, c := range ruleObjectCases {
		t.Run(c.name, func(t *testing.T) {
			p := load.Load(where(), tree(map[string]string{proj + "/.gen/permgate.json": `{"rules": ` + c.in + `}`}))
			check(t, "deny", texts(p.Deny), c.deny)
			check(t, "ask", texts(p.Ask), c.ask)
			check(t, "allow", texts(p.Allow), c.allow)
			check(t, "examples", examples(p), c.examples)
			has(t, "closed faults", faults(p, true), c.closed)
			has(t, "open faults", faults(p, false), c.open)
		})
	}
}

func examples(p *rules.Policy) string {
	var out []string
	for _, x := range p.Examples {
		sign := "-"
		if x.Match {
			sign = "+"
		}
		out = append(out, fmt.Sprintf("%s%s %d:%d", sign, x.Text, x.Pos.Line, x.Pos.Col))
	}
	return strings.Join(out, " | ")
}

// A rule object grants exactly where a rule of the settings.json next to it
// does, restricts where that does, and for the same reason.
func TestRuleObjectsLikeSettings(t *testing.T) {
	require := map[string]string{home + "/.claude/permgate.json": `{"projectTrust": "require"}`}
	only := map[string]string{"/etc/gen/managed-settings.json": `{"permissions": {"allowManagedPermissionRulesOnly": true}}`}
	for _, folder := range []string{"/etc/gen", home + "/.gen", home + "/.claude", proj + "/.gen", proj + "/.claude", proj + "/sub/.gen", "/home/.gen"} {
		for i, more := range []map[string]string{nil, require, only} {
			for _, trusted := range []bool{false, true} {
				var got [2]string
				for j, file := range [...]string{"/settings.json", "/permgate.json"} {
					text := `{"rules": [{"allow": "Bash(a)"}, {"deny": "Bash(b)"}, {"ask": "Bash(c)"}]}`
					if j == 0 {
						text = `{"permissions": {"allow": ["Bash(a)"], "deny": ["Bash(b)"], "ask": ["Bash(c)"]}}`
						if folder == "/etc/gen" {
							file = "/managed-settings.json"
						}
					}
					files := map[string]string{}
					for name, text := range more {
						files[name] = text
					}
					if old := files[folder+file]; old != "" { // the folder's own file says more
						text = text[:len(text)-1] + ", " + old[1:]
						text = strings.Replace(text, `]}, "permissions": {`, `], `, 1)
					}
					files[folder+file] = text
					p := load.Load(where(func(w *load.Where) {
						w.Cwd = proj + "/sub"
						if trusted {
							w.Trusted = func(*rules.Policy, string, []byte) load.Trust { return load.Trust{OK: true} }
						}
					}), tree(files))
					why := ""
					for _, d := range p.Dropped {
						why += d.Text + ": " + d.Why
					}
					got[j] = fmt.Sprint(texts(p.Allow), "; ", texts(p.Deny), "; ", texts(p.Ask), "; ", why)
					check(t, "faults", faults(p, true)+faults(p, false), "")
					for _, r := range append(append(p.Allow, p.Deny...), p.Ask...) {
						if claude := strings.HasSuffix(folder, ".claude"); r.Claude != claude {
							t.Errorf("%s%s: %s: grammar of Claude Code %v", folder, file, r.Text, r.Claude)
						}
					}
				}
				if got[0] != got[1] {
					t.Errorf("%s, case %d, trusted %v: settings.json gives %q, permgate.json %q", folder, i, trusted, got[0], got[1])
				}
			}
		}
	}
}

// The section of a host adds to the rules of that host alone; the examples of
// all of them can be checked.
func TestRuleObjectsOfHosts(t *testing.T) {
	files := map[string]string{home + "/.gen/permgate.json": `{"rules": [{"deny": "Read"}], "hosts": {"codex": {"rules": [{"deny": "Edit", "match": ["x"]}]}, "claude": {"rules": [{"deny": 1}]}}}`}
	p := load.Load(where(), tree(files))
	check(t, "without host", texts(p.Deny), "Read")
	check(t, "examples", examples(p), "+x 1:88")
	has(t, "faults", faults(p, true), "takes one rule, a string, not a number")
	p = load.Load(where(func(w *load.Where) { w.Host = "codex" }), tree(files))
	check(t, "codex", texts(p.Deny), "Read | Edit")
}

// TestExported has rules in settings files that permgate export wrote there: they grant nothing, and a silence
// about what they cover does not count as one.
func TestExported(t *testing.T) {
	const list = `{"files": {"/home/u/.claude/settings.json": {"allow": ["Bash(a)", "Bash(b)"], "deny": ["Bash(d)"]},
		"/home/u/proj/.claude/settings.local.json": {"allow": ["Bash(c)"]}}}`
	files := func(exported string) map[string]string {
		return map[string]string{
			home + "/.claude/settings.json":       `{"permissions": {"allow": ["Bash(a)", "Bash(own)"], "deny": ["Bash(d)"]}}`,
			home + "/.gen/settings.json":          `{"permissions": {"allow": ["Bash(a)"]}}`,
			proj + "/.claude/settings.json":       `{"permissions": {"allow": ["Bash(b)"]}}`,
			proj + "/.claude/settings.local.json": `{"permissions": {"allow": ["Bash(c)", "Bash(a)"]}}`,
			home + "/.claude/" + load.Exported:    exported,
		}
	}
	p := load.Load(where(), tree(files(list)))
	check(t, "allow", texts(p.Allow), "Bash(a) | Bash(b) | Bash(a) | Bash(own)")
	check(t, "untrusted", texts(p.Untrusted), "Bash(c) | Bash(a)")
	check(t, "deny", texts(p.Deny), "Bash(d)")
	check(t, "faults", faults(p, true), "")
	check(t, "dropped", dropped(p), "") // the rules they were made of count, or permgate doctor says that they do not

	fs := tree(files(list))
	fs.Link("/home/u/link", proj)
	p = load.Load(where(func(w *load.Where) { w.Cwd, w.Project = "/home/u/link", "/home/u/link" }), fs)
	check(t, "through a link", texts(p.Untrusted), "Bash(c) | Bash(c) | Bash(a)") // the folder is read by both names

	for _, bad := range []string{`{"files": [`, `{"files": ["Bash(a)"]}`, `{"files": {"/home/u/.claude/settings.json": ["Bash(a)"]}}`,
		`{"files": {"/home/u/.claude/settings.json": {"allow": [1]}}}`, `{"version": 2}`, ``, `[]`} {
		if p := load.Load(where(), tree(files(bad))); faults(p, true) == "" {
			t.Errorf("%s: no fault", bad)
		}
	}
	fs = tree(files(list))
	fs.Write(home+"/.claude/"+load.Exported, "").Err = errors.New("input/output error")
	if faults(load.Load(where(), fs), true) == "" {
		t.Error("it cannot be read, and that is no fault")
	}
}

// TestClaims: what a project's files grant, no matter who trusts them.
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
		".claude/skills/s/SKILL.md skill allow:Bash needed",
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
