package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Listed reports whether a list of options, runs of one-letter ones among them, holds name.
func Listed(list, name string) bool {
	if name == "" {
		return false
	}
	for at := 0; ; at++ {
		i := strings.Index(list[at:], name)
		if i < 0 {
			return false
		}
		at += i
		start, end := strings.LastIndexByte(list[:at], ' ')+1, at+len(name)
		switch {
		case list[start] == '-':
			if len(name) == 1 && at > start {
				return true
			}
		case at == start && (end == len(list) || list[end] == ' '):
			return true
		}
	}
}

// NothingKnown reports whether not even the start of an argument is known: it may be any option.
func NothingKnown(w *Word) bool { return !w.Known && LiteralPrefix(w) == "" }

// LiteralPrefix returns what the argument certainly starts with.
func LiteralPrefix(w *Word) string {
	if w.Known {
		return w.Text
	}
	text := w.Text
	if i := strings.IndexByte(text, HoleMark[0]); i >= 0 {
		text = text[:i]
	}
	if w.Glob {
		if i := strings.IndexAny(text, `*?[\`); i >= 0 {
			text = text[:i]
		}
	}
	return text
}

// Suffix is the word without its first n bytes.
func Suffix(w *Word, n int) Word {
	v := *w
	v.Text = w.Text[n:]
	return v
}

// Descriptor reports whether a word names what a descriptor is open on: <(cmd).
func Descriptor(w *Word, cwd *CwdState) bool {
	lit := LiteralPrefix(w)
	for _, dir := range append([]string{""}, cwd.Dirs...) {
		if p := path.Clean(dir + "/" + lit); strings.HasPrefix(p, "/dev/") || strings.HasPrefix(p, "/proc/") {
			return dir != "" || strings.HasPrefix(lit, "/")
		}
	}
	return len(cwd.Dirs) == 0 && (path.Base(lit) == "stdin" || path.Base(path.Dir(lit)) == "fd")
}

// Closing is the bracket that ends what another opens, or the same character.
func Closing(open string) string {
	switch open {
	case "(":
		return ")"
	case "[":
		return "]"
	case "{":
		return "}"
	case "<":
		return ">"
	}
	return open
}

// Extend is append that copies nothing when there is nothing to join.
func Extend[T any](a, b []T) []T {
	if len(a) == 0 {
		return b
	}
	return append(a, b...)
}

// Blank reports whether a text holds only blanks, tabs and newlines.
func Blank(s string) bool { return strings.Trim(s, " \t\n") == "" }

// OddBackslashes reports whether the last backslash quotes what follows the text.
func OddBackslashes(s string) bool {
	n := len(s) - len(strings.TrimRight(s, `\`))
	return n%2 == 1
}

// CompleteLines cuts a text after its last newline.
func CompleteLines(s string) string { return s[:strings.LastIndexByte(s, '\n')+1] }

// Number reports whether a text is decimal digits alone.
func Number(s string) bool { return s != "" && WordLength(s, digit) == len(s) }

func digit(b byte) bool { return '0' <= b && b <= '9' }

// QuotedDelimiter reports whether a here-document is data: any quote in its delimiter makes it so.
func QuotedDelimiter(word *syntax.Word) bool {
	return slices.ContainsFunc(word.Parts, func(part syntax.WordPart) bool {
		lit, ok := part.(*syntax.Lit)
		return !ok || strings.Contains(lit.Value, `\`)
	})
}

// Among reports whether a word is one of a blank-separated list, dashes and all.
func Among(list, word string) bool {
	if word == "" || strings.IndexByte(word, ' ') >= 0 {
		return false
	}
	for end := 0; ; {
		at := strings.Index(list[end:], word)
		if at < 0 {
			return false
		}
		at += end
		end = at + len(word)
		if (at == 0 || list[at-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
	}
}

// HasLine reports whether a word is a line of a text, but the first.
func HasLine(text, word string) bool {
	return !strings.Contains(word, "\n") && strings.Contains(text, "\n"+word+"\n")
}

// StartsWithAny reports whether a text begins with one of the prefixes.
func StartsWithAny(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// ContainsAny reports whether a text contains one of the parts.
func ContainsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// Control is the character that a letter after a backslash is in C, 0 for other letters.
func Control(letter byte) byte {
	if at := strings.IndexByte("abfnrtv", letter); at >= 0 {
		return "\a\b\f\n\r\t\v"[at]
	}
	return 0
}

// Without is a text without some ASCII characters.
func Without(chars, text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(chars, r) {
			return -1
		}
		return r
	}, text)
}

// WordLength is how many bytes at the start of a text are of a kind.
func WordLength(text string, isByte func(byte) bool) int {
	n := 0
	for n < len(text) && isByte(text[n]) {
		n++
	}
	return n
}

// NameStart reports whether the name of a shell variable can start with a byte.
func NameStart(b byte) bool {
	lower := b | 0x20
	return b == '_' || lower >= 'a' && lower <= 'z'
}

// NameByte reports whether a byte can be part of the name of a shell variable.
func NameByte(b byte) bool { return NameStart(b) || b >= '0' && b <= '9' }

// ValidName reports whether s is the name of a shell variable.
func ValidName(s string) bool {
	return s != "" && NameStart(s[0]) && WordLength(s, NameByte) == len(s)
}

// Digits reads up to most digits of the base and says how many there were.
func Digits(s string, base uint32, most int) (v uint32, n int) {
	for n < len(s) && n < most {
		d := strings.Index("0123456789abcdef"[:base], strings.ToLower(s[n:n+1]))
		if d < 0 {
			break
		}
		v = v*base + uint32(d)
		n++
	}
	return v, n
}

// Budgets of brace expansion.
const MaxBraceWord = 64 // words from one

// Letter reports whether a byte is an ASCII letter.
func Letter(s string) bool { return len(s) == 1 && NameStart(s[0]) }

// Padded reports whether a number has leading zeros.
func Padded(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return len(s) > 1 && s[0] == '0'
}

// Pad fills a number up with zeros to a width.
func Pad(s string, width int) string {
	sign := ""
	if s[0] == '-' {
		sign, s, width = "-", s[1:], width-1
	}
	if n := width - len(s); n > 0 {
		s = strings.Repeat("0", n) + s
	}
	return sign + s
}

// PartEnd is where the first part of a word ends: at a mark, or before a capital.
func PartEnd(text string) int {
	for i := 1; i < len(text); i++ {
		capital := 'A' <= text[i] && text[i] <= 'Z' && 'a' <= text[i-1] && text[i-1] <= 'z'
		if capital || strings.IndexByte("-_:", text[i]) >= 0 {
			return i
		}
	}
	return len(text)
}
