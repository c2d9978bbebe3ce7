package propose_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/internal/test/conformance"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// A place is a settings file rules are proposed for.
type place struct {
	file string
	into propose.Into
}

// places are where the properties are checked: read by permgate alone, and by Claude Code as well.
func places(list rules.List) []place {
	return []place{
		{"/work/project/.gen/settings.local.json", propose.Into{List: list, Scope: rules.Local}},
		{"/work/project/.claude/settings.local.json", propose.Into{List: list, Scope: rules.Local, Claude: true}},
		{"/home/dev/.claude/settings.json", propose.Into{List: list, Scope: rules.User, Claude: true}},
		{"/state/session-s1.json", propose.Into{List: list, Scope: rules.Session}},
	}
}

// with is the setup with rules in the file of a place, in the form they have there.
func (p *place) with(s conformance.Setup, list []string) conformance.Setup {
	if p.into.Scope == rules.Session {
		text, _ := json.Marshal(map[string]any{"project": "/work/project", "allow": list})
		s.Session = string(text)
		return s
	}
	text, _ := json.Marshal(map[string]any{"permissions": map[string]any{p.into.List.String(): list}})
	s.Settings = map[string]string{p.file: string(text)}
	return s
}

func bash(command string) conformance.Setup {
	input, _ := json.Marshal(map[string]string{"command": command})
	return conformance.Setup{Tool: "Bash", Input: input}
}

// check holds one call against both properties of what is proposed for it: the
// rules, read back from their file, do what they are for; and they cover no call
// in which a wildcard of this one stands for something else. It reports whether
// anything was proposed.
func check(t *testing.T, s conformance.Setup, list rules.List) bool {
	t.Helper()
	proposed := false
	for _, p := range places(list) {
		if p.into.Scope == rules.Session && list != rules.Allow {
			continue
		}
		c, v, err := conformance.Call(s)
		if err != nil {
			return false
		}
		got, refusal := propose.For(v, p.into)
		switch {
		case refusal != nil && (refusal.Why == "" || len(got) > 0):
			t.Errorf("%s: a refusal without a reason, or with rules", s.Input)
			continue
		case refusal != nil:
			continue
		case len(got) == 0 || list == rules.Allow && len(got) > propose.Max:
			t.Errorf("%s: %d rules", s.Input, len(got))
			continue
		}
		proposed = true
		var exact []string
		for i := range got {
			exact = append(exact, got[i].Rule)
		}
		if list == rules.Allow {
			works(t, &p, s, exact)
			literal(t, &p, s, c, exact)
			for i := range got {
				if got[i].Stem != "" {
					with := append([]string(nil), exact...)
					with[i] = got[i].Stem
					works(t, &p, s, with)
				}
			}
			continue
		}
		for i := range got {
			works(t, &p, s, exact[i:i+1])
			literal(t, &p, s, c, exact[i:i+1])
			if got[i].Stem != "" {
				works(t, &p, s, []string{got[i].Stem})
			}
		}
	}
	return proposed
}

// works checks that a call is decided as the rules in a file want it.
func works(t *testing.T, p *place, s conformance.Setup, list []string) {
	t.Helper()
	c, v, err := conformance.Call(p.with(s, list))
	if err != nil {
		t.Fatal(err)
	}
	switch p.into.List {
	case rules.Allow:
		if step := map[bool]string{true: "4", false: "6"}[p.into.Scope == rules.Session]; v.Decision() != hookio.Allow || v.Step() != step {
			t.Errorf("%s: %v by step %s with %q in %s: %s", s.Input, v.Decision(), v.Step(), list, p.file, v.Reason())
		}
	case rules.Deny:
		if v.Decision() != hookio.Deny || v.Step() != "1" {
			t.Errorf("%s: %v by step %s with deny %q in %s: %s", s.Input, v.Decision(), v.Step(), list, p.file, v.Reason())
		}
	case rules.Ask:
		if v.Decision() != hookio.Ask || !strings.Contains("2 3b 5", v.Step()) || len(c.Facts().Hits()) == 0 {
			t.Errorf("%s: %v by step %s with ask %q in %s: %s", s.Input, v.Decision(), v.Step(), list, p.file, v.Reason())
		}
	}
}

// literal checks that rules cover nothing but what the call says: in no call
// with another text in the place of a wildcard of this one do they match a part
// that this call does not have.
func literal(t *testing.T, p *place, s conformance.Setup, c *decide.Input, list []string) {
	t.Helper()
	own := map[string]bool{}
	for _, part := range c.Facts().Parts() {
		own[spelled(&part)] = true
	}
	text := string(s.Input)
	for i := range len(text) {
		if !strings.ContainsRune("*?[]{}!", rune(text[i])) || i == 0 || i == len(text)-1 {
			continue
		}
		for _, instead := range []string{"", "Z", "Z Z", "1"} {
			other := p.with(s, list)
			other.Input = json.RawMessage(text[:i] + instead + text[i+1:])
			if !json.Valid(other.Input) {
				continue
			}
			oc, _, err := conformance.Call(other)
			if err != nil {
				continue
			}
			for _, part := range oc.Facts().Parts() {
				for _, h := range part.Hits {
					if part.Subject.Command == nil && !strings.Contains(h.Rule.Pattern, text[i:i+1]) {
						continue // a tool, host or folder as a whole
					}
					// a subcommand is matched by its text, so files it touches do not count
					if h.Sure && h.Rule.Pos.File == p.file && part.Effect == nil && !own[spelled(&part)] {
						t.Errorf("%s: %s in %s matches %s as well, a part of %s", text, h.Rule.Text, p.file, part.Label, other.Input)
					}
				}
			}
		}
	}
}

// spelled is all that rules look at of a part.
func spelled(p *facts.Part) string {
	s := p.Subject
	switch {
	case s.Command != nil:
		return fmt.Sprint(s.Command.Allow)
	case s.Path != nil:
		return s.Path.Given
	case s.URL != nil:
		return s.URL.Host
	}
	return s.Tool + " " + s.Name
}

// calls are what the properties are checked on besides generated and recorded calls.
var calls = []string{
	"npm test", "git push origin main", "make", "go test ./... -run 'Test*'", `grep -r "a*b?" src`, "ls *.go", "echo [a-z]", "echo '[a-z]'",
	"echo {a,b}", "echo '{a,b}'", "git log --format='%h %s'", "sh -c 'ls -l'", "sudo ls", "timeout 5 npm test", "FOO=1 make", "LANG=C sort x",
	"cd web && npm run build", "cat a | grep b | wc -l", "echo hi > out.txt", "cp a ~/b", "cp a '/tmp/*'", "tee /opt/x", "git commit -m 'a:*'", "x:*", "'x' ':*'",
	"find . -name '*.go'", "find . -name x -exec cat {} +", "docker run --rm x sh", "python3 -c 'print(1)'", "node x.js", "awk '{print $1}' x", "sed -n 1p x",
	"echo $HOME", "echo '$HOME' '~' \"~/x\"", "echo \\*", "echo 'it'\\''s'", "echo ()", "a;b;c;d;e;f", "echo '(' ')'", "Bash '(' ls", "echo '\t'", "ssh h 'rm x'",
	"/usr/bin/git status -s", "./build.sh --all", "git -C . push", "curl https://go.dev", "curl 'https://go.dev/*'", "true", "[ -f x ]", "[[ -f x ]]", "x=1", "for i in a b; do make $i; done",
	`grep 'a\(b' x`, `grep 'a\\b' x`, `sed 's/\(a\)/\\1/' x`, `echo \) \\`,
}

func TestProperties(t *testing.T) {
	n := 0
	for _, list := range []rules.List{rules.Allow, rules.Ask, rules.Deny} {
		for _, command := range calls {
			if check(t, bash(command), list) {
				n++
			}
		}
		for _, s := range tools() {
			if check(t, s, list) {
				n++
			}
		}
	}
	t.Logf("rules for %d of %d calls", n, 3*(len(calls)+len(tools())))
	if n < len(calls) {
		t.Errorf("rules for %d calls only", n)
	}
}

// tools are calls of other tools.
func tools() []conformance.Setup {
	var out []conformance.Setup
	add := func(tool, field string, values ...string) {
		for _, v := range values {
			input, _ := json.Marshal(map[string]string{field: v})
			out = append(out, conformance.Setup{Tool: tool, Input: input})
		}
	}
	for _, tool := range []string{"Edit", "Write", "Read"} {
		add(tool, "file_path", "a.go", "src/x.go", "src/*.go", "src/[a]?{b}!.go", "/tmp/x", "/tmp/*/x", "~/notes/a b.md", "../x", `a\b`, "a ", " a", "**", "/", "-", "#x", "!x", "(x", "x)")
	}
	add("WebFetch", "url", "https://go.dev/doc", "https://GO.dev.:443/x?*", "http://127.1/", "http://[::1]/", "https://*.x.org/", "ftp://x", "x")
	add("Skill", "skill", "pdf", "git:commit", "a*", "a:*", " a", "a?")
	add("Agent", "subagent_type", "Explore", "a*", "a b")
	add("mcp__github__create_issue", "name", "x", "*")
	add("mcp__a*__b", "name", "x")
	add("Custom", "name", "x", "a*b", "(", "x:y", "")
	add("PowerShell", "command", "Get-Item x", "Get-Item 'a*'", "Get-Item 'it''s'", "Remove-Item x")
	add("Monitor", "command", "make watch")
	add("Glob", "pattern", "*.go")
	add("NotebookEdit", "notebook_path", "a.ipynb")
	return out
}

// pieces are what generated calls are made of.
var pieces = []string{
	"git", "push", "npm", "run", "make", "ls", "cat", "rm", "cp", "sudo", "python3", "x", "a.go", "src/", "-rf", "--all", "-c", "*", "?", "[", "]", "{", "}", ",", ":", ":*", " *", "'", `"`, `\`, "$", "$X", "~", "/", "!", "#", "(", ")",
	"&&", "||", "|", ";", "&", ">", "<", "=", " ", " ", " ", " ", " ", " ", "é", "漢", "\t", "\n", "..", ".", "1", "http://x.org", "%", "@", "^",
}

func generate(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(pieces[r.Intn(12)])
	b.WriteByte(' ')
	for range 1 + r.Intn(8) {
		b.WriteString(pieces[r.Intn(len(pieces))])
		if r.Intn(3) == 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func TestGenerated(t *testing.T) {
	n, all := 0, testenv.Count(t, 400, 1500, 4000)
	r := rand.New(rand.NewSource(1))
	lists := []rules.List{rules.Allow, rules.Allow, rules.Ask, rules.Deny}
	for i := range all {
		if check(t, bash(generate(r)), lists[i%len(lists)]) {
			n++
		}
	}
	t.Logf("rules for %d of %d calls", n, all)
	if n*10 < all {
		t.Errorf("rules for %d of %d calls only", n, all)
	}
}

// TestRecorded does the same with a collection of recorded calls, where there is one.
func TestRecorded(t *testing.T) {
	data := testenv.Corpus(t, "corpus/real_calls.jsonl")
	step := 7 // all of them take a minute
	if testing.Short() {
		step = 53
	}
	n, all := 0, 0
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var call struct {
			Cwd   string          `json:"cwd"`
			Tool  string          `json:"tool_name"`
			Input json.RawMessage `json:"tool_input"`
		}
		if i%step != 0 || json.Unmarshal([]byte(line), &call) != nil || seen[string(call.Input)] || len(call.Input) > 4000 {
			continue
		}
		seen[string(call.Input)] = true
		all++
		if check(t, conformance.Setup{Tool: call.Tool, Input: call.Input}, rules.Allow) {
			n++
		}
	}
	t.Logf("rules for %d of %d recorded calls", n, all)
}

func FuzzPropose(f *testing.F) {
	for i, command := range calls {
		f.Add(command, uint8(i))
	}
	f.Fuzz(func(t *testing.T, command string, list uint8) {
		if len(command) > 300 || command == "" {
			t.Skip()
		}
		check(t, bash(command), rules.List(list%3)+rules.Allow)
	})
}

// TestSystems checks that rules for files do what they are for where paths are
// read otherwise.
func TestSystems(t *testing.T) {
	for _, at := range []struct {
		os        rules.OS
		cwd, home string
		names     []string
	}{
		{rules.MacOS, "/work/project", "/Users/dev", []string{"src/a.go", "/private/etc/x", "~/b c", "src/*.go", "Src/É.go"}},
		{rules.Windows, `C:\work\project`, `C:\Users\dev`, []string{`src\a.go`, "src/a.go", `C:\work\project\src\[a].go`, `D:\data\x\y`, "~/b", `C:\Users\dev\b c`}},
	} {
		n := 0
		for _, name := range at.names {
			for _, tool := range []string{"Edit", "Read"} {
				input, _ := json.Marshal(map[string]string{"file_path": name})
				s := conformance.Setup{Tool: tool, Input: input, OS: at.os, Cwd: at.cwd, Home: at.home}
				for _, list := range []rules.List{rules.Allow, rules.Deny} {
					p := place{at.os.Canon(at.cwd) + "/.gen/settings.local.json", propose.Into{List: list, Scope: rules.Local}}
					_, v, err := conformance.Call(s)
					if err != nil {
						t.Fatal(err)
					}
					got, _ := propose.For(v, p.into)
					if len(got) == 0 {
						continue
					}
					n++
					works(t, &p, s, []string{got[0].Rule})
					if got[0].Stem != "" {
						works(t, &p, s, []string{got[0].Stem})
					}
				}
			}
		}
		if n < len(at.names) {
			t.Errorf("%v: rules for %d calls only", at.os, n)
		}
	}
}

// TestNever names calls that a stem is never offered for (decisions 7), though
// the exact rule may be.
func TestNever(t *testing.T) {
	for _, program := range strings.Fields("bash sh zsh fish eval source . exec sudo env xargs ssh python python3 python2 node deno ruby perl php lua npx bunx") {
		for _, args := range []string{" x", " run x", " -c x", " ./x y", " --version"} {
			_, v, err := conformance.Call(bash(program + args))
			if err != nil {
				t.Fatal(err)
			}
			got, _ := propose.For(v, propose.Into{List: rules.Allow, Scope: rules.Local})
			for _, p := range got {
				if strings.HasPrefix(p.Stem, "Bash("+program) {
					t.Errorf("%s%s: %s", program, args, p.Stem)
				}
			}
		}
	}
}

// TestQuestions: what asks the user something is not to be answered by a rule.
func TestQuestions(t *testing.T) {
	for _, tool := range []string{"ExitPlanMode"} {
		_, v, err := conformance.Call(conformance.Setup{Tool: tool, Input: json.RawMessage(`{"plan":"x"}`)})
		if err != nil {
			t.Fatal(err)
		}
		got, refusal := propose.For(v, propose.Into{List: rules.Allow, Scope: rules.Local})
		if len(got) > 0 || refusal == nil || !strings.Contains(refusal.Why, "a question to you") {
			t.Errorf("%s: %v, %v", tool, got, refusal)
		}
	}
}

// A rule for a .claude file is written as it is read there.
func TestEscapes(t *testing.T) {
	for _, tt := range []struct{ command, plain, claude string }{
		{`grep 'a\(b' x`, `Bash(grep 'a\(b' x)`, `Bash(grep 'a\\\(b' x)`},
		{`grep 'a\\b' x`, `Bash(grep 'a\\b' x)`, `Bash(grep 'a\\\\b' x)`},
		{`grep 'a(b' x`, `Bash(grep 'a(b' x)`, `Bash(grep 'a(b' x)`},
	} {
		s := bash(tt.command)
		_, v, err := conformance.Call(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places(rules.Allow) {
			want := tt.plain
			if p.into.Claude {
				want = tt.claude
			}
			got, refusal := propose.For(v, p.into)
			if refusal != nil || len(got) != 1 || got[0].Rule != want {
				t.Errorf("%s for %s: %+v %v, want %s", tt.command, p.file, got, refusal, want)
				continue
			}
			works(t, &p, s, []string{want})
		}
	}
}

// A tool's name is the call's word for it: one that a rule would take for a pattern,
// or for a whole server, is not proposed.
func TestTools(t *testing.T) {
	for name, want := range map[string]string{
		"mcp__a__b": "mcp__a__b", "mcp__a__*": "", "mcp__*": "", "mcp__a": "", "*": "", "Bash(x:*)": "", "Other": "Other",
	} {
		_, v, err := conformance.Call(conformance.Setup{Tool: name, Input: []byte(`{"q":"1"}`)})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places(rules.Allow) {
			got, refusal := propose.For(v, p.into)
			rule := ""
			if len(got) > 0 {
				rule = got[0].Rule
			}
			if rule != want || (refusal == nil) != (want != "") {
				t.Errorf("%s in %s: %q %v, want %q", name, p.file, rule, refusal, want)
			}
		}
	}
}
