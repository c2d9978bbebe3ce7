package interp

import (
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"mvdan.cc/sh/v3/syntax"
)

// A Walk is the walk that the words are part of: it notes doubts, bounds the work, and knows which values are
// integers.
type Walk interface {
	Doubt(kind analysis.DoubtKind, span shell.Span, detail string)
	// Spend reports whether expansion may copy n more bytes.
	Spend(n int) bool
	// TakeWords reports whether braces may make n more words.
	TakeWords(n int) bool
	// IsInteger reports whether a variable was given nothing but integers so far.
	IsInteger(name string, st *state) bool
	// Integral reports whether a word is an expression of numbers, and of variables that hold integers.
	Integral(v *shell.Word, st *state) bool
}

// A reader turns the words of a text into the arguments that programs receive.
type reader struct {
	walk   Walk
	env    analysis.Env
	funcs  []string // every function that the text declares
	naming bool     // the word that is expanded names a command
	elem   bool     // it is an element of an array
	// asZsh says that words are expanded as zsh does, unlikeZsh that this makes a
	// difference.
	asZsh, unlikeZsh bool
	steps            int // work done, for tests
}

// A frame is one text that is parsed: the whole, or the argument of an eval.
type frame struct {
	src    string
	off    int        // where src starts in the text that is analysed
	held   bool       // every place in it is holder
	holder shell.Span // the word that holds the text
}

// at returns the span of src[from:to].
func (f *frame) at(from, to int) shell.Span {
	if f.held {
		return f.holder
	}
	return shell.Span{Start: f.off + from, End: f.off + to}
}

// span returns the place of a node.
func (f *frame) span(n syntax.Node) shell.Span {
	return f.at(int(n.Pos().Offset()), int(n.End().Offset()))
}
