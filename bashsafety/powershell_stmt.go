package bashsafety

import "strings"

// compound reads a statement that begins with a keyword; false when the word is
// none here and the cursor has not moved.
func (p *psParser) compound(word string) bool {
	from := p.i
	p.i += len(word)
	switch word {
	case "if":
		p.condition()
		p.body(false)
		p.elses()
	case "while":
		p.condition()
		p.body(true)
	case "for":
		p.forHead()
		p.body(true)
	case "foreach":
		p.foreachHead()
		p.body(true)
	case "do":
		p.body(true)
		if p.blank(true); p.keyword() == "while" || p.keyword() == "until" {
			p.i += len("while")
			p.condition()
		}
	case "switch":
		p.switchStmt()
	case "try", "finally", "else", "data", "catch", "trap":
		p.tryStmt()
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
		p.broken("a condition is missing")
		return
	}
	p.group(')')
}

// body reads { statements }.
func (p *psParser) body(again bool) {
	if p.blank(true); p.peek(0) != '{' {
		p.broken("a block is missing")
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

// forHead reads (init; condition; step).
func (p *psParser) forHead() {
	p.loops++ // the step runs again and again
	p.condition()
	p.loops--
}

// foreachHead reads ($x in pipeline).
func (p *psParser) foreachHead() {
	if p.blank(true); p.at("-") { // -parallel of a workflow
		p.broken("an option of foreach")
		p.word()
		p.blank(true)
	}
	if p.peek(0) != '(' {
		p.broken("foreach without a list")
		return
	}
	p.i++
	if p.blank(true); p.peek(0) == '$' && psName(p.peek(1)) {
		p.i++
		p.set(psTarget{variable: plainName(p.name())}, nil)
	}
	if p.blank(true); p.keyword() == "in" {
		p.i += len("in")
	}
	if p.enter() {
		p.stmts(')')
		p.depth--
	}
}

// switchStmt reads switch -Regex (value) { pattern { statements } }.
func (p *psParser) switchStmt() {
	file := false
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
			p.broken("a clause of switch")
			p.i++
		}
	}
	p.loops--
	p.depth--
	if p.i >= len(p.s) {
		p.broken("switch does not end")
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
		p.doubt(dPowerShell, HidesAll, "the name of a function", from)
	}
	if p.dry {
		p.facts.funcs = append(p.facts.funcs, name)
	} else if cmdletOf(name) != nil || find(name).family >= 0 {
		p.doubt(dShadow, HidesAll, name, from)
	}
	if p.blank(true); p.peek(0) == '(' {
		p.params()
	}
	p.body(true)
}

// params reads ([type]$name = value, ...) with its attributes.
func (p *psParser) params() {
	if p.blank(true); p.peek(0) != '(' {
		p.broken("parameters are missing")
		return
	}
	p.i++
	if !p.enter() {
		return
	}
	for p.blank(true); p.i < len(p.s) && p.s[p.i] != ')'; p.blank(true) {
		at := p.i
		switch c := p.s[p.i]; {
		case c == ',':
			p.i++
		case c == '[':
			p.attribute()
		case c == '$':
			p.i++
			p.set(psTarget{variable: plainName(p.name())}, nil)
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
	p.depth--
	if p.i >= len(p.s) {
		p.broken("the parameters do not end")
	}
	p.i = min(p.i+1, len(p.s))
}

// attribute reads [type] or [Attribute(arguments)]; one whose name is not known
// may run code of its own.
func (p *psParser) attribute() {
	from := p.i
	name := p.typeName()
	if p.peek(0) == '(' {
		if !listed(psAttributes, name) {
			p.doubt(dPowerShellCode, HidesAll, "["+name+"]", from)
		}
		p.arguments()
		p.blank(true)
		if p.peek(0) == ']' {
			p.i++
		}
		return
	}
	if !psType(name) && !listed(psAttributes, name) {
		p.doubt(dPowerShellCode, HidesAll, "["+name+"]", from)
	}
}

// using reads using namespace NAME; a module or an assembly brings code.
func (p *psParser) using(from int) {
	p.blank(false)
	if p.keyword() != "namespace" {
		p.doubt(dPowerShellCode, HidesAll, "using", from)
	}
	for !p.statementEnds() {
		p.i++
	}
}
