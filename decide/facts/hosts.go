package facts

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// HostReads reports whether a rule binds the host as well, because it reads the
// file the rule is in.
func (c *scene) HostReads(r *rules.Rule) bool {
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

// ReadByHost returns the rules of a list that bind the host as well.
func (c *scene) ReadByHost(list []rules.Rule) []rules.Rule {
	if c.Call().Host == nil || c.Call().Host.Alone.Rules == nil {
		return list
	}
	var out []rules.Rule
	for i := range list {
		if c.HostReads(&list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}

// DroppedRules are the allow rules that are written down and do not count.
func (c *scene) DroppedRules() []rules.Rule {
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

// LeavesToHost reports whether silence is possible: the host decides then, and no
// settings file is missing that could have held a rule.
func (c *scene) LeavesToHost() bool { return c.Defers() && !c.closed() }

// Defers reports whether the posture leaves unmatched calls to the host, and
// the host really has a permission flow of its own when it is told nothing.
func (c *scene) Defers() bool {
	return c.Policy().Posture.OnUnmatched.Value == "defer" && c.Call().Host != nil && !c.Call().Host.SilenceRuns
}

// Withholds reports whether an allow that no rule gave is kept from the host: the user
// left such calls to it, and a file that takes that back may add questions, not skip the host's.
func (c *scene) Withholds() bool {
	left := c.Defers() || c.Policy().Posture.LeftToHost
	return left && c.Call().Host != nil && !c.Call().Host.SilenceRuns
}

// closed reports whether a settings file that is not the project's could not be
// used: a rule may be missing, so nothing is left to the host. Of a key that is
// not known here the host knows no more: what it decides alone it goes on deciding.
func (c *scene) closed() bool { return c.FaultOutsideProject(false) }

// FaultOutsideProject reports whether a settings file that is not the project's has a fault:
// an unknown key, or one that closes it.
func (c *scene) FaultOutsideProject(key bool) bool {
	for i := range c.Policy().Faults {
		f := &c.Policy().Faults[i]
		if f.Closed && f.Key == key && f.Scope != rules.Shared && f.Scope != rules.Local {
			return true
		}
	}
	return false
}

// ClosedBy reports whether a file of one scope could not be used. A managed file
// may have held the denials that bind even when others observe.
func (c *scene) ClosedBy(scope rules.Scope) bool {
	for i := range c.Policy().Faults {
		if f := &c.Policy().Faults[i]; f.Closed && f.Scope == scope {
			return true
		}
	}
	return false
}

// refusing are the modes that deny what they would ask about.
var refusing = [...]string{"plan", "dontAsk", "explore"}

// Refuses reports whether a mode, by its name or one that a host or a flag has for it, denies what it would ask about.
func Refuses(mode string) bool {
	return slices.Contains(refusing[:], mode) || slices.Contains(refusing[:], rules.ModeAlias(mode))
}
