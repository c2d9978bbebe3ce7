package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
	"mvdan.cc/sh/v3/syntax"
)

// bareAssigns makes the assignments of a statement without a command.
func (w *walker) bareAssigns(list []*syntax.Assign, c *ctx, st *words.State) {
	for _, a := range list {
		w.walkAssign(a, c, st)
		w.set(a, c, st)
		name := a.Name.Value
		if st.Allexport && !commands.Inert(name) {
			st.AddBlocker(analysis.SetEarlier(name))
		}
	}
}

// set makes one assignment in the running shell.
func (w *walker) set(a *syntax.Assign, c *ctx, st *words.State) {
	if a.Name != nil {
		w.zshArray(a, c.span(a))
		v := w.given(a, c, st)
		w.assign(a, &v, c, st)
	}
}

// A given is what an assignment brings: a word, or the elements of an array.
type given struct {
	word shell.Word
	list []shell.Word
}

// given expands the right side of an assignment.
func (w *walker) given(a *syntax.Assign, c *ctx, st *words.State) (v given) {
	v.word = w.assignValue(a, c, st)
	if a.Array == nil {
		w.noteLiteral(v.word.Text)
		return v
	}
	w.UnlikeZsh, w.Elem = false, true
	defer func() { w.Elem = false }()
	for _, e := range a.Array.Elems {
		if e.Value != nil {
			w.sideEffect(e.Value.Parts, c, st)
			v.list = w.Fields(e.Value, c.fr, st, v.list)
		}
	}
	if w.UnlikeZsh {
		v.list = append(v.list, shell.Word{Text: shell.HoleMark, Span: c.span(a)})
	}
	w.noteLiterals(v.list)
	return v
}

// assign binds what an assignment brings.
func (w *walker) assign(a *syntax.Assign, v *given, c *ctx, st *words.State) {
	name, text, span := a.Name.Value, v.word.Text, c.span(a)
	plain := a.Array == nil && a.Index == nil && !a.Append && w.keeps(name)
	empty := v.word.Known && text == ""
	w.made = plain && (empty || v.word.Temp && text == shell.HoleMark)
	w.touched(name, span, st)
	if a.Array == nil {
		w.holds(name, v.word)
	}
	w.holds(name, v.list...)
	w.promptVar(name, text, span)
	if runsInSubscript(text) && v.word.Quoted && v.word.Known && arithmeticLike(text) {
		w.Doubt(analysis.DoubtHiddenEval, span, "the value runs a command when it is used as a number")
	}
	if !w.keeps(name) {
		w.assignAltered(name, v, span, st)
		return
	}
	if a.Array != nil {
		w.assignList(a, v, st)
		return
	}
	if a.Index != nil {
		st.Bind(name, shell.HoleMark)
		return
	}
	if a.Append {
		old, ok := st.Lookup(name)
		if !ok {
			old = shell.HoleMark
		}
		text, v.word.List = old+text, nil
	}
	if !w.Spend(len(text)) || len(text) > shell.MaxBytes {
		text = shell.HoleMark
	}
	w.noteLiteral(text)
	temp := v.word.Temp && !a.Append
	tokens := v.word.Tokens && v.word.NoDash && !a.Append && !strings.ContainsAny(text, " \t\n*?[\\")
	st.Push(words.Binding{
		Name: name, Text: text, Temp: temp, Alone: v.word.Alone, Down: v.word.Down && !a.Append,
		NoSlash: v.word.NoSlash && !a.Append, Tokens: tokens, Sure: true, Listing: v.word.List,
	})
}

// assignAltered follows what is given to what may be an integer or a reference.
func (w *walker) assignAltered(name string, v *given, span shell.Span, st *words.State) {
	for _, word := range append([]shell.Word{v.word}, v.list...) {
		w.number(word.Text, span, st)
		if slices.Contains(w.refs, name) {
			w.name(&word, span, st)
			w.refersTo(&word, span, st)
		}
	}
	st.Push(words.Binding{Name: name, Text: shell.HoleMark, Sure: true})
}

// assignList binds NAME=(...).
func (w *walker) assignList(a *syntax.Assign, v *given, st *words.State) {
	open := func(e *syntax.ArrayElem) bool { return e.Index != nil || e.Value == nil }
	if a.Append || slices.ContainsFunc(a.Array.Elems, open) {
		st.Push(words.Binding{Name: a.Name.Value, Text: shell.HoleMark, Sure: true})
		return
	}
	st.Push(words.Binding{Name: a.Name.Value, IsArray: true, List: v.list, Sure: true})
}

// arithmeticLike reports whether a text starts like an array element.
func arithmeticLike(text string) bool {
	name, _, ok := strings.Cut(text, "[")
	return ok && shell.ValidName(name)
}

func (w *walker) assignValue(a *syntax.Assign, c *ctx, st *words.State) shell.Word {
	if a.Array != nil {
		return shell.Word{Text: shell.HoleMark, Single: true, Span: c.span(a)}
	}
	v := w.Single(a.Value, c.fr, st, true)
	if a.Value == nil {
		v.Span = c.span(a)
	}
	return v
}

// walkAssign walks what an assignment runs.
func (w *walker) walkAssign(a *syntax.Assign, c *ctx, st *words.State) {
	if a.Name != nil && !shell.ValidName(a.Name.Value) {
		w.Doubt(analysis.DoubtParserDiff, c.span(a), "a word that looks like an assignment but names no variable")
	}
	if a.Index != nil {
		w.MayFail(st)
		w.arithm(a.Index, c, st)
		w.oddIndex(a.Index, c)
	}
	w.walkWord(a.Value, c, st)
	if a.Array == nil {
		return
	}
	for _, e := range a.Array.Elems {
		if e.Index != nil {
			w.arithm(e.Index, c, st)
			w.oddIndex(e.Index, c)
		}
		w.walkWord(e.Value, c, st)
	}
}

// oddIndex doubts a subscript that bash 3.2, which counts brackets alone, may end elsewhere.
func (w *walker) oddIndex(x syntax.ArithmExpr, c *ctx) {
	text := c.source(x)
	if !bracketsPair(text) || strings.IndexByte(text, '[') >= 0 && substitutes(text) {
		w.Doubt(analysis.DoubtParserDiff, c.span(x), "a bracket in a subscript")
	}
}

func bracketsPair(text string) bool {
	depth := 0
	for i := 0; i < len(text) && depth >= 0; i++ {
		switch text[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
	}
	return depth == 0
}

// substitutes reports whether a text holds a command substitution.
func substitutes(text string) bool {
	return strings.Contains(text, "$(") || strings.IndexByte(text, '`') >= 0
}

// inertValue reports whether the value of a variable changes nothing: an editor that does nothing,
// a pager that prints, a name in a commit.
func inertValue(a *shell.Assign) bool {
	switch a.Name {
	case "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
		"GIT_COMMITTER_DATE":
		return true
	case "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL":
		return a.Value.Known && (a.Value.Text == "true" || a.Value.Text == ":")
	case "GIT_PAGER", "PAGER", "MANPAGER":
		return a.Value.Known && (a.Value.Text == "cat" || a.Value.Text == "")
	case "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS":
		return a.Value.Known && shell.Number(a.Value.Text)
	}
	return false
}

// assignBlockers gives the reasons of the assignments in front of a command.
func assignBlockers(assigns []shell.Assign) []string {
	var out []string
	for i := range assigns {
		if !commands.Inert(assigns[i].Name) && !inertValue(&assigns[i]) {
			out = append(out, "the variable "+assigns[i].Name+" set for it may change what it does")
		}
	}
	return out
}

// prefixAssigns reads what is set in front of a command, for that command alone.
func (w *walker) prefixAssigns(
	list []*syntax.Assign, cmd *shell.Word, c *ctx, st *words.State,
) ([]shell.Assign, []string) {
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]shell.Assign, 0, len(list))
	seen := st.Clone()                                                     // each sees those in front of it
	splits := cmd.Known && shell.Among("read mapfile readarray", cmd.Text) // its input, by the IFS in front of it
	for _, a := range list {
		name, value := a.Name.Value, w.assignValue(a, c, seen)
		out = append(out, shell.Assign{Name: name, Value: value})
		seen.Bind(name, value.Text)
		w.holds(name, value)
		w.shellVar(name, splits, c.span(a))
		w.noteLiteral(value.Text)
		w.promptVar(name, value.Text, c.span(a))
		if special(cmd) {
			w.mistaken = w.mistaken || slices.Contains(w.temps, name)
			st.Bind(name, shell.HoleMark) // the shell sees it while the builtin runs, and in POSIX mode later
			st.CDPath = st.CDPath || name == "CDPATH"
		}
	}
	if splits && len(out) == 1 && out[0].Name == "IFS" {
		return out, nil // it only splits what is read
	}
	return out, assignBlockers(out)
}

// special reports a builtin that uses the assignments in front of it, or keeps them.
func special(cmd *shell.Word) bool {
	return cmd.Known && shell.Among("eval command builtin . source : exec export readonly set shift times trap unset "+
		"break continue exit return cd pushd popd", cmd.Text)
}

// shellVar doubts variables by which a shell runs text or splits words; read may have an IFS of its
// own.
func (w *walker) shellVar(name string, read bool, span shell.Span) {
	switch {
	case name == "IFS" && !read:
		w.Doubt(analysis.DoubtIFS, span, "")
	case commands.RunsCode(name), nullCommand(name),
		shell.Among("TEXTDOMAIN TEXTDOMAINDIR", name) && strings.Contains(w.s.Text, `$"`): // bash expands a translation
		w.Doubt(analysis.DoubtShellVar, span, name)
	}
}

// zshArray doubts an array, or an element of one, that zsh ties to how it finds
// programs and functions. A plain variable of that name is everyday text.
func (w *walker) zshArray(a *syntax.Assign, span shell.Span) {
	const tied = "path fpath cdpath module_path functions aliases galiases saliases commands options"
	switch name := a.Name.Value; {
	case a.Array == nil && a.Index == nil:
	case shell.Among(tied, name):
		w.Doubt(analysis.DoubtZsh, span, "the array "+name+" changes what later words run in zsh")
	case strings.HasSuffix(name, "_functions"):
		w.Doubt(analysis.DoubtZsh, span, "zsh runs the functions in "+name)
	}
}

// promptVar doubts a prompt that runs a command: the shell may be one that prints it.
func (w *walker) promptVar(name, value string, span shell.Span) {
	const prompts = "PS0 PS1 PS2 PS3 MAILPATH PROMPT PROMPT2 PROMPT3 RPROMPT RPROMPT2 RPS1 RPS2 SPROMPT prompt mailpath"
	if substitutes(value) && shell.Among(prompts, name) {
		w.Doubt(analysis.DoubtShellVar, span, name)
	}
}

// mayReach reports whether a variable that is set, not exported, may reach programs: it is exported
// already, as shells start with it or the hook's own environment has it, or programs read it.
func (w *walker) mayReach(name string) bool {
	switch {
	case commands.Steers(name):
		return true
	case commands.Inert(name):
		return false
	case commands.ProgramVar(name):
		return true
	}
	exported := w.s.Env.Exported
	return exported != nil && exported(name)
}

// steered narrows what follows when a variable was set that may reach programs.
func (w *walker) steered(name string, st *words.State) {
	if w.mayReach(name) {
		st.AddBlocker(analysis.SetEarlier(name))
	}
}
