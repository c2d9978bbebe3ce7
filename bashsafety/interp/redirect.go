package interp

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// An input is where a command reads its standard input from.
type input struct {
	kind  inputKind
	text  shell.Word   // stdinText
	raw   string       // the same as it is written, of a here-document
	file  shell.Word   // stdinFile
	left  *syntax.Stmt // stdinPipe: the stage in front, nil when there is none to look at
	state *state       // stdinPipe: the state left runs in
}

type inputKind uint8

const (
	stdinInherited inputKind = iota // from the process that runs the text
	stdinPipe
	stdinText // a here-document or here-string
	stdinFile
)

// redirects returns what the redirects of a statement read and write, and the
// standard input they give it.
func (w *walker) redirects(list []*syntax.Redirect, c *ctx, st *state) (effects []shell.Effect, in input) {
	for _, r := range list {
		stdin := r.N == nil || r.N.Value == "0"
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if stdin {
				in = input{kind: stdinText, text: w.heredoc(r, c, st), raw: written(r.Hdoc, c)}
			}
		case syntax.WordHdoc:
			if stdin {
				in = input{kind: stdinText, text: w.single(r.Word, c, st, true)}
			}
		case syntax.RdrIn:
			target, es := w.target(r, shell.Read, c, st)
			effects = append(effects, es...)
			if stdin {
				in = input{kind: stdinFile, file: target}
				if isProcSubst(r.Word) {
					in = input{kind: stdinPipe}
				}
			}
		case syntax.DplIn, syntax.DplOut:
			if duplicates(r.Word) {
				if lit := r.Word.Lit(); len(lit) > 1 && strings.HasSuffix(lit, "-") {
					w.doubt(analysis.DoubtZsh, c.span(r), "zsh reads "+lit+" as a file name")
				}
				if stdin && r.Op == syntax.DplIn {
					in = input{kind: stdinPipe}
				}
				continue
			}
			kind := shell.Write
			if r.Op == syntax.DplIn {
				kind = shell.Read
			}
			word, es := w.target(r, kind, c, st)
			if strings.ContainsAny(word.Text, "$`\\'\"*?[~") || !word.Known && !word.Number {
				w.doubt(analysis.DoubtHiddenEval, c.span(r), "the name after "+r.Op.String()+" is expanded twice")
			}
			effects = append(effects, es...)
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut:
			_, es := w.target(r, shell.Write, c, st)
			effects = append(effects, es...)
		case syntax.AppClob, syntax.RdrAllClob, syntax.AppAllClob:
			w.doubt(analysis.DoubtZsh, c.span(r), "")
			_, es := w.target(r, shell.Write, c, st)
			effects = append(effects, es...)
		default:
			w.doubt(analysis.DoubtUnknownNode, c.span(r), "")
		}
	}
	return effects, in
}

// target is the file a redirect opens. Nothing but an exact word names one.
func (w *walker) target(r *syntax.Redirect, kind shell.EffectKind, c *ctx, st *state) (shell.Word, []shell.Effect) {
	if isProcSubst(r.Word) {
		return shell.Word{}, nil
	}
	w.unlikeZsh = false
	words := w.fields(r.Word, c, st, nil)
	word := shell.Word{Text: shell.HoleMark, Span: c.span(r.Word)}
	if len(words) == 1 && !w.unlikeZsh {
		word = words[0]
	}
	if plainLit(r.Word) == "" && word.Known {
		if whole := w.single(r.Word, c, st, true); whole.Text != word.Text { // not every shell splits it
			word.Text, word.Known = shell.HoleMark, false
		}
	}
	if startsUnquoted(r.Word, "!") {
		w.doubt(analysis.DoubtZsh, c.span(r), ">! overwrites in zsh")
	}
	if word.Known && noFile(word.Text) {
		return word, nil
	}
	if strings.HasPrefix(word.Text, "/dev/tcp/") || strings.HasPrefix(word.Text, "/dev/udp/") {
		w.doubt(analysis.DoubtNetworkFile, c.span(r), "")
		return word, []shell.Effect{{
			Kind: shell.Network, Path: word.Text, Known: word.Known, Redirect: true, Span: word.Span,
		}}
	}
	effects := shell.EffectsOf(kind, &word, &st.cwd)
	if !word.Known && !word.Down && word.Text != shell.HoleMark && otherInZsh(r.Word) {
		effects = append(effects, shell.EffectsOf(kind, &shell.Word{Text: shell.HoleMark, Span: word.Span}, &st.cwd)...)
	}
	for i := range effects {
		effects[i].Redirect = true
	}
	return word, effects
}

// otherInZsh reports whether zsh may open other files for a word: it splits what an unquoted command substitution prints,
// and a process substitution is another path there.
func otherInZsh(word *syntax.Word) bool {
	return slices.ContainsFunc(word.Parts, func(p syntax.WordPart) bool {
		switch p.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return true
		}
		return false
	})
}

// noFile reports whether bash or the kernel takes the name for a descriptor or
// for nothing.
func noFile(name string) bool {
	switch name {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty":
		return true
	}
	fd, ok := strings.CutPrefix(name, "/dev/fd/")
	return ok && shell.Number(fd)
}

// duplicates reports whether the word of >& or <& is a descriptor, or - that
// closes one.
func duplicates(word *syntax.Word) bool {
	lit := word.Lit()
	return lit == "-" || shell.Number(strings.TrimSuffix(lit, "-"))
}

func isProcSubst(word *syntax.Word) bool {
	if len(word.Parts) != 1 {
		return false
	}
	_, ok := word.Parts[0].(*syntax.ProcSubst)
	return ok
}

// walkRedirects walks what the words and bodies of redirects run.
func (w *walker) walkRedirects(list []*syntax.Redirect, c *ctx, st *state) {
	for _, r := range list {
		if r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc {
			if r.Hdoc != nil && !shell.QuotedDelimiter(r.Word) {
				w.walkParts(r.Hdoc.Parts, true, c, st)
			}
			continue
		}
		w.walkWord(r.Word, c, st)
	}
}

// written is the source of a word.
func written(word *syntax.Word, c *ctx) string {
	if word == nil {
		return ""
	}
	from, to := int(word.Pos().Offset()), int(word.End().Offset())
	if from > to || to > len(c.fr.src) {
		return ""
	}
	return c.fr.src[from:to]
}

// startsUnquoted reports whether a word starts with unquoted text.
func startsUnquoted(word *syntax.Word, text string) bool {
	if len(word.Parts) == 0 {
		return false
	}
	lit, ok := word.Parts[0].(*syntax.Lit)
	return ok && strings.HasPrefix(lit.Value, text)
}
