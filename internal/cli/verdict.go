package cli

import (
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// source names what decided: the step, and the rule, the check or the mode.
func (e *env) source(c *decide.Case, v decide.Verdict) string {
	s := "step " + v.Step
	if v.Origin != "" && v.Origin != v.Step {
		s += " after " + v.Origin
	}
	switch {
	case v.Rule != nil:
		return s + ": " + e.place(v.Rule.Pos) + "  " + v.Rule.Text
	case v.Check != nil:
		return s + ": check " + v.Check.ID
	}
	return s + ": " + stepName(c, v)
}

// stepName is the name of the step that decided; of step 7 with the mode.
func stepName(c *decide.Case, v decide.Verdict) string {
	if v.Step == "7" {
		return "mode " + c.Policy.Mode.Value
	}
	for i := len(v.Trace) - 1; i >= 0; i-- {
		if v.Trace[i].Step.Num == v.Step {
			return v.Trace[i].Step.Name
		}
	}
	return "end of the steps"
}

// result is a verdict as JSON; docs/architecture.md names the keys.
func result(c *decide.Case, v decide.Verdict) *object {
	o := &object{}
	fill(o, c, v)
	return o
}

// fill writes a verdict into an object.
func fill(o *object, c *decide.Case, v decide.Verdict) {
	o.add("decision", v.Decision, "step", v.Step)
	if v.Origin != v.Step {
		o.opt("origin", v.Origin)
	}
	o.add("reason", v.Reason, "tool", c.Call.Tool, "call", hookio.Escape(gate.Title(c.Call)),
		"part", opt(hookio.Escape(v.Part)))
	if v.Rule != nil {
		var r object
		fillRule(&r, v.Rule)
		o.raw("rule", r.end())
	}
	if v.Check != nil {
		o.str("check", v.Check.ID)
	}
	o.add("code", string(v.Code()), "mode", c.Policy.Mode.Value, "host", c.Call.Host.Name, "answer", answer(c, v),
		"silence", opt(v.Silence(c)))
	if c.Policy.Posture.Enforce.Value == "false" {
		o.boolean("observed", v.ObserveOnly(c))
		if v.ObserveOnly(c) {
			o.str("would_answer", log.Told(c.Call, v.HostAnswer(c)))
		}
	}
}

// answer is what the host gets: a decision, or "silence".
func answer(c *decide.Case, v decide.Verdict) string {
	return log.Told(c.Call, v.Answer(c))
}

// fillRule writes a rule into an object.
func fillRule(o *object, r *rules.Rule) {
	o.add("text", r.Text, "list", r.List, "scope", r.Scope, "file", opt(r.Pos.File))
	if r.Pos.Line > 0 {
		o.add("line", r.Pos.Line, "col", r.Pos.Col)
	}
	o.opt("note", r.Note)
}

// answer says what the host gets in one word, and where that comes from.
func (e *env) answer(c *decide.Case, v decide.Verdict) (word, why string) {
	if why := silence(c, v); why != "" {
		return e.paint()(hookio.Pass, log.Silence), why
	}
	return e.paint()(v.Decision, v.Decision.String()), e.source(c, v)
}

// silence says who decides where the host gets no answer, and why; "" where it
// gets one, and in observe mode, which has a line of its own.
func silence(c *decide.Case, v decide.Verdict) string {
	why := v.Silence(c)
	if why == "" || v.ObserveOnly(c) {
		return ""
	}
	return c.Call.Host.Title + " decides: " + why
}

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
	into := propose.Into{List: rules.Allow, Scope: rules.Local, Claude: forClaude(host, c.Policy, rules.Local.String())}
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
