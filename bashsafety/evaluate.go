package bashsafety

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A hazard is what a text would do if the shell evaluated it a second time.
type hazard uint8

const (
	inIndex   hazard = 1 << iota // a[$(cmd)]: as a number or as the name of a variable
	inCommand                    // $(cmd): inside a subscript
	inName                       // PS4: as the name of a variable that is set
)

// evals joins the two sides of what the shell evaluates a second time. A value
// that the text does not show is taken for harmless, because a doubt on every
// ((i < n)) would be of no use, unless a literal of the text could be that
// value: how it gets there is not followed. Both sides are only compared at the
// end, since a loop or function may bring them together in any order.
type evals struct {
	held  hazard  // what the literals of the text would do
	asked hazard  // what the places would do where an unknown value is evaluated
	at    [3]Span // the first place of each kind

	attrs  []string // variables that do not hold what they are given: -i, -l, -u, -A
	fixed  []string // variables that are read-only
	refs   []string // variables that stand for others: -n
	opaque bool     // nothing that is set or entered stays for certain: a trap may change it

	// failed is set when an expansion or assignment of this line may have failed:
	// bash then drops the rest of the line, and goes on with the next one.
	failed    bool
	failedAt  *binding // what was bound before
	failedCwd cwdState
}

// mayFail notes that the rest of the line may not run.
func (w *walker) mayFail(st *state) {
	if !w.failed {
		w.failed, w.failedAt, w.failedCwd = true, st.vars, st.cwd
	}
}

// nextLine makes unknown what a failed line may not have done.
func (w *walker) nextLine(st *state) {
	if w.failed {
		st.blur(st.vars, w.failedAt)
		st.cwd = st.cwd.or(w.failedCwd)
		st.errexit = false
	}
	w.failed = false
}

// hold notes what a literal would do.
func (w *walker) hold(text string) {
	if w.muted == 0 {
		w.held |= hazards(text)
	}
}

func (w *walker) holdWords(words []Word) {
	for i := range words {
		w.hold(words[i].Text)
	}
}

// ask notes a place where an unknown value is evaluated.
func (w *walker) ask(h hazard, span Span) {
	if w.muted > 0 {
		return
	}
	for i := range w.at {
		if bit := hazard(1) << i; h&bit != 0 && w.asked&bit == 0 {
			w.asked |= bit
			w.at[i] = span
		}
	}
}

// meet doubts the places that a literal of the text could reach.
func (w *walker) meet() {
	for i, why := range [...]string{
		"a value with a subscript that runs a command may be evaluated here",
		"a value that runs a command may be evaluated here",
		"the variable set here may be one that steers the shell",
	} {
		if w.held&w.asked&(1<<i) != 0 {
			w.doubt(dHiddenEval, w.at[i], why)
		}
	}
}

// hazards says what evaluating a text would do.
func hazards(text string) (h hazard) {
	if len(text) > 1 && (strings.IndexByte(text, '`') >= 0 || strings.Contains(text, "$(") || strings.Contains(text, "@P}")) {
		h = inCommand
		if indexRuns(text) {
			h |= inIndex
		}
	} else if text == "$" || strings.Contains(text, "$"+HoleMark) {
		h = inCommand
	}
	name, _, _ := strings.Cut(text, "=")
	if runsCode(name) {
		h |= inName
	}
	return h
}

// maxIndexes bounds how many subscripts of one text are looked at.
const maxIndexes = 64

// indexRuns reports whether a subscript in the text holds a substitution.
func indexRuns(text string) bool {
	open := 0
	for i := 1; i < len(text); i++ {
		if text[i] == '[' && (nameByte(text[i-1]) || text[i-1] == HoleMark[0]) {
			if open++; open > maxIndexes {
				return true
			}
			if sub := subscript(text[i+1:]); strings.Contains(sub, "$(") || strings.Contains(sub, "`") || strings.Contains(sub, "@P}") {
				return true
			}
		}
	}
	return false
}

// subscript returns what stands before the closing bracket. With quotes in it
// that is the last one.
func subscript(s string) string {
	depth := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\'', '"', '\\':
			if end := strings.LastIndexByte(s, ']'); end > i {
				return s[:end]
			}
			return s
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return s[:i]
			}
		}
	}
	return s
}

// runsInSubscript reports whether arithmetic on the text would run a command:
// a subscript that holds a substitution. It errs on the side of yes.
func runsInSubscript(text string) bool {
	_, sub, ok := strings.Cut(text, "[")
	return ok && (strings.Contains(sub, "$(") || strings.Contains(sub, "`") || strings.Contains(sub, "${"))
}

// maxChase bounds how far a number is followed from variable to variable.
const maxChase = 4

// number follows a text that the shell evaluates as a number: the variables in
// it are evaluated in turn, and it may assign.
func (w *walker) number(text string, span Span, st *state) { w.chase(text, span, st, 0) }

func (w *walker) chase(text string, span Span, st *state, depth int) {
	if runsInSubscript(text) {
		w.doubt(dHiddenEval, span, "arithmetic runs the command in this text")
		return
	}
	if open, hole := strings.IndexByte(text, '['), strings.LastIndex(text, HoleMark); hole >= 0 {
		h := inIndex
		if open >= 0 && open < hole {
			h |= inCommand
		}
		w.ask(h, span)
	}
	if !w.spend(8 * len(text)) { // each name is looked up
		return
	}
	assigns := strings.Contains(text, "=") || strings.Contains(text, "++") || strings.Contains(text, "--")
	for rest := text; ; {
		var name string
		if name, rest = nextName(rest); name == "" {
			return
		}
		value, ok := st.lookup(name)
		switch {
		case !ok || depth == maxChase:
			w.ask(inIndex, span)
		case value != name && !number(value):
			w.chase(value, span, st, depth+1)
		}
		if assigns {
			w.touched(name, span, st)
			st.bind(name, HoleMark)
		}
	}
}

// nextName returns the first name of a variable in an arithmetic text, and the
// rest behind it.
func nextName(s string) (name, rest string) {
	for i := 0; i < len(s); i++ {
		if !nameByte(s[i]) {
			continue
		}
		end := i
		for end < len(s) && nameByte(s[end]) {
			end++
		}
		if nameStart(s[i]) {
			return s[i:end], s[end:]
		}
		i = end // a number, 0xff included
	}
	return "", ""
}

// name follows a text that the shell takes for the name of a variable, with a
// subscript that it evaluates.
func (w *walker) name(a *Word, span Span, st *state) {
	_, index, open := strings.Cut(a.Text, "[")
	switch {
	case runsInSubscript(a.Text):
		w.doubt(dHiddenEval, span, "the subscript runs a command")
		return
	case a.Known:
	case !open:
		w.ask(inIndex|inName, span)
	default:
		w.ask(inCommand|inIndex, span)
	}
	if open {
		w.number(subscript(index), span, st)
	}
}

// unknownName follows a name that is set and not known, or in part.
func (w *walker) unknownName(name string, span Span) {
	w.ask(inName, span)
	if strings.Trim(name, HoleMark) == "" {
		return
	}
	first, last := name[:strings.Index(name, HoleMark)], name[strings.LastIndex(name, HoleMark)+1:]
	for _, v := range codeVars {
		if len(first)+len(last) <= len(v) && strings.HasPrefix(v, first) && strings.HasSuffix(v, last) {
			w.shellVar(v, false, span)
		}
	}
}

// sideEffects forgets the variables that arithmetic in the words assigns: a
// later word of the same command already sees the new value.
func (w *walker) sideEffects(words []*syntax.Word, c *ctx, st *state) {
	if len(words) < 2 && (len(words) == 0 || len(words[0].Parts) < 2) {
		return
	}
	for _, word := range words {
		w.sideEffect(word.Parts, c, st)
	}
}

func (w *walker) sideEffect(parts []syntax.WordPart, c *ctx, st *state) {
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
func (w *walker) numberEffect(x syntax.ArithmExpr, c *ctx, st *state) {
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
		if text, ok := st.lookup(x.Lit()); ok && strings.ContainsAny(text, "=+-") {
			w.number(text, c.span(x), st)
		}
		w.sideEffect(x.Parts, c, st)
	}
}

// assignedNumber forgets the variable that arithmetic assigns.
func (w *walker) assignedNumber(x syntax.ArithmExpr, c *ctx, st *state) {
	name := numberName(x)
	if name == "" {
		if word, ok := x.(*syntax.Word); ok {
			v := w.single(word, c, st, false)
			name, _, _ = strings.Cut(v.Text, "[")
		}
		if !validName(name) {
			st.forget()
			return
		}
	}
	w.touched(name, c.span(x), st)
	st.bind(name, HoleMark)
}

// numberName is the variable on the left side of an arithmetic assignment, ""
// when it is not literal.
func numberName(x syntax.ArithmExpr) string {
	word, ok := x.(*syntax.Word)
	if !ok || len(word.Parts) != 1 {
		return ""
	}
	switch p := word.Parts[0].(type) {
	case *syntax.Lit:
		if validName(p.Value) {
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
func (w *walker) touched(name string, span Span, st *state) {
	w.shellVar(name, false, span)
	switch name {
	case "POSIXLY_CORRECT":
		w.doubt(dShellVar, span, name)
	case "IFS":
		st.ifs = true
	case "CDPATH":
		st.cdpath = true
	}
	st.steered(name)
	if readOnlyVar(name) || slices.Contains(w.fixed, name) {
		w.mayFail(st)
	}
	if slices.Contains(w.refs, name) || len(w.refs) >= maxAttrs {
		st.forget()
	}
}

// maxAttrs bounds the variables whose attributes are remembered; beyond it no
// variable holds what it is given.
const maxAttrs = 128

func (w *walker) addAttr(list *[]string, name string) {
	if len(*list) >= maxAttrs {
		w.opaque = true
	} else if !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

// keeps reports whether a variable holds what it is given. Some that the shell
// sets itself are integers.
func (w *walker) keeps(name string) bool {
	return !w.opaque && !volatile(name) && !slices.Contains(w.attrs, name) && !slices.Contains(w.refs, name) && !slices.Contains(w.fixed, name)
}
