package importer

import (
	"cmp"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

var caliban = System{
	Name: "caliban", Title: "caliban",
	Source: "ADR 0020, 0029 and 0045 of caliban and its permissions matcher at f33a2d05, 2026-08-21",
	Doc: "permissions.toml, settings.toml, auto-mode.toml. There the first rule that matches wins; here deny comes before ask, and " +
		"ask before allow.",
	Places: []Place{
		{rules.User, ".config/caliban/permissions.toml"}, {rules.User, ".config/caliban/settings.toml"},
		{rules.User, ".config/caliban/settings.json"},
		{rules.User, "Library/Application Support/caliban/permissions.toml"},
		{rules.User, "Library/Application Support/caliban/settings.toml"},
		{rules.User, "Library/Application Support/caliban/settings.json"},
		{rules.Local, ".caliban/permissions.local.toml"}, {rules.Local, ".caliban/settings.local.toml"},
		{rules.Local, ".caliban/settings.local.json"},
		{rules.Shared, ".caliban/permissions.toml"}, {rules.Shared, ".caliban/settings.toml"},
		{rules.Shared, ".caliban/settings.json"},
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
	tools:   "Bash=Bash Read=Read Edit=Edit MultiEdit=Edit Write=Write NotebookEdit=NotebookEdit",
	ordered: true, apart: true,
	read: readCaliban, finish: finishCaliban,
}

func readCaliban(r *reader, root *node) {
	if r.calibanReplaced(root) {
		return
	}
	if strings.HasPrefix(path.Base(r.source.name), "auto-mode") {
		lists := r.autoLists("allow", func(t string) (rule, why string) {
			if strings.HasPrefix(t, "$defaults") {
				return t, ""
			}
			trial := &reader{System: r.System, opt: r.opt}
			trial.calibanRule(nil, rules.Deny, t)
			if i := trial.items[0]; i.Status != Refused && i.Entries[0].List {
				return unquote(i.Entries[0].Value), ""
			}
			return "", notPlain
		})
		r.keys(root, "", lists, "")
		return
	}
	ruleList := func(v *node) {
		if v.Kind != 0 && v.Kind != list {
			r.cannot(v, rules.Deny, "rules", "no list of tables", "*")
		}
		for _, e := range v.Items {
			r.calibanEntry(e)
		}
	}
	permissions := keyed{
		"enforce": func(v *node) {
			r.lock(v, "enforce", `"disable"`, "disableBypassPermissionsMode", "disableAutoMode")
		},
		"disableAutoMode": r.calibanAuto, "disable_auto_mode": r.calibanAuto,
		"default_mode": r.calibanMode, "defaultMode": r.calibanMode,
	}
	r.keys(root, "", keyed{
		"rule": ruleList, "mcp_servers": r.calibanServers, "server": r.calibanServers,
		"disableAutoMode": r.calibanAuto, "disable_auto_mode": r.calibanAuto,
		"permissions": func(v *node) {
			ruleList(v.Get("rules"))
			for _, list := range [...]rules.List{rules.Deny, rules.Ask, rules.Allow} { // as the older lists count
				r.each(list, list.String(), func(v *node, _, t string) { r.calibanRule(v, list, t) })(v.Get(list.String()))
			}
			r.keys(v, "permissions.", permissions, "rules deny ask allow audit_log")
		},
	}, "")
}

func (r *reader) calibanAuto(v *node) { r.lock(v, "disableAutoMode", `"disable"`, "disableAutoMode") }

// calibanServers are servers, which may have rules of their own or be off.
func (r *reader) calibanServers(v *node) {
	for i, name := range v.Keys {
		server, own := "mcp__"+name+"__", v.Items[i].Get("permissions")
		if off := v.Items[i].Get("disabled").Text; off != "" && off != "false" {
			r.rule(v.Items[i], rules.Deny, name+" is disabled", "", server+"*")
		}
		for _, list := range [...]rules.List{rules.Deny, rules.Ask, rules.Allow} {
			r.each(list, list.String()+" "+name, func(v *node, said, tool string) {
				if isName(name + strings.NewReplacer("*", "", "?", "").Replace(tool)) {
					r.rule(v, list, said, "", server+tool)
				} else {
					r.cannot(v, list, said, "caliban changes such a name", "mcp__*")
				}
			})(own.Get(list.String()))
		}
	}
}

// calibanReplaced reports whether another file counts instead of this one: settings.json does without settings.toml,
// and what permissions.toml says replaces what they say. Its rules of the first form count where they say nothing.
func (r *reader) calibanReplaced(root *node) bool {
	folder, base := path.Split(strings.TrimSuffix(r.source.name, path.Ext(r.source.name)))
	settings, says := strings.Contains(base, "settings"), root.Get("permissions").Kind != 0
	group, older := folder+strings.Replace(base, "permissions", "settings", 1), folder+strings.Replace(base, "settings", "permissions", 1)
	replaces := r.noted[group+".json"] > 0 && path.Ext(r.source.name) != ".json"
	if replaces || says && !settings && r.noted[group] > 0 {
		r.source.fail(0, "it replaces a file that is named before it: name it first")
		return true
	}
	if settings && r.noted[group] > 0 {
		r.refuse(root, r.source.name, "another file counts there instead")
		return true
	}
	if settings || says {
		r.noted[group]++
		r.noted[group+path.Ext(r.source.name)]++
	}
	for n := range r.items {
		if i := &r.items[n]; settings && says && len(i.Rules(rules.Allow)) > 0 && strings.HasPrefix(i.At, older+".") {
			i.drop(path.Base(r.source.name) + " has permissions, and those count there instead")
		}
	}
	return false
}

// calibanMode is the mode; auto is locked until there is a classifier.
func (r *reader) calibanMode(v *node) {
	r.setMode(v, "default_mode "+v.Text, v.Text)
	i := r.last()
	switch {
	case i.Status == Refused:
	case r.opt.Scope == rules.Managed && rules.StricterMode(rules.ModeDefault, unquote(i.Entries[0].Value)):
		i.drop("a user's own mode overrules it there")
		r.mode = -1
	case v.Text == rules.ModeAuto:
		i.Entries = append(i.Entries, locks(`"disable"`, "disableAutoMode")...)
	}
}

// calibanEntry is one table of the list of rules. Without an action it does not load there.
func (r *reader) calibanEntry(e *node) {
	pattern, list := e.Get("pattern").Text+e.Get("tool").Text, listOf(e.Get("action").Text)
	if e.Get("pattern").Kind != 0 && e.Get("tool").Kind != 0 {
		pattern = "" // which of the two counts is not known
	}
	r.keys(e, "rule.", nil, "tool pattern action comment reason expires_at")
	switch {
	case list == rules.NoList || pattern == "":
		r.cannot(e, rules.Deny, "a rule for "+pattern, "it needs one pattern, and an action: allow, ask or deny", "*")
	case list == rules.Allow && e.Get("expires_at").Kind != 0:
		r.refuse(e, "allow "+pattern, "it has an end, and no rule here has one")
	default:
		r.calibanRule(e, list, pattern)
	}
}

func (r *reader) calibanRule(n *node, list rules.List, pattern string) {
	said := list.String() + " " + pattern
	name, arg, has := strings.Cut(pattern, ":")
	paren := strings.Contains(name, "(")
	if paren {
		name, arg, has = strings.Cut(strings.TrimSuffix(pattern, ")"), "(")
	}
	tool, mcp := r.tool(name), strings.HasPrefix(name, "mcp__")
	deep := "/**/" // of the project; a restriction binds elsewhere as well
	if list != rules.Allow {
		deep = "**/"
	}
	bind := cmp.Or(tool, "*")
	switch {
	case r.noted["rest"] > 0:
		r.refuse(n, said, "a rule for every tool comes before it")
	case pattern == "*":
		r.calibanRest(n, list, said)
	case strings.ContainsAny(name, "*?[{") && !mcp:
		r.cannot(n, list, said, "a pattern for the names of tools, which only those of MCP servers may have", "*")
	case has && (arg == "" || paren && !strings.HasSuffix(pattern, ")")):
		r.cannot(n, list, said, "it does not end, and matches nothing there", bind)
	case !has:
		r.bare(n, list, said, name)
	case strings.Contains(arg, "=") && mcp && list != rules.Allow:
		r.calibanField(n, list, said, name, arg)
	case strings.Contains(arg, "="):
		r.cannot(n, list, said, "with a = it is about a field of the input there", bind)
	case tool == "Bash" && strings.HasPrefix(arg, "~") && list == rules.Allow:
		r.refuse(n, said, "it covers every command that mentions it")
	case tool == "Bash" && strings.HasPrefix(arg, "~"):
		r.anywhere(n, list, said, strings.TrimLeft(arg[1:], " *"))
	case tool == "Bash":
		r.command(n, list, said, arg, "*?")
	case tool != "" && list == rules.Allow && strings.HasPrefix(arg, "~"):
		r.refuse(n, said, "it matches nothing there")
	case tool != "":
		r.path(n, list, said, tool, arg, deep)
	default:
		r.cannot(n, list, said, "no rule has such an argument", "*")
	}
}

// calibanField is a restriction by fields of the input: key=glob, several of which have to match. One is enough here.
func (r *reader) calibanField(n *node, list rules.List, said, tool, arg string) {
	first, _, more := strings.Cut(arg, ",")
	field, value, _ := strings.Cut(first, "=")
	empty := strings.Trim(value, "*") == "" // a field that is missing counts as an empty one
	switch ours := tool + "(" + field + ":" + value + ")"; {
	case empty || strings.Contains(field, ".") || strings.ContainsAny(value, `[]{}()\`):
		r.rule(n, list, said, "it binds every call of the tool", tool)
	case more:
		r.rule(n, list, said, "it binds by its first field alone", ours)
	default:
		r.rule(n, list, said, "", ours)
	}
}

// anywhere is a restriction of every command that has a text in it, up to its first wildcard. A blank at its end may be
// the end of the command.
func (r *reader) anywhere(n *node, list rules.List, said, part string) {
	why := ""
	if i := strings.IndexAny(part, "*?"); i >= 0 && i < len(part)-1 {
		part, why = part[:i], "it binds more than there"
	}
	part = strings.TrimSuffix(part, "*")
	texts := []string{"Bash(*" + part + "*)"}
	if stem := strings.TrimRight(part, " "); stem != part {
		texts = append(texts, "Bash(*"+stem+")")
	}
	if strings.TrimSpace(part) == "" || !plain("x"+part, "") {
		r.cannot(n, list, said, notPlain, "Bash")
		return
	}
	r.rule(n, list, said, why, texts...)
}

// bare notes a rule for every call of a tool.
func (r *reader) bare(n *node, list rules.List, said, name string) {
	why, also := "", []string(nil)
	if ours := r.tool(name); ours != "" {
		name = ours
	}
	if name == "Edit" && r.apart && list != rules.Allow {
		why = "a rule for Edit binds Write as well"
	} else if name == "Edit" && r.apart {
		also = []string{"Write", "NotebookEdit"}
	}
	if r.rule(n, list, said, why, name); r.last().Status != Refused {
		r.last().Entries = append(r.last().Entries, ruleEntries(rules.Ask, also...)...)
	}
}

// calibanRest is a rule for every tool, after which no other counts.
func (r *reader) calibanRest(n *node, list rules.List, said string) {
	r.noted["rest"]++
	if list == rules.Allow {
		r.refuse(n, said, "an allow rule names its tools")
		return
	}
	r.rest(said, safeTools())
	if i := r.last(); list == rules.Deny {
		r.noted["denied"]++
		i.Status, i.Why = Narrowed, "what no rule allows is asked about here, and every ask is a deny"
		i.Entries = append(i.Entries, Entry{Path: "permissions.denyInsteadOfPrompting", Value: "true"})
	}
}

func finishCaliban(r *reader) {
	r.writable()
	if r.noted["denied"] > 0 { // no mode allows more than the rules do
		if r.mode < 0 {
			r.setMode(nil, "by default: default_mode default", "default")
		}
		i := &r.items[r.mode]
		i.Status, i.Why, i.Entries[0].Value = Narrowed, "what no rule allows is denied there in every mode", `"dontAsk"`
	}
	if r.noted["rest"] == 0 {
		r.rest("by default: WebFetch and unknown tools ask", safeTools("Read", "Grep", "Glob"))
		r.add(nil, "by default: some other tools run", "", ruleEntries(rules.Allow, "TodoWrite", "EnterPlanMode")...)
	}
}
