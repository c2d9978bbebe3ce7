package bashsafety

import "strings"

// A declaration is a declare, export, local, readonly or typeset.
type declaration struct {
	program string
	letters string // the options that are on
	off     string // those behind a +
	unclear bool   // an unknown word may bring more of them
}

// newDeclaration reads the options in front of the names.
func newDeclaration(argv []Word) declaration {
	d := declaration{program: programName(argv)}
	for i := range argv[1:] {
		a := &argv[i+1]
		lit := literalPrefix(a)
		switch {
		case a.Known && lit == "--":
			return d
		case !a.Known && (lit == "" && !strings.Contains(a.Text, "=") || lit == "-"):
			d.unclear = true
		case len(lit) > 1 && lit[0] == '-':
			d.letters += lit[1:]
		case len(lit) > 1 && lit[0] == '+':
			d.off += lit[1:]
		default:
			return d
		}
	}
	return d
}

// on reports whether one of the options is on, or may be.
func (d *declaration) on(letters string) bool {
	return d.unclear && d.program != "export" || strings.ContainsAny(d.letters, letters)
}

// reference reports a declare -n; for export the letter means something else.
func (d *declaration) reference() bool { return d.program != "export" && d.on("n") }

// changes reports whether the variable will not hold what it is given later.
func (d *declaration) changes() bool { return d.on("ilucA") }

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

// fixes reports whether later assignments fail.
func (d *declaration) fixes() bool { return d.program == "readonly" || d.on("r") }

// declaredWords follows the words of a declaration that is a plain command:
// builtin declare x=a.
func (w *walker) declaredWords(argv []Word, span Span, st *state) {
	d := newDeclaration(argv)
	for i := range argv[1:] {
		if a := &argv[i+1]; !isOption(a) {
			w.declaredWord(&d, a, span, st)
			if name, _, _ := strings.Cut(a.Text, "="); d.fixes() && validName(name) {
				w.addAttr(&w.fixed, name)
			}
		}
	}
}

func isOption(a *Word) bool {
	return strings.HasPrefix(a.Text, "-") || strings.HasPrefix(a.Text, "+")
}

// declaredWord follows NAME or NAME=VALUE.
func (w *walker) declaredWord(d *declaration, a *Word, span Span, st *state) {
	name, value, given := strings.Cut(a.Text, "=")
	name, _, indexed := strings.Cut(strings.TrimSuffix(name, "+"), "[")
	if given {
		w.compound(d, a, value, span)
	}
	switch {
	case strings.Contains(name, HoleMark):
		w.unknownName(name, span)
		if !given {
			w.ask(inCommand, span) // it may be x=(...)
		}
		w.opaque = w.opaque || d.changes() || d.reference()
		st.forget()
		if d.program == "export" || d.on("x") {
			st.addNarrow("a variable that is not named here was exported and may change what later commands do")
		}
		return
	case !validName(name):
		return
	case given:
		w.touched(name, span, st)
		if d.changes() {
			w.number(value, span, st)
		}
	case steers(name):
		st.steered(name)
	}
	if given || indexed || d.program == "local" || d.changes() || d.reference() {
		st.bind(name, HoleMark)
	}
	w.attribute(d, name, value, given, span, st)
}

// attribute remembers what a declaration makes of later assignments.
func (w *walker) attribute(d *declaration, name, value string, given bool, span Span, st *state) {
	if d.changes() {
		w.addAttr(&w.attrs, name)
	}
	if d.fixes() && !given {
		w.addAttr(&w.fixed, name)
	}
	if !d.reference() {
		return
	}
	w.addAttr(&w.refs, name)
	st.forget()
	if !given {
		w.ask(inName|inIndex, span)
		return
	}
	w.shellVar(value, false, span)
	if v := (Word{Text: value, Known: !strings.Contains(value, HoleMark)}); !v.Known || steers(value) {
		w.name(&v, span, st)
		st.addNarrow("a reference to the variable " + strings.ReplaceAll(value, HoleMark, "?") + " may change what later commands do")
	}
}

// compound doubts the text (...) that a declaration reads as the elements of an
// array, although it was quoted.
func (w *walker) compound(d *declaration, a *Word, value string, span Span) {
	array := d.on("aA")
	switch {
	case value == HoleMark && array:
		w.ask(inCommand, span)
	case !strings.HasPrefix(value, "(") || !strings.HasSuffix(value, ")"):
	case expands(value), array && !a.Known && a.Quoted:
		w.doubt(dHiddenEval, span, "the text in brackets is expanded a second time")
	}
}

// expands reports whether a text runs something when the shell expands it.
func expands(text string) bool {
	for _, s := range [...]string{"$(", "`", "<(", ">(", "@P}", "$[", "${"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}
