package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// startsExpression reports whether a stage is an expression, not a command.
func (p *psParser) startsExpression() bool {
	r, n := p.rune()
	switch {
	case psQuote(r), r < 0x80 && strings.IndexByte("$([{!,+@", byte(r)) >= 0:
		return true
	case r == '-', psDash(r):
		next := p.peek(n)
		return p.operator() != "" || digit(next) || strings.IndexByte("($-", next) >= 0
	case r == '.':
		return digit(p.peek(1))
	}
	return p.number() > 0
}

// number is the length of a number at the cursor, 0 where there is none.
func (p *psParser) number() int {
	n := p.digits()
	if n == 0 {
		return 0
	}
	end := strings.ToLower(p.s[p.i+n : min(len(p.s), p.i+n+2)])
	for _, suffix := range [...]string{"kb", "mb", "gb", "tb", "pb", "l", "d"} {
		if strings.HasPrefix(end, suffix) {
			n += len(suffix)
			break
		}
	}
	if c := p.peek(n); c != 0 && strings.IndexByte(" \t\r\n;|&(){}[],+-*/%.=<>!#:?", c) < 0 {
		return 0
	}
	return n
}

// digits is the length of the digits at the cursor, those of 0x1F and 1.5 too.
func (p *psParser) digits() (n int) {
	if p.peek(0) == '0' && p.peek(1)|0x20 == 'x' {
		for n = 2; hexDigit(p.peek(n)); n++ {
		}
		return n
	}
	for digit(p.peek(n)) || n > 0 && p.decimalPoint(n) {
		n++
	}
	return n
}

// decimalPoint reports whether there is a point that is no part of a .. range.
func (p *psParser) decimalPoint(n int) bool {
	return p.peek(n) == '.' && p.peek(n+1) != '.' && p.peek(n-1) != '.'
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func hexDigit(c byte) bool { return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// operator returns the -operator at the cursor, "" where there is none.
func (p *psParser) operator() string {
	r, n := p.rune()
	if r != '-' && !psDash(r) {
		return ""
	}
	from := n
	for p.peek(n)|0x20 >= 'a' && p.peek(n)|0x20 <= 'z' {
		n++
	}
	if c := p.peek(n); c != 0 && psName(c) || c == ':' {
		return ""
	}
	if psOperator(strings.ToLower(p.s[p.i+from : p.i+n])) {
		return p.s[p.i : p.i+n]
	}
	return ""
}

func psOperator(name string) bool {
	if shell.Listed(psOperators, name) {
		return true
	}
	return len(name) > 1 && (name[0] == 'i' || name[0] == 'c') && shell.Listed(psCased, name[1:])
}

// The operators that are words; the second list may have i or c in front.
const (
	psOperators = "not bnot and or xor band bor bxor shl shr f is isnot as join split " + psCased
	psCased     = "eq ne gt ge lt le like notlike match notmatch contains notcontains in notin replace split"
)

// value reads an expression, or an assignment.
func (p *psParser) value() *psWord {
	p.sets = nil
	v, whole := p.expression()
	op := p.assignment()
	if op == "" {
		if whole && v.Known {
			return &v
		}
		return nil
	}
	targets := p.sets
	p.i += len(op)
	p.blank(true)
	right := p.stmt()
	if op != "=" || len(targets) != 1 {
		right = nil
	}
	for _, t := range targets {
		p.set(t, right)
	}
	return nil
}

// assignment returns the assignment operator at the cursor.
func (p *psParser) assignment() string {
	p.blank(false)
	for _, op := range [...]string{"=", "+=", "-=", "*=", "/=", "%=", "??="} {
		if p.at(op) {
			return op
		}
	}
	return ""
}

// element reads an expression without commas at its top: the value of a parameter.
func (p *psParser) element() { p.operands(false) }

// expression reads operands and the operators between them. whole is set when
// there is one operand and nothing else.
func (p *psParser) expression() (v psWord, whole bool) { return p.operands(true) }

func (p *psParser) operands(commas bool) (v psWord, whole bool) {
	for n := 0; ; n++ {
		unary := p.unaries()
		from := p.i
		one := p.operand()
		if v, whole = one, n == 0 && !unary; !whole {
			v = psHole(from, p.i)
		}
		p.blank(false)
		at := p.i
		switch op := p.operator(); {
		case op != "":
			p.i += len(op)
			if strings.EqualFold(op[len(op)-2:], "as") && len(op) < 6 {
				p.blank(true)
				p.converts()
			}
		case p.assignment() != "":
			p.i = at
			return v, whole
		case p.at("..", "??"):
			p.i += 2
		case p.at(",") && !commas:
			return v, whole
		case p.at("+", "-", "*", "/", "%", ",", "?", ":"):
			p.i++
		default:
			return v, whole
		}
		p.blank(true)
	}
}

// converts looks at the type after -as, which makes a value of it.
func (p *psParser) converts() {
	from := p.i
	if p.peek(0) == '[' {
		ahead := psParser{w: p.w, st: p.st, s: p.s, i: p.i, dry: true}
		if psType(ahead.typeName()) {
			return
		}
	}
	p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "-as", from)
}

// unaries skips the operators before an operand.
func (p *psParser) unaries() (any bool) {
	for ; ; any = true {
		switch op := p.operator(); {
		case op != "":
			p.i += len(op)
		case p.at("++", "--"):
			p.i += 2
			p.facts.byRef = true // what is counted is not followed
		case p.at("!", "+", "-", ","):
			p.i++
		default:
			return any
		}
		p.blank(true)
	}
}
