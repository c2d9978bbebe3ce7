package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// lit adds unquoted characters as written: escapes, globs and a leading tilde.
func (x *expander) lit(s string, first, last, tilde bool) {
	if first && strings.HasPrefix(s, "~") {
		s = x.tilde(s, last)
	}
	if first && !x.whole && len(s) > 1 && s[0] == '=' && (nameStart(s[1]) || s[1] == '(') {
		x.w.doubt(dZsh, x.span, "a word that starts with = names a program in zsh")
	}
	if strings.Contains(s, "***") {
		x.w.doubt(dZsh, x.span, "*** follows symbolic links in zsh")
	}
	x.has = x.has || s != ""
	x.nparts++
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '\\' && i+1 < len(s):
			i++
			x.quotes = true
			if s[i] != '\n' {
				x.literal(s[i])
			}
		case (b == '*' || b == '?' || b == '[' && (!last || strings.IndexByte(s[i+1:], ']') >= 0)) && !x.whole:
			x.glob = true
			x.open = x.open || b == '['
			x.buf = append(x.buf, b)
		case x.open && strings.IndexByte("]-!^", b) >= 0:
			x.open = b != ']'
			x.buf = append(x.buf, b)
		case b == ']' && x.many && !x.whole:
			x.unknown(true) // it may end a pattern that the unknown part begins
		case b == '~' && i > 0 && tilde && (s[i-1] == ':' && (x.whole || x.assign) || s[i-1] == '=' && x.assign):
			if s[i-1] == '=' && (!first || strings.IndexByte(s, '=') != i-1) {
				x.unknown(false) // bash does it in some places only
				continue
			}
			i += x.innerTilde(s[i:], last) - 1
		default:
			x.literal(b)
		}
	}
}

// dquoteLit adds characters of a double-quoted string: a backslash escapes only
// $ ` " \ and newline.
func (x *expander) dquoteLit(s string) {
	x.has = true
	x.nparts++
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch s[i+1] {
			case '\n':
				i++
				continue
			case '"':
				if !x.hdoc {
					i++
				}
			case '$', '`', '\\':
				i++
			}
		}
		x.literal(s[i])
	}
}

func (x *expander) sglQuoted(q *syntax.SglQuoted) {
	x.quotes, x.has = true, true
	if !q.Dollar {
		x.text(q.Value)
		return
	}
	text, exact := ansiC(q.Value)
	x.text(text)
	if !exact {
		x.unknown(false)
	}
}
