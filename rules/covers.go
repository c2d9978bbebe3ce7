package rules

import (
	"slices"
	"strings"
)

// Covers reports whether everything b matches is matched by a as well, so that b has no
// effect where a is asked before it: whatever b matches for certain a matches for certain,
// and what b may match a may match. Rules are read as their lists read them. It is sound,
// and exact for rules on commands and names, and for the texts of Universe where b is an
// allow rule on files or URLs. Nothing is said here of what the lists do; see
// decide.Shadows.
func (p *Policy) Covers(a, b *Rule) bool { return p.Compare(b).CoveredBy(a) }

// CoveredBy is Covers for several rules together. Where b allows commands or names and
// they restrict, it is enough that they may match: that is asked about.
func (p *Policy) CoveredBy(as []*Rule, b *Rule) bool {
	c := p.Compare(b)
	if written(b) {
		return c.written(as)
	}
	if slices.ContainsFunc(as, c.CoveredBy) {
		return true
	}
	return c.includes(as, len(as) > 0 && as[0].strict() && !b.strict())
}

// written is CoveredBy for allow rules on files and URLs.
func (c *Comparison) written(as []*Rule) bool {
	return c.p.languagesCover(slices.DeleteFunc(slices.Clone(as), func(a *Rule) bool { return c.b.strict() && !a.strict() }), c.b)
}

// readingsCover is Covers where it shows by comparing patterns place by place.
func (p *Policy) readingsCover(a, b *Rule) bool {
	if a.plainlyRead() && b.plainlyRead() {
		return p.covers(a, b)
	}
	have, want := a.readings(), b.readings()
	for j := range want {
		found := false
		for i := range have {
			found = found || p.covers(&have[i], &want[j])
		}
		if !found {
			return false
		}
	}
	return true
}

// covers is Covers for one reading of each.
func (p *Policy) covers(a, b *Rule) bool {
	if mcpRule(b) {
		return namesCover(a, b)
	}
	switch {
	case mcpRule(a) || a.URL != nil || !a.governsAll(b):
		return false
	case a.Bare || b.Bare:
		return a.Bare
	case b.strict() && !fieldCovers(a, b):
		return false
	}
	return p.patternCovers(a, b)
}

// namesCover is Covers for a rule about the names of tools.
func namesCover(a, b *Rule) bool {
	if mcpRule(a) {
		return mcpCovers(a, b)
	}
	return a.Bare && a.Tool == "*"
}

// readAlike reports whether two rules have the same pattern, and it is read alike.
func readAlike(a, b *Rule) bool {
	same := strings.TrimSpace(a.Pattern) == strings.TrimSpace(b.Pattern) && a.Claude == b.Claude
	return same && a.List == b.List && (a.Scope == User) == (b.Scope == User)
}

// patternCovers is Covers for patterns in the grammar of their tool.
func (p *Policy) patternCovers(a, b *Rule) bool {
	switch kind := b.kind(b.Tool); {
	case strings.ContainsAny(a.Tool+b.Tool, "*?"):
		return a.Tool == b.Tool && readAlike(a, b)
	case commandTool(kind):
		return p.commandCovers(a, b, kind == "PowerShell")
	default:
		return nameCovers(a, b, kind == "Skill")
	}
}

// governed are the tools of a rule that names one which stands for others.
var governed = [...]string{"Read", "Grep", "Glob", "LSP", "LS", "NotebookRead", "Edit", "Write", "NotebookEdit",
	"Bash", "Monitor", "WebFetch"}

// governsAll reports whether a speaks about every tool that b speaks about.
func (a *Rule) governsAll(b *Rule) bool {
	if strings.ContainsAny(b.Tool, "*?") {
		if a.Tool == b.Tool {
			return true
		}
		g, o := compileGlob(a.Tool), compileGlob(b.Tool)
		return g.holds(&o)
	}
	if !a.governs(b.Tool) {
		return false
	}
	for _, tool := range governed {
		if b.governs(tool) && !a.governs(tool) {
			return false
		}
	}
	return true
}

// plainHead is what every command that a Bash pattern matches starts with, as
// far as that is plain to see; open is set where it goes on in a way that is not.
func plainHead(pattern string) (head string, open bool) {
	var b strings.Builder
	for i, word := range strings.Fields(pattern) {
		if strings.ContainsAny(word, "'\"\\$`;&|<>(){}~#") || !ascii(word) {
			open = true
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		if n := strings.IndexAny(word, "*?:"); n >= 0 {
			b.WriteString(word[:n])
			break
		}
		b.WriteString(word)
	}
	return strings.TrimSuffix(b.String(), " "), open // a last blank and star may be nothing
}

func (p *Policy) commandCovers(a, b *Rule, powershell bool) bool {
	if b.Whole() && !coversWhole(a, b, powershell) {
		return false
	}
	if !powershell && otherCommands(a, b) { // as most rules are
		return false
	}
	read := func(r *Rule) reading {
		rd := reading{pattern: strings.TrimSpace(r.Pattern), home: p.Home.Given, powershell: powershell,
			claude: r.Claude}
		if powershell {
			rd.home = ""
		}
		return rd
	}
	ra, rb := read(a), read(b)
	switch {
	case b.strict():
		return anyHolds(ra.wide(), rb.wide())
	case a.strict():
		return anyHolds(ra.wide(), []glob{rb.narrow()})
	}
	// a rule without wildcard also covers wrappers left on and options that
	// narrow, which no pattern does
	ga, gb := ra.narrow(), rb.narrow()
	return ga.plain() == gb.plain() && ga.holds(&gb)
}

// coversWhole reports whether a also matches the text that b spells whole, which may
// be several commands.
func coversWhole(a, b *Rule, powershell bool) bool {
	if a.Whole() && a.Pattern == b.Pattern {
		return true
	}
	return !powershell && alone(b.Pattern) && (a.strict() || a.Whole())
}

// otherCommands reports whether the commands that two patterns match begin differently.
func otherCommands(a, b *Rule) bool {
	pa, _ := plainHead(a.Pattern)
	pb, _ := plainHead(b.Pattern)
	return !strings.HasPrefix(pb, pa) && !strings.HasPrefix(pa, pb)
}
