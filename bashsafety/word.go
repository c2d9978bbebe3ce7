package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// fields turns one word of the text into the arguments the program would
// receive: none, one or several. It expands in the order of bash (braces,
// tilde, parameters, field splitting) and leaves a hole for what the text
// alone does not say. Every check and rule compares these, never the spelling.
func (w *walker) fields(word *syntax.Word, c *ctx, st *state, out []Word) []Word {
	w.steps += len(word.Parts)
	if lit := plainLit(word); lit != "" {
		return append(out, Word{Text: lit, Known: true, Single: true, Span: c.span(word)})
	}
	x := expander{w: w, c: c, st: st, span: c.span(word), out: out}
	x.lone = len(word.Parts) > 1 && loneDollar(word.Parts)
	all := w.braces(word, x.span)
	x.assign = len(all) == 1 && assignPrefix(word)
	x.braced = len(all) > 1
	for _, parts := range all {
		if x.braced && joinsName(parts) {
			w.doubt(dParserDiff, x.span, "a brace expansion behind a variable")
		}
		x.parts(parts, true)
		x.flush()
	}
	return x.out
}

// single is fields for the places where bash neither splits nor globs:
// assignments, here-strings, case words. The answer is always one word.
func (w *walker) single(word *syntax.Word, c *ctx, st *state, tilde bool) Word {
	if word == nil {
		return Word{Known: true, Single: true}
	}
	if lit := plainLit(word); lit != "" {
		return Word{Text: lit, Known: true, Single: true, Span: c.span(word)}
	}
	x := expander{w: w, c: c, st: st, span: c.span(word), whole: true}
	x.parts(word.Parts, tilde)
	return x.word()
}

// heredoc is the body of a here-document as the command would read it.
func (w *walker) heredoc(r *syntax.Redirect, c *ctx, st *state) Word {
	if r.Hdoc == nil {
		return Word{Known: true, Single: true, Quoted: true, Span: c.span(r)}
	}
	x := expander{w: w, c: c, st: st, span: c.span(r.Hdoc), whole: true, quoted: true}
	if quotedDelimiter(r.Word) {
		for _, p := range r.Hdoc.Parts {
			if lit, ok := p.(*syntax.Lit); ok {
				x.text(lit.Value)
			}
		}
		return x.word()
	}
	x.hdoc = true
	x.inQuotes(r.Hdoc.Parts)
	return x.word()
}

// plainLit returns the text of a word that means exactly what it says, "" when
// it needs expansion.
func plainLit(word *syntax.Word) string {
	if len(word.Parts) != 1 {
		return ""
	}
	lit, ok := word.Parts[0].(*syntax.Lit)
	if !ok || lit.Value == "" || lit.Value[0] == '=' {
		return ""
	}
	for i := 0; i < len(lit.Value); i++ {
		switch lit.Value[i] {
		case '\\', '*', '?', '[', '{', '~', 0:
			return ""
		}
	}
	return lit.Value
}

// An expander collects the arguments of one word. buf holds the current one as
// a pattern: literal * ? [ and \ are escaped by \.
type expander struct {
	w    *walker
	c    *ctx
	st   *state
	span Span
	out  []Word

	whole  bool // no splitting, no globbing
	assign bool // the argument looks like an assignment
	braced bool // brace expansion made the argument
	lone   bool // a $ that is text stands in it: bash then splits in its own way
	quoted bool // inside double quotes or a here-document
	hdoc   bool // in a here-document " is an ordinary character

	buf    []byte
	has    bool // there is an argument, if only an empty one
	escape bool // buf holds an escape
	glob   bool
	open   bool // behind an unquoted [ whose ] is still to come
	hole   bool
	many   bool // an unknown part may be several arguments or none
	quotes bool // part of it was quoted
	number bool // the only part is an integer
	pipe   bool // the only part is a process substitution
	nparts int
}

// flush ends the current argument.
func (x *expander) flush() {
	if x.has {
		x.out = append(x.out, x.word())
	}
	x.buf, x.has, x.open = x.buf[:0], false, false
	x.escape, x.glob, x.hole, x.many, x.quotes, x.number, x.pipe = false, false, false, false, false, false, false
	x.nparts = 0
}

func (x *expander) word() Word {
	if x.many && x.st.nullglob { // what the hole holds may be a pattern that finds nothing and takes the word with it
		x.buf = append(x.buf[:0], HoleMark[0])
	}
	text := string(x.buf)
	if x.escape && !x.glob {
		text = unescape(x.buf)
	}
	return Word{
		Text:   text,
		Known:  !x.hole && !x.glob,
		Single: !x.many && !x.glob,
		Glob:   x.glob,
		Quoted: x.quotes || x.quoted,
		Number: x.number && x.nparts == 1,
		Pipe:   x.pipe && x.nparts == 2,
		Span:   x.span,
	}
}

// text adds literal characters.
func (x *expander) text(s string) {
	x.has = true
	x.nparts++
	for i := 0; i < len(s); i++ {
		x.literal(s[i])
	}
}

func (x *expander) literal(b byte) {
	if x.open && strings.IndexByte("]-!^", b) >= 0 {
		x.unknown(true) // quoted, it means itself in a bracket pattern
		return
	}
	switch b {
	case '*', '?', '[', '\\':
		x.buf = append(x.buf, '\\')
		x.escape = true
	case 0:
		return // bash drops it, and HoleMark must stay unambiguous
	}
	x.buf = append(x.buf, b)
}

// unknown adds a hole; several says that it may be any number of arguments.
func (x *expander) unknown(several bool) {
	x.has, x.hole = true, true
	x.many = x.many || several && !x.whole
	x.nparts++
	x.buf = append(x.buf, HoleMark[0])
}

func (x *expander) parts(parts []syntax.WordPart, tilde bool) {
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if zshParam(parts, i) {
				x.w.doubt(dZsh, x.span, "$ and one of ~ = ^ + expand a variable in zsh")
			}
			x.lit(p.Value, tilde && i == 0, i == len(parts)-1, tilde)
		case *syntax.SglQuoted:
			x.sglQuoted(p)
		case *syntax.DblQuoted:
			x.quotes, x.has = true, true
			x.inQuotes(p.Parts)
		case *syntax.ParamExp:
			x.param(p)
		case *syntax.CmdSubst:
			x.unknown(true)
		case *syntax.ArithmExp:
			x.number = true
			x.unknown(false)
		case *syntax.ProcSubst:
			if len(p.Stmts) == 0 { // <() is no argument at all
				x.unknown(true)
				continue
			}
			x.text("/dev/fd/")
			x.unknown(false)
			x.pipe = true
		case *syntax.ExtGlob:
			x.glob = true
			x.unknown(true)
		case *syntax.BraceExp: // only in what braces made, never in a word
			x.unknown(true)
		default:
			x.w.doubt(dUnknownNode, x.span, "")
			x.unknown(true)
		}
	}
}

// inQuotes adds the parts of a double-quoted string or here-document.
func (x *expander) inQuotes(parts []syntax.WordPart) {
	was := x.quoted
	x.quoted = true
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			x.dquoteLit(p.Value)
		case *syntax.ParamExp:
			x.param(p)
		case *syntax.CmdSubst:
			x.unknown(false)
		case *syntax.ArithmExp:
			x.number = true
			x.unknown(false)
		default:
			x.w.doubt(dUnknownNode, x.span, "")
			x.unknown(false)
		}
	}
	x.quoted = was
}

// lit adds unquoted characters as written: escapes, globs and a leading tilde.
func (x *expander) lit(s string, first, last, tilde bool) {
	if first && strings.HasPrefix(s, "~") {
		s = x.tilde(s, last)
	}
	if first && !x.whole && len(s) > 1 && s[0] == '=' && (nameStart(s[1]) || s[1] == '(') {
		x.w.doubt(dZsh, x.span, "a word that starts with = names a program in zsh")
	}
	if strings.Contains(s, "***") {
		x.w.doubt(dZsh, x.span, "*** follows symbolic links in zsh")
	}
	x.has = x.has || s != ""
	x.nparts++
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '\\' && i+1 < len(s):
			i++
			x.quotes = true
			if s[i] != '\n' {
				x.literal(s[i])
			}
		case (b == '*' || b == '?' || b == '[' && (!last || strings.IndexByte(s[i+1:], ']') >= 0)) && !x.whole:
			x.glob = true
			x.open = x.open || b == '['
			x.buf = append(x.buf, b)
		case x.open && strings.IndexByte("]-!^", b) >= 0:
			x.open = b != ']'
			x.buf = append(x.buf, b)
		case b == '~' && i > 0 && tilde && (s[i-1] == ':' && (x.whole || x.assign) || s[i-1] == '=' && x.assign):
			if s[i-1] == '=' && (!first || strings.IndexByte(s, '=') != i-1) {
				x.unknown(false) // bash does it in some places only
				continue
			}
			i += x.innerTilde(s[i:], last) - 1
		default:
			x.literal(b)
		}
	}
}

// assignPrefix reports whether a word starts like NAME=: bash then expands
// tildes after = and : in an argument, too.
func assignPrefix(word *syntax.Word) bool {
	lit, ok := word.Parts[0].(*syntax.Lit)
	if !ok {
		return false
	}
	name, _, ok := strings.Cut(lit.Value, "=")
	return ok && validName(strings.TrimSuffix(name, "+"))
}

// dquoteLit adds characters of a double-quoted string: a backslash escapes only
// $ ` " \ and newline.
func (x *expander) dquoteLit(s string) {
	x.has = true
	x.nparts++
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch s[i+1] {
			case '\n':
				i++
				continue
			case '"':
				if !x.hdoc {
					i++
				}
			case '$', '`', '\\':
				i++
			}
		}
		x.literal(s[i])
	}
}

func (x *expander) sglQuoted(q *syntax.SglQuoted) {
	x.quotes, x.has = true, true
	if !q.Dollar {
		x.text(q.Value)
		return
	}
	text, exact := ansiC(q.Value)
	x.text(text)
	if !exact {
		x.unknown(false)
	}
}

func unescape(b []byte) string {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+1 < len(b) {
			i++
		}
		out = append(out, b[i])
	}
	return string(out)
}

func nameStart(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func nameByte(b byte) bool { return nameStart(b) || b >= '0' && b <= '9' }

// validName reports whether s is the name of a shell variable.
func validName(s string) bool {
	if s == "" || !nameStart(s[0]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		if !nameByte(s[i]) {
			return false
		}
	}
	return true
}

// zshParam reports whether the parts hold $~name, $=name, $^name or $+name at
// i, unquoted: plain text to bash, a variable whose value is a glob or split to
// zsh. The parser cuts the text behind such a $.
func zshParam(parts []syntax.WordPart, i int) bool {
	lit := parts[i].(*syntax.Lit).Value
	if i+1 == len(parts) || !strings.HasSuffix(lit, "$") || oddBackslashes(lit[:len(lit)-1]) {
		return false
	}
	next, ok := parts[i+1].(*syntax.Lit)
	return ok && len(next.Value) > 1 && strings.IndexByte("~=^+", next.Value[0]) >= 0 && nameStart(next.Value[1])
}
