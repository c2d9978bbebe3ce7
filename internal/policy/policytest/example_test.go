package policytest

import (
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// world is a machine with one user and a project.
func world(files map[string]string) gate.World {
	fs := fakefs.New(files)
	fs.Mkdir("/home/u/app/.git")
	fs.Mkdir("/home/u/app/sub")
	fs.Own("/home/u", 1000)
	return gate.World{
		Getenv: func(string) string { return "" }, Cwd: "/home/u/app", PasswdHome: "/home/u", UID: 1000,
		Exe: func() (string, error) { return "/opt/bin/permgate", nil }, Files: fs, Now: time.Unix(0, 0), ManagedDir: []string{"/none"},
	}
}

// Examples of rule objects, and a part of what is said of those that do not hold.
var exampleCases = []struct{ in, wrong string }{
	{`{"deny": "Bash(git push *)", "match": ["git push x", "git status && git push -f", "sudo git push x"], "not_match": ["git log", "git pushy x", "echo git push x"]}`, ""},
	{`{"deny": "Bash(git push *)", "match": ["git push"]}`, "the rule does not match"},
	{`{"deny": "Bash(git push*)", "not_match": ["git push"]}`, "the rule matches"},
	{`{"deny": "Bash(git push x)", "match": ["git push $X"]}`, "only for some values of a word"},
	{`{"ask": "Bash(git push x)", "not_match": ["git push $X"]}`, "could match, depending on a word"},
	{`{"allow": "Bash(git *)", "match": ["git log"], "not_match": ["git log && make", "git -c core.pager=x log"]}`, ""},
	{`{"allow": "Bash(git *)", "match": ["git log && make"]}`, `alone does not allow it: no rule allows ` + "`make`"},
	{`{"allow": "Bash(git *)", "match": ["git -c core.pager=x log"]}`, `Bash(git *) (/home/u/app/.gen/permgate.json:1:22) does not cover`},
	{`{"deny": "Read(./.env)", "match": [".env", "/home/u/app/.env", "./.env"], "not_match": ["env", "x/.envrc"]}`, ""},
	{`{"allow": "Edit(src/**)", "match": ["src/a/b.go"]}`, ""},
	{`{"allow": "Edit(src/**)", "match": ["a.go"]}`, "no rule allows"},
	{`{"deny": "WebFetch(domain:*.go.dev)", "match": ["https://x.go.dev/y"], "not_match": ["https://go.dev/"]}`, ""},
	{`{"deny": "Agent(Explore)", "match": ["Explore"], "not_match": ["Plan"]}`, ""},
	{`{"deny": "mcp__github", "match": ["mcp__github__create_issue", "mcp__github__x {\"a\": 1}"], "not_match": ["mcp__gitlab__x"]}`, ""},
	{`{"deny": "MCP(mcp__git*)", "match": ["mcp__github__create_issue"]}`, ""},
	{`{"deny": "*", "match": ["Bash git push"]}`, ""},
	{`{"deny": "mcp__github", "match": ["bash x"]}`, `covers several tools, and unknown tool "bash"`},
	{`{"deny": "Bash(run_in_background:true)", "match": ["{\"command\": \"ls\", \"run_in_background\": true}"], "not_match": ["ls"]}`, ""},
	{`{"deny": "Bash", "match": ["{ ls; }"]}`, "must be a JSON object"},
	{`{"deny": "Bash", "match": [""]}`, "the call is malformed"},
}

func TestExamples(t *testing.T) {
	for _, tt := range exampleCases {
		w := world(map[string]string{"/home/u/app/.gen/permgate.json": `{"rules": [` + tt.in + `]}`})
		f := gate.Flags{Cwd: "/home/u/app"}
		p := gate.Policy(hookio.Unread(hookio.Options{}), &f, w)
		all := Examples(p, f, w)
		if len(all) == 0 {
			t.Errorf("%s: no examples; faults %v", tt.in, p.Faults)
		}
		wrong := ""
		for _, o := range all {
			if o.Wrong != "" {
				wrong += o.Example.Text + ": " + o.Wrong + "\n"
			}
		}
		if !strings.Contains(wrong, tt.wrong) || tt.wrong == "" && wrong != "" {
			t.Errorf("%s: got %q, want %q", tt.in, wrong, tt.wrong)
		}
	}
}

// An example says whether the rule matches, not what is decided: other rules,
// the mode and an agent have no say in it.
func TestExamplesAlone(t *testing.T) {
	w := world(map[string]string{
		"/home/u/app/.gen/permgate.json": `{"rules": [{"deny": "Bash(git push *)", "not_match": ["git log"]}, {"allow": "Bash(git log)", "match": ["git log"]}, {"allow": "Edit(/src/**)", "match": ["src/a"]}]}`,
		"/home/u/app/.gen/settings.json": `{"permissions": {"deny": ["Bash"], "defaultMode": "plan"}}`,
		"/home/u/.gen/permgate.json":     `{"projectTrust": "require"}`,
	})
	f := gate.Flags{Cwd: "/home/u/app/sub", Agent: "nobody"}
	p := gate.Policy(hookio.Unread(hookio.Options{}), &f, w)
	if len(p.Allow) > 0 {
		t.Errorf("the allow rule counts: %+v", p.Allow)
	}
	for _, o := range Examples(p, f, w) {
		if o.Wrong != "" {
			t.Errorf("%+v", o)
		}
	}
	if len(p.Examples) != 3 || p.Examples[0].Rule.List != rules.Deny {
		t.Errorf("%+v", p.Examples)
	}
}
