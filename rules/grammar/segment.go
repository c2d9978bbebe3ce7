package grammar

import "strings"

// A Token is one element of a segment of a pattern: a rune, Star, One,
// or Class with the text between the brackets.
type Token struct {
	R     rune
	Class string
}

const Class rune = -3

// A Segment is one path segment of a pattern; any matches any number of them.
type Segment struct {
	Any    bool
	Dots   bool // a wildcard at the start of a name also matches a dot
	Tokens []Token
}

// RuleSegments compiles a pattern of a deny or ask with its directory in front.
func RuleSegments(s *Spec) []Segment {
	if s.whole != nil {
		return s.whole
	}
	dirs := strings.Split(FoldPath(s.Dir), "/")
	out := make([]Segment, 0, len(dirs)+len(s.Segs))
	for _, seg := range dirs {
		if seg != "" {
			out = append(out, literalSegment(seg))
		}
	}
	for _, seg := range s.Segs {
		if seg == "**" {
			out = append(out, Segment{Any: true})
			continue
		}
		out = append(out, Segment{Tokens: Tokens(FoldPath(seg), false)})
	}
	s.whole = out
	return out
}

// ShellSegments compiles the pattern of the shell. A part that is not known can
// be any path.
func ShellSegments(pattern string) []Segment {
	parts := strings.Split(pattern, "/")
	out := make([]Segment, 0, len(parts))
	for _, seg := range parts {
		switch {
		case seg == "" || seg == ".":
		case seg == "**" || strings.Contains(seg, "\x00"):
			out = append(out, Segment{Any: true})
		default:
			out = append(out, Segment{Tokens: Tokens(seg, true)})
		}
	}
	return out
}

func literalSegment(seg string) Segment {
	s := Segment{Tokens: make([]Token, 0, len(seg))}
	for i := 0; i < len(seg); {
		r, n := NextRune(seg[i:])
		i += n
		s.Tokens = append(s.Tokens, Token{R: r})
	}
	return s
}

// Tokens compiles a segment; classes says whether [ ] has a meaning in it.
func Tokens(seg string, classes bool) []Token {
	out := make([]Token, 0, len(seg))
	for i := 0; i < len(seg); {
		r, n := NextRune(seg[i:])
		switch {
		case r == '\\' && i+1 < len(seg) && (classes || escapable(seg[i+1])):
			r, n = NextRune(seg[i+1:])
			n++
			out = append(out, Token{R: r})
		case r == '*':
			out = append(out, Token{R: Star})
		case r == '?':
			out = append(out, Token{R: One})
		case r == '[' && classes && classEnd(seg[i:]) > 0:
			n = classEnd(seg[i:])
			out = append(out, Token{R: Class, Class: seg[i+1 : i+n-1]})
		default:
			out = append(out, Token{R: r})
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
