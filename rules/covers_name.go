package rules

import "strings"

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
	if commandTool(a.Tool) && name == "command" && allStars(val) {
		return false // about the program command
	}
	return ok && strings.TrimSpace(have) == name && g.holds(&o)
}

func identifier(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i]; !alnum(rune(b)) && strings.IndexByte("_-.$", b) < 0 {
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
