package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
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

// place names a place in a file as the user would: relative below the working
// directory, with ~ below home.
func (e *env) place(p rules.Pos) string {
	if p.Line == 0 {
		return e.path(p.File)
	}
	return fmt.Sprintf("%s:%d", e.path(p.File), p.Line)
}

// path names a file in the same way, fit to print.
func (e *env) path(name string) string {
	for _, dir := range [...]struct{ path, short string }{
		{e.world.Cwd, ""}, {e.world.Getenv("HOME"), "~/"}, {e.world.PasswdHome, "~/"},
	} {
		if dir.path == "" || dir.path == "/" {
			continue
		}
		if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(dir.path, "/")+"/"); ok {
			return hookio.Escape(dir.short + rest)
		}
	}
	return hookio.Escape(name)
}

// abs is a file as the user named it, from the root on.
func (e *env) abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.world.Cwd, name)
}

// fault is one line about what is wrong with a settings file, fit to print.
func (e *env) fault(f *rules.Fault) string {
	return hookio.Escape(e.path(f.Pos.String()) + ": " + f.Msg)
}

// short writes the paths in a reason as path does. The reason itself, which
// goes to the host, always has them in full.
func (e *env) short(reason string) string {
	for _, dir := range [...]struct{ path, short string }{
		{e.world.Cwd, ""}, {e.world.Getenv("HOME"), "~/"},
	} {
		if len(dir.path) < 2 {
			continue
		}
		long := strings.TrimSuffix(dir.path, "/") + "/"
		for _, before := range [...]string{"(", "`", "\"", " "} {
			reason = strings.ReplaceAll(reason, before+long, before+dir.short)
		}
	}
	return reason
}

// result is a verdict as JSON; docs/architecture.md names the keys.
func result(c *decide.Case, v decide.Verdict) *object {
	o := &object{}
	fill(o, c, v)
	return o
}

// fill writes a verdict into an object.
func fill(o *object, c *decide.Case, v decide.Verdict) {
	o.str("decision", v.Decision.String())
	o.str("step", v.Step)
	if v.Origin != v.Step {
		o.opt("origin", v.Origin)
	}
	o.str("reason", v.Reason)
	o.str("tool", c.Call.Tool)
	o.str("call", hookio.Escape(gate.Title(c.Call)))
	o.opt("part", hookio.Escape(v.Part))
	if v.Rule != nil {
		var r object
		fillRule(&r, v.Rule)
		o.raw("rule", r.end())
	}
	if v.Check != nil {
		o.str("check", v.Check.ID)
	}
	o.str("code", string(v.Code()))
	o.str("mode", c.Policy.Mode.Value)
	o.str("host", c.Call.Host.Name)
	o.str("answer", answer(c, v))
	o.opt("silence", v.Silence(c))
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

func fillRule(o *object, r *rules.Rule) {
	o.str("text", r.Text)
	o.str("list", r.List.String())
	o.str("scope", r.Scope.String())
	o.opt("file", r.Pos.File)
	if r.Pos.Line > 0 {
		o.num("line", r.Pos.Line)
		o.num("col", r.Pos.Col)
	}
	o.opt("note", r.Note)
}
