package analysis

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Straightforward reports whether a text is lists, pipes, conditions and loops of commands whose words it spells:
// nothing runs in the background, in a group or a subshell, and nothing is expanded but ~, $HOME and patterns.
func (a *Analysis) Straightforward() bool {
	if a.straightforward == nil {
		a.straightforward = new(straightforward(a.Text))
	}
	return *a.straightforward
}

func straightforward(text string) bool {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return false
	}
	straight := true
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			straight = straight && !n.Background && !n.Coprocess && plainRedirects(n)
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ExtGlob, *syntax.FuncDecl, *syntax.Block,
			*syntax.Subshell, *syntax.CaseClause, *syntax.DeclClause, *syntax.LetClause, *syntax.ArithmCmd, *syntax.CoprocClause:
			straight = false
		case *syntax.ParamExp:
			straight = straight && n.Short && n.Param.Value == "HOME"
		case *syntax.Redirect:
			straight = straight && (n.Hdoc == nil || quoted(n.Word))
		case *syntax.Lit:
			straight = straight && !braces(n.Value)
		}
		return straight
	})
	return straight
}

// plainRedirects reports whether the redirects of a statement follow the words of a command, and nothing follows a
// here-document.
func plainRedirects(s *syntax.Stmt) bool {
	call, plain := s.Cmd.(*syntax.CallExpr)
	if len(s.Redirs) == 0 {
		return true
	}
	plain = plain && (len(call.Args) == 0 || s.Redirs[0].Pos().After(call.Args[0].Pos()))
	for i, r := range s.Redirs {
		plain = plain && r.Op != syntax.RdrInOut && (r.Hdoc == nil || i == len(s.Redirs)-1)
	}
	return plain
}

// quoted reports whether the delimiter of a here-document is, and so nothing in it is expanded.
func quoted(w *syntax.Word) bool {
	lit, plain := w.Parts[0].(*syntax.Lit)
	return !plain || len(w.Parts) > 1 || strings.Contains(lit.Value, `\`)
}

func braces(text string) bool {
	return text != "{}" && strings.Contains(text, "{") && strings.ContainsAny(text, ",.") && strings.Contains(text, "}")
}
