package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// anyVariable follows a variable that is set and whose name is not known, or in
// part: it may be one by which programs find code.
func (w *walker) anyVariable(name string, span shell.Span, st *state) {
	w.unknownName(name, span)
	w.anyOther = true
	st.anyName()
	if commands.CouldSteer(name) {
		st.addBlocker(commands.AnyNameSet)
	}
}

// refersTo follows what is given to a variable that may be a reference to another one:
// it may be the name of that.
func (w *walker) refersTo(a *shell.Word, span shell.Span, st *state) {
	if !a.Known {
		w.evaluates(a, st) // or an element, whose subscript is evaluated
	}
	switch {
	case a.Glob, !a.Known && !strings.Contains(a.Text, shell.HoleMark):
		w.anyVariable(shell.HoleMark, span, st) // a pattern
	case !a.Known:
		w.anyVariable(a.Text, span, st)
	case shell.ValidName(a.Text):
		w.shellVar(a.Text, false, span)
		w.steered(a.Text, st)
	}
}

// letTarget follows what let assigns to when that is not known.
func (w *walker) letTarget(a *shell.Word, span shell.Span, st *state) {
	name, _, given := strings.Cut(a.Text, "=")
	name = strings.TrimRight(strings.TrimSpace(name), "+-*/%&|^<>")
	if !a.Known && (strings.Contains(name, shell.HoleMark) || !given) {
		w.anyVariable(name, span, st)
	}
}

// again adds the reasons that a round of a loop brought to the commands of the
// body: the next round meets them.
func (w *walker) again(first int, before []string, st *state) {
	w.narrowFrom(first, len(w.s.Subcommands), st.blockers[min(len(before), len(st.blockers)):])
}

func (w *walker) narrowFrom(first, end int, reasons []string) {
	if len(reasons) == 0 {
		return
	}
	for i := first; i < end; i++ {
		narrowBy(&w.s.Subcommands[i], reasons)
	}
}

// narrowBy adds reasons about the environment.
func narrowBy(s *analysis.Subcommand, reasons []string) {
	for _, why := range reasons {
		if !slices.Contains(s.PatternBlockers, why) {
			s.PatternBlockers = append(slices.Clip(s.PatternBlockers), why)
		}
		s.Hidden, s.ReadOnly = true, false
	}
}

// trapsMeet adds every reason of the text to what traps run: they run at any time
// after it, in bash 3.2 also with what is set in front of a builtin.
func (w *walker) trapsMeet(reasons []string) {
	reasons = slices.Clip(reasons)
	for i := range w.s.Subcommands {
		for _, a := range w.s.Subcommands[i].Assigns {
			if commands.Steers(a.Name) {
				reasons = append(reasons, analysis.SetEarlier(a.Name))
			}
		}
	}
	for i := range w.s.Subcommands {
		if s := &w.s.Subcommands[i]; slices.Contains(s.Via, "trap") {
			narrowBy(s, reasons)
		}
	}
}

// sawEffects takes over what the words of a command assigned while they were
// expanded.
func (s *state) sawEffects(pre *state, since *binding) {
	s.forgetSince(pre.vars, since)
	for _, why := range pre.blockers {
		s.addBlocker(why)
	}
}

// between follows what a trap may do between any two commands of the shell.
func (s *state) between(run *state) {
	for _, why := range run.blockers {
		s.addBlocker(why)
	}
	s.ifs, s.cdpath, s.fed = s.ifs || run.ifs, s.cdpath || run.cdpath, s.fed || run.fed
	s.nullglob, s.allexport = s.nullglob || run.nullglob, s.allexport || run.allexport
	s.aliases = append(s.aliases, run.aliases...)
}
