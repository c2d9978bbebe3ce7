package rules

import (
	"path"
	"strings"
)

// fileCovers is Covers for path patterns.
func (p *Policy) fileCovers(a, b *Rule) bool {
	if classesDiffer(a, b) || searchedToo(a, b) || charactersDiffer(a, b) {
		return false
	}
	have, want := p.specs(a), p.specs(b)
	for i := range want {
		if !anyContains(have, &want[i], a.strict()) || b.strict() && !namesAbove(have, &want[i]) {
			return false
		}
	}
	return len(want) > 0
}

// classesDiffer: [ begins a class to Claude Code, and is itself to us.
func classesDiffer(a, b *Rule) bool {
	return (a.Claude || b.Claude) && strings.Contains(a.Pattern+b.Pattern, "[") && !readAlike(a, b)
}

// searchedToo: a deny or ask of a tool that searches is also compared with what is
// searched for.
func searchedToo(a, b *Rule) bool {
	if !b.strict() || !readTool(b.Tool) || b.Tool == "Read" {
		return false
	}
	return a.Tool != b.Tool || strings.TrimSpace(a.Pattern) != strings.TrimSpace(b.Pattern)
}

// charactersDiffer: what is one character in one spelling is none, or three, where
// deny and ask compare.
func charactersDiffer(a, b *Rule) bool {
	return a.strict() && !b.strict() && (!ascii(b.Pattern) || strings.Contains(b.Pattern, "?"))
}

// anyContains reports whether one of several patterns matches all that another does.
func anyContains(have []spec, want *spec, fold bool) bool {
	for i := range have {
		if contains(segmentsOf(&have[i], fold), segmentsOf(want, fold)) {
			return true
		}
	}
	return false
}

// namesAbove reports whether the removal of any folder that may hold what a
// deny or ask names is stopped by others as well, see namesBelow: they name
// something at least as deep, or all that lies below a folder around it.
func namesAbove(others []spec, s *spec) bool {
	head, rest := s.literal()
	if head = FoldPath(head); len(rest) == 0 {
		head = path.Dir(head) // what it names in full is itself matched
	}
	for i := range others {
		other, rest := others[i].literal()
		other = FoldPath(other)
		all := len(rest) == 1 && rest[0] == "**"
		if Within(other, head) || all && Within(head, other) {
			return true
		}
	}
	return false
}

// literal is the path up to the first wildcard, and what comes after it.
func (s *spec) literal() (head string, rest []string) {
	head = s.dir
	for i, seg := range s.segs {
		if strings.ContainsAny(seg, `*?\`) {
			return head, s.segs[i:]
		}
		head = under(head, seg)
	}
	return head, nil
}

// mcpRule reports whether a rule is matched by the name of an MCP tool alone.
func mcpRule(r *Rule) bool { return r.Tool == "MCP" || mcpTool(r.Tool) && r.Pattern == "" }

// mcpCovers is Covers for two rules about MCP tools.
func mcpCovers(a, b *Rule) bool {
	if a.Tool == "MCP" && a.Bare {
		return true
	}
	if b.Tool == "MCP" && b.Bare {
		return false
	}
	want := mcpGlobs(b)
	if !a.strict() && want[0].plain() && !want[0].holds(&mcpGlobs(a)[0]) {
		return false // an allow rule that spells the name out also settles which tool is meant, see Match
	}
	if a.Tool == "MCP" {
		for i := range want {
			if !beginsMCP(want[i].el) {
				return false
			}
		}
	}
	return anyHolds(mcpGlobs(a), want)
}

// beginsMCP reports whether a pattern is about names of MCP tools only: MCP(...)
// speaks of names that start with mcp__ and go on.
func beginsMCP(el []rune) bool {
	const start = len("mcp__")
	return strings.HasPrefix(string(el), "mcp__") && len(el) > start && el[start] >= 0
}

// mcpGlobs are the patterns of tool names that matchMCP compares with.
func mcpGlobs(r *Rule) []glob {
	patterns := []string{r.Tool}
	if r.Tool == "MCP" {
		patterns[0] = strings.TrimSpace(r.Pattern)
		if r.strict() {
			patterns = append(patterns, "mcp__"+patterns[0])
		}
	}
	var out []glob
	for _, pattern := range patterns {
		g := compileGlob(pattern)
		out = append(out, g)
		if len(pattern) > len("mcp__") && !strings.Contains(pattern[5:], "__") && g.plain() {
			out = append(out, compileGlob(pattern+"__*"))
		}
	}
	return out
}

// webCovers is Covers for WebFetch rules.
func webCovers(a, b *Rule) bool {
	pa, pb := strings.TrimSpace(a.Pattern), strings.TrimSpace(b.Pattern)
	ha, da := strings.CutPrefix(pa, "domain:")
	hb, db := strings.CutPrefix(pb, "domain:")
	switch {
	case da && db:
		return hostCovers(strings.TrimSpace(ha), strings.TrimSpace(hb), a.strict(), b.strict())
	case da || db:
		return false
	case a.strict():
		g, o := compileStars(pa), compileStars(pb)
		return g.holds(&o)
	}
	return pa == pb && !a.Claude
}

// hostCovers compares two host patterns as matchHost reads them.
func hostCovers(a, b string, strictA, strictB bool) bool {
	if a == "*" || a == "**" {
		return true
	}
	if b == "*" || b == "**" {
		return false
	}
	a, okA := hostPattern(a, strictA)
	b, okB := hostPattern(b, strictB)
	if !okA || !okB {
		return false
	}
	want, have := strings.Split(a, "."), strings.Split(b, ".")
	deepA, deepB := want[0] == "*" && len(want) > 1, have[0] == "*" && len(have) > 1
	switch {
	case deepA:
		// *.x has at least one label before x, and so has all that b matches
		if want = want[1:]; len(have) <= len(want) {
			return false
		}
		have = have[len(have)-len(want):]
	case deepB || len(want) != len(have):
		return false
	}
	for i := range want {
		g, o := compileStars(want[i]), compileStars(have[i])
		if !g.holds(&o) {
			return false
		}
	}
	return true
}
