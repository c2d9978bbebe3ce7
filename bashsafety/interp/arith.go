package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// arithm walks an arithmetic expression: its words may hold substitutions, and
// a subscript in a quoted word is evaluated all the same.
func (w *walker) arithm(x syntax.ArithmExpr, c *ctx, st *state) {
	switch x := x.(type) {
	case nil:
	case *syntax.BinaryArithm:
		if x.Op != syntax.Assgn || !literalName(x.X) {
			w.arithm(x.X, c, st)
		}
		w.arithm(x.Y, c, st)
		if assigns(x.Op) {
			w.assignedNumber(x.X, c, st)
		}
	case *syntax.UnaryArithm:
		w.arithm(x.X, c, st)
		if x.Op == syntax.Inc || x.Op == syntax.Dec {
			w.assignedNumber(x.X, c, st)
		}
	case *syntax.ParenArithm:
		w.arithm(x.X, c, st)
	case *syntax.FlagsArithm:
		w.doubt(analysis.DoubtZsh, c.span(x), "")
		w.arithm(x.X, c, st)
	case *syntax.Word:
		w.evaluated(x, c, st)
		w.walkWord(x, c, st)
	default:
		w.doubt(analysis.DoubtUnknownNode, c.span(x), "")
	}
}

// evaluated follows a word that arithmetic evaluates once more after quote
// removal.
func (w *walker) evaluated(word *syntax.Word, c *ctx, st *state) {
	if shell.Number(word.Lit()) {
		return
	}
	span := c.span(word)
	v := w.single(word, c, st, false)
	if substitutes(v.Text) {
		w.doubt(analysis.DoubtHiddenEval, span, "arithmetic runs the command in this text")
		return
	}
	w.noteLiteral(v.Text)
	w.evaluates(&v, st)
	w.number(v.Text, span, st)
	if len(word.Parts) != 1 {
		return
	}
	if p, ok := word.Parts[0].(*syntax.ParamExp); ok && p.Short {
		if index, ok := p.Index.(*syntax.Word); ok && index.Lit() == "" {
			w.noteEvaluated(inCommand, span) // a[$k]: some releases expand the subscript twice
		}
	}
}

// literalName reports whether an expression is the plain name of a variable.
func literalName(x syntax.ArithmExpr) bool {
	word, ok := x.(*syntax.Word)
	return ok && shell.ValidName(word.Lit())
}

// letClause treats let as the command it is; its arguments are shown as
// written.
func (w *walker) letClause(l *syntax.LetClause, c *ctx, st *state) {
	inv := pending{argv: []shell.Word{knownWord("let", c.span(l))}, span: c.span(l)}
	for _, x := range l.Exprs {
		from, to := int(x.Pos().Offset()), int(x.End().Offset())
		text := shell.HoleMark
		if from < to && to <= len(c.fr.src) {
			if src := strings.ReplaceAll(c.fr.src[from:to], "\\\n", ""); !strings.ContainsAny(src, "$`\\\"'") {
				text = src
			}
		}
		word := knownWord(text, c.span(x))
		if text == shell.HoleMark {
			word = w.letWord(x, c, st)
		}
		inv.argv = append(inv.argv, word)
	}
	w.run(&inv, c, st)
	for _, x := range l.Exprs {
		w.arithm(x, c, st)
		st.surelyAssigns(x)
	}
}

// letWord is an argument of let that is not literal, as far as it says what is
// assigned; what is evaluated is followed in arithm.
func (w *walker) letWord(x syntax.ArithmExpr, c *ctx, st *state) shell.Word {
	switch x := x.(type) {
	case *syntax.Word:
		v := w.single(x, c, st, false)
		return v
	case *syntax.BinaryArithm:
		if name := numberName(x.X); assigns(x.Op) && name != "" {
			return shell.Word{Text: name + "=" + shell.HoleMark, Single: true, Numeric: true, Span: c.span(x)}
		}
	case *syntax.UnaryArithm:
		if name := numberName(x.X); name != "" {
			return shell.Word{Text: name + "=" + shell.HoleMark, Single: true, Numeric: true, Span: c.span(x)}
		}
	}
	return shell.Word{Text: shell.HoleMark, Single: true, Numeric: true, Span: c.span(x)}
}

// test walks the expression of [[ ]].
func (w *walker) test(x syntax.TestExpr, c *ctx, st *state) {
	switch x := x.(type) {
	case nil:
	case *syntax.BinaryTest:
		w.test(x.X, c, st)
		w.test(x.Y, c, st)
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			w.testNumber(x.X, c, st)
			w.testNumber(x.Y, c, st)
		case syntax.TsReMatch: // what matches goes into BASH_REMATCH
			if word, ok := x.X.(*syntax.Word); ok {
				v := w.single(word, c, st, false)
				w.noteLiteral(v.Text)
			}
		}
	case *syntax.UnaryTest:
		w.test(x.X, c, st)
		if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			w.testName(x.X, c, st)
		}
		if x.Op == syntax.TsFdTerm {
			w.testNumber(x.X, c, st)
		}
	case *syntax.ParenTest:
		w.test(x.X, c, st)
	case *syntax.Word:
		w.walkWord(x, c, st)
	default:
		w.doubt(analysis.DoubtUnknownNode, c.span(x), "")
	}
}

func (w *walker) testNumber(x syntax.TestExpr, c *ctx, st *state) {
	if word, ok := x.(*syntax.Word); ok {
		w.evaluated(word, c, st)
	}
}

func (w *walker) testName(x syntax.TestExpr, c *ctx, st *state) {
	if word, ok := x.(*syntax.Word); ok {
		v := w.single(word, c, st, false)
		w.noteLiteral(v.Text)
		w.evaluatesName(&v, st)
		w.name(&v, c.span(word), st)
	}
}
