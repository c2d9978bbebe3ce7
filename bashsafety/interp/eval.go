package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// walkWords walks what the words of a command run, which split where they are not
// quoted.
func (w *walker) walkWords(words []*syntax.Word, c *ctx, st *state) {
	n := *c
	n.split = true
	c = &n
	for _, word := range words {
		w.walkWord(word, c, st)
	}
}

func (w *walker) walkWord(word *syntax.Word, c *ctx, st *state) {
	if word != nil {
		w.walkParts(word.Parts, false, c, st)
	}
}

// walkParts follows every substitution in the parts of a word.
func (w *walker) walkParts(parts []syntax.WordPart, quoted bool, c *ctx, st *state) {
	w.steps += len(parts)
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
			w.cmdSubst(p, c.split && !quoted, c, st)
		case *syntax.ArithmExp:
			if word, ok := p.X.(*syntax.Word); !ok || !shell.Number(word.Lit()) {
				w.mayFail(st)
			}
			w.arithm(p.X, c, st)
		case *syntax.ProcSubst:
			n := c.through(p.Op.String() + ")")
			if p.Op != syntax.CmdIn {
				n.stdin, n.from = input{kind: stdinPipe}, nil
			}
			w.body(p.Stmts, n, st.clone())
		case *syntax.ExtGlob:
			w.doubt(analysis.DoubtExtGlob, c.span(p), "")
		case *syntax.BraceExp: // made by braces only, never part of a parsed word
			w.doubt(analysis.DoubtUnknownNode, c.span(p), "")
		default:
			w.doubt(analysis.DoubtUnknownNode, c.span(part), "")
		}
	}
}

// cmdSubst walks a command substitution; split says that its output becomes any
// number of words.
func (w *walker) cmdSubst(p *syntax.CmdSubst, split bool, c *ctx, st *state) {
	if p.TempFile || p.ReplyVar {
		w.doubt(analysis.DoubtZsh, c.span(p), "")
	}
	n := w.enterSubst(p, split, c)
	inner := st.clone()
	inner.errexit = false // bash leaves set -e outside
	w.body(p.Stmts, n, inner)
}

// program analyses shell text that a command runs. What is not literal in it is
// a Doubt; the rest is walked for deny rules and checks all the same.
func (w *walker) program(text *shell.Word, span shell.Span, c *ctx, st *state) outcome {
	src := text.Text
	if !text.Known {
		w.doubt(analysis.DoubtProgramText, span, "")
		src = strings.ReplaceAll(src, shell.HoleMark, "${_}")
		st.forget()
		if strings.Trim(text.Text, shell.HoleMark+" \t\n") == "" {
			return outcome{} // nothing of it is seen
		}
	}
	if shell.Blank(src) {
		return outcome{}
	}
	w.textLeft -= len(src)
	if w.runs >= analysis.MaxRuns || w.textLeft < 0 {
		w.doubt(analysis.DoubtTooMuch, span, "")
		return outcome{}
	}
	n := c.through("")
	n.fr = &frame{src: src, held: true, span: text.Span}
	if text.Span == (shell.Span{}) {
		n.fr.span = span
	}
	w.runs++
	o := w.text(src, n, st)
	w.runs--
	return o
}

// stdinProgram follows a shell that reads its program from standard input.
func (w *walker) stdinProgram(at int, c *ctx, st *state) {
	span := w.s.Subcommands[at].Span
	text := c.stdin.text
	switch c.stdin.kind {
	case stdinInherited:
		if st.fed {
			w.doubt(analysis.DoubtPipedProgram, span, "")
		}
		return // else nothing in the text feeds it
	case stdinFile:
		file := c.stdin.file
		sub := &w.s.Subcommands[at]
		sub.Effects = append(sub.Effects, shell.EffectsOf(shell.Execute, &file, &st.cwd)...)
		return
	case stdinPipe:
		var ok bool
		if text, ok = w.literalOutput(c.stdin.left, c, c.stdin.state); !ok {
			w.doubt(analysis.DoubtPipedProgram, span, "")
			return
		}
	case stdinText:
	}
	if sub := &w.s.Subcommands[at]; foreign(sub.Program) {
		sub.Code = true
		for _, in := range commands.ForeignCode(sub.Argv, &text, w.home(st)) {
			w.follow(at, &in, c, st)
		}
		return
	}
	if text.Known && commands.ForeignShell(w.s.Subcommands[at].Program) {
		if text.Text = commands.Unmarked(text.Text); !commands.AlikeEverywhere(text.Text) {
			w.doubt(analysis.DoubtProgramText, span, "")
		}
	}
	n := c.through("")
	n.stdin, n.from = input{}, nil
	w.program(&text, span, n, st)
}

// foreign reports whether a program that reads its text from standard input is
// no shell: literal text is left to the checks.
func foreign(program string) bool {
	switch commands.TableName(program) {
	case "python", "pypy", "node", "nodejs", "deno", "bun", "ruby", "perl", "php", "lua", "Rscript", "osascript",
		"psql", "sqlite3", "mysql":
		return true
	}
	return false
}
