package analysis

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// Stem returns how many words say what the command does: program, subcommands, script of a runner;
// 0 where one is not known, or an option comes between.
func (s *Subcommand) Stem() int {
	if len(s.Argv) == 0 || s.Program == "" || !plainWord(&s.Argv[0]) {
		return 0
	}
	if inner, at := s.spelled(); inner != nil {
		n := inner.Stem()
		if n == 0 || slices.ContainsFunc(s.Argv[:at], func(w shell.Word) bool { return !plainWord(&w) }) {
			return 0
		}
		return min(at+n, len(s.Argv))
	}
	c := commands.NewInvocation(s.Argv, nil, "")
	n := c.From
	if n != 1+len(c.Subs) {
		return 0
	}
	if n < len(s.Argv) && verbWord(&s.Argv[n]) && !s.Launcher && takesVerb(c) {
		n++
	}
	if slices.ContainsFunc(s.Argv[:n], func(w shell.Word) bool { return !plainWord(&w) }) {
		return 0
	}
	return n
}

// spelled is the command that the words spell after a launcher's, and where it starts; nil for none. A rule that
// spells both is about both (commands.Inner.At). A package is none: what it runs is its own.
func (s *Subcommand) spelled() (*Subcommand, int) {
	if s.Call == nil || len(s.Call.Facts.Inner) != 1 || s.Call.Facts.Inner[0].At == 0 || s.Call.Facts.Inner[0].Narrows {
		return nil, 0
	}
	in := &s.Call.Facts.Inner[0]
	return &Subcommand{Argv: in.Argv, Program: commands.ProgramName(in.Argv)}, in.At
}

// takesVerb reports whether the program takes a subcommand or script that no table lists.
func takesVerb(c *commands.Invocation) bool {
	if c.Cmd == nil || c.Sub.HasSubs() || c.Cmd.Rare().Scripts != nil {
		return true
	}
	return c.Sub.Operands == commands.Words && !c.Cmd.ReadOnly && !c.Sub.ReadOnly
}

// Open says why the stem with anything after it allows other programs, "" where nothing does.
func (s *Subcommand) Open() string {
	n := s.Stem()
	if n == 0 {
		return "no prefix of it covers all such commands"
	}
	if inner, _ := s.spelled(); inner != nil {
		return inner.Open()
	}
	e := commands.Find(s.Program)
	switch {
	case !e.Known():
		return s.Program + " is unknown, and may run what its words say"
	case s.Launcher, e.Runs(), openProgram(e.As):
		return s.Program + " runs what its words say"
	case n > 1 && runsOperands(s.Argv[n-1].Text):
		return s.Program + " " + s.Argv[n-1].Text + " may run what follows"
	}
	return ""
}

// openProgram reports a program of no table of launchers that runs what its words say.
func openProgram(program string) bool {
	return shell.Among("eval source . command trap ssh mosh npx bunx pnpx uvx pipx deno cmd awk gawk mawk nawk tmux "+
		"screen zellij rsh find fd fdfind", program)
}

// runsOperands reports whether a subcommand of this name runs what follows it.
func runsOperands(verb string) bool {
	return shell.Among("exec run dlx x execute shell ssh rsh eval repl console debug develop rebase bisect "+
		"filter-branch submodule", verb)
}

// plainWord reports whether a word is known and looks alike with and without quotes.
func plainWord(w *shell.Word) bool {
	plain := func(c byte) bool { return wordByte(c) || strings.IndexByte("/.+@", c) >= 0 }
	return w.Known && w.Text != "" && shell.WordLength(w.Text, plain) == len(w.Text)
}

// verbWord reports a word like the name of a subcommand or script: no option, path or URL.
func verbWord(w *shell.Word) bool {
	if !w.Known || w.Text == "" || w.Text[0] < 'a' || w.Text[0] > 'z' {
		return false
	}
	return shell.WordLength(w.Text, wordByte) == len(w.Text)
}

func wordByte(c byte) bool { return shell.NameByte(c) || c == '-' || c == ':' }

// MoreOptions names a variable of the text that gives unpackers further options, "" for none.
func (s *Subcommand) MoreOptions() string {
	before := s.SetBefore()
	for i := range s.Assigns {
		before = append(before, s.Assigns[i].Name)
	}
	for _, name := range commands.UnpackVars {
		if slices.Contains(before, name) {
			return name
		}
	}
	return ""
}
