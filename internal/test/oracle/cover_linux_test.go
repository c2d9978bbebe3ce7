package oracle

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// between separates two arguments where several are looked at as one string. No argument of a text
// under test holds it: the generators make none.
const between = "\x01"

// covers reports whether the words, holes and patterns included, could be exactly this argument list. A
// hole covers what its kind allows and nothing else.
func covers(words []bashsafety.Word, argv []string) bool {
	if len(words) == 0 {
		return len(argv) == 0
	}
	w := &words[0]
	if w.Known {
		return len(argv) > 0 && argv[0] == w.Text && covers(words[1:], argv[1:])
	}
	if w.Single {
		return len(argv) > 0 && coverSingle(w, argv[0]) && covers(words[1:], argv[1:])
	}
	for n := 0; n <= len(argv); n++ {
		if coverMany(w, argv[:n]) && covers(words[1:], argv[n:]) {
			return true
		}
	}
	return false
}

func coverSingle(w *bashsafety.Word, arg string) bool {
	if w.Number && w.Text == bashsafety.HoleMark {
		digits := strings.TrimPrefix(arg, "-")
		return digits != "" && strings.Trim(digits, "0123456789") == ""
	}
	return coverHoles(w.Text, arg)
}

// coverMany reports whether one word may have become these arguments.
func coverMany(w *bashsafety.Word, args []string) bool {
	if w.Glob {
		return coverGlob(w.Text, args)
	}
	if len(args) == 0 {
		return strings.Trim(w.Text, bashsafety.HoleMark) == "" // a literal part is always an argument
	}
	return coverHoles(w.Text, strings.Join(args, between))
}

// coverHoles matches a text with holes: a hole is any run of characters, the rest is literal.
func coverHoles(text, s string) bool {
	parts := strings.Split(text, bashsafety.HoleMark)
	if len(parts) == 1 {
		return text == s
	}
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(s, first) || len(s) < len(first)+len(last) || !strings.HasSuffix(s, last) {
		return false
	}
	s = s[len(first) : len(s)-len(last)]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(s, p)
		if i < 0 {
			return false
		}
		s = s[i+len(p):]
	}
	return true
}

// coverGlob reports whether a pattern may have become these arguments: none (nullglob), itself without the
// escapes when nothing matched, or names that match.
func coverGlob(pattern string, args []string) bool {
	if len(args) == 0 {
		return true
	}
	if coverHoles(unescapePattern(pattern), strings.Join(args, between)) {
		return true
	}
	if strings.Contains(pattern, bashsafety.HoleMark) && globMatch(pattern, strings.Join(args, between)) {
		return true
	}
	for _, a := range args {
		if !globMatch(pattern, a) && !globMatch(squeezed(pattern), a) {
			return false
		}
	}
	return true
}

func unescapePattern(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		if p[i] == '\\' && i+1 < len(p) {
			i++
		}
		b.WriteByte(p[i])
	}
	return b.String()
}

// squeezed is a pattern as bash reads it: after a meta character several slashes are one.
func squeezed(p string) string {
	meta := strings.IndexAny(p, "*?["+bashsafety.HoleMark)
	if meta < 0 {
		return p
	}
	head, tail := p[:meta], p[meta:]
	for strings.Contains(tail, "//") {
		tail = strings.ReplaceAll(tail, "//", "/")
	}
	return head + tail
}

// globMatch is a pattern against a whole string. A bracket is taken for any one character.
func globMatch(p, s string) bool {
	for p != "" {
		switch p[0] {
		case '*', bashsafety.HoleMark[0]:
			star := p[0] == '*'
			if strings.HasPrefix(p, "**/") && globMatch(p[3:], s) {
				return true
			}
			if strings.HasPrefix(p, "**") { // crosses / with globstar
				star, p = false, p[1:]
			}
			for i := 0; i <= len(s); i++ {
				if globMatch(p[1:], s[i:]) {
					return true
				}
				if i < len(s) && star && (s[i] == '/' || s[i] == between[0]) {
					return false
				}
			}
			return false
		case '?':
			if s == "" || s[0] == '/' {
				return false
			}
			p, s = p[1:], s[1:]
			continue
		case '[':
			if end := bracketEnd(p); end > 0 && s != "" && globMatch(p[end:], s[1:]) {
				return true
			}
		case '\\':
			if len(p) > 1 {
				p = p[1:]
			}
		}
		if s == "" || p[0] != s[0] {
			return false
		}
		p, s = p[1:], s[1:]
	}
	return s == ""
}

// bracketEnd returns where the bracket expression p begins with ends, 0 when it does not.
func bracketEnd(p string) int {
	i := 1
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		i++
	}
	for first := i; i < len(p); i++ {
		switch {
		case p[i] == ']' && i > first:
			return i + 1
		case p[i] == '\\':
			i++
		case strings.HasPrefix(p[i:], "[:"):
			if end := strings.Index(p[i:], ":]"); end > 0 {
				i += end + 1
			}
		}
	}
	return 0
}
