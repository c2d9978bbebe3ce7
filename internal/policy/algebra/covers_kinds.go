package algebra

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// fieldCovers reports whether a matches the input fields that b, a deny or ask,
// matches by being read as Tool(param:value).
func fieldCovers(a, b *rules.Rule) bool {
	name, value, ok := strings.Cut(b.Pattern, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || !identifier(name) {
		return true // no field has such a name
	}
	have, val, ok := strings.Cut(a.Pattern, ":")
	g, o := grammar.Compile(strings.TrimSpace(val)), grammar.Compile(value)
	if rules.CommandTool(a.Tool) && name == "command" && grammar.AllStars(val) {
		return false // about the program command
	}
	return ok && strings.TrimSpace(have) == name && g.Holds(&o)
}

func identifier(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i]; !grammar.Alnum(rune(b)) && strings.IndexByte("_-.$", b) < 0 {
			return false
		}
	}
	return s != ""
}

func nameCovers(a, b *rules.Rule, skill bool) bool {
	return anyHolds(nameGlobs(a, a.Strict(), skill), nameGlobs(b, a.Strict(), skill))
}

// nameGlobs are the patterns that package rules compares names with.
func nameGlobs(r *rules.Rule, fold, skill bool) []grammar.Glob {
	compile := func(pattern string, tail rune) grammar.Glob {
		if fold {
			pattern = grammar.Fold(pattern)
		}
		g := grammar.Compile(pattern)
		if r.Claude && !r.Strict() {
			g = grammar.LiteralOnes(g)
		}
		return *grammar.WithTail(g, tail)
	}
	pattern := strings.TrimSpace(r.Pattern)
	if !skill {
		return []grammar.Glob{compile(pattern, 0)}
	}
	out := []grammar.Glob{compile(pattern, ':')}
	if r.Claude && r.Strict() {
		stem, star := strings.CutSuffix(pattern, " *")
		if star {
			out = append(out, compile(stem, 0))
		}
		out = append(out, compile("*:"+stem, 0))
	}
	return out
}

// mcpCovers is Covers for two rules about MCP tools.
func mcpCovers(a, b *rules.Rule) bool {
	if a.Tool == "MCP" && a.Bare {
		return true
	}
	if b.Tool == "MCP" && b.Bare {
		return false
	}
	want := mcpGlobs(b)
	if !a.Strict() && want[0].Plain() && !want[0].Holds(&mcpGlobs(a)[0]) {
		return false // an allow rule that spells the name out also settles which tool is meant, see Match
	}
	if a.Tool == "MCP" {
		for i := range want {
			if !beginsMCP(want[i].El) {
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

// anyHolds reports whether each of want is held by one of have.
func anyHolds(have, want []grammar.Glob) bool {
	for i := range want {
		if !slices.ContainsFunc(have, func(g grammar.Glob) bool { return g.Holds(&want[i]) }) {
			return false
		}
	}
	return len(want) > 0
}

// written reports whether rules that may cover b are compared by their languages.
func written(b *rules.Rule) bool {
	if b.OfMCP() || b.Bare || strings.ContainsAny(b.Tool, "*?") {
		return false
	}
	kind := rules.KindOf(b.Tool)
	return kind == "Read" || kind == "Edit" || kind == "WebFetch"
}

// languagesCover is CoveredBy for a rule on files or URLs.
func (p *Policy) languagesCover(as []*rules.Rule, b *rules.Rule) bool {
	other := func(a *rules.Rule) bool { return !spokenOf(a, b) || charactersDiffer(a, b) }
	may := slices.DeleteFunc(slices.Clone(as), other)
	if len(may) == 0 || b.Strict() && !p.globsCover(may, b) || !p.languageCovers(may, b, b.Tool) {
		return false
	}
	if _, _, field := grammar.FieldPattern(b.Pattern); !field || !b.Strict() {
		return true
	}
	// main fields have other names in other tools
	return !slices.ContainsFunc(governed[:], func(tool string) bool {
		return b.SpeaksOf(tool) && !p.languageCovers(may, b, tool)
	})
}

// spokenOf reports whether a speaks about all calls that b does: an entry of "urls" in
// deny binds more tools than a rule on WebFetch does.
func spokenOf(a, b *rules.Rule) bool {
	return governsAll(a, b) && (b.URL == nil || a.URL != nil || !b.Strict())
}

// languageCovers is languagesCover for the calls of one tool. A rule that matches none, or
// is not written down, is covered by one that is read alike only.
func (p *Policy) languageCovers(as []*rules.Rule, b *rules.Rule, tool string) bool {
	want, why := p.LanguageOf(b, tool)
	var have Language
	for _, a := range as {
		l, _ := p.LanguageOf(a, tool)
		if l.All {
			return true
		}
		have.add(l)
	}
	u := p.Universe(tool)
	if why == "" && !want.All && !included(u, nil, want.Sure) && have.includes(u, newNameTexts(), want, false) {
		return true
	}
	return slices.ContainsFunc(as, func(a *rules.Rule) bool { return readAlike(a, b) })
}

// globsCover reports whether what a deny or ask matches of a pattern that the shell
// expands is matched by others as well: they have to hold it as a pattern.
func (p *Policy) globsCover(as []*rules.Rule, b *rules.Rule) bool {
	if kind := rules.KindOf(b.Tool); kind != "Read" && kind != "Edit" {
		return true
	}
	var have []grammar.Spec
	for _, a := range as {
		if a.Bare || readAlike(a, b) {
			return true
		}
		have = append(have, p.Specs(a)...)
	}
	want := p.Specs(b)
	for i := range want {
		holds := func(s grammar.Spec) bool {
			return grammar.Contains(grammar.RuleSegments(&s), grammar.RuleSegments(&want[i]))
		}
		if !slices.ContainsFunc(have, holds) {
			return false
		}
	}
	return true
}

// charactersDiffer: what is one character in one spelling is no character, or three,
// where deny and ask compare.
func charactersDiffer(a, b *rules.Rule) bool {
	return a.Strict() && !b.Strict() && strings.Contains(b.Pattern, "?") && b.Tool != "WebFetch"
}
