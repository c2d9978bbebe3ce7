package imported

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/rules"
)

// codexPolicy are rules, a configuration or requirements. Written from the page of
// Codex's execpolicy and its parser, exec_policy.rs of its core, bash.rs of shell-command (2026-11), and the
// configuration reference.
type codexPolicy struct {
	rules    []codexRule
	files    map[string][]string // host_executable
	network  []codexNetwork
	approval string // "" where nothing is said; granular PART is on-request that shows no prompt of a kind
	sandbox  string
	roots    []string
	servers  map[string]codexServer
	closed   bool     // the servers are all that there may be
	hosts    []string // all that there may be, nil for any
	unread   []string
	modes    []string // of payloads: with approval never it is bypassPermissions
}

type codexRule struct {
	tokens   [][]string
	decision hookio.Decision
}

type codexNetwork struct {
	host, protocol string
	decision       hookio.Decision
}

// A codexServer says how its tools are approved: its own, and each.
type codexServer struct {
	approval         string
	tools            map[string]string
	enabled, missing []string
	off              bool
}

type codexCall struct{ tool, arg string }

var codexModel = model{"codex", "codex", func(r *rand.Rand) policy {
	c := &codexPolicy{files: map[string][]string{}, servers: map[string]codexServer{}}
	p := policy{scope: []rules.Scope{rules.User, rules.User, rules.Local, rules.Shared}[r.IntN(4)]}
	switch r.IntN(6) {
	case 0, 1:
		p.files = append(p.files, c.starlark(r))
	case 2:
		p.files = append(p.files, c.config(r, p.scope == rules.User))
	case 3, 4:
		p.files = append(p.files, c.config(r, p.scope == rules.User), c.starlark(r))
	default:
		p.scope = rules.Managed
		p.files = append(p.files, c.required(r))
	}
	if c.modes == nil {
		c.modes = []string{"default", "acceptEdits", "default", "bypassPermissions"}
	}
	p.call = func(r *rand.Rand) (string, hookio.Decision) {
		call, mode := codexDraw(r), one(r, c.modes...)
		want := c.answer(call, mode == "bypassPermissions")
		return codexPayload(r, call, mode, want), want
	}
	return p
}}

func codexTokens(r *rand.Rand) (list string, tokens [][]string) {
	list = one(r, `"git", ["push", "status"]`, `"git"`, `"git", "push"`, `["make", "npm"]`, `"npm", "run", "build"`, `"npm", "run", "build:all"`, `"yarn", ["build", "lint:local"]`,
		`"go", "test", "./..."`, `"python3", "-c", "print(1)"`, `"gh", "pr"`, `"ls", "[ab]"`, `"/usr/bin/git"`, `["git", "gh"], ["push", "pr"]`, `"git", "push", "origin main"`, `"rm", "-rf"`,
		`"rm"`, `"echo", "a b"`, `"curl"`, `"timeout"`, `"sudo", "make"`, `"ls", "*"`, `"docker:x"`, `"make", ""`, `"cat", "a*"`, `"git", "commit", "-m", ["x", "y=1"]`, `"bash", "-lc"`, `"cat", "~/notes"`,
		`"docker", "x:*"`, `"echo", "b)"`)
	var all []any
	if err := json.Unmarshal([]byte("["+list+"]"), &all); err != nil {
		panic(err)
	}
	for _, e := range all {
		words, many := e.([]any)
		if !many {
			words = []any{e}
		}
		var one []string
		for _, w := range words {
			one = append(one, w.(string))
		}
		tokens = append(tokens, one)
	}
	return list, tokens
}

func codexDecision(word string) hookio.Decision {
	return map[string]hookio.Decision{"allow": hookio.Allow, "prompt": hookio.Ask, "forbidden": hookio.Deny, "deny": hookio.Deny}[word]
}

// starlark is a file of rules.
func (c *codexPolicy) starlark(r *rand.Rand) importer.File {
	text := ""
	for range 1 + r.IntN(5) {
		list, tokens := codexTokens(r)
		said, decision := "", "allow"
		if r.IntN(4) > 0 {
			decision = one(r, "allow", "prompt", "forbidden")
			said = fmt.Sprintf(", decision = %q", decision)
		}
		text += one(r, fmt.Sprintf("prefix_rule(pattern = [%s]%s)\n", list, said), fmt.Sprintf("prefix_rule(\n    pattern = [%s],\n    justification = 'why'%s,\n)\n", list, said))
		c.rules = append(c.rules, codexRule{tokens, codexDecision(decision)})
	}
	if r.IntN(3) == 0 {
		n := codexNetwork{one(r, "evil.example", "a.example"), one(r, "https", "http"), codexDecision(one(r, "allow", "prompt", "deny"))}
		text += fmt.Sprintf("network_rule(host = %q, protocol = %q, decision = %q)\n", n.host, n.protocol, map[hookio.Decision]string{hookio.Allow: "allow", hookio.Ask: "prompt", hookio.Deny: "deny"}[n.decision])
		c.network = append(c.network, n)
	}
	if r.IntN(4) == 0 {
		name := one(r, "git", "make")
		c.files[name] = []string{"/usr/bin/" + name}
		text += fmt.Sprintf("host_executable(name = %q, paths = [%q])\n", name, "/usr/bin/"+name)
	}
	return importer.File{Name: "default.rules", Text: []byte(text)}
}

// config is config.toml. A project's own profile does not count.
func (c *codexPolicy) config(r *rand.Rand, own bool) importer.File {
	text, more := "", ""
	approval, sandbox := one(r, "", "untrusted", "on-request", "on-failure", "never",
		"granular rules", "granular mcp_elicitations", "granular sandbox_approval"), one(r, "", "read-only", "workspace-write", "danger-full-access")
	said := func(at string) {
		part, granular := strings.CutPrefix(approval, "granular ")
		switch {
		case approval == "":
		case granular:
			at += "approval_policy = { granular = { request_permissions = true, " + part + " = false } }\n"
		default:
			at += fmt.Sprintf("approval_policy = %q\n", approval)
		}
		if sandbox != "" {
			at += fmt.Sprintf("sandbox_mode = %q\n", sandbox)
		}
		text += at
	}
	switch said(""); r.IntN(5) {
	case 0: // the profile wins where it says something
		if r.IntN(2) == 0 {
			text = ""
		}
		top, box := approval, sandbox
		if text == "" {
			top, box = "", ""
		}
		approval, sandbox = one(r, "", "untrusted", "never"), one(r, "", "workspace-write", "danger-full-access")
		head := text
		text = ""
		said("[profiles.x]\n")
		text = head + "profile = \"x\"\n" + text
		if approval == "" || !own {
			approval = top
		}
		if sandbox == "" || !own {
			sandbox = box
		}
	}
	c.approval, c.sandbox = approval, sandbox
	if sandbox == "" && approval != "" {
		c.sandbox = "workspace-write" // by default
	}
	if r.IntN(3) == 0 {
		c.roots = []string{"/srv"}
		more += "[sandbox_workspace_write]\nwritable_roots = [\"/srv\"]\n"
	}
	for _, name := range some(r, 2, "jira", "my-db", "a b") {
		if _, twice := c.servers[name]; twice {
			continue
		}
		s := codexServer{tools: map[string]string{}}
		more += fmt.Sprintf("[mcp_servers.%q]\ncommand = \"x\"\n", name)
		if r.IntN(2) == 0 {
			s.approval = one(r, "auto", "prompt", "approve", "writes")
			more += fmt.Sprintf("default_tools_approval_mode = %q\n", s.approval)
		}
		if r.IntN(3) == 0 {
			s.enabled = []string{one(r, "search", "query")}
			more += fmt.Sprintf("enabled_tools = [%q]\n", s.enabled[0])
		}
		if r.IntN(3) == 0 {
			s.missing = []string{one(r, "search", "delete_issue", "x.y")}
			more += fmt.Sprintf("disabled_tools = [%q]\n", s.missing[0])
		}
		if s.off = r.IntN(6) == 0; s.off {
			more += "enabled = false\n"
		}
		if r.IntN(3) == 0 {
			s.tools["search"] = one(r, "auto", "prompt", "approve")
			more += fmt.Sprintf("[mcp_servers.%q.tools.search]\napproval_mode = %q\n", name, s.tools["search"])
		}
		c.servers[name] = s
	}
	return importer.File{Name: "config.toml", Text: []byte(text + more)}
}

// required is requirements.toml.
func (c *codexPolicy) required(r *rand.Rand) importer.File {
	text, more := "", ""
	if r.IntN(2) == 0 {
		text += one(r, `allowed_approval_policies = ["untrusted", "on-request"]`, `allowed_approval_policies = ["never"]`, `allowed_sandbox_modes = ["read-only", "workspace-write"]`) + "\n"
		if strings.Contains(text, `["never"]`) {
			c.approval, c.modes = "never", []string{"bypassPermissions"}
		} else if strings.Contains(text, "approval") {
			c.modes = []string{"default"}
		}
	}
	if r.IntN(3) > 0 {
		more += "[rules]\nprefix_rules = [\n"
		for range 1 + r.IntN(3) {
			_, tokens := codexTokens(r)
			decision := one(r, "prompt", "forbidden")
			var words []string
			for _, t := range tokens {
				if len(t) == 1 {
					words = append(words, fmt.Sprintf("{ token = %q }", t[0]))
				} else {
					words = append(words, "{ any_of = "+compact(t)+" }")
				}
			}
			more += fmt.Sprintf("  { pattern = [%s], decision = %q },\n", strings.Join(words, ", "), decision)
			c.rules = append(c.rules, codexRule{tokens, codexDecision(decision)})
		}
		more += "]\n"
	}
	if c.closed = r.IntN(3) == 0; c.closed {
		for _, name := range some(r, 2, "jira", "my-db") {
			if _, twice := c.servers[name]; !twice {
				c.servers[name] = codexServer{}
				more += fmt.Sprintf("[mcp_servers.%s.identity]\ncommand = \"x\"\n", name)
			}
		}
		if len(c.servers) == 0 {
			more += "[mcp_servers]\n"
		}
	}
	if r.IntN(3) == 0 {
		c.unread = []string{one(r, project+"/secret.txt", "~/notes", project+"/private/**", "/srv/*.pem")}
		more += fmt.Sprintf("[permissions.filesystem]\ndeny_read = [%q]\n", c.unread[0])
	}
	if r.IntN(3) == 0 {
		more += "[experimental_network]\nenabled = true\n"
		if r.IntN(2) == 0 {
			more += "managed_allowed_domains_only = true\n"
			c.hosts = []string{"a.example"}
		}
		more += "[experimental_network.domains]\n\"a.example\" = \"allow\"\n\"evil.example\" = \"deny\"\n"
		c.network = []codexNetwork{{"evil.example", "https", hookio.Deny}, {"evil.example", "http", hookio.Deny}}
	}
	return importer.File{Name: "requirements.toml", Text: []byte(text + more)}
}

// answer is what Codex answers, of which never is the mode of the payload.
func (c *codexPolicy) answer(call codexCall, never bool) hookio.Decision {
	want := hookio.Allow
	switch {
	case call.tool == "Bash" || call.tool == "exec_command" || call.tool == "shell":
		want = c.command(call.arg, never)
	case call.tool == "apply_patch":
		want = c.shown("sandbox_approval", c.patch(call.arg, never))
	case strings.HasPrefix(call.tool, "mcp__"):
		want = c.shown("mcp_elicitations", c.server(call.tool))
	case call.tool == "view_image" && c.private(call.arg):
		return hookio.Deny
	}
	return c.refused(want, never)
}

// shown is a prompt of a kind that may be switched off.
func (c *codexPolicy) shown(part string, d hookio.Decision) hookio.Decision {
	if d == hookio.Ask && c.approval == "granular "+part {
		return hookio.Deny
	}
	return d
}

// refused is what prompts where nothing may: it is refused. Where the policy itself says never that is a deny. Where the
// session was started so, an ask will do: as an answer to PreToolUse Codex takes it for a deny.
func (c *codexPolicy) refused(want hookio.Decision, never bool) hookio.Decision {
	if want == hookio.Ask && never && c.approval == "never" {
		return hookio.Deny
	}
	return want
}

// command compares each command of a text of plain words, and else the shell that runs it.
func (c *codexPolicy) command(text string, never bool) hookio.Decision {
	commands := [][]string{{"bash", "-lc", text}}
	parts := shellParts(text)
	if !slices.ContainsFunc(parts, func(p shellPart) bool { return !p.plain }) {
		commands = nil
		for _, p := range parts {
			commands = append(commands, p.words)
		}
	}
	worst := hookio.Allow
	add := func(d hookio.Decision) {
		if strict(d) > strict(worst) {
			worst = d
		}
	}
	for _, words := range commands {
		d, found := c.matched(words)
		switch {
		case found:
			d = c.shown("rules", d)
		case words[0] == "rm" && len(words) > 1 && (words[1] == "-f" || words[1] == "-rf") && never == (c.approval == "never"):
			d = c.shown("sandbox_approval", hookio.Ask) // a policy that does not say never says nothing of what is dangerous then
		case c.approval == "untrusted" && !never && !codexSafe(words):
			d = c.unwrapped(words)
		}
		add(d)
	}
	for _, p := range parts {
		for _, w := range p.words[1:] {
			add(c.reached(w))
			if c.private(w) && p.words[0] == "cat" {
				add(hookio.Deny)
			}
		}
	}
	return worst
}

// matched is the strictest of the rules that begin as a command does. A program by its path has the rules of its name,
// unless its own or host_executable says otherwise.
func (c *codexPolicy) matched(words []string) (d hookio.Decision, found bool) {
	try := func(words []string) {
		for _, l := range c.rules {
			if len(words) < len(l.tokens) {
				continue
			}
			if ok := true; ok {
				for i, t := range l.tokens {
					ok = ok && slices.Contains(t, words[i])
				}
				if ok && (!found || strict(l.decision) > strict(d)) {
					d, found = l.decision, true
				}
			}
		}
	}
	try(words)
	if name := path.Base(words[0]); !found && path.IsAbs(words[0]) {
		if paths, has := c.files[name]; !has || slices.Contains(paths, words[0]) {
			try(append([]string{name}, words[1:]...))
		}
	}
	return d, found
}

// unwrapped excuses a command that prompts, where permgate takes timeout off before rules are compared (decisions 4).
func (c *codexPolicy) unwrapped(words []string) hookio.Decision {
	if words[0] == "timeout" && len(words) > 2 {
		if d, found := c.matched(words[2:]); found {
			return d
		}
	}
	return hookio.Ask
}

// codexSafe reports whether a command runs in untrusted, too.
func codexSafe(words []string) bool {
	return slices.Contains([]string{"ls", "cat", "echo", "pwd"}, words[0]) || words[0] == "git" && len(words) > 1 && slices.Contains([]string{"status", "log", "diff"}, words[1])
}

// reached is the answer to an address among the words of a command.
func (c *codexPolicy) reached(word string) hookio.Decision {
	scheme, rest, ok := strings.Cut(word, "://")
	host, _, _ := strings.Cut(rest, "/")
	if ok && c.hosts != nil && !slices.Contains(c.hosts, host) {
		return hookio.Deny
	}
	for _, n := range c.network {
		if ok && n.host == host && n.protocol == scheme {
			return n.decision
		}
	}
	return hookio.Allow
}

func (c *codexPolicy) private(at string) bool {
	return slices.ContainsFunc(c.unread, func(pattern string) bool {
		p := copilotPath(pattern)
		return matches(p, copilotPath(at)) || strings.HasPrefix(copilotPath(at), p+"/")
	})
}

// patch is the answer to a patch: what the sandbox does not let it write prompts, and never prompts in never.
func (c *codexPolicy) patch(file string, never bool) hookio.Decision {
	p := copilotPath(file)
	inside := strings.HasPrefix(p, "/tmp/") || slices.ContainsFunc(append([]string{project}, c.roots...), func(dir string) bool { return strings.HasPrefix(p, dir+"/") })
	kept := strings.HasPrefix(p, project+"/.git/") || strings.HasPrefix(p, project+"/.codex/") || strings.HasPrefix(p, project+"/.agents/")
	switch {
	case c.approval == "untrusted" && !never, c.sandbox == "read-only", c.sandbox == "workspace-write" && (kept || !inside):
		return hookio.Ask
	}
	return hookio.Allow
}

// server is the answer to a tool of a server.
func (c *codexPolicy) server(tool string) hookio.Decision {
	name, tool, _ := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
	s, known := c.servers[name]
	if !known && name == "a_b" {
		s, known = c.servers["a b"]
	}
	how := s.approval
	if own := s.tools[tool]; own != "" {
		how = own
	}
	switch {
	case c.closed && !known, s.off, s.enabled != nil && !slices.Contains(s.enabled, tool), slices.Contains(s.missing, tool):
		return hookio.Deny
	case how == "prompt" || how == "writes":
		return hookio.Ask
	}
	return hookio.Allow
}

func codexDraw(r *rand.Rand) codexCall {
	file := one(r, "a.go", "src/a.go", "secret.txt", "private/x", "/srv/x", "/srv/y.pem", "/tmp/x", "~/notes", "a b", ".git/config", ".codex/x", ".agents/x")
	switch r.IntN(8) {
	case 0:
		return codexCall{"apply_patch", file}
	case 1:
		return codexCall{one(r, "mcp__jira__search", "mcp__jira__delete_issue", "mcp__my-db__query", "mcp__other__x", "mcp__a_b__search"), ""}
	case 2:
		return codexCall{one(r, "view_image", "update_plan"), file}
	}
	command := func() string {
		text := one(r, "git status", "git", "gitk", "git push", "git push origin main", "git push 'origin main'", "git -C x push", "make", "make all", "make ''", "npm run build", "npm run build:all", "npm ci",
			"yarn build", "yarn build:x", "yarn lint:local", "yarn lint:local --fix", "yarn lint", "go test ./...", "go test ./x", "gh pr view 1", "gh push", "python3 -c 'print(1)'", "ls a", "ls '[ab]'", "ls '*'",
			"rm x", "rm -rf build", "rm -f x", "echo 'a b'", "echo a b", "echo 'b)' c", "docker 'x:*'", "docker x:y", "docker:x y", "git commit -m x", "git commit -m y=1", "sudo make", "cat "+file, "cat 'a*'", "bash -lc make",
			"curl https://evil.example/x", "curl http://evil.example", "curl https://a.example/x", "curl https://c.example")
		if r.IntN(8) == 0 {
			text = one(r, "/usr/bin/", "/opt/x/", "timeout 5 ", "A=1 ") + text
		}
		if r.IntN(10) == 0 {
			text += one(r, " > out.txt", " 2>&1", " # push")
		}
		return text
	}
	text := command()
	if r.IntN(4) == 0 {
		text += one(r, " && ", "; ", " | ", " || ") + command()
	}
	return codexCall{one(r, "Bash", "Bash", "Bash", "exec_command", "shell"), text}
}

// codexPayload is what a hook is sent. Codex is about to ask where it would, and then may say so in another event.
func codexPayload(r *rand.Rand, call codexCall, mode string, want hookio.Decision) string {
	input := map[string]any{}
	switch call.tool {
	case "Bash":
		input["command"] = call.arg
	case "exec_command":
		input["cmd"] = call.arg
	case "shell":
		input["command"] = []string{"bash", "-lc", call.arg}
	case "apply_patch":
		input["command"] = "*** Begin Patch\n*** Update File: " + copilotPath(call.arg) + "\n@@\n-x\n+y\n*** End Patch\n"
	case "view_image":
		input["path"] = copilotPath(call.arg)
	case "update_plan":
		input["plan"] = []any{}
	default:
		input["q"] = "x"
	}
	p := map[string]any{"session_id": "s", "turn_id": "t", "transcript_path": nil, "cwd": project, "model": "m", "permission_mode": mode, "tool_name": call.tool, "tool_input": input}
	if p["hook_event_name"] = "PreToolUse"; want == hookio.Ask && mode != "bypassPermissions" && r.IntN(3) == 0 {
		p["hook_event_name"], input["description"] = "PermissionRequest", "it needs more"
	} else {
		p["tool_use_id"] = "c"
	}
	return compact(p)
}
