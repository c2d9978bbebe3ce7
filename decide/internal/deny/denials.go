package deny

import (
	"slices"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/internal/words"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// denyTools is --tools and tools of permgate.json: what a list does not name is denied in every mode, safe
// tools too, and of what it names with patterns all that none of them covers.
func denyTools(c facts.Facts) (d verdict.Denial) {
	for i := range c.Policy().Tools {
		if d = notInTools(c, &c.Policy().Tools[i]); d.Holds() {
			return d
		}
	}
	return d
}

func notInTools(c facts.Facts, l *rules.ToolList) (d verdict.Denial) {
	v := verdict.Reason{Code: say.CodeNotInAllowlist, Managed: l.Scope == rules.Managed, Text: "tool " + c.Call().Grantee() + " is not in " + l.String()}
	var list []rules.Rule
	for i := range l.Rules {
		r := &l.Rules[i]
		switch {
		case !inTools(c, r):
		case r.Bare && len(c.Call().AlsoTool) == 0:
			return d
		default:
			list = append(list, *r)
		}
	}
	if len(list) == 0 {
		return verdict.Deny(v)
	}
	_, missing := c.Covered(list)
	if missing == nil {
		return d
	}
	v.Part, v.Text = missing.Text(), "tool "+c.Call().Grantee()+" call is outside "+l.String()+": "+c.Uncovered(list, missing)
	return verdict.Deny(v)
}

// inTools reports whether a rule names the tool, by one of the names it may have.
func inTools(c facts.Facts, r *rules.Rule) bool {
	one := []rules.Rule{*r}
	return facts.NamesTool(one, c.Call().Grantee()) ||
		slices.ContainsFunc(c.Call().AlsoTool, func(name string) bool { return facts.NamesTool(one, name) })
}

// denyAgent is what an agent definition or a skill takes away.
func denyAgent(c facts.Facts) (d verdict.Denial) {
	tool := c.Call().Grantee()
	outside := func(part, why string) verdict.Denial {
		return verdict.Deny(verdict.Reason{Code: say.CodeOutsideAllowTools, Part: part, Text: "tool " + tool + why})
	}
	if a := c.Policy().Agent; a != nil {
		if u, hit := c.Match(a.Deny, true); u != nil {
			return words.BlockedBy(c, "deny_tools", hit.Rule, u)
		}
		if a.HasTools && !named(a.Tools, tool) {
			return outside("", " is not among the tools of agent "+a.Name+" ("+a.Pos.String()+")")
		}
		if a.HasTools {
			if _, missing := c.Covered(a.Tools); missing != nil {
				return outside(missing.Text(),
					" call is outside the tools of agent "+a.Name+": no pattern covers "+say.Quoted(missing.Text()))
			}
		}
		if d = constraint(c, a, "allow_tools"); d.Holds() {
			return d
		}
	}
	if s := c.Policy().Skill; s != nil {
		if u, hit := c.Match(s.Deny, true); u != nil {
			return words.BlockedBy(c, "disallowed-tools", hit.Rule, u)
		}
		return constraint(c, s, "allowed-tools")
	}
	return d
}

// constraint applies a list of allowed tools: a tool it does not name is
// denied unless it is safe, a call of a named tool must be covered, and the
// empty list allows nothing.
func constraint(c facts.Facts, a *rules.AgentDef, key string) (d verdict.Denial) {
	tool := c.Call().Grantee()
	outside := func(part, why string) verdict.Denial {
		return verdict.Deny(verdict.Reason{Code: say.CodeOutsideAllowTools, Part: part,
			Text: "tool " + tool + " call is outside the " + key + " constraint: " + why})
	}
	switch {
	case !a.HasAllow:
		return d
	case len(a.Allow) == 0:
		return outside("", "the list is empty ("+a.Pos.String()+")")
	case !named(a.Allow, tool):
		if rules.SafeTool(tool) {
			return d
		}
		return outside("", "it does not name "+tool+" ("+a.Pos.String()+")")
	}
	if _, missing := c.Covered(a.Allow); missing != nil {
		return outside(missing.Text(), c.Uncovered(a.Allow, missing))
	}
	return d
}

func named(list []rules.Rule, tool string) bool {
	for i := range list {
		if list[i].Governs(tool) {
			return true
		}
	}
	return false
}

// denyFences is blockReadsOutsideWorkingDirectories and
// blockWritesOutsideWorkingDirectories, for everything whose place is known.
func denyFences(c facts.Facts) (d verdict.Denial) {
	p := c.Policy()
	fenced := func(u *facts.Unit, fence *rules.Setting, key, target string) verdict.Denial {
		return verdict.Deny(verdict.Reason{Code: say.CodeOutsideWorkspace, Part: u.Text(), Managed: fence.Scope == rules.Managed,
			What: c.Doer(u.Sub()), Text: u.Does(), Target: target, Why: "outside the project",
			Mark: "outside working directory, " + key + ", " + fence.Pos.String()})
	}
	for u := range c.Units() {
		place := u.Hit()
		if place.Given == "" && u.Subject().Path != nil {
			place = *u.Subject().Path
		}
		if place.Given == "" || u.Word() || c.World().Inside(place) {
			continue
		}
		if u.Write() && p.FenceWrite.On() {
			return fenced(u, &p.FenceWrite, facts.FenceWrite, c.Place(u))
		}
		if !u.Write() && p.FenceRead.On() && u.Subject().URL == nil {
			return fenced(u, &p.FenceRead, facts.FenceRead, facts.Quoted(p, place.Given))
		}
	}
	return d
}
