package importer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

var coreAgent = System{
	Name: "core-agent", Title: "core-agent",
	Source: "the permissions page of core-agent at 10d4b54, 2026-05-16, and pkg/permissions at b7083874, 2026-08-21",
	Doc: ".agents/config.json: permissions, path_scope, url_scope. Its refusals are catastrophic: deny and what its expressions match, its " +
		"scope is outsideReads: ask and additionalDirectories.",
	Places: []Place{{rules.Local, ".agents/config.json"}, {rules.Shared, ".agents/config.json"}},
	modes: []mode{
		{"ask", "default", ""}, {"allow", "dontAsk", ""}, {"yolo", "bypassPermissions", ""}, {"plan", "plan", ""},
		{"acceptEdits", "acceptEdits", "outside the workspace an edit is asked about"},
		{"auto", "default", "a model answers there: name one as classifier, then set auto"}, {"", "dontAsk", "an unknown mode denies there"},
	},
	tools: "delete_file=delete_file fetch_url=WebFetch",
	sends: true, apart: true, fold: true, finish: finishCoreAgent,
	rows: func() []row {
		return []row{
			{"permissions.mode", starts},
			{"permissions.use_builtin_allow", when("true", says(rules.Allow, "", coreBuiltin()...))},
			{"permissions.allow", each(rules.Allow, corePattern)},
			{"permissions.deny", each(rules.Deny, corePattern)},
			{"permissions.require_plan_artifact", unless("false", corePlan)},
			{"permissions.plan_mode", unless("off advisory", corePlan)},
			{"path_scope.allow path_scope.allow_paths", coreScope},
			{"url_scope", restricts("it reaches what is listed alone, and no rule leaves out some addresses", "WebFetch")},
			{"url_scope.deny", each(rules.Deny, coreAddress)},
			{"url_scope.*", nil},
		}
	},
}

// corePattern is one pattern, tool:glob. A glob alone is for every tool, and three rules here.
func corePattern(r *reader, n *node, list rules.List, said, pattern string) {
	name, text, has := strings.Cut(pattern, ":")
	tool, every := r.tool(name), strings.Trim(text, "*") == "" && (list == rules.Deny || text == "*")
	switch granted := list == rules.Allow; {
	case text == "" && (has || pattern == ""):
		r.refuse(n, said, "it matches no call")
	case !has && granted:
		r.refuse(n, said, "a grant names a tool")
	case !has && strings.Trim(pattern, "*") == "":
		r.rule(n, list, said, "", "*")
	case !has:
		g, _ := glob("**/"+pattern, `*?[\`)
		g = strings.Replace(g, "**//", "//", 1)
		r.field(n, list, said, "Bash", "command", pattern, `*?[\`)
		r.last().Entries = append(r.last().Entries, ruleEntries(list, "Read("+g+"/**)", "Edit("+g+"/**)")...)
	case name == "bash":
		r.coreBash(n, list, said, text)
	case name == "mcp" || name == "skill":
		r.coreServer(n, list, said, name, text)
	case every && tool != "" && !granted, every && (tool == "Write" || tool == "Edit"):
		r.bare(n, list, said, name)
	case strings.HasSuffix(name, "_file") || tool == "LS" || tool == "Grep" || tool == "Glob":
		r.corePath(n, list, said, tool, text)
	case tool == "WebFetch" && !every && !granted:
		r.field(n, list, said, tool, "url", text, `*?[\`)
	case granted && every && tool == "":
		r.theirs(n, list, said, name, name)
	case granted && every && tool == "WebFetch":
		r.rule(n, list, said, "", tool, name)
	case granted && every:
		r.bare(n, list, said, name)
	case granted || !isName(name) && tool == "":
		r.cannot(n, list, said, "no rule has such an argument", "*")
	default: // the name of a tool, or of a set of tools
		names := []string{tool, name, name + "_*", "mcp__" + name + "__*"}
		r.rule(n, list, said, "it binds every call of the tool", without(names, "")...)
	}
}

// coreBash is a pattern about the text of a command. Where a star is not its end it stops at slashes there.
func (r *reader) coreBash(n *node, list rules.List, said, text string) {
	stem := strings.TrimSuffix(text, "*")
	switch odd := strings.TrimSpace(text) != text || strings.ContainsAny(text, "*?[\\()\n"); {
	case list == rules.Deny:
		r.command(n, list, said, strings.TrimSpace(text), `*?[\`)
	case r.opt.Claude && !plain(stem, "") && !odd: // a .claude file reads a text byte for byte
		r.add(n, said, "", ruleEntries(list, "Bash("+text+")")...)
	case text == "*":
		r.bare(n, list, said, "bash")
	case strings.ContainsAny(stem, "*?"):
		r.refuse(n, said, notPlain)
	default:
		r.command(n, list, said, text, `*?[\`)
	}
}

// corePath is a pattern about files, whose paths are absolute there. Its last star goes on past slashes.
func (r *reader) corePath(n *node, list rules.List, said, tool, at string) {
	inside, ok := strings.CutPrefix(at, r.opt.Project+"/")
	stem, open := strings.CutSuffix(at, "*")
	writes := tool == "Write" || tool == "Edit"
	tree := open && strings.HasSuffix(stem, "/") && !strings.ContainsAny(stem, "*?")
	switch granted := list == rules.Allow; {
	case granted && tool != "Read" && !writes:
		r.refuse(n, said, "no rule is about that alone")
	case granted && !ok && (writes || strings.IndexAny(at, "/~") == 0):
		r.refuse(n, said, "it grants nothing there: paths are absolute, and outside the project the scope counts")
	case granted && writes && tree:
		r.path(n, list, said, tool, inside+"*", "/")
	case granted && writes:
		r.path(n, list, said, tool, strings.ReplaceAll(inside, "**", "*"), "/")
	case granted:
		r.path(n, list, said, tool, inside, "/")
	default:
		deep, ours := "/", map[string]string{"delete_file": "Edit", "LS": "Read", "Grep": "Read", "Glob": "Read"}[tool]
		if rest := strings.TrimLeft(at, "*"); strings.HasPrefix(rest, "/") && rest != at {
			deep, at = "", "**"+rest // anywhere, as a star at the beginning is nothing, or a folder
		} else if rest != at {
			deep = "**/"
		}
		if strings.HasSuffix(at, "/") {
			at += "**"
		}
		r.path(n, list, said, cmp.Or(ours, tool), at, deep)
		i := r.last()
		if rule := i.Rules(list)[0]; open && strings.HasSuffix(rule, "*)") && !strings.HasSuffix(rule, "**)") {
			i.Entries = append(i.Entries, ruleEntries(list, strings.TrimSuffix(rule, ")")+"/**)")...)
		}
		if ours != "" {
			i.narrow("it binds what else is " + ours + " here as well")
		}
	}
}

// coreServer is a pattern about tools of servers, server_tool there, or about skills. Its key is the tool and the
// input.
func (r *reader) coreServer(n *node, list rules.List, said, of, text string) {
	name, star, rest := text, "", ""
	if i := strings.IndexAny(text, "*?[\\ "); i >= 0 {
		name, star, rest = text[:i], "*", text[i:]
	}
	var names []string
	for i := 1; i < len(name)-1+len(star); i++ {
		if name[i] == '_' && (list == rules.Deny || names == nil) {
			names = append(names, "mcp__"+name[:i]+"__"+name[i+1:]+star)
		}
	}
	skill, granted := of == "skill", list == rules.Allow
	named := isName(name) && slices.Contains([]string{"", "*", " *"}, rest)
	switch {
	case skill && granted && text == "*", skill && granted && named && rest == "":
		r.rule(n, list, said, "", "Skill("+text+")")
	case granted && (skill || names == nil || !named):
		r.refuse(n, said, "it does not name a tool of a server, or a skill")
	case granted && (rest == "" || strings.HasSuffix(name, "_")): // with its input the name is no key there
		r.rule(n, list, said, "", names...)
	case granted:
		r.rule(n, list, said, "", append(names, name)...)
	case skill && rest == "" && isName(name):
		r.rule(n, list, said, "", "Skill("+name+")", "load_skill(name:"+name+")", "load_skill(skill_name:"+name+")")
	case skill:
		r.rule(n, list, said, "it binds every skill", "Skill", "*_skill*")
	case name == "" || !isName(name):
		r.rule(n, list, said, "it binds every tool of a server", "mcp__*", "*_*")
	default:
		r.rule(n, list, said, more(rest == "" || rest == "*"), append(names, name+star, "mcp__"+name+star)...)
	}
}

// coreScope is a list of path_scope: a path, or a table of path and access. The entry that says most counts there.
func coreScope(r *reader, v *value) {
	for _, e := range v.Items {
		place := e.Text + e.Get("path").Text
		access := cmp.Or(strings.ToLower(strings.TrimSpace(e.Get("access").Text)), "rw")
		said := strings.TrimSpace("path_scope " + place + " " + e.Get("access").Text)
		tree, isTree := strings.CutSuffix(place, "/...")
		if isTree {
			place = tree + "/**"
		}
		both := slices.Contains([]string{"rw", "wr", "readwrite", "read+write"}, access)
		switch {
		case strings.IndexAny(place, "/~") != 0 || strings.Contains(place, ".."):
			r.refuse(e, said, "no absolute path")
		case isTree && both:
			folders()(r, &value{&node{Kind: text, Text: cmp.Or(tree, "/"), Off: e.Off}, "path_scope", nil})
		case both || access == "r" || access == "read":
			r.path(e, rules.Allow, said, "Read", place, "")
			if i := r.last(); !both && i.Status == Exact { // also where a wider entry has more
				edits := "Edit" + strings.TrimPrefix(i.Rules(rules.Allow)[0], "Read")
				i.Entries = append(i.Entries, ruleEntries(rules.Ask, edits)...)
			}
		default:
			r.path(e, rules.Ask, said, "Read", place, "")
		}
	}
}

// coreAddress is a host that is refused, by https, and by http where it says so.
func coreAddress(r *reader, n *node, list rules.List, said, host string) {
	host = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(host), "https://"), "http://")
	if strings.Contains(host, ":") {
		host = "https://" + strings.TrimSuffix(host, ":*")
	}
	r.address(n, list, said, host)
}

// corePlan leaves what runs before a plan is recorded, which is the program's to know.
func corePlan(r *reader, v *value) {
	r.only(v.node, v.short(), "that a plan was recorded is the program's to know: nothing else runs", "tools",
		strings.Fields("Read Grep Glob LS TodoWrite Skill *_skill* stat json_query record_plan")...)
}

// coreBuiltin are the commands that are allowed there: as they are, with arguments, or either way.
func coreBuiltin() []string {
	const known = "pwd)|whoami)|id)|groups)|hostname)|date)|uptime)|env)|true)|false)|cat *)|file *)|printf *)|grep *)|egrep *)|" +
		"fgrep *)|rg *)|sort *)|uniq *)|cut *)|tr *)|which *)|type *)|whereis *)|find *)|command -v *)|uname:*)|printenv:*)|ls:*)|" +
		"tree:*)|head:*)|tail:*)|wc:*)|echo:*)|df:*)|du:*)|free:*)|ps:*)"
	return strings.Split("Bash("+strings.ReplaceAll(known, "|", "|Bash("), "|")
}

func finishCoreAgent(r *reader) {
	r.writable()
	texts := func(list rules.List, globs string) []Entry {
		all := "Bash(command:" + strings.ReplaceAll(globs, "|", ")|Bash(command:") + ")"
		return ruleEntries(list, strings.Split(all, "|")...)
	}
	const systems = "*dd*if=*of=/dev/*|*mkfs*|*shred?*|*wipefs?*|*chmod*-R* /|*chmod*-R* / *|*chown*-R* /|*chown*-R* / *"
	refused := append(texts(rules.Deny, systems),
		ruleEntries(rules.Deny, "Bash(command:*:|:*)", "Bash(command:*curl *|*sh'*)", `Bash(command:*curl *|*sh"*)`,
			"Bash(command:*wget *|*sh'*)", `Bash(command:*wget *|*sh"*)`)...)
	r.add(nil, "by default: commands that destroy a system are refused, and texts that name them", "of those a few more",
		append(refused, gateKey("catastrophic", "deny"))...)
	outside := ruleEntries(rules.Ask, "Read(//tmp/**)", "Edit(//tmp/**)", "Read(//var/tmp/**)", "Edit(//var/tmp/**)")
	r.add(nil, "by default: reads outside the project prompt, in temporary folders, too", "",
		append(outside, gateKey("outsideReads", "ask"))...)
	if slices.ContainsFunc(r.written().Allow, func(w rules.Rule) bool { return w.Tool == "Bash" }) {
		const said = "by default: a command with a redirect or a variable is allowed by no pattern"
		r.add(nil, said, "", texts(rules.Ask, "*>*|*<*|*$*|*`*")...)
	}
	r.rest("by default: other tools prompt", safeTools("Read", "Glob", "Grep"))
}
