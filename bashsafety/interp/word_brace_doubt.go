package interp

import (
	"iter"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/shell"
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
		case *syntax.ParamExp:
			loose = loose || braceInOperand(n)
		}
	}
	return found && (loose || hasBrace(parts))
}

// braceInOperand reports whether a word inside ${...} has a brace: bash counts
// the { of ${x-{}.
func braceInOperand(n *syntax.ParamExp) bool {
	if n.Exp != nil && wordHasBrace(n.Exp.Word) {
		return true
	}
	return n.Repl != nil && (wordHasBrace(n.Repl.Orig) || wordHasBrace(n.Repl.With))
}

func wordHasBrace(word *syntax.Word) bool { return word != nil && hasBrace(word.Parts) }

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
			if shortName(parts[j]) == "$" {
				return true
			}
			break
		}
	}
	return false
}

// loneDollar reports whether a word with a brace expansion holds a $ that is
// text, which the expansion may put something after.
func loneDollar(parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch n := p.(type) {
		case *syntax.Lit:
			if text, ok := strings.CutSuffix(n.Value, "$"); ok && !shell.OddBackslashes(text) {
				return true
			}
		case *syntax.BraceExp:
			for _, e := range n.Elems {
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

// joinsName reports whether brace expansion put a letter after $name, which
// makes it the name of another variable.
func joinsName(parts []syntax.WordPart) bool {
	for i, p := range parts {
		if !shell.ValidName(shortName(p)) {
			continue
		}
		for _, next := range parts[i+1:] {
			lit, ok := next.(*syntax.Lit)
			if ok && lit.Value == "" {
				continue
			}
			if ok && shell.NameByte(lit.Value[0]) {
				return true
			}
			break
		}
	}
	return false
}
