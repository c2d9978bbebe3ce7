package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

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
	if p.blank(true); p.peek(0) == '(' {
		p.params()
	}
	p.body(true)
}

// params reads ([type]$name = value, ...) with its attributes.
func (p *psParser) params() {
	if p.blank(true); p.peek(0) != '(' {
		p.broken("missing parameters")
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
		p.broken("unterminated parameters")
	}
	p.i = min(p.i+1, len(p.s))
}

// attribute reads [type] or [Attribute(arguments)]; one whose name is not known
// may run code of its own.
func (p *psParser) attribute() {
	from := p.i
	name := p.typeName()
	if p.peek(0) == '(' {
		if !shell.Listed(psAttributes, name) {
			p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "["+name+"]", from)
		}
		p.arguments()
		p.blank(true)
		if p.peek(0) == ']' {
			p.i++
		}
		return
	}
	if !psType(name) && !shell.Listed(psAttributes, name) {
		p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "["+name+"]", from)
	}
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
