package powershell

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
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

// number is the length of a number at the cursor, or 0 if none.
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

// operator returns the -operator at the cursor, or "" if none.
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
	v := p.expression()
	op := p.assignment()
	if op == "" {
		p.a.Computes = p.a.Computes || !p.dry
		return &v
	}
	targets := p.sets
	p.i += len(op)
	p.blank(true)
	right := p.stmt()
	if op == "+=" && right.each() == psTexts {
		right = &psWord{kind: psTexts}
	} else if op != "=" || len(targets) != 1 {
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

// expression reads operands and the operators between them.
func (p *psParser) expression() psWord { return p.operands(true) }

func (p *psParser) operands(commas bool) (v psWord) {
	text, signs, all := false, "", psWord{kind: psTexts, list: []psWord{}}
	for n := 0; ; n++ {
		unary := p.unaries()
		from := p.i
		v = p.operand()
		if unary {
			v = psHole(from, p.i)
		}
		if all.with(&v); v.list != nil { // a list in a list
			all.list = nil
		}
		if n > 0 {
			v = all.joined(signs, text, from, p.i)
		}
		text = text || n == 0 && v.kind == psTexts && v.Quoted
		p.blank(false)
		at := p.i
		switch op := p.operator(); {
		case op != "":
			p.i += len(op)
			signs += strings.ToLower(op)
			if strings.EqualFold(op[len(op)-2:], "as") && len(op) < 6 {
				p.blank(true)
				p.converts()
			}
		case p.assignment() != "":
			p.i = at
			return v
		case p.at("..", "??"):
			signs += "?"
			p.i += 2
		case p.at(",") && !commas:
			return v
		case p.at("+", "-", "*", "/", "%", ",", "?", ":"):
			signs += p.s[p.i : p.i+1]
			p.i++
		default:
			return v
		}
		p.blank(true)
	}
}

// converts looks at the type after -as, which makes a value of it.
func (p *psParser) converts() {
	from := p.i
	if p.peek(0) == '[' {
		ahead := psParser{w: p.w, a: p.a, cwd: p.cwd, levels: p.levels, s: p.s, i: p.i, dry: true}
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
	vars := len(p.vars)
	p.blank(true)
	v := psHole(from, p.i)
	if p.peek(0) == ')' {
		p.broken("nothing between parentheses")
	} else if known := p.stmt(); known != nil {
		v = *known
	}
	p.vars = p.vars[:vars]
	p.depth--
	if p.blank(true); p.peek(0) != ')' {
		p.broken("an unclosed parenthesis")
		return psHole(from, p.i)
	}
	if p.i++; !v.Known {
		v.Span = shell.Span{Start: from, End: p.i}
	}
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
	w.kind = psTexts
	return w
}

// atSign reads @( ), @{ }, a here-string or @name.
func (p *psParser) atSign() psWord {
	from := p.i
	next, _ := psNext(p)
	switch {
	case next == '(':
		p.i++
		all := p.group(')')
		all.Word = psHole(from, p.i).Word
		return all
	case next == '{':
		p.i++
		p.hashtable()
		w := psHole(from, p.i)
		w.kind = kindOf("hashtable")
		return w
	case psSingle(next) || psDouble(next):
		var t psText
		if p.hereString(&t) {
			w := t.word(from, p.i)
			w.kind = psTexts
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
	p.leave("an unterminated hashtable")
}

// scriptBlock reads { statements }, which may run at any time.
func (p *psParser) scriptBlock() psWord {
	from := p.i
	p.rounds(p.blocks, func(w *psWord) {
		p.item, p.blocks = w, nil
		p.loops++
		p.group('}')
		p.loops--
	})
	w := psHole(from, p.i)
	w.block = true
	return w
}

// profileName is the name of the file that runs in every PowerShell.
const profileName = "/Microsoft.PowerShell_profile.ps1"

// maxVars bounds the variables whose value is remembered.
const maxVars = 512

// plainName takes the scope off the name of a variable or function.
func plainName(name string) string {
	for _, scope := range [...]string{"global:", "script:", "local:", "private:", "variable:", "using:"} {
		if rest, ok := strings.CutPrefix(name, scope); ok {
			return rest
		}
	}
	return name
}

// variable reads a variable and returns what is known of its value.
func (p *psParser) variable() psWord {
	from := p.i
	p.i++
	name := plainName(p.name())
	p.seen = name
	w := psHole(from, p.i)
	if file := strings.Trim(p.s[from:p.i], "${}"); strings.ContainsAny(file, `/\`) { // what is in a file
		p.listFile(&psWord{Word: shell.Word{Text: file, Known: true, Single: true, Span: w.Span}})
	}
	switch name {
	case "true", "false", "null":
		w.Text, w.Known = "$"+name, true
	case "home", "env:userprofile", "env:home":
		if p.facts.sets[name] == 0 && !p.facts.byRef {
			w.folder = p.a.Env.Home
		}
	case "env:tmpdir", "env:temp", "env:tmp":
		if p.facts.sets[name] == 0 && p.keepsEnv() {
			w.folder = p.temporary(strings.Trim(p.s[from:p.i], "${}"))
		}
	case "pwd":
		w = p.location(w)
	case "profile": // the folder differs, the name does not
		if p.facts.sets[name] == 0 {
			w.partly = shell.HoleMark + profileName
		}
	case "_", "psitem":
		if p.item != nil && p.facts.sets["_"]+p.facts.sets["psitem"] == 0 && !p.facts.byRef {
			w = *p.item
			w.Span = shell.Span{Start: from, End: p.i}
		}
	default:
		drive, variable, ok := strings.Cut(name, ":")
		if ok && drive != "env" {
			p.doubt(analysis.DoubtPowerShell, shell.HidesAll, "a variable of the drive "+drive, from)
		}
		unset := p.facts.sets[name] == 0 && p.keepsEnv()
		variable = strings.ToUpper(variable)
		if ok && unset && shell.Among(shell.WindowsVariables, variable) && p.a.Env.Named != nil {
			w.folder = p.a.Env.Named(variable)
		}
		for i := range p.vars {
			if p.vars[i].name == name {
				w = p.vars[i].word
				w.Span = shell.Span{Start: from, End: p.i}
			}
		}
		sure := !p.dry && !p.facts.byRef && !p.facts.parts
		if n := p.facts.plain[name]; sure && n > 0 && n == p.facts.sets[name] {
			w.kind = psTexts
		}
	}
	if strings.HasPrefix(name, "env:") || name == "psscriptroot" && p.facts.sets[name] == 0 {
		w.kind = psTexts
	}
	return w
}

// keepsEnv reports whether nothing so far can have set a variable of the environment but by its
// name: what runs once runs after all that is written before it.
func (p *psParser) keepsEnv() bool {
	return !p.facts.byRef && !p.facts.env && (!p.facts.items || p.loops == 0)
}

// temporary is the folder that a variable of the environment names where that is one for temporary
// files, "" for others. Its name is exact where permgate knows such folders.
func (p *psParser) temporary(variable string) string {
	drive, name, _ := strings.Cut(variable, ":")
	switch named := p.a.Env.Named; {
	case !strings.EqualFold(drive, "env"):
		return ""
	case name == "TMPDIR":
		return p.a.Env.Temp
	case named != nil && (name == "TEMP" || name == "TMP"):
		return named(name)
	}
	return ""
}

// set follows an assignment. right is its value when that is one known string.
func (p *psParser) set(t psTarget, right *psWord) {
	kind := kindOf(t.typ)
	if t.typ == "" && right != nil {
		kind = right.kind
	}
	switch name := t.variable; {
	case t.static:
		if !shell.Listed(psSettable, t.member) {
			p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "an assignment to "+t.member, p.i)
		}
	case name == "":
		p.facts.parts = p.facts.parts || strings.HasPrefix(t.member, "[]")
		p.facts.assigns = p.facts.assigns || t.member != "[]"
		if shell.Listed(psTouching, t.member) {
			p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "an assignment to ."+t.member, p.i)
		}
	case p.dry:
		p.facts.sets[name]++
		if kind == psTexts {
			p.facts.plain[name]++
		}
	case shell.Listed(psHooks, name):
		p.doubt(analysis.DoubtShellVar, shell.HidesAll, "$"+name, p.i)
	case strings.HasPrefix(name, "env:"):
		name = strings.ToUpper(name[len("env:"):])
		if file := right == nil || !right.Known || strings.ContainsAny(right.Text, `/\`); file && strings.HasPrefix(name, "GIT_TRACE") {
			p.doubt(analysis.DoubtShellVar, shell.HidesAll, name, p.i)
		}
		p.setEnv(name)
	case strings.ContainsAny(name, `:/\`):
		p.doubt(analysis.DoubtShadow, shell.HidesAll, "$"+name, p.i)
	case right != nil:
		w := *right
		if w.kind = kind; t.typ != "" && (w.list != nil || kind != psTexts) { // it becomes another value
			w = psWord{Word: psHole(p.i, p.i).Word, kind: kind}
		}
		p.bind(name, w)
	}
}

// setEnv follows an assignment to a variable of the environment.
func (p *psParser) setEnv(name string) {
	p.facts.sets["env:"+strings.ToLower(name)]++
	if p.dry {
		return
	}
	if commands.RunsCode(name) {
		p.doubt(analysis.DoubtShellVar, shell.HidesAll, name, p.i)
	}
	if !commands.Inert(name) {
		p.w.AddBlocker(analysis.SetEarlier(name))
	}
}
