package bashsafety

import "strings"

// innerTilde expands a tilde behind = or : and returns how much of s it took.
func (x *expander) innerTilde(s string, last bool) int {
	end := strings.IndexAny(s, "/:")
	if end < 0 {
		end = len(s)
		if !last {
			x.literal('~') // ~"x" is not expanded
			return 1
		}
	}
	if end == 1 {
		x.home()
		return 1
	}
	if strings.ContainsAny(s[:end], `\*?[{=`) {
		x.literal('~')
		return 1
	}
	x.unknown(false)
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
			return s[1:]
		case !last:
			return s // ~"x" and ~$x are not expanded
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
		case strings.ContainsAny(name, `\*?[{`):
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
	x.value(x.w.home(x.st))
}

// value adds a quoted value, a hole when it is "".
func (x *expander) value(text string) {
	if text == "" || strings.Contains(text, HoleMark) {
		x.unknown(text == "") // dash makes no argument of an empty home
		return
	}
	x.text(text)
}
