package conformance

import (
	"encoding/json"
	"path"
	"strings"
	"testing"
)

// inexpressible are the rows that are no call under a policy, by id or by the
// function they represent, with the reason.
var inexpressible = map[string]string{
	"exathena-069":          "another hook's answer: the host puts the answers of its hooks together",
	"exathena-070":          "another hook's crash, which the host sees",
	"exathena-076":          "another hook's answer, which the host sees",
	"copilot-057":           "another hook's answer, which the host sees",
	"caliban-028":           "one rule on two fields of a call: Tool(param:value) names one",
	"caliban-029":           "one rule on two fields of a call: Tool(param:value) names one",
	"coreagent-072":         "that a plan was recorded is the host's own knowledge",
	"coreagent-073":         "that a plan was recorded is the host's own knowledge",
	"coreagent-074":         "that a plan was recorded is the host's own knowledge",
	"@load":                 "a file that does not load: lint and doctor report it, step 0 asks",
	"@startup":              "the start of the agent program: a hook has none",
	"@classifier_parse":     "the classifier's answer by itself",
	"@recommend":            "a list of proposals",
	"@sort_recommendations": "a list of proposals",
	"@verb":                 "the stem a grant is made of",
	"@mapping":              "the names of a payload",
}

// tool is a tool's name in rules.
func ruleTool(name string) string {
	switch name {
	case "shell", "Shell":
		return "Bash"
	case "todo_write":
		return "TodoWrite"
	case "spawn_agent":
		return "Agent"
	case "write", "edit", "write_file", "edit_file":
		return "Edit"
	}
	return toolName(name)
}

// exathena: phase, whitelist, denylist and callback.
func (p *imported) exathena(t *testing.T, r *row, n *policy) {
	switch {
	case r.Tool == "plan_mode" && strings.Contains(string(r.Input), "exit"):
		p.Tool, p.Input = "ExitPlanMode", []byte(`{"plan":"x"}`)
	case r.Tool == "plan_mode":
		p.Tool, p.Input = "EnterPlanMode", []byte(`{}`)
	default:
		p.Tool = ruleTool(r.Tool)
		if r.Tool == "write" {
			p.Tool = "Write"
		}
	}
	phase := func(name string) string {
		switch name {
		case "accept_edits":
			return "acceptEdits"
		case "trusted", "bypass_permissions":
			return "bypassPermissions"
		}
		return name
	}
	session := n
	if n.Parent != nil {
		session = n.Parent
	}
	p.Mode, p.Headless = phase(session.Phase), true // its callback is all there is to ask
	if p.Mode == "plan" {
		p.gate["readOnlyCommands"] = "allow"
	}
	p.allow, p.deny = session.ReadOnly, each(session.Denied, ruleTool)
	if session.Tools != nil {
		p.Args = append(p.Args, "--tools", strings.Join(each(session.Tools, ruleTool), ","))
	}
	switch answer, why, _ := strings.Cut(session.Callback, ":"); {
	case answer == "allow" || strings.HasPrefix(session.Callback, "{:allow"):
		p.operator(t, "approver", "once")
	case session.Callback != "":
		p.operator(t, "approver", "deny "+why)
	}
	if n.Skill != nil {
		p.Args = append(p.Args, "--skill", "active")
		p.Settings["/home/dev/.gen/skills/active/SKILL.md"] = "---\nname: active\n" + list("allowed-tools", each(n.Skill.Tools, ruleTool)) + "---\n"
	}
	if r.Agent != nil {
		p.Setup.Agent = map[string]string{"agent_id": "a1", "agent_type": "row"}
		def := "---\nname: row\n"
		if m := phase(r.Agent.Permissions); m != "" {
			def += "mode: " + m + "\n"
		}
		if r.Agent.Tools != nil {
			def += list("tools", each(r.Agent.Tools, ruleTool))
		}
		p.Settings["/home/dev/.gen/agents/row.md"] = def + "---\n"
	}
}

// caliban: rules with an action each, runtime rules, the lists of auto.
func (p *imported) caliban(t *testing.T, r *row, n *policy) {
	add := func(rule, action string) {
		switch action {
		case "allow":
			p.allow = append(p.allow, calibanRule(rule))
		case "ask":
			p.ask = append(p.ask, calibanRule(rule))
		case "deny":
			p.deny = append(p.deny, calibanRule(rule))
		}
	}
	for _, rule := range n.Rules {
		add(rule.Tool, rule.Action)
	}
	for _, rule := range n.Runtime {
		add(rule[0], rule[1])
	}
	if n.Workspace != "" && n.Workspace != "/" {
		p.Cwd, p.Project = n.Workspace, n.Workspace
	}
	if strings.Contains(n.Pattern, ":~") || n.Pattern == "*" { // only restrictions are as wide as that
		add(n.Pattern, "deny")
	} else if n.Pattern != "" {
		add(n.Pattern, "allow")
	}
	p.Headless = p.Headless || r.Headless
	if n.Latch {
		p.Args = append(p.Args, "--allow-dangerously-skip-permissions")
	}
	if n.Classifier != "" {
		p.operator(t, "classifier", n.Classifier)
	}
	if a := n.Auto; a != nil {
		for key, list := range map[string][]string{"hard_deny": a.HardDeny, "soft_deny": a.SoftDeny, "allow": a.Environment} {
			if len(list) > 0 {
				p.auto[key] = each(list, calibanRule)
			}
		}
		if a.Disabled {
			p.locks["disableAutoMode"] = true
		}
	}
}

// calibanRule is a rule Tool:glob or Tool(glob).
func calibanRule(rule string) string {
	tool, glob, ok := strings.Cut(rule, ":")
	if !ok || strings.ContainsAny(tool, "($") {
		return rule
	}
	switch glob = strings.TrimPrefix(glob, "~"); tool {
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		glob = "/**/" + glob // at any depth below the workspace
		tool = "Edit"
	}
	return tool + "(" + glob + ")"
}

// coreAgent: mode, patterns, scope and session grants.
func (p *imported) coreAgent(r *row, n *policy) {
	said := len(r.Settings) > 0 && len(r.Gate) == 0 // in permgate's words, too, and without refusals
	if !said && !n.Builtin {                        // which are about the list of allowed commands alone
		p.gate["catastrophic"] = "deny"
	}
	if n.Builtin {
		p.gate["readOnlyCommands"] = "allow"
	}
	if n.ProjectRoot != "" || n.Scope.Allow != nil || n.Scope.Paths != nil {
		p.gate["outsideReads"] = "ask"
	}
	if n.ProjectRoot != "" {
		p.Cwd, p.Project = n.ProjectRoot, n.ProjectRoot
	}
	for _, pattern := range n.Allow {
		if rule := coreRule(pattern); strings.ContainsAny(rule, "&|;") { // a whole text is Claude Code's kind of rule
			p.Settings["/home/dev/.claude/settings.json"] = `{"permissions":{"allow":[` + quote(rule) + `]}}`
		} else {
			p.allow = append(p.allow, rule)
		}
	}
	p.deny = each(n.Deny, coreRule)
	p.dirs = n.Scope.Allow
	for _, e := range n.Scope.Paths {
		if strings.Contains(e.Access, "w") {
			p.dirs = append(p.dirs, e.Path)
		} else {
			p.allow = append(p.allow, "Read(/"+strings.TrimSuffix(e.Path, "...")+"**)")
		}
	}
	if r.Session != nil {
		for _, verb := range r.Session.Verbs {
			p.grants = append(p.grants, "Bash("+verb+":*)")
		}
	}
	switch r.Tool {
	case "@scope":
		p.Tool = "Read"
	case "mcp":
		tool, args, _ := strings.Cut(strings.TrimPrefix(string(r.Input), `{"tool": "`), `", "args": `)
		p.Tool, p.Input = coreMCP(tool), []byte(strings.TrimSuffix(args, "}"))
	}
}

// coreMCP is the name of the tool of an MCP server, server_tool there.
func coreMCP(name string) string { return "mcp__" + strings.Replace(name, "_", "__", 1) }

// coreRule is a pattern tool:glob. Paths are anchored in the project.
func coreRule(pattern string) string {
	tool, glob, _ := strings.Cut(pattern, ":")
	switch {
	case tool == "mcp":
		return coreMCP(glob)
	case tool == "bash":
		return "Bash(" + glob + ")"
	case path.IsAbs(glob):
		return ruleTool(tool) + "(/" + glob + ")"
	}
	return ruleTool(tool) + "(/" + glob + ")"
}

// copilot: flags, saved approvals, managed lists.
func (p *imported) copilot(r *row, n *policy) {
	if n.Cwd != "" {
		p.Cwd = n.Cwd
	}
	if len(n.Locations.Locations) == 0 { // those rows are about the saved rules alone
		p.gate["readOnlyCommands"] = "allow"
	}
	urls := map[string][]string{}
	for _, flag := range n.Flags {
		name, value, _ := strings.Cut(flag, "=")
		switch name {
		case "--allow-tool":
			p.allow = append(p.allow, copilotRule(value))
		case "--deny-tool":
			p.deny = append(p.deny, copilotRule(value))
		case "--allow-url":
			urls["allow"] = append(urls["allow"], value)
		case "--deny-url":
			urls["deny"] = append(urls["deny"], value)
		case "--allow-all":
			p.Mode = "bypassPermissions"
		case "--allow-all-urls":
			p.allow = append(p.allow, "WebFetch")
		case "--disallow-temp-dir":
			p.ask = append(p.ask, "Read(//tmp/**)", "Edit(//tmp/**)")
		}
	}
	if len(urls) > 0 {
		p.gate["urls"] = urls
	}
	if n.Exclusion != nil {
		p.gate["contentExclusion"] = each(n.Exclusion, func(glob string) string { return "/" + glob })
	}
	for _, location := range n.Locations.Locations {
		for _, a := range location.Approvals {
			p.local = append(p.local, a.rules()...)
		}
	}
	if r.Session != nil {
		for _, command := range r.Session.Commands {
			p.grants = append(p.grants, "Bash("+command+":*)")
		}
	}
	if len(n.Managed) > 0 && n.Managed[0] == '{' {
		p.managedLists(n.Managed)
	}
}

// copilotRule is kind(argument).
func copilotRule(rule string) string {
	kind, arg, ok := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
	switch {
	case !ok:
		return ruleTool(kind)
	case kind == "shell" && strings.HasSuffix(arg, ":*"), kind == "shell" && arg == "git", kind == "shell" && arg == "gh":
		return "Bash(" + arg + ")" // an identifier of git and gh has two words
	case kind == "shell":
		return "Bash(" + arg + ":*)"
	case kind == "write", kind == "read":
		return ruleTool(kind) + "(**/" + arg + ")"
	}
	return "mcp__" + kind + "__" + arg
}

// rules are those of a saved approval: literal except for :* at the end.
func (a approval) rules() (out []string) {
	switch a.Kind {
	case "commands":
		for _, c := range a.Commands {
			if !strings.Contains(strings.TrimSuffix(c, ":*"), "*") { // a literal star is no command's name
				out = append(out, "Bash("+c+")")
			}
		}
	case "mcp":
		tool := a.ToolName
		if tool == "" {
			tool = "*"
		}
		out = append(out, "mcp__"+a.ServerName+"__"+tool)
	default:
		out = append(out, ruleTool(a.Kind))
	}
	return out
}

// managedLists reads Copilot's managed rules.
func (p *imported) managedLists(text []byte) {
	var m struct {
		Permissions struct {
			Allow, Ask, Deny, LimitTo []string
		}
	}
	if json.Unmarshal(text, &m) != nil {
		return
	}
	rule := func(rule string) string { return strings.Replace(rule, "Shell(", "Bash(", 1) }
	for key, list := range map[string][]string{"allow": m.Permissions.Allow, "ask": m.Permissions.Ask, "deny": m.Permissions.Deny} {
		if len(list) > 0 {
			p.managed[key] = each(list, rule)
		}
	}
	if m.Permissions.LimitTo != nil {
		p.Settings["/etc/gen/permgate.json"] = `{"urls":{"allow":["https://` + strings.Join(m.Permissions.LimitTo, `","https://`) + `"]}}`
	}
}
