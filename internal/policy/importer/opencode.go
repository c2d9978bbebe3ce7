package importer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

var opencode = System{
	Name: "opencode", Title: "opencode",
	Source: "the permissions, agents and config pages of opencode.ai/docs, 2026-11, and what opencode 1.18.33 does",
	Doc: "permission and the older tools of opencode.json, its files merged as there. The last rule that matches wins there, and what " +
		"runs there by default runs here; what one agent may not do, none may.",
	Places: []Place{
		{rules.User, ".config/opencode/config.json"},
		{rules.User, ".config/opencode/opencode.json"}, {rules.User, ".config/opencode/opencode.jsonc"},
		{rules.User, ".opencode/opencode.json"}, {rules.User, ".opencode/opencode.jsonc"},
		{rules.Local, "opencode.json"}, {rules.Local, "opencode.jsonc"},
		{rules.Local, ".opencode/opencode.json"}, {rules.Local, ".opencode/opencode.jsonc"},
		{rules.Shared, "opencode.json"}, {rules.Shared, "opencode.jsonc"},
		{rules.Shared, ".opencode/opencode.json"}, {rules.Shared, ".opencode/opencode.jsonc"},
		{rules.Managed, "/etc/opencode/opencode.json"}, {rules.Managed, "/etc/opencode/opencode.jsonc"},
		{rules.Managed, "/Library/Application Support/opencode/opencode.json"},
		{rules.Managed, "/Library/Application Support/opencode/opencode.jsonc"},
	},
	Elsewhere: "agents in Markdown, files of folders above, .well-known/opencode, managed preferences, what OPENCODE and XDG variables " +
		"name, and what the agents plan, explore and general may not do by themselves",
	rows: func() []row {
		return []row{
			{"permissions", restricts("opencode 2 reads it, and 1 does not start with it", "*")},
			{"permission tools agent mode $schema model small_model provider disabled_providers enabled_providers mcp plugin instructions share " +
				"autoupdate theme keybinds username command formatter lsp compaction experimental default_agent watcher server", nil},
		}
	},
	file: openFile, finish: finishOpencode,
}

// openTools are the keys of permission, the tools they are about, and the field that a pattern is compared with. The key * is
// about every other tool as well.
const openTools = "*:MCP: bash:Bash:command edit:Edit:file_path read:Read:file_path read:ListMcpResourcesTool: read:ReadMcpResourceTool: " +
	"list:LS:path glob:Glob:pattern grep:Grep:pattern webfetch:WebFetch:url websearch:WebSearch:query task:Agent:subagent_type " +
	"skill:Skill:name todowrite:TodoWrite: lsp:LSP: question:AskUserQuestion: plan_enter:EnterPlanMode: plan_exit:ExitPlanMode: " +
	"external_directory:: doom_loop::"

// An openRule is one rule, without a node where it holds by default, and with a name where it is an agent's.
type openRule struct {
	n                         *node
	said, agent, key, pattern string
	list                      rules.List
}

// openFile merges a file with those before it.
func openFile(r *reader) bool {
	for _, c := range append(append(r.root.Get("agent").Items, r.root.Get("mode").Items...), r.root) {
		if i := slices.Index(c.Keys, "permission"); i >= 0 && c.Items[i].Kind != table { // one word for all
			c.Items[i] = &node{Kind: table, Keys: []string{"*"}, Items: []*node{c.Items[i]}}
		}
	}
	r.source.place(r.root)
	r.whole.Merge(r.root)
	return false
}

func finishOpencode(r *reader) {
	r.table(&r.whole)
	const files = "by default: .env files are asked about"
	all := append([]openRule{
		{said: "by default: what no rule is about runs", key: "*", pattern: "*", list: rules.Allow},
		{said: "by default: paths outside the project are asked about", key: "external_directory", pattern: "*", list: rules.Ask},
		{said: files, key: "read", pattern: "*.env", list: rules.Ask}, {said: files, key: "read", pattern: "*.env.*", list: rules.Ask},
	}, openRules(&r.whole, "")...)
	named, closed := r.openSay(all, "")
	for _, key := range [...]string{"agent", "mode"} {
		for i, name := range r.whole.Get(key).Keys {
			if agent := r.whole.Get(key).Items[i]; !isTrue(agent.Get("disable")) {
				_, also := r.openSay(append(slices.Clip(all), openRules(agent, name)...), name)
				closed = append(closed, also...)
			}
		}
	}
	for _, o := range closed {
		r.add(o.n, o.said, "custom tools are denied as well", named...)
		named = nil
	}
	for _, o := range all {
		if o.n != nil && !slices.ContainsFunc(r.items, func(i Item) bool { return i.Said == o.said }) {
			r.add(o.n, o.said, "")
			r.last().Why = "a later rule is about all of it"
		}
	}
	r.openJoin()
}

// openRules are the rules of a config, or of an agent: what the older tools say comes first.
func openRules(c *node, agent string) (out []openRule) {
	all, tools := &node{Kind: table}, c.Get("tools")
	for i, k := range tools.Keys {
		v := &node{Kind: text, Text: "deny", At: tools.Items[i].At}
		if isTrue(tools.Items[i]) {
			v.Text = "allow"
		}
		if k == "write" || k == "patch" {
			k = "edit"
		}
		all.Merge(&node{Keys: []string{k}, Items: []*node{v}})
	}
	all.Merge(c.Get("permission"))
	for i, key := range all.Keys {
		v := all.Items[i]
		if v.Kind != table {
			v = &node{Keys: []string{"*"}, Items: []*node{v}}
		}
		for j, p := range v.Keys {
			list := cmp.Or(listOf(v.Items[j].Text), rules.Deny) // with another word it does not start
			said := strings.TrimSpace(agent + " " + list.String() + " " + key + " " + p)
			out = append(out, openRule{v.Items[j], said, agent, key, p, list})
		}
	}
	return out
}

// openGlob is a pattern: a blank and a star at its end may be nothing.
func openGlob(p string) *grammar.Glob {
	if stem, ok := strings.CutSuffix(p, " *"); ok {
		return &grammar.Glob{El: grammar.Compile(stem).El, Tail: ' '}
	}
	g := grammar.Compile(p)
	return &g
}

// openLive are the rules about a tool that no later one is about all of: the first is about every call.
func openLive(all []openRule, key string) (live []openRule) {
	for _, o := range all {
		if known := strings.Contains(" "+openTools, " "+o.key+":"); key == "*" && (o.key == "*" || !known) && openGlob(o.pattern).Match("*") {
			o.pattern = o.key // what it says is about names
		} else if key == "*" || !openGlob(o.key).Match(key) {
			continue
		}
		live = append(slices.DeleteFunc(live, func(before openRule) bool { return openGlob(o.pattern).Holds(openGlob(before.pattern)) }), o)
	}
	return live
}

// openSay says rules for each tool. Where a deny of every call has exceptions, or is about tools without a known name, a list
// says which tools there are: named, if a rule closes it.
func (r *reader) openSay(all []openRule, agent string) (named []Entry, closed []openRule) {
	for of := range strings.FieldsSeq(openTools) {
		names := strings.Split(of, ":")
		key, tool, field := names[0], names[1], names[2]
		live := openLive(all, key)
		base := live[0]
		laxer := slices.ContainsFunc(live, func(o openRule) bool { return o.list < base.list })
		lists := base.list == rules.Deny && (key == "*" || laxer && agent == "")
		if tool != "" && base.list != rules.Deny {
			named = append(named, openNamed(tool)...)
		}
		for i, o := range live {
			switch {
			case o.agent != agent, o.n == nil && o.list == rules.Allow && (r.opt.Scope != rules.User || strings.HasSuffix(tool, "PlanMode")):
			case strings.Contains(tool, "McpResource") && (o.list != rules.Deny || i > 0 && strings.IndexAny(o.pattern, "*?m") != 0):
				// it is asked about here anyway, and patterns are compared with mcp:SERVER:URI
			case agent != "" && o.list == rules.Allow:
				r.refuse(o.n, o.said, "no rule is for one agent alone")
			case key == "doom_loop":
				if o.key == key {
					r.refuse(o.n, o.said, "how often a call is repeated is the program's to see")
				}
			case tool == "":
				r.openOutside(o, i == 0, slices.ContainsFunc(live[1:], func(o openRule) bool { return o.list != rules.Allow }))
			case i > 0 && lists && base.agent == "" && o.list != rules.Deny:
				named = append(named, r.openListed(tool, field, o)...)
			case i > 0:
				r.openOne(tool, field, o)
			case lists:
				if closed = append(closed, o); agent != "" {
					r.rule(o.n, o.list, o.said, "", "mcp__*")
				}
			case o.list == rules.Ask && laxer && agent == "" && !rules.SafeTool(tool) && tool != "LS": // a rule for Read covers LS
				r.add(o.n, o.said, "")
			case key == "*" && o.list == rules.Ask:
				r.rule(o.n, o.list, o.said, "", "mcp__*")
			default:
				r.rule(o.n, o.list, o.said, "", tool)
			}
			if last := len(r.items) - 1; agent != "" && last >= 0 && r.items[last].Said == o.said && r.items[last].Status == Exact {
				r.items[last].Status, r.items[last].Why = Narrowed, "it binds every agent"
			}
		}
	}
	if len(named) == 0 {
		named = ruleEntries(rules.Deny, "*")
	}
	return named, closed
}

// openNamed are entries of the list of tools.
func openNamed(names ...string) (out []Entry) {
	for _, name := range names {
		if name == "MCP" {
			name = "mcp__*"
		}
		out = append(out, Entry{true, "tools", true, edit.Quote(name)})
		if also, ok := strings.CutPrefix(name, "Edit"); ok {
			out = append(out, Entry{true, "tools", true, edit.Quote("Write" + also)})
		}
	}
	return out
}

// openListed says a rule for some calls of a tool that has no others.
func (r *reader) openListed(tool, field string, o openRule) []Entry {
	list := o.list
	o.list = rules.Allow
	r.openOne(tool, field, o)
	i := r.last()
	names := i.Rules(rules.Allow)
	i.Entries = ruleEntries(list, names...)
	return openNamed(names...)
}

// openOne says a rule for some calls of a tool. A whole number is no allow: JavaScript puts it before all other keys.
func (r *reader) openOne(tool, field string, o openRule) {
	allow, at := o.list == rules.Allow, across(o.pattern)
	server, name, joined := strings.Cut(o.pattern, "_")
	for _, begin := range [...]string{"~", "$HOME"} {
		if below, ok := strings.CutPrefix(o.pattern, begin); ok && !allow {
			o.pattern = "*" + below
		}
	}
	switch {
	case strings.Contains(o.pattern, "{env:") || strings.Contains(o.pattern, "{file:") || allow && strings.Trim(o.pattern, "0123456789") == "":
		r.cannot(o.n, o.list, o.said, "what it is about is not known", strings.Replace(tool, "MCP", "*", 1))
	case tool == "MCP" && !allow:
		r.rule(o.n, o.list, o.said, "", o.pattern)
	case tool == "MCP" && joined && isName(server+name):
		r.rule(o.n, o.list, o.said, "", "mcp__"+server+"__"+name)
	case field == "command":
		r.openCommand(o)
	case field == "file_path" && allow && at != "" && strings.IndexAny(at, "/~$") != 0 && !strings.Contains(o.pattern, "*/"):
		r.path(o.n, o.list, o.said, tool, at, "/")
	case allow && (tool == "Skill" || tool == "Agent") && isName(o.pattern):
		r.rule(o.n, o.list, o.said, "", tool+"("+o.pattern+")")
	case allow:
		r.refuse(o.n, o.said, "no allow rule here has such a pattern")
	case field == "" || strings.HasPrefix(o.pattern, ".."):
		r.cannot(o.n, o.list, o.said, "no rule here has such a pattern", tool)
	case field == "file_path" && strings.IndexAny(o.pattern, "*?/") != 0:
		r.field(o.n, o.list, o.said, tool, field, "*/"+o.pattern, "*?")
	default:
		r.field(o.n, o.list, o.said, tool, field, o.pattern, "*?")
	}
}

// openCommand is a rule for the text of each command. What may be in quotes or redirects is looked for in the whole text.
func (r *reader) openCommand(o openRule) {
	stem, open := strings.CutSuffix(o.pattern, " *")
	first, _, _ := strings.Cut(stem, " ")
	switch {
	case open && plain(stem, "") && !strings.HasSuffix(stem, " ") && !reserved(first):
		r.rule(o.n, o.list, o.said, "", "Bash("+stem+":*)")
	case o.list == rules.Allow || plain(strings.TrimSuffix(o.pattern, "*"), "") && !reserved(first):
		r.command(o.n, o.list, o.said, o.pattern, "*?")
	default:
		r.field(o.n, o.list, o.said, "Bash", "command", "*"+strings.Trim(strings.ReplaceAll(stem, ":", "?"), "*")+"*", "*?")
	}
}

// openOutside is a rule for folders outside the project, where a command may start or go to as well.
func (r *reader) openOutside(o openRule, every, mixed bool) {
	entries, why := ruleEntries(o.list, "Bash(workdir:/*)", "Bash(workdir:*..*)",
		"Bash(cd /*)", "Bash(cd -* /*)", "Bash(cd ~*)", "Bash(cd *..*)", "Bash(pushd:*)"), ""
	if !every {
		why = "it is about every folder outside the project"
	}
	folder := strings.TrimRight(strings.Replace(o.pattern, "$HOME/", "~/", 1), "*")
	switch dir, deep := strings.CutSuffix(folder, "/"); {
	case o.list == rules.Ask:
		r.add(o.n, o.said, why, append(entries, gateKey("outsideReads", "ask"))...)
	case o.list == rules.Deny:
		fences := locks("true", "blockReadsOutsideWorkingDirectories", "blockWritesOutsideWorkingDirectories")
		r.add(o.n, o.said, why, append(entries, fences...)...)
	case every:
		r.add(o.n, o.said, "writes there are asked about")
	case mixed:
		r.refuse(o.n, o.said, "another rule is about some folders as well")
	case deep && folder != o.pattern && (strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "~/")) && only(dir[1:], "/_-."):
		r.add(o.n, o.said, "", Entry{Path: "permissions.additionalDirectories", List: true, Value: edit.Quote(dir)})
	default:
		r.refuse(o.n, o.said, "no folder with all below it")
	}
	opens := func(e Entry) bool { return e.Path == "permissions.additionalDirectories" }
	for n := range r.items { // folders are open for every agent, or for none
		if i := &r.items[n]; o.agent != "" && slices.ContainsFunc(i.Entries, opens) {
			i.drop("agent " + o.agent + " has a rule of its own")
		}
	}
}

// openJoin makes one item of what a rule becomes for several tools.
func (r *reader) openJoin() {
	var out []Item
	for _, i := range r.items {
		at := slices.IndexFunc(out, func(o Item) bool { return o.Said == i.Said && o.At == i.At })
		if at < 0 {
			out = append(out, i)
			continue
		}
		o := &out[at]
		if o.Entries, o.Why = append(o.Entries, i.Entries...), cmp.Or(o.Why, i.Why); o.Status != i.Status {
			o.Status = Narrowed
		}
	}
	r.items = out
}
