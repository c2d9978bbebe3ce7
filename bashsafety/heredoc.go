package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// heredoc paints a here-document and checks that bash would let it start and
// end where the parser does. bash reads the body line by line, joining lines
// that end in a backslash when the delimiter is not quoted, and stops at the
// first line that equals the delimiter.
func (p *painter) heredoc(r *syntax.Redirect) {
	at := int(r.OpPos.Offset())
	delim, ok := delimiter(r.Word)
	if !ok {
		p.diff(at, "an unusual here-document delimiter")
	}
	quoted := quotedDelimiter(r.Word)
	from, to := p.bodyOf(r)
	if from < 0 {
		p.diff(at, "a here-document without an end")
		return
	}
	for _, sp := range p.subst {
		if sp.Start < at && at < sp.End && to > sp.End {
			p.diff(at, "a here-document that ends behind its substitution")
		}
	}
	class := classHeredoc
	if quoted {
		class = classHeredocData
	}
	p.paint(from, to, class)
	line, end := p.line(to)
	if r.Op == syntax.DashHdoc {
		line = strings.TrimLeft(line, "\t")
	}
	if line != delim || from > 0 && p.src[from-1] != '\n' {
		p.diff(at, "a here-document that may end elsewhere")
	}
	p.paint(to, end, classDelimiter)
	if ok && p.endsEarly(p.src[from:to], delim, quoted, r.Op == syntax.DashHdoc) {
		p.diff(at, "a here-document that may end elsewhere")
	}
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
		// The parser leaves out a continuation at the very start.
		for from >= 2 && p.src[from-2:from] == "\\\n" && !p.escaped(from-2) && !p.sameLine(r, from-2) {
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
		if i < len(p.class) && (p.class[i] == classHeredoc || p.class[i] == classHeredocData || p.class[i] == classDelimiter) {
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

// line returns the line at i and where it ends.
func (p *painter) line(i int) (string, int) {
	i = min(i, len(p.src))
	n := strings.IndexByte(p.src[i:], '\n')
	if n < 0 {
		return p.src[i:], len(p.src)
	}
	return p.src[i : i+n], i + n
}

// endsEarly reports whether a line of the body, as bash joins them, is the
// delimiter, or the last one swallows it.
func (p *painter) endsEarly(body, delim string, quoted, tabs bool) bool {
	logical := ""
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if tabs && logical == "" {
			line = strings.TrimLeft(line, "\t")
		}
		if !quoted && oddBackslashes(line) {
			logical += line[:len(line)-1]
			if len(logical) > len(delim) {
				logical = delim + "x" // longer than any match, and short
			}
			continue
		}
		if logical+line == delim {
			return true
		}
		logical = ""
	}
	return logical != "" || !quoted && oddBackslashes(strings.TrimSuffix(body, "\n"))
}

func oddBackslashes(s string) bool {
	n := len(s) - len(strings.TrimRight(s, `\`))
	return n%2 == 1
}

// delimiter returns the delimiter of a here-document after quote removal; ok is
// false for spellings that nobody needs.
func delimiter(word *syntax.Word) (string, bool) {
	if len(word.Parts) != 1 {
		return "", false
	}
	text := ""
	switch d := word.Parts[0].(type) {
	case *syntax.Lit:
		text = strings.TrimPrefix(d.Value, `\`)
	case *syntax.SglQuoted:
		if d.Dollar {
			return "", false
		}
		text = d.Value
	case *syntax.DblQuoted:
		if d.Dollar || len(d.Parts) != 1 {
			return "", false
		}
		lit, ok := d.Parts[0].(*syntax.Lit)
		if !ok {
			return "", false
		}
		text = lit.Value
	}
	return text, text != "" && !strings.ContainsAny(text, "\\$`\"'\n")
}
