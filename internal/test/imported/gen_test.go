package imported

import (
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/rules"
)

// genModel and sanModel are Gen and its successor as its permission page says (seed 0), with their modes as the settings
// packages at 8de13bfc and 2352ceaa send them. What the page does not say about a rule is as in decisions 4.
var (
	genModel = model{"gen", "gen", func(r *rand.Rand) policy { return drawGen(r, ".gen", "default", "auto", "bypassPermissions", "") }}
	sanModel = model{"gen", "san", func(r *rand.Rand) policy {
		return drawGen(r, ".san", "default", "auto", "autoPilot", "bypassPermissions", "")
	}}
)

// A genPolicy is a settings.json.
type genPolicy struct {
	allow, ask, deny []string
	mode             string // that a session starts in
	bypass           bool   // the mode bypassPermissions is not locked
	disabled         string // a tool
}

type genCall struct {
	tool, arg, mode string // mode is what the payload says
}

func drawGen(r *rand.Rand, root string, modes ...string) policy {
	p := policy{scope: []rules.Scope{rules.User, rules.Local, rules.Shared, rules.Managed}[r.IntN(4)]}
	p.claude = p.scope != rules.Managed && r.IntN(3) == 0
	g := &genPolicy{bypass: true, allow: genRules(r, 4), ask: genRules(r, 2), deny: genRules(r, 3)}
	permissions, top := map[string]any{"allow": g.allow, "ask": g.ask, "deny": g.deny}, map[string]any{"permissions": nil, "theme": "dark"}
	for name, list := range map[string][]string{"allow": g.allow, "ask": g.ask, "deny": g.deny} {
		if list == nil {
			delete(permissions, name)
		}
	}
	if len(g.deny) == 1 && r.IntN(4) == 0 {
		permissions["deny"] = g.deny[0] // what the person meant is plain
	} else if len(g.deny) > 1 && r.IntN(4) == 0 {
		permissions["deny"] = []any{g.deny[0], 3}
		g.deny = g.deny[:1]
	}
	if g.mode = one(r, "", "default", "acceptEdits", "accept-edits", "auto-accept", "dontAsk", "dont-ask", "bypassPermissions", "bypass", "yolo", "autoPilot", "pilot",
		"readOnly", "read-only", "explore", "plan", "auto", "edit"); g.mode != "" {
		permissions[one(r, "defaultMode", "defaultMode", "DefaultMode")] = g.mode
	}
	switch r.IntN(4) {
	case 0:
		top["allowBypass"] = true
	case 1:
		top["allowBypass"], g.bypass = false, false
	}
	if r.IntN(5) == 0 {
		g.bypass = false
		[]map[string]any{permissions, top}[r.IntN(2)]["disableBypassPermissionsMode"] = []any{true, "disable", "yes"}[r.IntN(3)]
	}
	if r.IntN(6) == 0 {
		g.disabled = one(r, "WebSearch", "Bash", "Write", "mine", "mcp__jira__search", "Agent")
		top["disabledTools"] = map[string]any{g.disabled: true, "Read": false}
	}
	if r.IntN(6) == 0 {
		top["autoMode"] = map[string]any{"hard_deny": genRules(r, 1), "allow": []string{"Bash(make:*)"}}
	}
	top["permissions"] = permissions
	p.files = []importer.File{{Name: root + "/settings.json", Text: []byte(strings.ReplaceAll(compact(top), "null", "[]"))}}
	p.call = func(r *rand.Rand) (string, hookio.Decision) {
		c := drawGenCall(r, slices.Concat(g.allow, g.ask, g.deny))
		c.mode = one(r, modes...)
		payload := map[string]any{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": project, "tool_name": c.tool, "tool_use_id": "t",
			"transcript_path": home + "/" + root + "/projects/x.jsonl", "tool_input": c.input()}
		if c.mode != "" {
			payload["permission_mode"] = c.mode
		}
		return compact(payload), g.answer(c)
	}
	return p
}

func genRules(r *rand.Rand, most int) []string {
	return some(r, most, "Bash", "Bash(*)", "Bash(git:*)", "Bash(git status)", "Bash(git push *)", "Bash(git log:*)", "Bash(npm run *)", "Bash(npm run build:*)", "Bash(make*)",
		"Bash(* --version)", "Bash(*secret*)", "Bash(ls ?)", "Bash(make && ls)", "Bash(go test ./...)", "Bash(timeout 5 make)", "Bash(rm -rf *)", "Bash(echo 'a b')", "Bash(cat **)",
		"Read", "Read(./src/**)", "Read(/src/*)", "Read(./.env)", "Read(**/.env)", "Read(~/.ssh/**)", "Read(//srv/**)", "Read(secret.txt)", "Read(./s?c/a.go)",
		"Edit", "Edit(/docs/**)", "Edit(./src/*.go)", "Edit(//srv/x)", "Edit(**/*.pem)", "Write", "Write(./docs/*)", "NotebookEdit", "Grep", "Glob",
		"WebFetch", "WebFetch(domain:a.example)", "WebFetch(domain:*.a.example)", "WebSearch", "Skill(git:*)", "Skill(review)", "Skill", "Agent(Explore)", "Agent",
		"MCP(mcp__jira__*)", "mcp__jira__search", "mcp__jira__*", "mcp__jira", "MCP(mcp__*)", "MCP(mcp__*__delete*)", "mine", "TodoWrite", "TaskCreate")
}

func drawGenCall(r *rand.Rand, near []string) genCall {
	file := one(r, "a.go", "src/a.go", "src/b/c.go", "docs/a.md", "docs/b/a.md", "secret.txt", "src/key.pem", "/srv/x", "/srv/a/b", "/home/dev/.ssh/id", "~/.ssh/id", ".env", "src/.env",
		"/work/project/.git/config", "/home/dev/.bashrc", "src/../secret.txt", "/work/project/docs/a.md", "../up")
	base := func() string {
		return one(r, "git status", "git push origin main", "git push", "git log -p", "gitk", "npm run build", "npm run build x", "npm run x", "make", "make all", "node --version",
			"cat secret", "ls x", "ls", "make && ls", "go test ./...", "rm -rf build", "git push --force", "echo 'a b'", "echo a b", "git reset --hard", "cat src/a.go")
	}
	c := genCall{tool: one(r, "Bash", "Bash", "Bash", "Read", "Edit", "Write", "NotebookEdit", "Grep", "WebFetch", "WebSearch", "Skill", "Agent", "Task", "TodoWrite", "TaskCreate",
		"mcp__jira__search", "mcp__jira__delete_issue", "mcp__db__delete", "mine", "AskUserQuestion", "Glob"), arg: file}
	if len(near) > 0 && r.IntN(2) == 0 {
		if tool, _, _ := strings.Cut(near[r.IntN(len(near))], "("); tool != "MCP" && tool != "mcp__jira" {
			c.tool = strings.Replace(tool, "*", "search", 1)
		}
	}
	switch c.tool {
	case "Bash":
		c.arg = one(r, "", "", "", "timeout 5 ", "nice -n 5 ", "/usr/bin/", "A=1 ", " ") + base() + one(r, "", "", "", " && "+base(), "; "+base(), " | "+base(), "\n"+base(), " & "+base(), " # secret", " 2>&1")
	case "WebFetch":
		c.arg = one(r, "https://a.example/x", "https://b.a.example/", "https://A.example:443/", "http://c.example/")
	case "Skill":
		c.arg = one(r, "git:commit", "git", "review", "other")
	case "Agent", "Task":
		c.arg = one(r, "Explore", "general", "explore")
	}
	return c
}

func (c genCall) input() map[string]any {
	switch c.tool {
	case "Bash":
		return map[string]any{"command": c.arg}
	case "Read", "Glob", "Grep":
		return map[string]any{map[bool]string{true: "file_path", false: "path"}[c.tool == "Read"]: c.arg, "pattern": "x"}
	case "Edit":
		return map[string]any{"file_path": c.arg, "old_string": "a", "new_string": "b"}
	case "Write":
		return map[string]any{"file_path": c.arg, "content": "x"}
	case "NotebookEdit":
		return map[string]any{"notebook_path": c.arg, "new_source": "x"}
	case "WebFetch":
		return map[string]any{"url": c.arg, "prompt": "x"}
	case "Skill":
		return map[string]any{"skill": c.arg}
	case "Agent", "Task":
		return map[string]any{"subagent_type": c.arg, "prompt": "x"}
	}
	return map[string]any{"query": "x"}
}

// answer is the pipeline. The payload says default in the modes dontAsk and readOnly as well, in which a session only starts.
func (g *genPolicy) answer(c genCall) hookio.Decision {
	edit := slices.Contains([]string{"Edit", "Write", "NotebookEdit"}, c.tool)
	matches := func(p string) bool { return c.matches(p, false) }
	mode := g.session(c.mode)
	got := hookio.Ask
	switch {
	case g.disabled == c.tool, g.disabled == "Agent" && c.tool == "Task", slices.ContainsFunc(g.deny, matches):
		return hookio.Deny
	case c.immune(edit):
	case mode == "bypass":
		return hookio.Allow
	case edit && mode == "accept" && !c.inside() && !slices.ContainsFunc(g.allow, func(p string) bool { return strings.Contains(p, "(//") && c.matches(p, true) }):
	case slices.ContainsFunc(g.ask, matches):
	case g.allows(c), edit && mode == "accept", slices.Contains(strings.Fields("Read Glob Grep WebFetch WebSearch LSP TaskCreate TaskGet AskUserQuestion"), c.tool):
		return hookio.Allow
	}
	if mode == "silent" {
		return hookio.Deny
	}
	return got
}

// session is the mode of the session.
func (g *genPolicy) session(sent string) string {
	started := ""
	switch g.mode {
	case "dontAsk", "dont-ask", "readOnly", "read-only":
		started = "silent"
	case "acceptEdits", "accept-edits", "auto-accept":
		started = "accept"
	case "bypassPermissions", "bypass", "yolo":
		started = "bypass"
	}
	switch {
	case (sent == "bypassPermissions" || sent == "" && started == "bypass") && g.bypass:
		return "bypass"
	case sent == "auto" || sent == "" && started == "accept":
		return "accept"
	case sent == "default" || sent == "":
		return map[bool]string{true: "silent"}[started == "silent"]
	}
	return ""
}

// immune is what is asked about in every mode: sensitive paths that are edited, destructive commands.
func (c genCall) immune(edit bool) bool {
	destructive := regexp.MustCompile(`rm -rf|push --force|reset --hard`)
	return edit && regexp.MustCompile(`/\.(git|ssh)/|/\.(env|bashrc)$`).MatchString("/"+c.arg) || c.tool == "Bash" && destructive.MatchString(c.arg)
}

func (g *genPolicy) allows(c genCall) bool {
	one := func(c genCall) bool {
		return slices.ContainsFunc(g.allow, func(p string) bool { return c.matches(p, true) })
	}
	if c.tool != "Bash" {
		return one(c)
	}
	return chained(c.arg, func(text string) bool { return one(genCall{"Bash", text, ""}) }) || slices.Contains(g.allow, "Bash("+c.arg+")")
}

func (c genCall) abs() string {
	if rest, ok := strings.CutPrefix(c.arg, "~/"); ok {
		return path.Join(home, rest)
	} else if path.IsAbs(c.arg) {
		return path.Clean(c.arg)
	}
	return path.Join(project, c.arg)
}

func (c genCall) inside() bool { return strings.HasPrefix(c.abs(), project+"/") }

// matches reports whether a rule is about a call. Of a command's parts one is enough for a restriction.
func (c genCall) matches(rule string, allow bool) bool {
	tool, arg, has := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
	own := c.tool
	if own == "Task" {
		own = "Agent"
	}
	switch {
	case strings.HasPrefix(tool, "mcp__"):
		return own == tool || strings.HasPrefix(own, strings.TrimSuffix(tool, "__*")+"__") && strings.Count(tool, "__")+strings.Count(tool, "*") != 2
	case tool == "MCP":
		return strings.HasPrefix(own, "mcp__") && genGlob(arg, own, ".")
	case tool == "Edit" && (own == "Write" || own == "NotebookEdit"), tool == "Read" && (own == "Grep" || own == "Glob"):
	case tool != own:
		return false
	}
	switch {
	case !has || arg == "*" || arg == "**":
		return true
	case own == "Bash":
		if allow {
			return genCommand(arg, c.arg)
		}
		return slices.ContainsFunc(chainParts(c.arg), func(words []string) bool {
			return slices.ContainsFunc(sameTexts(words), func(text string) bool { return genCommand(arg, text) })
		})
	case own == "WebFetch":
		host := regexp.MustCompile(`//([^/:]*)`).FindStringSubmatch(strings.ToLower(c.arg))[1]
		apex, sub := strings.CutPrefix(strings.TrimPrefix(arg, "domain:"), "*.")
		return host == apex && !sub || sub && strings.HasSuffix(host, "."+apex)
	case own == "Skill":
		stem, open := strings.CutSuffix(arg, ":*")
		return c.arg == stem || open && strings.HasPrefix(c.arg, stem+":")
	case own == "Agent":
		return c.arg == arg
	}
	return c.file(arg, allow)
}

func genCommand(pattern, text string) bool {
	if stem, ok := strings.CutSuffix(pattern, ":*"); ok {
		return text == stem || strings.HasPrefix(text, stem+" ")
	}
	return genGlob(pattern, text, ".")
}

// file: // is the filesystem, / the project, ./ the folder; without one of them a restriction is about that name anywhere.
func (c genCall) file(pattern string, allow bool) bool {
	at := c.abs()
	switch {
	case strings.HasPrefix(pattern, "//"):
		return genGlob(pattern[1:], at, "[^/]")
	case strings.HasPrefix(pattern, "~/"):
		return genGlob(home+pattern[1:], at, "[^/]")
	case !allow && (strings.HasPrefix(pattern, "**/") || !strings.Contains(pattern, "/")):
		return genGlob("/**/"+strings.TrimPrefix(pattern, "**/"), at, "[^/]")
	}
	return genGlob(project+"/"+strings.TrimPrefix(strings.TrimPrefix(pattern, "."), "/"), at, "[^/]")
}

func genGlob(pattern, text, one string) bool {
	re := strings.NewReplacer(`/\*\*/`, "/(?:.*/)?", `\*\*`, ".*", `\*`, one+"*", `\?`, one).Replace(regexp.QuoteMeta(pattern))
	ok, err := regexp.MatchString("(?s)^(?:"+re+")$", text)
	if err != nil {
		panic(fmt.Sprint(pattern, err))
	}
	return ok
}
