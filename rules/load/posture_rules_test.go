package load_test

import (
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

// A rule object grants exactly where a rule of the settings.json beside it
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
