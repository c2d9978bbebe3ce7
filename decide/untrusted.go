package decide

// untrusted reports whether a rule that you have not trusted, and that the host
// reads too, covers a part of the call. The host may know the other parts. What
// is proven to read inside the workspace only runs without the rule, too.
func (c *Case) untrusted() bool {
	list := c.readByHost(c.Policy.Untrusted)
	if len(list) == 0 || c.readsInside() {
		return false
	}
	for i := range c.units {
		if !c.units[i].needsAllow {
			continue
		}
		if c.allowed(list, i) || c.coveredByHost(list, i) {
			return true
		}
	}
	return false
}

// readsInside reports whether a call is shell text that is proven to read
// inside the workspace only.
func (c *Case) readsInside() bool {
	if c.Script == nil || c.Unproven() != "" {
		return false
	}
	for i := range c.units {
		if u := &c.units[i]; u.effect != nil && !c.knownInside(u) {
			return false
		}
	}
	return true
}

// knownInside reports whether a file operand is known to lie in the workspace.
func (c *Case) knownInside(u *unit) bool {
	p := u.hit
	if p.Given == "" && u.subject.Path != nil {
		p = *u.subject.Path
	}
	return p.Given != "" && c.inside(p)
}

// untrustedRead reports whether a rule that you have not trusted makes a
// difference to a safe tool: the host asks about reads outside its folders and
// about unknown web hosts, unless a rule allows them.
func (c *Case) untrustedRead() bool {
	list := c.readByHost(c.Policy.Untrusted)
	for i := range c.units {
		u := &c.units[i]
		if u.subject.Path != nil && c.inside(*u.subject.Path) {
			continue
		}
		if c.allowed(list, i) {
			return true
		}
	}
	return false
}
