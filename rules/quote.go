package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote returns word in canonical quoting, the one spelling of an argument in
// the texts that rules are matched against. A word that no shell would change
// and that has no meaning in a rule is left as it is; any other is put in single
// quotes, a single quote in it as '\”. bash reads the result as the very word.
func Quote(word string) string {
	if bareWord(word) {
		return word
	}
	var b strings.Builder
	b.Grow(len(word) + 2)
	b.WriteByte('\'')
	for i := 0; i < len(word); i++ {
		if word[i] == '\'' {
			b.WriteString(`'\''`)
		} else {
			b.WriteByte(word[i])
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// bareWord reports whether a word needs no quotes.
func bareWord(word string) bool {
	if word == "" {
		return false
	}
	brace := false
	var before rune
	for i, r := range word {
		comment := r == '#' && i == 0
		expands := meansHome(r, before) || brace && inBraces(r, before)
		if comment || expands || !bareRune(r) {
			return false
		}
		brace = brace || r == '{'
		before = r
	}
	return true
}

// meansHome reports whether ~ may be the home directory: HEAD~1 is none, but ~,
// a=~ and a:~ are.
func meansHome(r, before rune) bool { return r == '~' && !alnum(before) && before != '^' }

// inBraces reports whether a character after an opening brace makes it an expansion.
func inBraces(r, before rune) bool { return r == ',' || r == '.' && before == '.' }

func alnum(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return true
	}
	return false
}

// bareRune reports whether r may be outside quotes. Wildcards, blanks,
// quotes, $, backtick, backslash and operators may not, nor may anything
// beyond ASCII that is no letter, mark or digit.
func bareRune(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return alnum(r) || strings.IndexByte("_@%+=:,./-[]{}~^!#", byte(r)) >= 0
	default:
		return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
	}
}

// unquote takes the canonical quoting off a text, for the wide reading of deny
// and ask. Quoting may span holes. changed is false when there was none.
func (t Text) unquote() (plain Text, changed bool) {
	for _, p := range t {
		changed = changed || strings.ContainsAny(p.Lit, `'\`)
	}
	if !changed {
		return t, false
	}
	plain = make(Text, 0, len(t))
	quoted := false
	for _, p := range t {
		if p.Hole != NoHole {
			plain = append(plain, p)
			continue
		}
		var b strings.Builder
		for i := 0; i < len(p.Lit); i++ {
			switch c := p.Lit[i]; {
			case c == '\'':
				quoted = !quoted
			case c == '\\' && !quoted && i+1 < len(p.Lit):
				i++
				b.WriteByte(p.Lit[i])
			default:
				b.WriteByte(c)
			}
		}
		plain = append(plain, Piece{Lit: b.String()})
	}
	return plain, true
}
