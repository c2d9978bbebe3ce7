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

// A declaration is a declare, export, local, readonly or typeset.
type declaration struct {
	program string
	letters string // the options that are on
	off     string // those after a +
	unclear bool   // an unknown word may bring more of them
}

// newDeclaration reads the options in front of the names.
func newDeclaration(argv []shell.Word) declaration {
	d := declaration{program: commands.ProgramName(argv)}
	for i := range argv[1:] {
		a := &argv[i+1]
		lit := shell.LiteralPrefix(a)
		switch {
		case !a.Known && mayBeDeclOptions(a, lit):
			d.unclear = true
		case len(lit) < 2 || !isOption(a) || a.Known && lit == "--":
			return d
		case lit[0] == '-':
			d.letters += lit[1:]
		default:
			d.off += lit[1:]
		}
	}
	return d
}

// mayBeDeclOptions reports whether an unknown word that starts with lit may be options.
func mayBeDeclOptions(a *shell.Word, lit string) bool {
	return lit == "-" || lit == "" && !strings.Contains(a.Text, "=")
}

// on reports whether one of the options is on, or may be.
func (d *declaration) on(letters string) bool {
	return d.unclear && d.program != "export" || strings.ContainsAny(d.letters, letters)
}

// reference reports a declare -n; for export the letter means something else.
func (d *declaration) reference() bool { return d.program != "export" && d.on("n") }

// changes reports whether the variable will not hold what it is given later.
func (d *declaration) changes() bool { return d.on("ilucA") }

// alters reports whether what is assigned is not simply the value of the variable.
func (d *declaration) alters() bool { return d.changes() || d.reference() }

// plain reports whether the assignments are made: not with -p or -f, or an option that does not
// exist.
func (d *declaration) plain() bool {
	valid := "aAcgiIlnrtux"
	switch d.program {
	case "export":
		valid = "n"
	case "readonly":
		valid = "aA"
	}
	return strings.Trim(d.letters+d.off, valid) == ""
}

// exact reports whether bash 3.2, which knows fewer options, assigns as well.
func (d *declaration) exact() bool {
	return d.plain() && !strings.ContainsAny(d.letters+d.off, "AcgIlnu")
}

// fixes reports whether later assignments fail.
func (d *declaration) fixes() bool { return d.program == "readonly" || d.on("r") }

// declaredWords follows a declaration that is a plain command: builtin declare x=a.
func (w *walker) declaredWords(argv []shell.Word, span shell.Span, st *words.State) {
	d := newDeclaration(argv)
	for i := range argv[1:] {
		if a := &argv[i+1]; !isOption(a) {
			w.declaredWord(&d, a, span, st)
			if name, _, _ := strings.Cut(a.Text, "="); d.fixes() && shell.ValidName(name) {
				w.addAttr(&w.fixed, name)
			}
		}
	}
}

func isOption(a *shell.Word) bool {
	return strings.HasPrefix(a.Text, "-") || strings.HasPrefix(a.Text, "+")
}

// declaredWord follows NAME or NAME=VALUE.
func (w *walker) declaredWord(d *declaration, a *shell.Word, span shell.Span, st *words.State) {
	name, value, given := strings.Cut(a.Text, "=")
	name, _, indexed := strings.Cut(strings.TrimSuffix(name, "+"), "[")
	if given {
		w.compound(d, a, value, span)
	}
	switch {
	case strings.Contains(name, shell.HoleMark):
		if !given {
			w.noteEvaluated(inCommand, span) // it may be x=(...)
		}
		if d.alters() { // it may be one the shell sets: REPLY, _
			w.opaque = true
			w.noteEvaluated(inIndex, span)
		}
		if !d.plain() {
			w.unknownName(name, span)
			st.AnyName()
			return
		}
		w.anyVariable(name, span, st)
		if d.program == "export" || d.on("x") {
			st.AddBlocker(commands.AnyNameSet)
		}
		return
	case !shell.ValidName(name):
		return
	case given:
		w.touched(name, span, st)
		w.holds(name, shell.Word{Text: value, Known: a.Known, Numeric: a.Numeric})
		if d.changes() {
			w.number(value, span, st)
		}
	default:
		w.steered(name, st)
		if name == "POSIXLY_CORRECT" && d.plain() { // bash 3.2 sets it, if to nothing
			w.Doubt(analysis.DoubtShellVar, span, name)
		}
	}
	if given || indexed || d.program == "local" || d.alters() {
		st.Bind(name, shell.HoleMark)
	}
	w.attribute(d, name, value, given, span, st)
}

// attribute remembers what a declaration makes of later assignments.
func (w *walker) attribute(d *declaration, name, value string, given bool, span shell.Span, st *words.State) {
	if d.changes() {
		w.addAttr(&w.attrs, name)
	}
	if d.on("i") {
		w.addAttr(&w.typed, name)
	}
	if commands.ShellSets(name) && (d.on("i") || d.reference()) {
		w.Doubt(analysis.DoubtHiddenEval, span, "the shell sets "+name+" by itself and would evaluate what it sets")
	}
	if d.fixes() && !given {
		w.addAttr(&w.fixed, name)
	}
	if !d.reference() {
		return
	}
	w.addAttr(&w.refs, name)
	w.anyOther = true
	st.Forget()
	if !given {
		w.noteEvaluated(inName|inIndex, span)
		return
	}
	w.shellVar(value, false, span)
	if v := (shell.Word{Text: value, Known: !strings.Contains(value, shell.HoleMark)}); !v.Known || w.mayReach(value) {
		w.evaluates(&v, st) // it may have a subscript
		w.name(&v, span, st)
		name := strings.ReplaceAll(value, shell.HoleMark, "?")
		st.AddBlocker("a reference to the variable " + name + " may change what later commands do")
	}
}

// compound doubts a quoted (...) that a declaration reads as an array.
func (w *walker) compound(d *declaration, a *shell.Word, value string, span shell.Span) {
	array := d.on("aA")
	switch {
	case value == shell.HoleMark && array:
		w.noteEvaluated(inCommand, span)
	case !strings.HasPrefix(value, "(") || !strings.HasSuffix(value, ")"):
	case commands.Expands(value), array && !a.Known && a.Quoted:
		w.Doubt(analysis.DoubtHiddenEval, span, "the text in brackets is expanded twice")
	}
}

// declClause treats export, declare and the like as the commands they are.
func (w *walker) declClause(n *syntax.DeclClause, c *ctx, st *words.State) {
	variant := n.Variant.Value
	inv := pending{argv: []shell.Word{words.Known(variant, c.span(n.Variant))}, span: c.span(n), clause: true}
	exports := variant == "export"
	args := make([]declared, len(n.Args))
	for i, a := range n.Args {
		args[i] = w.declaredArg(a, c, st)
		inv.argv = append(inv.argv, args[i].words...)
		if a.Name == nil {
			for _, f := range args[i].words {
				exports = exports || strings.HasPrefix(f.Text, "-") && strings.Contains(f.Text, "x") || !f.Known
			}
			continue
		}
		name := a.Name.Value
		if exports && !commands.Inert(name) || w.mayReach(name) {
			inv.blockers = append(inv.blockers, analysis.Exported(name))
		}
	}
	w.noteLiterals(inv.argv)
	if c.posix && splits(n.Args) {
		st.Forget() // sh may split the values into further assignments
	}
	w.run(&inv, c, st)
	for _, why := range inv.blockers {
		st.AddBlocker(why)
	}
	d, since, pre := newDeclaration(inv.argv), st.Vars, st.Clone()
	for _, a := range n.Args {
		w.walkAssign(a, c, pre)
	}
	st.SawEffects(pre, since)
	for i, a := range n.Args {
		w.declare(&d, a, &args[i], c, st)
	}
}

// splits reports whether a declaration holds an unquoted expansion.
func splits(args []*syntax.Assign) bool {
	return slices.ContainsFunc(args, func(a *syntax.Assign) bool {
		return a.Value != nil && slices.ContainsFunc(a.Value.Parts, func(part syntax.WordPart) bool {
			switch part.(type) {
			case *syntax.ParamExp, *syntax.CmdSubst:
				return true
			}
			return false
		})
	})
}

// declared is one argument of a declaration, expanded before any is assigned.
type declared struct {
	words []shell.Word
	value given
}

// declaredArg expands one argument, an assignment as one word.
func (w *walker) declaredArg(a *syntax.Assign, c *ctx, st *words.State) (d declared) {
	if a.Name == nil {
		d.words = w.Fields(a.Value, c.fr, st, nil)
		return d
	}
	v := shell.Word{Known: true, Single: true, Span: c.span(a)}
	op := ""
	if !a.Naked {
		d.value = w.given(a, c, st)
		v, op = d.value.word, "="
		if a.Append {
			op = "+="
		}
	}
	if a.Index != nil {
		v.Text, v.Known, op = shell.HoleMark, false, ""
	}
	v.Text = a.Name.Value + op + v.Text
	v.Span = c.span(a)
	d.words = []shell.Word{v}
	return d
}

// declare follows one argument, as an assignment when it is one.
func (w *walker) declare(d *declaration, a *syntax.Assign, arg *declared, c *ctx, st *words.State) {
	for i := range arg.words {
		if !isOption(&arg.words[i]) {
			w.declaredWord(d, &arg.words[i], c.span(a), st)
		}
	}
	if a.Name == nil || a.Naked {
		return
	}
	w.assign(a, &arg.value, c, st)
	fails := d.program == "local" && !inFunction(c)
	if fails || !d.exact() || mayBeOther(a, &arg.value.word) {
		st.Bind(a.Name.Value, shell.HoleMark)
	}
	if d.fixes() {
		w.addAttr(&w.fixed, a.Name.Value)
	}
}

// mayBeOther reports whether something else may be assigned: the last of {a,b}, the array of '(a
// b)'.
func mayBeOther(a *syntax.Assign, value *shell.Word) bool {
	return braced(a.Value) || strings.HasPrefix(value.Text, "(")
}

// braced reports whether a word may be brace expanded.
func braced(word *syntax.Word) bool {
	return word != nil && slices.ContainsFunc(word.Parts, func(part syntax.WordPart) bool {
		lit, ok := part.(*syntax.Lit)
		return ok && strings.Contains(lit.Value, "{")
	})
}

// inFunction reports whether the text is in the body of a function.
func inFunction(c *ctx) bool { return slices.ContainsFunc(c.via, isFunction) }

// isFunction reports whether a function is the way to a command.
func isFunction(via string) bool { return strings.HasPrefix(via, "function ") }

// forgetDeclared makes unknown what a declaration in a loop sets, and remembers
// what it makes of assignments in the rounds after it.
func (w *walker) forgetDeclared(n *syntax.DeclClause, st *words.State) {
	argv := []shell.Word{words.Known(n.Variant.Value, shell.Span{})}
	for _, a := range n.Args {
		text := ""
		if a.Name != nil {
			text = a.Name.Value
		} else {
			text = rawText(a.Value.Parts)
		}
		argv = append(argv, shell.Word{Text: text, Known: !strings.Contains(text, shell.HoleMark)})
	}
	d := newDeclaration(argv)
	for _, a := range argv[1:] {
		name, _, _ := strings.Cut(a.Text, "=")
		switch {
		case strings.Contains(name, shell.HoleMark):
			w.opaque = w.opaque || d.alters()
			st.Forget()
		case shell.ValidName(name):
			w.forgetVar(name, st)
			if d.changes() {
				w.addAttr(&w.attrs, name)
			}
			if d.fixes() {
				w.addAttr(&w.fixed, name)
			}
			if d.reference() {
				w.addAttr(&w.refs, name)
				st.Forget()
			}
		}
	}
}

// rawText is a word without its quotes, what is expanded in it unknown.
func rawText(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(rawText(p.Parts))
		default:
			b.WriteString(shell.HoleMark)
		}
	}
	return b.String()
}
