package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// silence marks the files of a call that shows nothing of them, or not what lies
// below them. What the table says counts as long as every word is understood.
func (c *Invocation) silence() {
	if !c.understood() {
		return
	}
	silent := c.silent()
	files := c.Sub.Files && !c.Has("d", "directories")
	for i := range c.Facts.Effects {
		switch e := &c.Facts.Effects[i]; e.Kind {
		case shell.Read:
			e.Silent, e.Files = silent, files && !e.Recursive
		case shell.Write:
			e.Silent, e.InPlace = silent, c.Sub.InPlace && e.Recursive
		case shell.Delete:
			e.Silent = silent
		}
	}
}

// silent reports whether the program shows nothing of the files it is given.
func (c *Invocation) silent() bool {
	s := c.Sub.Silent
	return s != nil && (s.With == "*" || c.given(s.With)) && !c.given(s.Unless)
}

// understood reports whether no word can be an option the table does not see. A
// pattern counts as files: one that is called like an option is not looked for.
func (c *Invocation) understood() bool {
	reasons := 0
	for _, h := range c.Holes {
		if c.Sub.NoRiskyOptions {
			break
		}
		if !patterned(&c.Argv[h]) {
			return false
		}
		reasons = 1 // applyHoles
	}
	return c.Sub.NoRiskyOptions || len(c.Unknown) == 0 && len(c.Facts.Narrow) <= reasons
}

// looks adds what the program looks for below every directory it reads, a
// pattern for the names of files: dots says that its wildcards match a dot at the
// start of a name.
func (c *Invocation) looks(pattern string, dots bool, at *shell.Word) {
	pattern = pattern[strings.LastIndexByte(pattern, '/')+1:]
	if pattern == "" {
		return
	}
	for _, e := range c.Facts.Effects {
		if e.Kind != shell.Read || !e.Recursive {
			continue
		}
		dir := e.Path
		if e.Known && !e.Glob {
			dir = shell.EscapeGlob(dir)
		}
		c.Facts.Effects = append(c.Facts.Effects, shell.Effect{
			Kind: shell.Looks, Path: strings.TrimRight(dir, "/") + "/**/" + pattern, Known: e.Known,
			Glob: true, Dots: dots, Span: at.Span,
		})
	}
}

// looksFor adds the patterns that are values of an option.
func (c *Invocation) looksFor(names ...string) {
	for i := range c.Opts {
		for _, name := range names {
			if u := &c.Opts[i]; u.Name == name && patterned(&u.Value) && !strings.HasPrefix(u.Value.Text, "!") {
				c.looks(u.Value.Text, true, &u.Value)
			}
		}
	}
}

// nameOfRegexp is the pattern of the names a regular expression finds, as far as
// it is of characters and dots alone: "" where it holds more. Without ^ and $
// anything may be around it.
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
func (c *Invocation) on(name string) bool {
	u := c.Option(name)
	return u != nil && !(u.Value.Known && u.Value.Text == "false" && u.Given)
}

// patterned reports whether a word is known, or known except for what the shell finds
// for it: then a program is given a name, or the pattern itself.
func patterned(w *shell.Word) bool {
	return w.Known || w.Glob && !strings.Contains(w.Text, shell.HoleMark)
}
