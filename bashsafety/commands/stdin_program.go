package commands

import (
	"slices"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// Obeys reports whether the program of a call takes commands from its standard
// input.
func (c *Invocation) Obeys() bool {
	if c.Cmd == nil || c.tells() {
		return false
	}
	in := c.Cmd.Rare().Stdin
	if in == nil {
		return false
	}
	if in.Only != "" && !shell.Listed(in.Only, TableName(ProgramName(c.Argv))) {
		return false
	}
	if slices.ContainsFunc(c.Opts, func(u Used) bool { return shell.Listed(in.Unless, u.Name) }) {
		return false
	}
	n, dash := c.plainOperands()
	if dash && in.DashIsData {
		return false
	}
	return in.Operands == NoLimit || n <= in.Operands
}

// plainOperands counts the operands that are not -, and says whether one is.
func (c *Invocation) plainOperands() (n int, dash bool) {
	for _, i := range c.Operands {
		if w := &c.Argv[i]; w.Known && w.Text == "-" {
			dash = true
		} else {
			n++
		}
	}
	return n, dash
}
