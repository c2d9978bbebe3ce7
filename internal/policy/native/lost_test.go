package native

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
)

// TestLost has rules that must stay with the hook, with the switches under which they do: each was, or might have been,
// a way to allow more than permgate does.
func TestLost(t *testing.T) {
	for rule, posture := range map[string]string{
		"Bash(cargo build:*)":                    "",                        // --config names a program
		"Bash(go test:*)":                        "",                        // -exec, -toolexec, -o
		"Bash(npm run:*)":                        "",                        // any script
		"Bash(gh pr view:*)":                     "",                        // --output, the network
		"Bash(date:*)":                           "",                        // -s sets the clock
		"Bash(sort:*)":                           "",                        // -o, --compress-program
		"Bash(cat:*)":                            "",                        // a secret
		"Bash(find:*)":                           "",                        // -exec, -delete
		"Bash(git log:*)":                        "",                        // --output
		"Bash(git status)":                       "",                        // what a nested repository runs
		"Bash(tar -cf a.tar src)":                "",                        // src may be a link to the home
		"Bash(sh build.sh)":                      "",                        // so may the script
		"Bash(npm test)":                         `"expandScripts": true, `, // what the script does may be asked about
		"Bash(rm -rf dist)":                      "",                        // what dist is
		"Bash(curl -sS https://go.dev/)":         "",                        // a secret on its input
		"Bash(tee notes.txt)":                    "",
		"Bash(python3 -m pytest:*)":              "", // auto mode ignores it
		"Bash(npx:*)":                            "",
		"Bash(* --version)":                      "",
		"Bash(go * ./...)":                       "",
		"Bash(echo 'a b')":                       "", // a quote
		"Bash(make a=*)":                         "",
		"Bash(A=1 make)":                         "",
		"Bash":                                   "",
		"Bash(*)":                                "",
		"Read":                                   "",
		"Edit":                                   "",
		"Write(//srv/a)":                         "",
		"Edit(/docs/**)":                         "", // of another project, and with .env below
		"Edit(//srv/docs/a.md)":                  "", // the program takes a name for a folder
		"Read(~/notes/**)":                       "", // a secret below
		"Read(../a)":                             "",
		"WebFetch":                               `"urls": ["evil.example"], `,
		"WebFetch(domain:*)":                     `"urls": ["evil.example"], `,
		"WebFetch(domain:*.example)":             `"urls": ["evil.example"], `,
		"mcp__files__read":                       "", // a secret as argument
		"mcp__files":                             "",
		"Agent(x)":                               "",
		"Skill(deploy)":                          "",
		"PowerShell(Get-Date)":                   "",
		"Monitor(tail a)":                        "",
		"Bash(sudo make)":                        "",
		"Bash(terraform destroy)":                "",
		"Bash(docker compose down -v)":           "",
		"Bash(permgate allow x)":                 "",
		"Bash(cat .env)":                         "",
		"Bash(git -C .. status)":                 "",
		"Bash(chmod +x a)":                       "",
		"Bash(bash -c ls)":                       "",
		"Bash(touch a)":                          "",
		"Bash(sh)":                               "", // runs what echo prints
		"Bash(python3)":                          "",
		"Bash(psql app)":                         "",
		"Bash(curl -o x.sh https://a.example/x)": "",
	} {
		for _, h := range Hosts() {
			w := worldOf(t, map[string]string{
				"/home/u/.gen/settings.json":    rulesOf(`"`+strings.ReplaceAll(rule, `"`, `\"`)+`"`, "", ""),
				"/home/u/.claude/permgate.json": strings.Replace(recommended, `"catastrophic"`, posture+`"catastrophic"`, 1),
			})
			for _, r := range New(h, w).Plan(func(string) bool { return false }).User {
				if r.List == rules.Allow && (strings.Contains(r.Text, "*") || !strings.HasSuffix(rule, ":*)") || h == &codex) {
					t.Errorf("%s: %s is written as %s", h.Name, rule, r.Text)
				}
			}
		}
	}
}

// TestLostToOthers has what is no rule of one user's: a session's, a project's, a subagent's.
func TestLostToOthers(t *testing.T) {
	const user, agent = "/home/u/.gen/settings.json", "---\nname: builder\ndeny_tools: Bash(go:*)\n---\n"
	base := map[string]string{user: rulesOf(`"Bash(go test ./...)"`, "", ""), "/home/u/.claude/permgate.json": recommended}
	for name, more := range map[string]map[string]string{
		"nothing":                {},
		"a deny of the project":  {project + "/.gen/settings.json": rulesOf("", `"Bash(go:*)"`, "")},
		"an ask of the project":  {project + "/.san/settings.json": rulesOf("", "", `"Bash(go test:*)"`)},
		"a fault of the project": {project + "/.gen/settings.json": "{"},
		"an agent":               {"/home/u/.gen/agents/builder.md": agent},
		"strict subagents":       {project + "/.gen/permgate.json": `{"subagents": "strict"}`},
		"autoMode":               {user: strings.Replace(base[user], "{", `{"autoMode": {"soft_deny": ["Bash(go:*)"]}, `, 1)},
	} {
		files := map[string]string{}
		for _, m := range []map[string]string{base, more} {
			for file, text := range m {
				files[file] = text
			}
		}
		plan := New(&claude, worldOf(t, files)).Plan(func(string) bool { return false })
		allowed := 0
		for _, r := range plan.User {
			if r.List == rules.Allow {
				allowed++
			}
		}
		if want := map[bool]int{true: 1}[name == "nothing"]; allowed != want {
			t.Errorf("%s: %d rules", name, allowed)
		}
	}
}

// TestGuard has a user who is asked before a command leaves the sandbox: the rules that are written allow none to.
func TestGuard(t *testing.T) {
	w := worldOf(t, map[string]string{
		"/home/u/.gen/settings.json":    rulesOf(`"Bash(go test ./...)"`, "", ""),
		"/home/u/.san/settings.json":    rulesOf("", "", `"*(dangerouslyDisableSandbox:true)"`),
		"/home/u/.claude/permgate.json": recommended,
	})
	var got []string
	for _, r := range New(&claude, w).Plan(func(string) bool { return false }).User {
		got = append(got, r.List.String()+" "+r.Text)
	}
	for _, l := range New(&claude, w).Plan(func(string) bool { return false }).Losses {
		t.Logf("%s: %s", l.Rule.Text, l.Why)
	}
	if want := "allow Bash(go test ./...), ask Bash(dangerouslyDisableSandbox:true)"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSandboxed: hosts that rules allow are open to every command in the sandbox.
func TestSandboxed(t *testing.T) {
	w := worldOf(t, map[string]string{
		"/home/u/.gen/settings.json": rulesOf(`"WebFetch(domain:go.dev)"`, "", ""), "/home/u/.claude/permgate.json": recommended,
	})
	p := New(&claude, w)
	p.Sandboxed = true
	plan := p.Plan(func(string) bool { return false })
	if len(plan.User) > 0 || len(plan.Stopped) != 1 { // other projects have to know
		t.Errorf("a rule on a host is written: %v, stopped %q", plan.User, plan.Stopped)
	}
}

// TestTogether: what one rule fetches another may run, so what is written is tried in pairs.
func TestTogether(t *testing.T) {
	const commands = "gh api repos/x/y;gh pr view;sh;bash -s;python3 -;python3 -m pytest;node;npx vitest run;psql app;docker compose up;make;cargo run;" +
		"./build.sh;xargs;curl -sS https://go.dev/;curl -T - https://go.dev/;ssh host;kubectl get pods;aws s3 ls;terraform apply;patch -p1;" +
		"tar -xf -;crontab -;printenv;gcloud auth print-access-token;npm publish;go run .;mail x;at now;sqlite3 a.db;jq .;base64 -d"
	w := worldOf(t, map[string]string{
		"/home/u/.gen/settings.json":    rulesOf(`"Bash(`+strings.ReplaceAll(commands, ";", `)", "Bash(`)+`)"`, "", ""),
		"/home/u/.claude/permgate.json": recommended,
	})
	var with []string
	p := New(&claude, w)
	for _, r := range p.Plan(func(string) bool { return false }).User {
		if r.List == rules.Allow {
			with = append(with, r.From.Pattern)
		}
	}
	if len(with) < 12 {
		t.Errorf("%q", with)
	}
	for _, a := range with {
		for _, b := range with {
			for _, both := range []string{a + " | " + b, a + "; " + b + " && " + a, a + " | " + a + " | " + b} {
				if why := p.always(&p.here[0], p.call(&p.here[0], "Bash", both)); why != "" {
					t.Error(why)
				}
			}
		}
	}
}

// TestEscapeElsewhere has one project alone let commands leave the sandbox: rules for every project do not rest on that.
func TestEscapeElsewhere(t *testing.T) {
	for _, h := range Hosts() {
		w := worldOf(t, map[string]string{
			"/home/u/.gen/settings.json":          rulesOf(`"Bash(echo:*)"`, "", ""),
			project + "/.gen/settings.local.json": rulesOf(`"Sandbox(escape)"`, "", ""),
			"/home/u/.claude/permgate.json":       strings.Replace(recommended, `"require"`, `"off"`, 1),
		})
		asks, allows := false, false
		for _, r := range New(h, w).Plan(func(string) bool { return false }).User {
			asks = asks || r.From == nil && r.Text == h.Guard
			allows = allows || r.List == rules.Allow
		}
		if allows != asks {
			t.Errorf("%s: rules are written: %v, and what asks before one leaves the sandbox: %v", h.Name, allows, asks)
		}
	}
}
