package propose

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
)

// A Refusal says why nothing is proposed. It is an error unless there is
// nothing to do: Done.
type Refusal struct {
	Why, Instead string
	Done         bool
}

func (r *Refusal) Error() string { return r.Why }

func refuse(instead, format string, args ...any) *Refusal {
	return &Refusal{Why: fmt.Sprintf(format, args...), Instead: instead}
}

// settled says why a call needs no allow rule, or cannot be allowed by one.
func settled(c *decide.Case, v decide.Verdict) *Refusal {
	switch {
	case v.Decision == hookio.Allow && v.Silence(c) == "": // silence leaves the host's own questions, which a rule answers
		return &Refusal{Why: "it is allowed already: " + v.Reason, Done: true}
	case v.Origin == "1" && v.Rule != nil:
		return refuse(removal(v.Rule), "%s; deny rules override allow rules", v.Reason)
	case v.Origin == "1":
		return refuse("", "%s; no allow rule can skip that", v.Reason)
	case v.Origin == "2":
		return refuse("", "it is always asked about: %s", v.Reason)
	case v.Origin == "5" && v.Rule != nil:
		return refuse(removal(v.Rule), "%s; ask rules override allow rules", v.Reason)
	case c.Policy.ManagedOnly.On():
		return refuse("ask the administrator for the rule",
			"only rules of managed settings count (allowManagedPermissionRulesOnly, %s)", c.Policy.ManagedOnly.Pos)
	}
	return nil
}

// removal says how a rule that stands above goes, where that is the user's to do.
func removal(r *rules.Rule) string {
	switch {
	case r.Scope != rules.Local && r.Scope != rules.Shared &&
		r.Scope != rules.User, strings.HasSuffix(r.Pos.File, "/permgate.json"):
		return "that rule would have to go first"
	}
	return fmt.Sprintf("that rule would have to go first: permgate rules remove %s %s --scope %s", r.List,
		rules.Quote(r.Text), r.Scope)
}

// legible refuses a rule that a file should not hold: with a secret in it, or
// with characters nobody sees.
func legible(c *decide.Case, rule string, into Into) *Refusal {
	if _, secret := redact.Text(c.Call.Command); secret {
		return refuse("keep it in a variable or file that the command reads",
			"the call contains a secret, and the rule would put it into a settings file")
	}
	if _, secret := redact.Text(rule); secret {
		return refuse("keep it in a variable or file that the command reads", "the rule would contain a secret")
	}
	if hookio.Escape(rule) != rule {
		return refuse("", "%s contains a line break or an invisible character, and a rule should be readable", quote(rule))
	}
	if _, err := rules.ParseRule(rule, into.List, into.Scope, rules.Pos{}, into.Claude); err != nil {
		return refuse("", "no rule can express it: %v", err)
	}
	return nil
}

func quote(s string) string { return `"` + hookio.Escape(s) + `"` }
