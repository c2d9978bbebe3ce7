package oracle

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// A miss is something the shell did that the analysis neither names nor doubts. The zero value is no miss.
type miss struct {
	execs  [][]string // run, and matched by no subcommand
	writes []string   // written absolute paths, or other things refused, that are no effect
}

func (m *miss) found() bool { return len(m.execs)+len(m.writes) > 0 }

// compareRun holds what the shell did against the analysis. A doubt covers everything.
// The programs in null are those the shell runs by itself for a redirect without a command.
func compareRun(s *bashsafety.Analysis, r *Result, null string) miss {
	var m miss
	if len(s.Doubts) > 0 {
		return m
	}
	for _, argv := range r.Execs {
		if len(argv) > 0 && strings.HasSuffix(argv[0], "/") {
			continue // a directory: bash makes it absolute, and nothing can run it
		}
		if len(argv) == 1 && slices.Contains(strings.Fields(null), argv[0]) || null != "" && len(argv) > 0 && path.Base(argv[0]) == "-p" {
			continue
		}
		if len(argv) == 1 && argv[0] == planted && held(s) {
			continue
		}
		if !slices.ContainsFunc(s.Subcommands, func(c bashsafety.Subcommand) bool { return names(&c, argv) }) {
			m.execs = append(m.execs, argv)
		}
	}
	for _, w := range r.Changes {
		if what := w.what(); what != "" && !slices.ContainsFunc(s.Subcommands, func(c bashsafety.Subcommand) bool { return writes(&c, &w, what) }) {
			m.writes = append(m.writes, w.Op+" "+what)
		}
	}
	if len(m.execs) > 0 && sources(s) {
		return miss{} // what another file runs is not in the text
	}
	return m
}

// held reports whether the text is never proven, and no rule with a pattern covers it: then what the data runs is
// not run unasked, although nothing names it.
func held(s *bashsafety.Analysis) bool {
	return !slices.ContainsFunc(s.Subcommands, func(c bashsafety.Subcommand) bool {
		return !c.Structural && (len(c.PatternBlockers) == 0 || c.Unproven() == "")
	})
}

// names reports whether the subcommand is this execution.
func names(c *bashsafety.Subcommand, argv []string) bool {
	if !c.Here() || c.Structural {
		return false
	}
	if exec := slices.Contains(c.Via, "exec"); exec && len(argv) > 0 && len(c.Argv) > 0 && strings.Contains(c.Argv[0].Text, "/") {
		// bash makes the path absolute
		if strings.HasPrefix(argv[0], "/") && strings.HasSuffix(path.Clean(argv[0]), path.Clean("/"+c.Argv[0].Text)) {
			return covers(c.Argv[1:], argv[1:])
		}
	}
	for _, words := range [][]bashsafety.Word{c.Argv, c.Outer} { // found in another folder, which is why no rule allows it
		if len(argv) > 0 && len(words) > 0 && len(c.PatternBlockers) > 0 && strings.HasSuffix(argv[0], "/"+words[0].Text) && covers(words[1:], argv[1:]) {
			return true
		}
	}
	if standard := slices.Contains(c.Via, "exec") && slices.Contains(c.Via, "command"); standard && len(argv) > 0 && len(c.Argv) > 0 {
		// command -p looks in the standard path
		if name := c.Argv[0].Text; (argv[0] == "/bin/"+name || argv[0] == "/usr/bin/"+name) && covers(c.Argv[1:], argv[1:]) {
			return true
		}
	}
	outer := c.Outer
	if len(outer) > 0 && outer[0].Text == "time" { // a reserved word, no program
		if covers(outer[1:], argv) {
			return true // zsh knows no -p
		}
		for outer = outer[1:]; len(outer) > 0 && (outer[0].Text == "-p" || outer[0].Text == "--"); {
			outer = outer[1:]
		}
	}
	return covers(c.Argv, argv) || covers(c.Outer, argv) || covers(outer, argv)
}

// exactly returns how many executions a subcommand without any hole or pattern names.
func exactly(s *bashsafety.Analysis, execs [][]string) (n int) {
	for _, argv := range execs {
		if slices.ContainsFunc(s.Subcommands, func(c bashsafety.Subcommand) bool {
			return names(&c, argv) && !slices.ContainsFunc(c.Argv, func(w bashsafety.Word) bool { return !w.Known })
		}) {
			n++
		}
	}
	return n
}

// idle returns the subcommands that name a program the shell itself would run and that no run executed.
func idle(s *bashsafety.Analysis, execs [][]string) (named int, out [][]bashsafety.Word) {
	for i := range s.Subcommands {
		c := &s.Subcommands[i]
		starts := c.Here() && !c.Structural && c.Program != "" && !isBuiltin(c.Program)
		if !starts || slices.ContainsFunc(c.Via, launched) {
			continue
		}
		named++
		if !slices.ContainsFunc(execs, func(argv []string) bool { return names(c, argv) }) {
			out = append(out, c.Argv)
		}
	}
	return named, out
}

// launched reports whether the step leads out of the shell: the shell does not run what comes after it.
func launched(via string) bool {
	switch {
	case via == "$()", via == "<()", via == ">()", via == "eval", via == "trap", via == "command", via == "builtin", via == "exec", via == "coproc":
		return false
	}
	return !strings.HasPrefix(via, "function ")
}

// sources reports whether the text runs another file in the shell.
func sources(s *bashsafety.Analysis) bool {
	return slices.ContainsFunc(s.Subcommands, func(c bashsafety.Subcommand) bool {
		return slices.ContainsFunc(c.Effects, func(e bashsafety.Effect) bool { return e.Kind == bashsafety.Source })
	})
}

// what returns the absolute path of a change, "" when it is no change of a file.
func (w *Change) what() string {
	switch w.Op {
	case "kill", "killpg":
		return ""
	case "open", "fopen":
		if w.Path == "" {
			return "" // never opens anything
		}
	case "socket", "connect", "dlopen", "system", "popen":
		return w.Op
	}
	p := path.Clean(w.full())
	switch {
	case p == "/dev/null", p == "/dev/tty", p == "/dev/stdin", p == "/dev/stdout", p == "/dev/stderr", strings.HasPrefix(p, "/dev/fd/"), strings.HasPrefix(p, "/proc/self/fd/"):
		return ""
	}
	return p
}

// full is the path of a change made absolute, .. and . still in it, doubled slashes not.
func (w *Change) full() string {
	p := w.Path
	if !strings.HasPrefix(p, "/") {
		p = w.Dir + "/" + p
	}
	for strings.Contains(p, "//") {
		p = strings.ReplaceAll(p, "//", "/")
	}
	return p
}

// writes reports whether the change is an effect of the subcommand.
func writes(c *bashsafety.Subcommand, w *Change, what string) bool {
	return slices.ContainsFunc(c.Effects, func(e bashsafety.Effect) bool {
		switch e.Kind {
		case bashsafety.Write, bashsafety.Delete:
			if e.Glob {
				return coverGlob(e.Path, []string{what})
			}
			if i := strings.LastIndexByte(what, '-'); c.Program == "history" && i > 0 && strings.HasSuffix(what, ".tmp") {
				return e.Path == what[:i] // bash writes next to it and renames
			}
			if e.Known || e.Path == "" {
				return e.Path == what || !e.Known
			}
			return slices.ContainsFunc([]string{what, w.full(), w.Path, w.Dir + "/" + w.Path}, func(name string) bool {
				return coverHoles(e.Path, name) || coverHoles(e.Path, strings.TrimRight(name, "/"))
			})
		case bashsafety.Network:
			return w.Op == "socket" || w.Op == "connect"
		}
		return false
	})
}
