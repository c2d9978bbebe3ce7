package load

import (
	slash "path"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// skill loads the definition of the running skill, which only narrows. Of the
// additional directories nothing but skills is read.
func (l *loader) skill() {
	name := l.w.Skill
	if name == "" {
		return
	}
	a := &rules.AgentDef{Name: name, Narrow: true}
	l.p.Skill = a
	if !rules.Component(name) {
		return
	}
	ps := l.defPlaces()
	for _, d := range l.p.Dirs {
		for _, root := range Roots {
			ps = append(ps, defPlace{dir: slash.Join(d.Path.Given, root), root: root})
		}
	}
	for _, p := range ps {
		path := slash.Join(p.dir, "skills", name, "SKILL.md")
		f, _, ok := l.front(&a.Pos, path)
		if !ok {
			continue
		}
		a.Found = true
		for _, e := range f.find("allowed-tools", "allowed_tools", "allow_tools") {
			a.HasAllow = true
			a.Allow = l.defRules(&f, e, rules.Allow, a.Allow, rules.Skill, p.root == ".claude")
		}
		for _, e := range f.find("disallowed-tools", "deny_tools", "disallowedTools") {
			a.Deny = l.defRules(&f, e, rules.Deny, a.Deny, rules.Skill, p.root == ".claude")
		}
		a.Known = f.bad == ""
		if f.bad != "" {
			l.defFault(path, rules.Skill, f.bad)
		}
		return
	}
}

// defRules reads the rules of one key: a list, or a text with commas.
func (l *loader) defRules(f *front, e *entry, list rules.List, rs []rules.Rule, scope rules.Scope, claude bool) []rules.Rule {
	items, isList := f.items(e)
	for _, it := range items {
		texts := []string{it.text}
		if !isList {
			texts = splitFlag(it.text)
		}
		for _, text := range texts {
			rs = l.rule(rs, unaliased(text, list), list, scope, it.pos, claude)
		}
	}
	return rs
}

// ToolAliases are the names that lists of skills and agent definitions may use for a
// tool besides ours; no settings file may.
var ToolAliases = [...]struct{ Alias, Tool, Doc string }{
	{"shell", "Bash", "`shell(git push)` is `Bash(git push:*)`, and of `shell(git)` and `shell(gh)` an allow covers no subcommand"},
	{"bash", "Bash", ""},
	{"read", "Read", "Read, Glob and Grep"},
	{"write", "Edit", "Edit, Write and NotebookEdit"},
	{"edit", "Edit", "the same"},
	{"glob", "Glob", ""},
	{"grep", "Grep", ""},
	{"memory", "Memory", ""},
}

// unaliased is a rule of a skill or agent definition under our name of its tool.
func unaliased(text string, list rules.List) string {
	text = strings.TrimSpace(text)
	name, pattern, has := strings.Cut(text, "(")
	for _, a := range ToolAliases {
		switch {
		case a.Alias != name:
			continue
		case !has:
			return a.Tool
		case name != "shell" || strings.ContainsAny(pattern, "*?") || !strings.HasSuffix(pattern, ")"):
			return a.Tool + "(" + pattern
		}
		command := strings.TrimSpace(strings.TrimSuffix(pattern, ")"))
		if list == rules.Allow && (command == "git" || command == "gh") {
			return a.Tool + "(" + command + ")"
		}
		return a.Tool + "(" + command + ":*)"
	}
	return text
}

func (l *loader) defFault(path string, scope rules.Scope, msg string) {
	l.faulty(rules.Fault{Pos: rules.Pos{File: path}, Scope: scope, Msg: msg})
}
