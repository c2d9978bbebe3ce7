package analysis

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Bound says how far a subcommand provably goes beyond its effects; zero is any distance.
type Bound uint8

const (
	NotBound    Bound = iota
	OnlyReads         // it reads, and asks no other machine
	OnlyLocal         // its effects are all it does
	RunsProject       // it also runs code of the project it works in
)

// Bound says how far a subcommand goes, and in one clause why no less is proven.
func (s *Subcommand) Bound() (b Bound, why string) {
	switch {
	case s.When.Spawned || !s.Plain():
		return NotBound, s.Unproven()
	case s.When.Endless && s.Does(shell.Write):
		return NotBound, "it writes in a loop that may not end"
	case s.Structural:
		return OnlyLocal, ""
	}
	return s.granted()
}

// granted is what the literal of the program says.
func (s *Subcommand) granted() (Bound, string) {
	why := s.Unproven()
	if why == "" || s.Redirected && len(s.PatternBlockers) == 0 {
		if s.offline() {
			return OnlyReads, ""
		}
		why = s.form() + " talks to the network"
	}
	switch c := s.Call; {
	case c == nil || !s.shown():
	case c.Facts.LocalProof.Holds():
		return OnlyLocal, ""
	case c.Facts.ProjectProof.Holds():
		return RunsProject, s.form() + " runs code of the project"
	}
	return NotBound, why
}

// offline reports whether a command that only reads asks no other machine.
func (s *Subcommand) offline() bool {
	return s.Call != nil && s.Call.Offline() && !s.Does(shell.Network) && s.GitReach() == ""
}

func (s *Subcommand) form() string {
	if s.Call == nil {
		return s.Program
	}
	return s.Call.Form()
}

// shown reports whether effects show all reasons that hold a patterned rule back.
func (s *Subcommand) shown() bool {
	return !slices.ContainsFunc(s.PatternBlockers, func(why string) bool { return !commands.Shown(why) })
}

// Does reports whether a command has an effect of a kind.
func (s *Subcommand) Does(kind shell.EffectKind) bool {
	return slices.ContainsFunc(s.Effects, func(e shell.Effect) bool { return e.Kind == kind })
}

// Unending reports whether the program may print without an end.
func (s *Subcommand) Unending() bool {
	if s.Call == nil {
		return false
	}
	f := s.Call.Sub.Rare().Endless
	return f != nil && f(s.Call)
}

// Carries reports whether what a command reads or removes ends up where it writes.
func (s *Subcommand) Carries() bool {
	return s.Call != nil && (s.Call.Sub.Operands == commands.Copies || s.Call.Sub.Operands == commands.Moves)
}

// Places lists the folders a command may run in, by start or option; none: not known.
func (s *Subcommand) Places() []string {
	switch {
	case s.Call == nil:
		return s.Dirs
	case len(s.Dirs) == 0 || s.Call.Cwd == nil || len(s.Call.Cwd.Dirs) == 0:
		return nil
	}
	return slices.Concat(s.Dirs, s.Call.Cwd.Dirs)
}

// OfProject reports a command that the tables know to run code of the project.
func (s *Subcommand) OfProject() bool { return s.Call != nil && s.Call.Facts.ProjectProof.Holds() }

// ByName reports whether a program is found by name, or in a folder of the system.
func (s *Subcommand) ByName() bool { return commands.SystemProgram(s.Argv[0].Text) }

// runsScript reports whether a command runs a file that its words name, or is one.
func (s *Subcommand) runsScript() bool {
	return !s.OfProject() || s.Does(shell.Execute)
}

// HandsText reports whether words get to tasks or scripts, which may read them as shell text.
func (s *Subcommand) HandsText() bool { return s.runsScript() || s.Call.Sub.Rare().Project.Named }

// MayInstall reports whether a runner fetches a program that is not there.
func (s *Subcommand) MayInstall() bool {
	r := s.Call.Sub.Rare().Project
	return r != nil && r.By&commands.RunsTool != 0
}

// NamesTask reports whether the commands a runner is seen to run are tasks of the project.
func (s *Subcommand) NamesTask() bool {
	r := s.Call.Sub.Rare().Project
	return r != nil && r.By&commands.RunsTask != 0
}

// Tasks are the words of a command that name tasks of the project, or its programs.
func (s *Subcommand) Tasks() (names []string) {
	switch {
	case s.runsScript():
		for i := range s.Argv {
			if t := s.Argv[i].Text; !strings.HasPrefix(t, "-") {
				names = append(names, path.Base(t))
			}
		}
	case s.Call.Sub.Rare().Project.Named, slices.Contains(s.Call.Subs, "run"): // go run
		for i := range s.Call.Operands {
			names = append(names, path.Base(s.Call.Operand(i).Text))
		}
	}
	return names
}

// HandsOver reports whether the first word after the name is a program that may be run.
func (s *Subcommand) HandsOver() bool {
	for i := range s.Argv[1:] {
		if t := s.Argv[i+1].Text; !strings.HasPrefix(t, "-") {
			e := commands.Find(path.Base(t))
			return e.Program()
		}
	}
	return false
}

// Formats reports whether a command leaves what it changes the program it was.
func (s *Subcommand) Formats() bool {
	return s.Call != nil && s.Call.Sub.InPlace && !s.Call.Has("r")
}

// ChangesModes reports whether a command changes who may use files, and not what they hold.
func (s *Subcommand) ChangesModes() bool {
	return s.Call != nil && s.Call.Sub.Operands == commands.ModeWrites
}

// Changes reports whether an effect is more than reading.
func Changes(effects []shell.Effect) bool {
	return slices.ContainsFunc(effects, func(e shell.Effect) bool {
		return e.Kind != shell.Read && e.Kind != shell.GitRead && e.Kind != shell.Looks
	})
}

// Unproven says in one clause why a subcommand is not proven to only read, "" when it is.
func (s *Subcommand) Unproven() string {
	switch {
	case s.Structural:
		return unprovenEffect(s, "")
	case s.When.Spawned:
		return "a loop starts it in the background on every pass"
	}
	if s.Contained() && s.Call != nil {
		switch e := s.Call.Facts.Effects; {
		case Changes(e):
			return "it does more than read, in a container"
		case slices.ContainsFunc(e, func(e shell.Effect) bool { return e.Kind == shell.GitRead }):
			return "the configuration of the repository in the container is unknown"
		}
	}
	if s.ReadOnly && (s.Plain() || s.Contained()) && len(s.PatternBlockers) == 0 {
		return ""
	}
	switch c := s.Call; {
	case s.Unread != "":
		return s.Unread
	case !s.Plain() && !s.Contained():
		return "it runs on another machine, in a container or inside a program in another language"
	case s.Program == "":
		return "the command name is only known at run time"
	case c == nil:
		return "unknown command " + s.Argv[0].Text
	case !commands.SystemProgram(s.Argv[0].Text):
		return s.Argv[0].Text + " may be any program with that name"
	case unlistedSub(c) != "":
		return "unknown command " + c.Form() + " " + unlistedSub(c)
	case len(c.Unknown) > 0 && !c.Sub.NoRiskyOptions:
		return "unknown option " + c.Dashed(c.Unknown[0]) + " of " + c.Form()
	case len(s.PatternBlockers) > 0:
		return s.PatternBlockers[0]
	}
	if why := unprovenEffect(s, s.Call.Form()); why != "" {
		return why
	}
	c := s.Call
	switch {
	case c.Facts.Proof.Why() != "":
		return c.Form() + " " + c.Facts.Proof.Why()
	case s.Launcher, len(c.Facts.Inner) > 0:
		return c.Form() + " runs another command"
	case len(c.Facts.Doubts) > 0:
		return "it is unclear what " + c.Form() + " does"
	case len(c.Holes) > 0 && c.Sub.ReadOnly:
		return "a word only known at run time could be an option"
	case s.Does(shell.Network):
		return c.Form() + " talks to the network"
	}
	return c.Form() + " may change something"
}

// unprovenEffect is the first effect that is more than reading.
func unprovenEffect(s *Subcommand, form string) string {
	for i := range s.Effects {
		e := &s.Effects[i]
		path := e.Path
		if !e.Known || path == "" {
			path = "an unknown file"
		}
		switch e.Kind {
		case shell.Write, shell.Delete:
			what := "writes "
			if e.Kind == shell.Delete {
				what = "deletes "
			}
			if e.Redirect {
				return "a redirect " + what + path
			}
			return form + " " + what + path
		case shell.Execute:
			return form + " runs " + path
		case shell.Source:
			return form + " runs " + path + " in the shell"
		case shell.Privilege:
			return form + " becomes another user"
		case shell.GitChange:
			return form + " may change the repository"
		case shell.Unknown:
			return "the arguments of " + form + " are not understood"
		}
	}
	return ""
}

// unlistedSub is the operand where a table lists other subcommands, "" otherwise.
func unlistedSub(c *commands.Invocation) string {
	if !c.Sub.HasSubs() || len(c.Operands) == 0 {
		return ""
	}
	if w := c.Operand(0); w.Known {
		return w.Text
	}
	return "with a subcommand only known at run time"
}

// GitReach says how a git command that only reads looks beyond its repository, "" when it does not.
func (s *Subcommand) GitReach() string {
	c := s.Call
	if !c.IsGit() {
		return ""
	}
	switch {
	case c.Subs[0] == "ls-remote",
		c.Subs[0] == "remote" && (slices.Contains(c.Subs, "show") || slices.Contains(c.Subs, "update")):
		return "it contacts a remote using the settings of another repository"
	case c.Has("submodule") && c.Option("submodule").Value.Text != "short", c.Has("alternate-refs"):
		return "it looks into other repositories"
	}
	return ""
}

// GitVerb is the subcommand of a git command, with its own, blank-separated; "" for any other, and where it is not
// known.
func (s *Subcommand) GitVerb() string {
	if !s.Call.IsGit() {
		return ""
	}
	return strings.Join(s.Call.Subs, " ")
}

// ChangesMode reports whether the command changes the mode or owner of files, and nothing in them.
func (s *Subcommand) ChangesMode() bool {
	return s.Call != nil && s.Call.Sub.Operands == commands.ModeWrites
}

// MakesRepository reports a command that makes a repository or work tree without settings of its
// own.
func (s *Subcommand) MakesRepository() bool {
	c := s.Call
	if !c.IsGit() || len(s.PatternBlockers) > 0 || len(s.Assigns) > 0 {
		return false
	}
	switch c.Subs[0] {
	case "clone", "init":
		return true // options that bring settings narrow
	case "worktree":
		return len(c.Subs) > 1 && c.Subs[1] == "add"
	}
	return false
}

// SetBefore lists the variables that steer programs and may be set before the command.
func (s *Subcommand) SetBefore() (names []string) {
	for _, why := range s.PatternBlockers {
		if f := strings.Fields(why); len(f) > 2 && (SetEarlier(f[2]) == why || Exported(f[2]) == why) {
			names = append(names, f[2])
		}
	}
	return names
}

// Exported is why an exported variable narrows what comes later.
func Exported(name string) string {
	return "the variable " + name + " may change what later commands do"
}

func SetEarlier(name string) string {
	return "the variable " + name + " was set earlier and may change what it does"
}

// Unlists reports whether a command may untrack a file that stays: git rm --cached, git reset.
func (s *Subcommand) Unlists() bool {
	if changes := s.Does(shell.GitChange); !changes || s.Call == nil {
		return changes
	}
	verb := ""
	if len(s.Call.Subs) > 0 {
		verb = s.Call.Subs[0]
	}
	return !slices.Contains(commands.KeepsListed[:], verb)
}

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
// spells both is about both (commands.Inner.At). A package is not one: what it runs is its own.
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
	words := c.Sub.Operands == commands.Words || c.Sub.Operands == commands.RunsText
	return words && !c.Cmd.ReadOnly && !c.Sub.ReadOnly
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

// RunsWords reports whether a command is a shell, an interpreter, a launcher or a file of its own. Python does
// not count where it runs tests by a module.
func (s *Subcommand) RunsWords() bool {
	e := commands.Find(s.Program)
	if e.As == "python" && len(s.Argv) > 2 && s.Argv[1].Text == "-m" {
		return !shell.Among("pytest unittest doctest nose2", s.Argv[2].Text)
	}
	switch {
	case !e.Known():
		return s.Launcher || strings.Contains(s.Argv[0].Text, "/")
	case s.Call != nil && s.Call.Cmd != nil && len(s.Call.Cmd.Rare().Environments) > 0: // nx test
		return len(s.Call.Facts.Inner) > 0
	}
	return s.Launcher || e.Runs() || openProgram(e.As)
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
