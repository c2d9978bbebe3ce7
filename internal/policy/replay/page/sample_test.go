package page

import (
	"fmt"
	"time"

	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// breakout is a call that would run a script, if it were read as HTML.
const breakout = "echo '</script><script>alert(1)</script>' \u202e <img src=x onerror=alert(2)>"

// sample is a made-up report with every part, and a number of rows.
func sample(rows int) *replay.Report {
	begin := time.Date(2026, 10, 1, 8, 30, 0, 0, time.UTC)
	named := func(name, list string, allow, ask, deny, silence int) replay.Named {
		n := replay.Named{Name: name, List: list, Tally: replay.Tally{Allow: allow, Ask: ask, Deny: deny, Silence: silence}}
		if list != "" {
			n.Place = fmt.Sprintf("/home/dev/app/.claude/settings.json:%d:7", 3+len(name))
		}
		return n
	}
	r := &replay.Report{
		Version: "1.4.0", Made: begin.AddDate(0, 0, 53), Policy: "/home/dev/app (settings of 2026-11-23)", Other: "git main~5",
		Read: 12_418, Decided: 12_160,
		Skipped: []replay.Skipped{{Why: "a secret was taken out", Calls: 201}, {Why: "cut at 64 KiB", Calls: 40}, {Why: "malformed input", Calls: 17}},
		Lines:   replay.Lines{Read: 90_211, Unknown: 120, Torn: 2, Newer: 4, Duplicates: 3_004},
		Unsaid: []string{"An approved prompt leaves no trace in the session files of Claude Code: what was approved is not known.",
			"Links, scripts and other files are those of today."},
		First: begin, Last: begin.AddDate(0, 0, 53),
		Sessions: replay.Sessions{Count: 214, Prompts: 1_033, P50: 3, P90: 11, Max: 46},
		All:      replay.Tally{Allow: 9_870, Ask: 1_033, Deny: 57, Silence: 1_200},
		Tools:    []replay.Named{named("Bash", "", 6200, 930, 50, 700), named("Read", "", 2500, 3, 7, 0), named("Edit", "", 1000, 60, 0, 300), named("WebFetch", "", 150, 40, 0, 200), named("mcp__github__list_issues", "", 20, 0, 0, 0)},
		Rules:    []replay.Named{named("Bash(git status:*)", "allow", 3120, 0, 0, 0), named("Bash(go test:*)", "allow", 2230, 0, 0, 0), named("Read(./src/**)", "allow", 1904, 0, 0, 0), named("Bash(git push:*)", "ask", 0, 402, 0, 0), named("check recursive-remove", "", 0, 120, 0, 0), named("Read(./.env)", "deny", 0, 0, 57, 0)},
		NeverHit: []replay.Named{named("Bash(yarn:*)", "allow", 0, 0, 0, 0), named("WebFetch(domain:example.com)", "allow", 0, 0, 0, 0), named("Bash(terraform apply:*)", "deny", 0, 0, 0, 0)},
		Classifier: []replay.Denied{{Word: "automode-blocked", Calls: 31, Now: replay.Tally{Allow: 12, Ask: 15, Deny: 4}, Spared: 9,
			Examples: []string{"git push origin main", "docker compose down -v"}}},
		Same: 12_000,
		Changes: []replay.Change{
			{Kind: replay.Allowed, By: "Bash(npm:*)", Place: "/home/dev/app/.claude/settings.json:12:5", Calls: 88, Examples: []string{"npm run build", "npm ci", breakout}},
			{Kind: replay.Allowed, By: "Bash(docker:*)", Place: "/home/dev/app/.claude/settings.json:14:5", Calls: 12, Refused: 2, Examples: []string{"docker compose down -v", "docker system prune -af"}},
			{Kind: replay.Asked, By: "check recursive-remove", Calls: 31, Examples: []string{"rm -rf src/generated", "find . -name '*.orig' -delete"}},
			{Kind: replay.Refused, By: "Read(./.env)", Place: "/home/dev/app/.claude/settings.json:31:5", Calls: 7, Examples: []string{"cat .env"}},
			{Kind: replay.Left, By: "step 8", Calls: 22, Examples: []string{"make release"}},
		},
		Overruled: []replay.Change{
			{Kind: replay.Allowed, By: "Bash(docker:*)", Place: "/home/dev/app/.claude/settings.json:14:5", Calls: 2, Refused: 2, Examples: []string{"docker compose down -v"}},
		},
		More: 3,
	}
	for i, command := range []string{"git push", "rm", "npm install", "docker compose", "curl", "make", "pip install", "kubectl apply", "gh pr", "terraform plan", "ssh", "psql", "chmod", "systemctl restart"} {
		r.Commands = append(r.Commands, named(command, "", 0, 402/(i+1), 0, 0))
	}
	for i := range 54 {
		if at := begin.AddDate(0, 0, i); at.Weekday() != time.Sunday {
			r.Days = append(r.Days, named(at.Format(time.DateOnly), "", 120+(i*37)%140, 12+(i*13)%31, i%4, 15+(i*7)%20))
		}
	}
	for i := range 54 {
		for k := range 1 + i%4 {
			day := begin.AddDate(0, 0, i).Format(time.DateOnly)
			r.Stops = append(r.Stops, replay.Stopped{Day: day, Session: fmt.Sprintf("0199c0de-%04x", 4*i+k), Ask: 1 + (i*13+k*5)%11, Deny: (i + k) % 3})
		}
	}
	commands := []string{"npm run build --workspace=packages/web", "docker compose down -v", "rm -rf build/out-%d && mkdir -p build", "cat .env", "make release VERSION=1.%d"}
	for i := range rows {
		c := r.Changes[i%len(r.Changes)]
		row := replay.Row{
			Kind: c.Kind, Was: "ask", Now: "allow", Tool: "Bash", By: c.By, Place: c.Place, Text: commands[i%5], Calls: 1 + i%9,
			Why: "allowed by " + c.By, Session: fmt.Sprintf("0199c0de-%04x", i%214), Time: begin.Add(time.Duration(i) * 97 * time.Second),
		}
		switch c.Kind {
		case replay.Asked:
			row.Was, row.Now = "allow", "ask"
		case replay.Refused:
			row.Was, row.Now, row.Tool = "allow", "deny", "Read"
		case replay.Left:
			row.Now = "silence"
		}
		if i%5 == 1 && i < 20 {
			row.Refused = "user"
		}
		if i%5 == 2 || i%5 == 4 {
			row.Text = fmt.Sprintf(row.Text, i)
		}
		r.Rows = append(r.Rows, row)
	}
	if rows > 0 {
		r.Rows[rows-1].Text = breakout + "\nsecond line"
	}
	return r
}
