package interp

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// declClause treats export, declare and the like as the commands they are.
func (w *walker) declClause(n *syntax.DeclClause, c *ctx, st *state) {
	variant := n.Variant.Value
	inv := pending{argv: []shell.Word{knownWord(variant, c.span(n.Variant))}, span: c.span(n), clause: true}
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
		if exports && !commands.Inert(name) || w.mayReach(name) {
			why := "the variable " + name + " may change what later commands do"
			inv.blockers = append(inv.blockers, why)
			later = append(later, why)
		}
	}
	w.noteLiterals(inv.argv)
	if c.posix && splits(n.Args) {
		st.forget() // sh may split the values into further assignments
	}
	w.run(&inv, c, st)
	for _, why := range later {
		st.addBlocker(why)
	}
	d, since, pre := newDeclaration(inv.argv), st.vars, st.clone()
	for _, a := range n.Args {
		w.walkAssign(a, c, pre)
	}
	st.sawEffects(pre, since)
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
	words []shell.Word
	value given
}

// declaredArg expands one argument of a declaration: as one word when it is an
// assignment.
func (w *walker) declaredArg(a *syntax.Assign, c *ctx, st *state) (d declared) {
	if a.Name == nil {
		d.words = w.fields(a.Value, c, st, nil)
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
func (w *walker) declare(d *declaration, a *syntax.Assign, arg *declared, c *ctx, st *state) {
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
		st.bind(a.Name.Value, shell.HoleMark)
	}
	if d.fixes() {
		w.addAttr(&w.fixed, a.Name.Value)
	}
}

// mayBeOther reports whether a declaration may assign something else than the
// word: the last of {a,b}, or the array of '(a b)'.
func mayBeOther(a *syntax.Assign, value *shell.Word) bool {
	return braced(a.Value) || strings.HasPrefix(value.Text, "(")
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

// inFunction reports whether the text is in the body of a function.
func inFunction(c *ctx) bool {
	return slices.ContainsFunc(c.via, func(v string) bool { return strings.HasPrefix(v, "function ") })
}

// forgetDeclared makes unknown what a declaration in a loop sets, and remembers
// what it makes of assignments in the rounds after it.
func (w *walker) forgetDeclared(n *syntax.DeclClause, st *state) {
	argv := []shell.Word{knownWord(n.Variant.Value, shell.Span{})}
	for _, a := range n.Args {
		text := shell.HoleMark
		switch {
		case a.Name != nil:
			text = a.Name.Value
		default:
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
			st.forget()
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
			b.WriteString(shell.HoleMark)
		}
	}
	return b.String()
}
