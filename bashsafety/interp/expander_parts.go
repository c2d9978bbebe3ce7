package interp

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// parts adds the parts of a word, or of text in double quotes or a here-document.
// tilde says that a tilde at its start is expanded.
func (x *expander) parts(parts []syntax.WordPart, tilde bool) {
	outer := x.more
	defer func() { x.more = outer }()
	for i := 0; i < len(parts); i++ {
		if n := x.zshExpands(parts, i); n > 0 {
			i += n - 1
			continue
		}
		x.more = outer || i < len(parts)-1
		switch p := parts[i].(type) {
		case *syntax.Lit:
			if x.quoted {
				x.dquoteLit(p.Value)
				continue
			}
			if zshParam(parts, i) {
				x.w.doubt(analysis.DoubtZsh, x.span, "$ and one of ~ = ^ + expand a variable in zsh")
			}
			x.behind = i > 0
			x.lit(p.Value, tilde && i == 0, !x.more, tilde)
		case *syntax.ParamExp:
			x.param(p)
		case *syntax.CmdSubst:
			x.cmdSubst(p)
		case *syntax.ArithmExp:
			x.numbers++
			x.unknown(false)
		default:
			if x.quoted {
				x.w.doubt(analysis.DoubtUnknownNode, x.span, "")
				x.unknown(false)
				continue
			}
			x.unquotedPart(p)
		}
	}
}

// unquotedPart adds a part that means something outside double quotes alone.
func (x *expander) unquotedPart(part syntax.WordPart) {
	switch p := part.(type) {
	case *syntax.SglQuoted:
		x.sglQuoted(p)
	case *syntax.DblQuoted:
		x.quotes, x.has = true, true
		if p.Dollar {
			x.w.doubt(analysis.DoubtZsh, x.span, "the $ in front of the quotes is text in zsh")
		}
		x.quoted = true
		x.parts(p.Parts, false)
		x.quoted = false
	case *syntax.ProcSubst:
		if len(p.Stmts) == 0 { // <() is no argument at all
			x.unknown(true)
			return
		}
		if x.whole { // a value: /proc/self/fd/10 in zsh
			x.text("/")
		} else {
			x.text("/dev/fd/")
		}
		x.unknown(false)
		x.pipe = true
	case *syntax.ExtGlob:
		x.glob = true
		x.unknown(true)
	case *syntax.BraceExp: // only in what braces made, never in a word
		x.unknown(true)
	default:
		x.w.doubt(analysis.DoubtUnknownNode, x.span, "")
		x.unknown(true)
	}
}

// cmdSubst adds what a command substitution prints.
func (x *expander) cmdSubst(p *syntax.CmdSubst) {
	if dir := x.printsDir(p); dir != "" && (x.quoted || !commands.MayExpand(dir)) {
		x.value(dir)
		return
	}
	if text, ok := x.prints(p); ok && (x.quoted || !x.splits(text)) {
		x.text(text)
		return
	}
	x.substitution(p, !x.quoted)
}

// soleCall returns the words of a list that is one call without redirects and
// assignments, nil for any other.
func soleCall(stmts []*syntax.Stmt) []*syntax.Word {
	if len(stmts) != 1 || len(stmts[0].Redirs) > 0 {
		return nil
	}
	return plainCall(stmts[0])
}

// printsDir returns the directory $(pwd) prints when it is known, else "".
func (x *expander) printsDir(p *syntax.CmdSubst) string {
	if call := soleCall(p.Stmts); len(call) == 1 && call[0].Lit() == "pwd" {
		return x.st.pwd()
	}
	return ""
}
