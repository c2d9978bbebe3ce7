package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What git takes for a path: pathspecs with their magic, and what stands behind
// the colon of REVISION:PATH.

// A pathspec is a word git compares with the paths of a repository.
type pathspec struct {
	word shell.Word // the path, a pattern where git itself expands it
	top  bool       // it starts at the top of the work tree
}

// gitPathspec reads a pathspec. ok is false for one that only takes paths away,
// or stands for all of them.
func gitPathspec(w *shell.Word) (p pathspec, ok bool) {
	p.word = *w
	lit := shell.LiteralPrefix(w)
	switch {
	case strings.HasPrefix(lit, ":("):
		magic, rest, closed := strings.Cut(w.Text[2:], ")")
		if !closed {
			return p, true
		}
		p.word = shell.Suffix(w, len(w.Text)-len(rest))
		plain := false
		for word := range strings.SplitSeq(magic, ",") {
			switch word {
			case "top":
				p.top = true
			case "exclude":
				return p, false
			case "literal":
				plain = true
			}
		}
		return p.expanded(w, plain), rest != ""
	case strings.HasPrefix(lit, ":"):
		i := 1
		for ; i < len(lit) && strings.IndexByte("!^/:", lit[i]) >= 0; i++ {
			switch lit[i] {
			case '!', '^':
				return p, false
			case '/':
				p.top = true
			}
		}
		p.word = shell.Suffix(w, i)
		return p.expanded(w, false), len(w.Text) > i
	}
	return p.expanded(w, false), true
}

// expanded makes a pattern of a literal word that holds wildcards: the shell left
// them for git.
func (p pathspec) expanded(w *shell.Word, literal bool) pathspec {
	if t := p.word.Text; w.Known && !literal && strings.ContainsAny(t, `*?[\`) {
		p.word.Known, p.word.Glob, p.word.GlobLen = false, true, 0
	}
	return p
}

// touchSpec adds the effect of a pathspec.
func (c *Invocation) touchSpec(kind shell.EffectKind, w *shell.Word) {
	p, ok := gitPathspec(w)
	if !ok {
		return
	}
	if c.literalSpecs() {
		p = pathspec{word: *w}
	}
	from := len(c.Facts.Effects)
	c.touch(kind, &p.word, c.Recursive)
	if kind == shell.Write || kind == shell.Delete {
		c.Wrote = true
	}
	for i := range c.Facts.Effects[from:] {
		e := &c.Facts.Effects[from+i]
		if p.word.Glob && !w.Glob && kind == shell.Read { // what is looked for below a folder; see Looks
			e.Kind, e.Dots = shell.Looks, true
			if at := strings.LastIndexByte(e.Path, '/'); e.Glob && at >= 0 {
				e.Path = e.Path[:at] + "/**" + e.Path[at:] // its * goes through folders
			}
		}
	}
	if p.top {
		c.fromTop(from)
	}
}

// literalSpecs reports whether no pathspec of the command has magic.
func (c *Invocation) literalSpecs() bool {
	for i := range c.Opts {
		if c.Opts[i].Name == "literal-pathspecs" {
			return true
		}
	}
	return false
}

// gitReadsObject reads the path in REVISION:PATH, and reports whether a word is one.
func (c *Invocation) gitReadsObject(w *shell.Word) bool {
	if strings.HasPrefix(w.Text, ":(") || strings.Contains(w.Text, "://") || strings.Contains(w.Text, "::") {
		return false
	}
	braces := 0
	for i := range len(w.Text) {
		switch w.Text[i] {
		case '{':
			braces++
		case '}':
			braces--
		case ':':
			if braces <= 0 {
				c.readsInTree(w, i+1)
				return true
			}
		}
	}
	return false
}

// readsInTree reads the path that starts at an index of a word: from the top of
// the work tree unless it starts with a dot.
func (c *Invocation) readsInTree(w *shell.Word, at int) {
	p := shell.Suffix(w, at)
	if at == 1 && stageOfIndex(p.Text) {
		p = shell.Suffix(&p, 2)
	}
	if p.Text == "" {
		return
	}
	from := len(c.Facts.Effects)
	c.touch(shell.Read, &p, false)
	if strings.HasPrefix(p.Text, "./") || strings.HasPrefix(p.Text, "../") {
		return
	}
	c.fromTop(from)
}

// stageOfIndex reports whether a path of the index starts with its stage: 1:PATH.
func stageOfIndex(text string) bool {
	return len(text) > 2 && text[1] == ':' && text[0] >= '0' && text[0] <= '3'
}

// gitPaths reads what may be a path among the operands of a command that prints
// what revisions hold: behind --, behind a revision, or alone.
func gitPaths(c *Invocation) { gitPathsFrom(c, 0) }

// gitPathsFrom is gitPaths without the first operands.
func gitPathsFrom(c *Invocation, first int) {
	for n, i := range c.Operands {
		if c.DashDash > 0 && i > c.DashDash {
			c.touchSpec(shell.Read, &c.Argv[i])
		} else if n >= first {
			c.gitPathOrObject(&c.Argv[i])
		}
	}
	if o := c.Option("L"); o != nil { // lines of a file: RANGE:FILE
		if at := strings.LastIndexByte(o.Value.Text, ':'); at > 0 {
			file := shell.Suffix(&o.Value, at+1)
			c.readValue(&file)
		}
	}
}

// gitPathOrObject reads a word that may be a path, a revision, or a path in one.
func (c *Invocation) gitPathOrObject(w *shell.Word) {
	object := c.gitReadsObject(w)
	if !w.Known && !w.Glob { // most likely a revision
		return
	}
	if magic := strings.HasPrefix(w.Text, ":"); (!object || magic) && !revision(w.Text) {
		c.touchSpec(shell.Read, w)
	}
}

// revision reports whether a word is a range or a state of revisions and can
// be no file that anybody has.
func revision(text string) bool {
	switch text {
	case "HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "@":
		return true
	case "..":
		return false
	}
	return strings.ContainsAny(text, "^{}~") || strings.Contains(text, "..") && !strings.Contains(text, "../")
}

// gitTreePaths reads the paths behind a tree.
func gitTreePaths(c *Invocation) { gitPathsFrom(c, 1) }

// gitReadsPaths reads the paths among the operands, which the command takes into
// the index or the stash.
func gitReadsPaths(c *Invocation) {
	for _, i := range c.Operands {
		c.touchSpec(shell.Read, &c.Argv[i])
	}
}

// gitObjects reads the files that operands name in revisions.
func gitObjects(c *Invocation) {
	for _, i := range c.Operands {
		c.gitReadsObject(&c.Argv[i])
	}
}
