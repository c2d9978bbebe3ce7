package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
	"mvdan.cc/sh/v3/syntax"
)

// An input is where a command reads its standard input from.
type input struct {
	kind  inputKind
	text  shell.Word     // stdinText
	raw   string         // the same as it is written, of a here-document
	file  shell.Word     // stdinFile
	left  *syntax.Stmt   // stdinPipe: the stage in front, or nil if there is nothing to look at
	front []*syntax.Stmt // all stages in front, of which left is the last
	state *words.State   // stdinPipe: the state left runs in
}

type inputKind uint8

const (
	stdinInherited inputKind = iota // from the process that runs the text
	stdinPipe
	stdinText // a here-document or here-string
	stdinFile
)

// redirects returns the effects of redirects, and the standard input they give.
func (w *walker) redirects(list []*syntax.Redirect, c *ctx, st *words.State) (effects []shell.Effect, in input) {
	for _, r := range list {
		stdin := r.N == nil || r.N.Value == "0"
		if !stdin {
			w.opens(r, c, st)
		}
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if stdin {
				in = input{kind: stdinText, text: w.Heredoc(r, c.fr, st)}
				if r.Hdoc != nil {
					in.raw = c.source(r.Hdoc)
				}
			}
		case syntax.WordHdoc:
			if stdin {
				in = input{kind: stdinText, text: w.Single(r.Word, c.fr, st, true)}
			}
		case syntax.RdrIn:
			target, es := w.target(r, shell.Read, c, st)
			effects = append(effects, es...)
			if stdin {
				in = input{kind: stdinFile, file: target}
				if p := procSubst(r.Word); p != nil && p.Op == syntax.CmdIn && len(p.Stmts) == 1 {
					in = input{kind: stdinPipe, front: p.Stmts, state: st.Clone()}
				} else if p != nil {
					in = input{kind: stdinPipe}
				}
			}
		case syntax.DplIn, syntax.DplOut:
			if duplicates(r.Word) {
				if lit := r.Word.Lit(); len(lit) > 1 && strings.HasSuffix(lit, "-") {
					w.Doubt(analysis.DoubtZsh, c.span(r), "zsh reads "+lit+" as a file name")
				}
				open := w.descriptor(strings.TrimSuffix(r.Word.Lit(), "-"))
				if stdin && r.Op == syntax.DplIn {
					in = input{kind: stdinPipe, text: open.in.text, file: open.in.file} // how much was read of it is not known
				}
				for i := range open.effects {
					if !slices.Contains(effects, open.effects[i]) {
						effects = append(effects, open.effects[i])
					}
				}
				continue
			}
			kind := shell.Write
			if r.Op == syntax.DplIn {
				kind = shell.Read
			}
			word, es := w.target(r, kind, c, st)
			if strings.ContainsAny(word.Text, "$`\\'\"*?[~") || !word.Known && !word.Number {
				w.Doubt(analysis.DoubtHiddenEval, c.span(r), "the name after "+r.Op.String()+" is expanded twice")
			}
			effects = append(effects, es...)
		case syntax.AppClob, syntax.RdrAllClob, syntax.AppAllClob:
			w.Doubt(analysis.DoubtZsh, c.span(r), "")
			fallthrough
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut:
			_, es := w.target(r, shell.Write, c, st)
			effects = append(effects, es...)
		default:
			w.Doubt(analysis.DoubtUnknownNode, c.span(r), "")
		}
	}
	return effects, in
}

// A descriptor is one that a redirect of the text opened: what writes to it does, and what comes from it.
type descriptor struct {
	number  string
	effects []shell.Effect
	in      input
}

// opens notes what a descriptor other than the standard input is, whatever command it is opened for.
func (w *walker) opens(r *syntax.Redirect, c *ctx, st *words.State) {
	if r.N == nil || len(w.descriptors) >= maxScripts || !shell.Number(r.N.Value) {
		return
	}
	d := descriptor{number: r.N.Value}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		d.in.text = w.Heredoc(r, c.fr, st)
	case syntax.WordHdoc:
		d.in.text = w.Single(r.Word, c.fr, st, true)
	case syntax.RdrIn:
		d.in.file, d.effects = w.target(r, shell.Read, c, st)
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrInOut:
		d.in.file, d.effects = w.target(r, shell.Write, c, st)
	default:
		return
	}
	w.descriptors = append(w.descriptors, d)
}

// descriptor is what a number was opened as last, the zero value where the text did not open it.
func (w *walker) descriptor(number string) descriptor {
	for i := len(w.descriptors) - 1; i >= 0; i-- {
		if w.descriptors[i].number == number {
			return w.descriptors[i]
		}
	}
	return descriptor{}
}

// target is the file a redirect opens. Nothing but an exact word names one.
func (w *walker) target(r *syntax.Redirect, kind shell.EffectKind, c *ctx, st *words.State) (shell.Word, []shell.Effect) {
	if procSubst(r.Word) != nil {
		return shell.Word{}, nil
	}
	w.UnlikeZsh = false
	fields := w.Fields(r.Word, c.fr, st, nil)
	word := shell.Word{Text: shell.HoleMark, Span: c.span(r.Word)}
	if len(fields) == 1 && !w.UnlikeZsh {
		word = fields[0]
	}
	if words.PlainLit(r.Word) == "" && word.Known {
		if whole := w.Single(r.Word, c.fr, st, true); whole.Text != word.Text { // not every shell splits it
			word.Text, word.Known = shell.HoleMark, false
		}
	}
	if startsUnquoted(r.Word, "!") {
		w.Doubt(analysis.DoubtZsh, c.span(r), ">! overwrites in zsh")
	}
	if word.Known && (word.Text == "/dev/tty" || shell.NotFile(word.Text)) {
		return word, nil
	}
	if strings.HasPrefix(word.Text, "/dev/tcp/") || strings.HasPrefix(word.Text, "/dev/udp/") {
		w.Doubt(analysis.DoubtNetworkFile, c.span(r), "")
		return word, []shell.Effect{{
			Kind: shell.Network, Path: word.Text, Known: word.Known, Redirect: true, Span: word.Span,
		}}
	}
	effects := shell.EffectsOf(kind, &word, &st.Cwd)
	if !word.Known && !word.Down && word.Text != shell.HoleMark && otherInZsh(r.Word) {
		effects = append(effects, shell.EffectsOf(kind, &shell.Word{Text: shell.HoleMark, Span: word.Span}, &st.Cwd)...)
	}
	for i := range effects {
		effects[i].Redirect = true
		effects[i].Append = shell.Among(">> >>| &>> &>>|", r.Op.String())
	}
	return word, effects
}

// otherInZsh reports whether zsh may open other files: it splits substitutions, and names <(cmd)
// differently.
func otherInZsh(word *syntax.Word) bool {
	return slices.ContainsFunc(word.Parts, func(p syntax.WordPart) bool {
		switch p.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return true
		}
		return false
	})
}

// duplicates reports whether >& or <& is given a descriptor, or - to close one.
func duplicates(word *syntax.Word) bool {
	lit := word.Lit()
	return lit == "-" || shell.Number(strings.TrimSuffix(lit, "-"))
}

// procSubst is the process substitution that a word is, nil for any other.
func procSubst(word *syntax.Word) *syntax.ProcSubst {
	if len(word.Parts) != 1 {
		return nil
	}
	p, _ := word.Parts[0].(*syntax.ProcSubst)
	return p
}

// walkRedirects walks what the words and bodies of redirects run.
func (w *walker) walkRedirects(list []*syntax.Redirect, c *ctx, st *words.State) {
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

func startsUnquoted(word *syntax.Word, text string) bool {
	if len(word.Parts) == 0 {
		return false
	}
	lit, ok := word.Parts[0].(*syntax.Lit)
	return ok && strings.HasPrefix(lit.Value, text)
}

// mayFail reports a redirect of a file that may be missing or not writable.
func mayFail(list []*syntax.Redirect) bool {
	for _, r := range list {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			continue
		}
		if !duplicates(r.Word) && r.Word.Lit() != "/dev/null" {
			return true
		}
	}
	return false
}

// holdRedirects notes what redirects feed to a command, and the variables that
// {name}> sets; own says that they are those of the shell itself.
func (w *walker) holdRedirects(list []*syntax.Redirect, own bool, in *input, c *ctx, st *words.State) {
	if in.kind == stdinText {
		w.noteLiteral(in.text.Text)
	}
	for _, r := range list {
		if r.N == nil && w.fdSubscript(r, c) {
			w.Doubt(analysis.DoubtParserDiff, c.span(r), "bash reads the word before it as a descriptor variable")
		}
		if r.Op == syntax.WordHdoc && r.N != nil {
			w.noteLiteral(w.Single(r.Word, c.fr, st, false).Text)
		}
		if r.Hdoc != nil && r.N != nil {
			w.noteLiteral(w.Heredoc(r, c.fr, st).Text)
		}
		if name, ok := fdVariable(r); ok {
			if !own {
				w.Doubt(analysis.DoubtParserDiff, c.span(r), "bash 3.2 and sh read {"+name+"} as an argument")
			}
			w.touched(name, c.span(r), st)
			st.Bind(name, shell.HoleMark)
		}
	}
}

// fdSubscript reports {NAME[SUBSCRIPT]}> which the parser takes for an argument.
func (w *walker) fdSubscript(r *syntax.Redirect, c *ctx) bool {
	at := int(r.OpPos.Offset())
	if at < 2 || at > len(c.fr.Src) || c.fr.Src[at-1] != '}' || c.fr.Src[at-2] != ']' {
		return false
	}
	open := strings.LastIndexByte(c.fr.Src[:at], '{')
	return open == 0 || open > 0 && strings.IndexByte(" \t\n;&|()", c.fr.Src[open-1]) >= 0
}

// fdVariable returns the variable of a redirect {name}>.
func fdVariable(r *syntax.Redirect) (string, bool) {
	if r.N == nil || !strings.HasPrefix(r.N.Value, "{") {
		return "", false
	}
	name, _, _ := strings.Cut(strings.Trim(r.N.Value, "{}"), "[")
	return name, true
}

// coprocVariable forgets the array that a coproc sets.
func (w *walker) coprocVariable(name *syntax.Word, c *ctx, st *words.State) {
	if name == nil {
		return
	}
	w.walkWord(name, c, st)
	v := w.Single(name, c.fr, st, false)
	if !shell.ValidName(v.Text) {
		w.anyVariable(v.Text, c.span(name), st)
		return
	}
	w.touched(v.Text, c.span(name), st)
	st.Bind(v.Text, shell.HoleMark)
	st.Bind(v.Text+"_PID", shell.HoleMark)
}

// bareExec reports exec without a program: its redirects are the shell's.
func bareExec(cmd syntax.Command) bool {
	call, ok := cmd.(*syntax.CallExpr)
	if !ok {
		return false
	}
	exec := false
	for _, a := range call.Args {
		switch text := rawText(a.Parts); {
		case text == "exec":
			exec = true
		case text == "command", text == "builtin", strings.HasPrefix(text, "-"), strings.Contains(text, shell.HoleMark):
		default:
			return false
		}
	}
	return exec
}

// zshRedirects notes where zsh differs: it runs a program for a bare redirect, and reads all inputs
// of a command, not the last.
func (w *walker) zshRedirects(s *syntax.Stmt, in *input, c *ctx, st *words.State) {
	if len(s.Redirs) == 0 {
		return
	}
	if len(st.Blockers) > 0 && noCommand(s) {
		w.Doubt(analysis.DoubtZsh, c.span(s), "zsh runs cat or more for a redirect without a command")
	}
	if in.kind != stdinInherited && feedCount(s.Redirs, c) > 1 {
		*in = input{kind: stdinPipe}
	}
}

// noCommand reports whether a statement is redirects and assignments alone.
func noCommand(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	return s.Cmd == nil || ok && len(call.Args) == 0
}

// feedCount counts what gives a command something to read: a pipe and redirects.
func feedCount(list []*syntax.Redirect, c *ctx) (n int) {
	if c.stdin.kind == stdinPipe && c.stdin.left != nil {
		n++
	}
	for _, r := range list {
		if (r.N == nil || r.N.Value == "0") && reads(r.Op) {
			n++
		}
	}
	return n
}

// reads reports whether a redirect gives a command something to read.
func reads(op syntax.RedirOperator) bool {
	switch op {
	case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.DplIn:
		return true
	}
	return false
}
