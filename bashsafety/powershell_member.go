package bashsafety

import "strings"

// postfix reads what follows an operand: .Member, .Method( ), [index], ::Member.
func (p *psParser) postfix(v psWord, from int) psWord {
	if v.bare {
		v.bare = false
	} else {
		p.sets = append(p.sets, psTarget{member: "?"})
	}
	for p.i < len(p.s) {
		next := p.peek(1)
		switch c := p.s[p.i]; {
		case c == '[':
			p.index()
			v = psHole(from, p.i)
		case c == ':' && next == ':':
			p.i += 2
			p.member("?", v, from)
			v = psHole(from, p.i)
		case c == '.' && (psName(next) && (next < '0' || next > '9') || next == '$' || next == '(' || next == '{' || next == '\'' || next == '"'):
			p.i++
			text := p.member("", v, from)
			v = psHole(from, p.i)
			v.text = text
		case c == '+' && next == '+' || c == '-' && next == '-':
			p.i += 2
			if n := len(p.sets); n > 0 {
				p.set(p.sets[n-1], nil)
			}
			v = psHole(from, p.i)
		default:
			return v
		}
	}
	return v
}

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
	if n := len(sets); n > 0 && sets[n-1].variable != "" && !listed(psHooks, sets[n-1].variable) {
		p.target(psTarget{member: "[]"})
	}
	if p.blank(true); p.peek(0) != ']' {
		p.broken("an index is not closed")
		return
	}
	p.i++
}

// member reads the name behind . or ::, and the arguments of a call. kind is the
// type in front of ::, "" for a member of an object. What is not in the tables
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
	case c == '$' || c == '\'' || c == '"' || c == '(' || c == '{':
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
			p.doubt(dPowerShellCode, HidesAll, "["+kind+"]::"+name, from)
		}
	case called && !p.harmless(name, of):
		p.doubt(dPowerShellCode, HidesAll, "."+name+"()", from)
	case !called && name == "":
		p.doubt(dPowerShell, HidesNothing, "a property whose name is not known", from)
	}
	if called && p.peek(0) == '(' {
		first := p.arguments()
		if kind == "io.file" && strings.HasPrefix(name, "read") {
			p.listFile(first)
		}
	}
	return listed(psTextMembers, name)
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
	return listed(psMethods, name) || of.text && listed(psTextMethods, name)
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
		p.broken("the arguments of a call do not end")
		return nil
	}
	p.i++
	return only
}

// typed reads [type], [type]::member or [type]operand.
func (p *psParser) typed() psWord {
	from := p.i
	name := p.typeName()
	if p.at("::") {
		p.sets = append(p.sets, psTarget{})
		p.i += 2
		p.member(name, psWord{}, from)
		v := psHole(from, p.i)
		v.bare = true
		return p.postfix(v, from)
	}
	p.blank(false)
	r, _ := p.rune()
	if !strings.ContainsRune("$([{@!", r) && !psSingle(r) && !psDouble(r) && p.number() == 0 && !(r == '-' && p.peek(1) != '-' && p.operator() == "") {
		v := psHole(from, p.i) // a type by itself
		v.bare = true
		p.sets = append(p.sets, psTarget{})
		return p.postfix(v, from)
	}
	if !psType(name) {
		p.doubt(dPowerShellCode, HidesAll, "["+name+"]", from)
	}
	if name == "ref" {
		p.facts.byRef = true
	}
	p.unaries()
	one := p.operand()
	v := psHole(from, p.i)
	v.text = name == "string"
	if n := len(p.sets); n > 0 && p.sets[n-1].variable != "" {
		p.facts.byRef = p.facts.byRef || name == "ref"
	}
	if one.Known && name == "string" {
		v = one
	}
	return v
}

// typeName reads [Name], in lower case and without System.; the cursor ends
// behind the bracket, or before the ( of an attribute.
func (p *psParser) typeName() string {
	p.i++
	from, open := p.i, 1
	for p.i < len(p.s) && open > 0 {
		switch c := p.s[p.i]; {
		case c == '[':
			open++
		case c == ']':
			open--
		case c == '(' && open == 1:
			return psTypeName(p.s[from:p.i])
		case !psName(c) && strings.IndexByte(".,+ `\t", c) < 0:
			p.broken("the name of a type")
			return "?"
		}
		p.i++
	}
	if open > 0 {
		p.broken("the name of a type does not end")
		return "?"
	}
	return psTypeName(p.s[from : p.i-1])
}

func psTypeName(s string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "system.")
}
