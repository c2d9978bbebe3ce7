// Package words turns the words of a shell text into the arguments that programs receive: braces, tildes, variables and
// quotes as bash and zsh expand them. What the text alone does not say stays unknown.
package words

import (
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"mvdan.cc/sh/v3/syntax"
)

// A Walk is the walk that the words are part of: it notes doubts, bounds the work, and knows which values are
// integers.
type Walk interface {
	// Doubt records a doubt; detail, when given, comes first in its message.
	Doubt(kind analysis.DoubtKind, span shell.Span, detail string)
	// Spend reports whether expansion may copy n more bytes.
	Spend(n int) bool
	// TakeWords reports whether braces may make n more words.
	TakeWords(n int) bool
	// MayFail notes that a shell may not run the rest of the line.
	MayFail(st *State)
	// IsInteger reports whether a variable was given nothing but integers so far.
	IsInteger(name string, st *State) bool
	// Integral reports whether a word is an expression of numbers, and of variables that hold integers.
	Integral(v *shell.Word, st *State) bool
}

// A Reader turns the words of a text into the arguments that programs receive.
type Reader struct {
	Walk   Walk
	Env    analysis.Env
	Funcs  []string // every function that the text declares
	Naming bool     // the word that is expanded names a command
	Elem   bool     // it is an element of an array
	// UnlikeZsh says that it makes a difference when words are expanded as zsh does.
	UnlikeZsh bool
	asZsh     bool // words are expanded as zsh does
	Steps     int  // work done, for tests
}

// A Frame is one text that is parsed: the whole, or the argument of an eval.
type Frame struct {
	Src    string
	Off    int        // where Src starts in the text that is analysed
	Held   bool       // every place in it is Holder
	Holder shell.Span // the word that holds the text
}

// At returns the span of Src[from:to].
func (f *Frame) At(from, to int) shell.Span {
	if f.Held {
		return f.Holder
	}
	return shell.Span{Start: f.Off + from, End: f.Off + to}
}

// Span returns the place of a node.
func (f *Frame) Span(n syntax.Node) shell.Span {
	return f.At(int(n.Pos().Offset()), int(n.End().Offset()))
}
