package interp

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

// forHead reads (init; condition; step).
func (p *psParser) forHead() {
	p.loops++ // the step runs again and again
	p.condition()
	p.loops--
}

// foreachHead reads ($x in pipeline).
func (p *psParser) foreachHead() {
	if p.blank(true); p.at("-") { // -parallel of a workflow
		p.broken("a foreach option")
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
			p.broken("a switch clause")
			p.i++
		}
	}
	p.loops--
	p.depth--
	if p.i >= len(p.s) {
		p.broken("an unterminated switch")
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
