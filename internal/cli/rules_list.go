package cli

import (
	"fmt"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// printRules prints every rule, the step that looks at it first.
func (v *policyView) printRules(e *env) {
	if len(v.groups) == 0 {
		e.heading("rules")
		fmt.Fprintln(e.out, "  none: the mode decides")
		return
	}
	wide := [2]int{}
	for _, g := range v.groups {
		for _, r := range g.rules {
			if n := len([]rune(hookio.Escape(r.Text))); n <= 48 {
				wide[0] = max(wide[0], n)
			}
			wide[1] = max(wide[1], len(r.Scope.String()))
		}
	}
	paint := e.paint()
	for _, g := range v.groups {
		e.heading("step " + g.step + "   " + g.name)
		if g.why != "" {
			e.wrapped("  none of these counts here: ", g.why)
		}
		for _, r := range g.rules {
			text := hookio.Escape(r.Text)
			d := listDecision(r.List)
			if v.shadows[r] != nil || g.why != "" {
				d = hookio.Pass
			}
			pad := max(wide[0]-len([]rune(text)), 0)
			fmt.Fprintf(e.out, "  %s%*s  %-*s  %s\n", paint(d, text), pad, "", wide[1], r.Scope, e.place(r.Pos))
			if r.Note != "" {
				e.wrapped("      ", "malformed, "+hookio.Escape(r.Note))
			}
			if how := v.how(e, r); how != "" {
				e.wrapped("      ", "no effect: "+how)
			}
		}
	}
}

// how says which rule is in the way of another and where it stands, "" if none is.
func (v *policyView) how(e *env, r *rules.Rule) string {
	s := v.shadows[r]
	if s == nil {
		return ""
	}
	how := hookio.Escape(s.How())
	if s.By != nil {
		how += " (" + e.places(s) + ")"
	}
	return how
}

// places are those of the rules that leave another without effect.
func (e *env) places(s *decide.Shadow) string {
	all := e.place(s.By.Pos)
	for _, r := range s.With {
		all += ", " + e.place(r.Pos)
	}
	return all
}

// printRest prints what does not count and what cannot be read.
func (v *policyView) printRest(e *env) {
	p := v.c.Policy
	if len(p.Dropped) > 0 {
		e.heading("written, but does not count")
	}
	for i, d := range p.Dropped {
		fmt.Fprintf(e.out, "  %s   %s\n", hookio.Escape(d.Text), e.place(d.Pos))
		if i+1 == len(p.Dropped) || p.Dropped[i+1].Why != d.Why { // said once for all it is about
			e.wrapped("      ", hookio.Escape(e.short(d.Why)))
		}
	}
	if len(p.Faults) > 0 {
		e.heading("faults")
	}
	for _, f := range p.Faults {
		after := ""
		if f.Closed {
			after = "; until it is fixed every allow of steps 3 to 7 becomes ask"
		}
		e.wrapped("  ", e.fault(&f)+after)
	}
}

// summary counts.
func (v *policyView) summary() string {
	n := [4]int{}
	for _, g := range v.groups {
		for _, r := range g.rules {
			n[r.List]++
		}
	}
	p := v.c.Policy
	return fmt.Sprintf("%d deny, %d ask, %d allow; %d without effect, %d that do not count, %s",
		n[rules.Deny], n[rules.Ask], n[rules.Allow], len(v.shadows), len(p.Dropped), plural(len(p.Faults), "fault", "faults"))
}

// json is the view for programs; docs/policy.md names the keys.
func (v *policyView) json() []byte {
	p := v.c.Policy
	var o object
	o.str("cwd", p.Cwd.Given)
	o.str("project", p.Project.Given)
	o.opt("home", p.Home.Given)
	o.opt("host", v.host)
	if p.Agent != nil {
		o.str("agent", p.Agent.Name)
		o.boolean("agent_known", p.Agent.Known)
	}
	if p.Skill != nil {
		o.str("skill", p.Skill.Name)
	}
	o.str("mode", p.Mode.Value)
	o.opt("mode_from", p.Mode.Pos.String())
	o.strs("mode_notes", p.ModeNotes)
	sw := switches(p)
	o.list("switches", len(sw), func(i int, o *object) {
		o.str("name", sw[i].name)
		o.boolean("on", sw[i].On())
		fillFrom(o, sw[i].Setting)
	})
	o.list("sources", len(p.Sources), func(i int, o *object) {
		o.str("file", p.Sources[i].Path)
		o.str("scope", p.Sources[i].Scope.String())
		o.boolean("grants", p.Sources[i].Why == "")
		o.opt("why", p.Sources[i].Why)
	})
	v.postureJSON(&o)
	o.list("directories", len(p.Dirs), func(i int, o *object) {
		o.str("path", p.Dirs[i].Path.Given)
		o.str("scope", p.Dirs[i].Scope.String())
		o.str("from", p.Dirs[i].Pos.String())
	})
	v.rulesJSON(&o)
	fillUnused(&o, p)
	return o.end()
}

func fillFrom(o *object, s rules.Setting) {
	if s.Pos.File != "" {
		o.str("scope", s.Scope.String())
		o.str("from", s.Pos.String())
	}
}

func (v *policyView) postureJSON(o *object) {
	var set []*rules.Setting
	var keys []*load.PostureKey
	for i := range load.PostureKeys {
		if s := v.c.Policy.Posture.Setting(load.PostureKeys[i].Name); s != nil {
			set, keys = append(set, s), append(keys, &load.PostureKeys[i])
		}
	}
	o.list("posture", len(set), func(i int, o *object) {
		o.str("key", keys[i].Name)
		if set[i].Pos.File == "" {
			o.str("value", keys[i].Default)
			return
		}
		o.str("value", set[i].Value)
		fillFrom(o, *set[i])
	})
}

func (v *policyView) rulesJSON(o *object) {
	type entry struct {
		g *ruleGroup
		r *rules.Rule
	}
	var all []entry
	for i := range v.groups {
		for _, r := range v.groups[i].rules {
			all = append(all, entry{&v.groups[i], r})
		}
	}
	o.list("rules", len(all), func(i int, o *object) {
		o.str("step", all[i].g.step)
		o.str("group", all[i].g.name)
		fillRule(o, all[i].r)
		o.boolean("counts", all[i].g.why == "")
		o.opt("why", all[i].g.why)
		if s := v.shadows[all[i].r]; s != nil {
			var by object
			by.str("kind", s.Kind.String())
			if s.By != nil {
				fillRule(&by, s.By)
			}
			if len(s.With) > 0 {
				by.list("with", len(s.With), func(i int, o *object) { fillRule(o, s.With[i]) })
			}
			o.raw("shadowed", by.end())
		}
	})
}
