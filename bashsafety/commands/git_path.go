package commands

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What git takes for a path: pathspecs with their magic, and what follows
// the colon of REVISION:PATH.

// A pathspec is a word git compares with the paths of a repository.
type pathspec struct {
	word shell.Word // the path, a pattern where git itself expands it
	top  bool       // it starts at the top of the work tree
}

// gitPathspec reads a pathspec; false for one that only excludes, or means all paths.
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

// expanded makes a pattern of a literal word with wildcards, which git expands.
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
	if slices.ContainsFunc(c.Opts, func(u Used) bool { return u.Name == "literal-pathspecs" }) {
		p = pathspec{word: *w}
	}
	from := len(c.Facts.Effects)
	c.touch(kind, &p.word, c.Recursive)
	c.Wrote = c.Wrote || kind == shell.Write || kind == shell.Delete
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
// what revisions hold: after --, after a revision, or alone.
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
			c.readValue(new(shell.Suffix(&o.Value, at+1)))
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

// revision reports whether a word is a range or state of revisions, and surely no file.
func revision(text string) bool {
	switch text {
	case "HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "@":
		return true
	case "..":
		return false
	}
	return strings.ContainsAny(text, "^{}~") || strings.Contains(text, "..") && !strings.Contains(text, "../")
}

func gitTreePaths(c *Invocation) { gitPathsFrom(c, 1) }

// patches adds what a patch writes: one in a file, for nil the one on standard input.
func (c *Invocation) patches(file *shell.Word, p shell.Patching) {
	c.Wrote = true
	dirs := c.Cwd.Dirs
	if len(dirs) == 0 {
		dirs = []string{""}
	}
	var reads []shell.Effect
	if file != nil {
		if reads = shell.EffectsOf(shell.Read, file, c.Cwd); len(reads) == 0 { // the null device
			return
		}
	}
	for i, dir := range dirs {
		one := p
		one.Dir, one.Input = dir, file == nil
		if file != nil {
			one.File = &reads[min(i, len(reads)-1)]
		}
		c.Facts.Effects = append(c.Facts.Effects, shell.Effect{Kind: shell.Write, Path: shell.HoleMark, Span: c.Argv[0].Span, Patch: &one})
	}
}

// gitPatching is what the options of git apply and git am say of the names in a patch.
func (c *Invocation) gitPatching() shell.Patching {
	p := shell.Patching{Strip: 1}
	if o := c.Option("p"); o != nil {
		p.Given, p.Strip = true, 0
		for _, digit := range []byte(o.Value.Text) {
			if digit < '0' || digit > '9' || p.Strip > 1000 {
				return shell.Patching{Strip: 1, Under: shell.HoleMark}
			}
			p.Strip = p.Strip*10 + int(digit-'0')
		}
	}
	if o := c.Option("directory"); o != nil {
		if p.Under = o.Value.Text; !o.Value.Known {
			p.Under = shell.HoleMark
		}
	}
	return p
}

// gitPatches reads the patches among the operands, or standard input.
func gitPatches(c *Invocation) {
	p := c.gitPatching()
	for _, w := range c.operands() {
		if w.Known && w.Text == "-" {
			c.patches(nil, p)
		} else {
			c.patches(w, p)
		}
	}
	if len(c.Operands) == 0 {
		c.patches(nil, p)
	}
}

// refineGitAm: the options that go on with what was started take no patch.
func refineGitAm(c *Invocation) {
	goesOn := c.Has("continue", "resolved", "r", "skip", "abort", "quit", "retry", "show-current-patch")
	if !goesOn || len(c.Operands) > 0 {
		gitPatches(c)
	}
}

// ShowsPatch reports the subcommands of git that print a patch.
func ShowsPatch(subs []string) bool {
	return len(subs) > 0 && shell.Among("diff diff-tree diff-index diff-files show", subs[0]) ||
		slices.Equal(subs, []string{"stash", "show"})
}

// ChangesPatch reports whether an option has the patch print anything else.
func (c *Invocation) ChangesPatch() bool {
	o := c.Option("format", "pretty")
	return o != nil && o.Value.Text != "" ||
		c.Has("no-index", "src-prefix", "dst-prefix", "line-prefix", "output-indicator-new", "output-indicator-old",
			"output-indicator-context", "word-diff", "word-diff-regex", "color-words", "output")
}

// MaybeFile reports whether an operand may be a file outside of what git holds,
// or, for git show, an object that is no commit.
func (c *Invocation) MaybeFile(text string) bool {
	if path.IsAbs(text) || shell.StartsWithAny(text, "./", "../") || strings.Contains(text, ":") {
		return true
	}
	commit := text == "@" || shell.StartsWithAny(text, "HEAD", "stash@{")
	return c.Subs[0] == "show" && !commit
}
