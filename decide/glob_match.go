package decide

import (
	"strings"
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

// globRunes matches by going back to the last star only, and is linear otherwise.
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
