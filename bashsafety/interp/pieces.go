package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// pieces walks what can be made out in a text that does not parse: the simple
// commands between its operators. Deny rules are tried on them; the Doubt about
// the text remains.
func (w *walker) pieces(src string, off int, c *ctx, st *state) {
	start := 0
	var delims []string
	sc := crosscheck.Scanner{Src: src}
	for sc.Next() {
		if sc.Class != crosscheck.ScanPlain {
			continue
		}
		switch sc.Byte {
		case '<':
			if d := crosscheck.HeredocStart(src[sc.Pos-1:]); d != "" && !strings.HasSuffix(src[:sc.Pos-1], "<") {
				delims = append(delims, d)
			}
		case ';', '&', '|', '\n', '(', ')', '{', '}', '`':
			w.piece(src[start:sc.Pos-1], off+start, c, st)
			if sc.Byte == '\n' {
				sc.Skip(delims)
				delims = nil
			}
			start = sc.Pos
		}
	}
	w.piece(src[start:], off+start, c, st)
}

func (w *walker) piece(src string, off int, c *ctx, st *state) {
	if shell.Blank(src) || w.full || deep(src) {
		return
	}
	if w.piecesLeft--; w.piecesLeft < 0 {
		w.doubt(analysis.DoubtTooMuch, shell.Span{Start: 0, End: len(w.s.Text)}, "")
		return
	}
	fr := *c.fr
	fr.src, fr.off = src, c.fr.off+off
	n := c.through("")
	n.fr = &fr
	file, _ := parse(crosscheck.WithoutReserved(src))
	if deepTree(src, file) {
		return
	}
	w.s.Files = append(w.s.Files, file)
	w.stmts(file.Stmts, n, st)
}
