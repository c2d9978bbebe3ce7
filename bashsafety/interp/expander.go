package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// An expander collects the arguments of one word. buf holds the current one as
// a pattern: literal * ? [ and \ are escaped by \.
type expander struct {
	w    *walker
	c    *ctx
	st   *state
	span shell.Span
	out  []shell.Word

	whole  bool // no splitting, no globbing
	assign bool // the argument looks like an assignment
	braced bool // brace expansion made the argument
	lone   bool // it holds a $ that is text: bash then splits in its own way
	quoted bool // inside double quotes or a here-document
	behind bool // the literal is not the first part of its word
	named  bool // after a ~ whose name is quoted or made: no shell's reading is the text
	hdoc   bool // in a here-document " is an ordinary character

	buf      []byte
	has      bool // there is an argument, if only an empty one
	escape   bool // buf holds an escape
	glob     bool
	open     bool // after an unquoted [ whose ] is still to come
	openAt   int  // where that [ is in buf
	more     bool // other parts of the word follow
	hole     bool
	many     bool // an unknown part may be several arguments or none
	quotes   bool // part of it was quoted
	numbers  int  // unknown parts that are integers
	unknowns int  // unknown parts
	tokens   int  // unknown parts that are words of which none is an option, see shell.Word.Tokens
	pipe     bool // the only part is a process substitution
	temp     bool // it starts with what mktemp printed
	ones     int  // unknown parts that are one word, or nothing
	digits   int  // unknown parts that are integers, or nothing, and not counted by numbers
	downs    int  // unknown parts that are names or paths without ".."
	nparts   int
}

// flush ends the current argument.
func (x *expander) flush() {
	if x.has {
		x.out = append(x.out, x.word())
	}
	x.buf, x.has, x.open, x.named = x.buf[:0], false, false, false
	x.escape, x.glob, x.hole, x.many, x.quotes, x.pipe = false, false, false, false, false, false
	x.temp, x.downs, x.ones, x.tokens = false, 0, 0, 0
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
		Temp:     x.staysInTemp(text),
		Span:     x.span,
	}
}

// numeric reports whether every unknown part is integers, or nothing.
func (x *expander) numeric() bool {
	return !x.glob && x.unknowns > 0 && x.numbers+x.digits == x.unknowns
}

// finished returns the text of the current argument.
func (x *expander) finished() string {
	if x.many && x.st.nullglob { // what the hole holds may be a pattern that finds nothing and takes the word with it
		return shell.HoleMark
	}
	if x.escape && !x.glob {
		return unescape(x.buf)
	}
	return string(x.buf)
}

// staysInTemp reports whether the word is one path below what mktemp made.
func (x *expander) staysInTemp(text string) bool {
	return x.temp && x.unknowns == 1 && x.oneArgument() && commands.BelowTemp(text)
}

// leadsDown reports whether the unknown parts are numbers and names without
// ".." and the word leads nowhere else with them.
func (x *expander) leadsDown(text string) bool {
	if x.glob || x.unknowns == 0 || x.numbers+x.downs != x.unknowns {
		return false
	}
	return (x.oneArgument() || text == shell.HoleMark) && commands.StaysDown(text)
}

// oneArgument reports whether the word is one argument at most: no pattern, and
// no unknown part that splits it.
func (x *expander) oneArgument() bool {
	return !x.glob && (!x.many || x.ones == x.unknowns && !x.st.ifs)
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
