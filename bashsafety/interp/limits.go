package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
	"mvdan.cc/sh/v3/syntax"
)

// A budget is the work left for one Analyze, text inside text included.
type budget struct {
	bracesLeft int // words that brace expansion may still make
	bytesLeft  int // bytes that expansion may still copy
	textLeft   int // bytes of text inside text
	roundsLeft int // rounds of loops that are walked one by one
	piecesLeft int // pieces of text that does not parse
	stmtsLeft  int // statements
	blursLeft  int // nodes of loops searched for assignments
	full       bool
}

const (
	maxText      = 4 * shell.MaxBytes  // bytes of text inside text
	maxBytes     = 16 * shell.MaxBytes // bytes copied by expansion
	maxRound     = 64                  // rounds of literal for loops
	maxBraceText = 1000                // words that braces make in one analysis
	maxPiece     = 2 * shell.MaxSubcommands
	maxTree      = 4 * shell.MaxSubcommands // nodes from the root to a leaf, the links of a chain among them
	maxStmts     = 2 * shell.MaxBytes       // statements walked, those in a loop once for each round
	maxBlurs     = 16 * shell.MaxBytes      // nodes of loops searched for what they assign
)

func newBudget() budget {
	return budget{bracesLeft: maxBraceText, bytesLeft: maxBytes, textLeft: maxText, roundsLeft: maxRound,
		piecesLeft: maxPiece, stmtsLeft: maxStmts, blursLeft: maxBlurs}
}

// Spend takes n bytes off the budget of expansion.
func (w *walker) Spend(n int) bool {
	return w.take(&w.bytesLeft, n)
}

// take takes n off what is left of a budget; false, with a doubt, where that is too much.
func (w *walker) take(left *int, n int) bool {
	if *left -= n; *left < 0 {
		w.Doubt(analysis.DoubtTooMuch, shell.Span{Start: 0, End: len(w.s.Text)}, "")
	}
	return *left >= 0
}

// TakeWords takes n words off the budget of braces.
func (w *walker) TakeWords(n int) bool {
	w.bracesLeft -= n
	return w.bracesLeft >= 0
}

// tired takes a statement off the budget, which only nested loops or text inside text use up.
func (w *walker) tired() bool { return !w.take(&w.stmtsLeft, 1) }

// deep reports whether brackets nest over MaxNesting levels. It runs before the parser, which
// recurses without a limit. Brackets are counted with and without those in quotes and comments:
// each count alone errs in prose. deepTree finds what both miss.
func deep(src string) bool {
	if strings.Count(src, "(")+strings.Count(src, "{")+strings.Count(src, "[") <= shell.MaxNesting {
		return false
	}
	all, plain, most := 0, 0, 0
	sc := crosscheck.Scanner{Src: src}
	for sc.Next() {
		quoted := sc.Class == crosscheck.ScanComment || sc.Class == crosscheck.ScanSingle
		switch sc.Byte {
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
	return most > shell.MaxNesting
}

// deepTree reports whether the tree nests over MaxNesting levels, or a path in it is too long to
// follow by recursion. It runs first, so that walking a subtree for each level is linear work.
func deepTree(src string, file *syntax.File) bool {
	if len(src) <= 4*shell.MaxNesting {
		return false // no level without a byte
	}
	var path []bool // which nodes from the root to here nest
	levels, found := 0, false
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			if path[len(path)-1] {
				levels--
			}
			path = path[:len(path)-1]
			return false
		}
		if found {
			return false
		}
		nest := nests(n)
		if path = append(path, nest); nest {
			levels++
		}
		found = levels > shell.MaxNesting || len(path) > maxTree
		if word, ok := n.(*syntax.Word); ok {
			found = found || openBraces(word.Parts) > shell.MaxNesting
		}
		return true
	})
	return found
}

// nests reports whether a node makes a level; links of a list or of operators make none.
func nests(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause,
		*syntax.FuncDecl, *syntax.TimeClause, *syntax.CoprocClause, *syntax.TestDecl,
		*syntax.CmdSubst, *syntax.ProcSubst, *syntax.ParamExp, *syntax.ArithmExp, *syntax.ArrayExpr,
		*syntax.ParenArithm, *syntax.UnaryArithm, *syntax.ParenTest, *syntax.UnaryTest:
		return true
	}
	return false
}

// openBraces says how deep unquoted braces nest: each open one is work for each level.
func openBraces(parts []syntax.WordPart) int {
	open, most := 0, 0
	for _, p := range parts {
		lit, ok := p.(*syntax.Lit)
		if !ok || strings.IndexByte(lit.Value, '{') < 0 && open == 0 {
			continue
		}
		for i := 0; i < len(lit.Value); i++ {
			switch lit.Value[i] {
			case '\\':
				i++
			case '{':
				open++
				most = max(most, open)
			case '}':
				open = max(open-1, 0)
			}
		}
	}
	return most
}

// pieces walks the simple commands in a text that does not parse, for deny rules; the Doubt
// remains.
func (w *walker) pieces(src string, off int, c *ctx, st *words.State) {
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

func (w *walker) piece(src string, off int, c *ctx, st *words.State) {
	if shell.Blank(src) || w.full || deep(src) || !w.take(&w.piecesLeft, 1) {
		return
	}
	fr := *c.fr
	fr.Src, fr.Off = src, c.fr.Off+off
	n := c.through("")
	n.fr = &fr
	file, _ := parse(crosscheck.WithoutReserved(src))
	if deepTree(src, file) {
		return
	}
	w.s.Files = append(w.s.Files, file)
	w.stmts(file.Stmts, n, st)
}
