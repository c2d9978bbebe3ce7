package interp

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Bound says how far a subcommand goes beyond its effects, as far as the tables
// prove it. The zero value is any distance.
type Bound uint8

const (
	NotBound    Bound = iota
	OnlyReads         // it reads, and asks no other machine
	OnlyLocal         // its effects are all it does
	RunsProject       // beside them it runs code of the project it works in
)

// Bound says how far a subcommand goes, and in one clause why no further bound is
// proven, as Unproven does.
func (s *Subcommand) Bound() (b Bound, why string) {
	switch {
	case s.spawned || s.Remote:
		return NotBound, s.Unproven()
	case s.endless && s.puts():
		return NotBound, "it writes in a loop that may not end"
	case s.Structural:
		return OnlyLocal, ""
	}
	return s.granted()
}

// granted is what the literal of the program says.
func (s *Subcommand) granted() (Bound, string) {
	why := s.Unproven()
	if why == "" || s.redirected && len(s.PatternBlockers) == 0 {
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
	return s.Call != nil && s.Call.Offline() && !Sends(s) && s.GitReach() == ""
}

func (s *Subcommand) form() string {
	if s.Call == nil {
		return s.Program
	}
	return s.Call.Form()
}

// shown reports whether no reason holds a patterned rule back but those that the
// effects show as well.
func (s *Subcommand) shown() bool {
	for _, why := range s.PatternBlockers {
		if !commands.Shown(why) {
			return false
		}
	}
	return true
}

// puts reports whether a command writes anything.
func (s *Subcommand) puts() bool {
	return slices.ContainsFunc(s.Effects, func(e shell.Effect) bool { return e.Kind == shell.Write })
}

// Endless reports whether a command is in a loop whose rounds are not counted.
func (s *Subcommand) Endless() bool { return s.endless }

// Unending reports whether the program may print without an end.
func (s *Subcommand) Unending() bool {
	if s.Call == nil {
		return false
	}
	f := s.Call.Sub.Rare().Endless
	return f != nil && f(s.Call)
}

// Carries reports whether what a command reads or removes comes to lie where it writes.
func (s *Subcommand) Carries() bool {
	return s.Call != nil && (s.Call.Sub.Operands == commands.Copies || s.Call.Sub.Operands == commands.Moves)
}

// Places lists the folders a command may run in, where it is started and where its
// options send it; none: not known.
func (s *Subcommand) Places() []string {
	switch {
	case s.Call == nil:
		return s.Dirs
	case len(s.Dirs) == 0 || s.Call.Cwd == nil || len(s.Call.Cwd.Dirs) == 0:
		return nil
	}
	return slices.Concat(s.Dirs, s.Call.Cwd.Dirs)
}

// OfProject reports whether the tables know the command as one that runs code of
// the project.
func (s *Subcommand) OfProject() bool { return s.Call != nil && s.Call.Facts.ProjectProof.Holds() }

// ByName reports whether a command is found by its name alone, or in a directory of
// the system.
func (s *Subcommand) ByName() bool { return commands.SystemProgram(s.Argv[0].Text) }

// runsScript reports whether a command runs a file that its words name, or is one
// itself.
func (s *Subcommand) runsScript() bool {
	return !s.OfProject() || slices.ContainsFunc(s.Effects, func(e shell.Effect) bool { return e.Kind == shell.Execute })
}

// HandsText reports whether the words of a command get to tasks or scripts, which
// may take them for shell text.
func (s *Subcommand) HandsText() bool { return s.runsScript() || s.Call.Sub.Rare().Project.Named }

// MayInstall reports whether a runner fetches the program it is told to run where
// there is none.
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

// HandsOver reports whether a program may run a command that is among its words:
// the first one after its own name is that of a program.
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
