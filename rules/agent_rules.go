package rules

import slash "path"

// skill loads the definition of the running skill, which only narrows. Of the
// additional directories nothing but skills is read.
func (l *loader) skill() {
	name := l.w.Skill
	if name == "" {
		return
	}
	a := &AgentDef{Name: name, Narrow: true}
	l.p.Skill = a
	if !Component(name) {
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
			a.Allow = l.defRules(&f, e, Allow, a.Allow, Skill, p.root == ".claude")
		}
		for _, e := range f.find("disallowed-tools", "deny_tools", "disallowedTools") {
			a.Deny = l.defRules(&f, e, Deny, a.Deny, Skill, p.root == ".claude")
		}
		a.Known = f.bad == ""
		if f.bad != "" {
			l.defFault(path, Skill, f.bad)
		}
		return
	}
}

// defRules reads the rules of one key: a list, or a text with commas.
func (l *loader) defRules(f *front, e *entry, list List, rs []Rule, scope Scope, claude bool) []Rule {
	items, isList := f.items(e)
	for _, it := range items {
		texts := []string{it.text}
		if !isList {
			texts = SplitFlag(it.text)
		}
		for _, text := range texts {
			rs = l.rule(rs, text, list, scope, it.pos, claude)
		}
	}
	return rs
}

func (l *loader) defFault(path string, scope Scope, msg string) {
	l.faulty(Fault{Pos: Pos{File: path}, Scope: scope, Msg: msg})
}
