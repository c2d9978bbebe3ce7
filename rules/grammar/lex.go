package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A mark says how a character of a rule text is meant.
type mark uint8

const (
	outside  mark = iota // outside quotes: * and ? are wildcards
	inQuotes             // in quotes or escaped: itself
)

// A char is one character of a word of a rule text.
type char struct {
	r rune
	m mark
}

func (c char) wild() bool { return c.m == outside && (c.r == '*' || c.r == '?') }

// lexWords splits the text of a Bash rule into words as a shell would, without
// expanding anything but a leading ~ and $HOME when home is known. ok is false
// when a quote is not closed. backslash says whether \ escapes, as it does
// everywhere but in PowerShell.
func lexWords(text, home string, backslash bool) (words [][]char, ok bool) {
	var word []char
	inWord := false
	put := func(s string, m mark) {
		inWord = true
		for len(s) > 0 {
			r, n := NextRune(s)
			s = s[n:]
			word = append(word, char{r, m})
		}
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if inWord {
				words = append(words, word)
				word, inWord = nil, false
			}
			i++
		case c == '\\' && backslash:
			if i++; i == len(text) {
				return nil, false
			}
			_, n := NextRune(text[i:])
			if text[i] != '\n' {
				put(text[i:i+n], inQuotes)
			}
			i += n
		case c == '\'':
			end := strings.IndexByte(text[i+1:], '\'')
			if end < 0 {
				return nil, false
			}
			put(text[i+1:i+1+end], inQuotes)
			i += end + 2
		case c == '"':
			body, n, closed := doubleQuoted(text[i+1:], home, backslash)
			if !closed {
				return nil, false
			}
			put(body, inQuotes)
			i += n + 1
		default:
			n := homeLen(text[i:], !inWord, home)
			if n > 0 {
				put(home, inQuotes)
			} else {
				_, n = NextRune(text[i:])
				put(text[i:i+n], outside)
			}
			i += n
		}
	}
	if inWord {
		words = append(words, word)
	}
	return words, true
}

// doubleQuoted reads up to the closing quote and returns the text and the
// number of bytes read, the quote included.
func doubleQuoted(text, home string, backslash bool) (body string, n int, closed bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			return b.String(), i + 1, true
		case c == '\\' && backslash && i+1 < len(text) && strings.IndexByte("$`\"\\\n", text[i+1]) >= 0:
			if text[i+1] != '\n' {
				b.WriteByte(text[i+1])
			}
			i += 2
		default:
			if n := homeLen(text[i:], false, home); n > 0 {
				b.WriteString(home)
				i += n
				continue
			}
			b.WriteByte(c)
			i++
		}
	}
	return "", 0, false
}

// homeLen returns the length of a spelling of the home directory at the start
// of text: ~ at the start of a word, $HOME or ${HOME} anywhere.
func homeLen(text string, first bool, home string) int {
	if home == "" {
		return 0
	}
	for _, name := range [...]string{"~", "${HOME}", "$HOME"} {
		if !strings.HasPrefix(text, name) || name == "~" && !first {
			continue
		}
		if rest := text[len(name):]; rest == "" || homeEnds(name, rest[0]) {
			return len(name)
		}
	}
	return 0
}

// homeEnds reports whether a spelling of the home directory ends before a
// character: ~user and $HOMEBREW are something else.
func homeEnds(name string, next byte) bool {
	switch name {
	case "~":
		return strings.IndexByte("/ \t\n\r", next) >= 0
	case "$HOME":
		return !Alnum(rune(next)) && next != '_'
	}
	return true
}

// appendWord appends a word in canonical quoting, its wildcards in place. A
// word of wildcards and text that needs quotes has them around the whole, but
// not where a star at its edge covers them.
func appendWord(el []rune, word []char) []rune {
	var lit strings.Builder
	wild := false
	for _, c := range word {
		if c.wild() {
			wild = true
		} else {
			PutRune(&lit, c.r)
		}
	}
	switch text := lit.String(); {
	case !wild:
		return append(el, compileLiteral(Quote(text))...)
	case text == "" || bareWord(text):
		for _, c := range word {
			el = append(el, c.element())
		}
		return el
	}
	if word[0].element() != Star {
		el = append(el, '\'')
	}
	for _, c := range word {
		if !c.wild() && c.r == '\'' {
			el = append(el, '\'', '\\', '\'', '\'')
		} else {
			el = append(el, c.element())
		}
	}
	if word[len(word)-1].element() != Star {
		el = append(el, '\'')
	}
	return el
}

func (c char) element() rune {
	switch {
	case c.wild() && c.r == '*':
		return Star
	case c.wild():
		return One
	}
	return c.r
}

// PutRune writes a character as NextRune reads it.
func PutRune(b *strings.Builder, r rune) {
	if r > utf8.MaxRune {
		b.WriteByte(byte(r - utf8.MaxRune - 1))
	} else {
		b.WriteRune(r)
	}
}

func compileLiteral(text string) []rune {
	el := make([]rune, 0, len(text))
	for i := 0; i < len(text); {
		r, n := NextRune(text[i:])
		el = append(el, r)
		i += n
	}
	return el
}

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
	if plainWord(word) {
		return true
	}
	brace := false
	var before rune
	for i, r := range word {
		comment := r == '#' && i == 0
		expands := meansHome(r, before) || brace && inBraces(r, before)
		if comment || expands || !BareRune(r) {
			return false
		}
		brace = brace || r == '{'
		before = r
	}
	return true
}

// plainWord reports whether a word has no character but those that mean nothing anywhere: nearly all do.
func plainWord(word string) bool {
	for i := range len(word) {
		switch c := word[i]; {
		case c >= 'a' && c <= 'z', c >= '-' && c <= '9', c >= 'A' && c <= 'Z', c == '_':
		default:
			return false
		}
	}
	return true
}

// meansHome reports whether ~ may be the home directory: HEAD~1 does not, but ~,
// a=~ and a:~ do.
func meansHome(r, before rune) bool { return r == '~' && !Alnum(before) && before != '^' }

// inBraces reports whether a character after an opening brace makes it an expansion.
func inBraces(r, before rune) bool { return r == ',' || r == '.' && before == '.' }

// Alnum reports whether a character is a letter or digit of ASCII.
func Alnum(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return true
	}
	return false
}

// BareRune reports whether r may be outside quotes. Wildcards, blanks,
// quotes, $, backtick, backslash and operators may not, nor may anything
// beyond ASCII that is no letter, mark or digit.
func BareRune(r rune) bool {
	switch r {
	case '_', '@', '%', '+', '=', ':', ',', '.', '/', '-', '[', ']', '{', '}', '~', '^', '!', '#':
		return true
	}
	if r < utf8.RuneSelf {
		return Alnum(r)
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// Unquote takes the canonical quoting off a text, for the wide reading of deny
// and ask. Quoting may span holes. changed is false if nothing was quoted.
func (t Text) Unquote() (plain Text, changed bool) {
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
