package propose

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/rules"
)

// destructive reports whether it is a destructive finding that is asked about.
func destructive(v decide.Verdict) bool {
	return v.Origin == "2" && v.Check != nil && v.Check.Severity == bashsafety.Destructive
}

// asksAboutSecret reports whether step 2 asks only about reading secrets.
func asksAboutSecret(v decide.Verdict, secrets []decide.Part) bool {
	return v.Origin == "2" && v.Check == nil && len(secrets) > 0
}

// isSecret reports whether a part is one of the reads of secrets.
func isSecret(secrets []decide.Part, part *decide.Part) bool {
	for i := range secrets {
		if secrets[i].Subject == part.Subject {
			return true
		}
	}
	return false
}

// withoutSecrets are the proposals but those for reads of secrets, which have no stem from the start.
func withoutSecrets(list []Proposal) (out []Proposal) {
	for _, p := range list {
		if p.NoStem == "" {
			out = append(out, p)
		}
	}
	return out
}

// elsewhere names the scope whose rule could allow what step 2 asks about, "" for none.
func elsewhere(c *decide.Case, v decide.Verdict, secrets []decide.Part) string {
	if _, local := decide.Lifts(c, rules.Local); local && destructive(v) {
		return "a rule for this project only can: --scope local"
	}
	if asksAboutSecret(v, secrets) {
		return "a rule in your own settings can: --scope user"
	}
	return ""
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
