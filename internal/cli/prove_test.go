package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A ruled is a kind of tool, with rules on its calls: one, a wider one, another one.
type ruled struct {
	name, tool          string // of --tool
	narrow, wide, other string
	all                 string // a rule on what wide matches that every list takes, "" for wide
	safe                bool   // calls of the tool are allowed without a rule
	noAllow             bool   // allow takes no such rule
}

var ruledTools = []ruled{
	{name: "Bash", tool: "Bash", narrow: "Bash(git push:*)", wide: "Bash(git:*)", other: "Bash(make:*)"},
	{name: "PowerShell", tool: "PowerShell", narrow: "PowerShell(git push:*)", wide: "PowerShell(git:*)", other: "PowerShell(make:*)"},
	{name: "Edit", tool: "Edit", narrow: "Edit(/src/a/**)", wide: "Edit(/src/**)", other: "Edit(/docs/**)"},
	{name: "Read", tool: "Read", narrow: "Read(/src/a/**)", wide: "Read(/src/**)", other: "Read(/docs/**)", safe: true},
	{name: "WebFetch", tool: "WebFetch", narrow: "WebFetch(domain:a.example.com)", wide: "WebFetch(domain:*.example.com)",
		other: "WebFetch(domain:go.dev)", safe: true},
	{name: "Agent", tool: "Agent", narrow: "Agent(Explore)", wide: "Agent", other: "Agent(Plan)"},
	{name: "Skill", tool: "Skill", narrow: "Skill(git:commit)", wide: "Skill(git:*)", other: "Skill(pdf)"},
	{name: "MCP", tool: "mcp__*", narrow: "mcp__github__get", wide: "mcp__github__*", other: "mcp__x__y"},
	{name: "other tool", tool: "Frob", narrow: "Frob(a)", wide: "Frob", other: "Frob(b)"},
	{name: "parameter", tool: "Agent", narrow: "Agent(model:opus)", wide: "Agent(model:*)", other: "Agent(model:haiku)", all: "Agent", noAllow: true},
}

// lists are the rules of one policy: allow, ask, deny.
type lists map[string][]string

func (l lists) json() string {
	var o, p subcmd.Object
	for _, list := range []string{"allow", "ask", "deny"} {
		p.Add(list, l[list])
	}
	o.Add("permissions", p.End())
	return string(o.End())
}

// A step is one change of a policy, and what is expected of it.
type changedPolicy struct {
	name       string
	old, now   lists
	looser     bool
	rule       string // responsible, where it is looser
	gone       bool
	equivalent bool
}

// changesIn are the changes within one list. What is asked about and denied there is
// allowed by another rule.
func (k *ruled) changesIn(list string) []changedPolicy {
	of := func(rules ...string) lists {
		l := lists{}
		if list != "allow" {
			l["allow"] = []string{k.wide}
			if k.all != "" {
				l["allow"] = []string{k.all}
			}
		}
		l[list] = append(slices.Clone(l[list]), rules...)
		return l
	}
	grants, none := list == "allow", list == "allow" && k.safe
	return []changedPolicy{
		{"added", of(), of(k.narrow), grants && !none, k.narrow, false, none},
		{"removed", of(k.narrow), of(), !grants, k.narrow, true, none},
		{"widened", of(k.narrow), of(k.wide), grants && !none, k.wide, false, none},
		{"narrowed", of(k.wide), of(k.narrow), !grants, k.wide, true, none},
		{"reordered", of(k.narrow, k.other), of(k.other, k.narrow), false, "", false, true},
		{"written twice", of(k.narrow), of(k.narrow, k.narrow), false, "", false, true},
	}
}

// moves are the changes from one list to another.
func (k *ruled) moves() (out []changedPolicy) {
	strict := map[string]int{"allow": 0, "ask": 1, "deny": 2}
	for _, from := range []string{"allow", "ask", "deny"} {
		for _, to := range []string{"allow", "ask", "deny"} {
			if from == to || k.noAllow && (from == "allow" || to == "allow") {
				continue
			}
			c := changedPolicy{name: "moved from " + from + " to " + to, old: lists{from: {k.narrow}}, now: lists{to: {k.narrow}}}
			if c.looser = strict[to] < strict[from]; c.looser {
				// with no rule the calls are asked about: an ask rule is missed where they would be allowed
				c.rule, c.gone = k.narrow, from == "deny" || k.safe
			}
			out = append(out, c)
		}
	}
	return out
}

// TestProveKinds has changes of one rule of each kind of tool, some of which change nothing.
func TestProveKinds(t *testing.T) {
	every := testenv.Every(t, 3, 1, 1)
	for i := range ruledTools {
		k := &ruledTools[i]
		t.Run(k.name, func(t *testing.T) {
			r := newReplayRun(t)
			for at, list := range []string{"allow", "ask", "deny"} {
				if list == "allow" && k.noAllow {
					continue
				}
				for j, c := range k.changesIn(list) {
					if c.name = list + " rule " + c.name; (i+at+j)%every == 0 {
						c.prove(r, k.tool)
						c.proveEquivalent(r, k.tool)
					}
				}
			}
			whole := k.changesIn("deny")[1] // for all tools at once
			whole.prove(r, "")
			for j, c := range k.moves() {
				if (i+j)%every == 0 {
					c.prove(r, k.tool)
				}
			}
		})
	}
}

// prove proves what is expected of a change, and has check decide each call it shows.
func (c *changedPolicy) prove(r *replayRun, tool string) {
	r.t.Helper()
	r.write("old/.gen/settings.json", c.old.json())
	r.write(".gen/settings.json", c.now.json())
	out, stderr, code := r.run("", "prove", "--against", "old", "--tool", tool, "--json")
	want := map[bool]int{true: 1, false: 0}[c.looser]
	if open := gjson.Get(out, "open").Raw; code != want || stderr != "" || open != "[]" {
		r.t.Errorf("%s: exit %d, want %d, and nothing open: %s%s", c.name, code, want, out, stderr)
		return
	}
	report := gjson.Parse(out)
	c.confirm(r, report.Get("findings").Array())
	if !c.looser {
		return
	}
	found := report.Get("findings").Array()
	other := func(f gjson.Result) bool { return f.Get("rule").Str != c.rule }
	this := func(f gjson.Result) bool { return f.Get("gone").Bool() == c.gone }
	if slices.ContainsFunc(found, other) || !slices.ContainsFunc(found, this) {
		r.t.Errorf("%s: want findings of %s, gone %v: %s", c.name, c.rule, c.gone, out)
	}
}

// confirm compares the answers that findings name with those of permgate check.
func (c *changedPolicy) confirm(r *replayRun, findings []gjson.Result) {
	r.t.Helper()
	for _, f := range findings {
		for _, side := range []struct{ answer, text string }{{"was", c.old.json()}, {"is", c.now.json()}} {
			r.write(".gen/settings.json", side.text)
			out, stderr, _ := r.run("", "check", "--json", "--tool", f.Get("tool").Str, f.Get("input").Raw)
			if got := gjson.Get(out, "answer").Str; got != f.Get(side.answer).Str || got == "" {
				r.t.Errorf("%s: check says %q, and %s is %s: %s%s", c.name, got, side.answer, f.Raw, out, stderr)
			}
		}
	}
}

// proveEquivalent has prove say whether a change changes anything.
func (c *changedPolicy) proveEquivalent(r *replayRun, tool string) {
	r.t.Helper()
	r.write("old/.gen/settings.json", c.old.json())
	r.write(".gen/settings.json", c.now.json())
	out, stderr, code := r.run("", "prove", "--against", "old", "--equivalent", "--tool", tool, "--json")
	if want := map[bool]int{true: 0, false: 1}[c.equivalent]; code != want || stderr != "" {
		r.t.Errorf("%s, --equivalent: exit %d, want %d: %s%s", c.name, code, want, out, stderr)
		return
	}
	c.confirm(r, gjson.Get(out, "findings").Array())
}

// TestProveScopes moves a rule from one file to another: nothing changes except for managed rules,
// whose asks nothing lifts.
func TestProveScopes(t *testing.T) {
	every := testenv.Every(t, 4, 1, 1)
	files := []string{"shared", "local", "user"}
	for i := range ruledTools {
		k := &ruledTools[i]
		r := newReplayRun(t)
		for at, list := range []string{"allow", "ask", "deny"} {
			if list == "allow" && k.noAllow || strings.Contains(k.narrow, "(/") {
				continue // a path of the user's file begins in another folder
			}
			r.write("rules.json", lists{list: {k.narrow}}.json())
			for j, from := range files {
				for n, to := range files {
					if (i+at+3*j+n)%every != 0 {
						continue
					}
					out, stderr, code := r.run("", "prove", "--policy", to+"=rules.json", "--against", from+"=rules.json", "--tool", k.tool, "--equivalent")
					if code != 0 || stderr != "" {
						t.Errorf("%s: %s %s rule to %s: exit %d: %s%s", k.name, from, list, to, code, out, stderr)
					}
				}
			}
		}
	}
}

// TestProveNeverAlways asks about calls of each kind under policies of one rule.
func TestProveNeverAlways(t *testing.T) {
	every := testenv.Every(t, 2, 1, 1)
	for i := range ruledTools {
		k := &ruledTools[i]
		if k.noAllow {
			continue
		}
		r := newReplayRun(t)
		for j, c := range []struct {
			policy lists
			option string
			want   int
		}{
			{lists{"allow": {k.wide}, "deny": {k.narrow}}, "--never", 0},
			{lists{"allow": {k.wide}, "ask": {k.narrow}}, "--never", 0},
			{lists{"allow": {k.wide}}, "--never", 1},
			{lists{"deny": {k.narrow}}, "--always", 1},
			{lists{"allow": {k.wide}, "ask": {k.narrow}}, "--always", 1},
		} {
			if (i+j)%every != 0 {
				continue
			}
			r.write(".gen/settings.json", c.policy.json())
			out, stderr, code := r.run("", "prove", c.option, k.narrow, "--json")
			if code != c.want || stderr != "" {
				t.Errorf("%s: %s %s under %v: exit %d, want %d: %s%s", k.name, c.option, k.narrow, c.policy, code, c.want, out, stderr)
			}
			for _, f := range gjson.Get(out, "findings").Array() {
				answer, _, _ := r.run("", "check", "--json", "--tool", f.Get("tool").Str, f.Get("input").Raw)
				if got := gjson.Get(answer, "answer").Str; got != f.Get("is").Str || (got == "allow") != (c.option == "--never") {
					t.Errorf("%s: check says %s, and the finding is %s", k.name, got, fmt.Sprint(f))
				}
			}
		}
	}
}
