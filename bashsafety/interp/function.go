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

// A followed is a call of which the body was walked, and the doubt where it may run something else; or what is not
// known in a body before that, and the doubt where no call says it.
type followed struct {
	name  string
	doubt shell.Doubt
}

// leftOpen doubts what a command runs. It leaves that to the calls of the function, and reports so, where the text is
// the body of one that is not called there. Not where bash calls it by itself, or its name is that of a wrapper that is
// taken off.
func (w *walker) leftOpen(kind analysis.DoubtKind, span shell.Span, detail string, c *ctx, st *words.State) bool {
	if at := slices.IndexFunc(c.via, isFunction); at >= 0 && st.Open && !st.Allexport && w.muted == 0 {
		name := strings.TrimPrefix(c.via[at], "function ")
		call := []shell.Word{words.Known(name, span), words.Known("1", span), words.Known("x", span)}
		if stripped(&commands.Describe(call, &st.Cwd, "").Facts) == nil && name != "command_not_found_handle" {
			w.open = append(w.open, followed{name, kind.At(span, detail)})
			return true
		}
	}
	w.Doubt(kind, span, detail)
	return false
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
		w.leftOpen(analysis.DoubtShadow, sub.Span, sub.Argv[0].Text, c, st)
	}
	was := st.Clone()
	st.Forget()
	w.keepTemps(st, was)
	if w.moves {
		st.Cwd = st.Cwd.Lost()
	}
}

// callable returns the function that a command calls, nil where its body may do something else than what is walked
// with the words of the call: it has the name of a builtin, is declared twice, calls itself, or changes its arguments.
func (w *walker) callable(inv *pending, sub *analysis.Subcommand, c *ctx, st *words.State) *function {
	name, args := sub.Argv[0].Text, sub.Argv[1:]
	known := commands.Find(name)
	switch {
	case known.Known() && !known.Program(), slices.Contains(st.Aliases, name), !w.once(name):
		return nil
	case sub.Outer != nil, len(inv.assigns) > 0, inv.clause, !c.Plain(), launched(c.via):
		return nil
	}
	for i := range args {
		if a := &args[i]; a.Pipe || a.Glob || !a.Known && st.IFS {
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
	w.followed = append(w.followed, followed{f.decl.Name.Value, analysis.DoubtShadow.At(inv.span, f.decl.Name.Value)})
}

// doubtFollowed doubts the calls of functions that the text declares once more after them, whose arguments a trap may
// change, or which something else may call; and what is left open of functions of which no call was followed.
func (w *walker) doubtFollowed() {
	odd := slices.ContainsFunc(w.s.Subcommands, func(s analysis.Subcommand) bool {
		changes := shell.Among("shift eval source . read", s.Program) || s.Program == "set" && !plainSet(&s)
		return changes && slices.Contains(s.Via, "trap") || shell.Among("compgen complete", s.Program)
	})
	for _, f := range w.followed {
		if w.muted == 0 && (odd || !w.once(f.name)) {
			w.AddDoubt(f.doubt)
		}
	}
	for _, o := range w.open {
		out := func(s analysis.Subcommand) bool { return handsOut(&s, o.name) }
		unseen := slices.ContainsFunc(w.s.Subcommands, out)
		if unseen || !slices.ContainsFunc(w.followed, func(f followed) bool { return f.name == o.name }) {
			w.AddDoubt(o.doubt)
		}
	}
}

// handsOut reports whether a command may give a function to what calls it unseen, or print its text: other shells have
// what is exported.
func handsOut(s *analysis.Subcommand, name string) bool {
	if !shell.Among("export declare typeset readonly functions set type which where whence command "+
		"complete compgen compdef bind zle add-zsh-hook autoload", s.Program) {
		return false
	}
	functions, all := s.Program == "functions", true
	for _, a := range s.Argv[1:] {
		switch option := strings.HasPrefix(a.Text, "-"); {
		case a.Text == name:
			return true
		case option:
			functions = functions || strings.Contains(a.Text, "f")
		default:
			all = all && !a.Known
		}
	}
	return functions && all || len(s.Argv) == 1 && shell.Among("set declare typeset", s.Program)
}

// plainBody reports whether the body of a function leaves its arguments as they are, and uses them by $1, "$@" and the
// like alone: programs cannot change them, and of the builtins only those count that are known not to.
func (w *walker) plainBody(f *function, args []shell.Word) bool {
	plain := !strings.Contains(f.fr.Src+w.s.Text, "argv") // what zsh calls them
	syntax.Walk(f.decl.Body, func(node syntax.Node) bool {
		w.Steps++
		switch n := node.(type) {
		case *syntax.CallExpr:
			plain = plain && (len(n.Args) == 0 || w.keepsArgs(n, f, args))
		case *syntax.ParamExp:
			plain = plain && plainArgument(n, args)
		case *syntax.DeclClause:
			other := func(a *syntax.Assign) bool {
				option := a.Name == nil && a.Value != nil && shell.Among("-a -A -r -ar -Ar", a.Value.Lit())
				return !option && (a.Name == nil || !shell.ValidName(a.Name.Value))
			}
			local := shell.Among("local declare typeset", n.Variant.Value)
			plain = plain && local && !slices.ContainsFunc(n.Args, other)
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
func (w *walker) keepsArgs(n *syntax.CallExpr, f *function, args []shell.Word) bool {
	var argv []shell.Word
	st := words.State{Args: args} // nothing else is known
	st.AnyName()
	w.muted++
	for _, word := range n.Args {
		argv = w.Fields(word, f.fr, &st, argv)
	}
	w.muted--
	if len(argv) == 0 || !argv[0].Known {
		return false
	}
	known := commands.Find(argv[min(1, len(argv)-1)].Text)
	switch name := argv[0].Text; name {
	case ":", "true", "false", "echo", "test", "[", "pwd", "cd", "return", "exit", "break", "continue", "kill", "wait":
		return true
	case "type", "hash":
		return true
	case "command":
		return len(argv) > 1 && argv[1].Known && (known.Program() || shell.Among("-v -V", argv[1].Text))
	case "printf": // not -v NAME
		format := len(argv) > 1 && !argv[1].Glob && argv[1].Text != ""
		return format && !strings.Contains("-"+shell.HoleMark, argv[1].Text[:1])
	case "read", "mapfile", "readarray": // of names alone
		return !slices.ContainsFunc(argv[1:], func(a shell.Word) bool {
			name := shell.ValidName(a.Text) && a.Text != "argv"
			return !a.Known || !name && !shell.Among("-r -a -A -t -ra -s", a.Text) // mapfile -C runs a text
		})
	default:
		known = commands.Find(name)
		file := strings.Contains(name, "/") && !strings.Contains(name, "=") // in zsh, 1=/x assigns
		return known.Program() || file || slices.Contains(w.Funcs, name)
	}
}

// plainArgument reports whether an expansion is no argument of the function, or one that is what was given: as known,
// or as unknown.
func plainArgument(p *syntax.ParamExp, args []shell.Word) bool {
	name := words.ParamName(p)
	at, err := strconv.Atoi(name)
	given := err == nil && p.Index == nil && at <= len(args)
	known := func(a shell.Word) bool { return a.Known }
	switch n := words.Steady(args); {
	case p.Excl || p.Param == nil || words.ZshOnly(p) || words.ZshPrefixed(p):
		return false
	case name != "@" && name != "*" && (err != nil || at == 0):
		return true
	case at > n && slices.ContainsFunc(args[n:], known): // it may be one of these
		return false
	case p.Exp == nil && p.Index == nil && p.Slice == nil && p.Repl == nil:
		return p.Names == 0
	case p.Exp == nil:
	case p.Exp.Op == syntax.AssignUnset, p.Exp.Op == syntax.AssignUnsetOrNull:
		return false
	case p.Exp.Op == syntax.DefaultUnset, p.Exp.Op == syntax.DefaultUnsetOrNull,
		p.Exp.Op == syntax.ErrorUnset, p.Exp.Op == syntax.ErrorUnsetOrNull:
		return given && args[at-1].Text != "" // the word after it does not count
	}
	return given && !args[at-1].Known
}
