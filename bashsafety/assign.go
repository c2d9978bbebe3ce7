package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// inert reports whether a variable in front of a command changes nothing about
// what the command runs, reads or writes.
func inert(name string) bool {
	switch name {
	case "NODE_ENV", "CI", "LANG", "TZ", "NO_COLOR", "FORCE_COLOR", "GOOS", "GOARCH", "CGO_ENABLED",
		"RUST_BACKTRACE", "RUST_LOG", "PYTHONUNBUFFERED", "DEBUG", "TERM":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}

// steers reports whether a variable that is set without being exported still
// reaches programs or the shell, because shells usually start with it.
func steers(name string) bool {
	switch name {
	case "PATH", "HOME", "IFS", "BASH_ENV", "ENV", "PS4", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "CDPATH", "SHELL",
		"ZDOTDIR", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "MAKEFLAGS", "MAKEFILES", "GOFLAGS", "TAR_OPTIONS",
		"RIPGREP_CONFIG_PATH", "VIMINIT", "EXINIT", "GLOBIGNORE", "FPATH", "TMPDIR", "BROWSER", "VISUAL",
		"PWD", "OLDPWD", "POSIXLY_CORRECT", "TMP", "TEMP":
		return true
	}
	for _, p := range [...]string{"LD_", "DYLD_", "GIT_", "XDG_", "LESS", "PYTHON", "PERL5", "RUBY", "RUSTC", "npm_config_",
		"NPM_CONFIG_", "CARGO_", "SSH_", "BASH_FUNC_", "DOCKER_", "KUBE", "AWS_"} {
		if strings.HasPrefix(name, p) {
			return !inert(name)
		}
	}
	return strings.HasSuffix(name, "PAGER") || strings.HasSuffix(name, "EDITOR") || strings.HasSuffix(name, "_proxy") || strings.HasSuffix(name, "_PROXY")
}

// assignNarrow gives the reasons of the assignments in front of a command.
func assignNarrow(assigns []Assign) []string {
	var out []string
	for i := range assigns {
		if !inert(assigns[i].Name) {
			out = append(out, "the variable "+assigns[i].Name+" in front may change what it does")
		}
	}
	return out
}

// prefixAssigns reads the assignments in front of a command. They reach the
// command, not the shell.
func (w *walker) prefixAssigns(list []*syntax.Assign, cmd *Word, c *ctx, st *state) ([]Assign, []string) {
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]Assign, 0, len(list))
	for _, a := range list {
		name := a.Name.Value
		out = append(out, Assign{Name: name, Value: w.assignValue(a, c, st)})
		w.shellVar(name, cmd.Known && (cmd.Text == "read" || cmd.Text == "mapfile" || cmd.Text == "readarray"), c.span(a))
	}
	if cmd.Known && (cmd.Text == "read" || cmd.Text == "mapfile" || cmd.Text == "readarray") && len(out) == 1 && out[0].Name == "IFS" {
		return out, nil // it only splits what is read
	}
	return out, assignNarrow(out)
}

// shellVar doubts the variables through which a shell runs text or splits
// words. A read with an IFS of its own only splits what it reads.
func (w *walker) shellVar(name string, read bool, span Span) {
	switch name {
	case "IFS":
		if !read {
			w.doubt(dIFS, span, "")
		}
	case "PS4", "PROMPT_COMMAND", "BASH_ENV", "ENV":
		w.doubt(dShellVar, span, name)
	}
}

// bareAssigns makes the assignments of a statement without a command.
func (w *walker) bareAssigns(list []*syntax.Assign, c *ctx, st *state) {
	for _, a := range list {
		w.walkAssign(a, c, st)
		w.set(a, c, st)
		name := a.Name.Value
		if st.steered(name); st.allexport && !inert(name) && !steers(name) {
			st.addNarrow(setBefore(name))
		}
	}
}

// steered narrows what follows when a variable was set that steers programs.
func (s *state) steered(name string) {
	if steers(name) {
		s.addNarrow(setBefore(name))
	}
}

func setBefore(name string) string {
	return "the variable " + name + " was set before and may change what it does"
}

// set binds one assignment in the running shell.
func (w *walker) set(a *syntax.Assign, c *ctx, st *state) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	w.shellVar(name, false, c.span(a))
	switch name {
	case "IFS":
		st.ifs = true
	case "CDPATH":
		st.cdpath = true
	}
	if a.Array != nil {
		b := binding{name: name, isArray: true}
		for _, e := range a.Array.Elems {
			if e.Index != nil || a.Append || e.Value == nil {
				st.bind(name, HoleMark)
				return
			}
			b.list = w.fields(e.Value, c, st, b.list)
		}
		st.push(b)
		return
	}
	if a.Index != nil {
		st.bind(name, HoleMark)
		return
	}
	v := w.assignValue(a, c, st)
	if runsInSubscript(v.Text) && v.Quoted && v.Known && arithmeticLike(v.Text) {
		w.doubt(dHiddenEval, c.span(a), "the value runs a command when it is used as a number")
	}
	text := v.Text
	if a.Append {
		old, ok := st.lookup(name)
		if !ok {
			old = HoleMark
		}
		text = old + text
	}
	if !w.spend(len(text)) || len(text) > MaxBytes {
		text = HoleMark
	}
	st.bind(name, text)
}

// arithmeticLike reports whether a text starts like an array element.
func arithmeticLike(text string) bool {
	name, _, ok := strings.Cut(text, "[")
	return ok && validName(name)
}

func (w *walker) assignValue(a *syntax.Assign, c *ctx, st *state) Word {
	if a.Array != nil {
		return Word{Text: HoleMark, Single: true, Span: c.span(a)}
	}
	v := w.single(a.Value, c, st, true)
	if a.Value == nil {
		v.Span = c.span(a)
	}
	return v
}

// walkAssign walks what an assignment runs.
func (w *walker) walkAssign(a *syntax.Assign, c *ctx, st *state) {
	if a.Name != nil && !validName(a.Name.Value) {
		w.doubt(dParserDiff, c.span(a), "a word that looks like an assignment to something that is no variable")
	}
	if a.Index != nil {
		w.arithm(a.Index, c, st)
	}
	w.walkWord(a.Value, c, st)
	if a.Array == nil {
		return
	}
	for _, e := range a.Array.Elems {
		if e.Index != nil {
			w.arithm(e.Index, c, st)
		}
		w.walkWord(e.Value, c, st)
	}
}

// declClause treats export, declare and the like as the commands they are.
func (w *walker) declClause(d *syntax.DeclClause, c *ctx, st *state) {
	variant := d.Variant.Value
	span := c.span(d)
	inv := invocation{argv: []Word{knownWord(variant, c.span(d.Variant))}, span: span}
	exports := variant == "export"
	var later []string // reasons for what follows
	for _, a := range d.Args {
		first := len(inv.argv)
		inv.argv = w.declArg(a, c, st, inv.argv)
		if a.Name == nil {
			for _, f := range inv.argv[first:] {
				exports = exports || strings.HasPrefix(f.Text, "-") && strings.Contains(f.Text, "x") || !f.Known
			}
			continue
		}
		name := a.Name.Value
		if exports && !inert(name) || steers(name) {
			why := "the variable " + name + " may change what later commands do"
			inv.narrow = append(inv.narrow, why)
			later = append(later, why)
		}
	}
	w.run(&inv, c, st)
	for _, why := range later {
		st.addNarrow(why)
	}
	nameref := variant == "nameref" || hasNameref(inv.argv)
	for _, a := range d.Args {
		w.walkAssign(a, c, st)
		if a.Naked {
			continue
		}
		w.set(a, c, st)
		if nameref {
			st.forget()
			if v := w.assignValue(a, c, st); !v.Known || steers(v.Text) {
				st.addNarrow("a reference to the variable " + v.Text + " may change what later commands do")
			}
		}
	}
}

func hasNameref(argv []Word) bool {
	for _, a := range argv[1:] {
		if len(a.Text) > 1 && a.Text[0] == '-' && strings.Contains(a.Text, "n") {
			return true
		}
	}
	return false
}

// declArg is one argument of a declaration as one word.
func (w *walker) declArg(a *syntax.Assign, c *ctx, st *state, out []Word) []Word {
	if a.Name == nil {
		return w.fields(a.Value, c, st, out)
	}
	v := Word{Text: "", Known: true, Single: true}
	op := ""
	if !a.Naked {
		v, op = w.assignValue(a, c, st), "="
		if a.Append {
			op = "+="
		}
	}
	if a.Index != nil {
		v.Text, v.Known, op = HoleMark, false, ""
	}
	v.Text = a.Name.Value + op + v.Text
	v.Span = c.span(a)
	return append(out, v)
}
