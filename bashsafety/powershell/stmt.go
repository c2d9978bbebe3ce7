package powershell

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// compound reads a statement that begins with a keyword; false when the word is not
// one here and the cursor has not moved.
func (p *psParser) compound(word string) bool {
	from := p.i
	p.i += len(word)
	switch word {
	case "if":
		p.condition()
		p.body(false)
		p.elses()
	case "while":
		loop := p.loop(from)
		cond := p.conditionText()
		p.body(true)
		p.endLoop(loop, alwaysTrue(cond) || manyRounds(cond))
	case "for":
		loop := p.loop(from)
		p.loops++ // the step runs again and again
		head := p.conditionText()
		p.loops--
		p.body(true)
		p.endLoop(loop, endlessFor(head) || manyRounds(head))
	case "foreach":
		loop := p.loop(from)
		name, list := p.foreachHead()
		many := manyRange(p.s[from:p.i])
		p.rounds(list, func(w *psWord) {
			p.bind(name, *w)
			p.body(true)
		})
		p.endLoop(loop, many)
	case "do":
		loop := p.loop(from)
		p.body(true)
		if p.blank(true); p.keyword() == "while" || p.keyword() == "until" {
			until := p.keyword() == "until"
			p.i += len("while")
			cond := p.conditionText()
			p.endLoop(loop, !until && alwaysTrue(cond) || until && neverTrue(cond))
		}
	case "switch":
		p.switchStmt()
	case "try", "finally", "else", "data":
		p.tryStmt()
	case "catch", "trap": // where $_ is the error
		p.rounds(nil, func(*psWord) { p.item = nil; p.tryStmt() })
	case "function", "filter":
		p.function()
	case "param":
		p.params()
	case "begin", "process", "end", "clean", "dynamicparam":
		if p.blank(true); p.peek(0) != '{' {
			p.i = from
			return false
		}
		p.body(true)
	case "return", "throw", "exit", "break", "continue":
		if word != "continue" {
			p.leaves = append(p.leaves, from)
		}
		switch p.blank(false); {
		case p.statementEnds():
		case word == "break" || word == "continue":
			p.word() // a label
		default:
			p.stmt()
		}
	case "using":
		p.using(from)
	case "class", "enum", "workflow", "configuration":
		p.broken(word)
		p.i += len(p.s[p.i:]) - len(strings.TrimLeft(p.s[p.i:], " \t"))
		for !p.statementEnds() && p.peek(0) != '{' {
			p.i++
		}
		p.body(true)
	default:
		p.i = from
		return false
	}
	return true
}

// condition reads ( pipeline ).
func (p *psParser) condition() {
	if p.blank(true); p.peek(0) != '(' {
		p.broken("a missing condition")
		return
	}
	p.group(')')
}

// body reads { statements }.
func (p *psParser) body(again bool) {
	if p.blank(true); p.peek(0) != '{' {
		p.broken("a missing block")
		return
	}
	if again {
		p.loops++
	}
	p.group('}')
	if again {
		p.loops--
	}
}

// elses reads the elseif and else of an if.
func (p *psParser) elses() {
	for {
		at := p.i
		p.blank(true)
		switch p.keyword() {
		case "elseif":
			p.i += len("elseif")
			p.condition()
			p.body(false)
		case "else":
			p.i += len("else")
			p.body(false)
			return
		default:
			p.i = at
			return
		}
	}
}

// foreachHead reads ($x in pipeline).
func (p *psParser) foreachHead() (name string, list *psWord) {
	if p.blank(true); p.at("-") { // -parallel of a workflow
		p.broken("a foreach option")
		p.word()
		p.blank(true)
	}
	if p.peek(0) != '(' {
		p.broken("foreach without a list")
		return name, list
	}
	p.i++
	if p.blank(true); p.peek(0) == '$' && psName(p.peek(1)) {
		p.i++
		name = plainName(p.name())
	}
	if p.blank(true); p.keyword() == "in" {
		p.i += len("in")
	}
	if p.enter() {
		if p.blank(true); p.peek(0) != ')' {
			list = p.stmt()
		}
		if name != "" {
			p.set(psTarget{variable: name}, &psWord{Word: psHole(p.i, p.i).Word, kind: list.each()})
		}
		p.stmts(')')
		p.depth--
	}
	return name, list
}

// switchStmt reads switch -Regex (value) { pattern { statements } }.
func (p *psParser) switchStmt() {
	file, item := false, p.item
	p.item = nil // $_ is what is looked at
	defer func() { p.item = item }()
	for p.blank(true); p.at("-"); p.blank(true) {
		w := p.word()
		file = file || strings.HasPrefix("-file", strings.ToLower(w.Text)) && len(w.Text) > 1
	}
	switch {
	case p.peek(0) == '(':
		p.group(')')
	case file:
		w := p.argument()
		p.listFile(&w)
	default:
		p.broken("switch without a value")
		return
	}
	if p.blank(true); p.peek(0) != '{' {
		p.broken("switch without clauses")
		return
	}
	p.i++
	if !p.enter() {
		return
	}
	p.loops++
	for p.blank(true); p.i < len(p.s) && p.s[p.i] != '}'; p.blank(true) {
		if p.s[p.i] == ';' {
			p.i++
			continue
		}
		at := p.i
		p.argument()
		if p.blank(true); p.peek(0) == '{' {
			p.group('}')
		}
		if p.i == at {
			p.broken("a switch clause")
			p.i++
		}
	}
	p.loops--
	p.leave("an unterminated switch")
}

// leave ends what enter began, at what closes it.
func (p *psParser) leave(unterminated string) {
	p.depth--
	if p.i >= len(p.s) {
		p.broken(unterminated)
	}
	p.i = min(p.i+1, len(p.s))
}

// tryStmt reads the block of try, catch and the like; those that follow it are
// statements of their own.
func (p *psParser) tryStmt() {
	for p.blank(true); p.peek(0) == '['; p.blank(true) {
		p.typeName()
		if p.blank(true); p.peek(0) == ',' {
			p.i++
		}
	}
	p.body(false)
}

// function reads the name, the parameters and the body of a function. A name
// that something else has may turn what comes after it into something else.
func (p *psParser) function() {
	p.blank(true)
	from := p.i
	w := p.word()
	name := strings.ToLower(plainName(strings.ToLower(w.Text)))
	if !w.Known || w.Text == "" {
		p.doubt(analysis.DoubtPowerShell, shell.HidesAll, "a function name", from)
	}
	if p.dry {
		p.facts.funcs = append(p.facts.funcs, name)
	} else if e := commands.Find(name); cmdletOf(name) != nil || e.Known() {
		p.doubt(analysis.DoubtShadow, shell.HidesAll, name, from)
	}
	loop := p.loop(from)
	calls := p.facts.calls[name]
	_, others := p.facts.calls[shell.HoleMark]
	if others || shell.ContainsAny(strings.ToLower(p.s), "position", "parameterset", "remaining") { // words go elsewhere
		calls = nil
	}
	p.rounds(&psWord{list: calls}, func(call *psWord) {
		p.args, p.item = call.list, nil // what comes in later is not known
		if p.blank(true); p.peek(0) == '(' {
			p.params()
		} else if !shell.StartsWithAny(strings.TrimLeft(p.s[p.i:], "{ \t\r\n"), "param(", "param (") {
			p.args = nil
		}
		p.body(true)
	})
	p.endLoop(loop, p.callsItself(loop, name))
}

// params reads ([type]$name = value, ...) with its attributes.
func (p *psParser) params() {
	if p.blank(true); p.peek(0) != '(' {
		p.broken("missing parameters")
		return
	}
	p.i++
	args, typ := p.args, ""
	p.args = nil
	if !p.enter() {
		return
	}
	for p.blank(true); p.i < len(p.s) && p.s[p.i] != ')'; p.blank(true) {
		at := p.i
		switch c := p.s[p.i]; {
		case c == ',':
			p.i++
			typ = ""
		case c == '[':
			typ += p.attribute()
		case c == '$':
			p.i++
			name := plainName(p.name())
			p.set(psTarget{variable: name, typ: typ}, nil)
			if len(args) > 0 && typ != "switch" {
				w := args[0]
				w.kind = psTexts
				if args = args[1:]; typ == "" || kindOf(typ) == psTexts {
					p.bind(name, w)
				}
			}
			if p.blank(true); p.peek(0) == '=' {
				p.i++
				p.blank(true)
				p.element()
			}
		}
		if p.i == at {
			p.broken("a parameter")
			p.i++
		}
	}
	p.leave("unterminated parameters")
}

// called remembers the words that a command is given, for a function of that name: no call where one of them
// does not say what its parameters are.
func (p *psParser) called(c *psCommand) {
	name, call := plainName(strings.ToLower(c.words[0].Text)), psWord{list: []psWord{}}
	for _, w := range c.words[1:] {
		if call.with(&w); w.list != nil || w.bare && strings.HasPrefix(w.Text, "-") { // it is several, or a name
			call.list = nil
		}
	}
	if !c.words[0].Known {
		name = shell.HoleMark
	}
	calls, some := p.facts.calls[name]
	if p.facts.calls[name] = append(calls, call); call.list == nil || some && calls == nil {
		p.facts.calls[name] = nil
	}
}

// attribute reads [type] or [Attribute(arguments)], and returns the type; one whose name is not known
// may run code of its own.
func (p *psParser) attribute() string {
	from := p.i
	name := p.typeName()
	called := p.peek(0) == '('
	if !shell.Listed(psAttributes, name) && (called || !psType(name)) {
		p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "["+name+"]", from)
	}
	if !called {
		return name
	}
	args, _, _ := strings.Cut(p.s[p.i+1:], ")")
	if code := strings.NewReplacer("$true", "", "$false", "").Replace(args); strings.ContainsAny(code, "({$`") {
		p.arguments()
	} else { // names and constants
		p.i = min(p.i+len(args)+2, len(p.s))
	}
	if p.blank(true); p.peek(0) == ']' {
		p.i++
	}
	return ""
}

// using reads using namespace NAME; a module or an assembly brings code.
func (p *psParser) using(from int) {
	p.blank(false)
	if p.keyword() != "namespace" {
		p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "using", from)
	}
	for !p.statementEnds() {
		p.i++
	}
}

// runCmdlet lists a cmdlet with what it does.
func (p *psParser) runCmdlet(c *psCommand, cmd *cmdlet) {
	b := psCall{p: p, cmd: cmd, c: c}
	b.bind()
	sub := analysis.Subcommand{Program: psBase(c.words[0].Text), Argv: p.argv(c.words)}
	p.spellings(&sub, cmd)
	if shell.StartsWithAny(strings.ToLower(sub.Program), "curl", "wget") && unixOptions(c.words) {
		p.native(c) // the program of that name, which newer versions run
		return
	}
	at := p.add(c, sub)
	b.effects()
	if at >= 0 {
		p.a.Subcommands[at].Effects = b.all
		p.a.Subcommands[at].Launcher = b.launches
		p.a.Subcommands[at].PlainRemoval = b.plainRemoval()
		p.a.Subcommands[at].Unread = b.unread()
		p.a.Subcommands[at].ReadOnly = p.a.Subcommands[at].Unread == ""
	}
	p.flows(c, cmd, b.all)
}

// unixOptions reports whether a command has options that no cmdlet has.
func unixOptions(words []psWord) bool {
	return slices.ContainsFunc(words[1:], func(w psWord) bool {
		t := w.Text
		letter := len(t) == 2 && t[0] == '-'
		return letter || strings.HasPrefix(t, "--") || len(t) == 3 && strings.HasPrefix(t, "-s")
	})
}

// spellings adds the name of the cmdlet, for every rule, and its aliases, for
// deny and ask.
func (p *psParser) spellings(sub *analysis.Subcommand, cmd *cmdlet) {
	named := func(name string) []shell.Word {
		argv := append([]shell.Word(nil), sub.Argv...)
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
func (p *psParser) flows(c *psCommand, cmd *cmdlet, effects []shell.Effect) {
	switch cmd.name {
	case "Get-ChildItem", "Get-Item":
		c.flow.roots, c.flow.strings = nil, false
		c.flow.open = shell.ContainsAny(strings.ToLower(p.s), "-fol", "add-member") // links, another FullName
		for _, e := range effects {
			if e.Kind == shell.Read {
				c.flow.roots = append(c.flow.roots, e)
			}
		}
		if len(effects) == 0 && !c.flow.piped && p.listsHere(c, cmd) {
			here := shell.Literal(".", &c.words[0].Word)
			c.flow.roots = shell.EffectsOf(shell.Read, &here, p.cwd)
		}
	case "Where-Object", "Sort-Object", "Get-Unique":
	case "ForEach-Object": // it may make their names
		c.flow.open, c.flow.strings = true, false
	case "Select-Object":
		if slices.ContainsFunc(c.words[1:], func(w psWord) bool { return !selectsObjects(&w) }) {
			c.flow.open, c.flow.strings = true, false
		}
	default:
		c.flow.open, c.flow.roots = true, nil
		c.flow.strings = shell.Listed("Get-Content Out-String Split-Path Convert-Path Join-Path ConvertTo-Json ConvertTo-Csv", cmd.name)
	}
}

// selectsObjects reports whether a word of Select-Object only says which objects go on.
func selectsObjects(w *psWord) bool {
	const counts = "-first -last -skip -skiplast -unique -index"
	return w.bare && (shell.Number(w.Text) || shell.Listed(counts, strings.ToLower(w.Text)))
}

// listsHere reports whether a listing is one of the working directory: no word
// of it could be a folder.
func (p *psParser) listsHere(c *psCommand, cmd *cmdlet) bool {
	if cmd.name != "Get-ChildItem" {
		return len(c.words) == 1
	}
	return !slices.ContainsFunc(c.words[1:], func(w psWord) bool { return !w.Known || w.splat })
}

// plainRemoval reports whether a command is a Remove-Item of the files it names.
func (b *psCall) plainRemoval() bool {
	if b.cmd.does != psDeletes || b.c.flow.piped || len(b.c.outs) > 0 {
		return false
	}
	return !slices.ContainsFunc(b.given, func(g psGiven) bool {
		return !shell.Listed("Path LiteralPath Recurse Force ErrorAction Confirm Verbose", g.name) ||
			slices.ContainsFunc(g.words, func(w psWord) bool { return !w.Known })
	})
}
