package bashsafety

import "strings"

// A budget is the work that is left for one Analyze, shared by the text and
// every text inside it.
type budget struct {
	bracesLeft int // words that brace expansion may still make
	bytesLeft  int // bytes that expansion may still copy
	textLeft   int // bytes of text inside text
	roundsLeft int // rounds of loops that are walked one by one
	full       bool
}

const (
	maxRuns  = 8             // levels of text inside text
	maxText  = 4 * MaxBytes  // bytes of text inside text
	maxBytes = 16 * MaxBytes // bytes copied by expansion
	maxRound = 64            // rounds of literal for loops
)

func newBudget() budget {
	return budget{bracesLeft: maxBraceText, bytesLeft: maxBytes, textLeft: maxText, roundsLeft: maxRound}
}

// spend takes n bytes off the budget of expansion.
func (w *walker) spend(n int) bool {
	w.bytesLeft -= n
	if w.bytesLeft < 0 {
		w.doubt(dTooMuch, Span{0, len(w.s.Text)}, "")
		return false
	}
	return true
}

// completeLines cuts a text after its last newline.
func completeLines(s string) string { return s[:strings.LastIndexByte(s, '\n')+1] }

// deep reports whether the text nests over MaxNesting levels of brackets. It
// runs before the parser, which recurses without a limit of its own. Brackets
// are counted twice, with and without those in quotes and comments, because
// each count alone goes wrong in prose; what both miss is bounded by MaxBytes
// and found by the walk.
func deep(src string) bool {
	if strings.Count(src, "(")+strings.Count(src, "{")+strings.Count(src, "[") <= MaxNesting {
		return false
	}
	all, plain, most := 0, 0, 0
	sc := scanner{src: src}
	for sc.next() {
		quoted := sc.class == scanComment || sc.class == scanSingle
		switch sc.b {
		case '(', '{', '[':
			all++
			if !quoted {
				plain++
			}
		case ')', '}', ']':
			all = max(all-1, 0)
			if !quoted {
				plain = max(plain-1, 0)
			}
		}
		most = max(most, min(all, plain))
	}
	return most > MaxNesting
}
