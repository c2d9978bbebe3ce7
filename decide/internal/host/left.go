package host

import (
	"strings"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/rules"
)

// hostReads reports whether a rule binds the host as well, because it reads the file the rule is in.
func hostReads(c facts.Facts, r *rules.Rule) bool {
	h := c.Call().Host
	switch {
	case h == nil || h.Alone.Rules == nil || r.Scope == rules.Flag:
		return true
	case strings.HasSuffix(r.Pos.File, "permgate.json"):
		return false
	case r.Claude:
		return h.ReadsRules(".claude")
	case strings.Contains(r.Pos.File, "/.san/"):
		return h.ReadsRules(".san")
	}
	return h.ReadsRules(".gen")
}

// readByHost returns the rules of a list that bind the host as well.
func readByHost(c facts.Facts, list []rules.Rule) []rules.Rule {
	if c.Call().Host == nil || c.Call().Host.Alone.Rules == nil {
		return list
	}
	return only(list, func(r *rules.Rule) bool { return hostReads(c, r) })
}

// only are the rules of a list that are counted.
func only(list []rules.Rule, counts func(*rules.Rule) bool) (out []rules.Rule) {
	for i := range list {
		if counts(&list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}

// droppedRules are the allow rules that are written down and do not count.
func droppedRules(c facts.Facts) []rules.Rule {
	var out []rules.Rule
	for i := range c.Policy().Dropped {
		d := &c.Policy().Dropped[i]
		r, err := rules.ParseRule(d.Text, rules.Allow, rules.ScopeNone, d.Pos, true)
		grants := d.Auto == "" || d.Auto == rules.AutoKeys[rules.AutoAllow].Name
		if err == nil && d.Dir.Given == "" && d.Mode == "" && grants {
			out = append(out, r)
		}
	}
	return out
}

// leavesToHost reports whether silence is possible: the host decides then, and no settings file is missing that could
// have held a rule. Of a key that is not known here the host knows no more: what it decides alone it goes on
// deciding.
func leavesToHost(c facts.Facts) bool { return c.Defers() && !faultOutsideProject(c, false) }

// withholds reports whether an allow that no rule gave is kept from the host: the user left such calls to it, and a
// file that takes that back may add questions, not skip the host's.
func withholds(c facts.Facts) bool {
	left := c.Defers() || c.Policy().Posture.LeftToHost
	return left && c.Call().Host != nil && !c.Call().Host.SilenceRuns
}

// faultOutsideProject reports whether a settings file that is not the project's has a fault: an unknown key, or one
// that closes it.
func faultOutsideProject(c facts.Facts, key bool) bool {
	for i := range c.Policy().Faults {
		f := &c.Policy().Faults[i]
		if f.Closed && f.Key == key && f.Scope != rules.Shared && f.Scope != rules.Local {
			return true
		}
	}
	return false
}

// closedBy reports whether a file of one scope could not be used. A managed file may have held the denials that bind
// even when others observe.
func closedBy(c facts.Facts, scope rules.Scope) bool {
	for i := range c.Policy().Faults {
		if f := &c.Policy().Faults[i]; f.Closed && f.Scope == scope {
			return true
		}
	}
	return false
}

// writesOwn reports whether the call writes a file of the host's own that does not lie in the workspace.
func writesOwn(c facts.Facts) bool {
	for u := range c.Units() {
		if c.HostsFile(u) && !c.World().Inside(u.Hit()) {
			return true
		}
	}
	return false
}

// writesTemporary reports whether the call writes such a file that no rule names.
func writesTemporary(c facts.Facts) bool {
	for u := range c.Units() {
		if u.Write() && !c.World().Inside(u.Hit()) && c.WritesTemp(u) && !c.Reaches(u) {
			return true
		}
	}
	return false
}

// incomparable reports whether not all rules could be compared, or the call runs or writes under a name that only
// other systems have: what rules the host reads is not about it.
func incomparable(c facts.Facts) bool {
	elsewhere := c.Call().Alias && !c.Call().OnlyServers()
	return c.Overrun() != nil || elsewhere && (c.Script() != nil || rules.EditTool(c.Call().Tool))
}
