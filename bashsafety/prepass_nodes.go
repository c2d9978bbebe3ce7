package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// text returns the source of a node.
func (p *painter) text(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from > to || to > len(p.src) {
		return ""
	}
	return p.src[from:to]
}

// from returns the source from a node on.
func (p *painter) from(n syntax.Node) string {
	return p.src[min(int(n.Pos().Offset()), len(p.src)):]
}

// same checks that the source holds what the parser says it read.
func (p *painter) same(at int, value string) {
	if at < 0 || at > len(p.src) || !strings.HasPrefix(p.src[at:], value) {
		p.diff(max(0, min(at, len(p.src)-1)), "a part of the text that the parser changed")
	}
}

// literal checks the text of a literal. Line continuations, which it leaves
// out, are checked on their own.
func (p *painter) literal(n *syntax.Lit) {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from >= to || to > len(p.src) {
		if n.Value != "" {
			p.same(from, n.Value)
		}
		return
	}
	src := p.src[from:to]
	if strings.Contains(p.src[from:min(to+1, len(p.src))], "\\\n") {
		return
	}
	if class := p.class[from]; class == classHeredoc || class == classHeredocData {
		p.same(from, n.Value) // the node reaches over the delimiter
	} else if src != n.Value {
		p.diff(from, "a part of the text that the parser changed")
	}
}

// quotedDefault doubts single quotes in "${x:-...}": shells do not agree
// whether they quote there.
func (p *painter) quotedDefault(n *syntax.ParamExp) {
	at := min(int(n.Pos().Offset()), len(p.class)-1)
	if class := p.class[at]; class != classDouble && class != classHeredoc || n.Exp == nil && n.Repl == nil {
		return
	}
	word := (*syntax.Word)(nil)
	if n.Repl != nil {
		word = n.Repl.With
	} else {
		switch n.Exp.Op {
		case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		default:
			word = n.Exp.Word
		}
	}
	if word == nil {
		return
	}
	for _, part := range word.Parts {
		if q, ok := part.(*syntax.SglQuoted); ok {
			p.diff(int(q.Pos().Offset()), "single quotes inside an expansion inside double quotes")
		}
	}
}

// unquotedAny reports whether one of the characters stands outside quotes.
func unquotedAny(s, chars string) bool {
	sc := scanner{src: s, word: true}
	for sc.next() {
		if sc.class == scanPlain && strings.IndexByte(chars, sc.b) >= 0 || sc.class == scanComment {
			return true
		}
	}
	return false
}

// plainQuotes reports whether arithmetic is quoted in the one way that is read
// alike everywhere: double quotes around a plain variable.
func plainQuotes(s string) bool {
	if strings.ContainsAny(s, "'\\`") {
		return false
	}
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 && strings.ContainsAny(part, "()\n;") {
			return false
		}
	}
	return strings.Count(s, `"`)%2 == 0
}
