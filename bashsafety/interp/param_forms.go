package interp

import "mvdan.cc/sh/v3/syntax"

// onlyDefault reports whether an expansion is ${name}, an operator and a word.
func onlyDefault(p *syntax.ParamExp) bool { return p.Exp != nil && p.Index == nil && !p.Excl }

// manyWords reports whether an expansion is several arguments in quotes, too, by
// its @.
func manyWords(p *syntax.ParamExp) bool {
	return starIndex(p) == '@' || p.Names == syntax.NamesPrefixWords
}

// several reports whether a word holds a "$@" or "${a[@]}", which makes several
// arguments even in the default of a quoted expansion.
func several(word *syntax.Word) (yes bool) {
	if word == nil {
		return false
	}
	syntax.Walk(word, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok {
			yes = yes || paramName(p) == "@" || manyWords(p)
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
	return !zshOnly(p)
}

// zshOnly reports the forms of an expansion that zsh alone knows.
func zshOnly(p *syntax.ParamExp) bool {
	return p.Flags != nil || p.NestedParam != nil || p.IsSet || len(p.Modifiers) > 0
}

// zshPrefixed reports ${=name}, ${~name} and ${^name} of zsh.
func zshPrefixed(p *syntax.ParamExp) bool {
	return p.Split != 0 || p.GlobSubst != 0 || p.RcExpand != 0
}

// paramName returns the name in an expansion, "" when there is none.
func paramName(p *syntax.ParamExp) string {
	if p.Param == nil {
		return ""
	}
	return p.Param.Value
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

// shortName returns the name of $name, written without braces; "" for any other
// part.
func shortName(part syntax.WordPart) string {
	if p, ok := part.(*syntax.ParamExp); ok && p.Short {
		return paramName(p)
	}
	return ""
}
