package bashsafety

import (
	"slices"
	"strings"
)

// A StdinProgram says that a program obeys what comes in on its standard
// input, as psql does: the same text behind -c is read by the option table, so
// that it has to be read here too.
type StdinProgram struct {
	// Only are the names of the Command it is true of, blank-separated; "" is all.
	Only string
	// Like is the option whose value is a text of the same kind, "" when there is
	// none whose text is told apart: then a patterned allow rule covers no input.
	Like string
	// Unless are options under which the program does not obey its standard
	// input, as in Command.Flags.
	Unless string
	// DashIsData is set when the operand - takes standard input for a file.
	DashIsData bool
	// Operands is how many operands the program takes and still obeys; one more
	// holds what it does. NoLimit where they never do.
	Operands int
	// Escape starts the lines that are commands where there are operands: all
	// others are data. "" where every line is a command.
	Escape string
	// Narrows and Passes are shell texts whose last command a patterned allow
	// rule must not, and may, cover as far as its input goes.
	Narrows, Passes []string
}

// NoLimit is a StdinProgram's Operands when no operand holds commands.
const NoLimit = -1

// obeyed is what a patterned allow rule does not cover.
const obeyed = "what comes in on its standard input can run a command, or read or write a file"

// obeys reports whether the program of a call takes commands from its standard
// input.
func (c *call) obeys() bool {
	if c.cmd == nil || c.cmd.Stdin == nil || c.tells() {
		return false
	}
	in := c.cmd.Stdin
	if in.Only != "" && !listed(in.Only, tableName(programName(c.argv))) {
		return false
	}
	for i := range c.opts {
		if listed(in.Unless, c.opts[i].name) {
			return false
		}
	}
	n := 0
	for _, i := range c.operands {
		if w := &c.argv[i]; !w.Known || w.Text != "-" {
			n++
		} else if in.DashIsData {
			return false
		}
	}
	return in.Operands == NoLimit || n <= in.Operands
}

// obeysInput adds what the standard input of a command does, read like the
// value of the option that takes such a text. It reports whether that narrows:
// the words of the command do not show it.
func (w *walker) obeysInput(found *call, c *ctx, st *state) bool {
	if !found.obeys() {
		return false
	}
	text, ok := w.fedText(found, c, st)
	if !ok {
		return false
	}
	found.d.readOnly = false
	like, escape := found.cmd.Stdin.Like, found.cmd.Stdin.Escape
	if escape != "" && len(found.operands) > 0 && text.Known && !strings.Contains("\n"+text.Text, "\n"+escape) {
		return false
	}
	if like == "" || literalPrefix(&text) == "" && !text.Known {
		found.narrow(obeyed)
		return true
	}
	option := literal(found.dashed(like), &found.argv[0])
	argv := slices.Insert(slices.Clone(found.argv), 1, option, text)
	d := &describe(argv, found.began, found.home).d
	more := len(d.narrow) > len(found.d.narrow)
	found.d.narrow, found.d.inner, found.d.effects = d.narrow, d.inner, d.effects
	return more
}

// fedText is the text on the standard input of a command, a hole when it is not
// known; false when nothing in the whole text feeds it.
func (w *walker) fedText(found *call, c *ctx, st *state) (Word, bool) {
	unknown := hole("", &found.argv[0])
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
