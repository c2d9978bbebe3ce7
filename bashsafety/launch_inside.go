package bashsafety

import (
	"slices"
	"strings"
)

// inside follows the commands that the subcommand at runs.
func (w *walker) inside(at int, d *description, c *ctx, st *state) outcome {
	var o outcome
	for i := range d.inner {
		in := &d.inner[i]
		if in.strip {
			continue
		}
		if w.depth++; w.depth > MaxNesting {
			w.depth--
			w.doubt(dTooDeep, w.s.Subcommands[at].Span, "")
			return o
		}
		before := len(w.s.Subcommands)
		o = w.follow(at, in, c, st)
		w.depth--
		if len(w.s.Subcommands) > before && !in.remote {
			w.s.Subcommands[at].Launcher = true
			w.s.Subcommands[at].ReadOnly = w.s.Subcommands[at].ReadOnly && d.relays
		}
	}
	return o
}

// follow walks one command that another one runs.
func (w *walker) follow(at int, in *inner, c *ctx, st *state) outcome {
	sub := &w.s.Subcommands[at]
	n := c.through(in.via)
	n.narrow = slices.Concat(c.narrow, assignNarrow(sub.Assigns))
	n.remote = c.remote || in.remote
	if in.kind != innerArgv && isShell(tableName(sub.Program)) {
		n.posix = posixShell(tableName(sub.Program))
	}
	run := st
	if !here(sub) {
		run = st.clone()
		if in.kind != innerArgv {
			run = st.child()
		}
	}
	w.tangled = w.tangled || sub.Program == "trap"
	if sub.Program == "trap" { // nor are the variables what they are now
		run = run.clone()
		run.bind("TMPDIR", HoleMark)
	}
	if sub.Program == "trap" && w.moves {
		run.cwd = cwdState{moved: true} // it runs in the directory the shell is in by then
	}
	if in.dir != nil {
		run = run.clone()
		run.cwd = *moved(&run.cwd, in.dir)
	}
	if run != st {
		run.places(sub.Assigns)
	}
	for i := range in.assigns {
		a := &in.assigns[i]
		run.bind(a.Name, a.Value.Text)
		w.hold(a.Value.Text)
		if a.Name != "ENV" && runsCode(a.Name) {
			w.shellVar(a.Name, false, sub.Span)
		}
	}
	if in.remote {
		w.muted++
		defer func() { w.muted-- }()
	}
	switch in.kind {
	case innerArgv:
		if len(in.argv) == 0 {
			return outcome{}
		}
		argv := in.argv
		if !w.spend(len(argv) * wordSize) {
			return outcome{}
		}
		if in.more {
			argv = append(slices.Clip(argv), Word{Text: HoleMark, Span: sub.Span})
		}
		inv := invocation{argv: argv, assigns: in.assigns, narrow: assignNarrow(in.assigns), span: sub.Span}
		return w.run(&inv, n, run)
	case innerText:
		n.narrow = append(n.narrow, assignNarrow(in.assigns)...)
		before, dirs := run.vars, run.cwd.dirs
		o := w.program(&in.text, sub.Span, n, run)
		if laterHere(sub) && (run.vars != before || !slices.Equal(run.cwd.dirs, dirs)) {
			w.opaque = true
			st.forget()
			if !slices.Equal(run.cwd.dirs, dirs) {
				st.cwd = cwdState{moved: true}
			}
		}
		return o
	case innerStdin:
		w.stdinProgram(at, n, run)
	}
	return outcome{}
}

// places follows the variables in front of a launcher that say where files lie:
// what it runs sees them.
func (s *state) places(assigns []Assign) {
	for i := range assigns {
		switch a := &assigns[i]; a.Name {
		case "HOME", "TMPDIR":
			s.bind(a.Name, a.Value.Text)
		}
	}
}

// carry takes over what the options of a program from a package load or run.
// Words that nobody knows, such as those xargs appends, are left to the launcher.
func (c *call) carry() {
	for i := range c.d.inner {
		in := &c.d.inner[i]
		if !in.narrows || !in.argv[0].Known {
			continue
		}
		seen := slices.DeleteFunc(slices.Clone(in.argv), func(w Word) bool { return !w.Known && !w.Single && literalPrefix(&w) == "" })
		d := &describe(seen, c.cwd, c.home).d
		if !d.known {
			continue
		}
		c.d.narrow = append(c.d.narrow, d.narrow...)
		for _, e := range d.effects {
			if e.Loads {
				c.d.effects = append(c.d.effects, e)
			}
		}
	}
}

// laterHere reports whether a builtin runs its text in the running shell at
// other times than now: what it assigns may come between any two commands.
func laterHere(sub *Subcommand) bool {
	switch sub.Program {
	case "mapfile", "readarray":
		return true
	case "trap":
		for _, i := range sub.call.operands[1:] {
			if a := &sub.Argv[i]; !a.Known || a.Text != "EXIT" && a.Text != "0" {
				return true
			}
		}
	}
	return false
}

// here names the builtins whose inner command runs in the running shell.
func here(sub *Subcommand) bool {
	switch sub.Program {
	case "eval", "command", "builtin":
		return isBuiltin(sub)
	}
	return false
}

// isBuiltin reports whether a command word may name a builtin: none has a path.
func isBuiltin(sub *Subcommand) bool { return !strings.Contains(sub.Argv[0].Text, "/") }
