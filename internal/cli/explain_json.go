package cli

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// explanation is what explain prints, as JSON.
func explanation(e *env, c *decide.Case, v decide.Verdict) *object {
	o := result(c, v)
	o.list("steps", len(v.Trace), func(i int, o *object) {
		t := v.Trace[i]
		o.str("step", t.Step.Num)
		o.str("name", t.Step.Name)
		o.str("decision", t.Verdict.Decision.String())
		o.opt("reason", t.Verdict.Reason)
	})
	all := parts(c)
	o.list("parts", len(all), func(i int, o *object) {
		p := all[i]
		o.str("part", hookio.Escape(p.Label))
		o.boolean("needs_allow", p.NeedsAllow)
		o.list("rules", len(p.Hits), func(j int, o *object) {
			fillRule(o, p.Hits[j].Rule)
			o.boolean("sure", p.Hits[j].Sure)
		})
		if p.Sub != nil && p.Effect == nil {
			o.strs("via", p.Sub.Via)
			o.strs("narrow", p.Sub.PatternBlockers)
			o.boolean("read_only", p.Sub.Unproven() == "")
			o.opt("not_read_only", hookio.Escape(p.Sub.Unproven()))
		}
	})
	if c.Script != nil {
		fillScript(o, c)
	}
	p := c.Policy
	o.opt("mode_from", p.Mode.Pos.String())
	o.strs("mode_notes", p.ModeNotes)
	fillUnused(o, p)
	o.strs("silenced", silenced(e, c, v))
	if c.AsAgent {
		o.strs("tools", visible(c))
	}
	return o
}

// fillUnused adds the grants that do not count and what cannot be read.
func fillUnused(o *object, p *rules.Policy) {
	o.list("dropped", len(p.Dropped), func(i int, o *object) {
		o.str("rule", p.Dropped[i].Text)
		o.str("at", p.Dropped[i].Pos.String())
		o.str("why", p.Dropped[i].Why)
	})
	o.list("faults", len(p.Faults), func(i int, o *object) {
		o.str("at", p.Faults[i].Pos.String())
		o.str("message", p.Faults[i].Msg)
		o.boolean("closed", p.Faults[i].Closed)
	})
}

// fillScript adds what the analysis of a shell text found.
func fillScript(o *object, c *decide.Case) {
	s := c.Script
	o.opt("not_read_only", hookio.Escape(c.Unproven()))
	o.list("findings", len(s.Findings), func(i int, o *object) {
		o.str("check", s.Findings[i].Check.ID)
		o.str("severity", s.Findings[i].Check.Severity.String())
	})
	o.list("doubts", len(s.Doubts), func(i int, o *object) {
		o.str("id", s.Doubts[i].ID)
		o.str("message", s.Doubts[i].Msg)
	})
	if len(s.Scripts) == 0 {
		return
	}
	o.list("scripts", len(s.Scripts), func(i int, o *object) {
		t := &s.Scripts[i]
		o.str("name", hookio.Escape(t.Name))
		o.opt("file", hookio.Escape(t.File))
		o.num("line", t.Line)
		o.opt("text", hookio.Escape(strings.ReplaceAll(t.Text, bashsafety.HoleMark, "…")))
		o.opt("why", hookio.Escape(t.Why))
	})
}
