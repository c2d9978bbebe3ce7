package bashsafety

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An invocation is one command about to be looked up in the tables.
type invocation struct {
	argv    []Word
	assigns []Assign
	narrow  []string // reasons found while the words were read
	clause  bool     // declClause follows the assignments among the words
	span    Span
}

// maxStrip bounds how many wrappers are taken off one command.
const maxStrip = 16

// call walks a simple command.
func (w *walker) call(e *syntax.CallExpr, c *ctx, st *state) outcome {
	var argv []Word
	w.sideEffects(e.Args, c, st)
	if len(e.Args) > 0 {
		argv = make([]Word, 0, len(e.Args))
		for _, word := range e.Args {
			argv = w.fields(word, c, st, argv)
		}
	}
	if len(argv) == 0 {
		w.bareAssigns(e.Assigns, c, st)
		w.walkWords(e.Args, c, st)
		return outcome{}
	}
	w.holdWords(argv)
	inv := invocation{argv: argv, span: c.span(e)}
	inv.assigns, inv.narrow = w.prefixAssigns(e.Assigns, &argv[0], c, st)
	for _, a := range e.Assigns {
		if a.Value != nil {
			w.sideEffect(a.Value.Parts, c, st)
		}
	}
	if len(e.Assigns) == 0 && allLiteral(e.Args) {
		return w.run(&inv, c, st)
	}
	// What stands in the words runs before the command, but is listed behind it.
	since, pre := st.vars, st.clone()
	o := w.run(&inv, c, st)
	seen := pre.clone()
	for i, a := range e.Assigns {
		w.walkAssign(a, c, seen)
		seen.bind(a.Name.Value, inv.assigns[i].Value.Text)
	}
	w.walkWords(e.Args, c, pre)
	st.blur(pre.vars, since)
	return o
}

// allLiteral reports whether the words hold nothing that is expanded.
func allLiteral(words []*syntax.Word) bool {
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

// run adds a command as a subcommand and follows what it runs itself.
func (w *walker) run(inv *invocation, c *ctx, st *state) outcome {
	sub := Subcommand{Span: inv.span, Argv: inv.argv, Via: c.via, Assigns: inv.assigns, From: c.from, Remote: c.remote}
	sub.Dirs, sub.Fed, sub.Again = st.cwd.dirs, c.stdin.kind != stdinInherited || st.fed, w.loops > 0
	sub.Narrow = slices.Concat(c.narrow, inv.narrow, st.narrow)
	sub.Hidden = len(sub.Narrow) > 0
	var found *call
	for n := 0; ; n++ {
		if !sub.Argv[0].Known || sub.Argv[0].Text == "" {
			w.doubt(dDynamic, inv.span, "")
			w.add(sub)
			st.forget()
			return outcome{}
		}
		found = describe(sub.Argv, &st.cwd, w.home(st))
		found.carry()
		sub.Hidden = w.obeysInput(found, c, st) || sub.Hidden
		w.take(&sub, &found.d)
		in := stripped(&found.d)
		if in == nil {
			break
		}
		if n == maxStrip {
			w.doubt(dTooMuch, inv.span, "")
			break
		}
		sub.Argv = in.argv
		sub.Outer = slices.Concat(c.outer, inv.argv)
	}
	if len(c.outer) > 0 && sub.Outer == nil {
		sub.Outer = slices.Concat(c.outer, inv.argv)
	}
	d := &found.d
	name := path.Base(sub.Argv[0].Text)
	sub.Program, sub.Alt, sub.ReadOnly = name, d.alt, (d.readOnly || d.relays) && len(sub.Narrow) == 0
	sub.call = found
	if runsBehindOptions(name) && openOption(sub.Argv) {
		w.doubt(dDynamic, inv.span, "an option that is made at run time may be the command")
	}
	sub.Structural = leavesLoop(sub.Argv)
	for i := range inv.assigns {
		if a := &inv.assigns[i]; holdsCommand(a.Name) && a.Value.Known && strings.TrimSpace(a.Value.Text) != "" {
			d.inner = append(d.inner, inner{kind: innerText, via: a.Name, text: a.Value, remote: true})
		}
	}
	at := w.add(sub)
	if at < 0 {
		return outcome{}
	}
	w.applyPatch(at, found, c, st)
	w.runsScripts(found, inv.span, c, st)
	w.shadowed(&sub, st)
	w.subscripts(&sub, st)
	o := w.inside(at, d, c, st)
	if inv.clause {
		return o
	}
	return w.builtin(&sub, d, o, st)
}

// take adds what the tables say of a command.
func (w *walker) take(sub *Subcommand, d *description) {
	if sub.Remote {
		return
	}
	sub.Effects = extend(sub.Effects, d.effects)
	sub.Narrow = extend(sub.Narrow, d.narrow)
	for _, doubt := range d.doubts {
		if doubt.Span == (Span{}) {
			doubt.Span = sub.Span
		}
		w.addDoubt(doubt)
	}
}

// stripped returns the command behind a wrapper that is taken off, nil when
// there is none.
func stripped(d *description) *inner {
	for i := range d.inner {
		if in := &d.inner[i]; in.strip && in.kind == innerArgv && len(in.argv) > 0 {
			return in
		}
	}
	return nil
}

// shadowed doubts a command whose name is a function or alias of the text.
func (w *walker) shadowed(sub *Subcommand, st *state) {
	name := sub.Argv[0].Text
	switch name {
	case "noglob", "nocorrect", "repeat", "foreach", "-":
		w.doubt(dZsh, sub.Span, name+" runs the rest of the line in zsh")
	}
	if slices.Contains(w.funcs, name) {
		w.doubt(dShadow, sub.Span, name)
		st.forget()
		if w.moves {
			st.cwd = cwdState{moved: true}
		}
	} else if slices.Contains(st.aliases, name) {
		w.doubt(dShadow, sub.Span, name)
	}
}

// leavesLoop reports whether a command is break or continue as it is written in
// a loop: like the loop it runs nothing.
func leavesLoop(argv []Word) bool {
	switch argv[0].Text {
	case "break", "continue":
		return len(argv) == 1 || len(argv) == 2 && argv[1].Known && number(argv[1].Text)
	}
	return false
}

// runsBehindOptions names the builtins that run the command behind their
// options in the shell itself.
func runsBehindOptions(name string) bool {
	return name == "exec" || name == "command" || name == "builtin"
}

// openOption reports whether a word in the place of an option is not known.
func openOption(argv []Word) bool {
	for i := range argv[1:] {
		a := &argv[i+1]
		if !a.Known && literalPrefix(a) != "" && literalPrefix(a)[0] == '-' {
			return true
		}
		if !strings.HasPrefix(a.Text, "-") || a.Text == "--" {
			return false
		}
	}
	return false
}
