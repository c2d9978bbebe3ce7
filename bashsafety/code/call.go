package code

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// call notes what a call does and returns what it is worth. self is the value whose method it is, nil for none. What an
// attribute holds may have been set since: it counts besides its name, never in place of it.
func (p *parser) call(name string, self *value, args *value) value {
	v := p.callWith(name, self, args)
	if filled, ok := p.filled(args, 1); ok {
		if also := p.callWith(name, self, &filled); len(v.items) == 0 && v.text == "" && !v.env {
			v = also
		}
	}
	return v
}

func (p *parser) callWith(name string, self *value, args *value) value {
	name = strings.TrimPrefix(name, "builtins.")
	p.mention(name)
	if p.star != "" && !strings.Contains(name, ".") && p.find(name) == "" {
		name = p.star + "." + name
	}
	if strings.Contains(strings.ToLower(name), "dotenv") { // it only sets variables
		p.forget(args)
	}
	what := p.find(name)
	if what == "" && self != nil && self.kind == 0 {
		what = p.find(name[1:])
	}
	if p.lang.is(CMake) {
		p.cmake(name, args.items)
		return value{}
	}
	if args.env && what != "all" && what != "list" || what == "tells" {
		p.act(Tells)
	}
	if command, ok := strings.CutPrefix(name, "sh."); ok && p.lang.is(Python) && !strings.Contains(command, ".") {
		p.argv(append([]value{{kind: aText, text: strings.ReplaceAll(command, "_", "-")}}, args.plain()...)...)
		return value{}
	}
	a := args.plain()
	if p.acts(what, self, args, a) || p.effect(what, self, args, a) {
		return value{fetch: self != nil && self.fetch, many: self != nil && self.several()}
	}
	return p.worth(what, name, self, args, a)
}

// forget takes back the texts of arguments.
func (p *parser) forget(args *value) {
	for i := range args.items {
		v := &args.items[i]
		p.out.Strings = slices.DeleteFunc(p.out.Strings, func(text string) bool {
			return v.kind == aText &&
				text == word(v.text)
		})
		if v.kind == aList && p.out.spend(itemSize) {
			p.forget(v)
		}
	}
}

// at is the n-th of some values, or nothing.
func at(values []value, n int) value {
	if n >= 0 && n < len(values) {
		return values[n]
	}
	return value{}
}

// acts notes the removals, writes and reads that letters say; it reports whether they say any.
func (p *parser) acts(what does, self, args *value, a []value) bool {
	if len(what) < 2 || len(what)%2 != 0 || strings.IndexByte("01*+nsS", what[1]) < 0 {
		return false
	}
	removes := Removes
	if strings.IndexByte(string(what), 'w') > 0 {
		removes = Moves
	}
	if what[1] == 's' {
		told := len(a) == len(what)/2-1 || what[0] == 'w' || what[0] == 'r' // list.remove(x), text.replace(x, y)
		if self == nil || !self.path || !told {
			return true
		}
	}
	for ; len(what) > 1; what = what[2:] {
		on := a
		switch what[1] {
		case '0', '1':
			on = []value{at(a, int(what[1]-'0'))}
		case '+':
			on = a[min(1, len(a)):]
		case 'S':
			if on = nil; self != nil && (self.path || self.several()) {
				on = []value{*self}
			}
		case 's':
			on = []value{*self}
		case 'n':
			if on = nil; args.key("file con filename") != nil {
				on = []value{*args.key("file con filename")}
			}
		}
		switch what[0] {
		case 'd':
			p.removes(removes, on)
		case 't':
			p.removes(RemovesTree, on)
		case 'w':
			p.act(Writes, on...)
		case 'r':
			p.act(Reads, on...)
		}
	}
	return true
}

// effect notes what a call that runs or opens something does; it reports whether it is one.
func (p *parser) effect(what does, self, args *value, a []value) bool {
	first := at(a, 0)
	for _, list := range append([]value{*args}, a...) {
		if dir := list.key("cwd chdir current_dir"); dir != nil && list.kind == aList {
			defer func(dirs []value) { p.out.dirs = dirs }(p.out.dirs)
			p.moves(*dir)
		}
	}
	switch what {
	case "chdir":
		p.moves(first)
	case "runs":
		p.command(args, a)
	case "text":
		p.runs(first)
	case "argv0":
		p.execs(a)
	case "argv1":
		p.execs(a[min(1, len(a)):])
	case "self":
		if self != nil {
			p.runs(*self)
		}
	case "eval":
		p.evaluate(first)
	case "told":
		p.removes(told(args), a)
	case "open":
		p.opens(first, modeOf(args, at(a, 1)))
	case "openself":
		if self != nil {
			p.opens(*self, modeOf(args, first))
		}
	case "openperl":
		p.opensPerl(a[min(1, len(a)):])
	case "named":
		p.argv(a[min(2, len(a)):]...)
	case "third":
		p.runs(at(a, 2))
	case "keyed":
		for i := range a {
			if a[i].text == ":command" {
				p.argv(at(a, i+1))
			}
		}
	case "query":
		p.act(Queries, first)
	case "ask":
		verb, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(first.text)), " ")
		if first.kind == aText && shell.Among(statements, verb) {
			p.act(Queries, first)
		} else {
			p.command(args, a)
		}
	default:
		return false
	}
	return true
}

// moves notes a folder that the program may be in from now on.
func (p *parser) moves(dir value) {
	if n := len(p.out.dirs); n > 0 {
		dir = p.joined([]value{p.out.dirs[n-1], dir})
	}
	if dir.kind != aText || len(p.out.dirs) >= maxHoles {
		dir = hole("") // any folder
	}
	same := func(v value) bool { return v.text == dir.text }
	if !slices.ContainsFunc(p.out.dirs, same) {
		p.out.dirs = append(p.out.dirs[:len(p.out.dirs):len(p.out.dirs)], dir)
	}
}

// statements are words that statements of SQL begin with.
const statements = "select insert update delete create alter drop truncate with pragma replace explain"

// flat are texts, with those of lists in their place.
func (p *parser) flat(a []value) (all []value) {
	for i := range a {
		if a[i].kind == aList {
			if p.out.spend(len(a[i].items) * itemSize) {
				all = append(all, a[i].plain()...)
			}
		} else {
			all = append(all, a[i])
		}
	}
	return all
}

// command notes what a function runs: a list, texts in a row, or one text for a shell. With the option shell that
// gets the words of a list, too.
func (p *parser) command(args *value, a []value) {
	for len(a) > 0 && a[0].kind != aText && a[0].kind != aList && !a[0].fetch { // a context, a mode
		a = a[1:]
	}
	if p.lang.is(Lisp) { // call-process "a" nil 0 nil "b"
		a = slices.DeleteFunc(slices.Clone(a), func(v value) bool { return v.kind != aText && v.kind != aList })
	}
	options := value{}
	if last := at(a, len(a)-1); last.kind == aList && last.keys != nil {
		options, a = last, a[:len(a)-1]
	}
	for _, named := range [...]*value{options.key("args"), args.key("args")} {
		if named != nil {
			a = append(a[:len(a):len(a)], *named)
		}
	}
	n := 0
	for n < len(a) && (a[n].kind == aText || a[n].kind == aList || a[n].kind == aModule) {
		if n++; a[n-1].kind == aList {
			break
		}
	}
	words := p.flat(a[:n])
	switch {
	case len(a) == 0:
	case a[0].fetch, a[0].kind == aText && (len(words) == 1 || words[1].kind == aModule &&
		strings.Contains(a[0].text, " ")):
		p.runs(a[0])
	case options.key("shell") != nil || args.key("shell") != nil:
		text := value{kind: aText}
		for i := range words {
			text.text += words[i].text + " "
		}
		p.act(RunsShell, text)
	default:
		p.argv(words...)
	}
}

// execs notes a file and the argv that it gets, which begins with its own name.
func (p *parser) execs(a []value) {
	if len(a) == 0 {
		return
	}
	words := p.flat(a[1:])
	for i := range words { // the environment comes last
		if words[i].kind != aText {
			words = words[:i]
			break
		}
	}
	p.argv(append([]value{a[0]}, words[min(1, len(words)):]...)...)
}

// evaluate reads a text that is run as code.
func (p *parser) evaluate(v value) {
	switch {
	case v.fetch:
		p.act(RunsDownload)
	case v.known() && p.depth < maxDepth-8 && p.out.spend(4*len(v.text)):
		inner := parser{out: p.out, lang: p.lang, vars: p.vars, names: p.names, depth: p.depth + maxDepth/maxHoles, star: p.star}
		inner.program(v.text)
	case v.kind != 0 || p.ahead(-1).kind == ')':
		p.act(Evaluates)
	}
}

// removes notes what is removed; all that is below, where it is said or was looked for.
func (p *parser) removes(verb Verb, a []value) {
	for i := range a {
		switch v := a[i]; {
		case v.kind == aText && strings.HasPrefix(v.text, "-"): // shelljs: rm("-rf", x)
			if strings.Contains(v.text, "r") {
				verb = RemovesTree
			}
		case v.kind == aList && v.keys != nil:
		case v.tree, verb == Removes && (v.glob || v.many):
			p.act(RemovesTree, v)
		default:
			p.act(verb, v)
		}
	}
}

// told is what arguments say: recursive.
func told(args *value) Verb {
	says := func(v value) bool { return v.kind == aList && v.key("recursive") != nil }
	if args.key("recursive") != nil || slices.ContainsFunc(args.items, says) {
		return RemovesTree
	}
	return Removes
}

// modeOf is the mode in which a file is opened.
func modeOf(args *value, positional value) string {
	if named := args.key("mode flag flags open"); named != nil {
		positional = *named
	}
	flag := positional.kind == aModule // os.O_WRONLY
	if flag && shell.ContainsAny(positional.text, "WR", "CREAT", "TRUNC", "APPEND") {
		return "w"
	}
	return positional.text
}

// opens notes what opening a file does.
func (p *parser) opens(file value, mode string) {
	switch {
	case file.kind == aText && strings.HasPrefix(file.text, "|"): // of Ruby
		file.text = file.text[1:]
		p.runs(file)
	case len(mode) < 6 && strings.ContainsAny(mode, "wax+"):
		p.act(Writes, file)
	default:
		p.act(Reads, file)
	}
}

// opensPerl is open FILEHANDLE, MODE, FILE or open FILEHANDLE, MODE and FILE in one.
func (p *parser) opensPerl(a []value) {
	mode := at(a, 0)
	text := strings.TrimSpace(mode.text)
	path := value{kind: aText, text: strings.TrimLeft(text, "+<> ")}
	switch {
	case mode.kind != aText:
	case text == "-|" || text == "|-":
		if len(a) > 2 {
			p.argv(a[1:]...)
		} else {
			p.runs(at(a, 1))
		}
	case strings.HasPrefix(text, "|"), strings.HasSuffix(text, "|"):
		p.runs(value{kind: aText, text: strings.Trim(text, "|")})
	case len(a) > 1 && strings.ContainsAny(text, ">+"):
		p.act(Writes, a[1])
	case len(a) > 1:
		p.act(Reads, a[1])
	case strings.ContainsAny(text[:min(2, len(text))], ">+"):
		p.act(Writes, path)
	default:
		p.act(Reads, path)
	}
}

// worth is what a call that changes nothing returns.
func (p *parser) worth(what does, name string, self *value, args *value, a []value) value {
	first := at(a, 0)
	switch what {
	case "build":
		return value{kind: builder, items: p.flat(a)}
	case "add":
		if self != nil && self.kind == builder {
			if !p.out.spend((len(self.items) + len(a)) * itemSize) {
				return value{}
			}
			return value{kind: builder, items: append(self.items[:len(self.items):len(self.items)], p.flat(a)...)}
		}
	case "fetch":
		return value{fetch: true}
	case "join":
		if self != nil {
			a = append([]value{*self}, a...)
		}
		return p.joined(a)
	case "same":
		if self != nil && self.kind != 0 || self != nil && self.fetch {
			if self.fetch && first.kind == aModule && p.find(first.text) == "eval" { // fetch(x).then(eval)
				p.act(RunsDownload)
			}
			return *self
		}
		first.path, first.fetch = first.path || strings.HasSuffix(name, "expanduser"), args.fetch
		first.keys, first.env, first.lisp, first.many = nil, false, false, args.many || self != nil && self.several()
		return first
	case "find", "below":
		return p.found(what, name, self, first)
	case "glue":
		return p.glued(self, first)
	case "attr":
		return value{kind: aModule, text: first.text + "." + at(a, 1).text}
	case "list":
		return value{kind: aList, items: a, env: args.env, fetch: args.fetch}
	case "split":
		text := first
		if self != nil {
			text = *self
		}
		list := value{kind: aList}
		if !p.out.spend(4 * len(text.text)) {
			return list
		}
		for w := range strings.FieldsSeq(strings.NewReplacer("'", "", `"`, "").Replace(text.text)) {
			list.items = append(list.items, value{kind: aText, text: w})
		}
		return list
	case "part":
		if n, err := strconv.Atoi(first.text); err == nil && self != nil && n >= 0 && n <= len(self.items) {
			return value{kind: self.kind, text: self.text, items: self.items[n:]}
		}
	case "load":
		return value{kind: aModule, text: moduleName(first.text)}
	case "home":
		return value{kind: aText, text: "~", path: true}
	case "variable":
		switch {
		case len(args.items) == 0:
			return value{kind: aModule, text: name, env: true}
		case shell.Among("HOME USERPROFILE user.home", first.text):
			return value{kind: aText, text: "~", path: true}
		}
		return hole(first.text)
	case "all":
		return value{kind: aList, env: args.env || strings.HasSuffix(name, "environ.copy")}
	case "each":
		v := p.each(name, self, first, a)
		v.fetch = v.fetch || args.fetch || self != nil && self.fetch
		return v
	}
	if self != nil && self.kind == builder {
		return *self
	}
	if self != nil && self.kind == aText && strings.HasPrefix(name, ".format") {
		return p.format(*self, args.many)
	}
	return value{fetch: args.fetch || self != nil && self.fetch, many: args.many || self != nil && self.several()}
}

// each calls a function that a name tells on what comes after it, or on each of a list.
func (p *parser) each(name string, self *value, f value, a []value) value {
	on := p.flat(a[min(1, len(a)):])
	if p.lang.is(JavaScript) {
		if on = []value{{}}; self != nil {
			on[0] = *self
		}
	}
	for i := range on {
		if p.lang.is(Python|JavaScript) || strings.HasPrefix(name, "array_") {
			on[i] = p.element(&on[i])
		}
	}
	if f.text == "" {
		return value{}
	}
	return p.call(f.text, nil, &value{kind: aList, items: on})
}

// glued is [a, b].join(between), or between.join([a, b]) of Python.
func (p *parser) glued(self *value, first value) value {
	if self == nil {
		return value{}
	}
	list, between := *self, first
	if p.lang.is(Python) {
		list, between = first, *self
	}
	if between.kind != aText && p.lang.is(JavaScript) {
		between.text = ","
	}
	if list.kind != aList {
		return value{fetch: list.fetch}
	}
	v := value{kind: aText}
	for i, item := range list.items {
		if i > 0 {
			v.text += between.text
		}
		if v = p.join(v, item, ""); len(v.text) > maxValue {
			return hole("")
		}
	}
	return v
}

// joined makes a path of parts.
func (p *parser) joined(a []value) value {
	if len(a) == 0 {
		return value{}
	}
	v := a[0]
	for i := range a[1:] {
		v.path = true
		v = p.join(v, a[1+i], "/")
	}
	v.path = true
	return v
}

// found are the names that a pattern or a listing finds.
func (p *parser) found(what does, name string, self *value, first value) value {
	switch {
	case self != nil && self.kind == aText && self.path:
		pattern := first.text
		if pattern == "" || first.kind != aText {
			pattern = "*"
		}
		v := p.join(*self, value{kind: aText, text: pattern}, "/")
		if v.glob, v.path = true, true; what == "below" || strings.Contains(pattern, "**") {
			v.text, v.tree, v.glob = self.text, true, false
		}
		return v
	case self != nil:
		return value{}
	case what == "below":
		return value{kind: first.kind, text: first.text, path: true, tree: true}
	case shell.Among("listdir scandir readdirSync readdir children entries each_child foreach", name[strings.LastIndexByte(name, '.')+1:]):
		return value{kind: aText, text: "*", glob: true}
	}
	first.glob = true
	return first
}

// cmake reads the commands of CMake that run or change something.
func (p *parser) cmake(name string, items []value) {
	words := make([]value, len(items))
	for i := range items {
		words[i] = value{kind: aText, text: items[i].text}
		if strings.Contains(items[i].text, "${CMAKE_COMMAND}") {
			words[i].text = "cmake"
		} else if strings.Contains(items[i].text, "${") {
			words[i].text = strings.NewReplacer("${", shell.HoleMark, "}", shell.HoleMark).Replace(items[i].text)
		}
	}
	switch strings.ToLower(name) {
	case "file":
		rest := words[min(1, len(words)):]
		switch at(words, 0).text {
		case "REMOVE":
			p.removes(Removes, rest)
		case "REMOVE_RECURSE":
			p.removes(RemovesTree, rest)
		case "WRITE", "APPEND", "TOUCH", "MAKE_DIRECTORY", "CHMOD":
			p.act(Writes, at(rest, 0))
		case "READ", "STRINGS":
			p.act(Reads, at(rest, 0))
		}
	case "execute_process", "add_custom_command", "add_custom_target", "exec_program", "add_test":
		start := len(words)
		for i := range words {
			t := words[i].text
			if strings.ToUpper(t) == t && len(strings.Trim(t, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")) == 0 && len(t) > 2 { // a keyword
				p.argv(words[min(start, i):i]...)
				if start = len(words); t == "COMMAND" {
					start = i + 1
				}
			}
		}
		p.argv(words[start:]...)
	}
}

// lines reads commands of editors, debuggers and clients, and of Octave: after ! at the start of a line (ed, ex, gdb,
// dc, gnuplot, ftp), after a word that runs the rest of it (Tcl, Expect, gdb), in macros of m4.
func (p *parser) lines(source string) {
	for line := range strings.FieldsFuncSeq(source, func(r rune) bool { return r == '\n' || r == ';' }) {
		if rest, ok := lineCommand(line); ok {
			p.act(RunsShell, value{kind: aText, text: rest})
		}
	}
	for n, macro := range strings.Split(source, "syscmd(") {
		if command, _, ok := strings.Cut(macro, ")"); ok && n > 0 { // m4, whose arguments need no quotes
			p.act(RunsShell, value{kind: aText, text: strings.Trim(command, "`'[] ")})
		}
	}
}

// lineCommand returns what a line hands to a shell or runs.
func lineCommand(line string) (string, bool) {
	line = strings.TrimLeft(line, " \t:[{")
	if rest, ok := strings.CutPrefix(strings.TrimLeft(line, `0123456789,.$%\`), "!"); ok { // ed: 1,$!sort; psql: \!
		return strings.TrimLeft(rest, "! "), true
	}
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "r", "w", "e", "read", "write", "silent", "silent!", "exe", "execute", "normal": // ed and ex: r !command
		if _, command, ok := strings.Cut(rest, "!"); ok && !strings.HasPrefix(rest, "=") { // w = !x is Octave
			return command, true
		}
	case "shell", "spawn", "exec", "system", "unix", "dos", "overlay", "pipe", "|", ".shell", ".system":
		if rest = strings.TrimLeft(rest, "-| "); strings.IndexAny(rest, "'\"`(=") != 0 { // else it is a function or a variable
			return rest, true
		}
	case "platform": // lldb: platform shell command
		if command, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), "shell "); ok {
			return command, true
		}
	}
	return "", false
}
