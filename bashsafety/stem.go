package bashsafety

// Stem returns how many words of the command say what it does: the program, the
// subcommands of it, and the script that a runner is told to run. It is 0 where
// a word among them is not known, or an option stands between them.
func (s *Subcommand) Stem() int {
	if len(s.Argv) == 0 || s.Program == "" || !plainWord(&s.Argv[0]) {
		return 0
	}
	c := newCall(s.Argv, nil, "")
	n := c.from
	if n != 1+len(c.subs) {
		return 0
	}
	verb := n < len(s.Argv) && verbWord(&s.Argv[n])
	if verb && !s.Launcher && (c.cmd == nil || c.sub.hasSubs() || c.cmd.scripts != nil || c.sub.Operands == Words && !c.cmd.ReadOnly && !c.sub.ReadOnly) {
		n++
	}
	for i := range n {
		if !plainWord(&s.Argv[i]) {
			return 0
		}
	}
	return n
}

// Open says why whoever allows the stem of a command with whatever follows
// allows other programs as well, "" where nothing is known that says so.
func (s *Subcommand) Open() string {
	n := s.Stem()
	if n == 0 {
		return "no words of it stand for all such commands"
	}
	e := find(s.Program)
	switch {
	case s.Launcher, e.family >= 0 && (&families[e.family][0] == &runCommands[0] || &families[e.family][0] == &codeCommands[0]), openProgram(e.as):
		return s.Program + " runs what its words say"
	case n > 1 && runsOperands(s.Argv[n-1].Text):
		return s.Program + " " + s.Argv[n-1].Text + " may run what follows"
	}
	return ""
}

// openProgram reports whether a program of no table of launchers and interpreters
// runs whatever its words say.
func openProgram(program string) bool {
	switch program {
	case "eval", "source", ".", "exec", "command", "builtin", "trap", "ssh", "mosh", "npx", "bunx", "pnpx", "uvx", "pipx", "deno",
		"pwsh", "powershell", "cmd", "wish", "expect", "awk", "gawk", "mawk", "nawk", "osascript", "tmux", "screen", "zellij", "rsh", "find", "fd", "fdfind":
		return true
	}
	return false
}

// runsOperands reports whether a subcommand of this name runs what follows it.
func runsOperands(verb string) bool {
	switch verb {
	case "exec", "run", "dlx", "x", "execute", "shell", "ssh", "rsh", "eval", "repl", "console", "debug", "develop", "rebase", "bisect", "filter-branch", "submodule":
		return true
	}
	return false
}

// plainWord reports whether a word is known and looks alike with and without quotes.
func plainWord(w *Word) bool {
	if !w.Known || w.Text == "" {
		return false
	}
	for i := 0; i < len(w.Text); i++ {
		if c := w.Text[i]; !wordByte(c) && c != '/' && c != '.' && c != '+' && c != '@' {
			return false
		}
	}
	return true
}

// verbWord reports whether a word looks like the name of a subcommand or script:
// no option, path, file or URL.
func verbWord(w *Word) bool {
	if !w.Known || w.Text == "" || w.Text[0] < 'a' || w.Text[0] > 'z' {
		return false
	}
	for i := 0; i < len(w.Text); i++ {
		if !wordByte(w.Text[i]) {
			return false
		}
	}
	return true
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == ':'
}
