package commands

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
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
	for u := range c.options() {
		if u.Given {
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

// refineAwk reads awk's program and files.
func refineAwk(c *Invocation) {
	ops, understood := c.Operands, true
	look := func(w *shell.Word) {
		if !w.Known {
			understood = false
			c.mayDoAnything(w)
			return
		}
		awkProgram(c, w)
	}
	for u := range c.options() {
		switch u.does {
		case GivesPattern:
			look(&u.Value)
		case ReadsPattern:
			if u.Name == "i" || u.Name == "include" {
				c.NoPattern = c.Has("f", "file", "E", "exec", "e", "source")
				c.inPlace = c.inPlace || u.Value.Text == "inplace"
				c.dropRead(&u.Value)
			}
			if !c.inPlace {
				understood = false
			}
		}
	}
	if !c.NoPattern && len(ops) > 0 {
		look(&c.Argv[ops[0]])
		ops = ops[1:]
	}
	if !understood || c.inPlace {
		c.Narrow("the awk program is not literal, or changes its files")
	}
	for _, i := range ops {
		w := &c.Argv[i]
		if name, _, ok := strings.Cut(w.Text, "="); ok && w.Known && shell.ValidName(name) {
			continue
		}
		c.readOperands([]int{i})
	}
}

// awkProgram finds what a program runs, reads and writes, by its tokens: a redirect is > or >> or
// | outside parentheses in a statement that prints, or any | but ||.
func awkProgram(c *Invocation, w *shell.Word) {
	t := lang.AwkTokens{S: w.Text}
	str := "" // the string before a pipe
	for t.Next() {
		if t.Kind == '"' {
			str = t.Text
			continue
		}
		before := str
		str = ""
		switch t.Kind {
		case 'i':
			awkName(c, w, &t)
		case '|':
			c.Narrow("awk's | runs a command")
			c.Facts.Code = true
			c.scan("|", before, w)
			awkCommand(c, w, &t)
		case '@':
			c.Narrow("awk's @ loads code or calls by name")
		case 0:
			c.Narrow("the awk program is not understood")
			c.mayDoAnything(w)
			return
		case '<':
			if t.AfterGetline {
				awkFile(c, w, &t, false)
			}
		case '>':
			if t.Printing && t.Depth == 0 {
				awkFile(c, w, &t, true)
			}
		}
	}
}

// awkName looks at the names that run, read or tell something.
func awkName(c *Invocation, w *shell.Word, t *lang.AwkTokens) {
	switch t.Text {
	case "system":
		c.Narrow("awk's system() runs a command")
		c.Facts.Code = true
		awkCommand(c, w, t)
	case "ENVIRON":
		if saved := *t; !t.Next() || t.Kind != '[' || !t.Next() || t.Kind != '"' {
			c.Disprove(printsEnvironment)
			*t = saved
		}
	case "ARGV":
		c.Facts.Code = true // what is set there is read
		c.Disprove("sets or prints what it reads")
	case "getline":
		t.AfterGetline = true
	}
}

// awkCommand shows the string after system( or |.
func awkCommand(c *Invocation, w *shell.Word, t *lang.AwkTokens) {
	saved := *t
	ok := t.Next()
	if ok && t.Kind == '(' {
		ok = t.Next()
	}
	if ok && (t.Kind == '"' || t.Kind == 's') {
		c.scan("system", strings.ReplaceAll(t.Text, `\"`, `"`), w)
	}
	*t = saved
}

// awkFile takes the file of a redirect, known where it is one string.
func awkFile(c *Invocation, w *shell.Word, t *lang.AwkTokens, writes bool) {
	name := shell.Hole("", w)
	if t.Next() && t.Kind == '"' {
		text := t.Text
		saved := *t
		if !t.Next() || t.Kind == ';' || t.Kind == '}' || t.Kind == ')' {
			name = shell.Literal(text, w)
		}
		*t = saved
	}
	if strings.HasPrefix(name.Text, "/inet") {
		c.Narrow("awk opens a network connection")
		return
	}
	if !writes {
		c.read(&name)
		c.disproveIf(!name.Known)
		return
	}
	if name.Known && shell.NotFile(name.Text) {
		return
	}
	c.writeFile(&name)
	c.Narrow("awk's > writes a file")
}

// refineSed reads the scripts of sed, and its files.
func refineSed(c *Invocation) {
	ops, understood := c.Operands, true
	var files []lang.SedFile
	read := func(w *shell.Word) {
		fs, ok := lang.SedScript(w)
		if files = append(files, fs...); !ok {
			c.mayDoAnything(w)
		}
		understood = understood && ok
	}
	for i := range c.Opts {
		switch c.Opts[i].does {
		case GivesPattern:
			read(&c.Opts[i].Value)
		case ReadsPattern:
			understood = false
		}
	}
	if o := c.Option("l"); o != nil && (!o.Value.Known || !shell.Number(o.Value.Text)) {
		c.Narrow("-l has no value in sed of BSD")
	}
	if o := c.Option("i"); o != nil && !o.Given && len(ops) > 0 {
		if first := &c.Argv[ops[0]]; first.Known && first.Text == "" {
			ops = ops[1:] // BSD: the suffix is a word of its own
		}
	}
	if !c.NoPattern && len(ops) > 0 {
		read(&c.Argv[ops[0]])
		ops = ops[1:]
	}
	for i := range files {
		f := &files[i]
		switch {
		case f.Exec:
			c.Narrow("the sed script runs a command")
			c.scan("e", f.Name.Text, &f.Name)
		case f.Write:
			if !f.Name.Known || !shell.NotFile(f.Name.Text) {
				c.writeFile(&f.Name)
				c.Narrow("the sed script writes a file")
			}
		default:
			c.read(&f.Name)
		}
	}
	if !understood && len(c.Facts.Narrow) == 0 {
		c.Narrow("the sed script is not understood; use only s, p, d and the like")
	}
	c.readOperands(ops)
	for u := range c.options() {
		if u.does == WritesInPlace && u.Given {
			for _, k := range ops {
				c.sedBackup(&c.Argv[k], &u.Value)
			}
		}
	}
}

// sedBackup writes what -i with a suffix keeps: * in it is the name of the file,
// and a slash leads to another directory.
func (c *Invocation) sedBackup(file, suffix *shell.Word) {
	switch {
	case !suffix.Known || file.Glob:
		c.writeUnknown()
	case !strings.ContainsAny(suffix.Text, "*/"):
		old := *file
		old.Text += suffix.Text
		c.write(&old)
	default:
		dir, base := path.Split(file.Text)
		old := *file
		if old.Text = strings.ReplaceAll(suffix.Text, "*", base); !strings.Contains(suffix.Text, "*") {
			old.Text = base + suffix.Text
		}
		c.write(&old)
		if dir != "" {
			old.Text = dir + old.Text
			c.write(&old)
		}
	}
}

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
	for _, w := range c.operands() {
		if w.Known && w.Text == "-" {
			dash = true
		} else {
			n++
		}
	}
	return n, dash
}
