package bashsafety

import "strings"

// awkMore reads awk's program and files.
func awkMore(c *call) {
	ops, understood := c.operands, true
	look := func(w *Word) {
		if !w.Known {
			understood = false
			c.mayDoAnything(w)
			return
		}
		awkProgram(c, w)
	}
	for i := range c.opts {
		switch u := &c.opts[i]; u.does {
		case GivesPattern:
			look(&u.value)
		case ReadsPattern:
			if u.name == "i" || u.name == "include" {
				c.noPattern = c.has("f", "file", "E", "exec", "e", "source")
				c.inPlace = c.inPlace || u.value.Text == "inplace"
				c.dropRead(&u.value)
			}
			if !c.inPlace {
				understood = false
			}
		}
	}
	if !c.noPattern && len(ops) > 0 {
		look(&c.argv[ops[0]])
		ops = ops[1:]
	}
	if !understood || c.inPlace {
		c.narrow("the awk program is not literal, or changes its files")
	}
	for _, i := range ops {
		w := &c.argv[i]
		if name, _, ok := strings.Cut(w.Text, "="); ok && w.Known && validName(name) {
			continue
		}
		c.readOperands([]int{i})
	}
}

// awkProgram finds what a program runs, reads and writes. It goes through the
// tokens only: a redirect is a > or >> or | outside parentheses in a statement
// that prints, or any | that is not ||.
func awkProgram(c *call, w *Word) {
	t := awkTokens{s: w.Text}
	str := "" // the string in front of a pipe
	for t.next() {
		if t.kind == '"' {
			str = t.text
			continue
		}
		before := str
		str = ""
		switch {
		case t.kind == 'i' && t.text == "system":
			c.narrow("awk's system() runs a command")
			awkCommand(c, w, &t)
		case t.kind == '|':
			c.narrow("awk's | runs a command")
			c.scan("|", before, w)
			awkCommand(c, w, &t)
		case t.kind == '@':
			c.narrow("awk's @ loads code or calls by name")
		case t.kind == 0:
			c.narrow("the awk program is not understood")
			c.mayDoAnything(w)
			return
		case t.kind == 'i' && t.text == "ENVIRON":
			if saved := t; !t.next() || t.kind != '[' || !t.next() || t.kind != '"' {
				c.disprove(printsEnvironment)
				t = saved
			}
		case t.kind == 'i' && t.text == "getline":
			t.afterGetline = true
		case t.kind == '<' && t.afterGetline:
			awkFile(c, w, &t, false)
		case t.kind == '>' && t.printing && t.depth == 0:
			awkFile(c, w, &t, true)
		}
	}
}

// awkCommand shows the string after system( or |.
func awkCommand(c *call, w *Word, t *awkTokens) {
	saved := *t
	ok := t.next()
	if ok && t.kind == '(' {
		ok = t.next()
	}
	if ok && (t.kind == '"' || t.kind == 's') {
		c.scan("system", strings.ReplaceAll(t.text, `\"`, `"`), w)
	}
	*t = saved
}

// awkFile takes the file of a redirect: a string that nothing is joined to is
// known, everything else is not.
func awkFile(c *call, w *Word, t *awkTokens, writes bool) {
	name := hole("", w)
	if t.next() && t.kind == '"' {
		text := t.text
		saved := *t
		if !t.next() || t.kind == ';' || t.kind == '}' || t.kind == ')' {
			name = literal(text, w)
		}
		*t = saved
	}
	if strings.HasPrefix(name.Text, "/inet") {
		c.narrow("awk opens a network connection")
		return
	}
	if !writes {
		c.read(&name)
		c.d.readOnly = c.d.readOnly && name.Known
		return
	}
	if name.Known && notFile(name.Text) {
		return
	}
	c.writeFile(&name)
	c.narrow("awk's > writes a file")
}

// awkTokens cuts an awk program into tokens, as far as safety needs: kind is
// 'i' for a name, '"' for a string, 'n' for a number or regular expression, 0
// for what cannot be read, '|' for a pipe but not ||, else the byte itself.
type awkTokens struct {
	s            string
	i            int
	kind         byte
	text         string
	depth        int
	printing     bool // inside print or printf, outside its parentheses
	afterGetline bool
	operand      bool // the last token ends an operand, so / divides
}

func (t *awkTokens) next() bool {
	for t.i < len(t.s) {
		if strings.HasPrefix(t.s[t.i:], "\\\n") {
			t.i++
		} else if strings.IndexByte(" \t\r", t.s[t.i]) < 0 {
			break
		}
		t.i++
	}
	if t.i >= len(t.s) {
		return false
	}
	c := t.s[t.i]
	switch {
	case c == '#':
		for t.i < len(t.s) && t.s[t.i] != '\n' {
			t.i++
		}
		return t.next()
	case c == '"':
		t.quoted('"')
	case c == '/' && !t.operand:
		t.quoted('/')
	case awkNameByte(c):
		start := t.i
		for t.i < len(t.s) && awkNameByte(t.s[t.i]) {
			t.i++
		}
		t.kind, t.text, t.operand = 'i', t.s[start:t.i], true
		t.word()
	default:
		t.operator(c)
	}
	return true
}

func awkNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// word notes keywords; after one of them / starts a regular expression.
func (t *awkTokens) word() {
	switch t.text {
	case "print", "printf":
		t.printing, t.depth, t.operand = true, 0, false
	case "return", "in", "case", "else", "do":
		t.operand = false
	}
}

// quoted reads a string or a regular expression; in the latter a bracket
// expression may hold a slash.
func (t *awkTokens) quoted(end byte) {
	t.kind, t.operand = '"', true
	if end == '/' {
		t.kind = 'n'
	}
	var b strings.Builder
	bracket := false
	for t.i++; t.i < len(t.s); t.i++ {
		c := t.s[t.i]
		switch {
		case c == '\\' && t.i+1 < len(t.s):
			t.i++
			b.WriteByte('\\')
			b.WriteByte(t.s[t.i])
			continue
		case c == '\n':
			t.kind, t.i = 0, len(t.s)
			return
		case end == '/' && c == '[':
			bracket = true
		case c == ']':
			bracket = false
		case c == end && !(bracket && end == '/'):
			t.i++
			t.text = b.String()
			if strings.Contains(t.text, `\`) && end == '"' {
				t.kind = 's' // an escape: the value is not followed
			}
			return
		}
		b.WriteByte(c)
	}
	t.kind = 0
}

// operator reads everything that is neither name, string nor regular expression.
func (t *awkTokens) operator(c byte) {
	two := ""
	if t.i+2 <= len(t.s) {
		two = t.s[t.i : t.i+2]
	}
	t.i++
	t.kind, t.operand = c, c == ')' || c == ']' || c == '$'
	switch {
	case two == "||" || two == "&&" || two == "==" || two == "<=" || two == "!=" || two == "!~" || two == "++" || two == "--":
		t.i++
		t.kind, t.operand = 'n', two == "++" || two == "--"
	case two == ">=" && !t.printing:
		t.i++
		t.kind = 'n'
	case two == ">>":
		t.i++
		t.kind = '>'
	case two == "|&":
		t.i++
	}
	switch c {
	case '(':
		t.depth++
	case ')':
		t.depth--
	case ';', '\n', '{', '}':
		t.printing, t.afterGetline, t.depth = false, false, 0
		if c == '\n' {
			t.kind = ';'
		}
	}
	if t.kind != '<' && t.kind != 'n' && t.kind != '"' {
		t.afterGetline = t.afterGetline && (c == '$' || c == '[' || c == ']')
	}
}
