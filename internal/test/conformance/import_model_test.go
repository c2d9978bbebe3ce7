package conformance

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// A modelCall is a call with permgate's name of its tool, and its argument.
type modelCall struct{ tool, arg string }

// modelCalls are what is asked of a policy and of the model of its system.
var modelCalls = [...]modelCall{
	{"Bash", "git status"}, {"Bash", "git"}, {"Bash", "gitk"}, {"Bash", "git push origin main"}, {"Bash", "git push"},
	{"Bash", "git log -p x/y"}, {"Bash", "git status && make"}, {"Bash", "make; git push"}, {"Bash", "make"}, {"Bash", "make all"},
	{"Bash", "make a b"}, {"Bash", "npm run build"}, {"Bash", "npm run build:all"}, {"Bash", "npm run x y"}, {"Bash", "npm ci | tail"},
	{"Bash", "charm x"}, {"Bash", "echo ssh x"}, {"Bash", "ssh x"}, {"Bash", "cat a/README"}, {"Bash", "cat a/b/README"},
	{"Bash", "docker x"}, {"Bash", "docker:x y"}, {"Bash", "go test ./..."}, {"Bash", "go test ./x"}, {"Bash", "ls a"}, {"Bash", "ls [ab]"},
	{"Bash", "/usr/bin/git push"}, {"Bash", "A=1 make"}, {"Bash", "gh pr view 1"}, {"Bash", "gh pr"}, {"Bash", "python3 -c 'print(1)'"},
	{"Read", "a.go"}, {"Read", "src/a.go"}, {"Read", "src/b/c.go"}, {"Read", "secret.txt"}, {"Read", "/srv/x"}, {"Read", "src/key.pem"},
	{"Write", "a.go"}, {"Write", "src/a.go"}, {"Write", "docs/a.md"}, {"Write", "docs/b/a.md"}, {"Write", "/srv/x"}, {"Write", "secret.txt"},
	{"Edit", "a.go"}, {"Edit", "src/a.go"}, {"Edit", "docs/a.md"}, {"Edit", "docs/b/a.md"}, {"Edit", "/srv/x"}, {"Edit", "secret.txt"},
	{"WebFetch", "https://a.example/x"}, {"WebFetch", "https://b.a.example/"}, {"WebFetch", "http://a.example/x"},
	{"mcp__jira__search", ""}, {"mcp__jira__delete_issue", ""}, {"mcp__db__query", ""}, {"mine", ""},
}

func (c modelCall) input() string {
	field := map[string]string{"Bash": "command", "WebFetch": "url"}[c.tool]
	switch {
	case c.arg == "":
		return "{}"
	case field == "":
		field = "file_path"
	}
	more := ""
	switch c.tool {
	case "Write":
		more = `,"content":"x"`
	case "Edit":
		more = `,"old_string":"a","new_string":"b"`
	case "WebFetch":
		more = `,"prompt":"x"`
	}
	return "{" + quote(field) + ":" + quote(c.arg) + more + "}"
}

// abs is the path of a call of a file tool.
func (c modelCall) abs() string {
	if path.IsAbs(c.arg) {
		return c.arg
	}
	return "/work/project/" + c.arg
}

func (c modelCall) inside() bool { return strings.HasPrefix(c.abs(), "/work/project/") }

// A model is a system: the file of a policy drawn by chance, and what the system answers by it.
type model struct {
	system string
	draw   func(r *rand.Rand) (files []importer.File, answer func(c modelCall) string)
}

func some(r *rand.Rand, most int, of ...string) (out []string) {
	for range r.IntN(most + 1) {
		out = append(out, of[r.IntN(len(of))])
	}
	return out
}

var coreModel = model{"core-agent", func(r *rand.Rand) ([]importer.File, func(c modelCall) string) {
	pool := []string{"bash:git *", "bash:git push*", "bash:make", "bash:make*", "bash:npm run *", "bash:npm run x*", "bash:npm run build:*", "bash:* a", "bash:cat */README",
		"bash:ls [ab]", "bash:ls *", "*git*", "*", "bash:*", "bash:git status && make", "bash:docker:x*", "bash:docker:*", "bash:A=1 make", "bash:go test ./...", "bash:?ake",
		"read_file:*.pem", "read_file:src/**", "read_file:secret.txt", "read_file:/srv/x", "write_file:docs/**", "write_file:docs/*", "write_file:*", "edit_file:docs/**",
		"edit_file:a.go", "edit_file:*", "write_file:/srv/*", "mcp:jira_*", "mcp:jira_search", "mcp:db_query", "mcp:*", "fetch_url:*", "list_dir:src/**", "mine:*"}
	policy := map[string]any{"mode": []string{"ask", "allow", "yolo", "acceptEdits", "plan", "odd"}[r.IntN(6)], "allow": some(r, 4, pool...), "deny": some(r, 3, pool...)}
	text, _ := json.Marshal(map[string]any{"permissions": policy})
	matches := func(patterns []string, c modelCall, deny bool) bool {
		tool := map[string]string{"Bash": "bash", "Read": "read_file", "Write": "write_file", "Edit": "edit_file", "WebFetch": "fetch_url", "mine": "mine"}[c.tool]
		keys := []string{c.arg}
		if strings.HasPrefix(c.tool, "mcp__") {
			tool, keys = "mcp", []string{strings.Replace(strings.TrimPrefix(c.tool, "mcp__"), "__", "_", 1)}
		} else if tool != "bash" && c.tool != "WebFetch" {
			keys = []string{c.abs(), strings.TrimPrefix(c.abs(), "/work/project/")}
		}
		for _, p := range patterns {
			of, glob, has := strings.Cut(p, ":")
			if !has {
				of, glob = tool, p
			}
			for _, key := range keys {
				stem, open := strings.CutSuffix(strings.TrimSuffix(glob, "*"), "*")
				open = open || strings.HasSuffix(glob, "*")
				ok, _ := filepath.Match(glob, key)
				if of == tool && (glob == key || ok || open && !strings.ContainsAny(stem, "*?[") && strings.HasPrefix(key, stem)) {
					return true
				}
			}
		}
		return false
	}
	allow, deny := policy["allow"].([]string), policy["deny"].([]string)
	return []importer.File{{Name: ".agents/config.json", Text: text}}, func(c modelCall) string {
		mode := policy["mode"].(string)
		file := c.tool == "Read" || c.tool == "Write" || c.tool == "Edit"
		ask := map[string]string{"ask": "ask", "acceptEdits": "ask", "yolo": "allow"}[mode]
		if ask == "" {
			ask = "deny"
		}
		switch {
		case matches(deny, c, true):
			return "deny"
		case file && !c.inside():
			if mode == "acceptEdits" && c.tool != "Read" {
				return "allow"
			}
			return ask
		case c.tool == "Read", matches(allow, c, false), mode == "acceptEdits" && file:
			return "allow"
		}
		return ask
	}
}}

var calibanModel = model{"caliban", func(r *rand.Rand) ([]importer.File, func(c modelCall) string) {
	pool := []string{"Bash:git *", "Bash:git push*", "Bash:make", "Bash(make *)", "Bash:~ssh *", "Bash:~push", "Bash:npm run *", "Bash:npm run build:*", "Bash:npm * *", "Bash", "*",
		"Bash:docker:x *", "Bash:A=1 make", "Bash:ls [ab]", "Read", "Read:src/**", "Read:secret.txt", "Read:*.pem", "Read:/srv/*", "Write:docs/**", "Write", "Edit:docs/**", "Edit",
		"Edit:*.go", "Edit:./a.go", "WebFetch", "WebFetch:https://a.example/*", "mcp__jira__*", "mcp__jira__search", "mcp__*", "mine", "Bash(git *", "Edit*"}
	mode := []string{"default", "acceptEdits"}[r.IntN(2)]
	text := ""
	type rule struct{ pattern, action string }
	var list []rule
	for range r.IntN(6) {
		l := rule{pool[r.IntN(len(pool))], []string{"allow", "ask", "deny"}[r.IntN(3)]}
		list = append(list, l)
		text += fmt.Sprintf("[[rule]]\ntool = %q\naction = %q\n", l.pattern, l.action)
	}
	text += fmt.Sprintf("[permissions]\ndefault_mode = %q\n", mode)
	for _, p := range []string{"Read", "WebFetch", "Bash", "Write", "Edit"} {
		list = append(list, rule{p, map[bool]string{true: "allow", false: "ask"}[p == "Read"]})
	}
	glob := func(pattern, text string) bool { // * is any run of characters
		ok, _ := doublestar.Match(strings.ReplaceAll(pattern, "/", "\x01"), strings.ReplaceAll(text, "/", "\x01"))
		return ok
	}
	matches := func(p string, c modelCall) bool {
		tool, arg, has := strings.Cut(p, ":")
		if i := strings.Index(p, "("); i >= 0 && i < len(tool) {
			if !strings.HasSuffix(p, ")") {
				return false
			}
			tool, arg, has = p[:i], p[i+1:len(p)-1], true
		}
		switch file := c.tool == "Read" || c.tool == "Write" || c.tool == "Edit"; {
		case !glob(tool, c.tool):
			return false
		case !has:
			return true
		case strings.Contains(arg, "="):
			return false
		case strings.HasPrefix(arg, "~"):
			return glob("*"+arg[1:]+"*", c.arg)
		case file && path.IsAbs(arg):
			ok, _ := doublestar.Match(arg, c.abs())
			return ok
		case file:
			ok, _ := doublestar.Match("/work/project/**/"+strings.TrimPrefix(arg, "./"), c.abs())
			return ok
		}
		return glob(arg, c.arg)
	}
	return []importer.File{{Name: "permissions.toml", Text: []byte(text)}}, func(c modelCall) string {
		action := "ask"
		for _, l := range list {
			if matches(l.pattern, c) {
				action = l.action
				break
			}
		}
		if action == "ask" && mode == "acceptEdits" && (c.tool == "Write" || c.tool == "Edit") {
			return "allow"
		}
		return action
	}
}}

var codexModel = model{"codex", func(r *rand.Rand) ([]importer.File, func(c modelCall) string) {
	pool := []string{`"git", ["push", "status"]`, `"git"`, `["make", "npm"]`, `"npm", "run", "build"`, `"go", "test", "./..."`, `"python3", "-c", "print(1)"`, `"gh", "pr"`, `"ls", "[ab]"`, `"/usr/bin/git"`}
	text := ""
	type rule struct {
		tokens   [][]string
		decision string
	}
	var list []rule
	for range r.IntN(5) {
		p, decision := pool[r.IntN(len(pool))], []string{"allow", "prompt", "forbidden"}[r.IntN(3)]
		text += fmt.Sprintf("prefix_rule(pattern = [%s], decision = %q)\n", p, decision)
		var raw []any
		json.Unmarshal([]byte("["+p+"]"), &raw)
		l := rule{decision: map[string]string{"allow": "allow", "prompt": "ask", "forbidden": "deny"}[decision]}
		for _, t := range raw {
			if s, ok := t.(string); ok {
				l.tokens = append(l.tokens, []string{s})
			} else {
				var of []string
				for _, o := range t.([]any) {
					of = append(of, o.(string))
				}
				l.tokens = append(l.tokens, of)
			}
		}
		list = append(list, l)
	}
	return []importer.File{{Name: "default.rules", Text: []byte(text)}}, func(c modelCall) string {
		if c.tool != "Bash" {
			return "allow" // no rule of Codex
		}
		worst := "allow"
		for _, part := range strings.FieldsFunc(c.arg, func(c rune) bool { return strings.ContainsRune("&;|", c) }) {
			words := strings.Fields(strings.ReplaceAll(part, "'", ""))
			if !strings.Contains(text, `"/`) { // no rule is about a path: the name of the program counts
				words[0] = path.Base(words[0])
			}
			answer := "ask"
			matched := ""
			for _, l := range list {
				ok := len(words) >= len(l.tokens)
				for i := 0; ok && i < len(l.tokens); i++ {
					ok = strings.Contains(" "+strings.Join(l.tokens[i], " ")+" ", " "+words[i]+" ")
				}
				if ok && (matched == "" || strength(l.decision) > strength(matched)) {
					matched = l.decision
				}
			}
			if matched != "" {
				answer = matched
			}
			if strength(answer) > strength(worst) {
				worst = answer
			}
		}
		return worst
	}
}}

var copilotModel = model{"copilot", func(r *rand.Rand) ([]importer.File, func(c modelCall) string) {
	pool := []string{"shell", "shell(git:*)", "shell(git push)", "shell(git)", "shell(make)", "shell(make all)", "shell(npm run build:*)", "shell(npm run build)", "shell(gh pr view)",
		"shell(ls [ab])", "shell(ls *)", "shell(go test ./...)", "shell(docker:x)", "shell(python3 -c)", "write", "write(secret.txt)", "write(docs/a.md)", "write(*.md)", "write(/srv/x)",
		"read", "read(secret.txt)", "read(src/*)", "jira(search)", "jira", "mine", "memory", "url(a.example)"}
	urls := []string{"a.example", "https://a.example", "*.a.example", "https://a.example/x", "http://a.example"}
	allow, deny := some(r, 4, pool...), some(r, 3, pool...)
	allowed, denied := some(r, 2, urls...), some(r, 1, urls...)
	line, free := "copilot", r.IntN(5) == 0
	for flag, list := range map[string][]string{"--allow-tool": allow, "--deny-tool": deny, "--allow-url": allowed, "--deny-url": denied} {
		for _, value := range list {
			line += " " + flag + "='" + value + "'"
		}
	}
	if free {
		line += " --allow-all"
	}
	matches := func(patterns []string, c modelCall) bool {
		for _, p := range patterns {
			kind, arg, has := strings.Cut(strings.TrimSuffix(p, ")"), "(")
			stem, open := strings.CutSuffix(arg, ":*")
			switch words := strings.Fields(stem); {
			case kind == "shell" && c.tool == "Bash":
				identifier := len(words) == map[string]int{"git": 2, "gh": 3}[strings.Join(words[:min(1, len(words))], "")] || len(words) == 1 && words[0] != "git" && words[0] != "gh"
				if !has || c.arg == stem || (open || identifier) && strings.HasPrefix(c.arg, stem+" ") {
					return true
				}
			case kind == "write" && (c.tool == "Write" || c.tool == "Edit"), kind == "read" && c.tool == "Read":
				if ok, _ := doublestar.Match("**/"+strings.TrimPrefix(arg, "/"), strings.TrimPrefix(c.abs(), "/")); !has || ok && (arg[0] != '/' || c.abs() == arg) {
					return true
				}
			case has && "mcp__"+kind+"__"+arg == c.tool, !has && kind == c.tool, !has && strings.HasPrefix(c.tool, "mcp__"+kind+"__"):
				return true
			}
		}
		return false
	}
	url := func(entries []string, c modelCall) bool {
		for _, e := range entries {
			if !strings.Contains(e, "://") {
				e = "https://" + e
			}
			scheme, rest, _ := strings.Cut(e, "://")
			host, at, _ := strings.Cut(rest, "/")
			of, where, _ := strings.Cut(c.arg, "://")
			name, place, _ := strings.Cut(where, "/")
			apex, sub := strings.CutPrefix(host, "*.")
			if of == scheme && (name == host || sub && (name == apex || strings.HasSuffix(name, "."+apex))) && (at == "" || at == place) {
				return true
			}
		}
		return false
	}
	return []importer.File{{Name: "run.sh", Text: []byte(line + "\n")}}, func(c modelCall) string {
		file := c.tool == "Read" || c.tool == "Write" || c.tool == "Edit"
		reads := c.arg == "git status" || strings.HasPrefix(c.arg, "git log") || strings.HasPrefix(c.arg, "ls ") || strings.HasPrefix(c.arg, "cat ") || strings.HasPrefix(c.arg, "gh pr") || c.arg == "git"
		switch {
		case matches(deny, c), c.tool == "WebFetch" && (url(denied, c) || matches(deny, modelCall{"url", ""})):
			return "deny"
		case free, c.tool == "Read" && c.inside(), c.tool == "WebFetch" && url(allowed, c), c.tool == "Bash" && (reads || strings.HasPrefix(c.arg, "echo ")):
			return "allow"
		case file && !c.inside():
			return "ask"
		case matches(allow, c), c.tool == "WebFetch" && slices.Contains(allow, "url(a.example)") && strings.HasPrefix(c.arg, "https://a.example"):
			return "allow"
		}
		return "ask"
	}
}}

// TestImportModels imports policies drawn by chance and compares the answers with those of a small model of the system,
// written from its documentation: nothing is laxer after an import.
func TestImportModels(t *testing.T) {
	policies := testenv.Count(t, 25, 150, 1500)
	for _, m := range []model{coreModel, calibanModel, codexModel, copilotModel} {
		t.Run(m.system, func(t *testing.T) {
			system := importer.Systems()[0]
			for _, s := range importer.Systems() {
				if s.Name == m.system {
					system = s
				}
			}
			equal, all := 0, 0
			for seed := range policies {
				r := rand.New(rand.NewPCG(uint64(seed), 7))
				files, answer := m.draw(r)
				items, err := system.Import(files, importer.Options{Scope: rules.User, Project: "/work/project"})
				if err != nil {
					t.Fatalf("%s: %v", files[0].Text, err)
				}
				settings, _ := edit.Parse("settings.json", nil)
				gate, _ := edit.Parse("permgate.json", nil)
				if _, err := importer.Apply(items, settings, gate, func(importer.Entry) string { return "" }); err != nil {
					t.Fatal(err)
				}
				held := slices.ContainsFunc(items, func(i importer.Item) bool { return i.Status == importer.Refused && len(i.Entries) > 0 })
				for _, c := range modelCalls {
					_, v := call(t, Setup{
						Tool: c.tool, Input: json.RawMessage(c.input()), Tmp: true,
						Settings: map[string]string{"/home/dev/.gen/settings.json": string(settings.Bytes()), "/home/dev/.gen/permgate.json": string(gate.Bytes())},
					})
					if strings.HasPrefix(c.arg, "/usr/bin/") && m.system != "codex" {
						continue // a program of a system folder is called by its name (decisions 4)
					}
					all++
					got, want := v.Decision().String(), answer(c)
					if parts := strings.FieldsFunc(c.arg, func(c rune) bool { return strings.ContainsRune("&;|", c) }); len(parts) > 1 && want == "ask" {
						want = "allow" // here what is allowed one by one is allowed together (decisions 4)
						for _, part := range parts {
							if one := answer(modelCall{c.tool, strings.TrimSpace(part)}); strength(one) > strength(want) {
								want = one
							}
						}
					}
					if got == want {
						equal++
					}
					asked := held && got == "ask" && want == "deny" // what cannot be said is asked about, and the report says so
					if strength(got) < strength(want) && !asked {
						t.Fatalf("%s %s: %s after the import, and %s there: %s\n%s\n%s", c.tool, c.arg, got, want, v.Reason(), files[0].Text, settings.Bytes())
					}
				}
			}
			t.Logf("%d calls, %d answered alike", all, equal)
		})
	}
}
