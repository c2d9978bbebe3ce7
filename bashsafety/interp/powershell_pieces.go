package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// pieces lists what may be commands in a text that is not read any further, so
// that deny rules and checks see them.
func (p *psParser) pieces(text string, off int) {
	lex := psLexer{s: text}
	for lex.command() && !p.w.full {
		if len(lex.argv) == 0 {
			continue
		}
		for i := range lex.argv {
			at := &lex.argv[i].Span
			*at = p.place(shell.Span{Start: at.Start + off, End: at.End + off})
		}
		sub := analysis.Subcommand{Span: shell.Span{Start: lex.argv[0].Span.Start, End: lex.argv[len(lex.argv)-1].Span.End}, Argv: lex.argv, Via: p.via}
		if lex.argv[0].Known {
			sub.Program = psBase(lex.argv[0].Text)
			if cmd := cmdletOf(strings.ToLower(sub.Program)); cmd != nil {
				p.spellings(&sub, cmd)
			}
		}
		p.w.add(sub)
	}
}

// psLexer cuts PowerShell text into commands and words, wherever one may start.
type psLexer struct {
	s    string
	i    int
	argv []shell.Word
}

// command reads the words up to the next place where a command may start;
// false at the end of the text.
func (p *psLexer) command() bool {
	if p.argv = nil; p.i >= len(p.s) {
		return false
	}
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case strings.IndexByte(" \t#<>", c) >= 0:
			p.i++
		case strings.IndexByte(";|\n\r{}()&", c) >= 0:
			p.i++
			if len(p.argv) > 0 {
				return true
			}
		default:
			p.word()
		}
	}
	return true
}

// word reads one word; quotes are taken off, an expansion is a hole.
func (p *psLexer) word() {
	w := shell.Word{Known: true, Single: true, Span: shell.Span{Start: p.i}}
	var b strings.Builder
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n;|{}()&<>", p.s[p.i]) < 0 {
		c := p.s[p.i]
		p.i++
		switch {
		case c == '\'' || c == '"':
			w.Quoted = true
			p.quoted(c, &w, &b)
		case c < 0x20, c >= 0x80, strings.IndexByte("$@`", c) >= 0:
			w.Known = false
			b.WriteString(shell.HoleMark)
			if c == '`' && p.i < len(p.s) {
				p.i++
			}
		default:
			b.WriteByte(c)
		}
	}
	w.Text, w.Span.End = b.String(), p.i
	if before, _, ok := strings.Cut(w.Text, shell.HoleMark); ok {
		w.Text = before + shell.HoleMark // where an expansion ends is not followed
	}
	p.argv = append(p.argv, w)
}

// quoted reads up to the closing quote; a doubled one is the quote itself.
func (p *psLexer) quoted(q byte, w *shell.Word, b *strings.Builder) {
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == q && p.i < len(p.s) && p.s[p.i] == q:
			b.WriteByte(q)
			p.i++
		case c == q:
			return
		case q == '"' && (c == '$' || c == '`'):
			w.Known = false
			b.WriteString(shell.HoleMark)
		default:
			b.WriteByte(c)
		}
	}
}
