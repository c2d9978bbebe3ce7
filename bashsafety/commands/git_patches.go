package commands

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// patches adds what a patch writes: that in a file, or that on standard input
// for a nil word.
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
	for _, i := range c.Operands {
		if w := &c.Argv[i]; w.Known && w.Text == "-" {
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
