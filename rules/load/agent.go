package load

import (
	"cmp"
	slash "path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// A defPlace is one folder agent definitions and skills are looked for in.
type defPlace struct {
	dir, root string
	scope     rules.Scope
	why       string // "" when its grants count
}

// defPlaces are the settings folders of the project, then those of the user.
func (l *loader) defPlaces() []defPlace {
	var ps []defPlace
	for _, root := range Roots {
		dir := slash.Join(l.p.Project.Given, root)
		if !l.isUsers(dir) {
			ps = append(ps, defPlace{dir, root, rules.Shared, ""})
		}
	}
	for i := range l.userRoots {
		u := &l.userRoots[i]
		ps = append(ps, defPlace{u.dir, u.root, rules.User, l.userWhy(u)})
	}
	return ps
}

// agent loads the definition of the calling agent.
func (l *loader) agent() {
	name := l.w.Agent
	if name == "" {
		return
	}
	a := &rules.AgentDef{Name: name, Narrow: true}
	l.p.Agent = a
	if !rules.Component(name) {
		return
	}
	for _, p := range l.defPlaces() {
		for _, file := range [...]string{name + ".md", slash.Join(name, "AGENT.md")} {
			if l.agentFile(a, p, slash.Join(p.dir, "agents", file)) {
				return
			}
		}
	}
}

// agentFile reads one definition; false if there is no such file.
func (l *loader) agentFile(a *rules.AgentDef, p defPlace, path string) bool {
	f, data, ok := l.front(&a.Pos, path)
	if !ok {
		return false
	}
	a.Found, a.Content = true, data
	if names := f.find("name"); len(names) > 0 {
		if n := f.scalar(names[0]); n != a.Name && n != "" {
			f.spoil("it defines " + abridged(n))
		}
	}
	mode, claude := f.mode(), p.root == ".claude"
	a.Deny, _ = l.defRules(&f, rules.Deny, rules.Agent, claude, "deny_tools", "disallowedTools")
	a.Allow, a.HasAllow = l.defRules(&f, rules.Allow, rules.Agent, claude, "allow_tools")
	for _, e := range f.find("tools") {
		a.HasTools = true
		if items, _ := f.items(e); len(items) == 1 && items[0].text == "*" {
			a.HasTools = false // every tool, as if the key were not there
			continue
		}
		a.Tools = l.entryRules(&f, e, rules.Allow, a.Tools, rules.Agent, claude)
	}
	if f.bad != "" {
		l.defFault(path, rules.Agent, f.bad+"; its grants do not count")
		a.HasAllow, a.Allow, a.HasTools, a.Tools = false, nil, false, nil
		return true
	}
	a.Known = true
	spare(a)
	why := p.why
	var new withheld
	switch {
	case why == "" && l.p.ManagedOnly.On():
		why = "allowManagedPermissionRulesOnly is set at " + l.p.ManagedOnly.Pos.String()
	case why == "" && p.scope == rules.Shared:
		new = l.untrusted(place{path: path, scope: rules.Agent, root: p.root}, data, l.grantsOfAgent(a, mode, path))
	}
	a.Narrow = why != "" || new.all()
	for i := range a.Allow {
		if why := cmp.Or(why, new.of(i)); why != "" {
			l.drop(a.Allow[i].Text, a.Allow[i].Pos, why)
		} else {
			a.Granted = append(a.Granted, a.Allow[i])
		}
		if new.of(i) != "" {
			l.p.Untrusted = append(l.p.Untrusted, a.Allow[i])
		}
	}
	l.defMode(a, p, path, mode, cmp.Or(why, new.of(len(a.Allow))))
	return true
}

// spare has a bare Read or Edit that a definition takes away not speak of other tools that its own lists name: next to
// `tools: Write` the name Edit is no more than that tool, as the hosts read it.
func spare(a *rules.AgentDef) {
	named := " "
	for _, r := range slices.Concat(a.Tools, a.Allow) {
		named += r.Tool + " "
	}
	for i := range a.Deny {
		if r := &a.Deny[i]; r.Bare && (r.Tool == "Read" || r.Tool == "Edit") {
			r.Spares = named
		}
	}
}

// grantsOfAgent is all that a definition says that counts only if it is trusted.
func (l *loader) grantsOfAgent(a *rules.AgentDef, mode, path string) []Grant {
	out := granted("agent allow", a.Allow)
	if l.widens(mode, rules.Agent, path) {
		out = append(out, Grant{Kind: "agent mode", Text: mode, Pos: a.Pos})
	}
	return out
}

// agentGrants is what a text of a definition grants.
func (l *loader) agentGrants(at place, data []byte) []Grant {
	f, ok := parseFront(at.path, string(data))
	if !ok || f.bad != "" {
		return nil
	}
	a := &rules.AgentDef{Pos: rules.Pos{File: at.path, Line: 1, Col: 1}}
	a.Allow, _ = l.defRules(&f, rules.Allow, rules.Agent, at.root == ".claude", "allow_tools")
	return l.grantsOfAgent(a, f.mode(), at.path)
}

// mode is the mode that a definition names, "" for none.
func (f *front) mode() (mode string) {
	for _, e := range f.find("mode", "permissionMode", "permissions") {
		mode = f.scalar(e)
	}
	return mode
}

// defMode settles the mode a definition gives. One that does not count is as if it were not written.
func (l *loader) defMode(a *rules.AgentDef, p defPlace, path, mode, why string) {
	if mode == "" {
		return
	}
	a.Mode = l.modeName(mode, rules.Agent, a.Pos)
	switch {
	case why != "" && stricter(rules.ModeDefault, a.Mode):
		l.drop("mode: "+a.Mode, a.Pos, why)
		why = "mode " + a.Mode + " does not count: " + why
	case a.Mode != rules.ModeBypass || p.scope != rules.Shared:
		return
	case l.noBypass(rules.Agent, path):
		why = "bypassPermissions is ignored: git tracks the file, so it came with the repository"
	case l.unrecordedBypass(place{path: path, scope: rules.Agent, root: p.root}, a.Content, l.grantsOfAgent(a, mode, path)):
		why = "bypassPermissions is ignored: no git index shows that the file did not come with the project; " +
			l.trustCommand("") + " records it"
	default:
		return
	}
	l.note(at(a.Pos) + why)
	a.Mode = ""
}

const noFront = "the file has no front matter"

// front reads the front matter of a definition; ok is false if there is no such file.
func (l *loader) front(pos *rules.Pos, path string) (f front, data []byte, ok bool) {
	data, err := l.f.ReadFile(path, MaxSettings)
	if missing(err) {
		return f, nil, false
	}
	*pos = rules.Pos{File: path, Line: 1, Col: 1}
	if err != nil {
		f.spoil(reason(err))
		return f, nil, true
	}
	f, found := parseFront(path, string(data))
	if !found {
		f.spoil(noFront)
	}
	return f, data, true
}

// skill loads the running skill, which only narrows. Additional directories give skills alone.
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
		claude := p.root == ".claude"
		a.Allow, a.HasAllow = l.defRules(&f, rules.Allow, rules.Skill, claude, "allowed-tools", "allowed_tools", "allow_tools")
		a.Deny, _ = l.defRules(&f, rules.Deny, rules.Skill, claude, "disallowed-tools", "deny_tools", "disallowedTools")
		a.Known = f.bad == ""
		if f.bad != "" {
			l.defFault(path, rules.Skill, f.bad)
		}
		return
	}
}

// skillText counts the allowed-tools of the project's skill whose text holds the call as far as they were recorded, and
// withholds the others: the host obeys them. It may be the slash command of that name, too.
func (l *loader) skillText() {
	name, known := strings.Split(l.w.SkillText, ":"), false
	if l.w.SkillText == "" || l.p.Posture.ProjectTrust.Value != "require" {
		return
	}
	dir, below := slash.Join(l.p.Project.Given, ".claude"), slash.Join(name...)
	for _, file := range [...]string{"skills/" + below + "/SKILL.md", "commands/" + below + ".md"} {
		if slices.ContainsFunc(name, func(part string) bool { return !rules.Component(part) }) {
			break
		}
		if c, list, there := l.skillClaim(slash.Join(dir, file)); there {
			if known = c.Fault == nil; !known {
				break
			}
			new := l.untrusted(c.place, c.Content, c.Grants)
			l.skillRules(list, new.of)
		}
	}
	if !known {
		f, _ := parseFront(dir, "---\nallowed-tools: Bash, PowerShell\n---\n")
		list, _ := l.defRules(&f, rules.Allow, rules.Skill, true, "allowed-tools")
		why := "allowed-tools of " + abridged(l.w.SkillText) + " cannot be read: allow it in your own settings"
		l.skillRules(list, func(int) string { return why })
	}
}

func (l *loader) skillRules(list []rules.Rule, why func(int) string) {
	for i, r := range list {
		if l.allow(r, cmp.Or(why(i), l.whyManagedOnly())); why(i) != "" {
			l.p.Untrusted = append(l.p.Untrusted, r)
		}
	}
}

// skillClaim reads the allowed-tools of a skill or slash command of the project.
func (l *loader) skillClaim(path string) (c Claim, list []rules.Rule, there bool) {
	c = Claim{Path: path, Scope: rules.Skill, place: place{path: path, scope: rules.Skill, root: ".claude"}, l: l}
	var pos rules.Pos
	f, data, there := l.front(&pos, path)
	list, _ = l.defRules(&f, rules.Allow, rules.Skill, true, "allowed-tools")
	if f.bad != "" && f.bad != noFront {
		c.Fault = &rules.Fault{Pos: pos, Scope: rules.Skill, Msg: f.bad}
	}
	c.Content, c.Grants, c.Needed = data, granted("skill allow", list), len(list) > 0
	return c, list, there
}

// defRules reads the rules of the keys of these names, and reports whether one is there.
func (l *loader) defRules(f *front, list rules.List, scope rules.Scope, claude bool, names ...string) (rs []rules.Rule, there bool) {
	for _, e := range f.find(names...) {
		rs, there = l.entryRules(f, e, list, rs, scope, claude), true
	}
	return rs, there
}

// entryRules adds the rules of one key: a list, or a text with commas.
func (l *loader) entryRules(f *front, e *entry, list rules.List, rs []rules.Rule, scope rules.Scope, claude bool) []rules.Rule {
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

// ToolAliases are further tool names in skills and agent definitions, but in no settings file.
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
