package decide

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A globToken is one element of a component of the shell's pattern.
type globToken struct {
	kind  globKind
	r     rune
	class globClass
}

type globKind uint8

const (
	globRune globKind = iota
	globStar
	globOne
	globSet
)

// A globClass is a bracket expression.
type globClass struct {
	not    bool
	ranges [][2]rune
	named  []string
}

// globTokens compiles one component. ok is false for what depends on the locale:
// [[.x.]] and [[=x=]].
func globTokens(seg string) (out []globToken, wild, ok bool) {
	for i := 0; i < len(seg); {
		r, n := utf8.DecodeRuneInString(seg[i:])
		t := globToken{r: r}
		switch {
		case r == '\\' && i+1 < len(seg):
			var m int
			t.r, m = utf8.DecodeRuneInString(seg[i+1:])
			n += m
		case r == '*':
			t.kind = globStar
		case r == '?':
			t.kind = globOne
		case r == '[':
			class, size, known := globBracket(seg[i:])
			if !known {
				return nil, false, false
			}
			if size > 0 {
				t.kind, t.class, n = globSet, class, size
			}
		}
		if t.r == utf8.RuneError && t.kind == globRune {
			return nil, false, false // bytes that are no character
		}
		wild = wild || t.kind != globRune
		out = append(out, t)
		i += n
	}
	return out, wild, true
}

// globText is the text of a component without wildcards.
func globText(toks []globToken) string {
	var b strings.Builder
	for i := range toks {
		b.WriteRune(toks[i].r)
	}
	return b.String()
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
	for _, name := range c.named {
		if inNamed(name, r) {
			return !c.not
		}
	}
	return c.not
}

// inNamed reports whether a character is in a class like [:digit:].
func inNamed(name string, r rune) bool {
	switch name {
	case "alpha":
		return unicode.IsLetter(r)
	case "digit":
		return r >= '0' && r <= '9'
	case "alnum":
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	case "upper":
		return unicode.IsUpper(r)
	case "lower":
		return unicode.IsLower(r)
	case "space":
		return unicode.IsSpace(r)
	case "blank":
		return r == ' ' || r == '\t'
	case "punct":
		return unicode.IsPunct(r) || unicode.IsSymbol(r)
	case "print":
		return unicode.IsPrint(r)
	case "graph":
		return unicode.IsGraphic(r) && !unicode.IsSpace(r)
	case "cntrl":
		return unicode.IsControl(r)
	case "xdigit":
		return r < utf8.RuneSelf && strings.ContainsRune("0123456789abcdefABCDEF", r)
	case "word":
		return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return false
}

// globMatch reports whether a name matches. A dot at its start is matched by a
// dot alone. What is a character, and what are several bytes, depends on the
// locale: a name matches if it does in either.
func globMatch(toks []globToken, name string) bool {
	if name == "" || name[0] == '.' && (len(toks) == 0 || toks[0].kind != globRune) {
		return false
	}
	if globRunes(toks, []rune(name)) {
		return true
	}
	for i := 0; i < len(name); i++ {
		if name[i] >= utf8.RuneSelf {
			return globRunes(globBytes(toks), bytesAsRunes(name))
		}
	}
	return false
}

// globBytes spells the characters of a pattern as bytes.
func globBytes(toks []globToken) []globToken {
	var out []globToken
	for i := range toks {
		if t := &toks[i]; t.kind != globRune {
			out = append(out, *t)
			continue
		}
		for _, b := range []byte(string(toks[i].r)) {
			out = append(out, globToken{r: rune(b)})
		}
	}
	return out
}

func bytesAsRunes(s string) []rune {
	out := make([]rune, len(s))
	for i := range out {
		out[i] = rune(s[i])
	}
	return out
}

// globRunes matches by going back to the last star only: linear but for that.
func globRunes(toks []globToken, name []rune) bool {
	t, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case t < len(toks) && toks[t].kind == globStar:
			star, mark = t, n
			t++
		case t < len(toks) && toks[t].matches(name[n]):
			t++
			n++
		case star >= 0:
			mark++
			t, n = star+1, mark
		default:
			return false
		}
	}
	for t < len(toks) && toks[t].kind == globStar {
		t++
	}
	return t == len(toks)
}

func (t *globToken) matches(r rune) bool {
	switch t.kind {
	case globOne:
		return true
	case globSet:
		return t.class.has(r)
	}
	return t.r == r
}
