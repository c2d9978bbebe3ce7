package powershell

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A psCommand is one command that was read.
type psCommand struct {
	words []psWord
	span  shell.Span
	call  byte // & or . in front
	outs  []psWord
	flow  *psFlow
}

// command reads the words of one command and lists it. The answer is what it
// makes, nil where nothing is known of that.
func (p *psParser) command(f *psFlow) *psWord {
	c := psCommand{flow: f, span: shell.Span{Start: p.i}}
	if ch := p.peek(0); ch == '&' || ch == '.' && p.peek(1) != 0 && strings.IndexByte(" \t\"'$({`", p.peek(1)) >= 0 {
		c.call = ch
		p.i++
		p.blank(false)
	}
	comma, blocks := false, p.blocks
	p.blocks = nil
	for {
		p.blank(false)
		if len(c.words) > 0 && p.peek(0) == ',' {
			comma = true
			p.i++
			p.blank(true)
		}
		if p.statementEnds() {
			break
		}
		at := p.i
		if n := p.redirects(); n > 0 {
			p.i += n
			p.redirect(&c)
		} else if w := p.argument(); comma {
			last := &c.words[len(c.words)-1]
			last.more = append(last.more, w)
			comma = false
		} else {
			c.words = append(c.words, w)
			const each = "ForEach-Object Where-Object Select-Object Sort-Object"
			if cmd := p.cmdlet(&c.words[0]); cmd != nil && shell.Listed(each, cmd.name) {
				p.blocks = blocks // with $_
			}
			if w.Known && w.Text == "--%" && w.bare {
				p.verbatim(&c)
			}
		}
		if p.i == at {
			break
		}
	}
	c.span.End = p.i
	if len(c.words) == 0 {
		if c.call != 0 || len(c.outs) > 0 {
			p.broken("a missing command")
		}
		return nil
	}
	made := p.made(&c)
	p.run(&c)
	return made
}

// psPlainCmdlets make strings, or objects that are as plain.
const psPlainCmdlets = "Get-Content Out-String Split-Path Convert-Path Join-Path ConvertTo-Json ConvertTo-Csv " +
	"ConvertFrom-Json Get-Date"

// made is what a cmdlet makes of its words, nil where that is not known.
func (p *psParser) made(c *psCommand) *psWord {
	cmd := p.cmdlet(&c.words[0])
	w := psHole(c.span.Start, p.i)
	switch program := strings.TrimSuffix(strings.ToLower(c.words[0].Text), ".exe"); {
	case cmd == nil && c.call != '.' && shell.Listed(psPrograms+" wsl", program): // it prints text
		w.kind = psTexts
	case cmd == nil || c.call != 0:
		return nil
	case shell.Listed("Where-Object Sort-Object Get-Unique", cmd.name):
		w.kind = c.flow.value.each()
	case cmd.name == "Get-Location" && len(c.words) == 1:
		w = p.location(w)
	case cmd.name == "Join-Path":
		var t psText
		known, names := true, []string{"-path", "-childpath", "-additionalchildpath"}
		n := 0
		for _, one := range c.words[1:] {
			switch {
			case one.isOne():
				if n++; n > 1 {
					t.put("/")
				}
				t.value(one)
			default: // a parameter, in the order of their places
				known = known && n < len(names) && strings.EqualFold(one.Text, names[n])
			}
		}
		if known && n > 1 {
			w = t.word(c.span.Start, p.i)
		}
		w.kind = psTexts
	case cmd.name == "Get-Content" && // of variable:x it is what that holds, except with -Raw
		!slices.ContainsFunc(c.words[1:], func(w psWord) bool { return w.bare && strings.EqualFold(w.Text, "-Raw") }) &&
		slices.ContainsFunc(c.words[1:], func(w psWord) bool { return w.path() == "" || len(w.more) > 0 }):
	case shell.Listed(psPlainCmdlets, cmd.name):
		w.kind = psTexts
	default:
		return nil
	}
	return &w
}

// location is $PWD.
func (p *psParser) location(w psWord) psWord {
	if len(p.cwd.Dirs) == 1 {
		w.folder, w.here = p.cwd.Dirs[0], true
	}
	return w
}

// isOne reports whether a word is one value, and no name of a parameter.
func (w *psWord) isOne() bool {
	return len(w.more) == 0 && !w.splat && (!w.bare || !strings.HasPrefix(w.Text, "-"))
}

// verbatim reads what follows --%: words as they are, up to the end of the line.
func (p *psParser) verbatim(c *psCommand) {
	n := lineEnd(p.s[p.i:])
	if i := strings.IndexByte(p.s[p.i:p.i+n], '|'); i >= 0 {
		n = i
	}
	for _, field := range strings.Fields(p.s[p.i : p.i+n]) {
		w := psWord{Word: shell.Word{Text: strings.Trim(field, `"`), Known: !strings.Contains(field, "%"), Single: true, Span: shell.Span{Start: p.i, End: p.i + n}}}
		if !w.Known {
			w.Text = shell.HoleMark // %NAME% is a variable here
		}
		c.words = append(c.words, w)
	}
	p.i += n
}

// redirects is the length of a redirection operator at the cursor.
func (p *psParser) redirects() int {
	n := 0
	if c := p.peek(0); (c >= '1' && c <= '6' || c == '*') && p.peek(1) == '>' {
		n = 1
	}
	if p.peek(n) != '>' {
		return 0
	}
	if n++; p.peek(n) == '>' {
		n++
	}
	return n
}

// redirect reads the target of a redirection.
func (p *psParser) redirect(c *psCommand) {
	if p.at("&1", "&2") {
		p.i += 2
		return
	}
	if p.blank(false); p.statementEnds() {
		p.broken("a redirection without a file")
		return
	}
	w := p.argument()
	if w.Known && (strings.EqualFold(w.Text, "$null") || strings.EqualFold(w.Text, "nul")) {
		return
	}
	c.outs = append(c.outs, w)
}

// outs reads the redirections after an expression.
func (p *psParser) outs(from int) {
	var c psCommand
	for p.blank(false); p.redirects() > 0; p.blank(false) {
		p.i += p.redirects()
		p.redirect(&c)
	}
	c.span = shell.Span{Start: from, End: p.i}
	p.onlyOuts(&c)
}

// onlyOuts lists redirections without a command.
func (p *psParser) onlyOuts(c *psCommand) {
	if len(c.outs) > 0 && !p.dry {
		p.w.Add(analysis.Subcommand{Span: p.place(c.span), Structural: true, Via: p.via, Effects: p.written(c.outs)})
	}
}

// argument reads one word of a command.
func (p *psParser) argument() psWord {
	from := p.i
	r, _ := p.rune()
	switch next := p.peek(1); {
	case psQuote(r):
		return p.quotedArgument(from)
	case r == '(', r == '@', r == '{', r == '$' && psExpands(next):
		w := p.operand()
		if r == '@' && w.splat || r == '{' {
			return w
		}
		return p.adjoining(w, from)
	}
	return p.word()
}

// psQuote reports whether a character opens a string.
func psQuote(r rune) bool { return psSingle(r) || psDouble(r) }

// psExpands reports whether a $ before a byte is an expansion in a word.
func psExpands(next byte) bool { return psName(next) || strings.IndexByte("({$", next) >= 0 }

// quotedArgument reads a word that begins with a string.
func (p *psParser) quotedArgument(from int) psWord {
	w := p.quoted()
	if p.peek(0) == '.' || p.peek(0) == '[' {
		w = p.postfix(w, from)
	}
	r, _ := p.rune()
	separated := r == 0 || r == ',' || r == '>' || psBlank(r)
	if !separated && !p.statementEnds() {
		p.broken("text right after a string")
	}
	return w
}

// adjoining reads what follows a value without a blank: $dir\x is one word.
func (p *psParser) adjoining(v psWord, from int) psWord {
	if p.i >= len(p.s) || p.statementEnds() || strings.IndexByte(" \t,><({", p.s[p.i]) >= 0 || p.i == from {
		return v
	}
	if r, _ := p.rune(); psSingle(r) || psDouble(r) || psBlank(r) {
		return v
	}
	var t psText
	t.value(v)
	p.plain(&t)
	return t.word(from, p.i)
}

// word reads a bare word.
func (p *psParser) word() psWord {
	var t psText
	from := p.i
	p.plain(&t)
	w := t.word(from, p.i)
	w.bare = !t.quoted
	option := p.i > from && p.s[from] == '-' && strings.HasSuffix(w.Text, ":")
	if option && strings.IndexByte("({@", p.peek(0)) >= 0 {
		v := p.operand() // -Name:( )
		w.Text, w.Known, w.block = w.Text+v.Text, w.Known && v.Known, v.block
	}
	return w
}

// plain reads the characters of a bare word.
func (p *psParser) plain(t *psText) {
	for p.i < len(p.s) {
		r, n := p.rune()
		switch {
		case p.endsBareWord(r):
			return
		case psSingle(r):
			p.single(t)
		case psDouble(r):
			p.double(t)
		case r == '`', r == '$':
			p.expand(t)
		case psDash(r) && t.text.Len() == 0:
			p.broken("a dash other than the plain hyphen")
			t.put("-")
			p.i += n
		default:
			t.put(p.s[p.i : p.i+n])
			p.i += n
		}
	}
}

// endsBareWord reports whether a bare word ends at the cursor: before a blank, a
// sign that separates, or a line that is continued.
func (p *psParser) endsBareWord(r rune) bool {
	continued := r == '`' && (p.peek(1) == '\n' || p.peek(1) == '\r')
	return continued || psBlank(r) || r < 0x80 && strings.IndexByte("\n\r;|&(){},<>", byte(r)) >= 0
}

// place is where a span lies in the whole text.
func (p *psParser) place(s shell.Span) shell.Span {
	if p.span != nil {
		return *p.span
	}
	return shell.Span{Start: min(s.Start, len(p.s)), End: min(s.End, len(p.s))}
}

// A psCall is a cmdlet with its words given to its parameters.
type psCall struct {
	p     *psParser
	cmd   *cmdlet
	c     *psCommand
	given []psGiven
	all   []shell.Effect
	// launches is set when it runs a program that is listed too.
	launches bool
}

// psExtra names the words that no parameter is left for.
const psExtra = "+"

// A psGiven is the value of one parameter; name is "" where it is not known.
type psGiven struct {
	name  string
	words []psWord
	typed string // the name as it was typed, where that may be short for several
}

// bind gives the words to the parameters. A word after a parameter that is not
// listed may be its value or not: it is both.
func (b *psCall) bind() {
	words := b.c.words[1:]
	var loose []psWord
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !w.bare || len(w.Text) < 2 || w.Text[0] != '-' || !psNameStart(w.Text[1]) {
			loose = append(loose, w)
			continue
		}
		name, value, glued := strings.Cut(w.Text[1:], ":")
		if strings.EqualFold(name, "ea") {
			name = "ErrorAction"
		}
		typed := name
		name = b.parameter(name)
		switch {
		case glued && value != "":
			v := w
			v.Text = value
			_, v.folder, _ = strings.Cut(w.folder, ":")
			_, v.partly, _ = strings.Cut(w.partly, ":")
			b.given = append(b.given, psGiven{name, []psWord{v}, typed})
		case name != "" && (shell.Listed(b.cmd.flags, name) || shell.Listed(psSwitch, name)):
			b.given = append(b.given, psGiven{name: name})
		case i+1 < len(words):
			i++
			b.given = append(b.given, psGiven{name, append([]psWord{words[i]}, words[i].more...), typed})
		default:
			b.given = append(b.given, psGiven{name: name})
		}
	}
	places := strings.Fields(b.cmd.pos)
	for i := range loose {
		for len(places) > 0 && b.has(places[0]) {
			places = places[1:]
		}
		name := psExtra
		if len(places) > 0 {
			name, places = places[0], places[1:]
		}
		b.given = append(b.given, psGiven{name: name, words: append([]psWord{loose[i]}, loose[i].more...)})
	}
}

// parameter returns the full name of a parameter that may be abbreviated; of
// several the one that names a file.
func (b *psCall) parameter(name string) string {
	for _, list := range [...]string{b.cmd.paths, "ErrorAction Destination DestinationPath NewName OutFile InFile Name ItemType Target Value Uri Method Variable MemberName Args",
		b.cmd.pos, b.cmd.flags, psSwitch, b.cmd.reads, psCommon} {
		if len(name) < 3 && strings.HasPrefix(list, "ErrorAction") {
			continue
		}
		for full := range strings.FieldsSeq(list) {
			if len(full) >= len(name) && strings.EqualFold(full[:len(name)], name) {
				return full
			}
		}
	}
	return ""
}

func (b *psCall) has(name string) bool {
	for i := range b.given {
		if b.given[i].name == name {
			return true
		}
	}
	return false
}

// values are the words of the parameters that are listed, and of those that may be short for one.
func (b *psCall) values(names string) []psWord {
	var all []psWord
	for i := range b.given {
		g := &b.given[i]
		short := g.name == "" || shell.Listed(psCommon, g.name)
		if shell.Listed(names, g.name) || short && shortFor(g.typed, names) {
			all = append(all, g.words...)
		}
	}
	return all
}

// shortFor reports whether a name is the start of one in a list.
func shortFor(short, names string) bool {
	return short != "" && strings.Contains(" "+strings.ToLower(names), " "+strings.ToLower(short))
}

// files are the words that name the files the cmdlet works on; loose is what
// could be one because its parameter is not known.
func (b *psCall) files(loose bool) []psWord {
	all := b.values(b.cmd.paths)
	for i := range b.given {
		if b.given[i].name == psExtra || loose && b.given[i].name == "" {
			all = append(all, b.given[i].words...)
		}
	}
	return all
}
