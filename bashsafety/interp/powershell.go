package interp

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/powershell"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
)

// PowerShell walks a PowerShell text and says what it would run. It
// reports false when the walk broke off.
func PowerShell(text string, env analysis.Env) (s *analysis.Analysis, whole bool) {
	w, c, st := start(text, env)
	s = w.s
	s.IsPowerShell, s.HasPowerShell = true, true
	defer s.DoubtPanic()
	if len(text) > shell.MaxBytes {
		w.Doubt(analysis.DoubtTooLong, shell.Span{Start: 0, End: len(text)}, "")
		text = shell.CompleteLines(text[:shell.MaxBytes])
	}
	w.unicode(strings.ReplaceAll(text, "\r\n", " \n"), c)
	powershell.Read(psWalk{w, st}, &powershell.Text{Analysis: s, Cwd: &st.Cwd, Source: text, Levels: w.depth})
	w.finish(st)
	return s, true
}

// powerShell reads the PowerShell text that a command of bash runs.
func (w *walker) powerShell(text *shell.Word, span shell.Span, c *ctx, st *words.State) {
	at := psWalk{w, st}
	if !text.Known || !at.TakeText(len(text.Text)) {
		w.Doubt(analysis.DoubtProgramText, span, "")
		return
	}
	at.st = st.Clone()
	w.foreign(c, func() {
		powershell.Read(at, &powershell.Text{
			Analysis: w.s, Cwd: &at.st.Cwd, Source: text.Text, Span: &span, Levels: w.depth, Via: c.via,
		})
	})
}

// cmd reads the words that the shell of Windows is given.
func (w *walker) cmd(argv []shell.Word, span shell.Span, c *ctx, st *words.State) {
	at := psWalk{w, st.Clone()}
	w.foreign(c, func() {
		powershell.ReadCmd(at, &powershell.Text{Analysis: w.s, Cwd: &at.st.Cwd, Span: &span, Levels: w.depth, Via: c.via}, argv)
	})
}

// foreign lists what a text of another shell runs.
func (w *walker) foreign(c *ctx, read func()) {
	from := len(w.s.Subcommands)
	read()
	for i := from; i < len(w.s.Subcommands); i++ {
		sub := &w.s.Subcommands[i]
		sub.ReadOnly, sub.Standing = false, cmp.Or(sub.Standing, c.Standing)
		sub.PatternBlockers = append(slices.Clip(sub.PatternBlockers), c.blockers...)
	}
	w.s.HasPowerShell = true
}

// A psWalk is a walk that a PowerShell text is part of, with what holds where the text is run.
type psWalk struct {
	*walker
	st *words.State
}

// Full reports whether there are too many commands.
func (w psWalk) Full() bool { return w.full }

// TakeText takes n bytes off the budget of text inside text, if there are as many.
func (w psWalk) TakeText(n int) bool {
	if n > w.textLeft {
		return false
	}
	w.textLeft -= n
	return true
}

// Blockers are the reasons why no patterned rule covers what follows.
func (w psWalk) Blockers() []string { return w.st.Blockers }

// AddBlocker adds one.
func (w psWalk) AddBlocker(why string) { w.st.AddBlocker(why) }

// Run runs a program of a PowerShell text as bash would.
func (w psWalk) Run(g *powershell.Program) {
	at := &ctx{fr: &words.Frame{Src: g.Source, Held: true, Holder: g.Span}, via: g.Via}
	if g.Piped {
		at.stdin.kind, at.from = stdinPipe, g.From
	}
	if g.Stdin != nil {
		at.stdin = input{kind: stdinText, text: *g.Stdin}
	}
	w.loops += g.Loops
	w.run(&pending{argv: g.Argv, span: g.Span}, at, w.st)
	w.loops -= g.Loops
}
