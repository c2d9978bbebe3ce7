package host

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/proofs"
	"github.com/permgate--owner/permgate/rules"
)

// narrowedHere reports whether rules of the user, counted for this caller or not, would cover a shell text if they
// were read as widely as a host may read them: it may not look at an option that
// executes, the command inside another, or a second URL. Such a call is not
// unmatched: silence would let it run by the wider reading.
//
// Neither is one that a rule in an untrusted file of the project covers.
func narrowedHere(c facts.Facts) bool {
	if untrusted(c) || incomparable(c) {
		return true
	}
	if c.Script() == nil || c.Call().Tool == "PowerShell" && len(c.Script().Doubts) > 0 {
		return false
	}
	for _, list := range c.GrantLists() {
		if narrowedHereBy(c, readByHost(c, list)) {
			return true
		}
	}
	return narrowedUncounted(c) || c.Overrun() != nil
}

// narrowedUncounted is narrowedHere by the rules that count for the host alone, each
// by itself: that another one covers the call makes nothing known of what we allow.
func narrowedUncounted(c facts.Facts) bool {
	list := c.Policy().Unmanaged
	if c.Strict() {
		list = slices.Concat(list, c.Policy().Allow)
	}
	list = readByHost(c, list)
	for i := range list {
		if narrowedHereBy(c, list[i:i+1]) {
			return true
		}
	}
	return false
}

// narrowedHereBy looks at one list. What no rule is about hides nothing: which
// commands, and which variables in front of them, the host runs unasked is not
// fully known, and one it does not run is prompted for anyway. Only the command
// inside a launcher needs that all the rest is covered.
func narrowedHereBy(c facts.Facts, list []rules.Rule) bool {
	covered, inner, open := false, false, false
	for u := range c.Units() {
		if !u.NeedsAllow() || u.Sub() == nil {
			// the host may take the rule for the command for one about both
			inner = inner || u.Subject().Tool == rules.Sandbox && !c.Allowed(list, u)
			continue
		}
		switch _, ok := c.Allows(list, u); {
		case ok:
			covered = true
		case hostsJudgeVariables(u.Sub()):
			open = true
		case coveredByHost(c, list, u):
			return true
		case readsHere(u.Sub()): // hosts know such commands as well
		case facts.Launched(u.Sub()):
			inner = true
		case c.Policy().Mode.Value == "default": // other modes of the host cover more than rules do
			open = true
		}
	}
	return covered && inner && !open
}

// readsHere reports whether a command is proven to read, and on this machine.
func readsHere(sub *bashsafety.Subcommand) bool {
	return sub.Unproven() == "" && !sub.Does(bashsafety.Network)
}

// hostsJudgeVariables: hosts look at variables in front of a command themselves,
// each at its own list; on none are those that name programs and code.
func hostsJudgeVariables(sub *bashsafety.Subcommand) bool {
	return sub.Hidden && len(sub.Assigns) > 0 && !facts.Launched(sub) && !sub.Steered()
}

// coveredByHost reports whether a rule covers a part in the wider reading of a host.
func coveredByHost(c facts.Facts, list []rules.Rule, u *facts.Unit) bool {
	return coveredUnnarrowed(c, list, u) || coveredWithoutGitOptions(c, list, u)
}

// coveredUnnarrowed reports whether a rule covers a part if nothing narrows
// it: neither an option of the command nor the number of URLs.
func coveredUnnarrowed(c facts.Facts, list []rules.Rule, u *facts.Unit) bool {
	command := u.Subject().Command
	if command == nil {
		return false
	}
	wide := *command
	wide.Narrow = ""
	return c.Sure(list, u, wide) != nil
}

// coveredWithoutGitOptions reports whether a rule covers a git command except for
// its global options, which hosts ignore, and these narrow it or point at a
// repository outside the workspace that is not proven to be inert.
func coveredWithoutGitOptions(c facts.Facts, list []rules.Rule, u *facts.Unit) bool {
	command, sub := u.Subject().Command, u.Sub()
	if command == nil || len(sub.Alt) == 0 || command.Narrow == "" && !c.ForeignRepo(sub) {
		return false
	}
	wide := facts.WithoutGitOptions(sub)
	return c.Sure(list, u, wide) != nil
}

// untrusted reports whether a rule that you have not trusted, and that the host
// reads too, covers a part of the call. The host may know the other parts. What
// is proven to read inside the workspace only runs without the rule, too.
func untrusted(c facts.Facts) bool {
	list := readByHost(c, c.Policy().Untrusted)
	if len(list) == 0 || readsInside(c) {
		return false
	}
	for u := range c.Units() {
		if !u.NeedsAllow() {
			continue
		}
		if c.Allowed(list, u) || coveredByHost(c, list, u) {
			return true
		}
	}
	return false
}

// readsInside reports whether a call is shell text that is proven to read
// inside the workspace only.
func readsInside(c facts.Facts) bool {
	if c.Script() == nil || proofs.Unproven(c) != "" {
		return false
	}
	for u := range c.Units() {
		if u.Effect() != nil && !knownInside(c, u) {
			return false
		}
	}
	return true
}

// knownInside reports whether a file operand is known to lie in the workspace.
func knownInside(c facts.Facts, u *facts.Unit) bool {
	p := u.Hit()
	if p.Given == "" && u.Subject().Path != nil {
		p = *u.Subject().Path
	}
	return p.Given != "" && c.World().Inside(p)
}

// untrustedRead reports whether a rule that you have not trusted makes a
// difference to a safe tool: the host asks about reads outside its folders and
// about unknown web hosts, unless a rule allows them.
func untrustedRead(c facts.Facts) bool {
	list := readByHost(c, c.Policy().Untrusted)
	if readsInside(c) {
		return false
	}
	for u := range c.Units() {
		if c.HostsFile(u) || u.Subject().Path != nil && c.World().Inside(*u.Subject().Path) {
			continue
		}
		if c.Allowed(list, u) || u.Subject().Path != nil && untrustedDir(c, u.Subject().Path) {
			return true
		}
	}
	return false
}

// untrustedDir reports whether a path lies in an additional directory that you have
// not trusted, from a file that the host reads too.
func untrustedDir(c facts.Facts, p *rules.Path) bool {
	for i := range c.Policy().Dropped {
		d := &c.Policy().Dropped[i]
		within := rules.Within(p.Given, d.Dir.Given) || rules.Within(p.Real, d.Dir.Real)
		written := rules.Rule{Pos: d.Pos, Claude: strings.Contains(d.Pos.File, "/.claude/")}
		if within && d.Untrusted && hostReads(c, &written) {
			return true
		}
	}
	return false
}
