package decide

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A globClass is a bracket expression.
type globClass struct {
	not    bool
	ranges [][2]rune
	named  []string
}

// globBracket reads the bracket expression s starts with; size is 0 when it is
// not closed, and [ means itself.
func globBracket(s string) (class globClass, size int, ok bool) {
	i := 1
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		class.not = true
		i++
	}
	for first := true; i < len(s); first = false {
		switch {
		case s[i] == ']' && !first:
			return class, i + 1, true
		case strings.HasPrefix(s[i:], "[.") || strings.HasPrefix(s[i:], "[="):
			return class, 0, false
		case strings.HasPrefix(s[i:], "[:"):
			if end := strings.Index(s[i:], ":]"); end > 1 {
				class.named = append(class.named, s[i+2:i+end])
				i += end + 2
				continue
			}
		}
		lo, n := bracketRune(s[i:])
		i += n
		hi := lo
		if i+1 < len(s) && s[i] == '-' && s[i+1] != ']' {
			if s[i+1] == '[' {
				return class, 0, false
			}
			hi, n = bracketRune(s[i+1:])
			i += 1 + n
		}
		class.ranges = append(class.ranges, [2]rune{lo, hi})
	}
	return class, 0, true
}

// bracketRune is the next character between brackets, \ taken off.
func bracketRune(s string) (rune, int) {
	if s[0] == '\\' && len(s) > 1 {
		r, n := utf8.DecodeRuneInString(s[1:])
		return r, n + 1
	}
	return utf8.DecodeRuneInString(s)
}

func (c *globClass) has(r rune) bool {
	for _, x := range c.ranges {
		if x[0] <= r && r <= x[1] {
			return !c.not
		}
	}
	for i := range namedClasses {
		if n := &namedClasses[i]; slices.Contains(c.named, n.name) && n.has(r) {
			return !c.not
		}
	}
	return c.not
}

// namedClasses are the classes like [:digit:].
var namedClasses = [...]struct {
	name string
	has  func(rune) bool
}{
	{"alpha", unicode.IsLetter},
	{"digit", func(r rune) bool { return r >= '0' && r <= '9' }},
	{"alnum", func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }},
	{"upper", unicode.IsUpper},
	{"lower", unicode.IsLower},
	{"space", unicode.IsSpace},
	{"blank", func(r rune) bool { return r == ' ' || r == '\t' }},
	{"punct", func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }},
	{"print", unicode.IsPrint},
	{"graph", func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }},
	{"cntrl", unicode.IsControl},
	{"xdigit", func(r rune) bool { return strings.ContainsRune("0123456789abcdefABCDEF", r) }},
	{"word", func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }},
}
