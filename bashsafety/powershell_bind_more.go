package bashsafety

import "strings"

// fetches is what talks to a URL.
func (b *psCall) fetches() {
	for _, w := range b.values("Uri Source") {
		b.all = append(b.all, Effect{Kind: Network, Path: w.Text, Known: w.Known, Span: b.p.place(w.Span)})
	}
	for _, w := range b.values("OutFile Destination") {
		b.touch(Write, &w, false)
	}
	for _, w := range b.values("InFile") {
		b.touch(Read, &w, false)
	}
}

// starts is Start-Process: the program and its arguments are a command.
func (b *psCall) starts() {
	program := b.values("FilePath")
	if len(program) == 0 || !program[0].Known {
		b.p.doubt(dDynamic, HidesAll, "", b.c.span.Start)
		return
	}
	inner := psCommand{words: program[:1:1], span: b.c.span, flow: &psFlow{}}
	for _, w := range b.values("ArgumentList") {
		if !w.Known || !strings.ContainsAny(w.Text, " \t") {
			inner.words = append(inner.words, w)
			continue
		}
		for word := range strings.FieldsSeq(w.Text) { // the program is given one line
			part := w
			part.Text = strings.Trim(word, `"`)
			inner.words = append(inner.words, part)
		}
	}
	for i := range inner.words {
		inner.words[i].more = nil
	}
	b.launches = true
	if b.p.enter() {
		via := b.p.via
		b.p.via = append(via[:len(via):len(via)], "Start-Process")
		b.p.native(&inner)
		b.p.via = via
		b.p.depth--
	}
}

// builds is New-Object: types outside the table are code.
func (b *psCall) builds() {
	name := b.values("TypeName")
	for i := range b.given {
		if strings.HasPrefix("comobject", strings.ToLower(b.given[i].name)) && b.given[i].name != "" {
			name = nil
		}
	}
	if len(name) > 0 && name[0].Known {
		kind := psTypeName(name[0].Text)
		if listed("psobject object pscustomobject management.automation.psobject", kind) || psType(kind) || psStatic(kind, "new") {
			return
		}
	}
	b.p.doubt(dPowerShellCode, HidesAll, "New-Object", b.c.span.Start)
}

// each is ForEach-Object: a word where a block could be is the name of a
// property, or of a method that is called.
func (b *psCall) each() {
	for i := range b.given {
		g := &b.given[i]
		for k := range g.words {
			w := &g.words[k]
			method := g.name == "MemberName" || g.name == "Process" || g.name == psExtra || g.name == ""
			if w.block || !method || w.Known && (listed(psTextMembers, strings.ToLower(w.Text)) || listed(psProperties, strings.ToLower(w.Text)) || number(w.Text)) {
				continue
			}
			b.p.doubt(dPowerShellCode, HidesAll, "ForEach-Object "+strings.ReplaceAll(w.Text, HoleMark, "..."), b.c.span.Start)
			return
		}
	}
}

// psProperties are what ForEach-Object may be given by name.
const psProperties = "count length id value values keys matches groups definition displayname status version path parent directory root mode lastwritetime " +
	"processname handles state title number url file sum average"

// runCmdlet lists a cmdlet with what it does.
func (p *psParser) runCmdlet(c *psCommand, cmd *cmdlet) {
	b := psCall{p: p, cmd: cmd, c: c}
	b.bind()
	sub := Subcommand{Program: psBase(c.words[0].Text), Argv: p.argv(c.words)}
	p.spellings(&sub, cmd)
	if strings.HasPrefix(strings.ToLower(sub.Program), "curl") || strings.HasPrefix(strings.ToLower(sub.Program), "wget") {
		if unixOptions(c.words) {
			p.native(c) // the program of that name, which newer versions run
			return
		}
	}
	at := p.add(c, sub)
	b.effects()
	if at >= 0 {
		p.w.s.Subcommands[at].Effects = b.all
		p.w.s.Subcommands[at].Launcher = b.launches
		p.w.s.Subcommands[at].removes = b.plainRemoval()
	}
	p.flows(c, cmd, b.all)
}

// unixOptions reports whether a command has options that no cmdlet has.
func unixOptions(words []psWord) bool {
	for i := range words[1:] {
		t := words[i+1].Text
		if strings.HasPrefix(t, "--") || len(t) == 2 && t[0] == '-' || len(t) == 3 && t[0] == '-' && t[1] == 's' {
			return true
		}
	}
	return false
}

// spellings adds the name of the cmdlet, for every rule, and its aliases, for
// deny and ask.
func (p *psParser) spellings(sub *Subcommand, cmd *cmdlet) {
	named := func(name string) []Word {
		argv := append([]Word(nil), sub.Argv...)
		argv[0].Text = name
		return argv
	}
	if sub.Argv[0].Text != cmd.name {
		sub.Same = append(sub.Same, named(cmd.name))
	}
	for alias := range strings.FieldsSeq(cmd.aliases) {
		if !strings.EqualFold(alias, sub.Argv[0].Text) {
			sub.Alt = append(sub.Alt, named(alias))
		}
	}
}

// flows follows where the objects of a pipeline come from.
func (p *psParser) flows(c *psCommand, cmd *cmdlet, effects []Effect) {
	switch cmd.name {
	case "Get-ChildItem", "Get-Item":
		c.flow.open, c.flow.roots = false, nil
		for _, e := range effects {
			if e.Kind == Read {
				c.flow.roots = append(c.flow.roots, e)
			}
		}
		if len(effects) == 0 && !c.flow.piped && len(c.words) == 1 || cmd.name == "Get-ChildItem" && len(effects) == 0 && !c.flow.piped && p.plainOptions(c) {
			here := literal(".", &c.words[0].Word)
			c.flow.roots = effectsOf(Read, &here, &p.st.cwd)
		}
	case "Where-Object", "Sort-Object", "Get-Unique":
	case "Select-Object":
		for i := range c.words[1:] {
			w := &c.words[i+1]
			c.flow.open = c.flow.open || !(w.bare && (number(w.Text) || listed("-first -last -skip -skiplast -unique -index", strings.ToLower(w.Text))))
		}
	default:
		c.flow.open, c.flow.roots = true, nil
	}
}

// plainOptions reports whether a listing has no word that could be a folder.
func (p *psParser) plainOptions(c *psCommand) bool {
	for i := range c.words[1:] {
		if w := &c.words[i+1]; !w.Known || w.splat {
			return false
		}
	}
	return true
}

// plainRemoval reports whether a command is a Remove-Item of the files it names.
func (b *psCall) plainRemoval() bool {
	if b.cmd.does != psDeletes || b.c.flow.piped || len(b.c.outs) > 0 {
		return false
	}
	for i := range b.given {
		if !listed("Path LiteralPath Recurse Force ErrorAction Confirm Verbose", b.given[i].name) {
			return false
		}
		for k := range b.given[i].words {
			if !b.given[i].words[k].Known {
				return false
			}
		}
	}
	return true
}
