package cli

import (
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// allowHint says what to type so that a call is let through from now on, where
// rules can do that; args name the call.
func (e *env) allowHint(c *decide.Case, v decide.Verdict, args string) {
	if v.Decision == hookio.Allow || v.ObserveOnly(c) {
		return
	}
	var host *hookio.Host
	if c.Call.Named {
		host = c.Call.Host
	}
	into := propose.Into{List: rules.Allow, Scope: rules.Local,
		Claude: rootInUse(host, c.Policy.Project.Given) == ".claude"}
	list, refusal := propose.For(c, v, into)
	if refusal != nil {
		return
	}
	var texts []string
	for i := range list {
		texts = append(texts, list[i].Rule)
	}
	e.wrapped("  ", "to allow it from now on: permgate allow "+args+", which proposes "+strings.Join(texts, ", "))
}

// callArgs are the operands that name a call on the command line, "" where only
// a payload does.
func callArgs(args []string, tool string) string {
	quoted := make([]string, 0, len(args)+2)
	if tool != "" {
		quoted = append(quoted, "--tool", rules.Quote(tool))
	}
	for _, arg := range args {
		quoted = append(quoted, rules.Quote(arg))
	}
	return strings.Join(quoted, " ")
}
