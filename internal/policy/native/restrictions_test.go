package native

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
)

// TestRestrictions has deny rules, and what is written of each for Claude Code: the text, or "" for one that it cannot
// be told.
func TestRestrictions(t *testing.T) {
	for rule, want := range map[string]string{
		"Read(./.env)":                     "Read(./.env)",
		"Read(./config/prod.env)":          "Read(./config/prod.env)",
		"Read(secrets/**)":                 "Read(./secrets/**)",
		"Edit(.github/**)":                 "Edit(./.github/**)",
		"Read(/config/*.pem)":              "Read(./config/*.pem)",
		"Read(.env)":                       "Read(//**/.env)",
		"Read(**/*.key)":                   "Read(//**/*.key)",
		"Read(**/?.pem)":                   "Read(//**/?.pem)",
		"Edit(//srv/my files (old)/**)":    "Edit(//srv/my files (old)/**)",
		"Edit(~/Größe/**)":                 "Edit(~/Größe/**)",
		"Edit(//etc/**)":                   "Edit(//etc/**)",
		"Read":                             "Read",
		"Bash(rm:*)":                       "Bash(rm:*)",
		"Bash(git *)":                      "Bash(git *)",
		"Bash(git push*)":                  "Bash(git push*)",
		"Bash(* --force)":                  "Bash(* --force)",
		"Bash(*prod*)":                     "Bash(*prod*)",
		"Bash(git commit -m 'x y')":        "Bash(git commit -m 'x y')",
		"Bash(run_in_background:true)":     "Bash(run_in_background:true)",
		"PowerShell(Remove-Item *)":        "PowerShell(Remove-Item *)",
		"WebFetch(domain:*.evil.example)":  "WebFetch(domain:*.evil.example)",
		"WebFetch":                         "WebFetch",
		"mcp__s":                           "mcp__s",
		"mcp__s__delete_*":                 "mcp__s__delete_*",
		"mcp__*":                           "mcp__*",
		"MCP(files__*)":                    "mcp__files__*",
		"MCP(mcp__files__read)":            "mcp__files__read",
		"*":                                "*",
		"Agent(reviewer)":                  "Agent(reviewer)",
		"Agent(model:opus)":                "Agent(model:opus)",
		"Skill(deploy)":                    "Skill(deploy)",
		"Write(//srv/a)":                   "", // it has rules on edits that are about writing as well
		"Bash(command:*rm*)":               "", // a rule on the first field of a tool is ignored
		"Bash(curl * | sh)":                "", // it compares each command of a text
		"Bash(git pus?)":                   "",
		"Bash(A=1 x)":                      "",
		"Bash(curl http:* x)":              "", // only at the end is :* a wildcard
		"Skill(team:*)":                    "",
		"Read(../a)":                       "",
		"Read(//srv/[a]/x)":                "",
		"WebFetch(url:https://a.example*)": "",
		"mcp__s__t(name:x)":                "",
	} {
		for _, list := range [...]rules.List{rules.Deny, rules.Ask} {
			texts := map[rules.List]string{list: `"` + rule + `"`}
			plan := New(&claude, worldOf(t, map[string]string{"/home/u/.gen/settings.json": rulesOf("", texts[rules.Deny], texts[rules.Ask])})).
				Plan(func(string) bool { return false })
			got := ""
			for _, r := range plan.User {
				got += r.Text
			}
			if got != want || (want == "") != (len(plan.Losses) == 1) {
				t.Errorf("%s %s: %q, want %q; lost: %v", list, rule, got, want, plan.Losses)
			}
		}
	}
}

// TestRestrictionsOfProject: what a project's rule says of the folder of a call holds at the top of the project as well.
func TestRestrictionsOfProject(t *testing.T) {
	plan := New(&claude, worldOf(t, map[string]string{
		project + "/.gen/settings.json": rulesOf("", `"Read(./.env)", "Edit(/dist/**)"`, `"Bash(git push*)"`),
	})).Plan(func(string) bool { return false })
	var got []string
	for _, r := range plan.Local {
		got = append(got, r.List.String()+" "+r.Text)
	}
	const want = "deny Read(./.env), deny Read(//home/u/app/.env), deny Edit(//home/u/app/dist/**), ask Bash(git push*)"
	if strings.Join(got, ", ") != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}
