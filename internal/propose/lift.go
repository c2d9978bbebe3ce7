package propose

import (
	"strings"

	"permgate/bashsafety"
	"permgate/decide"
)

// destructive reports whether it is a destructive finding that is asked about.
func destructive(v decide.Verdict) bool {
	return v.Origin == "2" && v.Check != nil && v.Check.Severity == bashsafety.Destructive
}

// has reports whether a part of the list is about a subcommand.
func has(parts []decide.Part, sub *bashsafety.Subcommand) bool {
	for i := range parts {
		if sub != nil && parts[i].Sub == sub {
			return true
		}
	}
	return false
}

// forgone says what is given up with an exact rule that lifts what is asked
// about a subcommand.
func forgone(c *decide.Case, sub *bashsafety.Subcommand) string {
	var does []string
	for i := range c.Script.Findings {
		f := &c.Script.Findings[i]
		if f.Sub >= 0 && &c.Script.Subcommands[f.Sub] == sub && f.Check.Severity == bashsafety.Destructive {
			does = append(does, f.Check.Title+" ("+f.Check.ID+")")
		}
	}
	if len(does) == 0 {
		return "you are no longer asked before this command writes outside " + c.Policy.Project.Given
	}
	return "you are no longer asked before this command " + strings.Join(does, " and ")
}
