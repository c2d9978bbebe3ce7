package bashsafety

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Analyze says what the bash text would do. It never fails: what cannot be
// analysed becomes a Doubt. The work is bounded by budgets, and the same text
// always gives the same Script.
func Analyze(text string, env Env) (s *Script) {
	if env.Home != "" {
		env.Home = path.Clean(env.Home)
	}
	s = &Script{Text: text, env: env}
	w := &walker{s: s, env: env, budget: newBudget()}
	defer func() {
		if recover() != nil {
			w.doubt(dInternal, Span{0, len(text)}, "")
		}
	}()
	st := &state{}
	if strings.HasPrefix(env.Cwd, "/") {
		st.cwd.dirs = []string{path.Clean(env.Cwd)}
	}
	if env.Dir != "" {
		st.cwd = cwdState{moved: true}
		if env.Dir[0] == '/' {
			st.cwd.dirs = []string{path.Clean(env.Dir)}
		}
	}
	w.text(text, &ctx{fr: &frame{src: text}}, st)
	w.meet()
	w.expandScripts()
	w.behindLinks()
	w.finish()
	if len(st.narrow) > 0 {
		s.Lingers = st.narrow[0]
	}
	runChecks(s)
	return s
}

// A walker goes through the text in the order it would run and fills the Script.
type walker struct {
	s   *Script
	env Env
	budget
	funcs []string // every function the text declares
	moves bool     // the text changes the working directory somewhere
	// tangled is set by what runs its commands more than once, or at another time
	// than the place they stand at says.
	tangled bool
	evals
	muted    int // no doubts: text that runs elsewhere
	steps    int // work done, for tests
	errexits int // times set -e may have been switched
	depth    int // levels of nesting
	loops    int // loops around, and lists in the background
	runs     int // levels of text inside text
	scripts  []pending
	chain    int     // scripts around that run one another
	source   *Origin // the script that is walked, nil for the text itself
}

// A frame is one text that is parsed: the whole, or the argument of an eval.
type frame struct {
	src  string
	off  int  // where src starts in the text given to Analyze
	held bool // every place in it is holder
	span Span // the word that holds the text
}

// A ctx is how a command came to be run. It is never changed: whoever leads
// somewhere makes a copy.
type ctx struct {
	fr     *frame
	via    []string
	outer  []Word   // time, in front of a command
	narrow []string // from the launchers around
	stdin  input
	from   []int // subcommands at the other end of the pipe
	substs int   // command substitutions around
	// substText is the text in which the outermost of them stands, unlike
	// whether shells may not agree on where it ends.
	substText *frame
	unlike    bool
	split     bool // words without quotes become any number of words
	inSplit   bool // ... and so does the output of a substitution around
	remote    bool
	posix     bool // the shell may be none of bash's kind
}

func (c *ctx) span(n syntax.Node) Span {
	if c.fr.held {
		return c.fr.span
	}
	return Span{c.fr.off + int(n.Pos().Offset()), c.fr.off + int(n.End().Offset())}
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

// text analyses a whole shell text: limits first, then the parser, then the
// lexical cross-check, then the walk.
func (w *walker) text(src string, c *ctx, st *state) outcome {
	whole := c.fr.at(0, len(src))
	if len(src) > MaxBytes {
		w.doubt(dTooLong, whole, "")
		src = completeLines(src[:MaxBytes])
	}
	w.unicode(src, c)
	if deep(src) {
		w.doubt(dTooDeep, whole, "")
		w.pieces(src, 0, c, st)
		return outcome{}
	}
	file, err := parse(src)
	if deepTree(src, file) {
		w.doubt(dTooDeep, whole, "")
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
	declared := len(w.funcs)
	w.prepass(src, file, err == nil, c)
	if len(w.funcs) == declared {
		file = nil
	}
	w.s.files = append(w.s.files, file)
	out := w.stmts(stmts, c, st)
	if err != nil {
		rest = min(rest, len(src))
		w.pieces(src[rest:], rest, c, st)
	}
	return out
}

// at returns the span of src[from:to].
func (f *frame) at(from, to int) Span {
	if f.held {
		return f.span
	}
	return Span{f.off + from, f.off + to}
}

// parse returns what there is of the text: all of it, or the statements before
// the first error, and the error.
func parse(src string) (*syntax.File, error) {
	p := syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash))
	file, err := p.Parse(strings.NewReader(src), "")
	if err == nil {
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
	if c.remote {
		return // text that was only guessed to be shell
	}
	at, detail := 0, err.Error()
	switch e := err.(type) {
	case syntax.ParseError:
		at, detail = int(e.Pos.Offset()), e.Text
	case syntax.LangError:
		at = int(e.Pos.Offset())
	}
	w.doubt(dParse, c.fr.at(at, at), detail)
}

// finish completes what needs the whole list.
func (w *walker) finish() {
	w.s.straight = !w.tangled
	for i := range w.s.Subcommands {
		s := &w.s.Subcommands[i]
		s.Span.Start = max(0, min(s.Span.Start, len(w.s.Text)))
		s.Span.End = max(s.Span.Start, min(s.Span.End, len(w.s.Text)))
	}
}
