package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
	"mvdan.cc/sh/v3/syntax"
)

// walkWords walks what the words of a command run.
func (w *walker) walkWords(list []*syntax.Word, c *ctx, st *words.State) {
	for _, word := range list {
		w.walkWord(word, c, st)
	}
}

func (w *walker) walkWord(word *syntax.Word, c *ctx, st *words.State) {
	if word != nil {
		w.walkParts(word.Parts, false, c, st)
	}
}

// walkParts follows every substitution in the parts of a word.
func (w *walker) walkParts(parts []syntax.WordPart, quoted bool, c *ctx, st *words.State) {
	w.Steps += len(parts)
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
		case *syntax.SglQuoted:
			w.posixQuote(p, c)
			if p.Dollar {
				w.laterQuotes(p, c)
			}
		case *syntax.DblQuoted:
			w.walkParts(p.Parts, true, c, st)
		case *syntax.ParamExp:
			w.zshSubscript(p, parts[i+1:], c, st)
			w.walkParam(p, quoted, c, st)
		case *syntax.CmdSubst:
			w.cmdSubst(p, c, st)
		case *syntax.ArithmExp:
			if word, ok := p.X.(*syntax.Word); !ok || !shell.Number(word.Lit()) {
				w.MayFail(st)
			}
			w.arithm(p.X, c, st)
		case *syntax.ProcSubst:
			n := c.through(p.Op.String() + ")")
			if p.Op != syntax.CmdIn {
				n.stdin, n.from = input{kind: stdinPipe}, nil
			}
			w.body(p.Stmts, n, st.Clone())
		case *syntax.ExtGlob:
			w.Doubt(analysis.DoubtExtGlob, c.span(p), "")
		case *syntax.BraceExp: // made by braces only, never part of a parsed word
			w.Doubt(analysis.DoubtUnknownNode, c.span(p), "")
		default:
			w.Doubt(analysis.DoubtUnknownNode, c.span(part), "")
		}
	}
}

// cmdSubst walks a command substitution. Where shells end one at different places,
// crosscheck has found that.
func (w *walker) cmdSubst(p *syntax.CmdSubst, c *ctx, st *words.State) {
	if p.TempFile || p.ReplyVar {
		w.Doubt(analysis.DoubtZsh, c.span(p), "")
	}
	inner := st.Clone()
	inner.Errexit = false // bash leaves set -e outside
	w.body(p.Stmts, c.through("$()"), inner)
}

// walkParam walks a parameter expansion and doubts forms that run text not seen here.
func (w *walker) walkParam(p *syntax.ParamExp, quoted bool, c *ctx, st *words.State) {
	name, span := words.ParamName(p), c.span(p)
	if p.Param == nil || p.Width || words.ZshOnly(p) || words.ZshPrefixed(p) {
		w.Doubt(analysis.DoubtZsh, span, "an expansion that only other shells know")
	}
	if p.Excl && words.StarIndex(p) == 0 && p.Names == 0 {
		w.Doubt(analysis.DoubtHiddenEval, span, "${!"+name+"} expands the variable that another one names")
	}
	if name == "IFS" && !quoted {
		w.Doubt(analysis.DoubtIFS, span, "")
	}
	w.walkIndexes(p, c, st)
	if p.Repl != nil {
		w.walkOperand(p.Repl.Orig, quoted, c, st)
		w.walkOperand(p.Repl.With, quoted, c, st)
		w.holdOperand(p.Repl.With, c, st)
	}
	if p.Exp == nil {
		return
	}
	w.walkOperand(p.Exp.Word, quoted, c, st)
	w.holdOperand(p.Exp.Word, c, st)
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if !quoted && opensBracket(p.Exp.Word) {
			w.Doubt(analysis.DoubtZsh, span, "zsh takes brackets in a default for a pattern, whose qualifiers run commands")
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		w.Doubt(analysis.DoubtHiddenEval, span, "${"+name+":=...} assigns while it expands")
		st.Bind(name, shell.HoleMark)
	case syntax.OtherParamOps:
		if lit := p.Exp.Word.Lit(); lit == "P" || lit == "" {
			w.Doubt(analysis.DoubtHiddenEval, span, "${"+name+"@P} runs the value as a prompt string")
		}
	}
}

// opensBracket reports a ( that is neither quoted nor a process substitution.
func opensBracket(word *syntax.Word) bool {
	other := strings.NewReplacer(`\\`, "", `\(`, "", "<(", "", ">(", "")
	return word != nil && slices.ContainsFunc(word.Parts, func(part syntax.WordPart) bool {
		lit, ok := part.(*syntax.Lit)
		return ok && strings.Contains(other.Replace(lit.Value), "(")
	})
}

// walkIndexes walks the arithmetic in a parameter expansion.
func (w *walker) walkIndexes(p *syntax.ParamExp, c *ctx, st *words.State) {
	if p.Index != nil && words.StarIndex(p) == 0 {
		if word, ok := p.Index.(*syntax.Word); !ok || !shell.Number(word.Lit()) {
			w.MayFail(st)
		}
		w.arithm(p.Index, c, st)
	}
	if p.Slice != nil {
		w.MayFail(st)
		w.arithm(p.Slice.Offset, c, st)
		w.arithm(p.Slice.Length, c, st)
	}
}

// holdOperand notes what a word inside an expansion brings into its value.
func (w *walker) holdOperand(word *syntax.Word, c *ctx, st *words.State) {
	if word != nil {
		w.noteLiteral(w.Single(word, c.fr, st, false).Text)
	}
}

// walkOperand walks a word inside an expansion, where the parser takes <( for text and bash does
// not.
func (w *walker) walkOperand(word *syntax.Word, quoted bool, c *ctx, st *words.State) {
	if word != nil && !quoted {
		for _, part := range word.Parts {
			lit, ok := part.(*syntax.Lit)
			if ok && (strings.Contains(lit.Value, "<(") || strings.Contains(lit.Value, ">(")) {
				w.Doubt(analysis.DoubtParserDiff, c.span(lit), "a process substitution inside an expansion")
			}
		}
	}
	w.walkWord(word, c, st)
}
