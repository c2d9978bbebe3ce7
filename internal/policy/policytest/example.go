package policytest

import (
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// An Outcome is what became of an example of a rule object.
type Outcome struct {
	Example rules.Example
	Wrong   string // why it failed, "" when it holds
}

// Examples checks the examples of every rule object: whether the rule matches
// the call, whatever else the policy says of it. w and f are those the policy
// was loaded with; calls are made in the project, wherever that was.
func Examples(p *rules.Policy, f gate.Flags, w gate.World) []Outcome {
	var out []Outcome
	f.Cwd = p.Project.Given
	// The rule is asked as the main session's: an agent's lists have no say in it.
	f.Agent, f.Skill, f.Event = "", "", ""
	r := &Runner{World: w, Flags: f, Dir: f.Cwd, once: true}
	for i := range p.Examples {
		out = append(out, Outcome{p.Examples[i], example(&p.Examples[i], r)})
	}
	return out
}

// example says why an example does not hold.
func example(x *rules.Example, r *Runner) string {
	t, wrong := ofExample(x)
	if wrong != "" {
		return wrong
	}
	c, _, err := r.Decide(t)
	switch {
	case err != nil:
		return err.Error()
	case c.Call.Malformed != "":
		return "the call is malformed: " + c.Call.Malformed
	}
	meets, sure, why := c.Meets(x.Rule)
	if !x.Match {
		return matchFault(meets, sure)
	}
	switch {
	case meets && sure:
		return ""
	case meets:
		return "the rule matches only for some values of a word only known at run time"
	case x.Rule.List == rules.Allow:
		return "the rule alone does not allow it: " + why
	}
	return "the rule does not match"
}

// matchFault says what is wrong with a call that a rule must not match.
func matchFault(meets, sure bool) string {
	switch {
	case !meets:
		return ""
	case !sure:
		return "the rule could match, depending on a word only known at run time"
	}
	return "the rule matches"
}

// ofExample makes the call an example is about: of the rule's tool, or where
// the rule names several, of the tool the text begins with.
func ofExample(x *rules.Example) (t *Test, wrong string) {
	tool, text := x.Rule.Tool, x.Text
	if tool == "MCP" || strings.HasPrefix(tool, "mcp__") || strings.ContainsAny(tool, "*?") {
		tool, text, _ = strings.Cut(strings.Trim(text, blanks), " ")
		text = strings.Trim(text, blanks)
		if msg := toolFault(tool); msg != "" {
			return nil, "the rule covers several tools, and " + msg
		}
		if strings.HasPrefix(tool, "{") {
			return nil, "the rule covers several tools: write the tool before its input"
		}
	}
	if msg := objectFault(text); msg != "" {
		return nil, hookio.Escape(msg)
	}
	return &Test{Tool: tool, Argument: text, Given: text != ""}, ""
}
