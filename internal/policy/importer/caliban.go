package importer

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

var caliban = System{
	Name: "caliban", Title: "caliban",
	Source: "ADR 0020, 0029 and 0045 of caliban and its permissions matcher at f33a2d05, 2026-08-21",
	Doc: "permissions.toml, settings.toml, auto-mode.toml. There the first rule that matches wins; here deny comes before ask, and " +
		"ask before allow.",
	Places: []Place{
		{rules.User, ".config/caliban/permissions.toml"}, {rules.User, ".config/caliban/settings.toml"},
		{rules.User, ".config/caliban/settings.json"}, {rules.User, "Library/Application Support/caliban/permissions.toml"},
		{rules.User, "Library/Application Support/caliban/settings.toml"}, {rules.User, "Library/Application Support/caliban/settings.json"},
		{rules.Local, ".caliban/permissions.local.toml"}, {rules.Local, ".caliban/settings.local.toml"}, {rules.Local, ".caliban/settings.local.json"},
		{rules.Shared, ".caliban/permissions.toml"}, {rules.Shared, ".caliban/settings.toml"}, {rules.Shared, ".caliban/settings.json"},
		{rules.Managed, "/etc/caliban/managed-permissions.toml"}, {rules.Managed, "/etc/caliban/managed-settings.toml"},
		{rules.Managed, "/etc/caliban/managed-settings.json"},
		{rules.Managed, "/Library/Application Support/Caliban/managed-permissions.toml"},
		{rules.Managed, "/Library/Application Support/Caliban/managed-settings.toml"},
		{rules.Managed, "/Library/Application Support/Caliban/managed-settings.json"},
	},
	Elsewhere: `mcp.toml, auto-mode.toml, C:\ProgramData\Caliban, %APPDATA%\caliban, the folder that XDG_CONFIG_HOME names, and ` +
		"CALIBAN variables",
	modes: []mode{
		{"default", "default", ""}, {"acceptEdits", "acceptEdits", ""}, {"plan", "plan", ""},
		{"dontAsk", "dontAsk", "an ask is a deny here, and an allow there"},
		{"bypassPermissions", "default", "it counts there only with an option of the command line"},
		{"auto", "auto", "a model answers there: name one as classifier, then take disableAutoMode out; until then only the lists of auto bind"},
		{"", "dontAsk", "with an unknown mode it does not start there"},
	},
	ordered: true, apart: true, sends: true,
	file: calibanFile, finish: calibanRest,
	rows: func() []row {
		return []row{
			{"auto-mode.hard_deny auto-mode.soft_deny auto-mode.allow", auto(calibanAuto)},
			{"rule permissions.rules", calibanTables},
			{"permissions.deny", each(rules.Deny, calibanRule)},
			{"permissions.ask", each(rules.Ask, calibanRule)},
			{"permissions.allow", each(rules.Allow, calibanRule)},
			{"permissions.enforce", lock(`"disable"`, "disableBypassPermissionsMode", "disableAutoMode")},
			{"permissions.default_mode permissions.defaultMode", calibanMode},
			{"disableAutoMode disable_auto_mode permissions.disableAutoMode permissions.disable_auto_mode", lock(`"disable"`, "disableAutoMode")},
			{"mcp_servers.*.disabled server.*.disabled", unless("false", says(rules.Deny, "", "mcp__%s__*"))},
			{"mcp_servers.*.permissions.deny server.*.permissions.deny", calibanServer(rules.Deny)},
			{"mcp_servers.*.permissions.ask server.*.permissions.ask", calibanServer(rules.Ask)},
			{"mcp_servers.*.permissions.allow server.*.permissions.allow", calibanServer(rules.Allow)},
			{"mcp_servers.*.* server.*.* permissions.audit_log", nil},
		}
	},
}

// calibanFile looks what counts: permissions.toml before settings.toml before settings.json, but its rules of the
// first form where they say nothing; rules in order, and not the lists.
func calibanFile(r *reader) bool {
	base, says := path.Base(r.source.name), r.root.Get("permissions")
	group := strings.Replace(strings.TrimSuffix(r.source.name, path.Ext(base)), "permissions", "settings", 1)
	place := 1 + strings.Count(base, "settings") + strings.Count(base, ".json")
	switch before := r.noted[group]; {
	case strings.HasPrefix(base, "auto-mode"):
		r.root = &node{Kind: table, Keys: []string{"auto-mode"}, Items: []*node{r.root}}
		return true
	case before > place:
		r.source.fail(0, "it replaces a file that is named before it: name it first")
		return false
	case before == 2 && place == 3:
		r.refuse(r.root, r.source.name, "another file counts there instead")
		return false
	case says.Kind != 0 && r.noted["says "+group] > 0:
		r.refuse(says, "permissions", "another file counts there instead")
		says.Keys, says.Items = nil, nil
	case says.Kind != 0 && before > 0: // instead of rules of the first form
		for _, rule := range r.written().Allow {
			r.items[rule.Pos.Line].drop(base + " has permissions, and those count there instead")
		}
	}
	if r.noted[group] = place; says.Kind != 0 {
		r.noted["says "+group]++
	}
	if allow := says.Get("allow"); allow.Kind != 0 && len(says.Get("rules").Items) > 0 {
		r.refuse(allow, "allow", "the rules in order count there alone")
		allow.Items = nil
	}
	return true
}

// calibanMode is the mode; auto is locked until there is a classifier.
func calibanMode(r *reader, v *value) {
	starts(r, v)
	i := r.last()
	switch loose := rules.StricterMode(rules.ModeDefault, v.Text); {
	case i.Status == Refused:
	case v.Text == rules.ModeAuto:
		i.Entries = append(i.Entries, locks(`"disable"`, "disableAutoMode")...)
		r.auto(v.node, rules.Deny, "by default: hard_deny", "Bash(sudo:*)", "Bash(rm -rf /*)", "Bash(command:* | sh*)",
			"WebFetch(url:http://*)")
	case loose && (r.opt.Scope == rules.Managed || v.short() == "defaultMode"):
		i.drop("a user's own mode overrules it there, or the key is default_mode")
		r.mode = -1
	}
}

// calibanTables are rules in order. An action that is not known asks there.
func calibanTables(r *reader, v *value) {
	if v.Kind != list {
		r.cannot(v.node, rules.Deny, v.said, "no list of tables", "*")
	}
	for _, e := range v.Items {
		to := cmp.Or(listOf(strings.ToLower(e.Get("action").Text)), rules.Ask)
		patterns := without([]string{e.Get("pattern").Text, e.Get("tool").Text}, "")
		if len(patterns) == 0 {
			r.refuse(e, to.String(), "without a pattern it matches nothing there")
		}
		for _, p := range patterns {
			said, narrower := to.String()+" "+p, e.Get("expires_at").Kind != 0 || len(patterns) > 1
			if to == rules.Allow && narrower {
				r.refuse(e, said, "it has an end, or two patterns, and no rule here has")
			} else {
				calibanRule(r, e, to, said, p)
			}
		}
	}
}

// calibanServer are rules of an MCP server.
func calibanServer(to rules.List) act {
	return func(r *reader, v *value) {
		server := v.names[0]
		each(to, func(r *reader, n *node, to rules.List, said, tool string) {
			r.rule(n, to, said, "", "mcp__"+server+"__"+sent(tool, "*?"))
		})(r, &value{node: v.node, said: to.String() + " " + server})
	}
}

// calibanAuto is a pattern of a list of mode auto, where a path is a text.
func calibanAuto(r *reader, to rules.List, t string) (texts []string, why string) {
	if strings.HasPrefix(t, "$defaults") {
		return []string{t}, ""
	}
	trial := &reader{System: r.System, opt: r.opt, root: r.root, noted: map[string]int{"auto": 1}}
	calibanRule(trial, nil, to, "", t)
	for _, e := range trial.last().Entries {
		texts = append(texts, unquote(e.Value))
	}
	return texts, trial.last().Why
}

// calibanRule is a pattern of names of tools, and of their argument or of fields of the input.
func calibanRule(r *reader, n *node, to rules.List, said, pattern string) {
	from := len(r.items)
	for _, p := range alternatives(pattern) {
		name, arg, has := strings.Cut(p, ":")
		if strings.Contains(name, "(") {
			name, arg, has = strings.Cut(strings.TrimSuffix(p, ")"), "(")
		}
		g, exact := glob(name, special)
		server := !has && exact && strings.HasPrefix(name, "mcp__")
		switch {
		case r.noted["rest"] > 0 && (to != rules.Deny || r.root.Get("mcp_servers").Kind == 0):
			r.refuse(n, said, "a rule for every tool comes before it")
		case has && p[len(name)] == '(' && !strings.HasSuffix(p, ")"):
			r.refuse(n, said, "it does not end, and matches nothing there")
		case !has && grammar.AllStars(g):
			calibanEvery(r, n, to, said)
		case to == rules.Allow && !isName(name) && !server:
			r.refuse(n, said, "a pattern for the names of tools, which only those of MCP servers may have")
		case !has:
			r.bare(n, to, said, g)
			r.last().narrow(more(exact))
		case strings.Contains(arg, "=") && arg[0] != '~' && r.noted["auto"] == 0:
			calibanFields(r, n, to, said, g, arg)
		default:
			calibanArgument(r, n, to, said, g, arg)
		}
	}
	r.together(from)
}

// calibanArgument is a pattern for what a tool is about: its command, address or file. Other tools have an empty text.
func calibanArgument(r *reader, n *node, to rules.List, said, g, arg string) {
	about, grants := strings.Fields("Bash WebFetch Read Edit MultiEdit Write NotebookEdit"), to == rules.Allow
	if !grants && strings.Trim(arg, "*") == "" && !slices.Contains(about, g) {
		r.bare(n, to, said, g)
		return
	}
	from, name, text := len(r.items), grammar.Compile(g), r.noted["auto"] > 0
	part, anywhere := strings.CutPrefix(arg, "~")
	for _, tool := range about {
		switch at := strings.TrimPrefix(arg, "./"); {
		case !name.Match(tool), arg == "":
		case tool == "Bash" && !anywhere:
			r.command(n, to, said, arg, special)
		case tool == "Bash" && !grants:
			r.field(n, to, said, tool, "command", "*"+strings.Trim(part, "*")+"*", special)
		case tool == "WebFetch" && !anywhere && !grants:
			r.field(n, to, said, tool, "url", arg, special)
		case tool == "Bash", tool == "WebFetch", grants && (text || anywhere), at != path.Clean(at) && !text:
		case grants: // not the folder itself
			below := regexp.MustCompile(`/\*\*$`).ReplaceAllString(arg, "/**/*")
			r.path(n, to, said, cmp.Or(r.tool(tool), tool), below, "/**/")
		default:
			if r.path(n, to, said, cmp.Or(r.tool(tool), tool), arg, "**/"); text {
				r.field(n, to, said, tool, "path", arg, special)
			}
		}
	}
	if len(r.items) == from {
		r.refuse(n, said, "it matches nothing there, or no rule has such an argument")
	}
}

// calibanFields are fields of the input, key=glob, all of which have to match: one is enough here. A field that is
// missing counts as an empty one.
func calibanFields(r *reader, n *node, to rules.List, said, g, arg string) {
	if to == rules.Allow {
		r.refuse(n, said, "it is about a field of the input")
		return
	}
	for pair := range strings.SplitSeq(arg, ",") {
		if key, value, _ := strings.Cut(pair, "="); strings.Trim(value, "*") != "" && !strings.Contains(key, ".") {
			if r.field(n, to, said, g, key, value, special); pair != arg {
				r.last().narrow("it binds by one field alone")
			}
			return
		}
	}
	r.bare(n, to, said, g)
	r.last().narrow("it binds every call of the tool")
}

// calibanEvery is a rule for every tool, after which no other counts. Denied, nothing runs but what was allowed
// before.
func calibanEvery(r *reader, n *node, to rules.List, said string) {
	allowed := r.written().Allow
	switch r.noted["rest"]++; {
	case to == rules.Allow:
		r.refuse(n, said, "an allow rule names its tools")
	case to == rules.Ask:
		r.rest(said, safeTools())
	case len(allowed) == 0 || r.root.Get("mcp_servers").Kind != 0:
		r.rule(n, to, said, "", "*")
	default:
		r.setMode(n, said, "dontAsk")
		i := r.last()
		i.Status, i.Why = Narrowed, "what no rule allows is denied, whatever the mode is"
		i.Entries = append(i.Entries, locks("true", "denyInsteadOfPrompting")...)
		for _, rule := range allowed {
			if rule.Bare || !rules.SafeTool(rule.Tool) {
				i.Entries = append(i.Entries, allTools("tools", rule.Tool)...)
			} else {
				r.items[rule.Pos.Line].drop("what no rule allows would run as well")
			}
		}
	}
}

// calibanRest is what holds by default. In the mode plan nothing runs that does not read.
func calibanRest(r *reader) {
	plan := r.mode >= 0 && r.items[r.mode].Entries[0].Value == `"plan"`
	for _, rule := range r.written().Allow {
		if plan && !slices.Contains(strings.Fields("Read Grep Glob WebFetch Skill"), rule.Tool) {
			r.items[rule.Pos.Line].drop("in the mode plan nothing runs but what reads")
		}
	}
	r.writable()
	if plan || r.noted["rest"] == 0 {
		r.rest("by default: WebFetch and unknown tools ask", safeTools("Read", "Grep", "Glob"))
	}
	if !plan && r.noted["rest"] == 0 {
		r.add(nil, "by default: some other tools run", "", ruleEntries(rules.Allow, "TodoWrite", "EnterPlanMode")...)
	}
}
