package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// PowerShell walks a PowerShell text and says what it would run. It
// reports false when the walk broke off.
func PowerShell(text string, env analysis.Env) (s *analysis.Analysis, whole bool) {
	w, c, st := start(text, env)
	s = w.s
	defer s.DoubtPanic()
	if len(text) > shell.MaxBytes {
		w.doubt(analysis.DoubtTooLong, shell.Span{Start: 0, End: len(text)}, "")
		text = shell.CompleteLines(text[:shell.MaxBytes])
	}
	w.unicode(strings.ReplaceAll(text, "\r\n", " \n"), c)
	p := psParser{w: w, st: st, s: text}
	p.read()
	w.expandScripts()
	w.followOwnSymlinks()
	w.finish()
	return s, true
}

// read reads the text twice.
func (p *psParser) read() {
	p.facts.sets = map[string]int{}
	p.dry = true
	p.stmts(0)
	p.dry, p.i, p.sets = false, 0, nil
	if p.facts.hops { // a loop comes back with another directory
		p.st.cwd = shell.CwdState{Moved: true}
	}
	p.stmts(0)
}

// powerShell reads the PowerShell text that a command of bash runs.
func (w *walker) powerShell(text *shell.Word, span shell.Span, c *ctx, st *state) {
	if !text.Known || len(text.Text) > w.textLeft {
		w.doubt(analysis.DoubtProgramText, span, "")
		return
	}
	w.textLeft -= len(text.Text)
	from := len(w.s.Subcommands)
	p := psParser{w: w, st: st.clone(), s: text.Text, span: &span, depth: 1, via: c.via}
	p.read()
	for i := from; i < len(w.s.Subcommands); i++ {
		sub := &w.s.Subcommands[i]
		sub.ReadOnly, sub.Remote = false, sub.Remote || c.remote
		sub.PatternBlockers = append(slices.Clip(sub.PatternBlockers), c.blockers...)
	}
	w.s.HasPowerShell = true
}

// CmdletName is the canonical name of a command in lower case.
func CmdletName(name string) string {
	name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	if c := cmdletOf(name); c != nil {
		return strings.ToLower(c.name)
	}
	return name
}
