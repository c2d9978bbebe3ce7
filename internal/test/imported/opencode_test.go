package imported

import (
	"math/rand/v2"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/rules"
)

// opencode: the permissions, agents and config pages of opencode.ai/docs, and what 1.18.33 does. The last rule that matches
// wins, of the files in their order, after what holds by default; a file's key takes the place that it had in the file before.
var opencode = model{"opencode", "opencode", func(r *rand.Rand) policy {
	scope := []rules.Scope{rules.User, rules.User, rules.Local, rules.Shared, rules.Managed}[r.IntN(5)]
	names := map[rules.Scope][]string{
		rules.User:    {".config/opencode/opencode.json", ".config/opencode/opencode.jsonc", ".opencode/opencode.json"},
		rules.Local:   {"opencode.json", "opencode.jsonc", ".opencode/opencode.json"},
		rules.Shared:  {"opencode.json", "opencode.jsonc", ".opencode/opencode.json"},
		rules.Managed: {"/etc/opencode/opencode.json", "/etc/opencode/opencode.jsonc"},
	}[scope]
	p := policy{scope: scope}
	whole := &ordered{}
	for n, name := range names {
		if n == 0 || r.IntN(4) == 0 {
			file := openFile(r)
			p.files = append(p.files, importer.File{Name: name, Text: []byte(file.json())})
			whole.merge(file)
		}
	}
	agents := [][]openRule{openRules(whole)}
	for _, name := range whole.table("agent").keys {
		agents = append(agents, append(openRules(whole), openRules(whole.table("agent").table(name))...))
	}
	p.call = func(r *rand.Rand) (string, hookio.Decision) {
		c := openCalls[r.IntN(len(openCalls))](r)
		at := r.IntN(len(agents)) // the payload does not say which agent a person has chosen
		top := map[string]any{"agent": "opencode", "plugin": 1, "hook_event_name": "PreToolUse", "session_id": "s", "cwd": project,
			"project":     project,
			"tool_use_id": "t", "tool_name": c.tool, "tool_input": c.input}
		if r.IntN(6) == 0 {
			top["agent_id"], top["agent_type"] = "s2", one(r, "general", "explore", "review")
		}
		return compact(top), openAnswer(agents[at], c)
	}
	return p
}}

// An ordered is an object of JSON: its keys keep their places.
type ordered struct {
	keys   []string
	values map[string]any // a text, a truth, or an *ordered
}

func (o *ordered) set(key string, v any) *ordered {
	if o.values == nil {
		o.values = map[string]any{}
	}
	if _, has := o.values[key]; !has {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
	return o
}

func (o *ordered) table(key string) *ordered {
	if t, ok := o.values[key].(*ordered); ok {
		return t
	}
	return &ordered{}
}

// merge is what a later file says: objects are merged, everything else is replaced. A text for all permissions is one for *.
func (o *ordered) merge(later *ordered) {
	for _, k := range later.keys {
		v := later.values[k]
		if text, ok := v.(string); ok && k == "permission" {
			v = (&ordered{}).set("*", text)
		}
		if t, ok := v.(*ordered); ok {
			into := &ordered{}
			into.merge(o.table(k))
			into.merge(t)
			v = into
		}
		o.set(k, v)
	}
}

func (o *ordered) json() string {
	parts := make([]string, 0, len(o.keys))
	for _, k := range o.keys {
		text := ""
		if t, ok := o.values[k].(*ordered); ok {
			text = t.json()
		} else {
			text = compact(o.values[k])
		}
		parts = append(parts, compact(k)+": "+text)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// Texts that patterns and payloads are made of.
var (
	openActions  = []string{"allow", "ask", "deny"}
	openCommands = []string{"*", "*", "git *", "git status", "git status *", "git status*", "git push *", "git push", "git * --force*",
		"git log", "rm *", "rm -rf *", "rm -rf /*",
		"npm *", "npm run *", "npm test", "npm run build:*", "ls", "ls *", "cat *", "sudo *", "curl *", "*--force*", "*rm -rf*",
		"* > *", "*>*", "g?t *", "echo *", "echo \"*", "make",
		"make*", "* && *", "FOO=1 *", "git commit -m \"*\"", "/usr/bin/git *", "docker [a-z]* *", "rm **", "python3 -c *", "cd *",
		"* *", "env *", "*$(*", "git -C * push*",
		"npm run ?*", "**", "*.env*", "$HOME/bin/*", "ls -la", "git push origin main", "*'*", "npm  test", "terraform destroy*", "*)*",
		"7", ""}
	openPaths = []string{"*", "*", "*.env", "*.env.*", "*.env.example", "src/*", "src/**", "src/*.go", "**/*.pem", "*secret*",
		"docs/*.md", "docs/**", "a.go", "/etc/*", "~/notes/**",
		"$HOME/notes/*", "*.go", "src/[ab].go", "s?c/*", "../*", "**", "packages/*/x", "src/", "src/a*b.go", ".opencode/plans/*.md",
		"*/b/*"}
	openFolders = []string{"*", "/etc/*", "/etc/**", "/srv/*", "/srv/lib/**", "~/notes/**", "$HOME/notes/*", "/srv", "/tmp/*", "~/*",
		"/s*/lib/*"}
	openURLs  = []string{"*", "https://a.example/*", "*a.example*", "http://*", "https://a.example/x"}
	openWords = []string{"*", "explore", "general", "gen*", "review", "*", "release", "rel*", "git:*", "7", "TODO*", "*.go", "?",
		"re?iew"}
)

// openFile is a config file.
func openFile(r *rand.Rand) *ordered {
	file := (&ordered{}).set("$schema", "https://opencode.ai/config.json")
	if r.IntN(8) > 0 {
		openPermission(r, file)
	}
	if r.IntN(5) == 0 {
		t := &ordered{}
		for _, tool := range some(r, 4, "bash", "write", "edit", "read", "webfetch", "github*", "github_list_issues", "task", "patch",
			"skill", "*") {
			t.set(tool, r.IntN(2) == 0)
		}
		file.set("tools", t)
	}
	if r.IntN(8) == 0 {
		a := (&ordered{}).set("mode", one(r, "primary", "all", "subagent"))
		openPermission(r, a)
		if r.IntN(3) == 0 {
			a.set("tools", (&ordered{}).set(one(r, "bash", "edit", "*", "github*"), r.IntN(2) == 0))
		}
		file.set("agent", (&ordered{}).set(one(r, "build", "plan", "review"), a))
	}
	return file
}

// openPermission sets permission, of a file or an agent.
func openPermission(r *rand.Rand, into *ordered) {
	if r.IntN(12) == 0 {
		into.set("permission", one(r, openActions...))
		return
	}
	t := &ordered{}
	for range 1 + r.IntN(5) {
		key := one(r, "bash", "bash", "bash", "edit", "read", "*", "glob", "grep", "list", "task", "skill", "webfetch", "websearch",
			"lsp", "todowrite", "question", "external_directory",
			"external_directory", "doom_loop", "github_*", "github_list_issues", "*_delete*", "b*", "web*", "write", "my_srv_*",
			"*issue*", "mytool", "my*", "?ead", "plan_exit", "codesearch")
		pool := map[string][]string{"bash": openCommands, "b*": openCommands, "edit": openPaths, "read": openPaths, "?ead": openPaths,
			"list": openPaths, "external_directory": openFolders,
			"webfetch": openURLs}[key]
		if pool == nil {
			pool = openWords
		}
		if r.IntN(3) == 0 || key == "github_list_issues" {
			t.set(key, one(r, openActions...))
			continue
		}
		patterns := &ordered{}
		for range 1 + r.IntN(5) {
			patterns.set(one(r, pool...), one(r, openActions...))
		}
		t.set(key, patterns)
	}
	into.set("permission", t)
}

type openRule struct{ key, pattern, action string }

// openRules are the rules of a config, or of an agent, in their order: what the older tools say comes first, but a key of
// permission replaces what they say.
func openRules(config *ordered) (out []openRule) {
	all := &ordered{}
	for _, tool := range config.table("tools").keys {
		key, action := tool, "deny"
		if tool == "write" || tool == "patch" {
			key = "edit"
		}
		if config.table("tools").values[tool] == true {
			action = "allow"
		}
		all.set(key, action)
	}
	all.merge(config.table("permission"))
	for _, k := range all.keys {
		if text, ok := all.values[k].(string); ok {
			out = append(out, openRule{k, "*", text})
			continue
		}
		for _, whole := range []bool{true, false} { // a key that is a whole number comes first in JavaScript
			for _, pattern := range all.table(k).keys {
				if _, err := strconv.Atoi(pattern); (err == nil) == whole {
					out = append(out, openRule{k, pattern, all.table(k).values[pattern].(string)})
				}
			}
		}
	}
	return out
}

// openDefaults hold before what a config says. Of .env files the page says deny, in one version, and 1.18.33 asks.
var openDefaults = []openRule{{"*", "*", "allow"}, {"doom_loop", "*", "ask"}, {"external_directory", "*", "ask"},
	{"read", "*", "allow"}, {"read", "*.env", "ask"}, {"read", "*.env.*", "ask"}, {"read", "*.env.example", "allow"}}

// openMatch is how opencode compares: * is any text, ? one character, and " *" at the end may be nothing.
func openMatch(text, pattern string) bool {
	text, pattern = strings.ReplaceAll(text, `\`, "/"), strings.ReplaceAll(pattern, `\`, "/")
	stem, open := strings.CutSuffix(pattern, " *")
	return openGlob(text, pattern) || open && openGlob(text, stem)
}

func openGlob(text, pattern string) bool {
	for ; pattern != ""; text, pattern = text[1:], pattern[1:] {
		if pattern[0] == '*' {
			return openGlob(text, pattern[1:]) || text != "" && openGlob(text[1:], pattern)
		}
		if text == "" || pattern[0] != '?' && pattern[0] != text[0] {
			return false
		}
	}
	return text == ""
}

// openHome is a pattern that begins with the home folder.
func openHome(pattern string) string {
	if rest, ok := strings.CutPrefix(pattern, "$HOME"); ok {
		return home + rest
	}
	if pattern == "~" || strings.HasPrefix(pattern, "~/") {
		return home + pattern[1:]
	}
	return pattern
}

// openDecide is the answer to one question, and the pattern that gave it. also are texts that a restriction is compared with as well,
// where documentation and program disagree.
func openDecide(list []openRule, key, text string, also ...string) (hookio.Decision, string) {
	action, by := "ask", "*"
	for _, rule := range append(openDefaults[:len(openDefaults):len(openDefaults)], list...) {
		matches := openMatch(text, openHome(rule.pattern))
		for _, other := range also {
			matches = matches || rule.action != "allow" && openMatch(other, openHome(rule.pattern))
		}
		if matches && openMatch(key, rule.key) {
			action, by = rule.action, rule.pattern
		}
	}
	return map[string]hookio.Decision{"allow": hookio.Allow, "ask": hookio.Ask, "deny": hookio.Deny}[action], by
}

// An openCall is a call, and what opencode asks its rules about.
type openCall struct {
	tool, key string
	input     map[string]any
	texts     []string      // of key
	paths     []string      // files, by which key is asked about instead
	commands  []openCommand // of a shell text
	outside   []string      // folders that are outside the project
}

// An openCommand is the text of a command as opencode's parser has it, and the same command as decisions 4 reads it.
type openCommand struct{ text, same string }

// openAnswer is what opencode answers: the strictest answer of all that it asks.
func openAnswer(list []openRule, c openCall) (worst hookio.Decision) {
	worst = hookio.Allow
	take := func(d hookio.Decision) {
		if strict(d) > strict(worst) {
			worst = d
		}
	}
	for _, text := range c.texts {
		d, _ := openDecide(list, c.key, text)
		take(d)
	}
	for _, file := range c.paths {
		abs := file
		if !path.IsAbs(file) {
			abs = path.Join(project, file)
		}
		rel, _ := filepath.Rel(project, abs)
		if strings.HasPrefix(rel, "../") {
			c.outside = append(c.outside, path.Dir(abs))
		}
		d, _ := openDecide(list, c.key, rel, abs)
		take(d)
	}
	for _, command := range c.commands {
		take(openSame(list, command))
	}
	for _, folder := range c.outside {
		d, _ := openDecide(list, "external_directory", path.Join(folder, "*"))
		take(d)
	}
	return worst
}

// openSame excuses another spelling of a command that rules allow (decisions 4: quotes and blanks, inert assignments, timeout and
// its kin,
// redirects to nowhere or into the project in the bare posture, a program of a system folder by its name), where only the rule for all
// commands is about it.
func openSame(list []openRule, c openCommand) hookio.Decision {
	d, by := openDecide(list, "bash", c.text)
	if strings.Trim(by, "*") == "" && c.same != "" {
		if same, _ := openDecide(list, "bash", c.same); strict(same) < strict(d) {
			return same
		}
	}
	return d
}

// openSimple are simple commands; what follows | is the same command as decisions 4 reads it.
var openSimple = []string{"git status", "git status -s", "git push origin main", "git push", "git push --force",
	"git log > log.txt|git log", "git  \"status\"|git status",
	"LC_ALL=C git status|git status", "FOO=1 npm test", "timeout 5 npm test|npm test", "/usr/bin/git status|git status",
	"git status > /dev/null|git status", "git log --stat",
	"git commit -m \"x --force y\"", "git commit -m 'a && b'", "git -C /srv push", "rm -rf build", "rm x", "rm", "npm run build",
	"npm run build:all", "npm test", "npm ci",
	"npm  test|npm test", "ls", "ls -la", "ls src", "cat a.go", "cat .env", "sudo rm x", "sudo ls", "curl https://a.example/x",
	"echo hi", "echo \"hi\"|echo hi", "echo 'rm -rf /' > out.txt",
	"make", "make all", "makefoo", "FOO=1 make", "docker run x", "docker [a-z] x", "python3 -c 'print(1)'", "env FOO=1 make", "env",
	"terraform destroy -auto-approve", "cat *.env",
	"xargs rm", "7", "'ls'|ls", "l\\s|ls", "git log --format='%h (%s)'", "kubectl get pods", "./run.sh"}

// openShell is a shell text, of simple commands as opencode's parser finds them.
func openShell(r *rand.Rand) openCall {
	c := openCall{tool: "bash", key: "bash"}
	simple := func() string {
		text, same, _ := strings.Cut(one(r, openSimple...), "|")
		c.commands = append(c.commands, openCommand{text, same})
		return text
	}
	text := simple()
	for range r.IntN(3) {
		switch more := simple(); r.IntN(7) {
		case 0:
			text += " && " + more
		case 1:
			text += "; " + more
		case 2:
			text += " | " + more
		case 3:
			text += "\n" + more
		case 4:
			text = "(" + text + " || " + more + ")"
		case 5:
			outer := "echo $(" + more + ")"
			text += " && " + outer
			c.commands = append(c.commands, openCommand{text: outer})
		case 6:
			text = "if " + text + "; then " + more + "; fi"
		}
	}
	switch r.IntN(8) {
	case 0:
		text += " # rm -rf x --force"
	case 1:
		text = "cd src && " + text // of which nothing is asked
	case 2:
		text = "cd /srv && " + text
		c.outside = []string{"/srv"}
	case 3:
		text += " && cat /etc/hosts"
		c.commands = append(c.commands, openCommand{text: "cat /etc/hosts"})
		c.outside = []string{"/etc"}
	case 4:
		text += " && mkdir ~/notes/x"
		c.commands = append(c.commands, openCommand{text: "mkdir ~/notes/x"})
		c.outside = []string{home + "/notes"}
	case 5:
		text = "export A=1; " + text // no command there
	}
	c.input = map[string]any{"command": text, "description": "x"}
	switch r.IntN(12) {
	case 0:
		c.input["workdir"] = "/srv"
		c.outside = append(c.outside, "/srv")
	case 1:
		c.input["workdir"] = project + "/src"
	}
	return c
}

// openPath is a path inside and outside of the project.
func openPath(r *rand.Rand) string {
	return one(r, "a.go", "src/a.go", project+"/src/a.go", "src/b/c.go", ".env", "web/.env", ".env.local", ".env.example", "secret.txt",
		"src/secret/x", "docs/a.md", "docs/b/a.md",
		"src/key.pem", "/etc/hosts", "/srv/x", "/srv/lib/x", home+"/notes/x", home+"/notes/b/x", "src/../a.go", "packages/a/b/x",
		"../other/x", "sac/x", "src/acb.go", "src/a/x/b.go")
}

func openFileCall(tool, key string, more ...string) func(r *rand.Rand) openCall {
	return func(r *rand.Rand) openCall {
		at := openPath(r)
		input := map[string]any{"filePath": at}
		for i := 0; i < len(more); i += 2 {
			input[more[i]] = more[i+1]
		}
		return openCall{tool: tool, key: key, input: input, paths: []string{at}}
	}
}

func openTextCall(tool, field string, texts ...string) func(r *rand.Rand) openCall {
	return func(r *rand.Rand) openCall {
		text := one(r, texts...)
		return openCall{tool: tool, key: tool, input: map[string]any{field: text, "description": "x", "prompt": "x"},
			texts: []string{text}}
	}
}

var openCalls = []func(r *rand.Rand) openCall{
	openShell, openShell, openShell, openShell, openShell,
	openFileCall("read", "read"), openFileCall("read", "read"), openFileCall("write", "edit", "content", "x"), openFileCall("edit",
		"edit", "oldString", "a", "newString", "b"),
	func(r *rand.Rand) openCall {
		a, b := openPath(r), openPath(r)
		text := "*** Begin Patch\n*** Update File: " + a + "\n@@\n-a\n+b\n*** Add File: " + b + "\n+x\n*** End Patch"
		return openCall{tool: "apply_patch", key: "edit", input: map[string]any{"patchText": text}, paths: []string{a, b}}
	},
	func(r *rand.Rand) openCall {
		tool, c := one(r, "glob", "grep"), openCall{texts: []string{one(r, "*.go", "**/*.env", "TODO.*", "src/**")}}
		c.tool, c.key, c.input = tool, tool, map[string]any{"pattern": c.texts[0]}
		if r.IntN(3) == 0 {
			c.input["path"] = "/srv"
			c.outside = []string{"/srv"}
		}
		return c
	},
	openTextCall("webfetch", "url", "https://a.example/x", "https://b.a.example/y", "http://c.example/"),
	openTextCall("websearch", "query", "go embed", "TODO list"),
	openTextCall("task", "subagent_type", "explore", "general", "review", "gen"),
	openTextCall("skill", "name", "release", "git:commit", "7", "review"),
	func(r *rand.Rand) openCall {
		tool := one(r, "todowrite", "github_list_issues", "github_delete_issue", "my_srv_run", "mytool", "lsp", "jira_search",
			"question", "codesearch", "other_delete", "plan_exit")
		input := map[string]any{"todowrite": map[string]any{"todos": []any{}}, "lsp": map[string]any{"operation": "hover",
			"filePath": "a.go", "line": 1, "character": 1},
			"question": map[string]any{"questions": []any{}}}[tool]
		if input == nil {
			input = map[string]any{"q": "x"}
		}
		return openCall{tool: tool, key: tool, input: input.(map[string]any), texts: []string{"*"}}
	},
	func(r *rand.Rand) openCall { // of older versions
		at := one(r, "src", "docs", "secret.txt", "release")
		return openCall{tool: "list", key: "list", input: map[string]any{"path": at}, texts: []string{at}}
	},
	func(r *rand.Rand) openCall {
		return openCall{tool: "read_mcp_resource", key: "read", input: map[string]any{"server": "docs", "uri": "doc://x"},
			texts: []string{"mcp:docs:doc://x"}}
	},
}
