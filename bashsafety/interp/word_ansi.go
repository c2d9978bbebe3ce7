package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// ansiC decodes the inside of $'...'. exact is false when the value depends on
// the locale; the text is then what comes before that place. A NUL ends it, as
// in bash.
func ansiC(s string) (text string, exact bool) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		switch b := s[i]; b {
		case 'a', 'b', 'e', 'E', 'f', 'n', 'r', 't', 'v':
			out = append(out, ansiControl(b))
		case '\\', '\'', '"', '?':
			out = append(out, b)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			v, n := shell.Digits(s[i:], 8, 3)
			i += n - 1
			if byte(v) == 0 {
				return string(out), true
			}
			out = append(out, byte(v))
		case 'x':
			if i+1 < len(s) && s[i+1] == '{' {
				return string(out), false // with and without the }, versions differ
			}
			v, n := shell.Digits(s[i+1:], 16, 2)
			if n == 0 {
				out = append(out, '\\', 'x')
				continue
			}
			i += n
			if v == 0 {
				return string(out), true
			}
			out = append(out, byte(v))
		case 'u', 'U':
			most := 4
			if b == 'U' {
				most = 8
			}
			v, n := shell.Digits(s[i+1:], 16, most)
			if n == 0 {
				out = append(out, '\\', b)
				continue
			}
			i += n
			switch {
			case v == 0:
				return string(out), true
			case v > 0x7f:
				return string(out), false // the encoding is the locale's
			}
			out = append(out, byte(v))
		case 'c':
			if i+1 == len(s) {
				out = append(out, '\\', 'c')
				continue
			}
			return string(out), false // a control character: nothing anybody needs
		default:
			out = append(out, '\\', b)
		}
	}
	return string(out), true
}

func ansiControl(b byte) byte {
	switch b {
	case 'a':
		return 7
	case 'b':
		return 8
	case 'f':
		return 12
	case 'n':
		return 10
	case 'r':
		return 13
	case 't':
		return 9
	case 'v':
		return 11
	}
	return 27 // e, E
}

// namedASCII reports whether the inside of $'...' spells an ASCII character by \u
// or \U, which bash 3.2 leaves as it is.
func namedASCII(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if i++; s[i] != 'u' && s[i] != 'U' {
			continue
		}
		most := 4
		if s[i] == 'U' {
			most = 8
		}
		if v, n := shell.Digits(s[i+1:], 16, most); n > 0 && v < 0x80 {
			return true
		}
	}
	return false
}
