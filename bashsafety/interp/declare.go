package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
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

// plain reports whether the options leave the assignments alone: with one that
// does not exist, or that prints or means functions, nothing is assigned.
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

// exact reports whether the assignments are made by bash 3.2, too, which knows
// fewer options.
func (d *declaration) exact() bool {
	return d.plain() && !strings.ContainsAny(d.letters+d.off, "AcgIlnu")
}

// fixes reports whether later assignments fail.
func (d *declaration) fixes() bool { return d.program == "readonly" || d.on("r") }

// declaredWords follows the words of a declaration that is a plain command:
// builtin declare x=a.
func (w *walker) declaredWords(argv []shell.Word, span shell.Span, st *state) {
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
func (w *walker) declaredWord(d *declaration, a *shell.Word, span shell.Span, st *state) {
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
			st.anyName()
			return
		}
		w.anyVariable(name, span, st)
		if d.program == "export" || d.on("x") {
			st.addBlocker(commands.AnyNameSet)
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
	}
	if given || indexed || d.program == "local" || d.alters() {
		st.bind(name, shell.HoleMark)
	}
	w.attribute(d, name, value, given, span, st)
}

// attribute remembers what a declaration makes of later assignments.
func (w *walker) attribute(d *declaration, name, value string, given bool, span shell.Span, st *state) {
	if d.changes() {
		w.addAttr(&w.attrs, name)
	}
	if d.on("i") {
		w.addAttr(&w.typed, name)
	}
	if commands.ShellSets(name) && (d.on("i") || d.reference()) {
		w.doubt(analysis.DoubtHiddenEval, span, "the shell sets "+name+" by itself and would evaluate what it sets")
	}
	if d.fixes() && !given {
		w.addAttr(&w.fixed, name)
	}
	if !d.reference() {
		return
	}
	w.addAttr(&w.refs, name)
	w.anyOther = true
	st.forget()
	if !given {
		w.noteEvaluated(inName|inIndex, span)
		return
	}
	w.shellVar(value, false, span)
	if v := (shell.Word{Text: value, Known: !strings.Contains(value, shell.HoleMark)}); !v.Known || w.mayReach(value) {
		w.evaluates(&v, st) // it may have a subscript
		w.name(&v, span, st)
		name := strings.ReplaceAll(value, shell.HoleMark, "?")
		st.addBlocker("a reference to the variable " + name + " may change what later commands do")
	}
}

// compound doubts the text (...) that a declaration reads as the elements of an
// array, although it was quoted.
func (w *walker) compound(d *declaration, a *shell.Word, value string, span shell.Span) {
	array := d.on("aA")
	switch {
	case value == shell.HoleMark && array:
		w.noteEvaluated(inCommand, span)
	case !strings.HasPrefix(value, "(") || !strings.HasSuffix(value, ")"):
	case commands.Expands(value), array && !a.Known && a.Quoted:
		w.doubt(analysis.DoubtHiddenEval, span, "the text in brackets is expanded twice")
	}
}
