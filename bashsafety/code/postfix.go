package code

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// named reads what a name stands for: a variable, or a module or function of that name. An assignment sets it.
func (p *parser) named(t *token) value {
	at := 0
	typed := p.is(":") && p.ahead(1).kind == aName && p.ahead(2).text == "=" // x: str = "a"
	if typed && p.lang.is(Python|JavaScript|JVM) {
		at = 2
	}
	if op := p.ahead(at).text; shell.Among("= := ||= += .=", op) || op == "<-" && p.lang.is(R) {
		p.i += at + 1
		v := p.expr()
		if op == "+=" || op == ".=" {
			v = p.join(p.vars[t.text], v, "")
		}
		p.bind(t.text, v)
		if p.class != "" {
			p.bind(p.class+"."+t.text, v)
		}
		return v
	}
	if v, ok := p.vars[t.text]; ok && t.text != "" {
		return v
	}
	if shell.Among("ENV %ENV $_ENV $ENV", t.text) && p.lang.is(Ruby|Perl|PHP) {
		p.mention(t.text)
		return value{kind: aModule, text: t.text, env: true}
	}
	return value{kind: aModule, text: t.text}
}

// mention keeps a name that is called or spoken of.
func (p *parser) mention(name string) {
	if len(p.out.Names) < 8*maxActs {
		p.out.Names = append(p.out.Names, name)
	} else {
		p.out.Cut = true
	}
}

// postfix reads members, calls and subscripts of a value.
func (p *parser) postfix(v value) value {
	if p.lang.is(Lisp|CMake) && (p.lang.is(Lisp) || !p.is("(")) {
		return v
	}
	for p.i < len(p.tokens) {
		t, next := p.peek(), p.ahead(1)
		if v.kind == aModule && shell.Among("sys.argv process.argv ARGV @ARGV $ARGV argv $argv Bun.argv", v.text) {
			v = value{kind: aList, items: p.out.args}
		}
		member := p.beginsMember(t)
		switch {
		case member && next.kind == '!' && v.kind != 0: // Scala's "rm x".!
			p.i += 2
			p.runs(v)
			return value{}
		case member && next.kind == aName:
			p.i += 2
			v = p.member(v, next.text)
		case member && strings.IndexByte("([{\"", next.kind) >= 0:
			p.i++ // a?.[0], a->{x}, .("x")
		case t.kind == '(':
			p.i++
			v = p.called(v)
		case p.beginsSubscript(t):
			p.i++
			v = p.subscript(v, p.group(shell.Closing(t.text)))
		case t.kind == '!' && p.lang.is(Rust) && next.kind == '(':
			p.i++
		case t.text == "!" && t.space && p.lang.is(JVM) && v.kind != aModule: // and "rm x" !
			p.i++
			p.runs(v)
		case t.kind == aString && v.kind == aModule && p.lang.is(JavaScript): // a template with a tag
			p.i++
			v = p.call(v.text, nil, &value{kind: aList, items: []value{p.text(t)}})
		case v.kind == aModule && p.lang.is(bareCalls) && p.beginsArgument(v.text):
			return p.call(v.text, nil, p.bareArguments())
		default:
			return p.finish(v)
		}
	}
	return p.finish(v)
}

// beginsMember reports whether a token leads to a field or method.
func (p *parser) beginsMember(t *token) bool {
	switch t.text {
	case "?.", "::", "->":
		return true
	case ".":
		return !p.lang.is(Perl | PHP)
	case "$":
		return p.lang.is(R)
	case ":":
		return p.lang.is(Lua) && p.ahead(2).kind == '('
	}
	return false
}

// beginsSubscript reports whether a token begins one; after a blank it may be an argument.
func (p *parser) beginsSubscript(t *token) bool {
	if t.space && p.lang.is(bareCalls) {
		return false
	}
	return t.kind == '[' || t.kind == '{' && p.lang.is(Perl)
}

// finish is a value of which nothing more is called.
func (p *parser) finish(v value) value {
	if v.kind == aModule {
		p.mention(v.text)
		if home(v.text) {
			return value{kind: aText, text: "~", path: true}
		}
		if v.text == "process.env" || v.text == "os.environ" || v.text == "import.meta.env" || v.text == "Bun.env" {
			v.env = true
		}
	}
	if v.kind == builder {
		p.runs(value{kind: aList, items: v.items})
	}
	return v
}

// held is the text that was last set for an attribute of the same name, or of the class, as by self.c = "a" or
// class A: c = "a".
func (p *parser) held(name string) value {
	v, ok := p.vars[name]
	if rest, own := strings.CutPrefix(name, "self."); own && !ok {
		v = p.vars[p.class+"."+rest]
	}
	if v.kind != aText || strings.IndexByte(name, '.') < 0 {
		return value{}
	}
	return v
}

// filled are arguments, and those of lists in them, with what is held for their names; it reports whether there is any.
func (p *parser) filled(list *value, depth int) (value, bool) {
	all, found := *list, false
	for i := range list.items {
		var v value
		some := false
		if in := &list.items[i]; in.kind == aList && depth > 0 {
			v, some = p.filled(in, depth-1)
		} else if in.kind == aModule && p.out.spend(1) {
			v = p.held(in.text)
			some = v.kind != 0
		}
		if !some || !found && !p.out.spend(len(all.items)*itemSize) {
			continue
		}
		if !found {
			all.items, found = slices.Clone(all.items), true
		}
		all.items[i] = v
	}
	return all, found
}

// home reports whether a name is that of the home.
func home(name string) bool {
	return shell.Among("process.env.HOME process.env.USERPROFILE Bun.env.HOME Dir.home", name)
}

// member is a field or method of a value, a function or module where that is called next.
func (p *parser) member(v value, name string) value {
	if p.is("(") || v.kind == aModule && (p.is("{") || p.peek().text == "do") {
		p.bindCallback(&v, name)
	}
	switch {
	case v.kind == aModule && v.env && !p.is("(") && !p.lang.is(Ruby): // process.env.HOME
		if name == "HOME" || name == "USERPROFILE" {
			return value{kind: aText, text: "~", path: true}
		}
		return hole(name)
	case v.kind == aModule:
		v.env = shell.Among("env environ", name) && shell.Among("process os Bun", v.text)
		if v.text += "." + name; p.lang.is(Ruby) && !p.is("(") && strings.HasPrefix(v.text, "ENV.") {
			return p.call(v.text, nil, &value{})
		}
		return v
	}
	if held := v.key(name); held != nil {
		return *held
	}
	if p.is("(") || p.lang.is(Ruby) || name == "execute" {
		return p.method(v, name)
	}
	if shell.Among("parent parents name stem suffix length", name) {
		return value{many: v.several()}
	}
	return v
}

// method calls one on a value.
func (p *parser) method(v value, name string) value {
	args := value{kind: aList}
	if p.is("(") {
		p.i++
		args = p.group(")")
	} else if p.lang.is(bareCalls) && p.beginsArgument("."+name) {
		args = *p.bareArguments()
	}
	if p.is("{") || p.peek().text == "do" {
		p.bindCallback(&v, name)
	}
	return p.call("."+name, &v, &args)
}

// bindCallback binds the parameter of the function that goes through a list: x.forEach(f => ...), x.each { |f| ... }.
func (p *parser) bindCallback(v *value, name string) {
	if !shell.Among("forEach each map each_entry for_each filter select", name) {
		return
	}
	for n := 1; n < 5; n++ {
		switch t := p.ahead(n); {
		case t.kind == '(' || t.kind == '|' || t.kind == aName && shell.Among("async function", t.text):
		case t.kind == aName && n == 1 && p.is("(") && p.ahead(2).text != "=>": // a function by its name
			return
		case t.kind == aName:
			p.bind(t.text, p.element(v))
			return
		default:
			return
		}
	}
}

// called reads the arguments of a call of a value.
func (p *parser) called(v value) value {
	args := p.group(")")
	switch v.kind {
	case aModule:
		v = p.call(v.text, nil, &args)
		if v.several() && (p.is("{") || p.peek().text == "do") { // Dir.glob("*") { |f| ... }
			p.bindCallback(&v, "each")
		}
		return v
	case builder:
		return v
	case aText:
		if p.lang.is(PHP) && shell.ValidName(v.text) { // $f = "system"; $f("x")
			return p.call(v.text, nil, &args)
		}
	}
	return value{fetch: v.fetch || args.fetch}
}

// subscript is x[...]: a variable of the environment is known by its name alone.
func (p *parser) subscript(v, at value) value {
	name := ""
	if len(at.items) == 1 && at.items[0].kind != 0 {
		name = at.items[0].text
	}
	switch {
	case v.env || v.kind == aModule && shell.Among("os.environ $_SERVER $ENV Bun.env process.env", v.text):
		if name == "HOME" || name == "USERPROFILE" {
			return value{kind: aText, text: "~", path: true}
		}
		return hole(name)
	case v.kind == aModule && len(at.items) == 1 && at.items[0].kind == aText && p.lang.is(JavaScript): // cp["exec"]
		v.text += "." + name
		return v
	case v.kind == aModule && v.text == "Dir" && len(at.items) == 1:
		return p.found("find", v.text, nil, at.items[0])
	case v.kind == aText && v.glob:
		return v
	case v.kind == aList && len(at.items) == 1:
		return p.item(&v, &at.items[0])
	}
	return value{fetch: v.fetch, many: v.several() || at.many}
}

// item is list[key], or list[key:], whose last tokens were just read.
func (p *parser) item(list, key *value) value {
	if held := list.key(key.text); held != nil {
		return *held
	}
	n, err := strconv.Atoi(key.text)
	slice := p.ahead(-2).kind == ':'
	if p.ahead(-3).text == "-" {
		n += len(list.items) - 2*n
	}
	switch {
	case err != nil || n < 0 || n >= len(list.items):
		return value{fetch: list.fetch}
	case slice:
		return value{kind: aList, items: list.items[n:]}
	}
	return list.items[n]
}

// beginsArgument reports whether the argument of a function without parentheses comes next.
func (p *parser) beginsArgument(name string) bool {
	t := p.peek()
	switch t.kind {
	case aString, aWords, aCommand, aNumber:
		return p.known(name)
	case '*': // exec *%w[a b]
		return p.lang.is(Ruby) && t.space && !p.ahead(1).space && p.known(name)
	case aName, '[', '<', '\\', '$', '@':
		const operators = "if unless or and while until for do in is not then else end as of x eq ne"
		if t.kind == aName && shell.Among(operators, t.text) {
			return false
		}
		return t.space && p.known(name) && (t.kind != '<' || p.lang.is(Perl))
	}
	return false
}

// bareArguments reads arguments up to the end of the statement.
func (p *parser) bareArguments() *value {
	args := value{kind: aList}
	for p.i < len(p.tokens) {
		start := p.i
		key, named := p.keyed()
		args.add(p.expr(), key, named)
		if p.i == start {
			break
		}
		if t := p.peek(); t.kind == ',' {
			p.i++
			for p.peek().text == "\n" {
				p.i++
			}
		} else if !p.lang.is(ML|Perl) || t.kind != aString && t.kind != '[' && t.kind != aWords {
			break
		}
	}
	return &args
}

// lispCall is a call of Lisp: (name argument...).
func (p *parser) lispCall(v *value) value {
	if len(v.items) == 0 || v.items[0].kind != aModule {
		return *v
	}
	name, args := v.items[0].text, value{kind: aList, items: v.items[1:], env: v.env, fetch: v.fetch}
	if shell.Among("setq defvar defconst def define setf defparameter", name) && len(args.items) > 1 {
		p.bind(args.items[0].text, args.items[1])
		return args.items[1]
	}
	return p.call(name[strings.LastIndexAny(name, "/:")+1:], nil, &args)
}

// imports reads an import of Python or JavaScript, whose names may stand for others.
func (p *parser) imports(t *token) bool {
	switch {
	case p.lang.is(Python|Lines) && t.text == "import" && p.peek().kind == aName:
		for {
			module := p.dotted()
			if p.peek().text == "as" {
				p.i++
				p.bind(p.peek().text, value{kind: aModule, text: module})
				p.i++
			}
			p.mention(module)
			if !p.take(",") {
				return true
			}
		}
	case p.lang.is(Python|Lines) && t.text == "from" && p.peek().kind == aName:
		module := p.dotted()
		if p.peek().text != "import" {
			return false
		}
		p.i++
		p.take("(")
		p.mention(module)
		for p.peek().kind == aName || p.is(",") || p.is("*") {
			p.importName(module, true)
		}
		return true
	case p.lang.is(JavaScript) && t.text == "import" && !p.is("("):
		start := p.i
		for n := 0; n < 200 && p.peek().kind != aString && p.i < len(p.tokens); n++ {
			p.i++
		}
		p.out.Cut = p.out.Cut || p.i-start == 200
		end, module := p.i, moduleName(p.peek().text)
		p.mention(module)
		for p.i = start; p.i < end; {
			if p.peek().text == "from" {
				p.i++
				continue
			}
			before := p.ahead(-1).kind
			p.importName(module, before == '{' || before == ',')
		}
		p.i = end + 1
		return true
	}
	return false
}

// importName reads what is imported from a module, and what it is called here: one of its names, the module itself, or
// *.
func (p *parser) importName(module string, one bool) {
	t := p.peek()
	as, v := t.text, value{kind: aModule, text: module}
	if p.i++; p.peek().text == "as" {
		as = p.ahead(1).text
		p.i += 2
	}
	if t.kind == aName && one {
		v.text += "." + t.text
	}
	switch {
	case t.kind == aName, t.kind == '*' && as != t.text:
		p.bind(as, v)
	case t.kind == '*':
		p.star = module
	}
}

// dotted reads a name with dots.
func (p *parser) dotted() string {
	name := p.peek().text
	p.i++
	for p.is(".") && p.ahead(1).kind == aName {
		name += "." + p.ahead(1).text
		p.i += 2
	}
	return name
}

// moduleName is the name of a module of JavaScript without what says where it is from.
func moduleName(name string) string {
	name = strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(name, "node:"), "npm:"), "/", ".")
	if name == "fs-extra" || name == "graceful-fs" {
		return "fs"
	}
	return name
}
