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

// A pending is one command about to be looked up in the tables.
type pending struct {
	argv     []shell.Word
	assigns  []shell.Assign
	blockers []string // reasons found while the words were read
	clause   bool     // declClause follows the assignments among the words
	span     shell.Span
}

// call walks a simple command.
func (w *walker) call(e *syntax.CallExpr, c *ctx, st *words.State) outcome {
	var argv []shell.Word
	w.sideEffects(e.Args, c, st)
	w.UnlikeZsh = false
	if len(e.Args) > 0 {
		argv = make([]shell.Word, 0, len(e.Args))
		for _, word := range e.Args {
			w.Naming = len(argv) == 0
			argv = w.Fields(word, c.fr, st, argv)
		}
		w.Naming = false
	}
	other := w.ZshFields(e.Args, c.fr, st)
	if len(argv) == 0 {
		w.bareAssigns(e.Assigns, c, st)
		w.walkWords(e.Args, c, st)
		return outcome{}
	}
	w.noteLiterals(argv)
	inv := pending{argv: argv, span: c.span(e)}
	inv.assigns, inv.blockers = w.prefixAssigns(e.Assigns, &argv[0], c, st)
	for _, a := range e.Assigns {
		if a.Value != nil {
			w.sideEffect(a.Value.Parts, c, st)
		}
	}
	if len(e.Assigns) == 0 && len(other) == 0 && words.AllLiteral(e.Args) {
		return w.run(&inv, c, st)
	}
	// Substitutions in the words run before the command, but are listed after it.
	since, pre := st.Vars, st.Clone()
	o := w.run(&inv, c, st)
	if len(other) > 0 {
		w.runAsZsh(inv, other, c, st, pre.Clone())
	}
	w.defaultScripts(e, &inv, c, pre)
	if len(e.Assigns) > 0 {
		seen := pre.Clone()
		for i, a := range e.Assigns {
			w.walkAssign(a, c, seen)
			seen.Bind(a.Name.Value, inv.assigns[i].Value.Text)
		}
	}
	w.walkWords(e.Args, c, pre)
	st.SawEffects(pre, since)
	return o
}

// defaultScripts notes the scripts that a command runs where the variables in it are not set: npm run ${x:-build}.
func (w *walker) defaultScripts(e *syntax.CallExpr, inv *pending, c *ctx, st *words.State) {
	argv, found := slices.Clone(inv.argv), false
	for i := range argv {
		for _, arg := range e.Args {
			if argv[i].Known || c.span(arg) != argv[i].Span {
				continue
			}
			if text, ok := words.Spelled(arg.Parts, defaultOf); ok && text != "" {
				argv[i], found = shell.Literal(text, &argv[i]), true
			}
		}
	}
	if found {
		w.muted++
		w.runsScripts(commands.NewInvocation(argv, &st.Cwd, ""), inv.span, c, st)
		w.muted--
	}
}

// defaultOf is what a variable stands for where it is not set; false where that is not literal.
func defaultOf(p *syntax.ParamExp) (string, bool) {
	if p.Exp == nil || p.Exp.Word == nil || p.Exp.Op != syntax.DefaultUnset && p.Exp.Op != syntax.DefaultUnsetOrNull {
		return "", false
	}
	return words.Spelled(p.Exp.Word.Parts, defaultOf)
}

// run adds a command as a subcommand and follows what it runs itself.
func (w *walker) run(inv *pending, c *ctx, st *words.State) outcome {
	sub := analysis.Subcommand{
		Span: inv.span, Argv: inv.argv, Via: c.via, Assigns: inv.assigns, From: c.from, Standing: c.Standing,
	}
	sub.Dirs, sub.Fed = st.Cwd.Dirs, c.stdin.kind != stdinInherited || st.Fed
	sub.When = analysis.When{Again: w.loops > 0, Endless: w.endless > 0}
	sub.PatternBlockers = slices.Concat(c.blockers, inv.blockers, st.Blockers)
	sub.Hidden = len(sub.PatternBlockers) > 0
	if c.stdin.text.Text != "" {
		sub.StdinText = &c.stdin.text
	}
	var found *commands.Invocation
	for n := 0; ; n++ {
		if !sub.Argv[0].Known || sub.Argv[0].Text == "" {
			if !w.leftOpen(analysis.DoubtDynamic, inv.span, "", c, st) {
				w.Add(sub)
			}
			st.Forget()
			return outcome{}
		}
		found = commands.Describe(sub.Argv, &st.Cwd, w.Home(st))
		inheritFromPackage(found)
		w.fedContents(found, c, st)
		sub.Hidden = w.obeysInput(found, c, st) || sub.Hidden
		w.applyFacts(&sub, &found.Facts)
		in := stripped(&found.Facts)
		if in == nil {
			break
		}
		if n == commands.MaxStrip {
			w.Doubt(analysis.DoubtTooMuch, inv.span, "")
			break
		}
		sub.Argv = in.Argv
		sub.Outer = slices.Concat(c.outer, inv.argv)
	}
	if len(c.outer) > 0 && sub.Outer == nil {
		sub.Outer = slices.Concat(c.outer, inv.argv)
	}
	d := &found.Facts
	name := commands.ProgramName(sub.Argv)
	sub.Program, sub.Alt = name, d.Alt
	proven := d.Proof.Holds() || d.OnlyLaunches
	sub.ReadOnly = proven && len(sub.PatternBlockers) == 0 && (sub.Plain() || !sub.Here())
	sub.Call = found
	if shell.Among("exec command builtin", name) && openOption(sub.Argv) { // they run what comes after their options
		w.Doubt(analysis.DoubtDynamic, inv.span, "an option only known at run time may be the command")
	}
	sub.Structural = leavesLoop(sub.Argv) && sub.Outer == nil && !launched(c.via)
	w.variables(inv, &sub, c, st)
	at := w.Add(sub)
	if at < 0 {
		return outcome{}
	}
	w.applyPatch(at, found, c, st)
	w.patchInput(at, c, st)
	w.gitInput(at, found, c, st)
	w.gitVariables(at, found, st)
	w.runsScripts(found, inv.span, c, st)
	w.doubtIfRedefined(inv, &sub, c, st)
	w.subscripts(&sub, st)
	o := w.inside(at, d, c, st)
	w.runsWritten(at, c, st)
	w.puts = w.puts || analysis.Changes(w.s.Subcommands[at].Effects)
	if inv.clause {
		return o
	}
	if o = w.builtin(&sub, d, o, st); sub.Program == "read" {
		w.readName(&sub, c, st)
	}
	return o
}

// applyFacts adds what the tables say of a command.
func (w *walker) applyFacts(sub *analysis.Subcommand, d *commands.Facts) {
	sub.Programs = shell.Extend(sub.Programs, d.Programs)
	if !sub.Here() {
		if sub.Box != nil {
			sub.Effects = append(sub.Effects, sub.Box.Here(d.Effects, w.s.Env.Home)...)
		}
		return
	}
	sub.Effects = shell.Extend(sub.Effects, d.Effects)
	sub.PatternBlockers = shell.Extend(sub.PatternBlockers, d.Narrow)
	sub.Code = sub.Code || d.Code
	for _, doubt := range d.Doubts {
		if doubt.Span == (shell.Span{}) {
			doubt.Span = sub.Span
		}
		w.AddDoubt(doubt)
	}
}

// stripped returns the command after a wrapper that is taken off, nil for none.
func stripped(d *commands.Facts) *commands.Inner {
	for i := range d.Inner {
		if in := &d.Inner[i]; in.Strip && in.Kind == commands.InnerArgv && len(in.Argv) > 0 {
			return in
		}
	}
	return nil
}

// doubtIfRedefined follows or doubts a command whose name is a function or alias of the text.
func (w *walker) doubtIfRedefined(inv *pending, sub *analysis.Subcommand, c *ctx, st *words.State) {
	name := sub.Argv[0].Text
	w.zshBuiltin(sub)
	if slices.Contains(w.Funcs, name) {
		w.redefined(inv, sub, c, st)
	} else if slices.Contains(st.Aliases, name) {
		w.Doubt(analysis.DoubtShadow, sub.Span, name)
	}
}

// launched reports whether a program or exec runs a command, which is a file then.
func launched(via []string) bool {
	if len(via) == 0 {
		return false
	}
	last := via[len(via)-1]
	e := commands.Find(last)
	return last == "exec" || e.Program() && !commands.IsShell(e.As)
}

// leavesLoop reports break or continue as a loop has it: it runs nothing.
func leavesLoop(argv []shell.Word) bool {
	switch argv[0].Text {
	case "break", "continue":
		return len(argv) == 1 || len(argv) == 2 && argv[1].Known && shell.Number(argv[1].Text)
	}
	return false
}

// openOption reports whether a word in the place of an option is not known.
func openOption(argv []shell.Word) bool {
	for i := range argv[1:] {
		a := &argv[i+1]
		if !a.Known && strings.HasPrefix(shell.LiteralPrefix(a), "-") {
			return true
		}
		if !strings.HasPrefix(a.Text, "-") || a.Text == "--" {
			return false
		}
	}
	return false
}

// runAsZsh adds the command with the words of zsh. What follows comes after either.
func (w *walker) runAsZsh(inv pending, argv []shell.Word, c *ctx, st, before *words.State) {
	inv.argv = argv
	w.noteLiterals(argv)
	since := before.Vars
	w.run(&inv, c, before)
	st.Join(before, since)
}
