package crosscheck

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// IsHeredoc reports whether a redirect is a here-document: << or <<-.
func IsHeredoc(r *syntax.Redirect) bool { return r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc }

// redirect paints a redirection and, when it is one, its here-document.
func (p *painter) redirect(r *syntax.Redirect) {
	if r.N != nil {
		p.token(r.N.ValuePos, len(r.N.Value), classOperator)
		p.start(int(r.N.ValuePos.Offset()))
	}
	p.token(r.OpPos, len(r.Op.String()), classOperator)
	p.same(int(r.OpPos.Offset()), r.Op.String())
	p.word(r.Word, classUnquoted, true)
	if IsHeredoc(r) {
		p.heredoc(r)
	}
}

// heredoc paints the lines of a here-document, the delimiter included. The
// tree says nothing of an empty one: its place is looked for when everything
// else is painted.
func (p *painter) heredoc(r *syntax.Redirect) {
	if r.Hdoc == nil {
		p.empty = append(p.empty, r)
		return
	}
	from, to := p.bodyOf(r)
	p.fill(from, to, classHeredoc)
	if !shell.QuotedDelimiter(r.Word) {
		for i := from; i < to && strings.HasPrefix(p.src[i:], "\\\n"); i += 2 {
			p.fill(i, i+2, classEscape) // the parser leaves them out
		}
		p.parts(r.Hdoc.Parts, classHeredoc)
	}
	p.delimiterLine(to)
}

func (p *painter) delimiterLine(at int) {
	end := len(p.src)
	if n := strings.IndexByte(p.src[at:], '\n'); n >= 0 {
		end = at + n + 1
	}
	p.fill(at, end, classHeredoc)
}

// bodyOf returns where the body is.
func (p *painter) bodyOf(r *syntax.Redirect) (from, to int) {
	to = min(int(r.Hdoc.End().Offset()), len(p.src))
	from = min(int(r.Hdoc.Pos().Offset()), to)
	for r.Op == syntax.DashHdoc && from > 0 && p.src[from-1] == '\t' {
		from--
	}
	// The node ends after the delimiter line.
	to = from + strings.LastIndexByte(p.src[from:to], '\n') + 1
	for from >= 2 && p.src[from-2:from] == "\\\n" && !p.sameLine(r, from-2) {
		from -= 2
	}
	return from, to
}

// emptyDocs paints the here-documents without lines: the delimiter follows the
// first newline after the operator that belongs to no word, or the lines of
// another here-document there.
func (p *painter) emptyDocs() {
	const most = 50 // each looks at the text again
	for n, r := range p.empty {
		if n == most {
			p.doubt(int(r.OpPos.Offset()), "here-documents without a body")
			return
		}
		i := int(r.Word.End().Offset())
		for i < len(p.src) && (p.class[i] != classGap || p.src[i] != '\n') {
			i++
		}
		for i++; i < len(p.src) && p.class[i] == classHeredoc; i++ {
		}
		if i >= len(p.src) {
			p.doubt(int(r.OpPos.Offset()), "an unterminated here-document")
			return
		}
		p.delimiterLine(i)
	}
}

// sameLine reports whether the place is still on the line of the operator.
func (p *painter) sameLine(r *syntax.Redirect, at int) bool {
	return strings.IndexByte(p.src[min(int(r.OpPos.Offset()), at):at], '\n') < 0
}
