package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// postfix reads what follows an operand: .Member, .Method( ), [index], ::Member.
func (p *psParser) postfix(v psWord, from int) psWord {
	if v.bare {
		v.bare = false
	} else {
		p.sets = append(p.sets, psTarget{member: "?"})
	}
	for p.i < len(p.s) {
		text := false
		switch {
		case p.at("["):
			p.index()
		case p.at("::"):
			p.i += 2
			p.member("?", v, from)
		case p.at(".") && psNamesMember(p.peek(1)):
			p.i++
			text = p.member("", v, from)
		case p.at("++", "--"):
			p.i += 2
			if n := len(p.sets); n > 0 {
				p.set(p.sets[n-1], nil)
			}
		default:
			return v
		}
		v = psHole(from, p.i)
		v.text = text
	}
	return v
}

// psNamesMember reports whether a byte after a point begins the name of a member.
func psNamesMember(c byte) bool {
	return psNameStart(c) || strings.IndexByte("$({'\"", c) >= 0
}

// psNameStart reports whether a byte may begin the name of a parameter or member.
func psNameStart(c byte) bool { return psName(c) && !digit(c) }

// target replaces what the operand that is read could assign to.
func (p *psParser) target(t psTarget) {
	if n := len(p.sets); n > 0 {
		p.sets[n-1] = t
	}
}

func (p *psParser) index() {
	p.i++
	if !p.enter() {
		return
	}
	sets := p.sets
	p.sets = nil
	p.blank(true)
	p.expression()
	p.sets = sets
	p.depth--
	if n := len(sets); n > 0 && sets[n-1].variable != "" && !shell.Listed(psHooks, sets[n-1].variable) {
		p.target(psTarget{member: "[]"})
	}
	if p.blank(true); p.peek(0) != ']' {
		p.broken("an unclosed index")
		return
	}
	p.i++
}

// member reads the name after . or ::, and the arguments of a call. kind is the
// type before ::, "" for a member of an object. What is not in the tables
// is code that may do anything. It reports whether the answer is a string.
func (p *psParser) member(kind string, of psWord, from int) (text bool) {
	name := ""
	switch c := p.peek(0); {
	case psName(c):
		at := p.i
		for psName(p.peek(0)) {
			p.i++
		}
		name = strings.ToLower(p.s[at:p.i])
	case strings.IndexByte("$'\"({", c) >= 0:
		sets := p.sets
		p.memberName()
		p.sets = sets
	}
	p.target(psTarget{member: name, static: kind != ""})
	called := p.peek(0) == '(' || p.peek(0) == '{'
	switch {
	case kind != "":
		spelled := kind + "::" + name
		p.target(psTarget{member: spelled, static: true})
		if !psStatic(kind, name) {
			p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "["+kind+"]::"+name, from)
		}
	case called && !p.harmless(name, of):
		p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "."+name+"()", from)
	case !called && name == "":
		p.doubt(analysis.DoubtPowerShell, shell.HidesNothing, "a property with an unknown name", from)
	}
	if called && p.peek(0) == '(' {
		first := p.arguments()
		if kind == "io.file" && strings.HasPrefix(name, "read") {
			p.listFile(first)
		}
	}
	return shell.Listed(psTextMembers, name)
}

// memberName reads the name of a member that is not written plainly.
func (p *psParser) memberName() {
	switch p.peek(0) {
	case '$':
		p.variable()
	case '(':
		p.paren()
	case '{':
		p.scriptBlock()
	default:
		p.quoted()
	}
}

// harmless reports whether calling a method by this name does nothing but make
// a value, whatever the object is, or on the string it is called on.
func (p *psParser) harmless(name string, of psWord) bool {
	switch name {
	case "foreach", "where": // with a script block, whose commands are listed
		i := p.i + 1
		for i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[i]) >= 0 {
			i++
		}
		return p.peek(0) == '{' || i < len(p.s) && p.s[i] == '{'
	case "":
		return false
	}
	return shell.Listed(psMethods, name) || of.text && shell.Listed(psTextMethods, name)
}

// arguments reads (expression, ...) and returns the first when it is the only one.
func (p *psParser) arguments() *psWord {
	p.i++
	if !p.enter() {
		return nil
	}
	sets := p.sets
	var only *psWord
	if p.blank(true); p.peek(0) != ')' {
		p.sets = nil
		v, whole := p.expression()
		if whole {
			only = &v
		}
	}
	p.sets = sets
	p.depth--
	if p.blank(true); p.peek(0) != ')' {
		p.broken("unterminated call arguments")
		return nil
	}
	p.i++
	return only
}
