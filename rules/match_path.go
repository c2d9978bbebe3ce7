package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// matchFile matches a path pattern against a path. In allow both the path as
// given and the path with symlinks resolved must match, in deny and ask one is
// enough; there case, normal form and invisible characters do not count.
func (p *Policy) matchFile(r *Rule, s *Subject) (all, some bool) {
	switch {
	case r.Tool == "Read" && s.Reading == NoReads:
		return false, false
	case s.Glob != "":
		return p.matchGlob(r, s)
	case s.Path == nil:
		return false, false
	}
	return p.matchPath(r, s)
}

// matchPath is matchFile for a path.
func (p *Policy) matchPath(r *Rule, s *Subject) (all, some bool) {
	if !s.Tree && p.elsewhere(r, s.Path) {
		return false, false
	}
	specs := p.Specs(r)
	all = p.matchSpecs(r, specs, s.Path.Given)
	if s.Path.Real != s.Path.Given && all != r.Strict() {
		all = p.matchSpecs(r, specs, s.Path.Real)
	}
	if r.Strict() && !all && s.Tree && !r.certain(s) {
		return false, p.namesBelow(specs, s.Path.Given) || p.namesBelow(specs, s.Path.Real)
	}
	return all, all
}

// elsewhere reports whether a pattern is plainly about other paths, as most are. It only saves work.
func (p *Policy) elsewhere(r *Rule, at *Path) bool {
	if p.OS != Linux {
		return false
	}
	need, names := grammar.Need(grammar.Unspaced(r.Pattern), r.Strict()), *at
	if r.Strict() {
		names = Path{Given: p.OS.fold(at.Given), Real: p.OS.fold(at.Real)}
	}
	return !strings.Contains(names.Given, need) && !strings.Contains(names.Real, need)
}

// certain reports whether the tool of a Read rule reads nothing but what the
// subject names.
func (r *Rule) certain(s *Subject) bool { return r.Tool == "Read" && s.Reading == CertainReads }

// matchGlob is matchFile for a pattern that the shell expands. An allow rule
// does not cover one: its files are on the disk, and may be symlinks.
func (p *Policy) matchGlob(r *Rule, s *Subject) (all, some bool) {
	if !r.Strict() {
		return false, false
	}
	if all, some = p.matchPatterns(p.Specs(r), s); s.Listed || r.certain(s) {
		some = all
	}
	return all, some
}

// namesBelow reports whether a pattern names something below dir: what comes
// before its first wildcard is there.
func (p *Policy) namesBelow(specs []grammar.Spec, dir string) bool {
	return slices.ContainsFunc(p.OS.spellings(dir), func(name string) bool {
		return grammar.NamesIn(specs, p.OS.fold(name))
	})
}

// matchSpecs matches one path, under each name the system has for it.
func (p *Policy) matchSpecs(r *Rule, specs []grammar.Spec, name string) bool {
	if p.OS == Linux {
		return p.matchSpelling(r, specs, name)
	}
	return slices.ContainsFunc(p.OS.spellings(name), func(name string) bool { return p.matchSpelling(r, specs, name) })
}

func (p *Policy) matchSpelling(r *Rule, specs []grammar.Spec, name string) bool {
	if !path.IsAbs(name) {
		return false
	}
	if r.Strict() {
		name = p.OS.fold(name)
	}
	for i := range specs {
		if specs[i].Matches(name, r.Claude, r.Strict()) {
			return true
		}
	}
	return false
}

// matchPatterns compares path patterns with a pattern that the shell expands:
// all when every file it can name matches, some when one can.
func (p *Policy) matchPatterns(specs []grammar.Spec, s *Subject) (all, some bool) {
	for _, form := range p.globForms(s) {
		glob := grammar.ShellSegments(grammar.FoldPath(form))
		for i := range glob {
			glob[i].Dots = glob[i].Dots || s.Dots
		}
		for i := range specs {
			rule := grammar.RuleSegments(&specs[i])
			met := grammar.Meet(rule, glob)
			some = some || met && (!s.Named || grammar.Spells(rule, glob))
			if met && grammar.Contains(rule, glob) {
				return true, true
			}
		}
	}
	return false, some
}

// globForms are the spellings of a pattern: as given, with its symlinks
// resolved, and in the other forms of the system.
func (p *Policy) globForms(s *Subject) []string {
	forms := []string{s.Glob}
	if s.Path != nil && s.Path.Given == s.Glob && s.Path.Real != s.Glob && s.Path.Real != "" {
		forms = append(forms, s.Path.Real)
	}
	if p.OS == Linux {
		return forms
	}
	for _, form := range forms[:len(forms):len(forms)] {
		forms = append(forms, p.OS.spellings(form)[1:]...)
	}
	return forms
}

// allows reports whether a pattern, read narrowly, covers the command.
func allows(rd *grammar.Reading, c *Command) bool {
	g := rd.Narrow()
	exact := g.Plain()
	if c.Narrow != "" && !(exact && c.Spelled) {
		return false
	}
	texts := c.Allow
	if exact {
		texts = append(append([]grammar.Text(nil), c.Allow...), c.Exact...)
	}
	for _, t := range texts {
		if rd.PowerShell {
			t = foldTexts(t)
		}
		if all, _ := g.Covers(t); all {
			return true
		}
	}
	return false
}

// Boundaries are the paths that words of an allow rule begin and a wildcard ends: what it
// means is below their folder.
func (p *Policy) Boundaries(r *Rule) (places []string) {
	if !strings.Contains(r.Pattern, "/") || !strings.ContainsAny(r.Pattern, "*?") || !CommandTool(r.Tool) {
		return nil
	}
	read := grammar.Reading{Pattern: strings.TrimSpace(r.Pattern), Home: p.Home.Given, PowerShell: r.Tool == "PowerShell"}
	return read.Boundaries()
}

func foldTexts(t grammar.Text) grammar.Text {
	out := make(grammar.Text, len(t))
	for i, p := range t {
		out[i] = grammar.Piece{Lit: grammar.Fold(p.Lit), Hole: p.Hole}
	}
	return out
}

// matchName matches a pattern against a plain name: the type of Agent, the
// primary field of any other tool. It is exact in allow and blind to case in
// deny and ask. With tail set, stem:* is the stem alone or followed by the tail.
func matchName(r *Rule, name string, tail rune) bool {
	pattern := strings.TrimSpace(r.Pattern)
	if !r.Strict() {
		g := grammar.Compile(pattern)
		if r.Claude {
			g = grammar.LiteralOnes(g)
		}
		return grammar.WithTail(g, tail).Match(name)
	}
	g := grammar.Compile(grammar.Fold(pattern))
	return grammar.WithTail(g, tail).Match(grammar.Fold(name))
}

// matchSkill adds to matchName that Skill(ns:*) is ns and everything below it.
// What Claude Code reads more widely counts in deny and ask: name * is also
// the bare name, and a name also names the skills nested below a directory.
func matchSkill(r *Rule, name string) bool {
	switch {
	case matchName(r, name, ':'):
		return true
	case !r.Strict() || !r.Claude:
		return false
	}
	stem, star := strings.CutSuffix(strings.TrimSpace(r.Pattern), " *")
	bare, nested := *r, *r
	bare.Pattern, nested.Pattern = stem, "*:"+stem
	return star && matchName(&bare, name, 0) || matchName(&nested, name, 0)
}
