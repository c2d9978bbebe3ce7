package interp

import (
	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A doubtKind is one reason why the text does not say for certain what it does.
type doubtKind uint8

const (
	dParse doubtKind = iota
	dTooLong
	dTooDeep
	dTooMany
	dTooMuch
	dBraceLimit
	dParserDiff
	dControl
	dUnicode
	dZsh
	dExtGlob
	dDynamic
	dHiddenEval
	dIFS
	dShellVar
	dShadow
	dNested
	dProgramText
	dPipedProgram
	dNetworkFile
	dUnknownNode
	dScript
	dInternal
	dPowerShell
	dPowerShellCode
)

// doubtKinds holds the stable id of each kind and the sentence users read:
// what, then what to do instead.
var doubtKinds = [...]struct{ id, msg string }{
	dParse:        {"parse-error", "this is not valid bash; fix the syntax"},
	dTooLong:      {"too-long", "the command is over 64 KiB; put it into a script file"},
	dTooDeep:      {"too-deep", "the command nests over 100 levels; flatten it"},
	dTooMany:      {"too-many-commands", "the command runs over 500 commands; split it"},
	dTooMuch:      {"too-much-work", "the command expands to more than permgate analyses; write it out"},
	dBraceLimit:   {"brace-limit", "a brace expansion produces too many words; use fewer"},
	dParserDiff:   {"parser-diff", "shells may read this differently; write it more plainly"},
	dControl:      {"control-character", "the command contains a control character; remove it or write it as an escape"},
	dUnicode:      {"invisible-character", "the command contains an invisible or direction-changing character; remove it"},
	dZsh:          {"zsh-only", "zsh and bash read this differently; quote it"},
	dExtGlob:      {"extended-glob", "shells read extended globs differently; name the files"},
	dDynamic:      {"dynamic-command", "the command name is only known at run time; write it literally"},
	dHiddenEval:   {"hidden-eval", "an expansion evaluates text as code; use a plain variable"},
	dIFS:          {"ifs", "IFS changes how words split; write the words out"},
	dShellVar:     {"shell-variable", "this variable makes the shell run code; leave it unset"},
	dShadow:       {"shadowed-command", "a function or alias replaces this command; call the program directly"},
	dNested:       {"nested-substitution", "shells read nested command substitutions differently; quote both and avoid comments and backquotes in them, or store the inner result in a variable"},
	dProgramText:  {"unknown-program-text", "the program text is not literal; write it out"},
	dPipedProgram: {"piped-program", "the program comes from a pipe and cannot be checked; save it to a file and read it first"},
	dNetworkFile:  {"network-file", "bash opens a network connection for this file name; use a network command"},
	dUnknownNode:  {"unknown-node", "this syntax is not analysed; write it differently"},
	dScript:       {"unreadable-script", "the script this command runs cannot be read; fix the file, or run its commands directly"},
	dInternal:     {"internal-error", "the analysis failed; write the command differently"},

	dPowerShell:     {"powershell-complex", "this PowerShell syntax is not analysed; use plain commands"},
	dPowerShellCode: {"powershell-code", "this calls code that cannot be checked; use a cmdlet instead"},
}

// doubt records a doubt once per place; detail, when given, comes first.
func (w *walker) doubt(kind doubtKind, span shell.Span, detail string) {
	if w.muted > 0 && (kind < dTooLong || kind > dTooMuch) {
		return // but beyond a limit nothing was seen, wherever it runs
	}
	k := &doubtKinds[kind]
	msg := k.msg
	if detail != "" {
		msg = detail + ": " + msg
	}
	w.addDoubt(shell.Doubt{ID: k.id, Msg: msg, Span: span})
}

// MaxDoubts bounds the list: one is enough to ask.
const MaxDoubts = 50

func (w *walker) addDoubt(d shell.Doubt) {
	if w.source != nil {
		d.Msg = w.source.String() + ": " + d.Msg
	}
	if len(w.s.Doubts) >= MaxDoubts {
		return
	}
	for _, old := range w.s.Doubts {
		if old.ID == d.ID && old.Span == d.Span {
			return
		}
	}
	w.s.Doubts = append(w.s.Doubts, d)
}

// unicode doubts characters that show something else than what runs: controls,
// invisible characters and those that change the direction of writing. They are
// looked for everywhere, because a prompt shows quoted text too.
func (w *walker) unicode(src string, c *ctx) {
	switch i, n, control := crosscheck.Unseen(src); {
	case n == 0:
	case control:
		w.doubt(dControl, c.fr.at(i, i+n), "")
	default:
		w.doubt(dUnicode, c.fr.at(i, i+n), "")
	}
}
