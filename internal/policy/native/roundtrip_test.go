package native

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/internal/policy/prove"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// roundTrips are policies: their allow, deny and ask rules, as in JSON.
var roundTrips = [...][3]string{
	{`"Bash(go test ./...)", "Bash(go vet:*)", "Bash(gofmt:*)", "Bash(go mod tidy:*)"`, `"Bash(go run:*)"`, `"Bash(go get:*)"`},
	{`"Bash(npm ci)", "Bash(tsc --noEmit)", "Bash(eslint:*)", "Bash(npm run lint -- *)"`, `"Bash(npm publish:*)"`, `"Bash(npm install:*)"`},
	{`"Bash(basename:*)", "Bash(seq:*)", "Bash(expr:*)", "Bash(uname:*)"`, `"Bash(seq 9:*)", "Bash(uname -a)"`, `"Bash(basename -z:*)"`},
	{`"Bash(echo:*)", "Bash(basename *)", "Bash(dirname:*)", "Bash(true:*)"`, `"Bash(echo secret:*)"`, ``},
	{many, ``, ``},
	{many, `"Bash(cargo:*)", "WebFetch(domain:evil.wild.example)", "Read(~/notes/private/**)"`, `"Bash(date)", "Bash(echo secret:*)"`},
	{`"WebFetch(domain:go.dev)", "WebFetch(domain:*.wild.example)", "WebSearch"`, `"WebFetch(domain:a.wild.example)"`, `"WebFetch(domain:x.example)"`},
	{`"Bash(echo *)", "Bash(seq)"`, `"Bash(curl *)", "Bash(git push*)", "Bash(rm)"`, `"Bash(git *)", "Bash"`},
	{`"Bash(./build.sh)", "Bash(make a/b.o)", "Bash(echo a:b)", "Bash(echo a:*)"`, `"Bash(* --force)", "Bash(A=1 x:*)", "Bash(- x)"`, `"mcp__s", "mcp__t__u"`},
	{`"Bash", "Read", "Edit", "mcp__s"`, `"Read(./.env)", "Edit(src/**)", "Bash(* --force)", "Bash(git push*)", "mcp__s__delete_*"`, `"Bash(git *)", "Agent(x)"`},
	{`"Bash", "Read", "Edit", "WebFetch"`, `"Bash(sudo:*)", "Read(.env)", "Edit(//etc/**)", "Read(**/*.pem)"`, `"Edit(~/.config/**)", "WebFetch"`},
}

// TestRoundTrip takes what was exported for a policy of its own: it is nowhere laxer than the rules it was made of.
func TestRoundTrip(t *testing.T) {
	const user, posture = "/home/u/.gen/settings.json", "/home/u/.claude/permgate.json"
	every := testenv.Every(t, 2, 1, 1) // a sample takes each policy with one of both
	for k, h := range Hosts() {
		for i, rt := range roundTrips {
			if (i+k)%every > 0 {
				continue
			}
			rt[0] += `, "Sandbox(escape)"`
			plan := New(h, worldOf(t, map[string]string{user: rulesOf(rt[0], rt[1], rt[2]), posture: recommended})).
				Plan(func(string) bool { return false })
			for _, l := range plan.Losses { // a restriction that cannot be said was not exported
				if l.Rule.List != rules.Allow {
					rt[1], rt[2] = without(rt[1], l.Rule.Text), without(rt[2], l.Rule.Text)
				}
			}
			files := map[string]string{posture: recommended}
			if h == &codex {
				files[user] = imported(t, CodexText(plan.User))
			} else {
				files["/home/u/.claude/settings.json"] = settingsOf(plan.User)
			}
			was := worldOf(t, map[string]string{user: rulesOf(rt[0], rt[1], rt[2]), posture: recommended})
			job := prove.Job{Flags: &gate.Flags{Host: h.Name}, World: worldOf(t, files), Against: &was}
			r, err := job.Run()
			if err != nil || r.Verdict != prove.Holds {
				t.Errorf("%s: %s\n%v %+v %+v %v", h.Name, rt[0], files, r.Findings, r.Open, err)
			}
			t.Logf("%s: %d rules, %d lost", h.Name, len(plan.User), len(plan.Losses))
		}
	}
}

// without is a list in JSON without one of its texts.
func without(list, text string) string {
	texts := strings.Split(list, ", ")
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == `"`+text+`"` }), ", ")
}

// settingsOf is a settings file with rules.
func settingsOf(list []Rule) string {
	var texts [3]string
	for _, r := range list {
		at := map[rules.List]int{rules.Allow: 0, rules.Deny: 1, rules.Ask: 2}[r.List]
		texts[at] += `, "` + r.Text + `"`
	}
	return rulesOf(strings.TrimPrefix(texts[0], ", "), strings.TrimPrefix(texts[1], ", "), strings.TrimPrefix(texts[2], ", "))
}

// imported is what permgate import --from codex makes of a rules file, exactly.
func imported(t *testing.T, text string) string {
	t.Helper()
	at := slices.IndexFunc(importer.Systems(), func(s *importer.System) bool { return s.Name == "codex" })
	items, err := importer.Systems()[at].Import([]importer.File{{Name: "permgate.rules", Text: []byte(text)}}, importer.Options{Scope: rules.User})
	if err != nil {
		t.Fatal(err)
	}
	settings, _ := edit.Parse("settings.json", nil)
	posture, _ := edit.Parse("permgate.json", nil)
	if _, err := importer.Apply(items, settings, posture, func(importer.Entry) string { return "" }); err != nil {
		t.Fatal(err)
	}
	for i := range items {
		if items[i].Status != importer.Exact {
			t.Logf("%s", items[i].String())
		}
	}
	return string(settings.Bytes())
}
