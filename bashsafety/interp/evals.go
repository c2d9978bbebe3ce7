package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A hazard is what a text would do if the shell evaluated it a second time.
type hazard uint8

const (
	inIndex   hazard = 1 << iota // a[$(cmd)]: as a number or as the name of a variable
	inCommand                    // $(cmd): inside a subscript
	inName                       // PS4: as the name of a variable that is set
)

// evals joins the two sides of what the shell evaluates a second time. A value
// that the text does not show is taken for harmless, because a doubt on every
// ((i < n)) would be of no use, unless a literal of the text could be that
// value: how it gets there is not followed. Both sides are only compared at the
// end, since a loop or function may bring them together in any order.
type evals struct {
	inLiterals hazard        // what the literals of the text would do
	inEvals    hazard        // what the places would do where an unknown value is evaluated
	at         [3]shell.Span // the first place of each kind

	attrs  []string // variables that do not hold what they are given: -i, -l, -u, -A
	fixed  []string // variables that are read-only
	refs   []string // references to others: -n
	opaque bool     // nothing that is set or entered stays for certain: a trap may change it

	inText []string // variables that a literal would assign as a number: x='y=1'; ((x))

	// failed is set when an expansion or assignment of this line may have failed:
	// bash then drops the rest of the line, and goes on with the next one.
	failed    bool
	failedAt  *binding // what was bound before
	failedCwd shell.CwdState

	integers
}

// noteLiteral notes what a literal would do.
func (w *walker) noteLiteral(text string) {
	if w.muted > 0 {
		return
	}
	if !strings.ContainsAny(text, "$`}=+") { // of most words only the name counts
		if commands.RunsCode(text) {
			w.inLiterals |= inName
		}
		return
	}
	w.inLiterals |= hazards(text)
	if len(w.inText) < maxAttrs && (strings.Contains(text, "=") || strings.Contains(text, "++")) {
		if name, _ := nextName(text); name != "" && !slices.Contains(w.inText, name) {
			w.inText = append(w.inText, name)
		}
	}
}

func (w *walker) noteLiterals(words []shell.Word) {
	for i := range words {
		w.noteLiteral(words[i].Text)
	}
}

// noteEvaluated notes a place where an unknown value is evaluated.
func (w *walker) noteEvaluated(h hazard, span shell.Span) {
	if w.muted > 0 {
		return
	}
	for i := range w.at {
		if bit := hazard(1) << i; h&bit != 0 && w.inEvals&bit == 0 {
			w.inEvals |= bit
			w.at[i] = span
		}
	}
}

// doubtReachableEvals doubts the places that a literal of the text could reach.
func (w *walker) doubtReachableEvals() {
	for i, why := range [...]string{
		"a value with a subscript that runs a command may be evaluated here",
		"a value that runs a command may be evaluated here",
		"the variable set here may be one that controls the shell",
	} {
		if w.inLiterals&w.inEvals&(1<<i) != 0 {
			w.doubt(analysis.DoubtHiddenEval, w.at[i], why)
		}
	}
}

// hazards says what evaluating a text would do.
func hazards(text string) (h hazard) {
	if len(text) > 1 && runsText(text) {
		h = inCommand
		if indexRuns(text) {
			h |= inIndex
		}
	} else if text == "$" || strings.Contains(text, "$"+shell.HoleMark) {
		h = inCommand
	}
	name, _, _ := strings.Cut(text, "=")
	if commands.RunsCode(name) {
		h |= inName
	}
	return h
}

// runsText reports whether a text runs a command, or a value as a prompt, when it
// is expanded.
func runsText(text string) bool { return substitutes(text) || strings.Contains(text, "@P}") }

// maxIndexes bounds how many subscripts of one text are looked at.
const maxIndexes = 64

// indexRuns reports whether a subscript in the text holds a substitution.
func indexRuns(text string) bool {
	open := 0
	for i := 1; i < len(text); i++ {
		if text[i] == '[' && (shell.NameByte(text[i-1]) || text[i-1] == shell.HoleMark[0]) {
			if open++; open > maxIndexes {
				return true
			}
			if runsText(subscript(text[i+1:])) {
				return true
			}
		}
	}
	return false
}

// subscript returns the text before the closing bracket. With quotes in it
// that is the last one.
func subscript(s string) string {
	depth := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\'', '"', '\\':
			if end := strings.LastIndexByte(s, ']'); end > i {
				return s[:end]
			}
			return s
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return s[:i]
			}
		}
	}
	return s
}

// runsInSubscript reports whether arithmetic on the text would run a command:
// a subscript that holds a substitution. It errs on the side of yes.
func runsInSubscript(text string) bool {
	_, sub, ok := strings.Cut(text, "[")
	return ok && (substitutes(sub) || strings.Contains(sub, "${"))
}
