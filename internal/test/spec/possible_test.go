package spec

import "slices"

// Possible reports whether a case can be: what no host sends, no tool has and no rule says is left out.
func Possible(c Case) bool {
	asks := c.Tool == Question || c.Tool == PlanExit
	prompts := c.Host == Bare || c.Host == Plain || c.Host == Full
	switch {
	case c.Event == PermissionRequest && !prompts, asks && !prompts:
		return false
	case !slices.Contains(placesOf(c.Tool), c.Place), c.Place == HostOwn && c.Host != Full:
		return false
	case c.Finding == Sensitive && (c.Tool != Edit && c.Tool != Bash || c.Place != Inside):
		return false
	case c.Finding != Clean && c.Finding != Sensitive && c.Tool != Bash, c.Finding == Destructive && c.Place != Inside:
		return false
	case c.Definition != NoMode && c.Caller != Agent && c.Caller != AgentAllows && c.Caller != AgentExcludes:
		return false
	case c.Default == NoMode && c.DefaultScope != 0, c.DefaultScope == Session:
		return false
	}
	return !slices.ContainsFunc(c.Rules, func(r Rule) bool { return !fits(c, r) })
}

func placesOf(t Tool) []Place {
	switch t {
	case Read:
		return []Place{Inside, Outside}
	case Edit, Bash:
		return []Place{Inside, Outside, Temporary, HostOwn}
	}
	return []Place{Inside}
}

// fits reports whether a rule can match the call of a case.
func fits(c Case, r Rule) bool {
	shell := c.Tool == Bash || c.Tool == BashRead
	if r.Recorded && (r.Scope != Shared || r.List != Allows && r.List != Opens) || r.Scope == Session && (r.List != Allows || r.Claude) {
		return false
	}
	if r.Wide && (r.List != Allows || r.Form != Matches || !shell) {
		return false
	}
	switch r.List {
	case Opens:
		return r.Form == Matches && c.Place == Outside
	case HardDenies, SoftDenies:
		return r.Scope <= User && (r.Form == Matches || r.Form == Could && shell)
	case Denies, Asks:
		return r.Form == Matches || r.Form == Could && shell
	}
	switch r.Form {
	case Matches:
		return true
	case HeldBack:
		return c.Tool == Bash && r.Scope != Session
	case Exact:
		return shell
	case Anchored:
		return c.Tool == Edit || c.Tool == Read || c.Tool == Bash && c.Place != Inside
	}
	return false
}
