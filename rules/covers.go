package rules

import "strings"

// Covers reports whether everything b matches is matched by a as well, so that
// b has no effect where a is asked before it: whatever b matches for certain a
// matches for certain, and what b may match a may match. Both rules are read as
// their lists read them. It is sound and not complete: false also means that it
// could not be shown. Nothing is said here of what the two lists do; see
// decide.Shadows.
func (p *Policy) Covers(a, b *Rule) bool {
	if !a.strict() && b.strict() {
		return false // b also matches what it only may
	}
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
		return a.Bare && !mcpRule(a) && a.Tool == "*" || mcpRule(a) && mcpCovers(a, b)
	}
	if mcpRule(a) || !a.governsAll(b) {
		return false
	}
	switch {
	case a.Bare:
		return true
	case b.Bare || b.strict() && !fieldCovers(a, b):
		return false
	}
	switch kind := b.kind(b.Tool); {
	case strings.ContainsAny(a.Tool+b.Tool, "*?"):
		return a.Tool == b.Tool && strings.TrimSpace(a.Pattern) == strings.TrimSpace(b.Pattern) && a.Claude == b.Claude && a.List == b.List
	case commandTool(kind):
		return p.commandCovers(a, b, kind == "PowerShell")
	case kind == "Read" || kind == "Edit":
		return p.fileCovers(a, b)
	case kind == "WebFetch":
		return webCovers(a, b)
	default:
		return nameCovers(a, b, kind == "Skill")
	}
}

// governed are the tools of a rule that names one which stands for others.
var governed = [...]string{"Read", "Grep", "Glob", "LSP", "LS", "NotebookRead", "Edit", "Write", "NotebookEdit", "Bash", "Monitor"}

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

// holds reports whether g matches every text that o matches, its stars by stars
// of its own: then holes that o may cover g covers too.
func (g *glob) holds(o *glob) bool {
	s := g.start()
	for _, e := range o.el {
		if e == elemStar {
			s = g.cover(s)
		} else {
			s = g.advance(s, e)
		}
	}
	if o.tail == 0 {
		return g.accepts(s)
	}
	return g.accepts(s) && g.accepts(g.cover(g.advance(s, o.tail)))
}

// advance reads one element that is no star; elemOne is a character that is not
// known.
func (g *glob) advance(s states, r rune) states {
	next := make(states, len(s))
	next[g.over()] = s[g.over()] || s[len(g.el)] && g.tail != 0 && r == g.tail
	for p, e := range g.el {
		switch {
		case !s[p]:
		case e == elemStar:
			next[p] = true
		case e == elemOne || e == r:
			next[p+1] = true
		}
	}
	g.close(next)
	return next
}

// anyHolds reports whether each of want is held by one of have.
func anyHolds(have, want []glob) bool {
	for i := range want {
		found := false
		for j := range have {
			found = found || have[j].holds(&want[i])
		}
		if !found {
			return false
		}
	}
	return len(want) > 0
}

// plainPrefix is what every command that a Bash pattern matches starts with, as
// far as that is plain to see.
func plainPrefix(pattern string) string {
	var b strings.Builder
	for i, word := range strings.Fields(pattern) {
		if strings.ContainsAny(word, "'\"\\$`;&|<>(){}~#") || !ascii(word) {
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
	return strings.TrimSuffix(b.String(), " ") // a last blank and star may be nothing
}

func (p *Policy) commandCovers(a, b *Rule, powershell bool) bool {
	if b.Whole() && !(a.Whole() && a.Pattern == b.Pattern) && (powershell || !alone(b.Pattern) || !a.strict() && !a.Whole()) {
		return false // b also matches a text of several commands
	}
	// most rules are about different commands
	if pa, pb := plainPrefix(a.Pattern), plainPrefix(b.Pattern); !powershell && !strings.HasPrefix(pb, pa) && !strings.HasPrefix(pa, pb) {
		return false
	}
	read := func(r *Rule) reading {
		rd := reading{pattern: strings.TrimSpace(r.Pattern), home: p.Home.Given, powershell: powershell, claude: r.Claude}
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

// fieldCovers reports whether a matches the input fields that b, a deny or ask,
// matches by being read as Tool(param:value).
func fieldCovers(a, b *Rule) bool {
	name, value, ok := strings.Cut(b.Pattern, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || !identifier(name) {
		return true // no field has such a name
	}
	have, val, ok := strings.Cut(a.Pattern, ":")
	g, o := compileGlob(strings.TrimSpace(val)), compileGlob(value)
	return ok && strings.TrimSpace(have) == name && g.holds(&o)
}

func identifier(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i]; !alnum(rune(b)) && b != '_' && b != '-' && b != '.' && b != '$' {
			return false
		}
	}
	return s != ""
}

func nameCovers(a, b *Rule, skill bool) bool {
	return anyHolds(nameGlobs(a, a.strict(), skill), nameGlobs(b, a.strict(), skill))
}

// nameGlobs are the patterns matchName and matchSkill compare names with.
func nameGlobs(r *Rule, fold, skill bool) []glob {
	compile := func(pattern string, tail rune) glob {
		if fold {
			pattern = foldText(pattern)
		}
		g := compileGlob(pattern)
		if r.Claude && !r.strict() {
			g = literalOnes(g)
		}
		return *setTail(g, tail)
	}
	pattern := strings.TrimSpace(r.Pattern)
	if !skill {
		return []glob{compile(pattern, 0)}
	}
	out := []glob{compile(pattern, ':')}
	if r.Claude && r.strict() {
		stem, star := strings.CutSuffix(pattern, " *")
		if star {
			out = append(out, compile(stem, 0))
		}
		out = append(out, compile("*:"+stem, 0))
	}
	return out
}
