package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
	"mvdan.cc/sh/v3/syntax"
)

// forgetAssigned makes unknown what the nodes assign: a loop sees its own previous round.
func (w *walker) forgetAssigned(node syntax.Node, st *words.State) {
	syntax.Walk(node, func(n syntax.Node) bool {
		w.Steps++
		if w.blursLeft--; w.blursLeft < 0 {
			return false
		}
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.Assign:
			if n.Name != nil {
				w.forgetVar(n.Name.Value, st)
			}
		case *syntax.DeclClause:
			w.forgetDeclared(n, st)
		case *syntax.WordIter:
			w.forgetVar(n.Name.Value, st)
		case *syntax.BinaryArithm:
			if assigns(n.Op) {
				w.forgetVar(numberName(n.X), st)
			}
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				w.forgetVar(numberName(n.X), st)
			}
		case *syntax.Redirect:
			if name, ok := fdVariable(n); ok {
				w.forgetVar(name, st)
			}
		case *syntax.CoprocClause:
			if n.Name != nil {
				w.forgetVar(n.Name.Lit(), st)
			}
		case *syntax.CallExpr:
			w.forgetCalled(n, st)
		}
		return true
	})
	if w.blursLeft < 0 {
		w.Doubt(analysis.DoubtTooMuch, shell.Span{Start: 0, End: len(w.s.Text)}, "")
		st.Forget()
		st.Cwd = st.Cwd.Lost()
	}
}

// forgetVar makes a variable unknown, or all of them when the name is not literal.
func (w *walker) forgetVar(name string, st *words.State) {
	if !shell.ValidName(name) || slices.Contains(w.refs, name) {
		st.Forget()
		return
	}
	st.Bind(name, shell.HoleMark)
}

func (w *walker) forgetCalled(n *syntax.CallExpr, st *words.State) {
	if len(n.Args) == 0 {
		return
	}
	switch lit := strings.ReplaceAll(n.Args[0].Lit(), `\`, ""); {
	case lit == "cd" || lit == "pushd" || lit == "popd" || slices.Contains(w.movers, lit):
		st.Cwd = st.Cwd.Lost()
	case lit == "" || runsHere(lit):
		w.blurEvaluated(lit, n.Args, st)
	case setsVariables(lit):
		w.blurNamed(n.Args[1:], st)
	}
}

// blurEvaluated makes unknown what text that runs in the shell, or an unknown command, may change.
func (w *walker) blurEvaluated(name string, list []*syntax.Word, st *words.State) {
	st.Forget()
	if w.moves || name == "" || !allBare(list[1:]) {
		st.Cwd = st.Cwd.Lost()
	}
	w.opaque = w.opaque || name == "trap" || declaresAgain(list)
}

// blurNamed makes unknown the variables that the words name.
func (w *walker) blurNamed(list []*syntax.Word, st *words.State) {
	for _, a := range list {
		if name := a.Lit(); shell.ValidName(name) {
			w.forgetVar(name, st)
		} else if name == "" {
			st.Forget()
		}
	}
}

// allBare reports whether every word is one literal without quotes.
func allBare(list []*syntax.Word) bool {
	return !slices.ContainsFunc(list, func(word *syntax.Word) bool { return word.Lit() == "" })
}

// declaresAgain reports whether a command may give attributes that the next round meets.
func declaresAgain(args []*syntax.Word) bool {
	declares := false
	for _, a := range args {
		syntax.Walk(a, func(n syntax.Node) bool {
			text := ""
			switch n := n.(type) {
			case *syntax.Lit:
				text = n.Value
			case *syntax.SglQuoted:
				text = n.Value
			}
			for _, name := range [...]string{"declare", "typeset", "local", "readonly", "trap"} {
				declares = declares || strings.Contains(text, name)
			}
			return !declares
		})
	}
	return declares
}

// runsHere names the builtins that run text in the running shell.
func runsHere(name string) bool {
	return shell.Among("eval source . command builtin trap", name)
}

// setsVariables names the builtins that assign to the variables they are given.
func setsVariables(name string) bool {
	return shell.Among("read mapfile readarray printf getopts unset local declare typeset export readonly let wait", name)
}

// assigns reports whether an arithmetic operator assigns to its left side.
func assigns(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
		syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn,
		syntax.AndBoolAssgn, syntax.OrBoolAssgn, syntax.XorBoolAssgn, syntax.PowAssgn:
		return true
	}
	return false
}

// anyVariable follows a variable whose name is not known: it may be one that finds code.
func (w *walker) anyVariable(name string, span shell.Span, st *words.State) {
	w.unknownName(name, span)
	w.anyOther = true
	st.AnyName()
	if commands.CouldSteer(name) {
		st.AddBlocker(commands.AnyNameSet)
	}
}

// refersTo follows what a reference is given: it may be the name of another variable.
func (w *walker) refersTo(a *shell.Word, span shell.Span, st *words.State) {
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
func (w *walker) letTarget(a *shell.Word, span shell.Span, st *words.State) {
	name, _, given := strings.Cut(a.Text, "=")
	name = strings.TrimRight(strings.TrimSpace(name), "+-*/%&|^<>")
	if !a.Known && (strings.Contains(name, shell.HoleMark) || !given) {
		w.anyVariable(name, span, st)
	}
}

// again adds the reasons that a round brought to all of the loop: the next round meets them.
func (w *walker) again(first int, before []string, st *words.State) {
	w.narrowFrom(first, len(w.s.Subcommands), st.Blockers[min(len(before), len(st.Blockers)):])
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

// trapsMeet adds all reasons to what traps run, at any time: in bash 3.2 also those in front of
// builtins.
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

// temporaries is what is believed of variables in traps and functions, and after calls, until all of the text was seen.
type temporaries struct {
	temps    []string // variables that the text gives what mktemp made
	mistaken bool     // one of them is given something else
	made     bool     // what a variable is given next is all of what mktemp made, or empty
}

// temps names the variables that a text seems to give what mktemp made.
func temps(text string) (names []string) {
	parts := strings.Split(strings.ReplaceAll(text, `"$(mktemp`, "$(mktemp"), "=$(mktemp")
	other := func(r rune) bool { return r > 'z' || !shell.NameByte(byte(r)) }
	for _, part := range parts[:len(parts)-1] {
		if name := part[strings.LastIndexFunc(part, other)+1:]; shell.ValidName(name) {
			names = append(names, name)
		}
	}
	return names
}

// keepTemps binds the variables that hold what mktemp made, or nothing, whatever ran since a state.
func (w *walker) keepTemps(to, since *words.State) {
	for _, name := range w.temps {
		b, exported := since.Bound(name), w.s.Env.Exported
		sure := b != nil && b.Sure
		if w.source != nil || !sure && (exported == nil || exported(name)) {
			continue // it may have another value from the start
		}
		to.Push(words.Binding{Name: name, Text: shell.HoleMark, Temp: true, Alone: true, Sure: sure})
	}
}
