package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A declaration is a declare, export, local, readonly or typeset.
type declaration struct {
	program string
	letters string // the options that are on
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
		case len(lit) == 0 || lit[0] != '+':
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

// declClause treats export, declare and the like as the commands they are.
func (w *walker) declClause(n *syntax.DeclClause, c *ctx, st *state) {
	variant := n.Variant.Value
	inv := invocation{argv: []Word{knownWord(variant, c.span(n.Variant))}, span: c.span(n), clause: true}
	exports := variant == "export"
	var later []string // reasons for what follows
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
		if exports && !inert(name) || steers(name) {
			why := "the variable " + name + " may change what later commands do"
			inv.narrow = append(inv.narrow, why)
			later = append(later, why)
		}
	}
	w.holdWords(inv.argv)
	if c.posix && splits(n.Args) {
		st.forget() // sh may split the values into further assignments
	}
	w.run(&inv, c, st)
	for _, why := range later {
		st.addNarrow(why)
	}
	d, since, pre := newDeclaration(inv.argv), st.vars, st.clone()
	for _, a := range n.Args {
		w.walkAssign(a, c, pre)
	}
	st.blur(pre.vars, since)
	for i, a := range n.Args {
		w.declare(&d, a, &args[i], c, st)
	}
}

// splits reports whether a declaration holds an unquoted expansion.
func splits(args []*syntax.Assign) bool {
	for _, a := range args {
		if a.Value == nil {
			continue
		}
		for _, part := range a.Value.Parts {
			switch part.(type) {
			case *syntax.ParamExp, *syntax.CmdSubst:
				return true
			}
		}
	}
	return false
}

// declared is one argument of a declaration, expanded before any is assigned.
type declared struct {
	words []Word
	value given
}

// declaredArg expands one argument of a declaration: as one word when it is an
// assignment.
func (w *walker) declaredArg(a *syntax.Assign, c *ctx, st *state) (d declared) {
	if a.Name == nil {
		d.words = w.fields(a.Value, c, st, nil)
		return d
	}
	v := Word{Known: true, Single: true, Span: c.span(a)}
	op := ""
	if !a.Naked {
		d.value = w.given(a, c, st)
		v, op = d.value.word, "="
		if a.Append {
			op = "+="
		}
	}
	if a.Index != nil {
		v.Text, v.Known, op = HoleMark, false, ""
	}
	v.Text = a.Name.Value + op + v.Text
	v.Span = c.span(a)
	d.words = []Word{v}
	return d
}

// declare follows one argument, as an assignment when it is one.
func (w *walker) declare(d *declaration, a *syntax.Assign, arg *declared, c *ctx, st *state) {
	for i := range arg.words {
		if !isOption(&arg.words[i]) {
			w.declaredWord(d, &arg.words[i], c.span(a), st)
		}
	}
	if a.Name == nil || a.Naked {
		return
	}
	w.give(a, &arg.value, c, st)
	if d.program == "local" && !inFunction(c) || braced(a.Value) || strings.HasPrefix(arg.value.word.Text, "(") {
		st.bind(a.Name.Value, HoleMark) // it fails there; the last of {a,b} wins; '(a b)' may be an array
	}
	if d.fixes() {
		w.addAttr(&w.fixed, a.Name.Value)
	}
}

// braced reports whether a word may be brace expanded.
func braced(word *syntax.Word) bool {
	if word == nil {
		return false
	}
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.IndexByte(lit.Value, '{') >= 0 {
			return true
		}
	}
	return false
}

// inFunction reports whether the text stands in the body of a function.
func inFunction(c *ctx) bool {
	for _, v := range c.via {
		if strings.HasPrefix(v, "function ") {
			return true
		}
	}
	return false
}

// blurDeclared makes unknown what a declaration in a loop sets, and remembers
// what it makes of assignments in the rounds behind it.
func (w *walker) blurDeclared(n *syntax.DeclClause, st *state) {
	argv := []Word{knownWord(n.Variant.Value, Span{})}
	for _, a := range n.Args {
		text := HoleMark
		switch {
		case a.Name != nil:
			text = a.Name.Value
		default:
			text = rawText(a.Value.Parts)
		}
		argv = append(argv, Word{Text: text, Known: !strings.Contains(text, HoleMark)})
	}
	d := newDeclaration(argv)
	for _, a := range argv[1:] {
		name, _, _ := strings.Cut(a.Text, "=")
		switch {
		case strings.Contains(name, HoleMark):
			w.opaque = w.opaque || d.changes() || d.reference()
			st.forget()
		case validName(name):
			w.blur(name, st)
			if d.changes() {
				w.addAttr(&w.attrs, name)
			}
			if d.fixes() {
				w.addAttr(&w.fixed, name)
			}
			if d.reference() {
				w.addAttr(&w.refs, name)
				st.forget()
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
			b.WriteString(HoleMark)
		}
	}
	return b.String()
}
