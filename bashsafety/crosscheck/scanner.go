package crosscheck

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A ScanClass says in what kind of text a byte is, as far as a scan that
// knows only quotes, escapes and comments can tell.
type ScanClass uint8

const (
	ScanPlain ScanClass = iota
	ScanEscaped
	ScanSingle
	scanDouble
	ScanComment
)

// A Scanner goes through a text byte by byte. It is small enough to be sure of
// what it does and is used where the parser cannot be: for limits before
// parsing and for pieces of what does not parse. It is no judge of what bash
// would read; here-documents are plain text to it.
type Scanner struct {
	Src   string
	Pos   int // of the next byte
	Byte  byte
	Class ScanClass

	single, double, Dollar, comment bool
	word                            bool // inside a word
}

// Next reads the next byte and its class; it reports false at the end.
func (s *Scanner) Next() bool {
	if s.Pos >= len(s.Src) {
		return false
	}
	s.Byte = s.Src[s.Pos]
	s.Pos++
	switch {
	case s.comment:
		s.Class = ScanComment
		if s.Byte == '\n' {
			s.comment, s.word, s.Class = false, false, ScanPlain
		}
	case s.single:
		s.Class = ScanSingle
		if s.Byte == '\\' && s.Dollar && s.Pos < len(s.Src) {
			s.Pos++
		} else if s.Byte == '\'' {
			s.single, s.Dollar = false, false
		}
	case s.Byte == '\\' && s.Pos < len(s.Src):
		s.Class, s.word = ScanEscaped, true
		s.Pos++
	case s.Byte == '"':
		s.Class, s.double, s.word = scanDouble, !s.double, true
	case s.double:
		s.Class = scanDouble
	default:
		s.plain()
	}
	return true
}

func (s *Scanner) plain() {
	s.Class = ScanPlain
	switch s.Byte {
	case '\'':
		s.Class, s.single = ScanSingle, true
		s.Dollar = s.Pos > 1 && s.Src[s.Pos-2] == '$'
		s.word = true
	case '#':
		if !s.word {
			s.Class, s.comment = ScanComment, true
		}
	case ' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>':
		s.word = false
	default:
		s.word = true
	}
}

// HeredocStart returns the delimiter when s starts with << and one.
func HeredocStart(s string) string {
	s, ok := strings.CutPrefix(s, "<<")
	if !ok || strings.HasPrefix(s, "<") {
		return ""
	}
	s = strings.TrimLeft(strings.TrimPrefix(s, "-"), " \t")
	if i := strings.IndexAny(s, " \t\n;&|()<>"); i >= 0 {
		s = s[:i]
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`\'"`, r) {
			return -1
		}
		return r
	}, s)
}

// Skip moves past the here-documents with the given delimiters.
func (s *Scanner) Skip(delims []string) {
	for len(delims) > 0 && s.Pos < len(s.Src) {
		line, _, _ := strings.Cut(s.Src[s.Pos:], "\n")
		if strings.TrimLeft(line, "\t") == delims[0] {
			delims = delims[1:]
		}
		s.Pos = min(s.Pos+len(line)+1, len(s.Src))
	}
}

// WithoutReserved blanks out the reserved words that a piece starts with.
func WithoutReserved(s string) string {
	for i := 0; ; {
		for i < len(s) && IsBlank(s[i]) {
			i++
		}
		word := s[i:]
		if n := strings.IndexAny(word, " \t\n"); n >= 0 {
			word = word[:n]
		}
		switch word {
		case "if", "then", "else", "elif", "while", "until", "do", "!", "time":
			i += len(word)
		default:
			return strings.Repeat(" ", i) + s[i:]
		}
	}
}

// Deceptive reports whether a text holds a character that Analyze doubts: a
// control, or one that a reader does not see or that turns the direction.
func Deceptive(s string) bool {
	_, n, _ := Unseen(s)
	return n > 0
}

// Unseen finds the first such character: where it is, how long it is, or 0
// if none, and whether it is a control.
func Unseen(src string) (at, size int, control bool) {
	var before rune
	for i := 0; i < len(src); {
		if b := src[i]; ' ' <= b && b < 0x7f {
			before = rune(b)
			i++
			continue
		}
		r, n := rune(src[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(src[i:])
		}
		switch {
		case r < ' ' && r != '\t' && r != '\n', r == 0x7f, r >= 0x80 && r < 0xa0:
			return i, n, true
		case r >= utf8.RuneSelf && invisible(r, before, src[i+n:]):
			return i, n, false
		}
		before = r
		i += n
	}
	return 0, 0, false
}

// invisible reports whether a reader would not see the character. The emoji
// presentation selector after a symbol is seen.
func invisible(r, before rune, rest string) bool {
	switch {
	case unicode.Is(unicode.Cf, r), r == 0x2028, r == 0x2029:
		return true
	case r == 0xfe0f:
		next, _ := utf8.DecodeRuneInString(rest)
		return before < 0x203c && before != 0xa9 && before != 0xae && next != 0x20e3
	case unicode.Is(unicode.Variation_Selector, r):
		return true
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), r == 0x2800: // joiners and fillers without a shape
		return true
	}
	return false
}
