package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

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
		home := x.w.env.Home // ~name is the own home when that is called so
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

// home adds the home directory.
func (x *expander) home() {
	home := x.w.home(x.st)
	if _, set := x.st.lookup("HOME"); set && !x.whole && strings.ContainsAny(home, "*?[ \t\n") {
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
