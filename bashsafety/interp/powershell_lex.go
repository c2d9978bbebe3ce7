package interp

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// rune returns the character at the cursor, 0 at the end.
func (p *psParser) rune() (r rune, size int) {
	if p.i >= len(p.s) {
		return 0, 0
	}
	return utf8.DecodeRuneInString(p.s[p.i:])
}

// at reports whether the text goes on with one of the prefixes.
func (p *psParser) at(prefixes ...string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(p.s[p.i:], prefix) {
			return true
		}
	}
	return false
}

// peek is the byte n places on, 0 past the end.
func (p *psParser) peek(n int) byte {
	if p.i+n < len(p.s) {
		return p.s[p.i+n]
	}
	return 0
}

// PowerShell takes typographic quotes and dashes for the plain ones.
func psSingle(r rune) bool { return r == '\'' || r >= '\u2018' && r <= '\u201b' }

func psDouble(r rune) bool { return r == '"' || r >= '\u201c' && r <= '\u201e' }

func psDash(r rune) bool { return r >= '\u2013' && r <= '\u2015' }

func psBlank(r rune) bool { return r != '\n' && r != '\r' && unicode.IsSpace(r) }

// blank skips blanks, comments and continued lines; with lines also newlines.
func (p *psParser) blank(lines bool) {
	for p.i < len(p.s) {
		switch r, n := p.rune(); {
		case psBlank(r), lines && (r == '\n' || r == '\r'):
			p.i += n
		case r == '`' && (p.peek(1) == '\n' || p.peek(1) == '\r' && p.peek(2) == '\n'):
			p.i = strings.IndexByte(p.s[p.i:], '\n') + p.i + 1
		case r == '#':
			p.i += lineEnd(p.s[p.i:])
		case p.at("<#"):
			end := strings.Index(p.s[p.i:], "#>")
			if end < 0 {
				p.broken("an unterminated comment")
				p.i = len(p.s)
				return
			}
			p.i += end + 2
		default:
			return
		}
	}
}

// lineEnd is the length of the text up to its first newline.
func lineEnd(s string) int {
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		return i
	}
	return len(s)
}

// statementEnds reports whether nothing of a statement is left at the cursor.
func (p *psParser) statementEnds() bool {
	return p.i >= len(p.s) || strings.IndexByte(";\n\r|&)}", p.s[p.i]) >= 0
}

// psName reports whether a byte can begin the name of a variable.
func psName(c byte) bool { return c == '_' || alphanumeric(c) || c >= utf8.RuneSelf }

// psVariable reports whether a $ before a byte is a variable.
func psVariable(c byte) bool { return psName(c) || strings.IndexByte("{?$^", c) >= 0 }

func alphanumeric(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// name reads the name of a variable after the $, in lower case.
func (p *psParser) name() string {
	if p.peek(0) == '{' {
		end := strings.IndexByte(p.s[p.i:], '}')
		if end < 0 {
			p.broken("an unterminated variable name")
			p.i = len(p.s)
			return "?"
		}
		name := p.s[p.i+1 : p.i+end]
		p.i += end + 1
		return strings.ToLower(name)
	}
	from := p.i
	if c := p.peek(0); c == '$' || c == '?' || c == '^' {
		p.i++
		return p.s[from:p.i]
	}
	for p.i < len(p.s) {
		c := p.s[p.i]
		if !psName(c) && !(c == ':' && p.i > from && psName(p.peek(1))) {
			break
		}
		p.i++
	}
	return strings.ToLower(p.s[from:p.i])
}
