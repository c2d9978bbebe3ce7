package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// emptyCase is the case of a call about nothing, as check would build it.
func (e *env) emptyCase(f *gate.Flags) (*decide.Case, error) {
	call, err := gate.Canonical([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"true"}}`), f)
	if err != nil {
		return nil, err
	}
	return gate.Case(call, f, e.world), nil
}

func rulesCommand() *Command {
	var flags gate.Flags
	var json bool
	var set *pflag.FlagSet
	return &Command{
		Name:  "rules",
		Args:  "[add | remove]",
		Short: "list the rules in force here and their sources; add or remove one",
		Long: `Lists what applies to a call made from the working directory: the mode and where it
comes from, locks and fences, every settings file and whether its grants count, the
posture, and every rule with scope and place, in the order of the steps. A rule
without effect is marked with the rule that overrides it. Rules that do not count
and files with errors are listed with the reason.

With --agent it lists what applies to a subagent. Session grants are not included.
permgate help patterns explains the patterns.`,
		Examples: []Example{
			{"permgate rules", "the rules in force here"},
			{"permgate rules --host claude --json", "for one program, as JSON"},
			{"permgate rules add allow 'Bash(npm test)'", "in your own settings for this project"},
			{"permgate rules remove allow 'Bash(npm test)'", ""},
		},
		Flags: func(fs *pflag.FlagSet) {
			set = fs
			fs.BoolVar(&json, "json", false, "print JSON")
			registerOnly(fs, &flags, "host", "cwd", "home", "agent", "skill", "permission-mode",
				"allow-dangerously-skip-permissions", "settings", "add-dir", "allowedTools", "disallowedTools", "tools")
		},
		Run: func(e *env, args []string) int {
			if len(args) > 0 && args[0] != "list" || len(args) > 1 {
				return e.fail("permgate rules add LIST RULE, permgate rules remove LIST RULE; permgate explain COMMAND shows the rules for one call",
					"unexpected operand %q", hookio.Escape(args[len(args)-1]))
			}
			c, err := e.emptyCase(&flags)
			if err != nil {
				return e.fail("permgate help hosts lists the programs", "%v", err)
			}
			v := newPolicyView(c, flags.Host)
			if json {
				e.machine().Write(append(v.json(), '\n'))
			} else {
				v.print(e)
			}
			return exitOK
		},
		Subs: []*Command{rulesAddCommand(&set), rulesRemoveCommand(&set)},
	}
}

// misplaced reports an option in front of the verb, where it would have no effect.
func misplaced(e *env, set *pflag.FlagSet) (code int, found bool) {
	name := ""
	if set != nil {
		set.Visit(func(f *pflag.Flag) { name = f.Name })
	}
	if name == "" {
		return 0, false
	}
	return e.fail(e.cmd+" ... --"+name, "--%s comes before the verb; options of a verb go after it", name), true
}

// print writes the view for people.
func (v *policyView) print(e *env) {
	p := v.c.Policy
	e.pairs([][2]string{
		{"working directory", hookio.Escape(p.Cwd.Given)},
		{"project", hookio.Escape(e.tilde(p.Project.Given))},
		{"host", v.hostLine()},
		{"mode", p.Mode.Value + "   " + e.modeFrom(v)},
	})
	for _, n := range p.ModeNotes {
		e.wrapped("  ", hookio.Escape(e.short(n)))
	}
	v.printAgent(e)
	v.printSwitches(e)
	v.printSources(e)
	v.printPosture(e)
	v.printDirs(e)
	v.printRules(e)
	v.printRest(e)
	fmt.Fprintf(e.out, "\n%s\n", v.summary())
}

func (v *policyView) hostLine() string {
	if v.host == "" {
		return `none: "hosts" in permgate.json is ignored; use --host NAME`
	}
	return v.host
}

func (e *env) modeFrom(v *policyView) string {
	p := v.c.Policy
	if p.Mode.Pos.File == "" {
		return "the default; the mode the host sends with a call overrides it"
	}
	return e.place(p.Mode.Pos)
}

// tilde is e.path, except for the working directory itself.
func (e *env) tilde(name string) string {
	if name == e.world.Cwd {
		return name
	}
	return e.path(name)
}

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
	why        string // why they do not count for this caller
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

// how says which rule overrides another and where it is, "" if none does.
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
	o.add("cwd", p.Cwd.Given, "project", p.Project.Given, "home", opt(p.Home.Given), "host", opt(v.host))
	if p.Agent != nil {
		o.add("agent", p.Agent.Name, "agent_known", p.Agent.Known)
	}
	if p.Skill != nil {
		o.str("skill", p.Skill.Name)
	}
	o.add("mode", p.Mode.Value, "mode_from", opt(p.Mode.Pos.String()), "mode_notes", p.ModeNotes)
	sw := switches(p)
	o.list("switches", len(sw), func(i int, o *object) {
		o.add("name", sw[i].name, "on", sw[i].On())
		fillFrom(o, sw[i].Setting)
	})
	o.list("sources", len(p.Sources), func(i int, o *object) {
		o.add("file", p.Sources[i].Path, "scope", p.Sources[i].Scope, "grants", p.Sources[i].Why == "",
			"why", opt(p.Sources[i].Why))
	})
	v.postureJSON(&o)
	o.list("directories", len(p.Dirs), func(i int, o *object) {
		o.add("path", p.Dirs[i].Path.Given, "scope", p.Dirs[i].Scope, "from", p.Dirs[i].Pos)
	})
	v.rulesJSON(&o)
	fillUnused(&o, p)
	return o.end()
}

func fillFrom(o *object, s rules.Setting) {
	if s.Pos.File != "" {
		o.add("scope", s.Scope, "from", s.Pos)
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
		o.add("step", all[i].g.step, "group", all[i].g.name)
		fillRule(o, all[i].r)
		o.add("counts", all[i].g.why == "", "why", opt(all[i].g.why))
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
