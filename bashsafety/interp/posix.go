package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

// posixCommand doubts the commands in which sh runs what bash does not: ((a))
// are two subshells, [[ a || b ]] and [[ a > b ]] a program called [[, a list and
// a redirect, and a &> f b are two commands.
func (w *walker) posixCommand(s *syntax.Stmt, c *ctx) {
	differs := false
	switch cmd := s.Cmd.(type) {
	case *syntax.ArithmCmd:
		differs = true
	case *syntax.TestClause:
		differs = listInTest(cmd.X)
	case *syntax.CallExpr:
		for _, r := range s.Redirs {
			if n := len(cmd.Args); n > 0 && (r.Op == syntax.RdrAll || r.Op == syntax.AppAll) {
				differs = differs || cmd.Args[n-1].Pos().Offset() > r.OpPos.Offset()
			}
		}
	}
	if differs {
		w.doubt(analysis.DoubtParserDiff, c.span(s), "sh reads this as several commands")
	}
}

func listInTest(x syntax.TestExpr) bool {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.AndTest, syntax.OrTest, syntax.TsBefore, syntax.TsAfter, syntax.TsReMatch:
			return true
		}
	case *syntax.UnaryTest:
		return listInTest(x.X)
	case *syntax.ParenTest:
		return true
	}
	return false
}

// posixQuote doubts $'...' with an escaped quote: to sh the quote ends there.
func (w *walker) posixQuote(q *syntax.SglQuoted, c *ctx) {
	if c.posix && q.Dollar && strings.Contains(q.Value, `\'`) {
		w.doubt(analysis.DoubtParserDiff, c.span(q), "sh ends this quotation at the first quote inside it")
	}
}

// laterQuotes doubts $'...' where bash 3.2 makes another value of it: it does not
// know \u, and doubles its own escape characters in substitutions.
func (w *walker) laterQuotes(q *syntax.SglQuoted, c *ctx) {
	if namedASCII(q.Value) {
		w.doubt(analysis.DoubtParserDiff, c.span(q), "bash 3.2 does not know \\u")
	} else if text, _ := ansiC(q.Value); strings.ContainsAny(text, "\x01\x7f") {
		w.doubt(analysis.DoubtControl, c.span(q), "")
	}
}
