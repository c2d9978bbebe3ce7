package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
)

// enterSubst doubts a command substitution inside another one where shells may
// not read the two alike: they cut the outer one at different places, or the
// output of both splits into words, which bash also expands as patterns and zsh
// does not. The answer is the context for what is in it.
func (w *walker) enterSubst(p *syntax.CmdSubst, split bool, c *ctx) *ctx {
	n := c.through("$()")
	n.split = false
	if c.substs == 0 || c.substText != c.fr { // the outermost of its text
		n.substText, n.unlike = c.fr, c.unlike || w.unlike(p)
	}
	if c.substs > 0 && (n.unlike || split && c.inSplit) {
		w.doubt(analysis.DoubtNested, c.span(p), "")
	}
	n.inSplit = c.inSplit || split
	n.substs++
	return n
}

// unlike reports whether a substitution holds, at any depth, what some shell
// reads in its own way when it looks for the end: bash 3.2 counts brackets and
// quotes and knows neither case patterns nor comments nor here-documents inside
// a second level; inside backquotes every level takes a backslash. Commands,
// pipelines, loops, tests and plain quotes are found alike by all.
func (w *walker) unlike(p *syntax.CmdSubst) bool {
	found := false
	syntax.Walk(p, func(n syntax.Node) bool {
		w.steps++
		found = found || readUnlike(n)
		return !found
	})
	return found
}

func readUnlike(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Comment, *syntax.CaseClause:
		return true
	case *syntax.CmdSubst:
		return n.Backquotes || n.TempFile || n.ReplyVar
	case *syntax.Redirect:
		return crosscheck.IsHeredoc(n)
	case *syntax.SglQuoted:
		return n.Dollar && strings.Contains(n.Value, `\`)
	case *syntax.DblQuoted:
		return n.Dollar
	}
	return false
}
