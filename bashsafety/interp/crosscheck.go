package interp

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
)

// crossCheck doubts the places where two readings of a text disagree.
func (w *walker) crossCheck(src string, file *syntax.File, whole bool, c *ctx) {
	read := crosscheck.Compare(src, file, whole)
	w.funcs = append(w.funcs, read.Funcs...)
	w.moves = w.moves || read.Moves
	if read.At >= 0 {
		w.doubt(analysis.DoubtParserDiff, c.fr.at(read.At, min(read.At+1, len(src))), read.Detail)
	}
	if z := &read.Zsh; z.What != "" {
		w.doubt(analysis.DoubtZsh, c.fr.at(z.From, min(z.To, len(src))), z.What)
	}
	w.doubtUnicodeSpaces(read.Blanks, c)
}

// doubtUnicodeSpaces doubts characters outside quotes that look like a blank and
// are none to the shell.
func (w *walker) doubtUnicodeSpaces(blanks [][2]int, c *ctx) {
	for _, b := range blanks {
		w.doubt(analysis.DoubtUnicode, c.fr.at(b[0], b[1]), "a space character that the shell does not treat as a space")
	}
}
