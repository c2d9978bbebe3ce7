package bashsafety

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// bareAssigns makes the assignments of a statement without a command.
func (w *walker) bareAssigns(list []*syntax.Assign, c *ctx, st *state) {
	for _, a := range list {
		w.walkAssign(a, c, st)
		w.set(a, c, st)
		name := a.Name.Value
		if st.allexport && !inert(name) && !steers(name) {
			st.addNarrow(setBefore(name))
		}
	}
}

// set makes one assignment in the running shell.
func (w *walker) set(a *syntax.Assign, c *ctx, st *state) {
	if a.Name != nil {
		w.zshArray(a, c.span(a))
		v := w.given(a, c, st)
		w.give(a, &v, c, st)
	}
}

// A given is what an assignment brings: a word, or the elements of an array.
type given struct {
	word Word
	list []Word
}

// given expands the right side of an assignment.
func (w *walker) given(a *syntax.Assign, c *ctx, st *state) (v given) {
	v.word = w.assignValue(a, c, st)
	if a.Array == nil {
		w.hold(v.word.Text)
		return v
	}
	for _, e := range a.Array.Elems {
		if e.Value != nil {
			w.sideEffect(e.Value.Parts, c, st)
			v.list = w.fields(e.Value, c, st, v.list)
		}
	}
	w.holdWords(v.list)
	return v
}

// give binds what an assignment brings.
func (w *walker) give(a *syntax.Assign, v *given, c *ctx, st *state) {
	name, text, span := a.Name.Value, v.word.Text, c.span(a)
	w.touched(name, span, st)
	w.promptVar(name, text, span)
	if runsInSubscript(text) && v.word.Quoted && v.word.Known && arithmeticLike(text) {
		w.doubt(dHiddenEval, span, "the value runs a command when it is used as a number")
	}
	if !w.keeps(name) {
		w.giveAltered(name, v, span, st)
		return
	}
	if a.Array != nil {
		w.giveList(a, v, st)
		return
	}
	if a.Index != nil {
		st.bind(name, HoleMark)
		return
	}
	if a.Append {
		old, ok := st.lookup(name)
		if !ok {
			old = HoleMark
		}
		text = old + text
	}
	if !w.spend(len(text)) || len(text) > MaxBytes {
		text = HoleMark
	}
	w.hold(text)
	temp := v.word.Temp && !a.Append
	st.push(binding{name: name, text: text, temp: temp, down: v.word.Down && !a.Append})
}

// giveAltered follows what is given to a variable that may be an integer or a
// reference to another one.
func (w *walker) giveAltered(name string, v *given, span Span, st *state) {
	for _, word := range append([]Word{v.word}, v.list...) {
		w.number(word.Text, span, st)
		if slices.Contains(w.refs, name) {
			w.name(&word, span, st)
			w.shellVar(word.Text, false, span)
		}
	}
	st.bind(name, HoleMark)
}

// giveList binds NAME=(...).
func (w *walker) giveList(a *syntax.Assign, v *given, st *state) {
	exact := !a.Append
	for _, e := range a.Array.Elems {
		exact = exact && e.Index == nil && e.Value != nil
	}
	if !exact {
		st.bind(a.Name.Value, HoleMark)
		return
	}
	st.push(binding{name: a.Name.Value, isArray: true, list: v.list})
}

// arithmeticLike reports whether a text starts like an array element.
func arithmeticLike(text string) bool {
	name, _, ok := strings.Cut(text, "[")
	return ok && validName(name)
}

func (w *walker) assignValue(a *syntax.Assign, c *ctx, st *state) Word {
	if a.Array != nil {
		return Word{Text: HoleMark, Single: true, Span: c.span(a)}
	}
	v := w.single(a.Value, c, st, true)
	if a.Value == nil {
		v.Span = c.span(a)
	}
	return v
}

// walkAssign walks what an assignment runs.
func (w *walker) walkAssign(a *syntax.Assign, c *ctx, st *state) {
	if a.Name != nil && !validName(a.Name.Value) {
		w.doubt(dParserDiff, c.span(a), "a word that looks like an assignment to something that is no variable")
	}
	if a.Index != nil {
		w.mayFail(st)
		w.arithm(a.Index, c, st)
	}
	w.walkWord(a.Value, c, st)
	if a.Array == nil {
		return
	}
	for _, e := range a.Array.Elems {
		if e.Index != nil {
			w.arithm(e.Index, c, st)
		}
		w.walkWord(e.Value, c, st)
	}
}
