package interp

import (
	"slices"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// Unproven says in one clause why a subcommand is not proven to only read, ""
// when it is. It is worked out when somebody asks: deciding a call needs no more
// than ReadOnly.
func (s *Subcommand) Unproven() string {
	switch {
	case s.Structural:
		return unprovenEffect(s, "")
	case s.spawned:
		return "a loop starts it in the background on every pass"
	}
	if s.Contained && s.Call != nil {
		switch e := s.Call.Facts.Effects; {
		case changes(e):
			return "it does more than read, in a container"
		case slices.ContainsFunc(e, func(e shell.Effect) bool { return e.Kind == shell.GitRead }):
			return "the configuration of the repository in the container is unknown"
		}
	}
	if s.ReadOnly && (!s.Remote || s.Contained) && len(s.PatternBlockers) == 0 {
		return ""
	}
	switch c := s.Call; {
	case s.Remote && !s.Contained:
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
	case Sends(s):
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

// Sends reports whether a subcommand talks to the network.
func Sends(s *Subcommand) bool {
	return slices.ContainsFunc(s.Effects, func(e shell.Effect) bool { return e.Kind == shell.Network })
}

// unlistedSub is the operand in the place of a subcommand when the tables list
// others only, "" in every other case.
func unlistedSub(c *commands.Invocation) string {
	if !c.Sub.HasSubs() || len(c.Operands) == 0 {
		return ""
	}
	if w := c.Operand(0); w.Known {
		return w.Text
	}
	return "with a subcommand only known at run time"
}
