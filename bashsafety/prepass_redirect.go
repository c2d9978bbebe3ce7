package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirect paints a redirection and, when it is one, its here-document.
func (p *painter) redirect(r *syntax.Redirect) {
	if r.N != nil {
		p.token(r.N.ValuePos, len(r.N.Value), classOperator)
		p.start(int(r.N.ValuePos.Offset()))
	}
	p.token(r.OpPos, len(r.Op.String()), classOperator)
	p.same(int(r.OpPos.Offset()), r.Op.String())
	p.word(r.Word, classUnquoted, true)
	if r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc {
		p.heredoc(r)
	}
}

// heredoc paints the lines of a here-document, the delimiter included.
func (p *painter) heredoc(r *syntax.Redirect) {
	from, to := p.bodyOf(r)
	if from < 0 {
		p.doubt(int(r.OpPos.Offset()), "a here-document without an end")
		return
	}
	p.fill(from, to, classHeredoc)
	if r.Hdoc != nil && !quotedDelimiter(r.Word) {
		for i := from; i < to && strings.HasPrefix(p.src[i:], "\\\n"); i += 2 {
			p.fill(i, i+2, classEscape) // the parser leaves them out
		}
		p.parts(r.Hdoc.Parts, classHeredoc)
	}
	end := len(p.src)
	if n := strings.IndexByte(p.src[to:], '\n'); n >= 0 {
		end = to + n + 1
	}
	p.fill(to, end, classHeredoc)
}

// bodyOf returns where the body is, from < 0 when it cannot be found.
func (p *painter) bodyOf(r *syntax.Redirect) (from, to int) {
	if r.Hdoc != nil {
		to = min(int(r.Hdoc.End().Offset()), len(p.src))
		from = min(int(r.Hdoc.Pos().Offset()), to)
		for r.Op == syntax.DashHdoc && from > 0 && p.src[from-1] == '\t' {
			from--
		}
		// The node ends behind the delimiter line.
		to = from + strings.LastIndexByte(p.src[from:to], '\n') + 1
		for from >= 2 && p.src[from-2:from] == "\\\n" && !p.sameLine(r, from-2) {
			from -= 2
		}
		return from, to
	}
	// An empty body: the delimiter is the next line that is not part of another
	// here-document.
	i := int(r.Word.End().Offset())
	for i < len(p.src) {
		n := strings.IndexByte(p.src[i:], '\n')
		if n < 0 {
			return -1, 0
		}
		i += n + 1
		if i < len(p.class) && p.class[i] == classHeredoc {
			continue
		}
		return i, i
	}
	return -1, 0
}

// sameLine reports whether the place is still on the line of the operator.
func (p *painter) sameLine(r *syntax.Redirect, at int) bool {
	return strings.IndexByte(p.src[min(int(r.OpPos.Offset()), at):at], '\n') < 0
}
