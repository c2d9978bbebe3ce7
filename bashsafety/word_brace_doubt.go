package bashsafety

import (
	"iter"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// looseBraces reports whether a word with a brace expansion has further braces;
// bash pairs them in ways of its own.
func looseBraces(parts []syntax.WordPart) bool {
	found, loose := false, false
	for _, p := range parts {
		switch n := p.(type) {
		case *syntax.BraceExp:
			found = true
			for _, e := range n.Elems {
				loose = loose || hasBrace(e.Parts) || looseBraces(e.Parts)
			}
		case *syntax.ParamExp: // bash counts the { of ${x-{}
			loose = loose || n.Exp != nil && n.Exp.Word != nil && hasBrace(n.Exp.Word.Parts) ||
				n.Repl != nil && (n.Repl.Orig != nil && hasBrace(n.Repl.Orig.Parts) || n.Repl.With != nil && hasBrace(n.Repl.With.Parts))
		}
	}
	return found && (loose || hasBrace(parts))
}

// behindPID reports whether a brace expansion follows $$: bash takes ${ for the
// start of an expansion when it looks for braces.
func behindPID(parts []syntax.WordPart) bool {
	for i, p := range parts[1:] {
		if _, ok := p.(*syntax.BraceExp); !ok {
			continue
		}
		for j := i; j >= 0; j-- {
			if lit, ok := parts[j].(*syntax.Lit); ok && lit.Value == "" {
				continue
			}
			param, ok := parts[j].(*syntax.ParamExp)
			if ok && param.Short && param.Param != nil && param.Param.Value == "$" {
				return true
			}
			break
		}
	}
	return false
}

// loneDollar reports whether a $ that is text stands in a word with a brace
// expansion, which may put something behind it.
func loneDollar(parts []syntax.WordPart) bool {
	for _, p := range parts {
		if lit, ok := p.(*syntax.Lit); ok && strings.HasSuffix(lit.Value, "$") && !oddBackslashes(lit.Value[:len(lit.Value)-1]) {
			return true
		}
		if b, ok := p.(*syntax.BraceExp); ok {
			for _, e := range b.Elems {
				if loneDollar(e.Parts) {
					return true
				}
			}
		}
	}
	return false
}

// couldPair reports whether an unquoted {, a comma and a } follow each other:
// bash finds pairs, as in a{},}, that the parser does not.
func couldPair(parts []syntax.WordPart) bool {
	want := "{,}"
	for b := range plainBytes(parts) {
		if b == want[0] {
			if want = want[1:]; want == "" {
				return true
			}
		}
	}
	return false
}

func hasBrace(parts []syntax.WordPart) bool {
	for b := range plainBytes(parts) {
		if b == '{' || b == '}' {
			return true
		}
	}
	return false
}

// plainBytes yields the bytes of the literals that no backslash quotes.
func plainBytes(parts []syntax.WordPart) iter.Seq[byte] {
	return func(yield func(byte) bool) {
		for _, p := range parts {
			lit, ok := p.(*syntax.Lit)
			for i := 0; ok && i < len(lit.Value); i++ {
				if lit.Value[i] == '\\' {
					i++
				} else if !yield(lit.Value[i]) {
					return
				}
			}
		}
	}
}

// joinsName reports whether brace expansion put a letter behind $name, which
// makes it the name of another variable.
func joinsName(parts []syntax.WordPart) bool {
	for i, p := range parts {
		param, ok := p.(*syntax.ParamExp)
		if !ok || !param.Short || param.Param == nil || !validName(param.Param.Value) {
			continue
		}
		for _, next := range parts[i+1:] {
			lit, ok := next.(*syntax.Lit)
			if ok && lit.Value == "" {
				continue
			}
			if ok && nameByte(lit.Value[0]) {
				return true
			}
			break
		}
	}
	return false
}
