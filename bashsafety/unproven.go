package bashsafety

import (
	"slices"
	"strings"
)

// Unproven says in one clause why a subcommand is not proven to only read, ""
// when it is. It is worked out when somebody asks: deciding a call needs no more
// than ReadOnly.
func (s *Subcommand) Unproven() string {
	if s.Structural {
		return unprovenEffect(s, "")
	}
	if s.ReadOnly && !s.Remote && len(s.Narrow) == 0 {
		return ""
	}
	switch c := s.call; {
	case s.Remote:
		return "it runs on another machine, in a container or inside the program of another language"
	case s.Program == "":
		return "the command word is not known before it runs"
	case c == nil:
		return "no table knows " + s.Argv[0].Text
	case !systemProgram(s.Argv[0].Text):
		return s.Argv[0].Text + " may be any program of that name"
	case unlistedSub(c) != "":
		return "no table knows " + c.form() + " " + unlistedSub(c)
	case len(c.unknown) > 0 && !c.sub.Closed:
		return "option " + c.dashed(c.unknown[0]) + " of " + c.form() + " is not known"
	case len(s.Narrow) > 0:
		return s.Narrow[0]
	}
	if why := unprovenEffect(s, s.call.form()); why != "" {
		return why
	}
	c := s.call
	switch {
	case c.d.unproven != "":
		return c.form() + " " + c.d.unproven
	case s.Launcher, len(c.d.inner) > 0:
		return c.form() + " runs another command"
	case len(c.d.doubts) > 0:
		return "it is not certain what " + c.form() + " does"
	case len(c.holes) > 0 && c.sub.ReadOnly:
		return "an unknown word could be an option"
	case sends(s):
		return c.form() + " talks to the network"
	}
	return c.form() + " may change something"
}

// unprovenEffect is the first effect that is more than reading.
func unprovenEffect(s *Subcommand, form string) string {
	for i := range s.Effects {
		e := &s.Effects[i]
		path := e.Path
		if !e.Known || path == "" {
			path = "a file that is not known"
		}
		switch e.Kind {
		case Write, Delete:
			what := "writes "
			if e.Kind == Delete {
				what = "deletes "
			}
			if e.Redirect {
				return "a redirect " + what + path
			}
			return form + " " + what + path
		case Execute:
			return form + " runs " + path
		case Source:
			return form + " runs " + path + " in the shell"
		case Privilege:
			return form + " becomes another user"
		case GitChange:
			return form + " may change the repository"
		case Unknown:
			return "what " + form + " is given is not understood"
		}
	}
	return ""
}

func sends(s *Subcommand) bool {
	return slices.ContainsFunc(s.Effects, func(e Effect) bool { return e.Kind == Network })
}

// form is the program and its subcommand, as typed.
func (c *call) form() string {
	return strings.Join(append([]string{programName(c.argv)}, c.subs...), " ")
}

// unlistedSub is the operand in the place of a subcommand when the tables list
// others only, "" in every other case.
func unlistedSub(c *call) string {
	if !c.sub.hasSubs() || len(c.operands) == 0 {
		return ""
	}
	if w := c.operand(0); w.Known {
		return w.Text
	}
	return "with a subcommand that is not known"
}
