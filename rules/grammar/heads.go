package grammar

import "strings"

// PlainHead is what every command that a Bash pattern matches starts with, as
// far as that is plain to see; open is set where it goes on in a way that is not.
func PlainHead(pattern string) (head string, open bool) {
	var b strings.Builder
	for i, word := range strings.Fields(pattern) {
		if strings.ContainsAny(word, "'\"\\$`;&|<>(){}~#") || !ASCII(word) {
			open = true
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		if n := strings.IndexAny(word, "*?:"); n >= 0 {
			b.WriteString(word[:n])
			break
		}
		b.WriteString(word)
	}
	return strings.TrimSuffix(b.String(), " "), open // a last blank and star may be nothing
}

// FirstWord returns what the text of every command that the rule matches
// starts with, as far as that is plain to see.
func FirstWord(pattern string) string {
	n := 0
	for n < len(pattern) && plainByte(pattern[n]) {
		n++
	}
	if n == len(pattern) || pattern[n] == ' ' {
		return pattern[:n]
	}
	if strings.IndexByte("*?:", pattern[n]) < 0 {
		return ""
	}
	word, _, _ := strings.Cut(pattern[n:], " ") // what comes before is plain
	if word != "" && strings.ContainsAny(word, "'\"\\$`;&|<>(){}~#\t\n\r") || !ASCII(word) {
		return ""
	}
	return pattern[:n]
}

// plainByte reports a letter, a digit or what names of programs and files hold as well.
func plainByte(c byte) bool {
	switch c {
	case '_', '-', '.', '/':
		return true
	}
	return Alnum(rune(c))
}

// A field pattern is the one of Tool(param:value), for deny and ask only: the
// name of a scalar of the tool's input, and a glob over its text.
func FieldPattern(pattern string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(pattern, ":")
	return strings.TrimSpace(name), strings.TrimSpace(value), ok
}

// AllStars reports whether a pattern is * or **, blanks around it ignored.
func AllStars(pattern string) bool {
	switch strings.TrimSpace(pattern) {
	case "*", "**":
		return true
	}
	return false
}

// Alone reports whether a command rule's pattern, as a shell text, is one
// command of just these words: then a rule that spells the text says no more
// than one that spells the command.
func Alone(pattern string) bool {
	words, ok := lexWords(pattern, "", true)
	if !ok || len(words) == 0 || strings.ContainsAny(pattern, "\\$`\n\r\"") ||
		keyword(pattern[:len(FirstWord(pattern))]) {
		return false
	}
	for i, word := range words {
		for j, c := range word {
			if !plainChar(c, i, j) {
				return false
			}
		}
	}
	return true
}

// plainChar reports whether a character, the at-th of a word, means itself to a
// shell: quotes may be anywhere but around the command.
func plainChar(c char, word, at int) bool {
	if c.m == inQuotes {
		return word > 0
	}
	switch c.r {
	case '{', '~', '!':
		return false
	case '#':
		return at > 0
	case '=', '[':
		return word > 0
	}
	return BareRune(c.r)
}

// keyword reports whether a word starts something else than a plain command.
func keyword(word string) bool {
	switch word {
	case "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "select",
		"function", "coproc", "time",
		"declare", "typeset", "local", "export", "readonly", "nameref", "let":
		return true
	}
	return false
}
