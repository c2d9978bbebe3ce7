package native

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// callsOf is how many are made of each family.
func callsOf(t *testing.T) int { return testenv.Count(t, 2_048, 10_016, 10_016) }

// rulesOf is the allow rules of a policy, in the user's own settings of Gen.
func rulesOf(allow, deny, ask string) string {
	return fmt.Sprintf(`{"permissions": {"allow": [%s], "deny": [%s], "ask": [%s]}}`, allow, deny, ask)
}

const many = `"Bash(npm test)", "Bash(go test ./...)", "Bash(git status)", "Bash(echo:*)", "Bash(seq:*)", "Bash(wc:*)", "Bash(date)", "Bash(date:*)",
	"Bash(touch made.txt)", "Bash(curl -sS https://go.dev/)", "Bash(curl -d @- https://go.dev/)", "Bash(python3 -m pytest)", "Bash(sort:*)",
	"Bash(cargo build)", "Bash(make build)", "Bash(rm -rf dist)", "Bash(sh x.sh)", "Bash(./build.sh)", "Bash(basename *)", "Bash(git:*)",
	"Bash(node:*)", "Bash(xargs:*)", "Bash(find:*)", "Bash(tee out.txt)", "Bash(docker ps)", "Bash(printf:*)", "Bash(sleep:*)", "Bash(expr:*)",
	"Bash(curl -o x.sh https://go.dev/x.sh)", "Bash(uname:*)", "Bash(hostname:*)", "Bash(gh pr view:*)", "Bash(tr:*)", "Bash(true:*)",
	"WebFetch(domain:go.dev)", "WebFetch(domain:*.wild.example)", "Read(~/notes/**)", "Read(//srv/data)", "Edit(~/notes/**)", "WebSearch",
	"mcp__s__t", "Agent(x)", "Skill(x)"`

// A policy is what rules are exported of.
type policy struct {
	name  string
	files map[string]string
}

// policies have every switch that matters on in one and off in another; a sample takes every other one.
func policies() []policy {
	const user, posture = "/home/u/.gen/settings.json", "/home/u/.claude/permgate.json"
	return []policy{
		{"recommended", map[string]string{user: rulesOf(many, "", ""), posture: recommended}},
		{"rules only", map[string]string{user: rulesOf(many, "", ""), posture: `{"hosts": {"claude": {"subagents": "host"}, "codex": {"subagents": "host"}}}`}},
		{"restricted", map[string]string{user: rulesOf(many, `"Bash(cargo:*)", "Read(~/notes/private/**)", "WebFetch(domain:evil.wild.example)"`, `"Bash(date)", "Bash(echo secret:*)"`),
			posture: strings.Replace(recommended, `"catastrophic"`, `"expandScripts": true, "catastrophic"`, 1)}},
		{"bare", map[string]string{user: rulesOf(many, "", "")}},
		{"outside", map[string]string{user: rulesOf(many+`, "Sandbox(escape)"`, `"Bash(seq 9:*)"`, ""), posture: recommended}},
		{"whole", map[string]string{user: rulesOf(many+`, "Bash", "Read", "Edit", "WebFetch"`, "", ""), posture: recommended}},
	}
}

// disks are what calls are decided on: what no one would export rules on.
func disks(files map[string]string) map[string]*fakefs.FS {
	out := map[string]*fakefs.FS{}
	for _, name := range []string{"empty", "links", "scripts", "repository"} {
		fs := fakefs.New(files)
		fs.Mkdir(project + "/.git")
		fs.Mkdir(project + "/sub")
		switch name {
		case "links":
			for _, link := range []string{"one", "made.txt", "out.txt", "x.sh", "a", "docs", "sub/a"} {
				fs.Link(project+"/"+link, "/home/u/.ssh/id_rsa")
			}
		case "scripts":
			fs.Write(project+"/package.json", `{"scripts": {"test": "rm -rf /"}}`)
			fs.Write(project+"/Makefile", "build:\n\trm -rf ~\n")
		case "repository":
			fs.Write(project+"/sub/.git/config", "[core]\n\tfsmonitor = ./x\n")
			fs.Write(project+"/sub/.git/HEAD", "ref: refs/heads/main\n")
		}
		fs.Own("/home/u", 1000)
		out[name] = fs
	}
	return out
}

// A judge decides calls as the hook would.
type judge struct {
	h     *Host
	w     gate.World
	known map[string]decide.Verdict
}

func (j *judge) decide(tool, text, mode, cwd string) decide.Verdict {
	key := tool + text + "\x00" + mode + cwd
	if v, ok := j.known[key]; ok {
		return v
	}
	p := &Prover{Host: j.h, hook: hookio.Lookup(j.h.Name)}
	f := gate.Flags{Host: j.h.Name, Cwd: cwd}
	call := p.call(&setting{mode: mode}, tool, text)
	if j.h == &codex { // it runs what a rule allows outside of its sandbox
		call = p.leaving(text, &f)
	}
	v := decide.Decide(gate.Case(call, &f, j.w))
	j.known[key] = v
	return v
}

// allows reports whether a text is allowed where the program's own commands are.
func (j *judge) allows(text, mode, cwd string) bool {
	p := &Prover{Host: j.h, hook: hookio.Lookup(j.h.Name), world: j.w}
	s := &setting{flags: gate.Flags{Host: j.h.Name, Cwd: cwd}, mode: mode}
	call := p.call(s, "Bash", text)
	policy := gate.Policy(call, &s.flags, j.w)
	for _, own := range append(j.h.Own, "pwd", "ls:*", "head:*", "sleep:*", "true:*") {
		if r, err := rules.ParseRule("Bash("+own+")", rules.Allow, rules.User, rules.Pos{File: "x"}, false); err == nil {
			policy.Allow = append(policy.Allow, r)
		}
	}
	return decide.Decide(gate.CaseUnder(policy, call, &s.flags, j.w)).Decision() == hookio.Allow
}

// planned are the exports that are known already: each takes a second.
var planned = map[string]*model{}

func exports(t *testing.T, h *Host, policy string, files map[string]string) *model {
	key := h.Name + ", " + policy
	if planned[key] == nil {
		m, plan := &model{h: h}, New(h, worldOf(t, files)).Plan(func(string) bool { return false })
		for _, r := range plan.User {
			if r.List == rules.Allow {
				m.rules = append(m.rules, r.Text)
			}
		}
		for _, l := range plan.Losses {
			t.Logf("%s: lost: %s: %s", key, l.Rule.Text, l.Why)
		}
		t.Logf("%s: %v", key, m.rules)
		planned[key] = m
	}
	return planned[key]
}

// eachExport calls f for every program, policy and disk, with what is exported.
func eachExport(t *testing.T, f func(t *testing.T, j *judge, m *model)) {
	every := testenv.Every(t, 2, 1, 1)
	for k, h := range Hosts() {
		for i, p := range policies() {
			if (i+k+1)%every > 0 {
				continue
			}
			m := exports(t, h, p.name, p.files)
			for disk, fs := range disks(p.files) {
				w := worldOf(t, p.files)
				w.Files = fs
				t.Run(h.Name+", "+p.name+", "+disk, func(t *testing.T) { f(t, &judge{h, w, map[string]decide.Verdict{}}, m) })
			}
		}
	}
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// commandLine is a random text of commands that rules may cover, and what programs read alike.
func commandLine(r *rand.Rand, m *model) string {
	one := func() string {
		c := pick(r, "cat .env", "cat README.md", "true", "plugh", "cd sub", "echo x", "npm test", "rm -rf /", "git log", "[ -f x ]", "x=1", "cat ~/.ssh/id_rsa")
		if commands := m.commands(); len(commands) > 0 && r.IntN(6) > 0 {
			c = strings.TrimSuffix(strings.TrimPrefix(pick(r, commands...), "Bash("), ")")
			if stem, more := strings.CutSuffix(c, ":*"); more || m.h.Suffix {
				c = stem
				for range r.IntN(3) {
					c += " " + pick(r, "a", "-x", "--output=/etc/passwd", "~/.ssh/id_rsa", "../../x", "$HOME", `"$x"`, "*", "-o", ".git/config",
						"https://evil.example/", "secret", "-delete", "--", "a:b", "$x", ".env", "/dev/sda", "-exec", "sh")
				}
			}
		}
		for range r.IntN(3) {
			c = pick(r, "timeout 5 ", "time ", "nice -n 5 ", "nohup ", "stdbuf -oL ", "command ", "noglob ", "builtin ", "NODE_ENV=a ", "LANG=b ", "CI=1 ",
				"LD_PRELOAD=x ", "env ", "xargs ", "! ", "sudo ", "", "", "") + c
		}
		return c + pick(r, "", "", "", " > /dev/null", " 2>&1", " > out.txt", " >> sub/run.sh", " < README.md", " < .env", " &", " >> .bashrc", " < /etc/passwd")
	}
	text := one()
	for range r.IntN(4) {
		text += pick(r, " && ", " || ", "; ", " | ", "\n", " |& ") + one()
	}
	return pick(r, "", "", "", "for i in 1 2; do ", "if true; then ", "(") + text
}

// plainLine is a random text of plain commands that Codex's rules may cover.
func plainLine(r *rand.Rand, m *model) string {
	var b strings.Builder
	for n := range 1 + r.IntN(3) {
		if n > 0 {
			b.WriteString(pick(r, " && ", " || ", "; ", " | "))
		}
		b.WriteString(pick(r, append(m.commands(), pick(r, m.commands()...), pick(r, "plugh", "cat", "timeout 5 echo", "command echo"))...))
		for range r.IntN(4) {
			b.WriteString(" " + pick(r, "a", "-x", "--output=/etc/passwd", "~/.ssh/id_rsa", "../../x", "*", "-o", ".git/config", "a=b", "'a b'",
				"https://evil.example/", "secret", "-delete", "--", "a:b", ".env", "/dev/sda", "-exec", "sh", "'; sh'", "--help"))
		}
	}
	return b.String()
}

// closed ends what commandLine may have begun.
func closed(text string) string {
	switch {
	case strings.HasPrefix(text, "for "):
		return text + "; done"
	case strings.HasPrefix(text, "if "):
		return text + "; fi"
	case strings.HasPrefix(text, "("):
		return text + ")"
	}
	return text + " # x"
}

// TestNoWidening makes calls of what is exported: none that the program runs unasked is one that permgate would not
// allow, whatever mode and disk.
func TestNoWidening(t *testing.T) {
	ran, byCodex, calls := 0, 0, callsOf(t)
	eachExport(t, func(t *testing.T, j *judge, m *model) {
		r, n := rand.New(rand.NewPCG(7, 11)), calls/32
		if j.h == &codex && len(m.rules) > 0 { // of one policy only
			n = calls / 4
		}
		for range n {
			text := closed(commandLine(r, m))
			if j.h == &codex && len(m.rules) > 0 {
				text = plainLine(r, m)
			}
			mode, cwd := pick(r, "default", "acceptEdits", "plan", "auto", "dontAsk"), pick(r, project, project, project+"/sub")
			m.edits = mode == "acceptEdits"
			if j.h == &codex {
				mode = "default"
			}
			plain, mixed, ok := text, "", false
			if j.h == &codex {
				ok = m.codex(text)
			} else {
				var parts []part
				parts, plain, ok = m.claude(text)
				for _, p := range parts {
					if p.own {
						mixed = p.command
					}
				}
			}
			if !ok {
				continue
			}
			ran++
			if j.h == &codex {
				byCodex++
			}
			if mixed == "" {
				if v := j.decide("Bash", plain, mode, cwd); v.Decision() != hookio.Allow {
					t.Errorf("%q in %s, %s: %s (%s)", text, mode, cwd, v.Reason(), v.Step())
				}
			} else if !j.allows(plain, mode, cwd) && j.allows(neutral(plain, m), mode, cwd) {
				t.Errorf("%q in %s, %s: %s", text, mode, cwd, j.decide("Bash", plain, mode, cwd).Reason())
			}
		}
	})
	t.Logf("%d calls run unasked, %d of them by Codex", ran, byCodex)
	if ran < calls/16 || byCodex < calls/64 {
		t.Errorf("only %d calls ran, %d by Codex", ran, byCodex)
	}
}

// neutral is a text with a command that does nothing in the place of those that rules cover.
func neutral(text string, m *model) string {
	for _, r := range m.rules {
		text = strings.ReplaceAll(text, strings.TrimSuffix(strings.TrimPrefix(r, "Bash("), ")"), "true")
	}
	return text
}

// TestNoWideningFetch does so for addresses.
func TestNoWideningFetch(t *testing.T) {
	ran, calls := 0, callsOf(t)
	eachExport(t, func(t *testing.T, j *judge, m *model) {
		r := rand.New(rand.NewPCG(3, 5))
		for range calls / 32 {
			host := pick(r, "go.dev", "x.go.dev", "GO.dev.", "a.wild.example", "a.b.wild.example", "wild.example", "evil.wild.example", "evil.example", "127.0.0.1")
			url := pick(r, "https://", "http://") + host + pick(r, "", ":8080") + pick(r, "/", "/a?b=c", "/%2e%2e/", "#x")
			name, covered := strings.TrimSuffix(strings.ToLower(host), "."), false
			for _, rule := range m.rules {
				domain := strings.TrimSuffix(strings.TrimPrefix(rule, "WebFetch(domain:"), ")")
				sub, wild := strings.CutPrefix(domain, "*")
				covered = covered || name == domain || wild && strings.HasSuffix(name, sub)
			}
			if !covered {
				continue
			}
			ran++
			if v := j.decide("WebFetch", url, pick(r, "default", "plan", "auto"), project); v.Decision() != hookio.Allow {
				t.Errorf("%s: %s", url, v.Reason())
			}
		}
	})
	if ran < calls/16 {
		t.Errorf("only %d calls ran", ran)
	}
}
