package importer

import (
	"cmp"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

var coreAgent = System{
	Name: "core-agent", Title: "core-agent",
	Source: "the permissions page of core-agent at 10d4b54, 2026-05-16, and pkg/permissions at b7083874, 2026-08-21",
	Doc: ".agents/config.json: permissions and path_scope. Its refusals are catastrophic: deny, its scope is outsideReads: ask " +
		"and additionalDirectories.",
	Places: []Place{{rules.Local, ".agents/config.json"}, {rules.Shared, ".agents/config.json"}},
	modes: []mode{
		{"ask", "default", ""}, {"allow", "dontAsk", ""}, {"yolo", "bypassPermissions", ""}, {"plan", "plan", ""},
		{"acceptEdits", "acceptEdits", "outside the workspace an edit is asked about"},
		{"auto", "default", "a model answers there: name one as classifier, then set auto"},
		{"", "dontAsk", "an unknown mode denies there"},
	},
	tools: "bash=Bash read_file=Read write_file=Write edit_file=Edit list_dir=Read skill=Skill todo=TodoWrite " +
		"fetch_url=WebFetch mcp=mcp__*",
	apart: true, fold: true,
	read: readCoreAgent, finish: finishCoreAgent,
}

func readCoreAgent(r *reader, root *node) {
	patterns := func(list rules.List) func(v *node) {
		return r.each(list, list.String(), func(v *node, said, t string) { r.corePattern(v, list, said, t) })
	}
	permissions := keyed{
		"mode":  func(v *node) { r.setMode(v, "mode "+v.Text, v.Text) },
		"allow": patterns(rules.Allow), "deny": patterns(rules.Deny),
		"use_builtin_allow": func(v *node) {
			if v.Text == "true" {
				r.add(v, "use_builtin_allow", "it has to be proven that a command reads", gateKey("readOnlyCommands", "allow"))
			}
		},
		"require_plan_artifact": func(v *node) {
			if why := "that a plan was recorded is the program's to know"; v.Text != "false" {
				r.cannot(v, rules.Deny, "require_plan_artifact", why, "Edit", "Bash", "WebFetch")
			}
		},
	}
	r.keys(root, "", keyed{
		"permissions": func(v *node) { r.keys(v, "permissions.", permissions, "") },
		"url_scope": func(v *node) {
			r.keys(v, "url_scope.", keyed{
				"allow": func(v *node) {
					r.cannot(v, rules.Deny, "url_scope allow", "no rule leaves out some addresses", "WebFetch")
				},
				"deny": r.each(rules.Deny, "url_scope deny", func(v *node, said, t string) { r.address(v, rules.Deny, said, t) }),
			}, "max_body_bytes timeout_seconds headers proxy allow_metadata_endpoints")
		},
		"path_scope": func(v *node) {
			r.keys(v, "path_scope.", keyed{"allow": r.coreScope, "allow_paths": r.coreScope}, "")
		},
	}, "")
}

// corePattern is one pattern: tool:glob.
func (r *reader) corePattern(n *node, list rules.List, said, pattern string) {
	name, glob, has := strings.Cut(pattern, ":")
	tool, stem := r.tool(name), strings.TrimSuffix(glob, "*")
	whole := name == "bash" && r.opt.Claude && list == rules.Allow // a .claude file reads a text byte for byte
	wild := ""
	if list == rules.Deny {
		wild = "*?"
	}
	switch {
	case pattern == "*" && list == rules.Deny:
		r.rule(n, list, said, "", "*")
	case !has || tool == "":
		r.cannot(n, list, said, "it names no tool that is known", "*")
	case name == "list_dir" && list == rules.Allow:
		r.refuse(n, said, "a rule for Read covers what is in the files, too")
	case glob != "" && strings.Trim(glob, "*") == "" && tool != "Read":
		r.bare(n, list, said, tool)
	case whole && !plain(stem, "") && !strings.ContainsAny(glob, "*?[\\()\n"):
		r.add(n, said, "", ruleEntries(list, "Bash("+glob+")")...)
	case name == "bash" && (list == rules.Allow && strings.ContainsAny(stem, "*?") || !plain(stem, wild)):
		r.cannot(n, list, said, notPlain, tool)
	case name == "bash":
		r.command(n, list, said, glob, "*?")
	case name == "skill" && plain(glob, ""):
		r.rule(n, list, said, "", "Skill("+glob+")")
	case name == "mcp":
		r.coreMCP(n, list, said, glob)
	case strings.HasSuffix(name, "_file") || name == "list_dir":
		r.corePath(n, list, said, tool, glob)
	default:
		r.cannot(n, list, said, "no rule has such an argument", tool)
	}
}

// corePath is a pattern about files. A star at its end goes on past slashes there.
func (r *reader) corePath(n *node, list rules.List, said, tool, glob string) {
	if list == rules.Allow && strings.IndexAny(glob, "/~") == 0 {
		r.refuse(n, said, "outside the project its scope asks whatever the rules say")
		return
	}
	deep := "/"
	if list == rules.Deny && strings.HasPrefix(glob, "*") && !strings.Contains(glob, "/") {
		deep = "" // a name, at any depth
	}
	r.path(n, list, said, tool, glob, deep)
	i := r.last()
	if strings.Contains(said, "list_dir") && i.Status == Exact {
		i.Status, i.Why = Narrowed, "it binds reading as well"
	}
	open := strings.HasSuffix(glob, "*") && !strings.HasSuffix(glob, "**")
	if open && list == rules.Deny && i.Status != Refused {
		i.Entries = append(i.Entries, ruleEntries(list, strings.TrimSuffix(unquote(i.Entries[0].Value), ")")+"/**)")...)
	}
}

// coreMCP is a tool of a server, server_tool there. A deny binds it wherever the server's name may end.
func (r *reader) coreMCP(n *node, list rules.List, said, glob string) {
	var texts []string
	for i := 1; i < len(glob)-1; i++ {
		if glob[i] == '_' && (list == rules.Deny || texts == nil) {
			texts = append(texts, "mcp__"+glob[:i]+"__"+glob[i+1:])
		}
	}
	if texts == nil || strings.ContainsAny(strings.TrimSuffix(glob, "*"), `*?[\ `) {
		r.cannot(n, list, said, "it does not name a tool of a server", "mcp__*")
		return
	}
	r.rule(n, list, said, "", texts...)
}

// coreScope is a list of path_scope: a path, or a table of path and access.
func (r *reader) coreScope(v *node) {
	for _, e := range v.Items {
		place, access := e.Text+e.Get("path").Text, e.Get("access").Text
		said := strings.TrimSpace("path_scope " + place + " " + access)
		tree, isTree := strings.CutSuffix(place, "/...")
		switch {
		case strings.IndexAny(place, "/~") != 0 || strings.Contains(tree, ".."):
			r.refuse(e, said, "no absolute path")
		case isTree && e.Kind == text, isTree && access == "rw":
			r.dirs("path_scope")(&node{Kind: text, Text: cmp.Or(tree, "/"), Off: e.Off})
		case e.Kind != text && access != "r" && access != "rw":
			r.refuse(e, said, "what may be written may be read here, too")
		case isTree:
			r.path(e, rules.Allow, said, "Read", tree+"/**", "")
		default:
			r.path(e, rules.Allow, said, "Read", place, "")
		}
	}
}

func finishCoreAgent(r *reader) {
	r.writable()
	r.add(nil, "by default: commands that destroy a system are refused", "", gateKey("catastrophic", "deny"))
	r.add(nil, "by default: reads outside the project prompt", "", gateKey("outsideReads", "ask"))
	if r.mode < 0 || unquote(r.items[r.mode].Entries[0].Value) != rules.ModeBypass {
		r.rest("by default: other tools prompt", safeTools("Read", "Glob", "Grep"))
	}
}
