package conformance

import (
	"encoding/json"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// A rule for a whole text is not one for the commands in it: it lifts neither what
// is destructive nor what is outside, as one for the command alone does.
func TestWholeTextLiftsNothing(t *testing.T) {
	for _, tt := range []struct {
		rule string
		want hookio.Decision
	}{
		{"rm -rf gen", hookio.Allow},
		{"rm -rf gen && node x.js", hookio.Ask},
		{"rm -rf gen; pwd", hookio.Ask},
		{"FOO=1 rm -rf gen", hookio.Ask},
		{"cp a /opt/other/a", hookio.Allow},
		{"cp a /opt/other/a && pwd", hookio.Ask},
		{"node x.js > /opt/other/a", hookio.Ask},
	} {
		_, v := call(t, Setup{Tool: "Bash", Input: shell(tt.rule), Mode: "default", Host: "claude", Named: true, Settings: map[string]string{
			"/home/dev/.claude/permgate.json":           installedPosture(t),
			"/work/project/.claude/settings.local.json": `{"permissions":{"allow":["Bash(` + tt.rule + `)"]}}`,
			"/work/project/.git/HEAD":                   "ref: refs/heads/main\n",
			"/work/project/.git/index":                  "DIRC",
			"/work/project/gen/a":                       "x",
		}})
		if got := v.Answer().Decision; got != tt.want {
			t.Errorf("%s, a rule of the local file: %v, want %v (step %s: %s)", tt.rule, got, tt.want, v.Step(), v.Reason())
		}
	}
}

// An allow rule of a .claude file without a wildcard is the whole text, byte for
// byte, as it is to Claude Code; what steps 1, 2, 3b and 5 say outranks it.
func TestWholeTextRules(t *testing.T) {
	posture := installedPosture(t)
	for _, tt := range []struct {
		rule, command string
		want          hookio.Decision // Pass is silence
		more          string          // further lists of the file
	}{
		{`cd web && npm test`, `cd web && npm test`, hookio.Allow, ""},
		{`cd web && npm test`, `cd web && npm test `, hookio.Pass, ""},
		{`cd web && npm test`, `cd web && npm test && npm publish`, hookio.Pass, ""},
		{`FOO=1 make`, `FOO=1 make`, hookio.Allow, ""},
		{`FOO=1 make`, `FOO=2 make`, hookio.Pass, ""},
		{`go test ./... 2>&1 | tail -5`, `go test ./... 2>&1 | tail -5`, hookio.Allow, ""},
		{`node gen.js > out.txt`, `node gen.js > out.txt`, hookio.Allow, ""},
		{`for i in 1 2; do node gen.js $i; done`, `for i in 1 2; do node gen.js $i; done`, hookio.Allow, ""},
		{`export A="1" B="2"`, `export A="1" B="2"`, hookio.Allow, ""},
		{`curl http://a.example http://b.example`, `curl http://a.example http://b.example`, hookio.Allow, ""},
		{`python3 -c "print\(1\)"`, `python3 -c "print(1)"`, hookio.Allow, ""},
		{`python3 -c "print\(1\)"`, `python3  -c 'print(1)'`, hookio.Allow, ""}, // the command alone, however it is quoted
		{`cd a && node x.js *`, `cd a && node x.js *`, hookio.Pass, ""},
		// what outranks it
		{`cd web && npm test`, `cd web && npm test`, hookio.Deny, `,"deny":["Bash(npm:*)"]`},
		{`cd web && npm test`, `cd web && npm test`, hookio.Deny, `,"deny":["Bash(cd web && npm test)"]`},
		{`cd web && npm test`, `cd web && npm test`, hookio.Ask, `,"ask":["Bash(npm *)"]`},
		{`ls && rm -rf /`, `ls && rm -rf /`, hookio.Deny, ""},
		{`ls && eval "$X"`, `ls && eval "$X"`, hookio.Ask, ""},
		{`node x.js > .git/config`, `node x.js > .git/config`, hookio.Ask, ""},
		{`node x.js && cp a /opt/other/a`, `node x.js && cp a /opt/other/a`, hookio.Ask, ""},
		{`if exist "a" echo b`, `if exist "a" echo b`, hookio.Ask, ""},
	} {
		in, _ := json.Marshal(map[string]string{"command": tt.command})
		rule, _ := json.Marshal("Bash(" + tt.rule + ")")
		for _, root := range []string{".claude", ".gen"} {
			settings := `{"permissions":{"allow":[` + string(rule) + `]` + tt.more + `}}`
			_, v := call(t, Setup{Tool: "Bash", Input: in, Mode: "default", Host: "claude", Named: true, Settings: map[string]string{
				"/home/dev/.claude/permgate.json":      posture,
				"/home/dev/" + root + "/settings.json": settings,
				"/work/project/web/package.json":       "{}",
				"/work/project/.git/HEAD":              "ref: refs/heads/main\n",
			}})
			got := v.Answer().Decision
			if root == ".gen" {
				if got == hookio.Allow {
					t.Errorf("%s allows %s in a .gen file", tt.rule, tt.command)
				}
				continue
			}
			if got != tt.want {
				t.Errorf("%s with %s%s: %v, want %v (step %s: %s)", tt.command, tt.rule, tt.more, got, tt.want, v.Step(), v.Reason())
			}
		}
	}
}

// The same holds for Monitor, which Bash rules govern, and never for another shell.
func TestWholeTextTools(t *testing.T) {
	for _, tt := range []struct {
		rule, tool, command string
		want                hookio.Decision
	}{
		{`PowerShell(Get-Content "a b.txt")`, "PowerShell", `Get-Content "a b.txt"`, hookio.Allow},
		{`Bash(npm test)`, "PowerShell", `npm test`, hookio.Pass},
		{`Bash(FOO=1 make && npm test)`, "Monitor", `FOO=1 make && npm test`, hookio.Allow},
		{`Bash(FOO=1 make && npm test)`, "Monitor", `FOO=2 make && npm test`, hookio.Pass},
	} {
		rule, _ := json.Marshal(tt.rule)
		_, v := call(t, Setup{Tool: tt.tool, Input: shell(tt.command), Mode: "default", Host: "claude", Named: true, Settings: map[string]string{
			"/home/dev/.claude/permgate.json": installedPosture(t),
			"/home/dev/.claude/settings.json": `{"permissions":{"allow":[` + string(rule) + `]}}`,
		}})
		if got := v.Answer().Decision; got != tt.want {
			t.Errorf("%s %s with %s: %v, want %v (step %s: %s)", tt.tool, tt.command, tt.rule, got, tt.want, v.Step(), v.Reason())
		}
	}
}
