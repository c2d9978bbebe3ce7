package decide

import (
	"strings"

	"permgate/hookio"
	"permgate/rules"
)

// askIsLost reports whether the host would run the call although a hook asks
// (Host.Guards).
func (c *Case) askIsLost() bool {
	h := c.Call.Host
	if h == nil || len(h.Guards) == 0 || c.Call.Mode != "bypassPermissions" || c.Call.Event != hookio.PreToolUse {
		return false
	}
	for i := range c.units {
		u := &c.units[i]
		if !u.write || c.ownFile(u) {
			continue
		}
		if c.sensitive(u) != "" {
			return true
		}
		for _, p := range [...]string{u.hit.Given, u.hit.Real} {
			for _, part := range strings.Split(foldPath(p), "/") {
				for _, g := range h.Guards {
					if part != "" && componentIs(part, g) {
						return true
					}
				}
			}
		}
	}
	return false
}

// hostMode is the permission mode the host sent, "" when it sent none.
func (c *Case) hostMode() string {
	if c.Call.Mode == "manual" {
		return "default"
	}
	return c.Call.Mode
}

// strictMode reports whether the mode in effect is stricter than the one the
// host works in: by a lock, a kill switch, a flag, an agent definition. Silence
// would be laxer than the policy then.
func (c *Case) strictMode() bool {
	host := c.hostMode()
	return host != "" && rules.StricterMode(c.Policy.Mode.Value, host)
}

// modeIsOurs reports whether the answer of a mode is ours to give: where nobody
// can be asked because a flag, a setting or an agent definition says so, and in
// a mode that denies which the host does not enforce by itself.
func (c *Case) modeIsOurs(v Verdict) bool {
	if c.cannotAsk() {
		return true
	}
	return v.Decision == hookio.Deny && !c.modeDenied(v) && c.deniesUnasked()
}

// deniesUnasked reports whether the mode in effect denies what no rule allows.
func (c *Case) deniesUnasked() bool {
	switch c.Policy.Mode.Value {
	case "plan", "dontAsk", "explore":
		return true
	}
	return false
}

// modeDenied reports whether a deny comes from nothing but a mode that the host
// sent and enforces by itself.
func (c *Case) modeDenied(v Verdict) bool {
	mode := c.Policy.Mode.Value
	return v.Decision == hookio.Deny && (v.Coerced || v.Origin == "7") && c.deniesUnasked() && c.defers() &&
		mode == c.hostMode() && c.Policy.Mode.FromPayload() && c.Call.Host.Enforces(mode) && !c.cannotAsk()
}

// hostCanAsk reports whether the host shows a prompt in the mode it sent.
func (c *Case) hostCanAsk() bool { return c.hostMode() != "dontAsk" }

// cannotAsk reports whether an ask of this call reaches no person, whatever the mode.
func (c *Case) cannotAsk() bool {
	if c.Headless || c.Policy.NoPrompts.On() {
		return true
	}
	a := c.Policy.Agent
	return c.subagentDenies() && (a == nil || a.Found || c.asAgent() || c.strictMode())
}

// hostReads reports whether a rule binds the host as well, because it reads the
// file the rule is in.
func (c *Case) hostReads(r *rules.Rule) bool {
	h := c.Call.Host
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
func (c *Case) readByHost(list []rules.Rule) []rules.Rule {
	if c.Call.Host == nil || c.Call.Host.Alone.Rules == nil {
		return list
	}
	var out []rules.Rule
	for i := range list {
		if c.hostReads(&list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}

// mightCover reports whether a rule, a grant or an additional directory, counted
// or not, covers a write outside the workspace: the host may then let it run.
func (c *Case) mightCover() bool {
	if c.Grants.AllBash || c.Grants.AllEdits {
		return true
	}
	lists := append(c.grantLists(), c.Policy.Untrusted, c.Grants.Rules, c.droppedRules())
	for i := range c.units {
		u := &c.units[i]
		if !c.outside(u) {
			continue
		}
		if c.droppedDir(u) != "" {
			return true
		}
		for j := range c.units {
			if &c.units[j] != u && (u.sub == nil || c.units[j].sub != u.sub) {
				continue
			}
			for _, list := range lists {
				if _, ok := c.allows(list, j); ok || c.coveredWide(list, j) || c.coveredElsewhere(list, j) {
					return true
				}
			}
		}
	}
	return false
}

// droppedRules are the allow rules that are written down and do not count.
func (c *Case) droppedRules() []rules.Rule {
	var out []rules.Rule
	for i := range c.Policy.Dropped {
		d := &c.Policy.Dropped[i]
		r, err := rules.ParseRule(d.Text, rules.Allow, rules.ScopeNone, d.Pos, true)
		if err == nil && d.Dir.Given == "" && d.Mode == "" {
			out = append(out, r)
		}
	}
	return out
}
