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

// arithm walks an arithmetic expression; a subscript in a quoted word is evaluated all the same.
func (w *walker) arithm(x syntax.ArithmExpr, c *ctx, st *words.State) {
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
		w.Doubt(analysis.DoubtZsh, c.span(x), "")
		w.arithm(x.X, c, st)
	case *syntax.Word:
		w.evaluated(x, c, st)
		w.walkWord(x, c, st)
	default:
		w.Doubt(analysis.DoubtUnknownNode, c.span(x), "")
	}
}

// evaluated follows a word that arithmetic evaluates after its quotes are removed.
func (w *walker) evaluated(word *syntax.Word, c *ctx, st *words.State) {
	if shell.Number(word.Lit()) {
		return
	}
	span := c.span(word)
	v := w.Single(word, c.fr, st, false)
	if substitutes(v.Text) {
		w.Doubt(analysis.DoubtHiddenEval, span, "arithmetic runs the command in this text")
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

// letClause treats let as a command, with its arguments as written.
func (w *walker) letClause(l *syntax.LetClause, c *ctx, st *words.State) {
	inv := pending{argv: []shell.Word{words.Known("let", c.span(l))}, span: c.span(l)}
	for _, x := range l.Exprs {
		word := words.Known(strings.ReplaceAll(c.source(x), "\\\n", ""), c.span(x))
		if word.Text == "" || strings.ContainsAny(word.Text, "$`\\\"'"+shell.HoleMark) {
			word = w.letWord(x, c, st)
		}
		inv.argv = append(inv.argv, word)
	}
	w.run(&inv, c, st)
	for _, x := range l.Exprs {
		w.arithm(x, c, st)
		surelyAssigns(x, st)
	}
}

// letWord is an argument of let that is not literal, as far as it says what is assigned.
func (w *walker) letWord(x syntax.ArithmExpr, c *ctx, st *words.State) shell.Word {
	name := ""
	switch x := x.(type) {
	case *syntax.Word:
		return w.Single(x, c.fr, st, false)
	case *syntax.BinaryArithm:
		if assigns(x.Op) {
			name = numberName(x.X)
		}
	case *syntax.UnaryArithm:
		name = numberName(x.X)
	}
	if name != "" {
		name += "="
	}
	return shell.Word{Text: name + shell.HoleMark, Single: true, Numeric: true, Span: c.span(x)}
}

// test walks the expression of [[ ]].
func (w *walker) test(x syntax.TestExpr, c *ctx, st *words.State) {
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
				w.noteLiteral(w.Single(word, c.fr, st, false).Text)
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
		w.Doubt(analysis.DoubtUnknownNode, c.span(x), "")
	}
}

func (w *walker) testNumber(x syntax.TestExpr, c *ctx, st *words.State) {
	if word, ok := x.(*syntax.Word); ok {
		w.evaluated(word, c, st)
	}
}

func (w *walker) testName(x syntax.TestExpr, c *ctx, st *words.State) {
	if word, ok := x.(*syntax.Word); ok {
		v := w.Single(word, c.fr, st, false)
		w.noteLiteral(v.Text)
		w.evaluatesName(&v, st)
		w.name(&v, c.span(word), st)
	}
}

// maxChase bounds how far a number is followed from variable to variable.
const maxChase = 4

// number follows a text that is evaluated as a number, with the variables in it; it may assign.
func (w *walker) number(text string, span shell.Span, st *words.State) { w.chase(text, span, st, 0) }

func (w *walker) chase(text string, span shell.Span, st *words.State, depth int) {
	if runsInSubscript(text) {
		w.Doubt(analysis.DoubtHiddenEval, span, "arithmetic runs the command in this text")
		return
	}
	if open, hole := strings.IndexByte(text, '['), strings.LastIndex(text, shell.HoleMark); hole >= 0 {
		h := inIndex
		if open >= 0 && open < hole {
			h |= inCommand
		}
		w.unknownNumber(h, span, st)
	}
	if !w.Spend(8 * len(text)) { // each name is looked up
		return
	}
	assigns := strings.Contains(text, "=") || strings.Contains(text, "++") || strings.Contains(text, "--")
	for rest := text; ; {
		var name string
		if name, rest = nextName(rest); name == "" {
			return
		}
		value, ok := st.Lookup(name)
		switch {
		case !ok || depth == maxChase:
			w.unknownNumber(inIndex, span, st)
		case value != name && !shell.Number(value):
			w.chase(value, span, st, depth+1)
		}
		if assigns {
			w.madeInteger(name, st)
			w.touched(name, span, st)
			st.Bind(name, shell.HoleMark)
		}
	}
}

// unknownNumber follows an unknown number: it may be any literal of the text.
func (w *walker) unknownNumber(h hazard, span shell.Span, st *words.State) {
	w.noteEvaluated(h, span)
	for _, name := range w.inText {
		if _, ok := st.Lookup(name); ok {
			st.Bind(name, shell.HoleMark)
		}
		w.steered(name, st)
	}
}

// nextName returns the first variable in an arithmetic text, and the rest after it.
func nextName(s string) (name, rest string) {
	for i := 0; i < len(s); i++ {
		if !shell.NameByte(s[i]) {
			continue
		}
		end := i + shell.WordLength(s[i:], shell.NameByte)
		if shell.NameStart(s[i]) {
			return s[i:end], s[end:]
		}
		if i = end; i < len(s) && s[i] == '#' { // a number: 0xff, 16#ff
			i += shell.WordLength(s[i+1:], shell.NameByte)
		}
	}
	return "", ""
}

// name follows the name of a variable, whose subscript is evaluated.
func (w *walker) name(a *shell.Word, span shell.Span, st *words.State) {
	_, index, open := strings.Cut(a.Text, "[")
	switch {
	case runsInSubscript(a.Text):
		w.Doubt(analysis.DoubtHiddenEval, span, "the subscript runs a command")
		return
	case a.Known:
	case !open:
		w.noteEvaluated(inIndex|inName, span)
	default:
		w.noteEvaluated(inCommand|inIndex, span)
	}
	if open {
		w.number(subscript(index), span, st)
	}
}

// unknownName follows a name that is set and not known, or in part.
func (w *walker) unknownName(name string, span shell.Span) {
	w.noteEvaluated(inName, span)
	if strings.Trim(name, shell.HoleMark) == "" || !strings.Contains(name, shell.HoleMark) {
		return
	}
	first, last := name[:strings.Index(name, shell.HoleMark)], name[strings.LastIndex(name, shell.HoleMark)+1:]
	for _, v := range commands.CodeVars {
		if len(first)+len(last) <= len(v) && strings.HasPrefix(v, first) && strings.HasSuffix(v, last) {
			w.shellVar(v, false, span)
		}
	}
}

// sideEffects forgets what arithmetic in the words assigns: a later word sees the new value.
func (w *walker) sideEffects(list []*syntax.Word, c *ctx, st *words.State) {
	if len(list) < 2 && (len(list) == 0 || len(list[0].Parts) < 2) {
		return
	}
	for _, word := range list {
		w.sideEffect(word.Parts, c, st)
	}
}

func (w *walker) sideEffect(parts []syntax.WordPart, c *ctx, st *words.State) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.DblQuoted:
			w.sideEffect(p.Parts, c, st)
		case *syntax.ArithmExp:
			w.numberEffect(p.X, c, st)
		case *syntax.ParamExp:
			w.numberEffect(p.Index, c, st)
			if p.Slice != nil {
				w.numberEffect(p.Slice.Offset, c, st)
				w.numberEffect(p.Slice.Length, c, st)
			}
			if p.Exp != nil && p.Exp.Word != nil {
				w.sideEffect(p.Exp.Word.Parts, c, st)
			}
		}
	}
}

// numberEffect is sideEffect for an arithmetic expression.
func (w *walker) numberEffect(x syntax.ArithmExpr, c *ctx, st *words.State) {
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		w.numberEffect(x.X, c, st)
		w.numberEffect(x.Y, c, st)
		if assigns(x.Op) {
			w.assignedNumber(x.X, c, st)
		}
	case *syntax.UnaryArithm:
		w.numberEffect(x.X, c, st)
		if x.Op == syntax.Inc || x.Op == syntax.Dec {
			w.assignedNumber(x.X, c, st)
		}
	case *syntax.ParenArithm:
		w.numberEffect(x.X, c, st)
	case *syntax.Word:
		if text, ok := st.Lookup(x.Lit()); ok && strings.ContainsAny(text, "=+-") {
			w.number(text, c.span(x), st)
		}
		w.sideEffect(x.Parts, c, st)
	}
}

// assignedNumber forgets the variable that arithmetic assigns.
func (w *walker) assignedNumber(x syntax.ArithmExpr, c *ctx, st *words.State) {
	name := numberName(x)
	if name == "" {
		if word, ok := x.(*syntax.Word); ok {
			v := w.Single(word, c.fr, st, false)
			name, _, _ = strings.Cut(v.Text, "[")
		}
		if !shell.ValidName(name) {
			w.anyVariable(shell.HoleMark, c.span(x), st)
			return
		}
	}
	w.madeInteger(name, st)
	w.touched(name, c.span(x), st)
	st.Bind(name, shell.HoleMark)
}

// numberName is the variable that arithmetic assigns, "" when it is not literal.
func numberName(x syntax.ArithmExpr) string {
	word, ok := x.(*syntax.Word)
	if !ok || len(word.Parts) != 1 {
		return ""
	}
	switch p := word.Parts[0].(type) {
	case *syntax.Lit:
		if shell.ValidName(p.Value) {
			return p.Value
		}
	case *syntax.ParamExp:
		if p.Short && p.Index != nil && p.Param != nil && !p.Dollar.IsValid() {
			return p.Param.Value
		}
	}
	return ""
}

// touched notes that the text sets a variable, in whatever way.
func (w *walker) touched(name string, span shell.Span, st *words.State) {
	w.mistaken = w.mistaken || !w.made && slices.Contains(w.temps, name)
	w.made = false
	w.shellVar(name, false, span)
	switch name {
	case "POSIXLY_CORRECT", "BASH_COMPAT":
		w.Doubt(analysis.DoubtShellVar, span, name)
	case "IFS":
		st.IFS = true
	case "CDPATH", "cdpath":
		st.CDPath = true
	}
	w.steered(name, st)
	if words.ReadOnlyVar(name) || slices.Contains(w.fixed, name) {
		w.MayFail(st)
	}
	if slices.Contains(w.refs, name) || len(w.refs) >= maxAttrs {
		st.AnyName()
	}
}

// maxAttrs bounds the variables with remembered attributes; beyond it none holds what it is given.
const maxAttrs = 128

func (w *walker) addAttr(list *[]string, name string) {
	if len(*list) >= maxAttrs {
		w.opaque = true
	} else if !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

// keeps reports whether a variable holds what it is given. Some of the shell are integers.
func (w *walker) keeps(name string) bool {
	if w.opaque || words.Volatile(name) {
		return false
	}
	return !slices.Contains(w.attrs, name) && !slices.Contains(w.refs, name) && !slices.Contains(w.fixed, name)
}

// MayFail notes that the rest of the line may not run.
func (w *walker) MayFail(st *words.State) {
	if !w.failed {
		w.failed, w.failedAt, w.failedCwd = true, st.Vars, st.Cwd
	}
}

// nextLine makes unknown what a failed line may not have done.
func (w *walker) nextLine(st *words.State) {
	if w.failed {
		line := words.State{Vars: st.Vars}
		st.ForgetSince(st.Vars, w.failedAt)
		st.KeepSure(&line) // it fails for another reason than what a variable held before
		st.Cwd = st.Cwd.Or(w.failedCwd)
		st.Errexit = false
	}
	w.failed = false
}

// surelyAssigns marks what i=0 assigns; an assignment inside an expression may not be made.
func surelyAssigns(x syntax.ArithmExpr, st *words.State) {
	if b, ok := x.(*syntax.BinaryArithm); ok && b.Op == syntax.Comma {
		surelyAssigns(b.X, st)
		surelyAssigns(b.Y, st)
	} else if ok && b.Op == syntax.Assgn && numberName(b.X) != "" {
		st.Push(words.Binding{Name: numberName(b.X), Text: shell.HoleMark, Sure: true})
	}
}
