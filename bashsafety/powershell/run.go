package powershell

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// run lists a command: a cmdlet by its table, anything else as bash would.
func (p *psParser) run(c *psCommand) {
	name := &c.words[0]
	if name.block { // & { } runs what was listed when it was read
		p.onlyOuts(c)
		return
	}
	if p.dry {
		p.learn(c)
		return
	}
	from := len(p.a.Subcommands)
	cmd := p.cmdlet(name)
	switch {
	case !name.Known || name.Text == "":
		p.doubt(analysis.DoubtDynamic, shell.HidesAll, "", c.span.Start)
		p.add(c, analysis.Subcommand{})
		c.flow.open, c.flow.roots, c.flow.strings = true, nil, false
	case c.call == '.' && cmd == nil && !p.program(name):
		sub := analysis.Subcommand{Program: psBase(name.Text)}
		w, _ := p.file(name, false)
		sub.Effects = shell.EffectsOf(shell.Source, &w, p.cwd)
		p.add(c, sub)
	case cmd != nil:
		p.runCmdlet(c, cmd)
	default:
		p.native(c)
	}
	if c.call == '.' {
		*p.cwd = shell.CwdState{Moved: true} // it may go anywhere
	}
	if effects := p.written(c.outs); len(effects) > 0 && from < len(p.a.Subcommands) {
		sub := &p.a.Subcommands[from]
		sub.Effects = append(effects, sub.Effects...)
		p.unprove(from, "it writes a file")
	}
}

// learn takes from a command what the second reading has to know.
func (p *psParser) learn(c *psCommand) {
	p.called(c)
	switch cmd := p.cmdlet(&c.words[0]); {
	case c.call == '.': // it may set variables and go elsewhere
		p.facts.byRef, p.facts.hops = true, p.facts.hops || p.loops > 0
	case cmd == nil:
	case strings.HasSuffix(cmd.name, "-Variable"):
		p.facts.byRef = true
	case cmd.does == psMoves:
		p.facts.hops = p.facts.hops || p.loops > 0
	}
	p.facts.byRef = p.facts.byRef || slices.ContainsFunc(c.words[1:], setsVariable)
	p.facts.env = p.facts.env || slices.ContainsFunc(c.words, func(w psWord) bool {
		t := strings.ToLower(w.Text)
		return strings.HasPrefix(t, "env:") || strings.Contains(t, "environment::")
	})
	p.facts.items = p.facts.items || slices.ContainsFunc(c.words, func(w psWord) bool { return !w.Known })
}

// setsVariable reports whether a word is, or hides, a parameter of every cmdlet by
// which it sets a variable: -OutVariable, -pv.
func setsVariable(w psWord) bool {
	t, _, _ := strings.Cut(strings.ToLower(w.Text), ":")
	if w.splat || len(t) < 2 || t[0] != '-' {
		return w.splat
	}
	short := len(t) == 3 && t[2] == 'v'
	return short || strings.Contains(t, "variable") || strings.HasPrefix("-outvariable", t) ||
		strings.HasPrefix("-pipelinevariable", t)
}

// cmdlet finds the cmdlet that a command word names; nil where it names none,
// or the text has a function of that name.
func (p *psParser) cmdlet(name *psWord) *cmdlet {
	if !name.Known || slices.Contains(p.facts.funcs, strings.ToLower(name.Text)) {
		return nil
	}
	base := strings.ToLower(name.Text)
	if strings.ContainsAny(base, `/\`) {
		module, rest, ok := strings.Cut(base, `\`)
		own := strings.HasPrefix(module, "microsoft.") && !strings.Contains(module, ":")
		if !ok || !own || strings.Contains(rest, `\`) {
			return nil
		}
		base = rest
	}
	return cmdletOf(base)
}

// program reports whether a word names a program that is known: run with . it is
// the same as without.
func (p *psParser) program(name *psWord) bool {
	base := strings.TrimSuffix(strings.ToLower(psBase(name.Text)), ".exe")
	switch base {
	case "powershell", "pwsh", "cmd":
		return true
	}
	e := commands.Find(base)
	return e.Program()
}

// psBase is the name of a program without its folder.
func psBase(name string) string {
	return name[strings.LastIndexAny(name, `/\`)+1:]
}

// argv is the words of a command as rules see them.
func (p *psParser) argv(words []psWord) []shell.Word {
	out := make([]shell.Word, 0, len(words))
	for i := range words {
		w := words[i].Word
		for j := range words[i].more { // a,b is one argument
			m := &words[i].more[j]
			w.Text, w.Known = w.Text+","+m.Text, w.Known && m.Known
		}
		w.Span = p.place(w.Span)
		out = append(out, w)
	}
	return out
}

// add lists a command.
func (p *psParser) add(c *psCommand, sub analysis.Subcommand) int {
	sub.Span, sub.Via = p.place(c.span), p.via
	if sub.Argv == nil {
		sub.Argv = p.argv(c.words)
	}
	sub.PatternBlockers = append(slices.Clip(p.w.Blockers()), sub.PatternBlockers...)
	sub.Hidden = len(p.w.Blockers()) > 0
	sub.Dirs, sub.Fed, sub.When.Again = p.cwd.Dirs, c.flow.piped, p.loops > 0
	if c.flow.piped {
		sub.From = analysis.Indexes(c.flow.first, min(c.flow.mark, len(p.a.Subcommands)), nil)
	}
	return p.w.Add(sub)
}

// native lists a program: the tables of bash know it, once its words are paths
// as they spell them.
func (p *psParser) native(c *psCommand) {
	c.flow.open, c.flow.roots, c.flow.strings = true, nil, true
	var words, typed []shell.Word
	for i := range c.words {
		w := &c.words[i]
		typed = append(typed, w.Word)
		words = append(words, p.spelled(w, i))
		for j := range w.more {
			typed = append(typed, w.more[j].Word)
			words = append(words, p.spelled(&w.more[j], i))
		}
	}
	if p.nested(c) {
		return
	}
	name := strings.ToLower(psBase(typed[0].Text))
	if e := commands.Find(name); e.Known() && !e.Program() { // a builtin of bash is no program
		p.add(c, analysis.Subcommand{Argv: p.argv(c.words), Program: psBase(typed[0].Text)})
		return
	}
	from := len(p.a.Subcommands)
	program := Program{Argv: words, Source: p.s, Span: p.place(c.span), Via: p.via, Piped: c.flow.piped, Loops: p.loops}
	if c.flow.piped {
		program.From = analysis.Indexes(c.flow.first, min(c.flow.mark, from), nil)
	}
	if text := c.flow.text; text != nil && text.Known {
		in := shell.Literal(text.Text+"\n", &shell.Word{Span: p.place(text.Span)})
		program.Stdin = &in
	}
	p.w.Run(&program)
	if why := p.otherwise(c, len(p.a.Subcommands)-from); why != "" {
		p.unprove(from, why)
	}
	for i := from; i < len(p.a.Subcommands); i++ {
		sub := &p.a.Subcommands[i]
		p.restore(sub.Argv, words, typed)
		p.restore(sub.Outer, words, typed)
		for _, alt := range sub.Alt {
			p.restore(alt, words, typed)
		}
	}
}

// restore puts the words as they were typed in the place of those the tables
// read; both are in the order of the text.
func (p *psParser) restore(argv, words, typed []shell.Word) {
	for i := range argv {
		at := argv[i].Span.Start
		j, _ := slices.BinarySearchFunc(words, at, func(w shell.Word, at int) int { return w.Span.Start - at })
		if j < len(words) && argv[i].Span == words[j].Span && argv[i].Text == words[j].Text && !words[j].Glob {
			argv[i].Text, argv[i].Known = typed[j].Text, typed[j].Known
		}
		argv[i].Span = p.place(argv[i].Span)
	}
}

// nested reads the text that powershell -Command is given.
func (p *psParser) nested(c *psCommand) bool {
	pwsh := false
	switch strings.TrimSuffix(strings.ToLower(psBase(c.words[0].Text)), ".exe") {
	case "powershell":
	case "pwsh":
		pwsh = true
	case "cmd":
		p.cmdText(c)
		return true
	default:
		return false
	}
	at := p.add(c, analysis.Subcommand{Program: psBase(c.words[0].Text), Launcher: true})
	for i := 1; i < len(c.words); i++ {
		w := &c.words[i]
		t := strings.ToLower(w.Text)
		option, isOption := strings.CutPrefix(t, "-")
		if rest, ok := strings.CutPrefix(t, "/"); ok && plainLetters(rest) {
			option, isOption = rest, true
		}
		kind, next := "command", i // a word that is no option: a program sees no quotes
		if isOption && option != "" {
			kind, next = commands.PowerShellOption(option), i+1
		} else if pwsh && strings.HasSuffix(t, ".ps1") {
			kind = "file"
		}
		switch {
		case w.block, kind == "encodedcommand":
			return true
		case kind == "value":
			i++
		case kind == "command" || kind == "file":
			p.given(c, at, next, kind)
			return true
		}
	}
	if c.flow.piped {
		p.doubt(analysis.DoubtPipedProgram, shell.HidesAll, "", c.span.Start)
	}
	return true
}

// given reads what PowerShell is given to run, from a word on.
func (p *psParser) given(c *psCommand, at, from int, kind string) {
	if from >= len(c.words) || c.words[from].block {
		return
	}
	w := &c.words[from]
	if kind == "file" || strings.HasSuffix(strings.ToLower(w.Text), ".ps1") {
		p.sources(at, w)
	}
	switch {
	case kind == "file":
	case w.Text == "-" && c.flow.piped:
		p.doubt(analysis.DoubtPipedProgram, shell.HidesAll, "", c.span.Start)
	case w.Text != "" || !w.Known:
		p.text(joined(c.words[from:]), "powershell -Command")
	}
}

// joined are words as the one text that PowerShell makes of them.
func joined(words []psWord) *psWord {
	all := words[0]
	for i := range words {
		for k := range words[i].more {
			all.Text, all.Known = all.Text+" "+words[i].more[k].Text, all.Known && words[i].more[k].Known
		}
		if i+1 < len(words) {
			next := &words[i+1]
			all.Text, all.Known = all.Text+" "+next.Text, all.Known && next.Known && !next.block
		}
	}
	return &all
}

// sources notes the file that a command runs.
func (p *psParser) sources(at int, file *psWord) {
	if at >= 0 {
		w, _ := p.file(file, false)
		p.a.Subcommands[at].Effects = append(p.a.Subcommands[at].Effects, shell.EffectsOf(shell.Source, &w, p.cwd)...)
	}
}

// text reads a PowerShell text inside this one; via is what runs it.
func (p *psParser) text(w *psWord, via string) {
	if !w.Known {
		p.doubt(analysis.DoubtProgramText, shell.HidesAll, "", w.Span.Start)
		return
	}
	if p.depth >= analysis.MaxRuns || !p.w.TakeText(len(w.Text)) {
		p.doubt(analysis.DoubtTooDeep, shell.HidesAll, "", w.Span.Start)
		return
	}
	span := p.place(w.Span)
	inner := psParser{
		w: p.w, a: p.a, cwd: p.cwd, levels: p.levels,
		s: w.Text, span: &span, depth: p.depth + 1, via: append(slices.Clip(p.via), via),
	}
	inner.read()
}
