package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// param adds the value of a parameter expansion: exact when the text itself
// assigned it on a path that surely ran, else a hole of the right shape. What
// the expansion runs is walked by walkParam.
func (x *expander) param(p *syntax.ParamExp) {
	if p.Length || p.Width {
		x.numbers++
		x.unknown(false)
		return
	}
	if p.Param == nil {
		x.unknown(true)
		return
	}
	name := p.Param.Value
	switch name {
	case "?", "#", "$":
		if simpleParam(p) {
			x.numbers++
			x.unknown(false)
			return
		}
	case "@":
		x.unknown(true)
		return
	case "*":
		x.unknown(!x.quoted)
		return
	}
	if p.Index != nil && x.array(p, name) {
		return
	}
	if x.tempDefault(p) {
		x.text("/tmp")
		return
	}
	if p.Names != 0 || !simpleParam(p) && !x.defaulted(p) {
		x.unknown(!x.quoted || p.Names == syntax.NamesPrefixWords || starIndex(p) == '@' || p.Exp != nil && several(p.Exp.Word))
		return
	}
	x.variable(name)
}

// defaulted reports whether the expansion is ${x:-word} of a variable that is
// known and not empty: its value is then x's.
func (x *expander) defaulted(p *syntax.ParamExp) bool {
	if p.Exp == nil || p.Index != nil || p.Excl || p.Slice != nil || p.Repl != nil {
		return false
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		v, ok := x.st.lookup(p.Param.Value)
		if !ok && p.Param.Value == "TMPDIR" {
			return x.w.env.Temp != ""
		}
		return ok && v != "" && v[0] != HoleMark[0]
	}
	return false
}

// several reports whether a word holds a "$@" or "${a[@]}", which makes several
// arguments even in the default of a quoted expansion.
func several(word *syntax.Word) (yes bool) {
	if word == nil {
		return false
	}
	syntax.Walk(word, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok {
			yes = yes || p.Param != nil && p.Param.Value == "@" || starIndex(p) == '@' || p.Names == syntax.NamesPrefixWords
		}
		return !yes
	})
	return yes
}

// variable adds the value of a plain variable.
func (x *expander) variable(name string) {
	text, ok := x.st.lookup(name)
	if ok && len(x.buf) == 0 && !x.hole {
		if x.temp = x.st.isTemp(name); x.temp && !strings.ContainsAny(text, " \t\n*?[\\") {
			x.ones++
		}
	}
	if !ok {
		switch name {
		case "TMPDIR":
			text = x.w.env.Temp
		case "HOME":
			text = x.w.env.Home
		case "PWD":
			text = x.st.pwd()
		}
		if text == "" {
			x.unknown(!x.quoted)
			return
		}
	}
	if !x.w.spend(len(text)) {
		x.unknown(!x.quoted)
		return
	}
	if x.quoted || x.whole || x.st.oneWord(name) && !x.st.ifs {
		if ok && x.st.isDown(name) {
			x.downs += strings.Count(text, HoleMark)
		}
		x.mixed(text)
		return
	}
	x.split(text)
}

// mixed adds a value in which holes stand for unknown parts.
func (x *expander) mixed(text string) {
	for i, part := range strings.Split(text, HoleMark) {
		if i > 0 {
			x.unknown(false)
		}
		if part != "" {
			x.text(part)
		}
	}
	x.has = x.has || x.quoted
}

// split adds an unquoted value: blanks separate arguments, glob characters are
// patterns.
func (x *expander) split(text string) {
	if strings.Contains(text, HoleMark) || strings.Contains(text, `\`) || x.st.ifs || x.lone && strings.ContainsAny(text, " \t\n") {
		x.unknown(true)
		return
	}
	x.nparts++
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == ' ' || b == '\t' || b == '\n':
			x.flush()
		case b == '*' || b == '?' || b == '[' && strings.IndexByte(text[i:], ']') > 0:
			x.has, x.glob = true, true
			x.buf = append(x.buf, b)
		default:
			x.has = true
			x.literal(b)
		}
	}
}

// array adds "${a[@]}" of an array the text assigned; false when it is not one.
func (x *expander) array(p *syntax.ParamExp, name string) bool {
	if !simpleIndexed(p) || starIndex(p) != '@' || !x.quoted {
		return false
	}
	list, ok := x.st.lookupList(name)
	if !ok || len(list) == 0 {
		return false
	}
	if first := &list[0]; x.has && len(x.buf) > 0 && (first.Glob || !first.Single) {
		return false // where it is nothing, the next element goes on with what is there
	}
	for i, e := range list {
		if i > 0 {
			x.flush()
		}
		switch {
		case e.Glob || !e.Single:
			x.unknown(true)
		case !x.w.spend(len(e.Text)):
			x.unknown(true)
			return true
		default:
			x.mixed(e.Text)
			x.has, x.quotes = true, true
		}
	}
	return true
}

// simpleParam reports $name or ${name}.
func simpleParam(p *syntax.ParamExp) bool { return p.Index == nil && simpleIndexed(p) }

func simpleIndexed(p *syntax.ParamExp) bool {
	return p.Param != nil && !p.Excl && !p.Length && !p.Width && !p.IsSet && p.Flags == nil && p.NestedParam == nil &&
		p.Slice == nil && p.Repl == nil && p.Exp == nil && p.Names == 0 && len(p.Modifiers) == 0
}

// starIndex returns '@' or '*' for ${a[@]} and ${a[*]}, else 0.
func starIndex(p *syntax.ParamExp) byte {
	if word, ok := p.Index.(*syntax.Word); ok {
		if lit := word.Lit(); lit == "@" || lit == "*" {
			return lit[0]
		}
	}
	return 0
}

// walkParam walks what a parameter expansion evaluates and doubts the forms
// that run text nobody sees.
func (w *walker) walkParam(p *syntax.ParamExp, quoted bool, c *ctx, st *state) {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	span := c.span(p)
	if p.Flags != nil || p.NestedParam != nil || p.IsSet || p.Width || len(p.Modifiers) > 0 ||
		p.Split != 0 || p.GlobSubst != 0 || p.RcExpand != 0 || p.Param == nil {
		w.doubt(dZsh, span, "an expansion that only other shells know")
	}
	if p.Excl && starIndex(p) == 0 && p.Names == 0 {
		w.doubt(dHiddenEval, span, "${!"+name+"} expands the variable that another one names")
	}
	if name == "IFS" && !quoted {
		w.doubt(dIFS, span, "")
	}
	if p.Index != nil && starIndex(p) == 0 {
		if word, ok := p.Index.(*syntax.Word); !ok || !number(word.Lit()) {
			w.mayFail(st)
		}
		w.arithm(p.Index, c, st)
	}
	if p.Slice != nil {
		w.mayFail(st)
		w.arithm(p.Slice.Offset, c, st)
		w.arithm(p.Slice.Length, c, st)
	}
	if p.Repl != nil {
		w.walkOperand(p.Repl.Orig, quoted, c, st)
		w.walkOperand(p.Repl.With, quoted, c, st)
		w.holdOperand(p.Repl.With, c, st)
	}
	if p.Exp == nil {
		return
	}
	w.walkOperand(p.Exp.Word, quoted, c, st)
	w.holdOperand(p.Exp.Word, c, st)
	switch p.Exp.Op {
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		w.doubt(dHiddenEval, span, "${"+name+":=...} assigns while it expands")
		st.bind(name, HoleMark)
	case syntax.OtherParamOps:
		if lit := p.Exp.Word.Lit(); lit == "P" || lit == "" {
			w.doubt(dHiddenEval, span, "${"+name+"@P} runs the value as a prompt string")
		}
	}
}

// holdOperand notes what a word inside an expansion brings into its value.
func (w *walker) holdOperand(word *syntax.Word, c *ctx, st *state) {
	if word != nil {
		v := w.single(word, c, st, false)
		w.hold(v.Text)
	}
}

// walkOperand walks a word inside an expansion. The parser takes <( and >(
// there for text; bash, outside double quotes, runs what follows.
func (w *walker) walkOperand(word *syntax.Word, quoted bool, c *ctx, st *state) {
	if word != nil && !quoted {
		for _, part := range word.Parts {
			if lit, ok := part.(*syntax.Lit); ok && (strings.Contains(lit.Value, "<(") || strings.Contains(lit.Value, ">(")) {
				w.doubt(dParserDiff, c.span(lit), "a process substitution inside an expansion")
			}
		}
	}
	w.walkWord(word, c, st)
}
