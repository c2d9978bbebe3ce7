package commands

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// ProgramText shows deny rules and checks what a program text of another language, or commands of an editor or
// client, runs and changes, as far as it is literal. What it runs needs no allow rule: no pattern covers such a text.
func (c *Invocation) ProgramText(via string, text *shell.Word) {
	c.program(via, code.Of(c.TableName(ProgramName(c.Argv))), text)
}

// codeOptions are options and verbs after which a word is program text, where a program runs a language.
const codeOptions = "-e -c -r -R -B -E -F --eval --execute --expr --python-expr --batch-string --command runner r eval"

// consoles are programs, and verbs of others, that read a program from standard input: rails c, artisan tinker.
const consoles = "irb pry psysh sage jupyter gp luajit amm console c shell shell_plus tinker repl"

// givenCode reads the texts that a program of a language gets, the word at a place: rails runner TEXT, python manage.py
// shell -c TEXT.
func (c *Invocation) givenCode(at int) {
	if len(c.Argv) < at+2 {
		return
	}
	lang := code.Of(ProgramName(c.Argv[at:]))
	for i := at + 1; i < len(c.Argv) && lang != code.Lines; i++ {
		w := &c.Argv[i]
		option, _, glued := strings.Cut(w.Text, "=")
		switch {
		case glued && shell.Among(codeOptions, option):
			c.program(ProgramName(c.Argv), lang, new(shell.Suffix(w, len(option)+1)))
		case i > at+1 && shell.Among(codeOptions, c.Argv[i-1].Text):
			c.program(ProgramName(c.Argv), lang, w)
		}
	}
}

// Consoles returns the place of the word that is a program which reads one of a language from standard input, -1 where
// no word is: irb, rails c, python manage.py shell, php artisan tinker.
func (c *Invocation) Consoles() int {
	if shell.Among("ftp lftp telnet", ProgramName(c.Argv)) {
		return 0
	}
	for at := range c.Argv[:min(len(c.Argv), 2)] {
		name := ProgramName(c.Argv[at:])
		found, other := at == 0 && shell.Among(consoles, name), false
		for i := at + 1; i < len(c.Argv) && !other; i++ {
			verb := shell.Among(consoles, c.Argv[i].Text)
			found = found || verb
			other = !verb && !strings.HasPrefix(c.Argv[i].Text, "-")
		}
		if found && !other && code.Of(name) != code.Lines {
			return at
		}
	}
	return -1
}

// ConsoleText is what a program reads that Consoles found at a place.
func (c *Invocation) ConsoleText(at int, text *shell.Word) {
	c.program(ProgramName(c.Argv), code.Of(ProgramName(c.Argv[at:])), text)
}

// program adds what a program text does.
func (c *Invocation) program(via string, lang code.Lang, text *shell.Word) {
	if strings.TrimSpace(text.Text) == "" {
		return
	}
	t := code.Read(lang, text.Text, c.arguments(lang, text.Text)...)
	c.Facts.Code, c.Facts.Programs = true, append(c.Facts.Programs, t)
	for i := range t.Acts {
		c.acts(via, &t.Acts[i], text)
	}
	if t.Cut {
		c.doubt("too-much-work", "the program text expands to more than permgate analyses; write it out", text)
	}
}

// arguments are those that a program gets, with what its language puts in front of them: they come after its text,
// or else after its file.
func (c *Invocation) arguments(lang code.Lang, text string) (args []string) {
	file := func(w shell.Word) bool { return w.Text == "-" || !strings.HasPrefix(w.Text, "-") }
	at := slices.IndexFunc(c.Argv, func(w shell.Word) bool { return w.Text == text })
	if lang == code.JavaScript && at < 0 {
		args = []string{"", ""}
	} else if lang&(code.Perl|code.Ruby) == 0 {
		args = []string{""}
	}
	if at < 0 {
		at = 1 + slices.IndexFunc(c.Argv[min(1, len(c.Argv)):], file)
	}
	for i := at + 1; at > 0 && i < len(c.Argv); i++ {
		args = append(args, c.Argv[i].Text)
	}
	return args
}

// acts adds what one call does: what it runs is seen as if it were typed, and files that are known count as for a
// command that does the same.
func (c *Invocation) acts(via string, a *code.Act, at *shell.Word) {
	if a.Dir.Text != "" {
		dir, from, cwd := c.codeWord(&a.Dir, false, at), len(c.Facts.Inner), c.Cwd
		c.Cwd = shell.Moved(cwd, &dir)
		defer func() {
			for i := range c.Facts.Inner[from:] {
				c.Facts.Inner[from+i].Dir = &dir
			}
			c.Cwd = cwd
		}()
	}
	words := make([]shell.Word, 0, len(a.Words))
	for i := range a.Words {
		words = append(words, c.codeWord(&a.Words[i], a.Verb == code.RunsArgv, at))
	}
	for i := range words {
		switch w := &words[i]; a.Verb {
		case code.RunsArgv:
			if i == 0 && w.Known {
				c.within(Inner{Kind: InnerArgv, Via: via, Argv: words})
			}
		case code.RunsShell:
			c.codeText(via, a.Words[i].Text, at)
		case code.Reads:
			if w.Known {
				c.touch(shell.Read, w, false)
			}
		case code.Writes:
			if w.Known {
				c.write(w)
			}
		case code.Removes, code.RemovesTree, code.Moves:
			if a.Verb == code.RemovesTree && a.Words[i].Glob || w.Known || w.Glob {
				c.codeRemoves(w, a.Verb == code.RemovesTree)
			}
		}
	}
}

// codeWord is a word of a program as the shell has it. A path has the home for ~.
func (c *Invocation) codeWord(w *code.Word, argument bool, at *shell.Word) shell.Word {
	text := w.Text
	if home := text == "~" || strings.HasPrefix(text, "~/"); home && c.Home != "" && !argument {
		text = c.Home + text[1:]
	}
	word := shell.Literal(text, at)
	switch {
	case !w.Known():
		word.Known = false
	case w.Glob && strings.ContainsAny(text, "*?["):
		word.Known, word.Single, word.Glob, word.GlobLen = false, false, true, int32(len(text))
	}
	return word
}

// codeRemoves deletes a path. A tree, and the ruin that a pattern finds, is seen as the operand of rm.
func (c *Invocation) codeRemoves(w *shell.Word, tree bool) {
	seen := tree
	for _, e := range shell.EffectsOf(shell.Delete, w, c.Cwd) {
		seen = seen || w.Glob && shell.Ruinous(&e, c.Home)
	}
	if !seen {
		c.Wrote = c.touch(shell.Delete, w, tree) || c.Wrote
		return
	}
	c.runs(Inner{Kind: InnerArgv, Argv: []shell.Word{shell.Literal("rm", w), shell.Literal("-rf", w), *w}, Standing: Standing{Covered: true}})
}

func (c *Invocation) codeText(via, text string, at *shell.Word) {
	if strings.TrimSpace(text) != "" {
		c.within(Inner{Kind: InnerText, Via: via, Text: shell.Literal(text, at)})
	}
}

// refineCodeOptions searches the values of options that hold or load code, and the
// operands of verbs that take it.
func refineCodeOptions(c *Invocation) {
	for u := range c.options() {
		if u.Given && u.does != ObeysValue && u.does != Unsafe {
			c.ProgramText(ProgramName(c.Argv)+" "+c.spell(u), &u.Value)
		}
	}
	if len(c.Facts.Programs) == 0 {
		c.givenCode(0)
	}
}

// makefileText shows the recipes of a makefile that comes in on standard input.
func (c *Invocation) makefileText(text *shell.Word) {
	if !text.Known {
		return
	}
	for line := range strings.SplitSeq(text.Text, "\n") {
		recipe := strings.TrimLeft(line, " \t") // a justfile has blanks
		ok := recipe != line
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
	if shell.ContainsAny(w.Text, "system", "|") {
		given := ""
		for u := range c.options() {
			if name, value, ok := strings.Cut(u.Value.Text, "="); ok && shell.Among("v assign", u.Name) {
				given += name + "=" + strconv.Quote(value) + ";"
			}
		}
		for _, a := range code.Read(code.Awk, given+w.Text).Acts {
			if a.Verb == code.RunsShell {
				c.scan("system", a.Words[0].Text, w)
			}
		}
	}
	t := lang.AwkTokens{S: w.Text}
	for t.Next() {
		switch t.Kind {
		case 'i':
			awkName(c, &t)
		case '|':
			c.Narrow("awk's | runs a command")
			c.Facts.Code = true
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
func awkName(c *Invocation, t *lang.AwkTokens) {
	switch t.Text {
	case "system":
		c.Narrow("awk's system() runs a command")
		c.Facts.Code = true
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

// awkFed is what awk reads: the program that -f - names, or lines that its program runs.
func awkFed(c *Invocation, text *shell.Word) {
	if o := c.Option("f", "file"); o != nil && FromInput(&o.Value) {
		return // it is the program, which is read as that
	}
	if slices.ContainsFunc(c.Argv, func(w shell.Word) bool { return strings.Contains(w.Text, "system($0)") }) {
		c.scan("system", text.Text, text)
	}
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
	c.writeExtra(named(&name))
}

// refineSed reads the scripts of sed, and its files.
func refineSed(c *Invocation) {
	ops, understood := c.Operands, true
	read := func(w *shell.Word) {
		understood = c.sedScript(w) && understood
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

// sedScript says what a script runs, reads and writes; it reports whether all of it is understood.
func (c *Invocation) sedScript(w *shell.Word) bool {
	files, ok := lang.SedScript(w)
	if !ok {
		c.mayDoAnything(w)
	}
	for i := range files {
		f := &files[i]
		switch {
		case f.Exec:
			c.Narrow("the sed script runs a command")
			c.scan("e", f.Name.Text, &f.Name)
			c.runsInput = c.runsInput || f.Input
		case f.Write:
			if !f.Name.Known || !shell.NotFile(f.Name.Text) {
				c.writeExtra(named(&f.Name))
			}
		default:
			c.read(&f.Name)
		}
	}
	return ok
}

// sedFed: what sed reads is run where the script says so.
func sedFed(c *Invocation, text *shell.Word) {
	if c.runsInput {
		c.scan("e", text.Text, text)
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
