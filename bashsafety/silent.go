package bashsafety

import "strings"

// silence marks the files of a call that shows nothing of them, or not what lies
// below them. What the table says counts as long as every word is understood.
func (c *call) silence() {
	if !c.understood() {
		return
	}
	silent := c.sub.Silent == "*" || c.given(c.sub.Silent)
	silent = silent && !c.given(c.sub.Loud)
	files := c.sub.Files && !c.has("d", "directories")
	if !silent && !files && !c.sub.InPlace {
		return
	}
	for i := range c.d.effects {
		switch e := &c.d.effects[i]; e.Kind {
		case Read, Write, Delete:
			e.Silent, e.InPlace = silent, c.sub.InPlace && e.Kind == Write && e.Recursive
			e.Files = files && e.Kind == Read && !e.Recursive
		}
	}
}

// understood reports whether no word can be an option the table does not see. A
// pattern counts as files: one that is called like an option is not looked for.
func (c *call) understood() bool {
	reasons := 0
	for _, h := range c.holes {
		if c.sub.Closed {
			break
		}
		if !patterned(&c.argv[h]) {
			return false
		}
		reasons = 1 // applyHoles
	}
	return c.sub.Closed || len(c.unknown) == 0 && len(c.d.narrow) <= reasons && !c.splits
}

// given reports whether one of a blank-separated list of options was.
func (c *call) given(names string) bool {
	for name := range strings.FieldsSeq(names) {
		if c.has(name) {
			return true
		}
	}
	return false
}

// looks adds what the program looks for below every directory it reads, a
// pattern for the names of files: dots says that its wildcards match a dot at the
// start of a name.
func (c *call) looks(pattern string, dots bool, at *Word) {
	pattern = pattern[strings.LastIndexByte(pattern, '/')+1:]
	if pattern == "" {
		return
	}
	for _, e := range c.d.effects {
		if e.Kind != Read || !e.Recursive {
			continue
		}
		dir := e.Path
		if e.Known && !e.Glob {
			dir = escapeGlob(dir)
		}
		c.d.effects = append(c.d.effects, Effect{
			Kind: Looks, Path: strings.TrimRight(dir, "/") + "/**/" + pattern, Known: e.Known, Glob: true, Dots: dots, Span: at.Span,
		})
	}
}

// looksFor adds the patterns that are values of an option.
func (c *call) looksFor(names ...string) {
	for i := range c.opts {
		for _, name := range names {
			if u := &c.opts[i]; u.name == name && patterned(&u.value) && !strings.HasPrefix(u.value.Text, "!") {
				c.looks(u.value.Text, true, &u.value)
			}
		}
	}
}

// nameOfRegexp is the pattern of the names a regular expression finds, as far as
// it is of characters and dots alone: "" where it holds more. Without ^ and $
// anything may stand around it.
func nameOfRegexp(re string, whole bool) string {
	start, end := whole, whole
	if strings.HasPrefix(re, "^") {
		re, start = re[1:], true
	}
	if strings.HasSuffix(re, "$") && !strings.HasSuffix(re, `\$`) {
		re, end = re[:len(re)-1], true
	}
	var b strings.Builder
	if !start {
		b.WriteByte('*')
	}
	for i := 0; i < len(re); i++ {
		switch c := re[i]; {
		case c == '\\' && i+1 < len(re) && strings.IndexByte(`.-_+/$^`, re[i+1]) >= 0:
			i++
			b.WriteByte(re[i])
		case c == '.' && i+1 < len(re) && (re[i+1] == '*' || re[i+1] == '+'):
			i++
			b.WriteByte('*')
		case c == '.':
			b.WriteByte('?')
		case strings.IndexByte(`\*+?()[]{}|^$`, c) >= 0:
			return ""
		default:
			b.WriteByte(c)
		}
	}
	if !end {
		b.WriteByte('*')
	}
	return b.String()
}

// on reports whether a switch was given, and not as --switch=false.
func (c *call) on(name string) bool {
	u := c.option(name)
	return u != nil && !(u.value.Known && u.value.Text == "false" && u.given)
}

// patterned reports whether a word is known, or known but for what the shell finds
// for it: then a program is given a name, or the pattern itself.
func patterned(w *Word) bool { return w.Known || w.Glob && !strings.Contains(w.Text, HoleMark) }
