package bashsafety

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
	dParse:        {"parse-error", "the text is not valid bash; correct it"},
	dTooLong:      {"too-long", "the text is over 64 KiB; put it into a script file"},
	dTooDeep:      {"too-deep", "the text nests over 100 levels; write it flat"},
	dTooMany:      {"too-many-commands", "the text runs over 500 commands; split it"},
	dTooMuch:      {"too-much-work", "the text expands to more than can be looked at; write it out"},
	dBraceLimit:   {"brace-limit", "a brace expansion makes too many words; write fewer"},
	dParserDiff:   {"parser-diff", "bash may read this place in another way than it looks; write it plainly"},
	dControl:      {"control-character", "the text holds a control character; leave it out or write it as an escape"},
	dUnicode:      {"invisible-character", "the text holds an invisible or direction-changing character; leave it out"},
	dZsh:          {"zsh-only", "zsh reads this place in another way than bash; quote it"},
	dExtGlob:      {"extended-glob", "an extended glob means different things in different shells; name the files"},
	dDynamic:      {"dynamic-command", "the command name is made at run time; write it literally"},
	dHiddenEval:   {"hidden-eval", "an expansion evaluates text as code; use a plain variable"},
	dIFS:          {"ifs", "IFS changes how words split; write the words out"},
	dShellVar:     {"shell-variable", "a variable makes the shell run code of its own; leave it alone"},
	dShadow:       {"shadowed-command", "a function or alias hides the command of that name; call the program directly"},
	dNested:       {"nested-substitution", "shells may read a command substitution inside another one differently; quote both, without comments and backquotes in them, or use a variable between them"},
	dProgramText:  {"unknown-program-text", "the program text is not literal; write it out"},
	dPipedProgram: {"piped-program", "the program comes from a pipe and cannot be seen; save it to a file and look at it first"},
	dNetworkFile:  {"network-file", "bash opens a network connection for this file name; use a network command"},
	dUnknownNode:  {"unknown-node", "the text uses a construct that is not analysed; write it differently"},
	dScript:       {"unreadable-script", "the script behind the command cannot be read; mend the file, or run its commands directly"},
	dInternal:     {"internal-error", "the analysis failed; write the command differently"},

	dPowerShell:     {"powershell-complex", "this part of the PowerShell text is not understood; write it as plain commands"},
	dPowerShellCode: {"powershell-code", "this calls code that cannot be looked into; use a cmdlet instead"},
}

// doubt records a doubt once per place; detail, when given, comes first.
func (w *walker) doubt(kind doubtKind, span Span, detail string) {
	if w.muted > 0 && (kind < dTooLong || kind > dTooMuch) {
		return // but behind a limit nothing was seen, wherever it runs
	}
	k := &doubtKinds[kind]
	msg := k.msg
	if detail != "" {
		msg = detail + ": " + msg
	}
	w.addDoubt(Doubt{ID: k.id, Msg: msg, Span: span})
}

// maxDoubts bounds the list: one is enough to ask.
const maxDoubts = 50

func (w *walker) addDoubt(d Doubt) {
	if w.source != nil {
		d.Msg = w.source.String() + ": " + d.Msg
	}
	if len(w.s.Doubts) >= maxDoubts {
		return
	}
	for _, old := range w.s.Doubts {
		if old.ID == d.ID && old.Span == d.Span {
			return
		}
	}
	w.s.Doubts = append(w.s.Doubts, d)
}
