package interp

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// bareAssigns makes the assignments of a statement without a command.
func (w *walker) bareAssigns(list []*syntax.Assign, c *ctx, st *state) {
	for _, a := range list {
		w.walkAssign(a, c, st)
		w.set(a, c, st)
		name := a.Name.Value
		if st.allexport && !commands.Inert(name) {
			st.addBlocker(analysis.SetEarlier(name))
		}
	}
}

// set makes one assignment in the running shell.
func (w *walker) set(a *syntax.Assign, c *ctx, st *state) {
	if a.Name != nil {
		w.zshArray(a, c.span(a))
		v := w.given(a, c, st)
		w.assign(a, &v, c, st)
	}
}

// A given is what an assignment brings: a word, or the elements of an array.
type given struct {
	word shell.Word
	list []shell.Word
}

// given expands the right side of an assignment.
func (w *walker) given(a *syntax.Assign, c *ctx, st *state) (v given) {
	v.word = w.assignValue(a, c, st)
	if a.Array == nil {
		w.noteLiteral(v.word.Text)
		return v
	}
	w.unlikeZsh, w.elem = false, true
	defer func() { w.elem = false }()
	for _, e := range a.Array.Elems {
		if e.Value != nil {
			w.sideEffect(e.Value.Parts, c, st)
			v.list = w.fields(e.Value, c, st, v.list)
		}
	}
	if w.unlikeZsh {
		v.list = append(v.list, shell.Word{Text: shell.HoleMark, Span: c.span(a)})
	}
	w.noteLiterals(v.list)
	return v
}

// assign binds what an assignment brings.
func (w *walker) assign(a *syntax.Assign, v *given, c *ctx, st *state) {
	name, text, span := a.Name.Value, v.word.Text, c.span(a)
	w.touched(name, span, st)
	if a.Array == nil {
		w.holds(name, v.word)
	}
	w.holds(name, v.list...)
	w.promptVar(name, text, span)
	if runsInSubscript(text) && v.word.Quoted && v.word.Known && arithmeticLike(text) {
		w.doubt(analysis.DoubtHiddenEval, span, "the value runs a command when it is used as a number")
	}
	if !w.keeps(name) {
		w.assignAltered(name, v, span, st)
		return
	}
	if a.Array != nil {
		w.assignList(a, v, st)
		return
	}
	if a.Index != nil {
		st.bind(name, shell.HoleMark)
		return
	}
	if a.Append {
		old, ok := st.lookup(name)
		if !ok {
			old = shell.HoleMark
		}
		text = old + text
	}
	if !w.spend(len(text)) || len(text) > shell.MaxBytes {
		text = shell.HoleMark
	}
	w.noteLiteral(text)
	temp := v.word.Temp && !a.Append
	tokens := v.word.Tokens && v.word.NoDash && !a.Append && !strings.ContainsAny(text, " \t\n*?[\\")
	st.push(binding{name: name, text: text, temp: temp, down: v.word.Down && !a.Append, tokens: tokens, sure: true})
}

// assignAltered follows what is given to a variable that may be an integer or a
// reference to another one.
func (w *walker) assignAltered(name string, v *given, span shell.Span, st *state) {
	for _, word := range append([]shell.Word{v.word}, v.list...) {
		w.number(word.Text, span, st)
		if slices.Contains(w.refs, name) {
			w.name(&word, span, st)
			w.refersTo(&word, span, st)
		}
	}
	st.push(binding{name: name, text: shell.HoleMark, sure: true})
}

// assignList binds NAME=(...).
func (w *walker) assignList(a *syntax.Assign, v *given, st *state) {
	exact := !a.Append
	for _, e := range a.Array.Elems {
		exact = exact && e.Index == nil && e.Value != nil
	}
	if !exact {
		st.push(binding{name: a.Name.Value, text: shell.HoleMark, sure: true})
		return
	}
	st.push(binding{name: a.Name.Value, isArray: true, list: v.list, sure: true})
}

// arithmeticLike reports whether a text starts like an array element.
func arithmeticLike(text string) bool {
	name, _, ok := strings.Cut(text, "[")
	return ok && shell.ValidName(name)
}

func (w *walker) assignValue(a *syntax.Assign, c *ctx, st *state) shell.Word {
	if a.Array != nil {
		return shell.Word{Text: shell.HoleMark, Single: true, Span: c.span(a)}
	}
	v := w.single(a.Value, c, st, true)
	if a.Value == nil {
		v.Span = c.span(a)
	}
	return v
}

// walkAssign walks what an assignment runs.
func (w *walker) walkAssign(a *syntax.Assign, c *ctx, st *state) {
	if a.Name != nil && !shell.ValidName(a.Name.Value) {
		w.doubt(analysis.DoubtParserDiff, c.span(a), "a word that looks like an assignment but names no variable")
	}
	if a.Index != nil {
		w.mayFail(st)
		w.arithm(a.Index, c, st)
		w.oddIndex(a.Index, c)
	}
	w.walkWord(a.Value, c, st)
	if a.Array == nil {
		return
	}
	for _, e := range a.Array.Elems {
		if e.Index != nil {
			w.arithm(e.Index, c, st)
			w.oddIndex(e.Index, c)
		}
		w.walkWord(e.Value, c, st)
	}
}

// oddIndex doubts a subscript whose brackets do not pair when nothing but
// brackets is counted, as bash 3.2 does, or that has some in a substitution.
func (w *walker) oddIndex(x syntax.ArithmExpr, c *ctx) {
	from, to := int(x.Pos().Offset()), int(x.End().Offset())
	if from >= to || to > len(c.fr.src) {
		return
	}
	text := c.fr.src[from:to]
	if !bracketsPair(text) || strings.IndexByte(text, '[') >= 0 && substitutes(text) {
		w.doubt(analysis.DoubtParserDiff, c.span(x), "a bracket in a subscript")
	}
}

func bracketsPair(text string) bool {
	depth := 0
	for i := 0; i < len(text) && depth >= 0; i++ {
		switch text[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
	}
	return depth == 0
}

// substitutes reports whether a text holds a command substitution.
func substitutes(text string) bool {
	return strings.Contains(text, "$(") || strings.IndexByte(text, '`') >= 0
}
