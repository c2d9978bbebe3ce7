// Package powershell reads PowerShell texts: it lists the cmdlets that a text runs with their effects, and hands
// the programs that it starts to the walk that it is part of.
package powershell

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Walk is the walk that a PowerShell text is part of: it lists what the text runs, and knows what to make of
// programs.
type Walk interface {
	// Add lists a command and returns its index, -1 when there are too many.
	Add(analysis.Subcommand) int
	AddDoubt(shell.Doubt)
	// Full reports whether there are too many commands, so that nothing more is read.
	Full() bool
	// TakeText reports whether n more bytes of text inside text may be read.
	TakeText(n int) bool
	// Blockers are the reasons why no patterned rule covers what follows.
	Blockers() []string
	AddBlocker(why string)
	// Run lists a program by the tables of bash.
	Run(*Program)
}

// A Program is a command that is no cmdlet.
type Program struct {
	Argv   []shell.Word
	Source string     // the PowerShell text
	Span   shell.Span // the command in it
	Via    []string
	Piped  bool        // it reads the output of From
	From   []int       // subcommands, by index
	Stdin  *shell.Word // the text it is given, nil for none
	Loops  int         // loops, functions and script blocks around
}

// A Text is a PowerShell text and the place where it was found.
type Text struct {
	Analysis *analysis.Analysis // of the walk
	Cwd      *shell.CwdState
	Source   string
	Span     *shell.Span // of the word that holds the text, nil for the text itself
	Levels   int         // of nesting around it
	Via      []string
}

// Read lists what a text runs.
func Read(w Walk, t *Text) {
	p := psParser{w: w, a: t.Analysis, cwd: t.Cwd, levels: t.Levels, s: t.Source, span: t.Span, via: t.Via}
	if t.Span != nil {
		p.depth = 1
	}
	p.read()
}

// read reads the text twice.
func (p *psParser) read() {
	p.facts.sets, p.facts.plain, p.facts.calls = map[string]int{}, map[string]int{}, map[string][]psWord{}
	p.dry = true
	p.stmts(0)
	p.dry, p.i, p.sets = false, 0, nil
	if p.facts.hops { // a loop comes back with another directory
		*p.cwd = shell.CwdState{Moved: true}
	}
	from := len(p.a.Subcommands)
	p.stmts(0)
	if p.facts.assigns {
		p.unprove(from, "a property is assigned")
	}
}

// CmdletName is the canonical name of a command in lower case.
func CmdletName(name string) string {
	name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	if c := cmdletOf(name); c != nil {
		return strings.ToLower(c.name)
	}
	return name
}

// A psParser reads a PowerShell text twice: the first time, dry, to learn what
// the whole text assigns and defines, the second time to list what it runs.
// There is no tree: a command is listed where its last word was read.
type psParser struct {
	w      Walk
	a      *analysis.Analysis // of the walk
	cwd    *shell.CwdState
	levels int // of nesting around the text
	s      string
	i      int
	depth  int // levels of brackets
	loops  int // loops, functions and script blocks around
	dry    bool
	span   *shell.Span // of the word that holds the text, nil for the text itself
	drive  string      // where the working directory may be that is no folder: hkcu
	via    []string
	facts  psFacts
	vars   []psBinding
	seen   string     // the variable that was read last
	item   *psWord    // what is known of $_
	blocks *psWord    // ... in the blocks among the words that are read
	args   []psWord   // what the function that is read is given, while its parameters are not read
	sets   []psTarget // what the expression that is read could assign to
	leaves []int      // where break, return, throw and exit are
}

// psFacts are what the first reading found out.
type psFacts struct {
	sets  map[string]int      // how often each variable is assigned
	plain map[string]int      // ... texts
	calls map[string][]psWord // what each command is given, see called
	funcs []string            // functions the text defines, in lower case
	env   bool                // the drive of the environment is named
	items bool                // an item of any drive may be set, at a place that is not known yet
	byRef bool                // variables may be set by name: Set-Variable, [ref], -OutVariable
	parts bool                // an element of something is assigned
	hops  bool                // the directory changes in a loop, function or block
	// assigns is set when a property is assigned, which may change what the object is of: a process, a service.
	assigns bool
}

// A psWord is a word and what else is known of it.
type psWord struct {
	shell.Word
	folder string // the whole value as a path, where Text is a hole: $HOME\x
	partly string // the same with holes
	bare   bool   // nothing of it is quoted
	kind   psKind
	here   bool // $PWD, or another place, whose path is folder
	block  bool // a script block
	splat  bool // @args: any number of parameters
	more   []psWord
	list   []psWord // the elements, where all are known
	under  string   // it is a file that a listing found below this folder
}

// A psBinding is a variable of which something is known up to the end of the block.
type psBinding struct {
	name string
	word psWord
}

// A psTarget is something an expression names that could be assigned to.
type psTarget struct {
	variable string // name in lower case
	member   string // of what came before, in lower case
	static   bool   // member is one of a type, spelled type::member
	typ      string // what is assigned becomes one of this type
}

func psHole(start, end int) psWord {
	return psWord{Word: shell.Word{Text: shell.HoleMark, Single: true, Span: shell.Span{Start: start, End: end}}}
}

// A mild doubt is about a construct that can run nothing.
func (p *psParser) doubt(kind analysis.DoubtKind, hides shell.Hiding, detail string, start int) {
	if p.dry {
		return
	}
	span := shell.Span{Start: min(start, len(p.s)), End: min(max(start, p.i), len(p.s))}
	if p.span != nil {
		span = *p.span
	}
	d := kind.At(span, detail)
	d.Hides = hides
	p.w.AddDoubt(d)
}

// broken says that the text is not understood here.
func (p *psParser) broken(detail string) {
	p.doubt(analysis.DoubtPowerShell, shell.HidesAll, detail, p.i)
}

// enter goes one level of brackets in; false, and the rest is only searched,
// when there are too many.
func (p *psParser) enter() bool {
	p.depth++
	if p.depth+p.levels <= shell.MaxNesting && !p.w.Full() {
		return true
	}
	if p.depth--; !p.w.Full() {
		p.doubt(analysis.DoubtTooDeep, shell.HidesAll, "", p.i)
	}
	if !p.dry && !p.w.Full() {
		p.pieces(p.s[p.i:], p.i)
	}
	p.i = len(p.s)
	return false
}

// group reads the statements in brackets; the cursor is on the opening one.
func (p *psParser) group(shut byte) (all psWord) {
	p.i++
	defer func(n int) { p.vars = p.vars[:n] }(len(p.vars))
	if p.enter() {
		all = p.stmts(shut)
		p.depth--
	}
	return all
}

// stmts reads statements up to the closing byte, 0 for the end of the text, and returns what they make together.
func (p *psParser) stmts(shut byte) (all psWord) {
	for all.kind, all.list = psTexts, []psWord{}; ; {
		p.blank(true)
		if p.i >= len(p.s) || p.w.Full() {
			if shut != 0 && !p.w.Full() {
				p.broken("an unclosed bracket")
			}
			return all
		}
		switch c := p.s[p.i]; {
		case c == ';':
			p.i++
		case c == shut:
			p.i++
			return all
		case c == ')' || c == '}' || c == ']':
			p.broken("an unmatched bracket")
			p.i++
		default:
			from := p.i
			all.with(p.stmt())
			if p.i == from {
				_, n := p.rune()
				p.broken("an unexpected character")
				p.i += n
			}
		}
	}
}

// stmt reads one statement. The answer is its value when that is one string or
// plain value, nil where nothing is known of it.
func (p *psParser) stmt() *psWord {
	sets := p.sets
	defer func() { p.sets = sets }()
	if c := p.peek(0); c == ':' && psName(p.peek(1)) { // a label
		for p.i++; psName(p.peek(0)); p.i++ {
		}
		p.blank(true)
	}
	name, _, _ := strings.Cut(p.s[p.i:], "(")
	if p.peek(0) == '[' && shell.Listed(psAttributes, strings.ToLower(name[1:])) {
		p.attribute()
		p.blank(true)
		return p.stmt()
	}
	if p.compound(p.keyword()) {
		return nil
	}
	return p.chain()
}

// keyword returns the word at the cursor where it can be one of the language.
func (p *psParser) keyword() string {
	n := 0
	for n < 16 && p.peek(n)|0x20 >= 'a' && p.peek(n)|0x20 <= 'z' {
		n++
	}
	if n == 0 || p.peek(n) != 0 && strings.IndexByte(" \t\r\n({;})|[-#`$\"'", p.peek(n)) < 0 {
		return ""
	}
	if p.peek(n) == '-' {
		return ""
	}
	return strings.ToLower(p.s[p.i : p.i+n])
}

// chain reads pipelines joined by && and ||.
func (p *psParser) chain() *psWord {
	from := len(p.a.Subcommands)
	value := p.pipeline()
	for {
		p.blank(false)
		switch {
		case p.at("&&", "||"):
			value = nil
			p.i += 2
			p.blank(true)
			p.pipeline()
			continue
		case p.at("&"):
			p.i++
			p.blank(false)
			for i := from; i < len(p.a.Subcommands); i++ { // what follows runs at the same time
				p.a.Subcommands[i].When.Again = true
			}
			p.unprove(from, "it is started in the background")
			return nil
		case !p.statementEnds():
			p.broken("text after the end of a statement")
			return nil
		}
		return value
	}
}

// pipeline reads stages joined by |.
func (p *psParser) pipeline() *psWord {
	var f psFlow
	if !p.dry {
		f.first = len(p.a.Subcommands)
	}
	blocks := p.blocks
	defer func() { p.blocks = blocks }()
	many := false // objects
	for stage := 0; ; stage++ {
		p.blank(false)
		p.blocks = f.value
		var value *psWord
		if from := p.i; p.startsExpression() {
			if stage > 0 {
				p.broken("an expression after a pipe")
			}
			value = p.value()
			p.outs(from)
			f.open, f.roots, f.text = true, nil, value
			f.strings = value != nil && value.Known
			many = manyRange(p.s[from:p.i])
		} else {
			loop := p.loop(from)
			value = p.command(&f)
			p.endLoop(loop, many)
			f.text = nil
		}
		if cwd := p.a.Env.Cwd + "/"; len(f.roots) == 1 && !f.open && cwd != "/" {
			if root := &f.roots[0]; root.Known && !root.Glob && strings.HasPrefix(root.Path, cwd) { // a part of the project
				value = &psWord{Word: psHole(p.i, p.i).Word, under: root.Path}
			}
		}
		f.value = value
		p.blank(false)
		if p.statementEnds() {
			p.i = p.nextPipe()
		}
		if !p.at("|") || p.at("||") {
			return value
		}
		p.i++
		p.blank(true)
		if !p.dry {
			f.mark = len(p.a.Subcommands)
		}
		f.piped = true
	}
}

// pastLines is where the text goes on after blanks and newlines.
func (p *psParser) pastLines() int {
	if p.peek(0) != '\n' && p.peek(0) != '\r' {
		return p.i
	}
	i := p.i
	for i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[i]) >= 0 {
		i++
	}
	if i < len(p.s) && p.s[i] == '|' {
		return i
	}
	return p.i
}

// nextPipe is where the pipe is that the next line starts with, or the cursor if
// there is no pipe.
func (p *psParser) nextPipe() int {
	next := p.pastLines()
	rest := p.s[next:]
	if p.at("||") || !strings.HasPrefix(rest, "|") || strings.HasPrefix(rest, "||") {
		return p.i
	}
	return next
}

// A psFlow is what reaches a stage of a pipeline.
type psFlow struct {
	first int     // index of the first command of the pipeline
	mark  int     // of the first of this stage
	piped bool    // there is a stage in front
	open  bool    // objects whose place is not known
	text  *psWord // all there is to it is this string, if it is known
	value *psWord // what is known of the objects
	// strings is set when the objects are certainly strings that name no file by a property.
	strings bool
	roots   []shell.Effect // the objects are files at or below these
}
