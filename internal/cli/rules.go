package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/explain"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// emptyCase is the case of a call about nothing, as check would build it.
func emptyCase(e *subcmd.Env, f *gate.Flags) (*decide.Input, error) {
	call, err := gate.Canonical([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"true"}}`), f)
	if err != nil {
		return nil, err
	}
	return gate.Case(call, f, e.World), nil
}

func rulesCommand() *subcmd.Command {
	var flags gate.Flags
	var json bool
	var set *pflag.FlagSet
	return &subcmd.Command{
		Name:  "rules",
		Args:  "[add | remove]",
		Short: "list the rules in force here and their sources; add or remove one",
		Long: `Lists what applies to a call made from the working directory: the mode and where it
comes from, locks and fences, every settings file and whether its grants count, the
posture, and every rule with scope and place, in the order of the steps. A rule
without effect is marked with the rule that overrides it. Rules that do not count
and files with errors are listed with the reason.

Without --host it lists what applies for the program the hook is registered with, if
that is one, as check does. With --agent it lists what applies to a subagent. Session
grants are not included.
permgate help patterns explains the patterns.`,
		Examples: []subcmd.Example{
			{"permgate rules", "the rules in force here"},
			{"permgate rules --host claude --json", "for one program, as JSON"},
			{"permgate rules add allow 'Bash(npm test)'", "in your own settings for this project"},
			{"permgate rules remove allow 'Bash(npm test)'", ""},
		},
		Flags: func(fs *pflag.FlagSet) {
			set = fs
			fs.BoolVar(&json, "json", false, "print JSON")
			subcmd.RegisterOnly(fs, &flags, "host", "cwd", "home", "agent", "skill", "permission-mode",
				"allow-dangerously-skip-permissions", "settings", "add-dir", "allowedTools", "disallowedTools", "tools")
		},
		Run: func(e *subcmd.Env, args []string) int {
			if len(args) > 0 && args[0] != "list" || len(args) > 1 {
				return e.Fail("permgate rules add LIST RULE, permgate rules remove LIST RULE; permgate explain COMMAND shows the rules for one call",
					"unexpected operand %q", hookio.Escape(args[len(args)-1]))
			}
			implied := &subcmd.CallOptions{Flags: flags}
			if implied.Imply(e); implied.Implied != nil && implied.Implied.Host != nil {
				flags.Host = implied.Implied.Host.Name
			}
			c, err := emptyCase(e, &flags)
			if err != nil {
				return e.Fail("permgate help hosts lists the programs", "%v", err)
			}
			v := newPolicyView(c, flags.Host)
			v.implied = implied.Implied
			if json {
				return e.PrintObject(v.object())
			}
			v.print(e)
			return subcmd.ExitOK
		},
		Subs: []*subcmd.Command{rulesAddCommand(&set), rulesRemoveCommand(&set)},
	}
}

func (v *policyView) print(e *subcmd.Env) {
	p := v.c.Policy
	e.Table("", [][]string{
		{"working directory", hookio.Escape(p.OS.Native(p.Cwd.Given))},
		{"project", hookio.Escape(tilde(e, p.Project.Given))},
		{"host", cmp.Or(v.host, `none: "hosts" in permgate.json is ignored; use --host NAME`)},
		{"mode", p.Mode.Value + "   " + modeFrom(e, v)},
	})
	e.SayImplied(v.implied)
	for _, n := range p.ModeNotes {
		e.Wrapped("  ", hookio.Escape(e.Short(n)))
	}
	v.printAgent(e)
	v.printSwitches(e)
	v.printSources(e)
	v.printPosture(e)
	v.printDirs(e)
	v.printRules(e)
	v.printRest(e)
	fmt.Fprintf(e.Out, "\n%s\n", v.summary())
}

func modeFrom(e *subcmd.Env, v *policyView) string {
	p := v.c.Policy
	if p.Mode.Pos.File == "" {
		return "the default; the mode the host sends with a call overrides it"
	}
	return e.Place(p.Mode.Pos)
}

// tilde is e.path, except for the working directory itself.
func tilde(e *subcmd.Env, name string) string {
	if name == e.World.Cwd {
		return name
	}
	return e.Path(name)
}

// A policyView is a policy in the order of the pipeline.
type policyView struct {
	c       *decide.Input
	host    string // as named; "" for none
	implied *subcmd.Implied
	groups  []ruleGroup
	shadows map[*rules.Rule]*algebra.Shadow
}

type ruleGroup struct {
	step, name string
	rules      []*rules.Rule
	why        string // why they do not count for this caller
}

func newPolicyView(c *decide.Input, host string) *policyView {
	v := &policyView{c: c, host: host, shadows: map[*rules.Rule]*algebra.Shadow{}}
	p := c.Policy
	all := algebra.Shadows(p)
	for i := range all {
		v.shadows[all[i].Rule] = &all[i]
	}
	managed := func(r *rules.Rule) bool { return r.Scope == rules.Managed }
	others := func(r *rules.Rule) bool { return r.Scope != rules.Managed }
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
	for i := range p.Tools {
		v.add("1", p.Tools[i].Key()+" (whitelist)", pointers(p.Tools[i].Rules), "")
	}
	if a := p.Agent; a != nil {
		v.add("1", "deny_tools", pointers(a.Deny), "")
		v.add("1", "tools (whitelist)", pointers(a.Tools), "")
	}
	if s := p.Skill; s != nil {
		v.add("1", "disallowed-tools", pointers(s.Deny), "")
		v.add("1", "allowed-tools (whitelist)", pointers(s.Allow), "")
	}
	v.add("2", "managed ask", slices.DeleteFunc(pointers(p.Ask), others), "")
	v.add("5", "ask", slices.DeleteFunc(pointers(p.Ask), managed), "")
	v.add("5", "autoMode.soft_deny", pointers(p.Auto.SoftDeny), binds)
	inherits := ""
	if c.Facts().Strict() {
		inherits = "a subagent inherits no grant"
	}
	v.add("6", "allow", pointers(p.Allow), inherits)
	if a := p.Agent; a != nil && a.Narrow {
		v.add("6", "allow_tools", pointers(a.Allow), "restrictions only: grants of this definition do not count")
	} else if a != nil {
		v.add("6", "allow_tools", pointers(a.Granted), "")
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
func switches(p *rules.Policy) []subcmd.NamedSetting { return subcmd.Settings(p)[:6] }

func (v *policyView) printAgent(e *subcmd.Env) {
	for _, d := range [...]struct {
		word string
		def  *rules.AgentDef
	}{{"agent", v.c.Policy.Agent}, {"skill", v.c.Policy.Skill}} {
		switch a := d.def; {
		case a == nil:
		case !a.Known:
			e.Wrapped(d.word+" ", hookio.Escape(a.Name)+": no usable definition, restrictions only")
		default:
			e.Wrapped(d.word+" ", hookio.Escape(a.Name)+"   "+e.Place(a.Pos))
		}
	}
}

func (v *policyView) printSwitches(e *subcmd.Env) {
	var rows [][]string
	for _, s := range switches(v.c.Policy) {
		if s.On() {
			rows = append(rows, []string{s.Name, s.Scope.String(), e.Place(s.Pos)})
		}
	}
	if len(rows) == 0 {
		fmt.Fprintln(e.Out, "no locks or fences are set")
		return
	}
	e.Heading("locks and fences")
	e.Table("  ", rows)
}

func (v *policyView) printSources(e *subcmd.Env) {
	e.Heading("settings files, highest scope first")
	list := v.c.Policy.Sources
	if len(list) == 0 {
		fmt.Fprintf(e.Out, "  none; looked for %s in every scope\n", strings.Join(load.Roots[:], ", "))
	}
	var rows [][]string
	for i := range list {
		s, grants := &list[i], "grants count"
		if s.Why != "" {
			grants = "restrictions only"
		}
		if rows = append(rows, []string{s.Scope.String(), e.Path(s.Path), grants}); s.Why != "" {
			rows = append(rows, []string{"         " + hookio.Escape(e.Short(s.Why))})
		}
	}
	e.Table("  ", rows)
}

func (v *policyView) printPosture(e *subcmd.Env) {
	e.Heading("posture")
	var rows [][]string
	for i := range load.PostureKeys {
		k := &load.PostureKeys[i]
		s := v.c.Policy.Posture.Setting(k.Name)
		switch {
		case s == nil:
		case s.Pos.File != "":
			rows = append(rows, []string{k.Name, hookio.Escape(s.Value), s.Scope.String(), e.Place(s.Pos)})
		case k.Default != "":
			rows = append(rows, []string{k.Name, k.Default, "default", ""})
		default:
			rows = append(rows, []string{k.Name, "not set", "", ""})
		}
	}
	e.Table("  ", rows)
}

func (v *policyView) printDirs(e *subcmd.Env) {
	if len(v.c.Policy.Dirs) == 0 {
		return
	}
	e.Heading("additional directories")
	var rows [][]string
	for _, d := range v.c.Policy.Dirs {
		name := hookio.Escape(v.c.Policy.OS.Native(d.Path.Given))
		rows = append(rows, []string{name, d.Scope.String(), e.Place(d.Pos)})
	}
	e.Table("  ", rows)
}

func (v *policyView) printRules(e *subcmd.Env) {
	if len(v.groups) == 0 {
		e.Heading("rules")
		fmt.Fprintln(e.Out, "  none: the mode decides")
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
	paint := e.Paint()
	for _, g := range v.groups {
		e.Heading("step " + g.step + "   " + g.name)
		if g.why != "" {
			e.Wrapped("  none of these counts here: ", g.why)
		}
		for _, r := range g.rules {
			text := hookio.Escape(r.Text)
			d := listDecision(r.List)
			if v.shadows[r] != nil || g.why != "" {
				d = hookio.Pass
			}
			pad := max(wide[0]-len([]rune(text)), 0)
			fmt.Fprintf(e.Out, "  %s%*s  %-*s  %s\n", paint(d, text), pad, "", wide[1], r.Scope, e.Place(r.Pos))
			if r.Note != "" {
				e.Wrapped("      ", "malformed, "+hookio.Escape(r.Note))
			}
			if s := v.shadows[r]; s != nil {
				e.Wrapped("      ", "no effect: "+hookio.Escape(s.How())+places(e, s))
			}
		}
	}
}

// places are those of the rules that leave another without effect, in brackets; "" for none.
func places(e *subcmd.Env, s *algebra.Shadow) string {
	if s.By == nil {
		return ""
	}
	all := " (" + e.Place(s.By.Pos)
	for _, r := range s.With {
		all += ", " + e.Place(r.Pos)
	}
	return all + ")"
}

func (v *policyView) printRest(e *subcmd.Env) {
	p := v.c.Policy
	if len(p.Dropped) > 0 {
		e.Heading("written, but does not count")
	}
	for i, d := range p.Dropped {
		fmt.Fprintf(e.Out, "  %s   %s\n", hookio.Escape(d.Text), e.Place(d.Pos))
		if i+1 == len(p.Dropped) || p.Dropped[i+1].Why != d.Why { // said once for all it is about
			e.Wrapped("      ", hookio.Escape(e.Short(d.Why)))
		}
	}
	if len(p.Faults) > 0 {
		e.Heading("faults")
	}
	for _, f := range p.Faults {
		after := ""
		if f.Closed {
			after = "; until it is fixed every allow of steps 3 to 7 becomes ask"
		}
		e.Wrapped("  ", e.Fault(&f)+after)
	}
}

func (v *policyView) summary() string {
	n := [rules.Whitelist + 1]int{}
	for _, g := range v.groups {
		for _, r := range g.rules {
			n[r.List]++
		}
	}
	p := v.c.Policy
	return fmt.Sprintf("%d deny, %d ask, %d allow; %d without effect, %d that do not count, %s",
		n[rules.Deny], n[rules.Ask], n[rules.Allow], len(v.shadows), len(p.Dropped), subcmd.Plural(len(p.Faults), "fault", "faults"))
}

// object is the view for programs; docs/policy.md names the keys.
func (v *policyView) object() *subcmd.Object {
	p := v.c.Policy
	o := subcmd.NewObject("cwd", p.OS.Native(p.Cwd.Given), "project", p.OS.Native(p.Project.Given),
		"home", subcmd.Opt(p.OS.Native(p.Home.Given)),
		"host", subcmd.Opt(v.host))
	if p.Agent != nil {
		o.Add("agent", p.Agent.Name, "agent_known", p.Agent.Known)
	}
	if p.Skill != nil {
		o.Add("skill", p.Skill.Name)
	}
	o.Add("mode", p.Mode.Value, "mode_from", subcmd.Opt(p.Mode.Pos.String()), "mode_notes", p.ModeNotes)
	sw := switches(p)
	o.List("switches", len(sw), func(i int, o *subcmd.Object) {
		o.Add("name", sw[i].Name, "on", sw[i].On())
		fillFrom(o, sw[i].Setting)
	})
	o.List("sources", len(p.Sources), func(i int, o *subcmd.Object) {
		o.Add("file", p.Sources[i].Path, "scope", p.Sources[i].Scope, "grants", p.Sources[i].Why == "",
			"why", subcmd.Opt(p.Sources[i].Why))
	})
	v.postureJSON(o)
	o.List("directories", len(p.Dirs), func(i int, o *subcmd.Object) {
		o.Add("path", p.Dirs[i].Path.Given, "scope", p.Dirs[i].Scope, "from", p.Dirs[i].Pos)
	})
	v.rulesJSON(o)
	explain.FillUnused(o, p)
	return o
}

func fillFrom(o *subcmd.Object, s rules.Setting) {
	if s.Pos.File != "" {
		o.Add("scope", s.Scope, "from", s.Pos)
	}
}

func (v *policyView) postureJSON(o *subcmd.Object) {
	var set []*rules.Setting
	var keys []*load.PostureKey
	for i := range load.PostureKeys {
		if s := v.c.Policy.Posture.Setting(load.PostureKeys[i].Name); s != nil {
			set, keys = append(set, s), append(keys, &load.PostureKeys[i])
		}
	}
	o.List("posture", len(set), func(i int, o *subcmd.Object) {
		value := set[i].Value
		if set[i].Pos.File == "" {
			value = keys[i].Default
		}
		o.Add("key", keys[i].Name, "value", value)
		fillFrom(o, *set[i])
	})
}

func (v *policyView) rulesJSON(o *subcmd.Object) {
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
	o.List("rules", len(all), func(i int, o *subcmd.Object) {
		o.Add("step", all[i].g.step, "group", all[i].g.name)
		explain.FillRule(o, all[i].r)
		o.Add("counts", all[i].g.why == "", "why", subcmd.Opt(all[i].g.why))
		if s := v.shadows[all[i].r]; s != nil {
			by := subcmd.NewObject("kind", s.Kind)
			if s.By != nil {
				explain.FillRule(by, s.By)
			}
			if len(s.With) > 0 {
				by.List("with", len(s.With), func(i int, o *subcmd.Object) { explain.FillRule(o, s.With[i]) })
			}
			o.Add("shadowed", by)
		}
	})
}
