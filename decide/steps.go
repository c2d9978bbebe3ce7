package decide

import (
	"fmt"

	"permgate/bashsafety"
	"permgate/hookio"
	"permgate/rules"
)

// stepDeny is final. It holds the deny rules of every scope, what an agent
// definition takes away, the two fences, excluded content, and the catastrophic
// list where the posture says so. Of several denials one that managed settings
// give answers, because it is in force even where the others are only observed.
func stepDeny(c *Case) Verdict {
	var v Verdict
	for _, f := range [...]func(*Case) Verdict{denyRules, denyAgent, denyFences, denyCatastrophic} {
		if o := f(c); o.Decision == hookio.Deny && (v.Decision != hookio.Deny || o.Managed && !v.Managed) {
			v = o
		}
	}
	if v.Decision == hookio.Deny && v.Check == nil {
		return c.withFinding(v)
	}
	return v
}

// denyRules answers when a deny rule matches the call or any part of it.
func denyRules(c *Case) Verdict {
	var v Verdict
	for _, list := range c.denyLists() {
		for i := range c.units {
			for _, hit := range c.matches(list.rules, i) {
				managed := hit.Rule.Scope == rules.Managed
				if hit.Sure && (v.Decision != hookio.Deny || managed && !v.Managed) {
					v = c.byRule(hookio.Deny, list.word+": "+hit.Rule.Text, hit.Rule, &c.units[i])
				}
			}
		}
	}
	return v
}

// denyCatastrophic is the catastrophic list of a posture that denies it.
func denyCatastrophic(c *Case) Verdict {
	set := &c.Policy.Gate.Catastrophic
	f := c.finding(bashsafety.Catastrophic)
	if set.Value != "deny" || f == nil {
		return Verdict{}
	}
	v := c.found(f)
	v.Decision, v.Managed = hookio.Deny, set.Scope == rules.Managed
	return Verdict{Decision: v.Decision, Check: v.Check, Part: v.Part, Managed: v.Managed, Reason: v.sentence()}.
		marked(f.Check.ID + `: "catastrophic" is "deny", ` + set.Pos.String())
}

type denyList struct {
	word  string
	rules []rules.Rule
}

// denyLists are the lists of step 1 but those of an agent definition or skill.
func (c *Case) denyLists() []denyList {
	p := c.Policy
	lists := []denyList{
		{"deny rule", p.Deny},
		{"excluded content", p.Gate.ContentExclusion},
		{"excluded url", p.Gate.URLs},
	}
	if p.Mode.Value == "auto" {
		lists = append(lists, denyList{"autoMode.hard_deny", p.Auto.HardDeny})
	}
	return lists
}

// stepImmune asks about what no rule, mode or grant may wave through.
func stepImmune(c *Case) Verdict {
	if m := c.Call.Malformed; m != "" {
		return immune("malformed-input", "", "malformed tool input: "+m+". Try the call again with well-formed input")
	}
	if f := c.worst(); f != nil {
		return c.found(f)
	}
	for _, f := range [...]func(*Case) Verdict{immunePaths, immuneSecrets, immuneShell, immuneDoubts, immuneManaged, immuneUnsure} {
		if v := f(c); v.Decision == hookio.Ask {
			return v
		}
	}
	return Verdict{Reason: c.takenBack()}
}

// immuneManaged is the managed ask rules: neither bypass nor a grant lifts them.
func immuneManaged(c *Case) Verdict {
	for i := range c.units {
		for _, hit := range c.matches(c.Policy.Ask, i) {
			if hit.Sure && hit.Rule.Scope == rules.Managed {
				return c.byRule(hookio.Ask, "managed ask rule: "+hit.Rule.Text, hit.Rule, &c.units[i])
			}
		}
	}
	return Verdict{}
}

// immuneUnsure asks when a deny or ask rule would match for some value of a
// word that cannot be known.
func immuneUnsure(c *Case) Verdict {
	lists := append(c.denyLists(), denyList{"ask rule", c.Policy.Ask})
	if c.Policy.Mode.Value == "auto" {
		lists = append(lists, denyList{"autoMode.soft_deny", c.Policy.Auto.SoftDeny})
	}
	for _, a := range [...]*rules.AgentDef{c.Policy.Agent, c.Policy.Skill} {
		if a != nil {
			lists = append(lists, denyList{"deny_tools", a.Deny})
		}
	}
	for _, list := range lists {
		if u, hit := c.match(list.rules, false); u != nil {
			return c.couldMatch(list.word, hit.Rule, u)
		}
	}
	return Verdict{}
}

// couldMatch is the ask about a rule that matches for some value of an unknown word.
func (c *Case) couldMatch(list string, r *rules.Rule, u *unit) Verdict {
	does := "denies"
	if r.List == rules.Ask {
		does = "asks about"
	}
	v := Verdict{Decision: hookio.Ask, Rule: r, Part: u.text, Reason: u.named() + origin(u.sub) + " may be what your " + list + " " + r.Text +
		" " + does + ", depending on a word that is only known when it runs. Try to write the word out"}
	at := ""
	if pos := r.Pos.String(); pos != "" {
		at = ", " + pos
	}
	return v.marked("could match" + at + everyMode)
}

// immuneDoubts asks about what the analysis cannot see through.
func immuneDoubts(c *Case) Verdict {
	var v Verdict
	more := 0
	for i := 0; c.Script != nil && i < len(c.Script.Doubts); i++ {
		switch d := &c.Script.Doubts[i]; {
		case !c.asksAbout(d):
		case v.Decision == hookio.Pass:
			v = immune(d.ID, "", d.Msg)
		default:
			more++
		}
	}
	if more > 0 {
		v = v.saying(fmt.Sprintf("; and %d more", more))
	}
	return v
}

// stepBypass is mode bypassPermissions. Locks have already turned the mode
// into default when the policy was loaded.
func stepBypass(c *Case) Verdict {
	if c.Policy.Mode.Value != "bypassPermissions" {
		return Verdict{}
	}
	if NeedsUser(c.Call.Tool) {
		return Verdict{Reason: "a tool that needs the user"}
	}
	return Verdict{Decision: hookio.Allow, Reason: "mode: bypass permissions" + c.modeOrigin()}
}

// stepWorkspace asks about writes outside cwd, project root and additional
// directories, unless an allow rule names the place by a // or ~/ path.
func stepWorkspace(c *Case) Verdict {
	for i := range c.units {
		u := &c.units[i]
		if !c.outside(u) || c.liftedWrite(u) {
			continue
		}
		v := Verdict{Decision: hookio.Ask, Part: u.text}
		if !u.write {
			v.Reason = c.doer(u) + "reads " + u.text + ". Try an allow rule with a // or ~/ path, or add the folder to additionalDirectories"
			return v.marked(`outside working directory; "outsideReads" is "ask", ` + c.Policy.Gate.OutsideReads.Pos.String())
		}
		if u.hit.Given == "" {
			v.Reason = c.doer(u) + "writes to a path that is only known when it runs. Try to name the file"
		} else {
			v.Reason = c.doer(u) + "writes " + u.place() + c.droppedDir(u) + ". Try a path inside " + c.Policy.Project.Given +
				", or add the folder to additionalDirectories"
		}
		return v.marked("outside working directory")
	}
	return Verdict{}
}

// droppedDir names the first additional directory a write would lie in if it counted.
func (c *Case) droppedDir(u *unit) string {
	for i := range c.Policy.Dropped {
		d := &c.Policy.Dropped[i]
		if d.Dir.Given != "" && (rules.Within(u.hit.Given, d.Dir.Given) || rules.Within(u.hit.Real, d.Dir.Real)) {
			return "; " + d.Text + " (" + d.Pos.String() + ") does not count: " + d.Why
		}
	}
	return ""
}

// outside reports whether a part writes where step 3b asks.
func (c *Case) outside(u *unit) bool {
	switch {
	case !u.write && c.Policy.Gate.OutsideReads.Value == "ask":
		return c.readsOutside(u)
	case !u.write, u.hit.Given != "" && c.inside(u.hit), c.planFile(u), c.ownFile(u), c.writesTemp(u):
		return false
	case u.hit.Given == "" && c.below(u):
		return false
	case u.hit.Given == "":
		return u.sub == nil || u.sub.Script == nil // a script's variables are not known; the user allowed the runner
	}
	return !c.reaches(u)
}

// readsOutside reports whether a part reads outside the workspace, or may.
func (c *Case) readsOutside(u *unit) bool {
	switch {
	case u.effect != nil && u.effect.Kind != bashsafety.Read && u.effect.Kind != bashsafety.Source, u.sub != nil && u.effect == nil:
		return false
	case u.subject.Path == nil:
		return u.effect != nil && !c.below(u)
	}
	return !c.inside(*u.subject.Path) && !c.reaches(u)
}

// reaches reports whether an allow rule with a // or ~/ path covers the write.
func (c *Case) reaches(u *unit) bool {
	for _, list := range c.grantLists() {
		for i := range list {
			r := &list[i]
			if r.Bare || len(r.Pattern) < 2 || r.Pattern[:2] != "//" && r.Pattern[:2] != "~/" {
				continue
			}
			if len(c.Policy.Match(list[i:i+1], &u.subject)) > 0 {
				return true
			}
		}
	}
	return false
}

// stepSession is what the user granted for the running session. A subagent
// inherits no grant unless the posture says it works like the main session.
func stepSession(c *Case) Verdict {
	if c.strict() {
		return Verdict{}
	}
	if c.Policy.ManagedOnly.On() {
		return Verdict{Reason: "session grants do not count under allowManagedPermissionRulesOnly"}
	}
	switch g := &c.Grants; {
	case g.AllEdits && rules.EditTool(c.Call.Tool):
		return Verdict{Decision: hookio.Allow, Reason: "session: allow all edits" + g.until()}
	case g.AllBash && c.Call.Tool == "Bash":
		return Verdict{Decision: hookio.Allow, Reason: "session: allow all Bash" + g.until()}
	}
	if hit, missing := c.covered(c.Grants.Rules); missing == nil {
		v := c.byRule(hookio.Allow, "session pattern: "+hit.Rule.Text, hit.Rule, nil)
		v.Reason += c.Grants.until()
		return v
	}
	return Verdict{}
}

func (g *Grants) until() string {
	if g.Until == "" {
		return ""
	}
	return ", until " + g.Until
}

// stepAsk is the ask rules, and the soft denials of mode auto.
func stepAsk(c *Case) Verdict {
	p := c.Policy
	if u, hit := c.match(p.Ask, true); u != nil {
		return c.byRule(hookio.Ask, "ask rule: "+hit.Rule.Text, hit.Rule, u)
	}
	if p.Mode.Value == "auto" {
		if u, hit := c.match(p.Auto.SoftDeny, true); u != nil {
			return c.byRule(hookio.Ask, "autoMode.soft_deny: "+hit.Rule.Text, hit.Rule, u)
		}
	}
	return Verdict{}
}

// stepAllow allows when the rules of one list together cover every part of the
// call: the settings for the main loop, the definition's list for a subagent.
func stepAllow(c *Case) Verdict {
	missed := ""
	for _, list := range c.grantLists() {
		hit, missing := c.covered(list)
		if missing == nil {
			return c.byRule(hookio.Allow, "allow rule: "+hit.Rule.Text, hit.Rule, nil)
		}
		if hit, ok := c.mixed(list); ok {
			return c.byRule(hookio.Allow, "allow rule: "+hit.Rule.Text+", and the rest only reads", hit.Rule, nil)
		}
		if missed == "" {
			missed = c.uncovered(list, c.cause(list))
		}
	}
	return Verdict{Reason: missed}
}

// grantLists returns the lists whose allow rules count for this caller.
func (c *Case) grantLists() [][]rules.Rule {
	p := c.Policy
	if !c.Call.Subagent() && !c.asAgent() && !c.unread() {
		return [][]rules.Rule{p.Allow}
	}
	var own []rules.Rule
	if p.Agent != nil && !p.Agent.Narrow {
		own = p.Agent.Granted
	}
	if c.strict() {
		return [][]rules.Rule{own}
	}
	return [][]rules.Rule{p.Allow, own}
}
