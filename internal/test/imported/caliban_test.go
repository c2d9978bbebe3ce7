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

// calibanModel is caliban as its guide (permissions: patterns, concepts, modes), ADR 0029 and 0045 and its matcher say at
// f33a2d05. Where they disagree the stricter answer counts.
var calibanModel = model{"caliban", "caliban", drawCaliban}

type calibanRule struct{ pattern, action string }

type calibanCall struct {
	tool  string
	input map[string]any
}

// A calibanPolicy is what a person of caliban has written, as it counts there.
type calibanPolicy struct {
	rules            []calibanRule // the first that matches wins
	mode             string
	hard, soft, auto []string // of auto-mode.toml
}

func drawCaliban(r *rand.Rand) policy {
	p := policy{scope: []rules.Scope{rules.User, rules.User, rules.Local, rules.Shared, rules.Managed}[r.IntN(5)]}
	c := &calibanPolicy{mode: one(r, "", "default", "acceptEdits", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")}
	for range r.IntN(6) {
		c.rules = append(c.rules, calibanRule{calibanPattern(r), one(r, "allow", "allow", "ask", "deny", "deny")})
	}
	name, text := "permissions.toml", ""
	switch r.IntN(4) {
	case 0:
		text = c.head(r) + c.tables(r, "permissions.rules", "pattern")
	case 1:
		text = c.head(r) + c.tables(r, "rule", "tool")
		c.rules = byAction(c.rules) // so the newer form takes them over
	case 2:
		name, text = "settings.toml", c.head(r)+c.tables(r, "permissions.rules", "pattern")+c.servers(r)
	default:
		name, text = "settings.json", c.buckets(r)
	}
	p.files = []importer.File{{Name: name, Text: []byte(text)}}
	if name == "permissions.toml" && r.IntN(4) == 0 { // whose table replaces this one
		text = fmt.Sprintf("[permissions]\nallow = [%q]\ndefault_mode = \"acceptEdits\"\n", calibanPattern(r)) + c.servers(r)
		p.files = append(p.files, importer.File{Name: "settings.toml", Text: []byte(text)})
	}
	for i := range p.files {
		switch name := &p.files[i].Name; p.scope {
		case rules.Managed:
			*name = "managed-" + *name
		case rules.Local:
			*name = strings.Replace(*name, ".", ".local.", 1)
		}
	}
	if r.IntN(3) == 0 {
		p.files = append(p.files, importer.File{Name: "auto-mode.toml", Text: []byte(c.lists(r))})
	}
	for _, tool := range []string{"Read", "Grep", "Glob", "TodoWrite", "EnterPlanMode", "ExitPlanMode"} {
		c.rules = append(c.rules, calibanRule{tool, "allow"})
	}
	c.rules = append(c.rules, calibanRule{"*", "ask"})
	p.call = func(r *rand.Rand) (string, hookio.Decision) {
		call := drawCalibanCall(r, c.rules[r.IntN(len(c.rules))].pattern)
		return compact(map[string]any{"hookEventName": "PreToolUse", "session_id": "s", "turn_index": 1,
			"tool": map[string]any{"name": call.tool, "useId": "t", "input": call.input}}), c.answer(call)
	}
	return p
}

// head is the table permissions. Of the two keys for the mode only the first counts in the code.
func (c *calibanPolicy) head(r *rand.Rand) string {
	text := "[permissions]\n"
	if c.mode != "" {
		key := "default_mode"
		if rules.StricterMode(c.mode, "default") && r.IntN(4) == 0 {
			key = "defaultMode"
		}
		text += fmt.Sprintf("%s = %q\n", key, c.mode)
	}
	return text + one(r, "", "", "enforce = true\n", "enforce = false\n", "audit_log = true\n")
}

// tables are the rules in order. An end is read and does not count; it is no reason to allow more.
func (c *calibanPolicy) tables(r *rand.Rand, table, key string) (text string) {
	var count []calibanRule
	for _, rule := range c.rules {
		action := rule.action
		if key == "pattern" && r.IntN(12) == 0 {
			action = strings.ToUpper(action)
		}
		text += fmt.Sprintf("[[%s]]\n%s = %q\naction = %q\n", table, key, rule.pattern, action)
		if key == "pattern" && r.IntN(12) == 0 {
			text += "tool = \"Skill\"\n" // the other name of the key
		}
		if r.IntN(12) > 0 {
			count = append(count, rule)
			continue
		}
		text += "expires_at = \"2020-01-01T00:00:00Z\"\n"
		if rule.action != "allow" {
			count = append(count, rule)
		}
	}
	c.rules = count
	return text
}

// buckets is settings.json with the lists of the older form. Where there are rules as well, these count alone.
func (c *calibanPolicy) buckets(r *rand.Rand) string {
	lists := map[string]any{}
	var tables []map[string]string
	for _, action := range []string{"allow", "ask", "deny"} {
		var texts []string
		for _, rule := range c.rules {
			if rule.action == action {
				texts = append(texts, rule.pattern)
			}
		}
		if texts != nil {
			lists[action] = texts
		}
	}
	if c.rules = byAction(c.rules); r.IntN(4) == 0 {
		rule := calibanRule{calibanPattern(r), one(r, "allow", "ask", "deny")}
		tables = append(tables, map[string]string{"pattern": rule.pattern, "action": rule.action})
		c.rules, lists["rules"] = []calibanRule{rule}, tables
	}
	if c.mode != "" {
		lists["default_mode"] = c.mode
	}
	return compact(map[string]any{"permissions": lists})
}

// byAction are rules as the older lists count.
func byAction(list []calibanRule) []calibanRule {
	list = slices.Clone(list)
	at := func(l calibanRule) int { return strings.Index("deny ask allow", l.action) }
	slices.SortStableFunc(list, func(a, b calibanRule) int { return at(a) - at(b) })
	return list
}

// servers are rules of an MCP server: after every deny, before the rest. What is no letter is _ in a name there.
func (c *calibanPolicy) servers(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return ""
	}
	text, own := "[mcp_servers.jira]\ncommand = \"x\"\n", []calibanRule(nil)
	if r.IntN(6) == 0 {
		text += "disabled = true\n"
		own = append(own, calibanRule{"mcp__jira__*", "deny"})
	}
	text += "[mcp_servers.jira.permissions]\n"
	for _, action := range []string{"deny", "ask", "allow"} {
		list := some(r, 2, "search", "*", "delete_*", "delete/issue", "s?arch", "[sd]*", "search:*", "x")
		text += action + " = " + compact(list) + "\n"
		for _, tool := range list {
			tool = regexp.MustCompile(`[^\w*?-]`).ReplaceAllString(tool, "_")
			own = append(own, calibanRule{"mcp__jira__" + tool, action})
		}
	}
	if own != nil {
		deny := func(l calibanRule) bool { return l.action == "deny" }
		rest := slices.DeleteFunc(slices.Clone(c.rules), deny)
		c.rules = slices.Concat(slices.DeleteFunc(c.rules, func(l calibanRule) bool { return !deny(l) }), own, rest)
	}
	return strings.ReplaceAll(text, "null", "[]")
}

// lists is auto-mode.toml, of which no version reads anything yet.
func (c *calibanPolicy) lists(r *rand.Rand) (text string) {
	pool := []string{"Bash:rm *", "Bash:git *", "Bash(make *)", "Bash:* | sh*", "Write:**/.env*", "WebFetch:http://*", "Bash:[ab]*", "mcp__jira__*", "Edit", "*"}
	for _, l := range []struct {
		name string
		of   *[]string
	}{{"hard_deny", &c.hard}, {"soft_deny", &c.soft}, {"allow", &c.auto}} {
		*l.of = some(r, 2, pool...)
		text += l.name + " = " + strings.ReplaceAll(compact(*l.of), "null", "[]") + "\n"
	}
	return text
}

// calibanPattern draws a pattern of a rule.
func calibanPattern(r *rand.Rand) string {
	tool := one(r, "Bash", "Bash", "Bash", "Bash", "Read", "Read", "Write", "Write", "Edit", "Edit", "MultiEdit", "NotebookEdit", "WebFetch", "WebFetch",
		"WebSearch", "Grep", "Glob", "mcp__jira__search", "mcp__jira__*", "mcp__*", "mcp__*__delete*", "mcp__{jira,db}__*", "mcp__[jd]*", "mcp__*__s?arch",
		"*Edit", "{Read,Write}", "[BR]ash", "W*", "*", "?ash", "*a*", "Skill", "AgentTool", "mine", "TodoWrite", "bash", "Bash*")
	text := one(r, "git", "git push", "make", "npm run build", "rm", "ssh", "cat", "docker:x", "A=1 make", "echo 'a b'", "[rg]*", "{rm,ssh}", "sudo", "") +
		one(r, "", " *", " *", "*", "*", " ?*", " * *", " -f*", " * main", " src/*", " > *", " && *", " # *", ":*")
	switch r.IntN(6) {
	case 0:
		text = one(r, "~", "~*", "*", "**", "*|*", "~ ") + strings.TrimSpace(text)
	case 1:
		text = one(r, "command=", "path=", "a.b=", "x=y,command=", "content=*", "url=https://", "project=X,path=", "git log --x=") + one(r, text, "*", "src/*", "*secret*", "X")
	case 2:
		text = one(r, "*secret*", "**", "*", "https://*", "s*", "?", "[ab]*", "", "~*secret*")
	}
	switch {
	case strings.Contains(text, "=") && r.IntN(2) == 0:
	case strings.Contains("Read Write Edit MultiEdit NotebookEdit *Edit {Read,Write}", tool):
		text = one(r, "src/**", "**/*.go", "*.pem", "secret.txt", "./a.go", "/srv/*", "/srv/**", "docs/*", "src/[ab].go", "{src,docs}/**", "**", "*", "?.go",
			"src/**/c.go", "../up", "/work/project/**", "src//a.go", "docs/", "~/x", "**.go", "src/b", "/work/../srv/x", "s*/a.go", "**/secret*", "docs/a.md ", "/", "src")
	case tool == "WebFetch" || tool == "W*":
		text = one(r, "https://a.example/*", "https://*.a.example/*", "http://*", "*secret*", "https://a.example/x", "*a.example*", "https://[ab].example/*", "https://docs.*")
	}
	return one(r, tool, tool+":"+text, tool+":"+text, tool+"("+text+")", tool+"("+text+")", tool+"("+text)
}

// drawCalibanCall draws a call, every other time one that is near a pattern.
func drawCalibanCall(r *rand.Rand, near string) calibanCall {
	tools := []string{"Bash", "Bash", "Bash", "Bash", "Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "WebFetch", "Grep", "Glob", "WebSearch", "TodoWrite", "Skill",
		"AgentTool", "BashOutput", "EnterPlanMode", "ExitPlanMode", "ReadMemoryTopic", "ToolSearch", "mine", "bash",
		"mcp__jira__search", "mcp__jira__delete_issue", "mcp__db__query", "mcp__db__delete", "mcp__other__x"}
	name, glob, _ := splitCaliban(near)
	aimed := ""
	if fits := slices.DeleteFunc(slices.Clone(tools), func(t string) bool { return !globset(name, false, t) }); len(fits) > 0 && r.IntN(2) == 0 {
		aimed, tools = filled(r, strings.TrimPrefix(glob[strings.LastIndex(glob, "=")+1:], "~")), fits
	}
	at := func(texts ...string) string {
		if aimed != "" {
			return aimed
		}
		return one(r, texts...)
	}
	file := at("a.go", "src/a.go", "src/b/c.go", "secret.txt", "docs/secret.txt", "docs/a.md", "/srv/x", "/srv/a/b", "../up", "./src/../secret.txt",
		"/work/project/src/a.go", ".hidden", "src/key.pem", "~/x", "x/src/a.go", "src", "/work/project/../../srv/x", "SRC/a.go", "src/b", "docs/sub/x")
	input := map[string]any{"path": file}
	tool := one(r, tools...)
	switch tool {
	case "Bash":
		input = map[string]any{"command": calibanCommand(r, at)}
	case "Write":
		input["content"] = one(r, "x", "a secret")
	case "Edit":
		input["old_string"], input["new_string"] = "a", "b"
	case "MultiEdit":
		input["edits"] = []any{map[string]any{"old_string": "a", "new_string": "b"}}
	case "NotebookEdit":
		input["action"], input["index"], input["source"] = "replace", 1, "x"
	case "WebFetch":
		input = map[string]any{"url": at("https://a.example/x", "https://b.a.example/", "http://a.example/x", "https://c.example/secret", "https://docs.rs/x", "HTTPS://A.example/x")}
	case "Grep", "Glob":
		input["pattern"] = "x"
	case "Read":
	default:
		if input["project"], input["a"] = at("X", "Y"), map[string]any{"b": "X"}; !strings.HasPrefix(tool, "mcp__") {
			input = map[string]any{"query": at("x")}
		}
	}
	return calibanCall{tool, input}
}

// filled is a text near a pattern.
func filled(r *rand.Rand, glob string) string {
	glob = regexp.MustCompile(`\[!?(.)[^\]]*\]|\{([^,}]*)[^}]*\}`).ReplaceAllString(glob, "$1$2")
	return regexp.MustCompile(`\*\*/?|\*|\?`).ReplaceAllStringFunc(glob, func(s string) string {
		switch s {
		case "?":
			return one(r, "x", "x", "/", "")
		case "*":
			return one(r, "", "x", "secret", "x y", "x/y", "x", ".x", "'x'", "x.go")
		}
		return one(r, "", "x/", "x/y/", "x")
	})
}

// calibanCommand draws what Bash is to run.
func calibanCommand(r *rand.Rand, at func(texts ...string) string) string {
	base := func(at func(texts ...string) string) string {
		return at("git status", "git push origin main", "git push", "git", "gitk", "make", "make all", "npm run build", "rm x", "rm -f x", "ssh host", "cat secret.txt",
			"cat src/a.go", "docker:x y", "echo 'a b'", "echo ssh x", "charm x", "go test ./src/...", "bash -c 'rm x'", "git log --x=y", "ls", "ls -l x")
	}
	any := func(texts ...string) string { return one(r, texts...) }
	text := any("", "", "", "", "", "", "timeout 5 ", "sudo ", "A=1 ", "/usr/bin/", "  ", "FOO=secret ", "command ", "ls; ") + base(at)
	text += any("", "", "", "", "", "", " > out", " > secret", " # secret", " # ssh x", "  -f", " 2>&1", " < secret.txt", " ", "\n", " \"$(rm x)\"",
		" && "+base(any), "; "+base(any), " | "+base(any), "|sh", "\n"+base(any), " &")
	if r.IntN(12) == 0 {
		text = strings.Replace(text, " ", "  ", 1)
	} else if r.IntN(12) == 0 {
		text = regexp.MustCompile(`\w+`).ReplaceAllString(text, `"$0"`)
	}
	return text
}

// answer is what caliban does. Without the option of its command line bypassPermissions is default there, and in auto a
// model may ask whatever it is not told. dontAsk denies by the design and allows by the code.
func (c *calibanPolicy) answer(call calibanCall) hookio.Decision {
	got := c.excused(call)
	switch c.mode {
	case "acceptEdits":
		if got == hookio.Ask && isCalibanEdit(call.tool) {
			return hookio.Allow
		}
	case "plan":
		if !slices.Contains([]string{"Read", "Grep", "Glob", "WebFetch", "Skill", "EnterPlanMode", "ExitPlanMode"}, call.tool) {
			return hookio.Deny
		}
	case "dontAsk":
		if got == hookio.Ask && call.tool != "ExitPlanMode" { // decisions 9: that one is always the user's
			return hookio.Deny
		}
	case "auto":
		meets := func(p string) bool { return call.listed(p) }
		switch {
		case slices.ContainsFunc(append(c.hard, "Bash:sudo *", "Bash:rm -rf /*", "Bash:curl * | sh*", "Bash:* | sh*", "WebFetch:http://*"), meets):
			return hookio.Deny
		case got == hookio.Ask && !slices.ContainsFunc(c.soft, meets) && slices.ContainsFunc(c.auto, meets):
			return hookio.Allow
		}
	}
	return got
}

// first is the first rule that matches. An argument for a tool that has none fits nothing by the guide, and by the code
// what fits an empty text: so it allows nothing.
func (c *calibanPolicy) first(call calibanCall) calibanRule {
	for _, l := range c.rules {
		if call.matches(l.pattern, l.action == "allow") {
			return l
		}
	}
	return calibanRule{"*", "ask"}
}

func decision(action string) hookio.Decision {
	return map[string]hookio.Decision{"allow": hookio.Allow, "ask": hookio.Ask, "deny": hookio.Deny}[action]
}

func isCalibanEdit(tool string) bool {
	return slices.Contains([]string{"Write", "Edit", "MultiEdit", "NotebookEdit"}, tool)
}

func splitCaliban(pattern string) (tool, arg string, has bool) {
	open, colon := strings.Index(pattern, "("), strings.Index(pattern, ":")
	if inner, ok := strings.CutSuffix(pattern[max(open, 0):], ")"); ok && open >= 0 && (colon < 0 || colon > open) {
		return pattern[:open], inner[1:], true
	}
	return strings.Cut(pattern, ":")
}

func (call calibanCall) arg() (string, bool) {
	key := map[string]string{"Bash": "command", "WebFetch": "url", "Read": "path"}[call.tool]
	if isCalibanEdit(call.tool) {
		key = "path"
	}
	text, ok := call.input[key].(string)
	return text, ok
}

func (call calibanCall) matches(pattern string, allow bool) bool {
	tool, arg, has := splitCaliban(pattern)
	own, known := call.arg()
	switch {
	case tool != "*" && !globset(tool, false, call.tool):
		return false
	case !has:
		return true
	case strings.HasPrefix(arg, "~"):
		return call.tool == "Bash" && globset("*"+arg[1:]+"*", false, own)
	case strings.Contains(arg, "="):
		return call.fields(strings.Split(arg, ","))
	case call.tool == "Read" || isCalibanEdit(call.tool):
		at := path.Clean(path.Join("/", own))
		if rest, ok := strings.CutPrefix(own, "~/"); ok { // decisions 4: a leading ~/ is home
			at = path.Join(home, rest)
		} else if !path.IsAbs(own) {
			at = path.Join(project, own)
		}
		if path.IsAbs(arg) {
			return globset(arg, true, at)
		}
		return strings.HasPrefix(at+"/", project+"/") && globset(project+"/**/"+strings.TrimPrefix(arg, "./"), true, at)
	}
	return (known || !allow) && globset(arg, false, own)
}

// fields reports whether each key=glob fits. A key that is missing counts as an empty text.
func (call calibanCall) fields(pairs []string) bool {
	for _, pair := range pairs {
		key, glob, has := strings.Cut(pair, "=")
		at := any(call.input)
		for part := range strings.SplitSeq(key, ".") {
			in, _ := at.(map[string]any)
			at = in[part]
		}
		if text, _ := at.(string); !has || !globset(glob, false, text) {
			return false
		}
	}
	return true
}

// listed is how the lists of auto-mode.toml are compared: * and ? alone, and no path is cleaned.
func (call calibanCall) listed(pattern string) bool {
	tool, arg, has := splitCaliban(pattern)
	plain := func(glob, text string) bool {
		glob = strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(glob))
		return regexp.MustCompile("(?s)^" + glob + "$").MatchString(text)
	}
	own, known := call.arg()
	return plain(tool, call.tool) && (!has || known && plain(arg, own))
}

// globset is the crate of that name: what is not a pattern matches nothing.
func globset(glob string, path bool, text string) bool {
	if !strings.ContainsAny(glob, `*?[{}\]`) {
		return glob == text
	}
	any, depth := map[bool]string{true: "[^/]", false: "."}[path], 0
	for twice := regexp.MustCompile(`(^|/)\*\*/(\*\*(/|$))`); twice.MatchString(glob); {
		glob = twice.ReplaceAllString(glob, "$1$2")
	}
	if glob == "**" {
		return true
	}
	re := regexp.QuoteMeta(glob)
	re = regexp.MustCompile(`^\\\*\\\*/`).ReplaceAllString(re, "\x01")
	re = regexp.MustCompile(`/\\\*\\\*$`).ReplaceAllString(re, "\x02")
	for strings.Contains(re, `/\*\*/`) {
		re = strings.Replace(re, `/\*\*/`, "\x03", 1)
	}
	re = strings.NewReplacer("\x01", "(?:/?|.*/)", "\x02", "/.*", "\x03", "(?:/|/.*/)", `\*`, any+"*", `\?`, any, `\[`, "[", `\]`, "]", "[!", "[^").Replace(re)
	re = regexp.MustCompile(`\\[{}]|,`).ReplaceAllStringFunc(re, func(s string) string {
		switch {
		case s == `\{`:
			depth++
			return "(?:"
		case s == `\}`:
			depth--
			return ")"
		case depth > 0:
			return "|"
		}
		return s
	})
	compiled, err := regexp.Compile("(?s)^" + re + "$")
	return err == nil && compiled.MatchString(text)
}

// excused is the answer of the rules, and an allow where decisions overrules the source.
func (c *calibanPolicy) excused(call calibanCall) hookio.Decision {
	l := c.first(call)
	_, _, pointed := splitCaliban(l.pattern)
	if l.action != "ask" || pointed {
		return decision(l.action)
	}
	allows := func(other calibanCall) bool { return c.first(other).action == "allow" }
	if c.edits(call, allows) || call.tool == "Bash" && chained(call.input["command"].(string), func(text string) bool {
		return allows(calibanCall{"Bash", map[string]any{"command": text}})
	}) {
		return hookio.Allow
	}
	return hookio.Ask
}

// edits: MultiEdit is Edit (decisions 2).
func (c *calibanPolicy) edits(call calibanCall, allows func(calibanCall) bool) bool {
	other := map[string]string{"Edit": "MultiEdit", "MultiEdit": "Edit"}[call.tool]
	return other != "" && allows(calibanCall{other, call.input})
}
