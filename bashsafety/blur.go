package bashsafety

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// blurAssigned makes unknown every variable that the nodes may assign. A loop
// body sees what its own previous round assigned.
func (w *walker) blurAssigned(node syntax.Node, st *state) {
	syntax.Walk(node, func(n syntax.Node) bool {
		w.steps++
		if w.blursLeft--; w.blursLeft < 0 {
			return false
		}
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.Assign:
			if n.Name != nil {
				w.blur(n.Name.Value, st)
			}
		case *syntax.DeclClause:
			w.blurDeclared(n, st)
		case *syntax.WordIter:
			w.blur(n.Name.Value, st)
		case *syntax.BinaryArithm:
			if assigns(n.Op) {
				w.blur(numberName(n.X), st)
			}
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				w.blur(numberName(n.X), st)
			}
		case *syntax.Redirect:
			if name, ok := fdVariable(n); ok {
				w.blur(name, st)
			}
		case *syntax.CoprocClause:
			if n.Name != nil {
				w.blur(n.Name.Lit(), st)
			}
		case *syntax.CallExpr:
			w.blurCalled(n, st)
		}
		return true
	})
	if w.blursLeft < 0 {
		w.doubt(dTooMuch, Span{0, len(w.s.Text)}, "")
		st.forget()
		st.cwd = cwdState{moved: true}
	}
}

// blur makes a variable that is assigned somewhere unknown, every variable when
// the name is not literal.
func (w *walker) blur(name string, st *state) {
	if !validName(name) || slices.Contains(w.refs, name) {
		st.forget()
		return
	}
	st.bind(name, HoleMark)
}

func (w *walker) blurCalled(n *syntax.CallExpr, st *state) {
	if len(n.Args) == 0 {
		return
	}
	lit := strings.ReplaceAll(n.Args[0].Lit(), `\`, "")
	switch {
	case lit == "cd" || lit == "pushd" || lit == "popd":
		st.cwd = cwdState{moved: true}
	case lit == "" || runsHere(lit):
		st.forget()
		if w.moves || lit == "" || !allBare(n.Args[1:]) {
			st.cwd = cwdState{moved: true}
		}
		w.opaque = w.opaque || lit == "trap" || declaresAgain(n.Args)
	case setsVariables(lit):
		for _, a := range n.Args[1:] {
			if name := a.Lit(); validName(name) {
				w.blur(name, st)
			} else if name == "" {
				st.forget()
			}
		}
	}
}

// allBare reports whether every word is one literal without quotes.
func allBare(words []*syntax.Word) bool {
	for _, word := range words {
		if word.Lit() == "" {
			return false
		}
	}
	return true
}

// declaresAgain reports whether a command in a loop may give variables
// attributes that its next round meets.
func declaresAgain(args []*syntax.Word) bool {
	declares := false
	for _, a := range args {
		syntax.Walk(a, func(n syntax.Node) bool {
			text := ""
			switch n := n.(type) {
			case *syntax.Lit:
				text = n.Value
			case *syntax.SglQuoted:
				text = n.Value
			}
			for _, name := range [...]string{"declare", "typeset", "local", "readonly", "trap"} {
				declares = declares || strings.Contains(text, name)
			}
			return !declares
		})
	}
	return declares
}

// runsHere names the builtins that run text in the running shell.
func runsHere(name string) bool {
	switch name {
	case "eval", "source", ".", "command", "builtin", "trap":
		return true
	}
	return false
}

// setsVariables names the builtins that assign to the variables they are given.
func setsVariables(name string) bool {
	switch name {
	case "read", "mapfile", "readarray", "printf", "getopts", "unset", "local", "declare", "typeset",
		"export", "readonly", "let", "wait":
		return true
	}
	return false
}

// assigns reports whether an arithmetic operator assigns to its left side.
func assigns(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
		syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn,
		syntax.AndBoolAssgn, syntax.OrBoolAssgn, syntax.XorBoolAssgn, syntax.PowAssgn:
		return true
	}
	return false
}
