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
			{"permission tools agent mode", nil}, // they are looked at together
			{"$schema model small_model provider disabled_providers enabled_providers mcp plugin instructions share", nil},
			{"autoupdate theme keybinds username command formatter lsp compaction experimental default_agent server", nil},
		}
	},
	file: openFile, finish: finishOpencode,
}

// openTools are the keys of permission, the tools they are about, and the field that a pattern is compared with. The
// key * is about every other tool as well.
const openTools = "*:MCP: bash:Bash:command edit:Edit:file_path read:Read:file_path " +
	"read:ListMcpResourcesTool: read:ReadMcpResourceTool: list:LS:path glob:Glob:pattern grep:Grep:pattern " +
	"webfetch:WebFetch:url websearch:WebSearch:query task:Agent:subagent_type skill:Skill:name todowrite:TodoWrite: " +
	"lsp:LSP: question:AskUserQuestion: plan_enter:EnterPlanMode: plan_exit:ExitPlanMode: " +
	"external_directory:: doom_loop::"

// An openRule is one rule, without a node where it holds by default, and with a name where it is an agent's.
type openRule struct {
	n                         *node
	said, agent, key, pattern string
	list                      rules.List
}

// An openTool is a tool and the rules about it, of which the first is about every call.
type openTool struct {
	key, name, field string
	live             []openRule
	laxer            bool // another rule is laxer than the first
	listed           bool // no call but those that a list names
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
		{said: "by default: folders outside are asked about", key: "external_directory", pattern: "*", list: rules.Ask},
		{said: files, key: "read", pattern: "*.env", list: rules.Ask},
		{said: files, key: "read", pattern: "*.env.*", list: rules.Ask},
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

// openLive are the rules about a tool that no later one is about all of.
func openLive(all []openRule, key string) (live []openRule) {
	for _, o := range all {
		known := o.key != "*" && strings.Contains(" "+openTools, " "+o.key+":")
		switch {
		case key == "*" && !known && openGlob(o.pattern).Match("*"):
			o.pattern = o.key // what it says is about names
		case key == "*" || !openGlob(o.key).Match(key):
			continue
		}
		within := func(before openRule) bool { return openGlob(o.pattern).Holds(openGlob(before.pattern)) }
		live = append(slices.DeleteFunc(live, within), o)
	}
	return live
}

// openSay says rules for each tool. Where a deny of every call has exceptions, or is about tools without a known name,
// a list says which tools there are: named, if a rule closes it.
func (r *reader) openSay(all []openRule, agent string) (named []Entry, closed []openRule) {
	for of := range strings.FieldsSeq(openTools) {
		names := strings.Split(of, ":")
		t := openTool{key: names[0], name: names[1], field: names[2], live: openLive(all, names[0])}
		base := t.live[0]
		t.laxer = slices.ContainsFunc(t.live, func(o openRule) bool { return o.list < base.list })
		excepted := t.key == "*" || t.laxer && base.agent == ""
		t.listed = t.name != "" && base.list == rules.Deny && excepted
		if t.listed && base.agent == agent {
			closed = append(closed, base)
		}
		if t.name != "" && base.list != rules.Deny {
			named = append(named, openNamed(t.name)...)
		}
		for i, o := range t.live {
			if o.agent == agent {
				named = append(named, r.openRule(&t, i, o)...)
			}
		}
	}
	if len(named) == 0 {
		named = ruleEntries(rules.Deny, "*")
	}
	return named, closed
}

// openRule says one rule for a tool, and returns what of the tool may be used where a list says so.
func (r *reader) openRule(t *openTool, at int, o openRule) (named []Entry) {
	from := len(r.items)
	switch {
	case o.agent != "" && o.list == rules.Allow:
		r.refuse(o.n, o.said, "no rule is for one agent alone")
	case t.key == "doom_loop":
		if o.key == t.key {
			r.refuse(o.n, o.said, "how often a call is repeated is the program's to see")
		}
	case t.name == "":
		r.openOutside(t, at, o)
	case at == 0:
		r.openEvery(t, o)
	case strings.Contains(t.name, "McpResource"): // compared with mcp:SERVER:URI, and asked about here
		if o.list == rules.Deny && strings.IndexAny(o.pattern, "*?m") == 0 {
			r.cannot(o.n, o.list, o.said, "a resource may have such a name", t.name)
		}
	case t.listed && t.live[0].agent == "" && o.list != rules.Deny:
		named = r.openListed(t, o)
	default:
		r.openSome(t, o)
	}
	for n := from; n < len(r.items); n++ {
		if i := &r.items[n]; o.agent != "" && i.Status == Exact {
			i.Status, i.Why = Narrowed, "it binds every agent"
		}
	}
	return named
}

// openEvery says the rule about every call of a tool.
func (r *reader) openEvery(t *openTool, o openRule) {
	resource, asks := strings.Contains(t.name, "McpResource"), !rules.SafeTool(t.name) && t.name != "LS"
	foreign := r.opt.Scope != rules.User || strings.HasSuffix(t.name, "PlanMode")
	switch {
	case resource && o.list != rules.Deny: // it is asked about here
	case o.list == rules.Allow && o.n == nil && foreign:
	case t.listed && o.agent == "": // the list says it
	case t.key == "*" && o.list != rules.Allow:
		r.rule(o.n, o.list, o.said, "", "mcp__*")
	case o.list == rules.Ask && t.laxer && asks && o.agent == "":
		r.add(o.n, o.said, "")
	default:
		r.rule(o.n, o.list, o.said, "", t.name)
	}
}

// openNamed are entries of the list of tools.
func openNamed(names ...string) (out []Entry) {
	for _, name := range names {
		if name == "MCP" {
			name = "mcp__*"
		}
		out = append(out, allTools("tools", name)...)
		if also, ok := strings.CutPrefix(name, "Edit"); ok {
			out = append(out, allTools("tools", "Write"+also)...)
		}
	}
	return out
}

// openListed says a rule for some calls of a tool that has no others.
func (r *reader) openListed(t *openTool, o openRule) []Entry {
	list := o.list
	o.list = rules.Allow
	r.openSome(t, o)
	i := r.last()
	names := i.Rules(rules.Allow)
	i.Entries = ruleEntries(list, names...)
	return openNamed(names...)
}

// openSome says a rule for some calls of a tool.
func (r *reader) openSome(t *openTool, o openRule) {
	for _, begin := range [...]string{"~", "$HOME"} {
		if below, ok := strings.CutPrefix(o.pattern, begin); ok && o.list != rules.Allow {
			o.pattern = "*" + below
		}
	}
	switch {
	case strings.Contains(o.pattern, "{env:") || strings.Contains(o.pattern, "{file:"):
		r.cannot(o.n, o.list, o.said, "what is put in there is not known", strings.Replace(t.name, "MCP", "*", 1))
	case o.list == rules.Allow && strings.Trim(o.pattern, "0123456789") == "":
		r.refuse(o.n, o.said, "a number comes before all other keys in JavaScript")
	case t.field == "command":
		r.openCommand(o)
	case o.list == rules.Allow:
		r.openAllow(t, o)
	default:
		r.openRestrict(t, o)
	}
}

func (r *reader) openAllow(t *openTool, o openRule) {
	server, tool, joined := strings.Cut(o.pattern, "_")
	at := across(o.pattern)
	inside := at != "" && strings.IndexAny(at, "/~$") != 0 && !strings.Contains(o.pattern, "*/")
	switch {
	case t.name == "MCP" && joined && isName(server+tool):
		r.rule(o.n, o.list, o.said, "", "mcp__"+server+"__"+tool)
	case t.field == "file_path" && inside:
		r.path(o.n, o.list, o.said, t.name, at, "/")
	case (t.name == "Skill" || t.name == "Agent") && isName(o.pattern):
		r.rule(o.n, o.list, o.said, "", t.name+"("+o.pattern+")")
	default:
		r.refuse(o.n, o.said, "no allow rule here has such a pattern")
	}
}

func (r *reader) openRestrict(t *openTool, o openRule) {
	switch {
	case t.name == "MCP":
		r.rule(o.n, o.list, o.said, "", o.pattern)
	case t.field == "" || strings.HasPrefix(o.pattern, ".."):
		r.cannot(o.n, o.list, o.said, "no rule here has such a pattern", t.name)
	case t.field == "file_path" && strings.IndexAny(o.pattern, "*?/") != 0:
		r.field(o.n, o.list, o.said, t.name, t.field, "*/"+o.pattern, "*?")
	default:
		r.field(o.n, o.list, o.said, t.name, t.field, o.pattern, "*?")
	}
}

// openCommand is a rule for the text of each command. What may be in quotes or redirects is looked for in the whole
// text.
func (r *reader) openCommand(o openRule) {
	stem, open := strings.CutSuffix(o.pattern, " *")
	first, _, _ := strings.Cut(stem, " ")
	simple := !reserved(first) && !strings.HasSuffix(stem, " ")
	switch {
	case open && simple && plain(stem, ""):
		r.rule(o.n, o.list, o.said, "", "Bash("+stem+":*)")
	case o.list == rules.Allow || simple && plain(strings.TrimSuffix(o.pattern, "*"), ""):
		r.command(o.n, o.list, o.said, o.pattern, "*?")
	default:
		part := strings.Trim(strings.ReplaceAll(stem, ":", "?"), "*")
		r.field(o.n, o.list, o.said, "Bash", "command", "*"+part+"*", "*?")
	}
}

// openOutside is a rule for folders outside the project, where a command may start or go to as well.
func (r *reader) openOutside(t *openTool, at int, o openRule) {
	entries, why := ruleEntries(o.list, "Bash(workdir:/*)", "Bash(workdir:*..*)",
		"Bash(cd /*)", "Bash(cd -* /*)", "Bash(cd ~*)", "Bash(cd *..*)", "Bash(pushd:*)"), ""
	if at > 0 {
		why = "it is about every folder outside the project"
	}
	begin := strings.TrimRight(strings.Replace(o.pattern, "$HOME/", "~/", 1), "*")
	dir, deep := strings.CutSuffix(begin, "/")
	deep = deep && begin != o.pattern && (strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "~/"))
	switch {
	case o.list == rules.Ask:
		r.add(o.n, o.said, why, append(entries, gateKey("outsideReads", "ask"))...)
	case o.list == rules.Deny:
		fences := locks("true", "blockReadsOutsideWorkingDirectories", "blockWritesOutsideWorkingDirectories")
		r.add(o.n, o.said, why, append(entries, fences...)...)
	case at == 0:
		r.add(o.n, o.said, "writes there are asked about")
	case slices.ContainsFunc(t.live[1:], func(o openRule) bool { return o.list != rules.Allow }):
		r.refuse(o.n, o.said, "another rule is about some folders as well")
	case deep && only(dir[1:], "/_-."):
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
		} else {
			out[at].join(&i)
		}
	}
	r.items = out
}
