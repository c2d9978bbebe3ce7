package bashsafety

import "strings"

// startsExpression reports whether a stage is an expression, not a command.
func (p *psParser) startsExpression() bool {
	r, n := p.rune()
	switch {
	case psSingle(r), psDouble(r), r == '$', r == '(', r == '[', r == '{', r == '!', r == ',', r == '+':
		return true
	case r == '@':
		return true
	case r == '-' || psDash(r):
		return p.operator() != "" || p.peek(n) == '(' || p.peek(n) == '$' || p.peek(n) == '-' || p.peek(n) >= '0' && p.peek(n) <= '9'
	case r == '.':
		return p.peek(1) >= '0' && p.peek(1) <= '9'
	}
	return p.number() > 0
}

// number is the length of a number at the cursor, 0 where there is none.
func (p *psParser) number() int {
	n := 0
	if p.peek(0) == '0' && p.peek(1)|0x20 == 'x' {
		for n = 2; p.peek(n) >= '0' && p.peek(n) <= '9' || p.peek(n)|0x20 >= 'a' && p.peek(n)|0x20 <= 'f'; n++ {
		}
	} else {
		for p.peek(n) >= '0' && p.peek(n) <= '9' || p.peek(n) == '.' && p.peek(n+1) != '.' && n > 0 && p.peek(n-1) != '.' {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	for _, suffix := range [...]string{"kb", "mb", "gb", "tb", "pb", "l", "d"} {
		if strings.HasPrefix(strings.ToLower(p.s[p.i+n:min(len(p.s), p.i+n+2)]), suffix) {
			n += len(suffix)
			break
		}
	}
	if c := p.peek(n); c != 0 && strings.IndexByte(" \t\r\n;|&(){}[],+-*/%.=<>!#:?", c) < 0 {
		return 0
	}
	return n
}

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
	name := strings.ToLower(p.s[p.i+from : p.i+n])
	if c := p.peek(n); c != 0 && psName(c) || c == ':' {
		return ""
	}
	if listed(psOperators, name) || len(name) > 1 && (name[0] == 'i' || name[0] == 'c') && listed(psCased, name[1:]) {
		return p.s[p.i : p.i+n]
	}
	return ""
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

// converts looks at the type behind -as, which makes a value of it.
func (p *psParser) converts() {
	from := p.i
	if p.peek(0) == '[' {
		ahead := psParser{w: p.w, st: p.st, s: p.s, i: p.i, dry: true}
		if psType(ahead.typeName()) {
			return
		}
	}
	p.doubt(dPowerShellCode, HidesAll, "-as", from)
}

// unaries skips the operators in front of an operand.
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

// operand reads one operand with its members, elements and calls.
func (p *psParser) operand() psWord {
	if !p.enter() {
		return psHole(p.i, p.i)
	}
	defer func() { p.depth-- }()
	from := p.i
	r, n := p.rune()
	switch {
	case r == '[':
		return p.typed()
	case r == '$' && p.peek(1) == '(':
		p.i++
		p.group(')')
	case r == '$' && (p.peek(1) == '{' || p.peek(1) == '$' || p.peek(1) == '?' || p.peek(1) == '^' || psName(p.peek(1))):
		v := p.variable()
		p.sets = append(p.sets, psTarget{variable: p.seen})
		v.bare = true
		return p.postfix(v, from)
	case psSingle(r) || psDouble(r):
		return p.postfix(p.quoted(), from)
	case r == '(':
		return p.postfix(p.paren(), from)
	case r == '{':
		w := p.scriptBlock()
		return p.postfix(w, from)
	case r == '@' && n == 1:
		return p.postfix(p.atSign(), from)
	case p.number() > 0:
		n := p.number()
		p.i += n
		w := psHole(from, p.i)
		w.Text, w.Known = p.s[from:p.i], true
		return p.postfix(w, from)
	default:
		p.broken("a value is missing")
		if psName(p.peek(0)) || p.peek(0) == '&' { // what stands here is run in no version that is known
			p.command(&psFlow{})
		}
		return psHole(from, p.i)
	}
	return p.postfix(psHole(from, p.i), from)
}

// paren reads ( pipeline ); its value is known when that is one string.
func (p *psParser) paren() psWord {
	from := p.i
	p.i++
	if !p.enter() {
		return psHole(from, p.i)
	}
	p.blank(true)
	v := psHole(from, p.i)
	if p.peek(0) == ')' {
		p.broken("nothing between parentheses")
	} else if known := p.stmt(); known != nil {
		v = *known
	}
	p.depth--
	if p.blank(true); p.peek(0) != ')' {
		p.broken("a parenthesis is not closed")
		return psHole(from, p.i)
	}
	p.i++
	return v
}

// quoted reads a string.
func (p *psParser) quoted() psWord {
	var t psText
	from := p.i
	if r, _ := p.rune(); psSingle(r) {
		p.single(&t)
	} else {
		p.double(&t)
	}
	w := t.word(from, p.i)
	w.text = true
	return w
}

// atSign reads @( ), @{ }, a here-string or @name.
func (p *psParser) atSign() psWord {
	from := p.i
	next, _ := psNext(p)
	switch {
	case next == '(':
		p.i++
		p.group(')')
	case next == '{':
		p.i++
		p.hashtable()
	case psSingle(next) || psDouble(next):
		var t psText
		if p.hereString(&t) {
			w := t.word(from, p.i)
			w.text = true
			return w
		}
		p.broken("a here-string")
		p.i = max(p.i, from+1)
	default:
		p.i++
		p.name()
		w := psHole(from, p.i)
		w.Single, w.splat = false, true
		return w
	}
	return psHole(from, p.i)
}

func psNext(p *psParser) (rune, int) {
	q := psParser{s: p.s, i: p.i + 1}
	return q.rune()
}

// hashtable reads { key = statement; ... }.
func (p *psParser) hashtable() {
	p.i++
	if !p.enter() {
		return
	}
	defer func() { p.depth-- }()
	for p.blank(true); p.i < len(p.s) && p.s[p.i] != '}'; p.blank(true) {
		at := p.i
		switch c := p.s[p.i]; {
		case c == ';':
			p.i++
			continue
		case psName(c) || c == '-':
			for p.i < len(p.s) && strings.IndexByte(" \t\r\n=;}{)(", p.s[p.i]) < 0 {
				p.i++
			}
		default:
			p.operand()
		}
		if p.blank(true); p.peek(0) == '=' {
			p.i++
			p.blank(true)
			p.stmt()
		} else {
			p.broken("an entry of a hashtable")
		}
		if p.i == at {
			p.i++
		}
	}
	if p.i >= len(p.s) {
		p.broken("a hashtable does not end")
	}
	p.i = min(p.i+1, len(p.s))
}

// scriptBlock reads { statements }, which may run at any time.
func (p *psParser) scriptBlock() psWord {
	from := p.i
	p.loops++
	p.group('}')
	p.loops--
	w := psHole(from, p.i)
	w.block = true
	return w
}
