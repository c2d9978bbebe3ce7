package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// ProgramText shows deny rules and checks the commands that a program text of
// another language runs, as far as they are literal: after ! at the start of a
// line (ed, ex, gdb, dc, gnuplot), after a word that runs the rest of the line
// (Tcl, Expect, gdb), in the arguments of functions that start programs. What
// they run needs no allow rule: no pattern covers such a text.
func (c *Invocation) ProgramText(via string, text *shell.Word) {
	if !text.Known || strings.TrimSpace(text.Text) == "" {
		return
	}
	for line := range strings.FieldsFuncSeq(text.Text, func(r rune) bool { return r == '\n' || r == ';' }) {
		if rest, ok := lineCommand(line); ok {
			c.codeText(via, rest, text)
		}
	}
	c.macroText(via, text)
	c.inlineCode(via, text)
}

// lineCommand returns what a line hands to a shell or runs.
func lineCommand(line string) (string, bool) {
	line = strings.TrimLeft(line, " \t:[{")
	if rest, ok := strings.CutPrefix(strings.TrimLeft(line, "0123456789,.$%"), "!"); ok { // ed: 1,$!sort
		return strings.TrimLeft(rest, "!"), true
	}
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "r", "w", "e", "read", "write", "silent", "silent!", "exe", "execute", "normal": // ed and ex: r !command
		if _, command, ok := strings.Cut(rest, "!"); ok {
			return command, true
		}
	case "shell", "spawn", "exec", "system", "overlay", "pipe", "|":
		if rest = strings.TrimLeft(rest, "-| "); strings.IndexAny(rest, "'\"`(") != 0 { // else it is a function
			return rest, true
		}
	case "platform": // lldb: platform shell command
		if command, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), "shell "); ok {
			return command, true
		}
	}
	return "", false
}

// macroText reads syscmd and esyscmd of m4, whose arguments need no quotes.
func (c *Invocation) macroText(via string, text *shell.Word) {
	for rest := text.Text; ; {
		_, after, ok := strings.Cut(rest, "syscmd(")
		if !ok {
			return
		}
		rest = after
		command, _, _ := strings.Cut(after, ")")
		c.codeText(via, strings.Trim(command, "`'[] "), text)
	}
}

// refineCodeOptions searches the values of options that hold or load code, and the
// operands of verbs that take it.
func refineCodeOptions(c *Invocation) {
	for i := range c.Opts {
		if u := &c.Opts[i]; u.Given {
			c.ProgramText(ProgramName(c.Argv)+" "+c.spell(u), &u.Value)
		}
	}
	if c.LiteralOperand(0) == "eval" { // deno eval, crystal eval
		for n := 1; n < len(c.Operands); n++ {
			c.ProgramText(ProgramName(c.Argv)+" eval", c.Operand(n))
		}
	}
}

// refineCodeText is for programs of which no pattern covers a program text.
func refineCodeText(c *Invocation) {
	opaqueUnlessAsked(c)
	refineCodeOptions(c)
}

// makefileText shows the recipes of a makefile that comes in on standard input.
func (c *Invocation) makefileText(text *shell.Word) {
	if !text.Known {
		return
	}
	for line := range strings.SplitSeq(text.Text, "\n") {
		recipe, ok := strings.CutPrefix(line, "\t")
		if !ok {
			if _, recipe, ok = strings.Cut(line, ";"); !ok {
				_, recipe, ok = strings.Cut(line, "!=")
			}
		}
		if ok {
			c.codeText("make", strings.TrimLeft(recipe, " \t@-+"), text)
		}
		if _, command, ok := strings.Cut(line, "$(shell "); ok {
			c.codeText("make", strings.TrimSuffix(strings.TrimSpace(command), ")"), text)
		}
	}
}
