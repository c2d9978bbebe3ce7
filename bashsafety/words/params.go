package words

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"mvdan.cc/sh/v3/syntax"
)

// param adds the value of a parameter expansion: exact when the text itself
// assigned it on a path that surely ran, else a hole of the right shape. The walk
// follows what the expansion runs.
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
	case "!": // the number of a job, or nothing
		if simpleParam(p) {
			x.digits++
			x.unknown(!x.quoted)
			return
		}
	case "@", "*":
		joined := Steady(x.st.Args) < len(x.st.Args) && (len(x.buf) > 0 || x.more)
		if len(x.st.Args) == 0 || !simpleParam(p) || x.st.IFS || joined {
			x.unknown(name == "@" || !x.quoted)
		} else {
			x.arguments(name == "*")
		}
		return
	}
	was := x.unknowns
	defer func() {
		plain := (simpleIndexed(p) || x.integerDefault(p)) && x.unknowns > was
		if plain && x.r.Walk.IsInteger(name, x.st) {
			x.digits += x.unknowns - was
		}
	}()
	if p.Index != nil && x.array(p, name) {
		return
	}
	if x.tempDefault(p) {
		x.text("/tmp")
		return
	}
	if p.Names != 0 || !simpleParam(p) && !x.defaulted(p) {
		x.unknown(!x.quoted || manyWords(p) || p.Exp != nil && several(p.Exp.Word))
		return
	}
	x.variable(name)
}

// integerDefault reports whether the expansion is ${x:-5}.
func (x *expander) integerDefault(p *syntax.ParamExp) bool {
	return onlyDefault(p) && (p.Exp.Word == nil || shell.Number(p.Exp.Word.Lit()))
}

// defaulted reports whether the expansion is ${x:-word} of a variable that is
// known and not empty: its value is then x's.
func (x *expander) defaulted(p *syntax.ParamExp) bool {
	if !onlyDefault(p) {
		return false
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		v, ok := x.st.param(p.Param.Value)
		if !ok && p.Param.Value == "TMPDIR" {
			return x.r.Env.Temp != ""
		}
		return ok && v != "" && v[0] != shell.HoleMark[0]
	}
	return false
}

// variable adds the value of a plain variable.
func (x *expander) variable(name string) {
	text, ok := x.st.param(name)
	b := x.st.Bound(name)
	if b == nil {
		b = new(Binding)
	}
	if ok && len(x.buf) == 0 && !x.hole {
		if x.temp, x.alone = b.Temp, b.Alone; x.temp && !commands.MayExpand(text) {
			x.ones++
		}
		if b := x.st.Bound(name); b != nil {
			x.list = b.Listing
		}
	}
	if !ok {
		switch name {
		case "TMPDIR":
			text = x.r.Env.Temp
		case "HOME":
			text = x.r.Env.Home
		case "PWD":
			text = x.st.pwd()
		default:
			if x.r.Env.Named != nil && shell.Among(shell.WindowsVariables, name) {
				text = x.r.Env.Named(name)
			}
		}
		if text == "" {
			x.unknown(!x.quoted)
			return
		}
	}
	if !x.r.Walk.Spend(len(text)) {
		x.unknown(!x.quoted)
		return
	}
	holes := strings.Count(text, shell.HoleMark)
	tokens := b.Tokens && !x.open
	if x.quoted || x.whole || b.Word && !x.st.IFS {
		if b.Down {
			x.downs += holes
		} else if b.NoSlash {
			x.names += holes
		}
		if tokens {
			x.tokens += holes
		}
		x.mixed(text)
		return
	}
	if tokens {
		x.tokens += min(holes, 1)
	}
	x.split(text)
}

// mixed adds a value with holes for its unknown parts.
func (x *expander) mixed(text string) {
	for i, part := range strings.Split(text, shell.HoleMark) {
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
	blanks := strings.ContainsAny(text, " \t\n")
	if strings.ContainsAny(text, `\`+shell.HoleMark) || x.st.IFS || x.lone && blanks {
		x.unknown(true)
		return
	}
	if blanks && x.asZsh() {
		x.text(text)
		return
	}
	x.nparts++
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case crosscheck.IsBlank(b):
			x.flush()
		case x.opensGlob(text[i:], !x.more):
			x.has = true
			x.wildcard(b)
		case x.inBracket(b):
			x.open = b != ']'
			x.buf = append(x.buf, b)
		case x.many && b == ']':
			x.closeUnknown()
		default:
			x.has = true
			x.literal(b)
		}
	}
}

// array adds "${a[@]}" of an array the text assigned; false when it is not one.
func (x *expander) array(p *syntax.ParamExp, name string) bool {
	if !simpleIndexed(p) || StarIndex(p) != '@' || !x.quoted {
		return false
	}
	list, ok := x.st.lookupList(name)
	if !ok || len(list) == 0 {
		return false
	}
	if first := &list[0]; x.has && len(x.buf) > 0 && (first.Glob || !first.Single) {
		return false // the first may be no argument at all, and the second then joins what is in front
	}
	if last := &list[len(list)-1]; x.more && len(list) > 1 && (last.Glob || !last.Single) {
		return false // nor the last, and the one before it then joins what follows
	}
	x.elements(list)
	return true
}

// arguments adds the arguments of the function that is walked: "$@", "$*", or either without quotes.
func (x *expander) arguments(star bool) {
	if x.quoted && !star {
		x.elements(x.st.Args)
		return
	}
	for i, a := range x.st.Args {
		switch {
		case !x.r.Walk.Spend(Size + len(a.Text)):
			x.unknown(true)
		case !x.quoted:
			if i > 0 {
				x.flush()
			}
			x.split(a.Text)
		default:
			x.mixed([...]string{"", " "}[min(i, 1)] + a.Text)
		}
	}
}

// elements adds each element of an array as an argument.
func (x *expander) elements(list []shell.Word) {
	for i, e := range list {
		if i > 0 {
			x.flush()
		}
		if !x.r.Walk.Spend(Size + len(e.Text)) {
			x.unknown(true)
			return
		}
		if e.Glob || !e.Single {
			x.unknown(true)
			continue
		}
		x.mixed(e.Text)
		x.has, x.quotes = true, true
	}
}

// onlyDefault reports whether an expansion is ${name}, an operator and a word.
func onlyDefault(p *syntax.ParamExp) bool { return p.Exp != nil && p.Index == nil && !p.Excl }

// manyWords reports whether an expansion is several arguments in quotes, too, by
// its @.
func manyWords(p *syntax.ParamExp) bool {
	return StarIndex(p) == '@' || p.Names == syntax.NamesPrefixWords
}

// several reports whether a word holds a "$@" or "${a[@]}", which makes several
// arguments even in the default of a quoted expansion.
func several(word *syntax.Word) (yes bool) {
	if word == nil {
		return false
	}
	syntax.Walk(word, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok {
			yes = yes || ParamName(p) == "@" || manyWords(p)
		}
		return !yes
	})
	return yes
}

// simpleParam reports $name or ${name}.
func simpleParam(p *syntax.ParamExp) bool { return p.Index == nil && simpleIndexed(p) }

// simpleIndexed reports $name, ${name} or ${name[index]}.
func simpleIndexed(p *syntax.ParamExp) bool {
	if p.Param == nil || p.Excl || p.Length || p.Width {
		return false
	}
	if p.Slice != nil || p.Repl != nil || p.Exp != nil || p.Names != 0 {
		return false
	}
	return !ZshOnly(p)
}

// ZshOnly reports the forms of an expansion that zsh alone knows.
func ZshOnly(p *syntax.ParamExp) bool {
	return p.Flags != nil || p.NestedParam != nil || p.IsSet || len(p.Modifiers) > 0
}

// ZshPrefixed reports ${=name}, ${~name} and ${^name} of zsh.
func ZshPrefixed(p *syntax.ParamExp) bool {
	return p.Split != 0 || p.GlobSubst != 0 || p.RcExpand != 0
}

// ParamName returns the name in an expansion, or "" if none.
func ParamName(p *syntax.ParamExp) string {
	if p.Param == nil {
		return ""
	}
	return p.Param.Value
}

// StarIndex returns '@' or '*' for ${a[@]} and ${a[*]}, else 0.
func StarIndex(p *syntax.ParamExp) byte {
	if word, ok := p.Index.(*syntax.Word); ok {
		if lit := word.Lit(); lit == "@" || lit == "*" {
			return lit[0]
		}
	}
	return 0
}

// shortName returns the name of $name, written without braces; "" for any other
// part.
func shortName(part syntax.WordPart) string {
	if p, ok := part.(*syntax.ParamExp); ok && p.Short {
		return ParamName(p)
	}
	return ""
}
