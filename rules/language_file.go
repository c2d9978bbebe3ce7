package rules

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/rules/automaton"
)

// fileLanguage is what a rule matches among the paths that calls of a tool name, see
// pathTexts. What a deny or ask of a search tool matches by what is searched for is the
// field pattern, the path is also its field as it was sent: absolute and clean.
func (p *Policy) fileLanguage(r *Rule, tool string) (l Language, why string) {
	readings := r.readings()
	for i := range readings {
		r := &readings[i]
		switch {
		case r.URL != nil:
		case mcpRule(r):
			l.All = l.All || matchMCP(r, tool)
		case !r.governs(tool):
		case r.Bare:
			l.All = true
		default:
			if why := p.addPaths(&l, r, tool); why != "" {
				return Language{}, why
			}
		}
	}
	return l, ""
}

// addPaths adds what one reading of a rule matches.
func (p *Policy) addPaths(l *Language, r *Rule, tool string) (why string) {
	specs := p.specs(r)
	for i := range specs {
		text := specs[i].dir + joinSegs(specs[i].segs)
		if r, odd := p.letters.oddRune(text); odd {
			return "it names a file by " + string(r) + ", which has several spellings"
		}
		if why := p.addSpec(l, r, &specs[i]); why != "" {
			return why
		}
	}
	if !r.strict() {
		return ""
	}
	if len(specs) > 0 {
		l.Maybe = append(l.Maybe, p.spelled(p.letters.foldersAbove(specs))...)
	}
	if r.searchesByName(&Subject{HasName: true}) {
		g := compileGlob(FoldPath(strings.TrimSpace(r.Pattern)))
		l.Fields = append(l.Fields, FieldLanguage{"pattern", p.letters.unfolded(globMachine(&g, nil))})
	}
	name, value, ok := fieldPattern(r.Pattern)
	if !ok || !identifier(name) || value == "" {
		return ""
	}
	g := compileGlob(value)
	l.Fields = append(l.Fields, FieldLanguage{name, globMachine(&g, nil)})
	if name == mainField(tool) {
		g = compileGlob(FoldPath(value))
		l.Sure = append(l.Sure, p.letters.unfolded(globMachine(&g, nil)))
	}
	return ""
}

// addSpec adds what a pattern below a directory matches. To Claude Code [ begins a
// class, to us it is itself: deny and ask are read as either, allow as both.
func (p *Policy) addSpec(l *Language, r *Rule, s *spec) (why string) {
	own, why := p.letters.pathMachine(s, r.strict(), false)
	machines := []*automaton.Machine{own}
	if r.Claude && strings.Contains(strings.Join(s.segs, "/"), "[") {
		class, odd := p.letters.pathMachine(s, r.strict(), true)
		if why = odd; r.strict() {
			machines = append(machines, class)
		} else if odd == "" {
			machines[0] = automaton.Intersect(own, class)
		}
	}
	for _, m := range machines {
		l.Sure = append(l.Sure, p.spelled(m)...)
	}
	return why
}

// foldersAbove matches the folders that hold what deny and ask name and are taken away,
// see namesBelow.
func (l letters) foldersAbove(specs []spec) *automaton.Machine {
	b := l.newPaths(true)
	for i := range specs {
		at := specs[i].dir
		for _, seg := range specs[i].segs {
			if strings.ContainsAny(seg, `*?\`) {
				break
			}
			at = path.Join(at, seg)
		}
		s := b.State()
		b.Start(s)
		for i, r := range FoldPath(at) {
			if r == '/' && i > 0 {
				b.tree(s)
			}
			if s = b.read(s, r); i == 0 {
				b.tree(s)
			}
		}
		b.tree(s)
	}
	return b.Machine()
}

// Inside matches the paths at and below the folders that files may be written to.
func (p *Policy) Inside() *automaton.Machine {
	b := p.letters.newPaths(false)
	dirs := append(p.Cwd.forms(), p.Project.forms()...)
	for _, d := range p.Dirs {
		dirs = append(dirs, d.Path.forms()...)
	}
	for _, dir := range dirs {
		b.spec(&spec{dir: dir, segs: []string{"**"}}, false)
	}
	return b.Machine()
}
