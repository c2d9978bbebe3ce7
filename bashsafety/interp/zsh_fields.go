package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// mayBeEmpty reports whether nothing of what is there so far is certain to be
// there when the text runs: zsh then expands a ~ or = after it.
func (x *expander) mayBeEmpty() bool {
	return strings.Trim(string(x.buf), shell.HoleMark) == ""
}

// asZsh reports whether the words are read again as zsh does, and notes that
// this makes a difference.
func (x *expander) asZsh() bool {
	x.w.unlikeZsh = true
	return x.w.asZsh
}

// zshFields expands the words of a command as zsh does, which does not split the
// value of a variable and leaves name=~ alone; nil when that is no difference.
// Before, the words were expanded as bash does.
func (w *walker) zshFields(words []*syntax.Word, c *ctx, st *state) []shell.Word {
	if !w.unlikeZsh {
		return nil
	}
	w.asZsh = true
	defer func() { w.asZsh, w.unlikeZsh = false, false }()
	var argv []shell.Word
	for _, word := range words {
		argv = w.fields(word, c, st, argv)
	}
	return argv
}

// runAsZsh adds the command with the words zsh makes of it, in the state before
// it. What follows happens after the one or the other.
func (w *walker) runAsZsh(inv pending, argv []shell.Word, c *ctx, st, before *state) {
	inv.argv = argv
	w.noteLiterals(argv)
	since := before.vars
	w.run(&inv, c, before)
	st.join(before, since)
}
