package cli

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A policyView is a policy in the order of the pipeline.
type policyView struct {
	c       *decide.Case
	host    string // as named; "" for none
	groups  []ruleGroup
	shadows map[*rules.Rule]*decide.Shadow
}

// A ruleGroup is one list of rules at one step.
type ruleGroup struct {
	step, name string
	rules      []*rules.Rule
	why        string // why none of them counts for this caller
}

func newPolicyView(c *decide.Case, host string) *policyView {
	v := &policyView{c: c, host: host, shadows: map[*rules.Rule]*decide.Shadow{}}
	p := c.Policy
	all := decide.Shadows(p)
	for i := range all {
		v.shadows[all[i].Rule] = &all[i]
	}
	var managed, ask []*rules.Rule
	for i := range p.Ask {
		if r := &p.Ask[i]; r.Scope == rules.Managed {
			managed = append(managed, r)
		} else {
			ask = append(ask, r)
		}
	}
	v.add("1", "deny", pointers(p.Deny), "")
	v.add("1", "contentExclusion", pointers(p.Posture.ContentExclusion), "")
	v.add("1", "urls", pointers(p.Posture.URLs), "")
	inAuto := ""
	if p.Mode.Value != "auto" {
		inAuto = "mode auto only"
	}
	binds := inAuto
	if p.AutoRestricts() {
		binds = "" // a kill switch takes away what auto allows, and nothing it denies
	}
	v.add("1", "autoMode.hard_deny", pointers(p.Auto.HardDeny), binds)
	v.add("1", "--tools (whitelist)", pointers(p.Tools), "")
	if a := p.Agent; a != nil {
		v.add("1", "deny_tools", pointers(a.Deny), "")
		v.add("1", "tools (whitelist)", pointers(a.Tools), "")
	}
	if s := p.Skill; s != nil {
		v.add("1", "disallowed-tools", pointers(s.Deny), "")
		v.add("1", "allowed-tools (whitelist)", pointers(s.Allow), "")
	}
	v.add("2", "managed ask", managed, "")
	v.add("5", "ask", ask, "")
	v.add("5", "autoMode.soft_deny", pointers(p.Auto.SoftDeny), binds)
	inherits := ""
	if !c.Inherits() {
		inherits = "a subagent inherits no grant"
	}
	v.add("6", "allow", pointers(p.Allow), inherits)
	if a := p.Agent; a != nil {
		why := ""
		if a.Narrow {
			why = "restrictions only: grants of this definition do not count"
		}
		list := a.Granted
		if a.Narrow {
			list = a.Allow
		}
		v.add("6", "allow_tools", pointers(list), why)
	}
	v.add("7", "autoMode.allow", pointers(p.Auto.Allow), inAuto)
	return v
}

func pointers(list []rules.Rule) []*rules.Rule {
	out := make([]*rules.Rule, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

func (v *policyView) add(step, name string, list []*rules.Rule, why string) {
	if len(list) > 0 {
		v.groups = append(v.groups, ruleGroup{step, name, list, why})
	}
}

// switches are the locks and fences, in the order of the documentation.
func switches(p *rules.Policy) []namedSetting { return settings(p)[:6] }

func (v *policyView) printAgent(e *env) {
	for _, d := range [...]struct {
		word string
		def  *rules.AgentDef
	}{{"agent", v.c.Policy.Agent}, {"skill", v.c.Policy.Skill}} {
		switch a := d.def; {
		case a == nil:
		case !a.Known:
			e.wrapped(d.word+" ", hookio.Escape(a.Name)+": no usable definition, restrictions only")
		default:
			e.wrapped(d.word+" ", hookio.Escape(a.Name)+"   "+e.place(a.Pos))
		}
	}
}

func (v *policyView) printSwitches(e *env) {
	var rows [][]string
	for _, s := range switches(v.c.Policy) {
		if s.On() {
			rows = append(rows, []string{s.name, s.Scope.String(), e.place(s.Pos)})
		}
	}
	if len(rows) == 0 {
		fmt.Fprintln(e.out, "no locks or fences are set")
		return
	}
	e.heading("locks and fences")
	e.table("  ", rows)
}

func (v *policyView) printSources(e *env) {
	e.heading("settings files, highest scope first")
	list := v.c.Policy.Sources
	if len(list) == 0 {
		fmt.Fprintf(e.out, "  none; looked for %s in every scope\n", strings.Join(load.Roots[:], ", "))
	}
	wide := 0
	for i := range list {
		wide = max(wide, len([]rune(e.path(list[i].Path))))
	}
	for i := range list {
		s, grants := &list[i], "grants count"
		if s.Why != "" {
			grants = "restrictions only"
		}
		name := e.path(s.Path)
		fmt.Fprintf(e.out, "  %-7s  %s%*s  %s\n", s.Scope, name, wide-len([]rune(name)), "", grants)
		if s.Why != "" {
			e.wrapped("           ", hookio.Escape(e.short(s.Why)))
		}
	}
}

func (v *policyView) printPosture(e *env) {
	e.heading("posture")
	var rows [][]string
	for i := range load.PostureKeys {
		k := &load.PostureKeys[i]
		s := v.c.Policy.Posture.Setting(k.Name)
		switch {
		case s == nil:
		case s.Pos.File != "":
			rows = append(rows, []string{k.Name, hookio.Escape(s.Value), s.Scope.String(), e.place(s.Pos)})
		case k.Default != "":
			rows = append(rows, []string{k.Name, k.Default, "default", ""})
		default:
			rows = append(rows, []string{k.Name, "not set", "", ""})
		}
	}
	e.table("  ", rows)
}

func (v *policyView) printDirs(e *env) {
	if len(v.c.Policy.Dirs) == 0 {
		return
	}
	e.heading("additional directories")
	var rows [][]string
	for _, d := range v.c.Policy.Dirs {
		rows = append(rows, []string{hookio.Escape(d.Path.Given), d.Scope.String(), e.place(d.Pos)})
	}
	e.table("  ", rows)
}
