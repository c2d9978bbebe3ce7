package decide

import (
	"strings"

	"permgate/bashsafety"
	"permgate/rules"
)

// heldBack reports whether rules of the user cover a shell text but for what is
// looked at here and, it may be, not by the host: an option that executes, the
// command inside another, a second URL. Such a call is not unmatched: the host
// reads the same rules, and silence would let it run by the wider reading.
//
// Neither is one that a rule speaks of in a file of the project that nobody trusted.
func (c *Case) heldBack() bool {
	if c.untrusted() {
		return true
	}
	if c.Script == nil || c.Call.Tool == "PowerShell" && len(c.Script.Doubts) > 0 {
		return false
	}
	for _, list := range c.grantLists() {
		if c.heldBackBy(c.readByHost(list)) {
			return true
		}
	}
	return false
}

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
		if _, ok := c.allows(list, i); ok || c.coveredWide(list, i) || c.coveredElsewhere(list, i) {
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
		if _, ok := c.allows(list, i); ok {
			return true
		}
	}
	return false
}

// heldBackBy looks at one list. What no rule is about hides nothing: which
// commands, and which variables in front of them, the host runs unasked is not
// fully known, and one it does not run is prompted for anyway. Only the command
// inside a launcher needs that all the rest is covered.
func (c *Case) heldBackBy(list []rules.Rule) bool {
	covered, inner, held, open := false, false, false, false
	for i := range c.units {
		u := &c.units[i]
		if !u.needsAllow || u.sub == nil {
			continue
		}
		switch _, ok := c.allows(list, i); {
		case ok:
			covered = true
		case u.sub.Hidden && len(u.sub.Assigns) > 0 && !launched(u.sub) && !u.sub.Steered():
			// hosts look at variables in front of a command themselves, each at its
			// own list; on none are those that name programs and code
			open = true
		case c.coveredWide(list, i), c.coveredElsewhere(list, i):
			held = true
		case u.sub.Unproven() == "" && !networked(u.sub): // hosts know commands that only read as well
		case launched(u.sub):
			inner = true
		default:
			open = open || c.Policy.Mode.Value == "default" // other modes of the host cover more than rules do
		}
	}
	return held || covered && inner && !open
}

// coveredWide reports whether a rule covers a part as long as nothing narrows
// it: neither an option of the command nor the number of URLs.
func (c *Case) coveredWide(list []rules.Rule, unit int) bool {
	command := c.units[unit].subject.Command
	if command == nil {
		return false
	}
	wide := *command
	wide.Narrow = ""
	return c.coveredAs(list, unit, wide)
}

// coveredAs reports whether a rule is certain to cover a part if its command
// were another one.
func (c *Case) coveredAs(list []rules.Rule, unit int, command rules.Command) bool {
	s := c.units[unit].subject
	s.Command = &command
	for _, h := range c.Policy.Match(list, &s) {
		if h.Sure {
			return true
		}
	}
	return false
}

// coveredElsewhere reports whether a rule covers a git command but for its global
// options, which hosts look past, and those narrow it or point at a repository
// outside of the workspace that is not proven to be inert.
func (c *Case) coveredElsewhere(list []rules.Rule, unit int) bool {
	command, sub := c.units[unit].subject.Command, c.units[unit].sub
	if command == nil || len(sub.Alt) == 0 || command.Narrow == "" && !c.foreignRepo(sub) {
		return false
	}
	wide := rules.Command{}
	for _, alt := range sub.Alt {
		wide.Allow = append(wide.Allow, text(alt))
	}
	return c.coveredAs(list, unit, wide)
}

func (c *Case) foreignRepo(sub *bashsafety.Subcommand) bool {
	for i := range sub.Effects {
		e := &sub.Effects[i]
		switch e.Kind {
		case bashsafety.GitRead:
			if c.gitRead(sub, e).why != "" {
				return true
			}
		case bashsafety.GitChange:
			if !e.Known || !c.inside(c.effectPath(e)) {
				return true
			}
		}
	}
	return false
}

// networked reports whether a command talks to another machine.
func networked(sub *bashsafety.Subcommand) bool {
	for i := range sub.Effects {
		if sub.Effects[i].Kind == bashsafety.Network {
			return true
		}
	}
	return false
}

// launched reports whether another command runs this one.
func launched(sub *bashsafety.Subcommand) bool {
	for _, via := range sub.Via {
		switch {
		case via == "$()", via == "<()", via == ">()", via == "coproc", strings.HasPrefix(via, "function "):
		default:
			return true
		}
	}
	return false
}
