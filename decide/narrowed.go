package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// narrowedHere reports whether rules of the user, counted for this caller or not, would cover a shell text if they
// were read as widely as a host may read them: it may not look at an option that
// executes, the command inside another, or a second URL. Such a call is not
// unmatched: silence would let it run by the wider reading.
//
// Neither is one that a rule in an untrusted file of the project covers.
func (c *matcher) narrowedHere() bool {
	if c.untrusted() || c.incomparable() {
		return true
	}
	if c.Script == nil || c.Call.Tool == "PowerShell" && len(c.Script.Doubts) > 0 {
		return false
	}
	for _, list := range c.GrantLists() {
		if c.narrowedHereBy(c.readByHost(list)) {
			return true
		}
	}
	return c.narrowedUncounted() || c.Overrun() != nil
}

// narrowedUncounted is narrowedHere by the rules that count for the host alone, each
// by itself: that another one covers the call makes nothing known of what we allow.
func (c *matcher) narrowedUncounted() bool {
	list := c.Policy.Unmanaged
	if c.strict() {
		list = append(list[:len(list):len(list)], c.Policy.Allow...)
	}
	list = c.readByHost(list)
	for i := range list {
		if c.narrowedHereBy(list[i : i+1]) {
			return true
		}
	}
	return false
}

// narrowedHereBy looks at one list. What no rule is about hides nothing: which
// commands, and which variables in front of them, the host runs unasked is not
// fully known, and one it does not run is prompted for anyway. Only the command
// inside a launcher needs that all the rest is covered.
func (c *matcher) narrowedHereBy(list []rules.Rule) bool {
	covered, inner, open := false, false, false
	for u := range c.Units() {
		if !u.needsAllow || u.sub == nil {
			// the host may take the rule for the command for one about both
			inner = inner || u.subject.Tool == rules.Sandbox && !c.allowed(list, u)
			continue
		}
		switch _, ok := c.allows(list, u); {
		case ok:
			covered = true
		case hostsJudgeVariables(u.sub):
			open = true
		case c.coveredByHost(list, u):
			return true
		case readsHere(u.sub): // hosts know such commands as well
		case launched(u.sub):
			inner = true
		case c.Policy.Mode.Value == "default": // other modes of the host cover more than rules do
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
	return sub.Hidden && len(sub.Assigns) > 0 && !launched(sub) && !sub.Steered()
}

// coveredByHost reports whether a rule covers a part in the wider reading of a host.
func (c *matcher) coveredByHost(list []rules.Rule, u *unit) bool {
	return c.coveredUnnarrowed(list, u) || c.coveredWithoutGitOptions(list, u)
}

// coveredUnnarrowed reports whether a rule covers a part if nothing narrows
// it: neither an option of the command nor the number of URLs.
func (c *matcher) coveredUnnarrowed(list []rules.Rule, u *unit) bool {
	command := u.subject.Command
	if command == nil {
		return false
	}
	wide := *command
	wide.Narrow = ""
	return c.sure(list, u, wide) != nil
}

// coveredWithoutGitOptions reports whether a rule covers a git command except for
// its global options, which hosts ignore, and these narrow it or point at a
// repository outside the workspace that is not proven to be inert.
func (c *matcher) coveredWithoutGitOptions(list []rules.Rule, u *unit) bool {
	command, sub := u.subject.Command, u.sub
	if command == nil || len(sub.Alt) == 0 || command.Narrow == "" && !c.foreignRepo(sub) {
		return false
	}
	wide := withoutGitOptions(sub)
	return c.sure(list, u, wide) != nil
}

// withoutGitOptions is a git command as a rule sees it without its global options.
func withoutGitOptions(sub *bashsafety.Subcommand) rules.Command {
	wide := rules.Command{}
	for _, alt := range sub.Alt {
		wide.Allow = append(wide.Allow, text(alt))
	}
	return wide
}

func (c *scene) foreignRepo(sub *bashsafety.Subcommand) bool {
	for i := range sub.Effects {
		e := &sub.Effects[i]
		switch e.Kind {
		case bashsafety.GitRead:
			if c.gitRead(sub, e).why != "" {
				return true
			}
		case bashsafety.GitChange:
			if !e.Known || !c.World.Inside(c.World.EffectPath(e)) {
				return true
			}
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

// untrusted reports whether a rule that you have not trusted, and that the host
// reads too, covers a part of the call. The host may know the other parts. What
// is proven to read inside the workspace only runs without the rule, too.
func (c *matcher) untrusted() bool {
	list := c.readByHost(c.Policy.Untrusted)
	if len(list) == 0 || c.readsInside() {
		return false
	}
	for u := range c.Units() {
		if !u.needsAllow {
			continue
		}
		if c.allowed(list, u) || c.coveredByHost(list, u) {
			return true
		}
	}
	return false
}

// readsInside reports whether a call is shell text that is proven to read
// inside the workspace only.
func (c *reading) readsInside() bool {
	if c.Script == nil || c.Unproven() != "" {
		return false
	}
	for u := range c.Units() {
		if u.effect != nil && !c.knownInside(u) {
			return false
		}
	}
	return true
}

// knownInside reports whether a file operand is known to lie in the workspace.
func (c *scene) knownInside(u *unit) bool {
	p := u.hit
	if p.Given == "" && u.subject.Path != nil {
		p = *u.subject.Path
	}
	return p.Given != "" && c.World.Inside(p)
}

// untrustedRead reports whether a rule that you have not trusted makes a
// difference to a safe tool: the host asks about reads outside its folders and
// about unknown web hosts, unless a rule allows them.
func (c *matcher) untrustedRead() bool {
	list := c.readByHost(c.Policy.Untrusted)
	if c.readsInside() {
		return false
	}
	for u := range c.Units() {
		if c.hostsFile(u) || u.subject.Path != nil && c.World.Inside(*u.subject.Path) {
			continue
		}
		if c.allowed(list, u) || u.subject.Path != nil && c.untrustedDir(u.subject.Path) {
			return true
		}
	}
	return false
}

// untrustedDir reports whether a path lies in an additional directory that you have
// not trusted, from a file that the host reads too.
func (in *Input) untrustedDir(p *rules.Path) bool {
	for i := range in.Policy.Dropped {
		d := &in.Policy.Dropped[i]
		within := rules.Within(p.Given, d.Dir.Given) || rules.Within(p.Real, d.Dir.Real)
		if within && d.Untrusted && in.hostReads(&rules.Rule{Pos: d.Pos, Claude: strings.Contains(d.Pos.File, "/.claude/")}) {
			return true
		}
	}
	return false
}

// hostsDoubt reports whether a doubt is left to the host: a construct of PowerShell that
// can run and write nothing, where the host has a permission flow of its own and no rule or
// fence could be about what the construct hides.
func (in *Input) hostsDoubt(d *bashsafety.Doubt) bool {
	return d.Hides == bashsafety.HidesNothing && in.Call.Tool == "PowerShell" && in.defers() && !in.restricts()
}

// restricts reports whether there is a deny or ask rule, or a fence, that shell
// text could fall under.
func (in *Input) restricts() bool {
	p := in.Policy
	if p.FenceRead.On() || p.FenceWrite.On() || in.autoStops() {
		return true
	}
	lists := [...][]rules.Rule{p.Deny, p.Ask, p.Posture.ContentExclusion, p.Posture.URLs,
		p.Posture.URLAllow, p.Auto.HardDeny, p.Auto.SoftDeny, nil, nil}
	for i, a := range [...]*rules.AgentDef{p.Agent, p.Skill} {
		if a != nil {
			lists[len(lists)-2+i] = a.Deny
		}
	}
	for _, list := range lists {
		for i := range list {
			switch list[i].Tool {
			case "Bash", "Monitor", "Agent", "Skill", "WebSearch", "MCP":
			default:
				return true
			}
		}
	}
	return false
}

// unclear narrows the commands of a PowerShell text that holds a doubt: no rule
// with a pattern covers a part of it.
func (in *Input) unclear(cmd *rules.Command) {
	if in.Call.Tool == "PowerShell" && len(in.Script.Doubts) > 0 && cmd.Narrow == "" {
		cmd.Narrow, cmd.Spelled = "part of the text is not understood", false
	}
}
