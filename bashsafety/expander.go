package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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

	buf      []byte
	has      bool // there is an argument, if only an empty one
	escape   bool // buf holds an escape
	glob     bool
	open     bool // behind an unquoted [ whose ] is still to come
	hole     bool
	many     bool // an unknown part may be several arguments or none
	quotes   bool // part of it was quoted
	numbers  int  // unknown parts that are integers
	unknowns int  // unknown parts
	tokens   bool // the first unknown part is the output of a program that prints tokens only
	pipe     bool // the only part is a process substitution
	temp     bool // it starts with what mktemp printed
	ones     int  // unknown parts that are one word, or nothing
	downs    int  // unknown parts that are names or paths without ".."
	nparts   int
}

// flush ends the current argument.
func (x *expander) flush() {
	if x.has {
		x.out = append(x.out, x.word())
	}
	x.buf, x.has, x.open = x.buf[:0], false, false
	x.escape, x.glob, x.hole, x.many, x.quotes, x.tokens, x.pipe = false, false, false, false, false, false, false
	x.temp, x.downs, x.ones = false, 0, 0
	x.nparts, x.numbers, x.unknowns = 0, 0, 0
}

func (x *expander) word() Word {
	if x.many && x.st.nullglob { // what the hole holds may be a pattern that finds nothing and takes the word with it
		x.buf = append(x.buf[:0], HoleMark[0])
	}
	text := string(x.buf)
	if x.escape && !x.glob {
		text = unescape(x.buf)
	}
	globLen := 0
	if x.glob && !x.hole {
		globLen = len(text)
	}
	return Word{
		globLen:  int32(globLen),
		Text:     text,
		Known:    !x.hole && !x.glob,
		Single:   !x.many && !x.glob,
		Glob:     x.glob,
		Quoted:   x.quotes || x.quoted,
		Number:   x.numbers == 1 && x.nparts == 1,
		Integers: x.numbers > 0 && x.numbers == x.unknowns && !x.glob && !x.many,
		NoDash:   x.tokens && !x.glob && noDash(text),
		Pipe:     x.pipe && x.nparts == 2,
		Down:     x.unknowns > 0 && x.numbers+x.downs == x.unknowns && !x.glob && (x.joined() || text == HoleMark) && staysDown(text),
		Temp:     x.temp && x.unknowns == 1 && !x.glob && x.joined() && belowTemp(text),
		Span:     x.span,
	}
}

// joined reports whether what is there is one argument at most: no unknown part
// splits it.
func (x *expander) joined() bool { return !x.many || x.ones == x.unknowns && !x.st.ifs }

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
	x.unknowns++
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
			if dir := x.printsDir(p); dir != "" && !strings.ContainsAny(dir, " \t\n*?[\\") {
				x.value(dir)
				continue
			}
			x.substitution(p, true)
		case *syntax.ArithmExp:
			x.numbers++
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
			if dir := x.printsDir(p); dir != "" {
				x.value(dir)
				continue
			}
			x.substitution(p, false)
		case *syntax.ArithmExp:
			x.numbers++
			x.unknown(false)
		default:
			x.w.doubt(dUnknownNode, x.span, "")
			x.unknown(false)
		}
	}
	x.quoted = was
}

// printsDir returns what $(pwd) stands for when it is known, else "".
func (x *expander) printsDir(p *syntax.CmdSubst) string {
	if len(p.Stmts) != 1 || len(p.Stmts[0].Redirs) > 0 || p.Stmts[0].Negated || p.Stmts[0].Background {
		return ""
	}
	call, ok := p.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) != 1 || call.Args[0].Lit() != "pwd" {
		return ""
	}
	return x.st.pwd()
}
