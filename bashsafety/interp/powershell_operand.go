package interp

import "strings"

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
	case r == '$' && psVariable(p.peek(1)):
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
		p.broken("a missing value")
		if psName(p.peek(0)) || p.peek(0) == '&' { // this is run in no version that is known
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
		p.broken("an unclosed parenthesis")
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
			p.broken("a hashtable entry")
		}
		if p.i == at {
			p.i++
		}
	}
	if p.i >= len(p.s) {
		p.broken("an unterminated hashtable")
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
