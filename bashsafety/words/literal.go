package words

import (
	"bytes"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"mvdan.cc/sh/v3/syntax"
)

// lit adds unquoted characters as written: escapes, globs and a leading tilde.
func (x *expander) lit(s string, first, last, tilde bool) {
	if first && strings.HasPrefix(s, "~") {
		s = x.tilde(s, last)
	}
	if x.namesProgram(s, first, last) {
		if x.zshPath() {
			_, set := x.st.Lookup("PATH")
			if named := len(s) > 1 && s[1] != '-'; named && !set && !x.whole {
				x.tokens++ // a path, no option
			}
			x.unknown(false)
			return
		}
	} else if x.zshStarts(s) {
		x.unknown(true) // zsh expands it when nothing is in front of it
		return
	}
	if strings.Contains(s, "***") {
		x.r.Walk.Doubt(analysis.DoubtZsh, x.span, "*** follows symbolic links in zsh")
	}
	if strings.Contains(s, "[^]") || strings.Contains(s, "[!]") {
		x.r.Walk.Doubt(analysis.DoubtZsh, x.span, "[^] is any character in zsh")
	}
	x.has = x.has || s != ""
	x.nparts++
	x.unquoted(s, first, last, tilde)
}

// unquoted adds the bytes of lit, or what they mean.
func (x *expander) unquoted(s string, first, last, tilde bool) {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case x.endsName(b):
			x.named = false
			x.literal(b)
		case b == '\\' && i+1 < len(s):
			i++
			x.escaped(s[i])
		case x.named && x.opensGlob(s[i:], last):
			x.unknown(true)
		case x.opensGlob(s[i:], last):
			x.wildcard(b)
		case x.inBracket(b):
			x.open = b != ']'
			x.buf = append(x.buf, b)
		case x.many && b == ']':
			x.closeUnknown()
		case b == '~' && tilde && x.tildeAfter(s[:i]):
			i += x.laterTilde(s, i, first, last) - 1
		case x.afterColon(b):
			x.unknown(false)
			x.named = true
		default:
			x.literal(b)
		}
	}
}

func (x *expander) wildcard(b byte) {
	x.glob = true
	if b == '[' && !x.open {
		x.open, x.openAt = true, len(x.buf)
	}
	x.buf = append(x.buf, b)
}

// escaped adds the byte after a backslash.
func (x *expander) escaped(b byte) {
	x.quotes = true
	if b != '\n' {
		x.literal(b)
	}
}

// namesProgram reports whether zsh takes a word that starts with = for the path of
// a program.
func (x *expander) namesProgram(s string, first, last bool) bool {
	return first && strings.HasPrefix(s, "=") && !(last && strings.Trim(s, "=") == "")
}

// zshPath reports whether the word that is read is the path of a program, as it is in
// zsh. Where there is no such program zsh runs nothing of the text any more, but goes
// on after an eval, which is doubted as what runs the program is.
func (x *expander) zshPath() bool {
	if x.r.Naming || x.fr.Held {
		x.r.Walk.Doubt(analysis.DoubtZsh, x.span, "a word that starts with = names a program in zsh")
		return false
	}
	x.r.Walk.MayFail(x.st)
	return x.whole || x.asZsh()
}

// zshStarts reports whether a ~ or = is the first character of the word for zsh,
// because the parts in front of it may be nothing.
func (x *expander) zshStarts(s string) bool {
	if !x.later || s == "" || s[0] != '~' && s[0] != '=' {
		return false
	}
	return x.mayBeEmpty() && (x.whole || x.asZsh())
}

// afterColon reports whether a = or ~ that is not quoted follows what may end in a
// colon, quoted or not: in a value zsh expands it there.
func (x *expander) afterColon(b byte) bool {
	if n := len(x.buf); n > 0 && (x.whole || x.r.Elem) {
		colon := x.buf[n-1] == ':' || x.buf[n-1] == shell.HoleMark[0]
		return colon && (b == '=' || b == '~')
	}
	return false
}

// opensGlob reports whether an unquoted text starts with a wildcard. A [ in the
// last part of a word is one only if it is closed.
func (x *expander) opensGlob(s string, last bool) bool {
	switch s[0] {
	case '*', '?':
		return !x.whole
	case '[':
		return !x.whole && (!last || strings.IndexByte(s[1:], ']') >= 0)
	}
	return false
}

// inBracket reports whether a byte has a meaning in the bracket pattern that is
// open.
func (x *expander) inBracket(b byte) bool { return x.open && strings.IndexByte("]-!^", b) >= 0 }

// closeUnknown adds a ] that may end a pattern which the unknown part begins,
// what is between included.
func (x *expander) closeUnknown() {
	if i := bytes.LastIndexByte(x.buf, shell.HoleMark[0]); i >= 0 {
		x.buf = x.buf[:i]
	}
	x.unknown(true)
}

// endsName reports whether the name after a ~ ends at the byte.
func (x *expander) endsName(b byte) bool { return x.named && (b == '/' || b == ':' && x.whole) }

// tildeAfter reports whether a tilde after a text is expanded.
func (x *expander) tildeAfter(s string) bool {
	if strings.HasSuffix(s, ":") {
		return x.whole || x.assign
	}
	return x.assign && strings.HasSuffix(s, "=")
}

// laterTilde expands the tilde at i, which does not start the word, and returns
// how many bytes it took.
func (x *expander) laterTilde(s string, i int, first, last bool) int {
	switch {
	case x.assign && x.asZsh():
		x.literal('~')
		return 1
	case s[i-1] == '=' && (!first || strings.IndexByte(s, '=') != i-1):
		x.unknown(false) // bash does it in some places only
		return 1
	}
	return x.innerTilde(s[i:], last)
}

// dquoteLit adds characters of a double-quoted string: a backslash escapes only
// $ ` " \ and newline.
func (x *expander) dquoteLit(s string) {
	x.has = true
	x.nparts++
	if strings.IndexByte(s, '\\') < 0 {
		x.literals(s)
		return
	}
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
	value := q.Value
	switch zsh, known := zshAnsiC(value); {
	case zsh == value, x.loneNUL(value):
	case !known:
		x.r.Walk.Doubt(analysis.DoubtZsh, x.span, "zsh reads an escape in these quotes differently")
	case x.whole:
		x.unknown(false)
		return
	case x.asZsh():
		value = zsh
	}
	text, exact := AnsiC(value)
	x.text(text)
	if !exact {
		x.unknown(false)
	}
}

// loneNUL reports whether the inside of $'...' is a NUL and all of an argument, which
// is empty then: the program gets no NUL from zsh either.
func (x *expander) loneNUL(inside string) bool {
	if x.nparts > 0 || x.more || x.whole {
		return false
	}
	return slices.Contains([]string{`\0`, `\00`, `\000`, `\x0`, `\x00`}, inside)
}

// innerTilde expands a tilde after = or : and returns how much of s it took.
func (x *expander) innerTilde(s string, last bool) int {
	end := strings.IndexAny(s, "/:")
	if end < 0 {
		end = len(s)
		if !last {
			x.unknown(false) // ~"x" is not expanded by bash, but by zsh
			x.named = true
			return end
		}
	}
	if end == 1 {
		x.home()
		return 1
	}
	if strings.IndexByte(s[:end], '\\') < 0 && strings.ContainsAny(s[:end], "*?[{=") {
		x.literal('~')
		return 1
	}
	x.unknown(strings.ContainsAny(s[:end], "*?["))
	return end
}

// tilde expands ~, ~/ ~+ and ~- at the start of a word and returns the rest.
// Another user's home is a hole.
func (x *expander) tilde(s string, last bool) string {
	end := strings.IndexAny(s, "/:")
	if end < 0 || s[end] == ':' && !x.whole {
		end = strings.IndexByte(s, '/')
	}
	if end < 0 {
		switch {
		case x.braced && !x.whole:
			x.unknown(false) // what the braces add may be a name
			x.named = true
			return s[1:]
		case !last: // ~"x" and ~$x are not expanded by bash, but by zsh
			x.unknown(false)
			x.named = true
			return ""
		}
		end = len(s)
	}
	switch name := s[1:end]; name {
	case "":
		x.home()
	case "+":
		x.value(x.st.pwd())
	case "-":
		x.unknown(false)
	default:
		home := x.r.Env.Home // ~name is the own home when that is called so
		switch {
		case strings.IndexByte(name, '\\') >= 0: // no tilde to bash, a name to zsh
			x.unknown(strings.ContainsAny(name, "*?["))
		case strings.ContainsAny(name, "*?[{"):
			return s
		case home != "" && home[strings.LastIndexByte(home, '/')+1:] == name:
			x.value(home)
		default:
			x.unknown(false)
		}
	}
	return s[end:]
}

func (x *expander) home() {
	home := x.r.Home(x.st)
	if _, set := x.st.Lookup("HOME"); set && !x.whole && strings.ContainsAny(home, "*?[ \t\n") {
		x.unknown(true) // bash 3.2 splits it and expands its patterns
		return
	}
	x.value(home)
}

// value adds a quoted value, a hole when it is "".
func (x *expander) value(text string) {
	if text == "" || strings.Contains(text, shell.HoleMark) {
		x.unknown(text == "") // dash makes no argument of an empty home
		return
	}
	x.text(text)
}
