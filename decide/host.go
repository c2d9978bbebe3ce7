package decide

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// hostIgnoresAsk reports whether the host would run the call although a hook asks
// (Host.Guards).
func (c *Case) hostIgnoresAsk() bool {
	h := c.Call.Host
	if h == nil || len(h.Guards) == 0 || c.Call.Mode != "bypassPermissions" || c.Call.Event != hookio.PreToolUse {
		return false
	}
	for i := range c.units {
		if u := &c.units[i]; u.write && !c.ownFile(u) && c.hostApproves(h, u) {
			return true
		}
	}
	return false
}

// hostApproves reports whether the host guards a file, and so approves writing it
// by itself in bypassPermissions.
func (c *Case) hostApproves(h *hookio.Host, u *unit) bool {
	return c.sensitive(u) != "" || hasComponent(u.hit.Given, h.Guards) || hasComponent(u.hit.Real, h.Guards)
}

// hasComponent reports whether a component of a path is, or could be, one of a list.
func hasComponent(name string, list []string) bool {
	for part := range strings.SplitSeq(foldPath(name), "/") {
		if part != "" && slices.ContainsFunc(list, func(want string) bool { return componentIs(part, want) }) {
			return true
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

// modeIsOurs reports whether the answer of a mode is ours to give: where no one
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
	byMode := v.Decision == hookio.Deny && (v.Coerced || v.Origin == "7") && c.deniesUnasked()
	return byMode && c.defers() && c.hostEnforcesMode() && !c.cannotAsk()
}

// hostEnforcesMode reports whether the mode in effect is the one the host sent, and
// one that it enforces by itself.
func (c *Case) hostEnforcesMode() bool {
	mode := c.Policy.Mode.Value
	return mode == c.hostMode() && c.Policy.Mode.FromPayload() && c.Call.Host.Enforces(mode)
}

// hostCanAsk reports whether the host shows a prompt in the mode it sent.
func (c *Case) hostCanAsk() bool { return c.hostMode() != "dontAsk" }

// hostAsksNobody reports whether an ask would be shown by the host in other modes
// than the one it sent.
func (c *Case) hostAsksNobody() bool {
	shows := hookio.Told(c.Call, hookio.Answer{Decision: hookio.Ask}) == hookio.Ask
	return shows && !c.hostCanAsk()
}

// cannotAsk reports whether an ask of this call reaches no person, whatever the mode.
func (c *Case) cannotAsk() bool {
	if c.Headless || c.Policy.NoPrompts.On() {
		return true
	}
	if !c.subagentDenies() {
		return false
	}
	a := c.Policy.Agent
	return a == nil || a.Found || c.asAgent() || c.strictMode()
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
	if g := &c.Grants; g.All || g.AllBash || g.AllEdits {
		return true
	}
	lists := append(c.GrantLists(), c.Policy.Allow, c.Policy.Untrusted, c.Grants.Rules, c.droppedRules())
	for i := range c.units {
		u := &c.units[i]
		if c.outside(u) && (c.droppedDir(u) != "" || c.grantedDir(u) || c.mightCoverPart(lists, u)) {
			return true
		}
	}
	return c.overrun != nil
}

// grantedDir reports whether a write lies in an additional directory, be it one
// that this caller does not inherit.
func (c *Case) grantedDir(u *unit) bool {
	for i := range c.Policy.Dirs {
		if d := &c.Policy.Dirs[i].Path; rules.Within(u.hit.Given, d.Given) || rules.Within(u.hit.Real, d.Real) {
			return true
		}
	}
	return false
}

// mightCoverPart looks at a part and at the others of its command.
func (c *Case) mightCoverPart(lists [][]rules.Rule, u *unit) bool {
	for i := range c.units {
		if o := &c.units[i]; o != u && (u.sub == nil || o.sub != u.sub) {
			continue
		}
		for _, list := range lists {
			if c.allowed(list, i) || c.coveredByHost(list, i) {
				return true
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
		grants := d.Auto == "" || d.Auto == rules.AutoKeys[rules.AutoAllow].Name
		if err == nil && d.Dir.Given == "" && d.Mode == "" && grants {
			out = append(out, r)
		}
	}
	return out
}
