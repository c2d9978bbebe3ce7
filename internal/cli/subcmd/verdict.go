package subcmd

import (
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// Source names what decided: the step, and the rule, the check or the mode.
func (e *Env) Source(c *decide.Case, v decide.Verdict) string {
	s := "step " + v.Step
	if v.Origin != "" && v.Origin != v.Step {
		s += " after " + v.Origin
	}
	switch {
	case v.Rule != nil:
		return s + ": " + e.Place(v.Rule.Pos) + "  " + v.Rule.Text
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

// Fill writes a verdict into an object, which it returns; docs/architecture.md names the keys.
func Fill(o *Object, c *decide.Case, v decide.Verdict) *Object {
	o.Add("decision", v.Decision, "step", v.Step)
	if v.Origin != v.Step {
		o.Add("origin", Opt(v.Origin))
	}
	o.Add("reason", v.Reason, "tool", c.Call.Tool, "call", hookio.Escape(gate.Title(c.Call)),
		"part", Opt(hookio.Escape(v.Part)))
	if v.Rule != nil {
		o.Add("rule", FillRule(&Object{}, v.Rule))
	}
	if v.Check != nil {
		o.Add("check", v.Check.ID)
	}
	if l := v.Loss; l != nil {
		o.Add("loss", NewObject("targets", l.Targets, "files", l.Files, "folders", l.Folders, "bytes", int(l.Bytes),
			"lost", l.Lost, "unsure", l.Unsure, "at_least", l.AtLeast))
	}
	o.Add("code", string(v.Code()), "mode", c.Policy.Mode.Value, "host", c.Call.Host.Name, "answer", Answer(c, v),
		"silence", Opt(v.Silence(c)))
	if c.Policy.Posture.Enforce.Value == "false" {
		o.Add("observed", v.ObserveOnly(c))
		if v.ObserveOnly(c) {
			o.Add("would_answer", log.Told(c.Call, v.HostAnswer(c)))
		}
	}
	return o
}

// Answer is what the host gets: a decision, or "silence".
func Answer(c *decide.Case, v decide.Verdict) string {
	return log.Told(c.Call, v.Answer(c))
}

// FillRule writes a rule into an object, which it returns.
func FillRule(o *Object, r *rules.Rule) *Object {
	o.Add("text", r.Text, "list", r.List, "scope", r.Scope, "file", Opt(rules.Pos{File: r.Pos.File}.String()))
	if r.Pos.Line > 0 {
		o.Add("line", r.Pos.Line, "col", r.Pos.Col)
	}
	o.Add("note", Opt(r.Note))
	return o
}

// Answer says what the host gets in one word, and where that comes from.
func (e *Env) Answer(c *decide.Case, v decide.Verdict) (word, why string) {
	if why := Silence(c, v); why != "" {
		return e.Paint()(hookio.Pass, log.Silence), why
	}
	return e.Paint()(v.Decision, v.Decision.String()), e.Source(c, v)
}

// Silence says who decides where the host gets no answer, and why; "" where it gets one, and in observe mode.
func Silence(c *decide.Case, v decide.Verdict) string {
	why := v.Silence(c)
	if why == "" || v.ObserveOnly(c) {
		return ""
	}
	return c.Call.Host.Title + " decides: " + why
}

// AllowHint says how to let a call through from now on, where rules can; args name the call.
func (e *Env) AllowHint(c *decide.Case, v decide.Verdict, args string) {
	if v.Decision == hookio.Allow || v.ObserveOnly(c) {
		return
	}
	var host *hookio.Host
	if c.Call.Named {
		host = c.Call.Host
	}
	into := propose.Into{List: rules.Allow, Scope: rules.Local, Claude: ForClaude(host, c.Policy, rules.Local.String())}
	list, refusal := propose.For(c, v, into)
	if refusal != nil {
		return
	}
	var texts []string
	for i := range list {
		texts = append(texts, list[i].Rule)
	}
	e.Wrapped("  ", "to allow it from now on: permgate allow "+args+", which proposes "+strings.Join(texts, ", "))
}
