package words

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"mvdan.cc/sh/v3/syntax"
)

// An expander collects the arguments of one word. buf holds the current one as
// a pattern: literal * ? [ and \ are escaped by \.
type expander struct {
	r    *Reader
	fr   *Frame
	st   *State
	span shell.Span
	out  []shell.Word

	whole  bool // no splitting, no globbing
	assign bool // the argument looks like an assignment
	braced bool // brace expansion made the argument
	lone   bool // it holds a $ that is text: bash then splits in its own way
	quoted bool // inside double quotes or a here-document
	later  bool // the literal is not the first part of its word
	named  bool // after a ~ whose name is quoted or expanded: every shell reads another text
	hdoc   bool // in a here-document " is an ordinary character

	buf      []byte
	has      bool // there is an argument, if only an empty one
	escape   bool // buf holds an escape
	glob     bool
	open     bool // after an unquoted [ whose ] is still to come
	openAt   int  // where that [ is in buf
	more     bool // other parts of the word follow
	hole     bool
	many     bool           // an unknown part may be several arguments or none
	quotes   bool           // part of it was quoted
	numbers  int            // unknown parts that are integers
	unknowns int            // unknown parts
	tokens   int            // unknown parts that are words but no options, see shell.Word.Tokens
	pipe     bool           // the only part is a process substitution
	temp     bool           // it starts with what mktemp printed
	alone    bool           // that may be nothing, see shell.Word.Alone
	list     *shell.Listing // of which it starts with a name
	ones     int            // unknown parts that are one word, or nothing
	digits   int            // unknown parts that are integers, or nothing, and not counted by numbers
	downs    int            // unknown parts that are names or paths without ".."
	names    int            // unknown parts that basename prints
	nparts   int
}

// flush ends the current argument.
func (x *expander) flush() {
	if x.has {
		x.out = append(x.out, x.word())
	}
	x.buf, x.has, x.open, x.named = x.buf[:0], false, false, false
	x.escape, x.glob, x.hole, x.many, x.quotes, x.pipe = false, false, false, false, false, false
	x.temp, x.alone, x.list, x.downs, x.ones, x.tokens, x.names = false, false, nil, 0, 0, 0, 0
	x.nparts, x.numbers, x.digits, x.unknowns = 0, 0, 0, 0
}

func (x *expander) word() shell.Word {
	text := x.finished()
	globLen := 0
	if x.glob && !x.hole {
		globLen = len(text)
	}
	single, tokens := !x.many && !x.glob, x.onlyTokens()
	return shell.Word{
		GlobLen:  int32(globLen),
		Text:     text,
		Known:    !x.hole && !x.glob,
		Single:   single,
		Glob:     x.glob,
		Quoted:   x.quotes || x.quoted,
		Number:   x.numbers == 1 && x.nparts == 1,
		Integers: single && x.numbers > 0 && x.numbers == x.unknowns,
		Numeric:  x.numeric(),
		NoDash:   tokens && x.noDash(text),
		Tokens:   tokens,
		Pipe:     x.pipe && x.nparts == 2,
		Down:     x.leadsDown(text),
		NoSlash:  !x.glob && x.unknowns > 0 && x.numbers+x.names == x.unknowns,
		Temp:     x.staysInTemp(text),
		List:     x.listed(text),
		Alone:    x.alone,
		Span:     x.span,
	}
}

// numeric reports whether every unknown part is integers, or nothing.
func (x *expander) numeric() bool {
	return !x.glob && x.unknowns > 0 && x.numbers+x.digits == x.unknowns
}

// finished returns the text of the current argument.
func (x *expander) finished() string {
	if x.many && x.st.Nullglob { // what the hole holds may be a pattern that finds nothing and takes the word with it
		return shell.HoleMark
	}
	if x.escape && !x.glob {
		return unescape(x.buf)
	}
	return string(x.buf)
}

// staysInTemp reports whether the word is one path below what mktemp made.
func (x *expander) staysInTemp(text string) bool {
	if x.alone && text != shell.HoleMark {
		return false
	}
	return x.temp && x.unknowns == 1 && x.oneArgument() && commands.BelowTemp(text)
}

// leadsDown reports whether the unknown parts are numbers and names without
// ".." and the word leads nowhere else with them.
func (x *expander) leadsDown(text string) bool {
	if x.glob || x.unknowns == 0 || x.numbers+x.downs+x.names != x.unknowns {
		return false
	}
	if x.names > 0 && !named(text) {
		return false
	}
	return (x.oneArgument() || text == shell.HoleMark) && commands.StaysDown(text)
}

// named reports whether no name that is filled in makes a component of the word "..", and none
// that is a slash its root.
func named(text string) bool {
	for i, part := range strings.Split(text, "/") {
		rest := strings.Trim(strings.ReplaceAll(part, shell.HoleMark, ""), ".")
		if strings.Contains(part, shell.HoleMark) && (i == 0 || rest == "") {
			return false
		}
	}
	return true
}

// oneArgument reports whether the word is one argument at most: no pattern, and
// no unknown part that splits it.
func (x *expander) oneArgument() bool {
	return !x.glob && (!x.many || x.ones == x.unknowns && !x.st.IFS)
}

// listed is the listing of which the word is one name, perhaps in parts, or all names in one text where it is Fed.
func (x *expander) listed(text string) *shell.Listing {
	if x.list == nil || x.unknowns != 1 || text != shell.HoleMark {
		return nil
	}
	split := *x.list
	if split.Split, split.Fed = x.many || split.Split, !x.many && split.Fed; split.Fed && !x.whole {
		return nil
	}
	return &split
}

// text adds literal characters.
func (x *expander) text(s string) {
	x.has = true
	x.nparts++
	x.literals(s)
}

func (x *expander) literals(s string) {
	if !x.named && !x.open && !strings.ContainsAny(s, "*?[\\\x00") {
		x.buf = append(x.buf, s...)
		return
	}
	for i := 0; i < len(s); i++ {
		x.literal(s[i])
	}
}

func (x *expander) literal(b byte) {
	if x.named {
		return // the unknown part in front holds it
	}
	if x.inBracket(b) {
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

// unknown adds a hole; several says that it may be any number of arguments. In
// an open bracket pattern the hole takes the pattern with it: it may close it.
func (x *expander) unknown(several bool) {
	if x.open {
		x.buf, x.open, several = x.buf[:x.openAt], false, true
	}
	x.has, x.hole = true, true
	x.many = x.many || several && !x.whole
	x.nparts++
	x.unknowns++
	x.buf = append(x.buf, shell.HoleMark[0])
}

// parts adds the parts of a word, or of text in double quotes or a here-document.
// tilde says that a tilde at its start is expanded.
func (x *expander) parts(parts []syntax.WordPart, tilde bool) {
	outer := x.more
	defer func() { x.more = outer }()
	for i := 0; i < len(parts); i++ {
		if n := x.zshExpands(parts, i); n > 0 {
			i += n - 1
			continue
		}
		x.more = outer || i < len(parts)-1
		switch p := parts[i].(type) {
		case *syntax.Lit:
			if x.quoted {
				x.dquoteLit(p.Value)
				continue
			}
			if zshParam(parts, i) {
				x.r.Walk.Doubt(analysis.DoubtZsh, x.span, "$ and one of ~ = ^ + expand a variable in zsh")
			}
			x.later = i > 0
			x.lit(p.Value, tilde && i == 0, !x.more, tilde)
		case *syntax.ParamExp:
			x.param(p)
		case *syntax.CmdSubst:
			x.cmdSubst(p)
		case *syntax.ArithmExp:
			x.numbers++
			x.unknown(false)
		default:
			if x.quoted {
				x.r.Walk.Doubt(analysis.DoubtUnknownNode, x.span, "")
				x.unknown(false)
				continue
			}
			x.unquotedPart(p)
		}
	}
}

// unquotedPart adds a part that means something outside double quotes alone.
func (x *expander) unquotedPart(part syntax.WordPart) {
	switch p := part.(type) {
	case *syntax.SglQuoted:
		x.sglQuoted(p)
	case *syntax.DblQuoted:
		x.quotes, x.has = true, true
		if p.Dollar {
			x.r.Walk.Doubt(analysis.DoubtZsh, x.span, "the $ in front of the quotes is text in zsh")
		}
		x.quoted = true
		x.parts(p.Parts, false)
		x.quoted = false
	case *syntax.ProcSubst:
		if len(p.Stmts) == 0 { // <() is no argument at all
			x.unknown(true)
			return
		}
		if x.whole { // a value: /proc/self/fd/10 in zsh
			x.text("/")
		} else {
			x.text("/dev/fd/")
		}
		x.unknown(false)
		x.pipe = true
	case *syntax.ExtGlob:
		x.glob = true
		x.unknown(true)
	case *syntax.BraceExp: // only in what braces made, never in a word
		x.unknown(true)
	default:
		x.r.Walk.Doubt(analysis.DoubtUnknownNode, x.span, "")
		x.unknown(true)
	}
}

// cmdSubst adds what a command substitution prints.
func (x *expander) cmdSubst(p *syntax.CmdSubst) {
	if dir := x.printsDir(p); dir != "" && (x.quoted || !commands.MayExpand(dir)) {
		x.value(dir)
		return
	}
	if text, ok := x.prints(p); ok && (x.quoted || !x.splits(text)) {
		x.text(text)
		return
	}
	x.substitution(p, !x.quoted)
}

// soleCall returns the words of a list that is one call without redirects and
// assignments, nil for any other.
func soleCall(stmts []*syntax.Stmt) []*syntax.Word {
	if len(stmts) != 1 || len(stmts[0].Redirs) > 0 {
		return nil
	}
	return plainCall(stmts[0])
}

// printsDir returns the directory $(pwd) prints when it is known, else "".
func (x *expander) printsDir(p *syntax.CmdSubst) string {
	if call := soleCall(p.Stmts); len(call) == 1 && call[0].Lit() == "pwd" {
		return x.st.pwd()
	}
	return ""
}

// substitution adds what a command prints. Most often nothing is known of it;
// the tables say of some commands that they print tokens only, and such a word
// cannot be an option.
func (x *expander) substitution(p *syntax.CmdSubst, several bool) {
	if !x.open && x.printsTokens(p.Stmts) {
		x.tokens++
	}
	if len(x.buf) == 0 && !x.hole && x.makesTemp(p.Stmts) {
		x.temp, x.alone = true, false
		x.ones++
	}
	if one, ok := x.printsNumbers(p.Stmts); ok {
		x.downs++
		if one {
			x.ones++
		}
	}
	if x.printsName(p.Stmts) {
		x.names++
	}
	if first := len(x.buf) == 0 && !x.hole; first && (several || x.whole) && len(p.Stmts) == 1 {
		if l := x.r.Listed(p.Stmts, x.fr, x.st); l != nil && !l.Null {
			x.list, l.Fed = l, x.whole
		}
	}
	if x.r.printsIntegers(p.Stmts, x.fr, x.st) {
		x.digits++
	}
	x.unknown(several)
}

// printsName reports whether a substitution is basename, by its own name and with any words.
func (x *expander) printsName(stmts []*syntax.Stmt) bool {
	if len(stmts) != 1 {
		return false
	}
	call := plainCall(stmts[0])
	return len(call) > 1 && call[0].Lit() == "basename" && !x.r.Replaced("basename", x.st)
}

// onlyTokens reports whether the unknown parts are tokens or numbers.
func (x *expander) onlyTokens() bool {
	return x.tokens > 0 && x.tokens+x.numbers == x.unknowns && !x.st.IFS
}

// noDash reports whether a word whose unknown parts are tokens, or nothing, makes no
// argument that starts with -, as a pattern or a number may.
func (x *expander) noDash(text string) bool {
	rest := strings.TrimLeft(text, shell.HoleMark)
	return !x.glob && !strings.HasPrefix(rest, "-") && (x.numbers == 0 || rest == text)
}

// printsTokens reports whether a substitution is one plain command, all of it
// literal, that prints tokens. It may discard what it says of errors.
func (x *expander) printsTokens(stmts []*syntax.Stmt) bool {
	argv := plainArgv(stmts)
	if len(argv) == 0 {
		return false
	}
	c := commands.Describe(argv, &shell.CwdState{}, "")
	if c.Cmd == nil || c.Sub.Rare().Tokens == nil || !x.r.system(argv[0].Text, x.st) {
		return false
	}
	return c.Understood() && len(c.Facts.Narrow) == 0 && c.Sub.Rare().Tokens(c)
}

// plainArgv returns the words of a substitution that is one plain command, all
// of it literal; nil for any other. It may discard what it says of errors.
func plainArgv(stmts []*syntax.Stmt) []shell.Word {
	if len(stmts) != 1 {
		return nil
	}
	argv := make([]shell.Word, 0, 4)
	for _, word := range plainCall(stmts[0]) {
		lit := PlainLit(word)
		if lit == "" {
			return nil
		}
		argv = append(argv, shell.Word{Text: lit, Known: true, Single: true})
	}
	return argv
}

// plainCall returns the words of a statement that is one command without
// assignments; the only redirect may discard errors. It is nil for any other.
func plainCall(s *syntax.Stmt) []*syntax.Word {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || !InForeground(s) {
		return nil
	}
	for _, r := range s.Redirs {
		if !discardsErrors(r) {
			return nil
		}
	}
	return call.Args
}

func discardsErrors(r *syntax.Redirect) bool {
	return r.Op == syntax.RdrOut && r.N != nil && r.N.Value == "2" && PlainLit(r.Word) == "/dev/null"
}

// printsNumbers reports whether a substitution is one plain command that prints
// numbers: seq, or date by a format of them; one is set where it is a single word.
func (x *expander) printsNumbers(stmts []*syntax.Stmt) (one, ok bool) {
	argv := plainArgv(stmts)
	if len(argv) == 0 || !x.r.system(argv[0].Text, x.st) {
		return false, false
	}
	switch commands.TableName(commands.ProgramName(argv)) {
	case "seq":
		for i := range argv[1:] {
			if !shell.Number(argv[i+1].Text) {
				return false, false
			}
		}
		return false, len(argv) > 1
	case "date":
		return true, commands.DateTokens(commands.Describe(argv, &shell.CwdState{}, ""))
	}
	return false, false
}

// prints returns the text that a substitution certainly prints: one echo or printf
// of literal words, without the newlines at its end. A command that is named that
// way is asked about.
func (x *expander) prints(p *syntax.CmdSubst) (string, bool) {
	if x.r.Naming {
		return "", false
	}
	call := soleCall(p.Stmts)
	if len(call) < 2 || !AllLiteral(call) {
		return "", false
	}
	out, ok := x.r.LiteralOutput(p.Stmts[0], x.fr, x.st)
	if !ok || !x.r.Walk.Spend(len(out.Text)) {
		return "", false
	}
	return strings.TrimRight(out.Text, "\n"), true
}

// splits reports whether an unquoted text is not surely one argument as it is.
func (x *expander) splits(text string) bool {
	return text == "" || x.st.IFS || commands.MayExpand(text)
}

// AllLiteral reports whether the words hold nothing that is expanded.
func AllLiteral(words []*syntax.Word) bool {
	for _, word := range words {
		for _, part := range word.Parts {
			switch p := part.(type) {
			case *syntax.Lit:
			case *syntax.SglQuoted:
				if p.Dollar {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// InForeground reports whether a statement runs in its place and ends as its
// command does.
func InForeground(s *syntax.Stmt) bool {
	return !s.Negated && !s.Background && !s.Coprocess && !s.Disown
}
