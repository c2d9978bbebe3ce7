package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// obeyed is what a patterned allow rule does not cover.
const obeyed = "its standard input can run commands, or read or write files"

// obeysInput adds what the standard input of a command does, read like the
// value of the option that takes such a text. It reports whether that narrows:
// the words of the command do not show it.
func (w *walker) obeysInput(found *commands.Invocation, c *ctx, st *state) bool {
	if found.Cmd != nil && found.Cmd.Rare().Fed != nil {
		if text, ok := w.fedText(found, c, st); ok {
			found.Cmd.Rare().Fed(found, &text)
		}
	}
	if !found.Obeys() {
		return false
	}
	text, ok := w.fedText(found, c, st)
	if !ok {
		return false
	}
	found.Facts.Code = true
	found.Disprove("")
	like, escape := found.Cmd.Special.Stdin.Like, found.Cmd.Special.Stdin.Escape
	if escape != "" && len(found.Operands) > 0 && text.Known && !strings.Contains("\n"+text.Text, "\n"+escape) {
		return false
	}
	if like == "" || shell.LiteralPrefix(&text) == "" && !text.Known {
		found.Narrow(obeyed)
		found.ProgramText(commands.ProgramName(found.Argv), &text)
		return true
	}
	option := shell.Literal(found.Dashed(like), &found.Argv[0])
	argv := slices.Insert(slices.Clone(found.Argv), 1, option, text)
	d := &commands.Describe(argv, found.Began, found.Home).Facts
	more := len(d.Narrow) > len(found.Facts.Narrow)
	found.Facts.Narrow, found.Facts.Inner, found.Facts.Effects = d.Narrow, d.Inner, d.Effects
	return more
}

// fedText is the text on the standard input of a command, a hole when it is not
// known; false when nothing in the whole text feeds it.
func (w *walker) fedText(found *commands.Invocation, c *ctx, st *state) (shell.Word, bool) {
	unknown := shell.Hole("", &found.Argv[0])
	switch c.stdin.kind {
	case stdinInherited:
		return unknown, st.fed
	case stdinText:
		return c.stdin.text, true
	case stdinPipe:
		if text, ok := w.literalOutput(c.stdin.left, c, c.stdin.state); ok {
			return text, true
		}
	case stdinFile:
		if c.stdin.file.Known && c.stdin.file.Text == "/dev/null" {
			return unknown, false
		}
	}
	return unknown, true
}
