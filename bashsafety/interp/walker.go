// Package interp walks the tree of a shell text in the order it would run, with
// variables, working directory, redirects and launchers, and lists every command
// with its effects. Bash and PowerShell are its two doors.
package interp

import (
	"path"
	"strings"
	"sync"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
	"mvdan.cc/sh/v3/syntax"
)

// Bash walks a bash text. It reports false when the walk broke off: no check looks at half of it.
func Bash(text string, env analysis.Env) (s *analysis.Analysis, whole bool) {
	s, whole, trusted := walked(text, env, temps(text))
	if !trusted {
		s, whole, _ = walked(text, env, nil)
	}
	return s, whole
}

// walked walks a text, and reports whether the variables that are taken for temporary folders are nothing else.
func walked(text string, env analysis.Env, temps []string) (s *analysis.Analysis, whole, trusted bool) {
	w, c, st := start(text, env)
	w.temps = temps
	var ever []string
	s, st.Ever = w.s, &ever
	defer s.DoubtPanic()
	w.text(text, c, st)
	w.doubtReachableEvals()
	w.holdRunData()
	w.trapsMeet(ever)
	w.doubtNumeric()
	w.finish(st)
	return s, true, len(temps) == 0 || len(s.Doubts) == 0 && !w.mistaken && !w.anyOther
}

// start makes a walker for a text, in one piece with what it starts with.
func start(text string, env analysis.Env) (*walker, *ctx, *words.State) {
	if env.Home != "" {
		env.Home = path.Clean(env.Home)
	}
	var all struct {
		w  walker
		s  analysis.Analysis
		c  ctx
		fr words.Frame
		st words.State
	}
	all.s.Text, all.s.Env = text, env
	all.w.s, all.w.budget = &all.s, newBudget()
	all.w.Reader = words.Reader{Walk: &all.w, Env: env}
	all.fr.Src, all.c.fr = text, &all.fr
	st := &all.st
	if strings.HasPrefix(env.Cwd, "/") {
		st.Cwd.Dirs = []string{path.Clean(env.Cwd)}
	}
	if env.Dir != "" {
		st.Cwd = shell.CwdState{Moved: true}
		if env.Dir[0] == '/' {
			st.Cwd.Dirs = []string{path.Clean(env.Dir)}
		}
	}
	return &all.w, &all.c, st
}

// A walker goes through the text in the order it would run and fills the Analysis.
type walker struct {
	s *analysis.Analysis
	words.Reader
	budget
	moves bool // the text changes the working directory somewhere
	// tangled is set by what runs commands again, or at another time than their place says.
	tangled bool
	evals
	written int       // texts of files that were followed, see runsWritten
	added   int       // commands of those texts
	puts    bool      // something before may have written a file
	waits   []waiting // commands that may run what is written after them
	// descriptors are those that redirects opened, the last of a number counts.
	descriptors []descriptor
	muted       int // guesses around: no doubts
	errexits    int // times set -e may have been switched
	depth       int // levels of nesting
	loops       int // loops around, and lists in the background
	pipes       int // pipelines around
	endless     int // loops around of which the number of rounds is not known
	runs        int // levels of text inside text
	scripts     []pendingScript
	chain       int              // scripts around that run one another
	source      *analysis.Origin // the script that is walked, nil for the text itself
	calling     *syntax.CallExpr // the call that is walked
	shown       []string         // NAME=value of the variables set before whose value was followed
	// functions are those that were declared so far, followed the calls of which the body was walked,
	// open what those are to say.
	functions []*function
	followed  []followed
	open      []followed
	movers    []string // functions that may change the directory by the words of a call
	temporaries
}

// A ctx is how a command came to be run. It is never changed, only copied.
type ctx struct {
	fr       *words.Frame
	via      []string
	outer    []shell.Word // time, in front of a command
	blockers []string     // from the launchers around
	stdin    input
	from     []int // subcommands at the other end of the pipe
	commands.Standing
	posix bool // the shell may be unlike bash
}

func (c *ctx) span(n syntax.Node) shell.Span { return c.fr.Span(n) }

// source is the text of a node, "" where it has no place in the text.
func (c *ctx) source(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from >= to || to > len(c.fr.Src) {
		return ""
	}
	return c.fr.Src[from:to]
}

// through returns a copy of the context one step further in.
func (c *ctx) through(via string) *ctx {
	n := *c
	n.outer = nil
	if via != "" {
		n.via = append(n.via[:len(n.via):len(n.via)], via)
	}
	return &n
}

// text analyses a shell text: limits, parser, cross-check, walk.
func (w *walker) text(src string, c *ctx, st *words.State) outcome {
	whole := c.fr.At(0, len(src))
	if len(src) > shell.MaxBytes {
		w.Doubt(analysis.DoubtTooLong, whole, "")
		src = shell.CompleteLines(src[:shell.MaxBytes])
	}
	w.unicode(src, c)
	if deep(src) {
		w.Doubt(analysis.DoubtTooDeep, whole, "")
		w.pieces(src, 0, c, st)
		return outcome{}
	}
	read := w.parsed(src)
	file, err := read.File, read.Err
	if deepTree(src, file) {
		w.Doubt(analysis.DoubtTooDeep, whole, "")
		w.pieces(src, 0, c, st)
		return outcome{}
	}
	stmts := file.Stmts
	rest := len(src)
	if err != nil {
		w.parseError(err, c)
		rest = 0
		if n := len(stmts); n > 0 {
			rest = int(stmts[n-1].End().Offset())
		}
	}
	declared := len(w.Funcs)
	w.crossCheck(read, c)
	if len(w.Funcs) == declared && !(strings.Contains(src, "done") && shell.ContainsAny(src, "&", "start")) {
		file = nil
	}
	w.s.Files = append(w.s.Files, file)
	out := w.stmts(stmts, c, st)
	if err != nil {
		rest = min(rest, len(src))
		w.pieces(src[rest:], rest, c, st)
	}
	return out
}

// parsers are those that read a text to its end: each holds buffers of 2 KiB.
var parsers = sync.Pool{New: func() any {
	return &textParser{Parser: syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash))}
}}

type textParser struct {
	*syntax.Parser
	src strings.Reader
}

// parsed is what was read of a text before, else what the parser makes of it now.
func (w *walker) parsed(src string) *analysis.Parsed {
	had := w.Env.Parsed
	if had != nil && had.File != nil && had.Src == src {
		return had
	}
	if had == nil || had.File != nil {
		had = new(analysis.Parsed)
	}
	had.Src = src
	had.File, had.Err = parse(src)
	return had
}

// parse returns the file, or the statements before the first error, and the error.
func parse(src string) (*syntax.File, error) {
	p := parsers.Get().(*textParser)
	p.src.Reset(src)
	file, err := p.Parse(&p.src, "")
	if err == nil {
		parsers.Put(p)
		return file, nil
	}
	file = &syntax.File{}
	failed := false // the parser may go on after an error; a break would panic
	for stmt, e := range p.StmtsSeq(strings.NewReader(src)) {
		if failed = failed || e != nil; !failed {
			file.Stmts = append(file.Stmts, stmt)
		}
	}
	return file, err
}

func (w *walker) parseError(err error, c *ctx) {
	at, detail := 0, err.Error()
	switch e := err.(type) {
	case syntax.ParseError:
		at, detail = int(e.Pos.Offset()), e.Text
	case syntax.LangError:
		at = int(e.Pos.Offset())
	}
	w.Doubt(analysis.DoubtParse, c.fr.At(at, at), detail)
}

// finish completes what needs the whole list.
func (w *walker) finish(st *words.State) {
	w.runsLater()
	w.doubtFollowed()
	w.expandScripts()
	w.followOwnSymlinks()
	w.s.Straight = !w.tangled
	for i := range w.s.Subcommands {
		s := &w.s.Subcommands[i]
		s.Span.Start = max(0, min(s.Span.Start, len(w.s.Text)))
		s.Span.End = max(s.Span.Start, min(s.Span.End, len(w.s.Text)))
	}
	if len(st.Blockers) > 0 {
		w.s.Lingers = st.Blockers[0]
	}
}

// Doubt records a doubt once per place; detail, when given, comes first.
func (w *walker) Doubt(kind analysis.DoubtKind, span shell.Span, detail string) {
	switch kind {
	case analysis.DoubtTooLong, analysis.DoubtTooDeep, analysis.DoubtTooMany, analysis.DoubtTooMuch:
		// beyond a limit nothing was seen, wherever it runs
	default:
		if w.muted > 0 {
			return
		}
	}
	w.AddDoubt(kind.At(span, detail))
}

// AddDoubt names the script that a doubt is about.
func (w *walker) AddDoubt(d shell.Doubt) {
	if w.source != nil {
		d.Msg = w.source.String() + ": " + d.Msg
	}
	w.s.AddDoubt(d)
}

// unicode doubts characters that show something else than what runs, in quotes too: a prompt shows
// all.
func (w *walker) unicode(src string, c *ctx) {
	switch i, n, control := crosscheck.Unseen(src); {
	case n == 0:
	case control:
		w.Doubt(analysis.DoubtControl, c.fr.At(i, i+n), "")
	default:
		w.Doubt(analysis.DoubtUnicode, c.fr.At(i, i+n), "")
	}
}

// crossCheck doubts the places where two readings of a text disagree.
func (w *walker) crossCheck(text *analysis.Parsed, c *ctx) {
	src := text.Src
	if text.Compare == nil {
		compared := crosscheck.Compare(src, text.File, text.Err == nil)
		text.Compare = &compared
	}
	read := text.Compare
	w.Funcs = append(w.Funcs, read.Funcs...)
	w.moves = w.moves || read.Moves
	if read.At >= 0 {
		w.Doubt(analysis.DoubtParserDiff, c.fr.At(read.At, min(read.At+1, len(src))), read.Detail)
	}
	if z := &read.Zsh; z.What != "" {
		w.Doubt(analysis.DoubtZsh, c.fr.At(z.From, min(z.To, len(src))), z.What)
	}
	for _, b := range read.Blanks {
		w.Doubt(analysis.DoubtUnicode, c.fr.At(b[0], b[1]), "a space character that the shell does not treat as a space")
	}
}
