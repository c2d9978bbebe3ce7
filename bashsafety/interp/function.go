package interp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
	"mvdan.cc/sh/v3/syntax"
)

// A function is one that the text declares before it calls it.
type function struct {
	decl   *syntax.FuncDecl
	fr     *words.Frame
	active bool // its body is walked for a call
}

// A followed is a call of which the body was walked.
type followed struct {
	name string
	span shell.Span
}

// declareFunction remembers a function whose body may be walked where it is called.
func (w *walker) declareFunction(fn *syntax.FuncDecl, c *ctx) {
	if fn.Name != nil && shell.ValidName(fn.Name.Value) && c.Plain() {
		w.functions = append(w.functions, &function{decl: fn, fr: c.fr})
	}
}

// redefined follows a command whose name is a function of the text, and doubts it where that cannot be done. It stays a
// command of its own in any case, for a program runs where the function is not declared by then.
func (w *walker) redefined(inv *pending, sub *analysis.Subcommand, c *ctx, st *words.State) {
	if f := w.callable(inv, sub, c, st); f != nil {
		w.callFunction(f, inv, c, st)
	} else if n := len(c.via); n == 0 || c.via[n-1] != "command" { // which passes functions over

		w.Doubt(analysis.DoubtShadow, sub.Span, sub.Argv[0].Text)
	}
	was := st.Clone()
	st.Forget()
	w.keepTemps(st, was)
	if w.moves {
		st.Cwd = st.Cwd.Lost()
	}
}

// callable returns the function that a command calls, nil where its body may do something else than what is walked
// with the words of the call: it has the name of a builtin, or that of a program where what it prints counts, is
// declared twice, calls itself, or changes its arguments.
func (w *walker) callable(inv *pending, sub *analysis.Subcommand, c *ctx, st *words.State) *function {
	name := sub.Argv[0].Text
	known := commands.Find(name)
	switch {
	case known.Known() && (!known.Program() || w.pipes > 0 || slices.Contains(c.via, "$()")):
		return nil
	case slices.Contains(st.Aliases, name), !w.once(name):
		return nil
	case sub.Outer != nil, len(inv.assigns) > 0, inv.clause, !c.Plain(), launched(c.via):
		return nil
	}
	args := sub.Argv[1:]
	for i := range args {
		if a := &args[i]; !a.Known && !a.Number || a.Glob {
			return nil
		}
	}
	for _, f := range w.functions {
		if f.decl.Name.Value == name && !f.active && w.plainBody(f, args) {
			return f
		}
	}
	return nil
}

// once reports whether the text declares a function at one place.
func (w *walker) once(name string) bool {
	at := slices.Index(w.Funcs, name)
	return at >= 0 && !slices.Contains(w.Funcs[at+1:], name)
}

// callFunction walks the body of a function with the words of a call. Every place in it is that of the call.
func (w *walker) callFunction(f *function, inv *pending, c *ctx, st *words.State) {
	n := c.through("function " + f.decl.Name.Value)
	n.fr = &words.Frame{Src: f.fr.Src, Off: f.fr.Off, Held: true, Holder: inv.span}
	since, touched, body := st.Vars, w.errexits, st.Clone()
	body.Args, body.Errexit, f.active = inv.argv[1:], false, true
	w.body([]*syntax.Stmt{f.decl.Body}, n, body)
	f.active = false
	body.Errexit = st.Errexit && w.errexits == touched
	st.Join(body, since)
	w.followed = append(w.followed, followed{f.decl.Name.Value, inv.span})
}

// doubtFollowed doubts the calls of functions that the text declares once more after them.
func (w *walker) doubtFollowed() {
	for _, f := range w.followed {
		if !w.once(f.name) {
			w.Doubt(analysis.DoubtShadow, f.span, f.name)
		}
	}
}

// plainBody reports whether the body of a function leaves its arguments as they are, and uses them by $1, "$@" and the
// like alone: programs cannot change them, and of the builtins only those count that are known not to.
func (w *walker) plainBody(f *function, args []shell.Word) bool {
	plain := !strings.Contains(f.fr.Src, "argv") // what zsh calls them
	syntax.Walk(f.decl.Body, func(node syntax.Node) bool {
		w.Steps++
		switch n := node.(type) {
		case *syntax.CallExpr:
			plain = plain && (len(n.Args) == 0 || w.keepsArgs(n))
		case *syntax.ParamExp:
			plain = plain && plainArgument(n, args)
		case *syntax.DeclClause:
			plain = plain && shell.Among("local declare typeset", n.Variant.Value) && !slices.ContainsFunc(n.Args, func(a *syntax.Assign) bool {
				option := a.Name == nil && a.Value != nil && shell.Among("-a -A -r -ar -Ar", a.Value.Lit())
				return !option && (a.Name == nil || !shell.ValidName(a.Name.Value))
			})
		case *syntax.WordIter:
			plain = plain && n.InPos.IsValid() && shell.ValidName(n.Name.Value)
		case *syntax.FuncDecl, *syntax.CoprocClause, *syntax.LetClause, *syntax.TestDecl, *syntax.CStyleLoop:
			plain = false
		}
		return plain
	})
	return plain
}

// keepsArgs reports whether a command of a function cannot change the arguments of the function.
func (w *walker) keepsArgs(n *syntax.CallExpr) bool {
	switch name := n.Args[0].Lit(); name {
	case ":", "true", "false", "echo", "test", "[", "pwd", "cd", "return", "exit", "break", "continue", "kill", "wait":
		return true
	case "command":
		if len(n.Args) > 1 {
			known := commands.Find(n.Args[1].Lit())
			return known.Program()
		}
		return false
	case "printf":
		return len(n.Args) > 1 && !mayBeOption(n.Args[1])
	case "read", "mapfile", "readarray": // of names alone
		return !slices.ContainsFunc(n.Args[1:], func(word *syntax.Word) bool {
			return !shell.ValidName(word.Lit()) && !shell.Among("-r -a -A -t -ra -s", word.Lit()) // mapfile -C runs a text
		})
	default:
		known := commands.Find(name)
		return known.Program() || strings.Contains(name, "/") || slices.Contains(w.Funcs, name)
	}
}

// mayBeOption reports whether a word may begin with a dash: printf -v NAME.
func mayBeOption(word *syntax.Word) bool {
	text := rawText(word.Parts)
	quoted, ok := word.Parts[0].(*syntax.SglQuoted)
	return ok && quoted.Dollar || text == "" || strings.Contains("-{\n"+shell.HoleMark, text[:1])
}

// plainArgument reports whether an expansion is no argument of the function, or one whose value is what was given.
func plainArgument(p *syntax.ParamExp, args []shell.Word) bool {
	name := words.ParamName(p)
	at, err := strconv.Atoi(name)
	switch {
	case p.Excl || p.Param == nil || words.ZshOnly(p) || words.ZshPrefixed(p):
		return false
	case name != "@" && name != "*" && (err != nil || at == 0):
		return true
	case p.Exp == nil:
		return p.Index == nil && p.Slice == nil && p.Repl == nil && p.Names == 0
	}
	switch p.Exp.Op { // the word after it does not count
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		given := p.Index == nil && err == nil && at <= len(args)
		return given && args[at-1].Known && args[at-1].Text != ""
	}
	return false
}
