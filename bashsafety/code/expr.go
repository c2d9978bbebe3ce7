package code

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A kind says what is known of a value. Zero: nothing.
type kind uint8

const (
	aText   kind = iota + 1 // text
	aList                   // items, with keys where they are named; also the arguments of a call and a block
	aModule                 // what text names: os.path, child_process.exec
	builder                 // a command that is put together: Command::new("sh").arg("-c")
)

// A value is what an expression comes to, as far as it is spelled.
type value struct {
	kind  kind
	text  string // every hole in it is HoleMark, the name of a variable or nothing, and HoleMark
	items []value
	keys  []string // of items, "" for none; nil where none has one
	path  bool     // an object for a path: / joins, and methods write
	glob  bool     // a pattern of files
	tree  bool     // all that is below the path
	many  bool     // it is made of one of many, which a loop goes through
	env   bool     // all variables of the environment
	fetch bool     // what a server answered
	lisp  bool     // a list whose head is a function
}

func (v *value) known() bool { return v.kind == aText && !strings.Contains(v.text, shell.HoleMark) }

func hole(name string) value {
	return value{kind: aText, text: shell.HoleMark + name + shell.HoleMark}
}

// key is the value of a named item.
func (v *value) key(names string) *value {
	for i, k := range v.keys {
		if shell.Among(names, k) {
			return &v.items[i]
		}
	}
	return nil
}

// plain are the items without a name.
func (v *value) plain() (all []value) {
	for i := range v.items {
		if i >= len(v.keys) || v.keys[i] == "" {
			all = append(all, v.items[i])
		}
	}
	return all
}

// A parser reads expressions one after another, and notes what their calls do. It takes every operator for one of the
// same rank: only joins of text matter.
type parser struct {
	out    *Text
	lang   Lang
	tokens []token
	i      int
	depth  int
	again  bool // in a comprehension that is read a second time
	vars   map[string]value
	names  map[string]does // that were looked up
	star   string          // the module all of whose names were imported
	class  string          // the last class that began
}

// maxDepth bounds nested brackets and holes, maxHoles texts in texts.
const (
	maxDepth = 60
	maxHoles = 4
)

// lex reads the tokens of a text.
func (p *parser) lex(source string) []token {
	all, cut := tokens(p.lang, source)
	p.out.Cut = p.out.Cut || cut
	return all
}

// all reads the expressions of a hole; its value is the first.
func (p *parser) all() value {
	first := p.expr()
	for p.i < len(p.tokens) {
		start := p.i
		if v := p.expr(); v.env {
			first.env = true
		}
		p.i = max(p.i, start+1)
	}
	return first
}

// program reads all statements of a text.
func (p *parser) program(source string) {
	if p.lang.is(Lines | Octave) {
		p.lines(source)
	}
	p.tokens = p.lex(source)
	for p.i < len(p.tokens) {
		start := p.i
		if v := p.expr(); v.env && start == 0 && p.i == len(p.tokens) { // node -p process.env
			p.act(Tells)
		}
		if p.i == start { // what ends one
			p.i++
		}
	}
}

func (p *parser) peek() *token { return p.ahead(0) }

// ahead is the n-th token from here; at the end an empty one.
func (p *parser) ahead(n int) *token {
	if p.i+n < len(p.tokens) && p.i+n >= 0 {
		return &p.tokens[p.i+n]
	}
	return &token{kind: anEnd}
}

func (p *parser) is(text string) bool { return p.peek().text == text && p.peek().kind == text[0] }

// take goes past a token of punctuation if it comes next.
func (p *parser) take(text string) bool {
	if !p.is(text) {
		return false
	}
	p.i++
	return true
}

// expr reads an expression: values and what is between them.
func (p *parser) expr() value {
	left := p.primary()
	for p.i < len(p.tokens) {
		t := p.peek()
		op := t.text
		switch {
		case t.kind == '|' && op != "||" && p.lang.is(Awk): // "cmd" | getline, print | "cmd"
			p.i++
			p.runs(left)
			p.runs(p.primary())
			return value{}
		case alternative(t):
			p.i++
			right := p.primary()
			if open := left.kind == aText && !left.known(); left.kind == 0 || open && op == "||" {
				left = right
			}
			continue
		case t.kind == aString && left.kind == aText && p.lang.is(Python|C|Ruby|Awk):
			left = p.join(left, p.primary(), "")
			continue
		case ends(t):
			return left
		}
		p.i++
		right := p.primary()
		if op == "=" && left.kind == aModule {
			p.bind(left.text, right)
		}
		left = p.operate(op, left, right)
	}
	return left
}

// alternative reports an operator that has one of two values, or tests them.
func alternative(t *token) bool {
	if t.kind == aName {
		return shell.Among("or and if unless in is not mod xor as instanceof", t.text)
	}
	return t.text != "&" && strings.IndexByte("|&?", t.kind) >= 0
}

// ends reports whether an expression ends before a token.
func ends(t *token) bool {
	switch t.kind {
	case aName, aString, aWords, aCommand, aPattern, aNumber, anEnd, ',', ':', ';', '(', ')', '[', ']', '{', '}':
		return true
	}
	return t.text == "=>" || t.text == "->"
}

// operate is what an operator makes of two values: only joins of texts matter.
func (p *parser) operate(op string, left, right value) value {
	switch {
	case op == "=", op == "<-" && right.kind != 0: // the latter is of R
		return right
	case op == "+" && left.path && p.lang.is(Ruby): // of Pathname
		return p.join(left, right, "/")
	case shell.Among("+ . .. <> ^ & ++ ||", op):
		return p.join(left, right, "")
	case op == "/" && (left.kind == aText || right.path):
		left = p.join(left, right, "/")
		left.path = true
		return left
	case op == "%" && left.kind == aText:
		return p.format(left, right.several())
	}
	return value{fetch: left.fetch || right.fetch, many: left.several() || right.several()}
}

// several reports whether a value stands for many: what a pattern finds, or a loop goes through.
func (v *value) several() bool { return v.glob || v.tree || v.many }

// format makes holes of what % or format() fills.
func (p *parser) format(v value, many bool) value {
	if !p.out.spend(len(v.text)) {
		return hole("")
	}
	for _, verb := range [...]string{"%s", "%d", "%r", "{}", "{0}", "{1}"} {
		v.text = strings.ReplaceAll(v.text, verb, hole("").text)
	}
	v.many = v.many || many
	return v
}

// join puts two texts together.
func (p *parser) join(a, b value, between string) value {
	many := a.many || b.many
	switch {
	case a.kind == aList && b.kind == aList && between == "":
		if !p.out.spend((len(a.items) + len(b.items)) * itemSize) {
			return value{}
		}
		return value{kind: aList, items: append(a.items[:len(a.items):len(a.items)], b.items...)}
	case a.kind != aText && b.kind != aText:
		return value{fetch: a.fetch || b.fetch, many: many}
	case a.kind != aText:
		a = hole(a.text)
	case b.kind != aText:
		b = hole(b.text)
	}
	if between != "" && strings.HasPrefix(b.text, "/") && a.path {
		return b
	}
	if between != "" {
		a.text = strings.TrimSuffix(a.text, "/")
	}
	if both := len(a.text) + len(b.text); both > maxValue || !p.out.spend(both) {
		return hole("")
	}
	a.text += between + b.text
	a.glob, a.fetch, a.tree, a.many = a.glob || b.glob, a.fetch || b.fetch, a.tree || b.tree, many
	p.note(a.text)
	return a
}

// note keeps a text for those who look for paths, addresses and statements.
func (p *parser) note(text string) {
	switch {
	case text == "":
	case len(p.out.Strings) < 4*maxActs:
		p.out.Strings = append(p.out.Strings, word(text))
	default:
		p.out.Cut = true
	}
}

// primary reads one value and what is called on it.
func (p *parser) primary() value {
	if p.depth++; p.depth > maxDepth {
		p.out.Cut = true
		p.i++
		p.depth--
		return value{}
	}
	defer func() { p.depth-- }()
	t := p.peek()
	p.i++
	v := value{}
	switch t.kind {
	case aString:
		v = p.text(t)
	case aCommand:
		command := p.text(t)
		p.act(RunsShell, command)
		return p.postfix(value{})
	case aWords:
		v = value{kind: aList}
		for w := range strings.FieldsSeq(t.text) {
			v.items = append(v.items, value{kind: aText, text: w})
		}
	case aName:
		if p.keyword(t) || p.peek().kind == aName && shell.Among("async function sub fn func fun", t.text) {
			if _, known := p.vars[p.peek().text]; t.text == "lambda" && !known {
				p.bind(p.peek().text, value{many: true})
			}
			v = p.primary()
			if v.env && shell.Among(printers, t.text) {
				p.act(Tells)
			}
			return v
		}
		if shell.Among("for foreach", t.text) {
			p.forEach()
			return value{}
		}
		if p.imports(t) {
			return value{}
		}
		if t.text == "class" {
			p.class = p.peek().text
		}
		v = p.named(t)
	case aNumber:
		return value{text: t.text}
	case '(':
		v = p.group(")")
		if !p.lang.is(Lisp) && len(v.items) == 1 && v.keys == nil {
			v = v.items[0]
		} else if v.lisp = p.lang.is(Lisp); v.lisp {
			return p.lispCall(&v)
		}
	case '[':
		v = p.group("]")
	case '{':
		if v = p.group("}"); p.lang.is(JavaScript) && p.take("=") { // const {exec: e} = require("child_process")
			from := p.expr()
			for i := range v.items {
				if key := v.items[i].text; from.kind == aModule && v.items[i].kind == aModule {
					if i < len(v.keys) && v.keys[i] != "" {
						key = v.keys[i]
					}
					p.bind(v.items[i].text, value{kind: aModule, text: from.text + "." + key})
				}
			}
			return from
		}
	case '<':
		starts := func(n int) bool { return strings.IndexByte("*/", p.ahead(n).kind) >= 0 }
		if p.lang.is(Perl) && (starts(0) || p.peek().kind == aName && starts(1)) { // <*.o>, <a/*.o>
			return p.angle()
		}
		return p.primary()
	case '!', '-', '+', '*', '&', '@', '%', '$', '#', '.', ':', '|', '~', '\\', '^', '?':
		if t.text == "..." || t.text == "**" || t.kind != '.' {
			return p.primary()
		}
		if p.peek().kind == aName { // a method of what was before
			p.i--
			return p.postfix(value{})
		}
	default:
		if strings.IndexByte(")]}", t.kind) >= 0 || t.kind == anEnd || t.kind == ',' {
			p.i-- // of those around
		}
		return value{}
	}
	return p.postfix(v)
}

// text is the value of a string, whose holes are filled as far as that is spelled.
func (p *parser) text(t *token) value {
	if t.parts == nil {
		p.note(t.text)
		return value{kind: aText, text: t.text}
	}
	v, filled := value{kind: aText}, 0
	var b strings.Builder
	for _, part := range t.parts {
		if !part.code {
			b.WriteString(part.text)
			continue
		}
		in := value{}
		if p.depth < maxDepth-8 {
			inner := parser{out: p.out, lang: p.lang, vars: p.vars, names: p.names, depth: p.depth + maxDepth/maxHoles, again: p.again, star: p.star}
			inner.tokens = inner.lex(part.text)
			in = inner.all()
		} else {
			p.out.Cut = true
		}
		if in.env {
			p.act(Tells)
		}
		v.many = v.many || in.several()
		if v.fetch = v.fetch || in.fetch; in.kind != aText {
			in = hole(shell.Without("$@", part.text))
		} else if filled += len(in.text); filled > maxValue || !p.out.spend(len(in.text)) {
			in = hole("")
		}
		b.WriteString(in.text)
	}
	v.text = b.String()
	p.note(v.text)
	return v
}

// group reads what is in brackets, up to what closes them, item by item: arguments, a list, an object, a block.
func (p *parser) group(closer string) value {
	v := value{kind: aList}
	first := 0 // of what the last item does
	for p.i < len(p.tokens) && !p.take(closer) {
		start, acts := p.i, len(p.out.Acts)
		switch t := p.peek(); {
		case t.kind == ',' || t.kind == anEnd || t.text == "=>" || strings.IndexByte(")]}", t.kind) >= 0:
			p.i++
			continue
		case t.kind == ':' || t.kind == '=' || t.text == ":=":
			p.i++
			continue
		case t.kind == aName && shell.Among("for foreach", t.text) && len(v.items) > 0 && closer != "}":
			p.comprehension(start, first, &v)
			continue
		}
		key, named := p.keyed()
		item := p.expr()
		if first = acts; p.i == start {
			p.i++
		}
		if named && key == "env" { // a command is given it
			item.env = false
		}
		v.add(item, key, named)
	}
	return v
}

// add puts an item at the end of a list, under a key if it is named.
func (v *value) add(item value, key string, named bool) {
	if named {
		for len(v.keys) < len(v.items) {
			v.keys = append(v.keys, "")
		}
		v.keys = append(v.keys, key)
	}
	v.items = append(v.items, item)
	v.env, v.fetch, v.many = v.env || item.env, v.fetch || item.fetch, v.many || item.several()
}

// keyed goes past the name of an item: key: value, "key": value, key => value, key = value.
func (p *parser) keyed() (key string, ok bool) {
	t, next := p.peek(), p.ahead(1)
	if t.kind != aName && t.kind != aString || t.parts != nil {
		return "", false
	}
	switch next.text {
	case ":":
		ok = p.ahead(2).kind != ':'
	case "=>":
		ok = !p.lang.is(JavaScript | JVM)
	case "=":
		ok = p.lang.is(Python | R | CMake | JVM | ML)
	}
	if ok {
		p.i += 2
	}
	return t.text, ok
}

// comprehension reads [ ... for x in list ], whose item comes before the name in it is known: it is read again then.
// acts is how many were found before the item.
func (p *parser) comprehension(end, acts int, v *value) {
	p.i++
	found := len(p.out.Acts)
	p.forEach()
	if p.again || len(v.items) == 0 {
		return
	}
	p.out.Acts = append(p.out.Acts[:acts], p.out.Acts[found:]...)
	after := p.i
	start := end - 1 // of the item: back to the bracket or comma
	for depth := 0; start > 0 && end-start < maxHole; start-- {
		switch p.tokens[start].kind {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			depth--
		}
		if depth < 0 {
			break
		}
	}
	p.out.Cut = p.out.Cut || end-start >= maxHole
	p.again, p.i = true, start+1
	all := p.tokens
	p.tokens = all[:end]
	item := p.expr()
	v.items[len(v.items)-1], v.many = item, v.many || item.several()
	p.tokens, p.i, p.again = all, after, false
}

// forEach binds the name of a loop to one of what it goes through.
func (p *parser) forEach() {
	for p.is("(") || shell.Among(keywords, p.peek().text) && p.peek().kind == aName {
		p.i++
	}
	if p.lang.is(PHP) {
		list := p.primary()
		if p.peek().text == "as" {
			p.i++
		}
		if p.ahead(1).text == "=>" { // a key
			p.i += 2
		}
		p.bind(p.peek().text, p.element(&list))
		return
	}
	names := []string{}
	some := "a,"
	if p.lang.is(Python) { // i, (a, b) in
		some = "a,()[]"
	} else if p.lang.is(JavaScript) { // const {a, b} of
		some = "a,[]{}"
	}
	for strings.IndexByte(some, p.peek().kind) >= 0 && !shell.Among("in of", p.peek().text) {
		if p.peek().kind == aName {
			names = append(names, p.peek().text)
		}
		p.i++
	}
	if t := p.peek(); len(names) == 0 || !shell.Among("in of = : <- :=", t.text) && t.kind != '(' {
		return
	} else if t.kind != '(' {
		p.i++
	}
	list := p.expr()
	if list.env {
		p.act(Tells)
	}
	for i, name := range names {
		v := value{many: true}
		if last := len(names) - 1; i == last && i > 0 && list.tree { // root, dirs, files
			v = value{kind: aText, text: "*", glob: true}
		} else if i == last || i == 0 && list.tree {
			v = p.element(&list)
		}
		p.bind(name, v)
	}
}

// element is one of a list, all of which it stands for where they are names that a pattern finds.
func (p *parser) element(v *value) value {
	if v.kind == aText && (v.glob || v.tree) {
		return *v
	}
	if v.kind == aList && len(v.items) > 0 {
		return value{kind: aList, items: v.items, path: true, many: v.many}
	}
	return value{many: true}
}

// bind sets a variable.
func (p *parser) bind(name string, v value) {
	switch {
	case name == "" || p.lang == Lines:
	case len(p.vars) < 4*maxActs:
		p.vars[name] = v
	default:
		p.out.Cut = true
	}
}

// angle reads <*.o> of Perl.
func (p *parser) angle() value {
	text := ""
	for p.i < len(p.tokens) && p.peek().kind != anEnd && !p.is(">") && len(text) < maxHole {
		text += p.peek().text
		p.i++
	}
	p.take(">")
	return value{kind: aText, text: text, glob: true}
}

// word is a text as an argument or a path has it.
func word(text string) string {
	if !strings.Contains(text, shell.HoleMark) {
		return text
	}
	var b strings.Builder
	for n, part := range strings.Split(text, shell.HoleMark) {
		if n%2 == 0 {
			b.WriteString(part)
		} else {
			b.WriteString(shell.HoleMark)
		}
	}
	return b.String()
}

// shellText is a text as a shell gets it: what is not known is a variable.
func shellText(text string) string {
	if !strings.Contains(text, shell.HoleMark) {
		return text
	}
	var b strings.Builder
	for n, part := range strings.Split(text, shell.HoleMark) {
		switch {
		case n%2 == 0:
			b.WriteString(part)
		case shell.ValidName(part):
			b.WriteString("${" + part + "}")
		default:
			b.WriteString("${x}")
		}
	}
	return b.String()
}
