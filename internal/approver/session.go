package approver

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// sessionSavings are the grants for this very call and for its tool.
func (a *Approver) sessionSavings(c *decide.Case, v decide.Verdict, w gate.World) (call, tool Saving) {
	if why := a.noSession(c, w); why != "" {
		return Saving{Why: why}, Saving{Why: why}
	}
	update := func(change func(*state.Session)) func() error {
		return func() error {
			_, err := gate.Sessions(a.Flags, w).Update(c.Call.SessionID, c.Policy.Project.Given, func(s *state.Session) error {
				change(s)
				return nil
			})
			return err
		}
	}
	list, refusal := propose.For(c, v, propose.Into{List: rules.Allow, Scope: rules.Session})
	if refusal != nil {
		call.Why = refusal.Why
	}
	for i := range list {
		call.Rules = append(call.Rules, list[i].Rule)
	}
	if slices.Contains(call.Rules, c.Call.Tool) {
		call = Saving{Why: "no rule can name this very call, only its tool"}
	}
	call.Save = update(func(s *state.Session) { add(s, call.Rules...) })

	granted := c.Grants
	switch name := c.Call.Tool; {
	case name == "Bash":
		granted.AllBash = true
		tool = Saving{Rules: []string{"all Bash"}, Save: update(func(s *state.Session) { s.AllBash = true })}
	case rules.EditTool(name):
		granted.AllEdits = true
		tool = Saving{Rules: []string{"all edits"}, Save: update(func(s *state.Session) { s.AllEdits = true })}
	default:
		rule, err := rules.ParseRule(name, rules.Allow, rules.Session, rules.Pos{}, false)
		if err != nil || strings.ContainsAny(name, "*?") {
			tool.Why = "no rule can name the tool"
			return call, tool
		}
		granted.Rules = append(slices.Clip(granted.Rules), rule)
		tool = Saving{Rules: []string{name}, Save: update(func(s *state.Session) { add(s, name) })}
	}
	with := c.Under(c.Policy)
	with.Grants = granted
	if t := decide.Decide(with); t.Decision != hookio.Allow {
		tool = Saving{Why: "even then it would not be allowed: " + t.Reason}
	}
	return call, tool
}

func add(s *state.Session, texts ...string) {
	for _, text := range texts {
		if !slices.Contains(s.Allow, text) {
			s.Allow = append(s.Allow, text)
		}
	}
}

// noSession says why nothing can be granted to the session.
func (a *Approver) noSession(c *decide.Case, w gate.World) string {
	switch p := c.Policy; {
	case p.Posture.NoSessionGrants.On():
		return "disableSessionGrants is set, " + p.Posture.NoSessionGrants.Pos.String()
	case p.ManagedOnly.On():
		return "allowManagedPermissionRulesOnly is set, " + p.ManagedOnly.Pos.String()
	case state.File("/", c.Call.SessionID) == "":
		return "the call names no session"
	}
	return gate.SessionStoreProblem(a.Flags, w, c.Policy)
}
