package rules

import "strings"

// A token is one element of a segment of a pattern: a rune, elemStar, elemOne,
// or elemClass with the text between the brackets.
type token struct {
	r     rune
	class string
}

const elemClass rune = -3

// A segment is one path segment of a pattern; any stands for any number of them.
type segment struct {
	any    bool
	dots   bool // a wildcard at the start of a name also matches a dot
	tokens []token
}

// matchPatterns compares path patterns with a pattern that the shell expands:
// all when every file it can stand for matches, some when one can.
func (p *Policy) matchPatterns(specs []spec, s *Subject) (all, some bool) {
	for _, form := range p.globForms(s) {
		glob := shellSegments(FoldPath(form))
		for i := range glob {
			glob[i].dots = glob[i].dots || s.Dots
		}
		for i := range specs {
			rule := ruleSegments(&specs[i])
			met := meet(rule, glob)
			some = some || met && (!s.Named || spells(rule, glob))
			if met && contains(rule, glob) {
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

// ruleSegments compiles a pattern of a deny or ask with its directory in front.
func ruleSegments(s *spec) []segment {
	if s.whole != nil {
		return s.whole
	}
	dirs := strings.Split(FoldPath(s.dir), "/")
	out := make([]segment, 0, len(dirs)+len(s.segs))
	for _, seg := range dirs {
		if seg != "" {
			out = append(out, literalSegment(seg))
		}
	}
	for _, seg := range s.segs {
		if seg == "**" {
			out = append(out, segment{any: true})
			continue
		}
		out = append(out, segment{tokens: tokens(FoldPath(seg), false)})
	}
	s.whole = out
	return out
}

// shellSegments compiles the pattern of the shell. A part that is not known can
// be any path.
func shellSegments(pattern string) []segment {
	parts := strings.Split(pattern, "/")
	out := make([]segment, 0, len(parts))
	for _, seg := range parts {
		switch {
		case seg == "" || seg == ".":
		case seg == "**" || strings.Contains(seg, "\x00"):
			out = append(out, segment{any: true})
		default:
			out = append(out, segment{tokens: tokens(seg, true)})
		}
	}
	return out
}

func literalSegment(seg string) segment {
	s := segment{tokens: make([]token, 0, len(seg))}
	for i := 0; i < len(seg); {
		r, n := nextRune(seg[i:])
		i += n
		s.tokens = append(s.tokens, token{r: r})
	}
	return s
}

// tokens compiles a segment; classes says whether [ ] has a meaning in it.
func tokens(seg string, classes bool) []token {
	out := make([]token, 0, len(seg))
	for i := 0; i < len(seg); {
		r, n := nextRune(seg[i:])
		switch {
		case r == '\\' && i+1 < len(seg) && (classes || escapable(seg[i+1])):
			r, n = nextRune(seg[i+1:])
			n++
			out = append(out, token{r: r})
		case r == '*':
			out = append(out, token{r: elemStar})
		case r == '?':
			out = append(out, token{r: elemOne})
		case r == '[' && classes && classEnd(seg[i:]) > 0:
			n = classEnd(seg[i:])
			out = append(out, token{r: elemClass, class: seg[i+1 : i+n-1]})
		default:
			out = append(out, token{r: r})
		}
		i += n
	}
	return out
}

// classEnd returns the length of the bracket expression s starts with, 0 when
// it is not closed. A ] right after [ or [! means itself.
func classEnd(s string) int {
	rest := s[1:]
	if strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "^") {
		rest = rest[1:]
	}
	rest = strings.TrimPrefix(rest, "]")
	for rest != "" {
		if rest[0] == ']' {
			return len(s) - len(rest) + 1
		}
		if named := strings.Index(rest, ":]"); strings.HasPrefix(rest, "[:") && named > 0 {
			rest = rest[named+1:]
		}
		rest = rest[1:]
	}
	return 0
}

// inClass reports whether r can be in a bracket expression. Named classes and
// escapes are taken to hold everything.
func inClass(class string, r rune) bool {
	if strings.ContainsAny(class, `[\`) {
		return true
	}
	negated := strings.HasPrefix(class, "!") || strings.HasPrefix(class, "^")
	if negated {
		class = class[1:]
	}
	found := false
	rs := []rune(class)
	for i := 0; i < len(rs); i++ {
		if i+2 < len(rs) && rs[i+1] == '-' {
			found = found || rs[i] <= r && r <= rs[i+2]
			i += 2
		} else {
			found = found || rs[i] == r
		}
	}
	return found != negated
}
