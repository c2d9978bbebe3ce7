package host

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/proofs"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// narrowedHere reports whether the host would run a shell text by rules of its own, as its grammar is known, and that
// is more than we allow: it may not look at an option that executes, the command inside another, or a second URL. Such
// a call is not unmatched: silence would let it run by the wider reading. Neither is one that the host would run by a
// rule in an untrusted file of the project, or by one that does not count for this caller.
func narrowedHere(c facts.Facts) bool {
	if untrusted(c) || incomparable(c) {
		return true
	}
	if c.Script() == nil || c.Call().Tool == "PowerShell" && len(c.Script().Doubts) > 0 {
		return false
	}
	if !narrowedCounted(c) && !narrowedUncounted(c) && c.Overrun() == nil {
		return false
	}
	alone, _ := runsUnder(c, nil)
	return !alone || c.Grammar() == nil
}

// narrowedCounted is narrowedHere by the rules that count.
func narrowedCounted(c facts.Facts) bool {
	return slices.ContainsFunc(c.GrantLists(), func(list []rules.Rule) bool {
		runs, more := runsUnder(c, readByHost(c, list))
		return runs && more
	})
}

// narrowedUncounted is narrowedHere by the rules that count for the host alone: that another of them covers a part
// makes nothing known of what we allow.
func narrowedUncounted(c facts.Facts) bool {
	list := c.Policy().Unmanaged
	if c.Strict() {
		list = slices.Concat(list, c.Policy().Allow)
	}
	list = readByHost(c, list)
	if runs, more := runsUnder(c, list); !runs || more {
		return runs
	}
	for u := range c.Units() {
		for i := range list {
			if one := list[i : i+1]; u.NeedsAllow() && !c.Allowed(one, u) && coveredByHost(c, one, u) {
				return true
			}
		}
	}
	return false
}

// runsUnder reports whether the host runs every part of a call by rules of one list, by what it knows itself or by its
// mode, and whether that is more than what we allow by them. What is only written into the workspace, and run by
// nothing, is not. Of a host whose grammar was not driven more is taken to run.
func runsUnder(c facts.Facts, list []rules.Rule) (runs, more bool) {
	compares := c.Grammar() != nil && c.Script() != nil // and so has to read the text
	if compares && slices.ContainsFunc(list, func(r rules.Rule) bool { return wide(c, &r) }) {
		if compares = c.Policy().Mode.Value == "auto"; compares { // it suspends such rules
			list = only(list, func(r *rules.Rule) bool { return !wide(c, r) })
		}
	}
	for u := range c.Units() {
		if !u.NeedsAllow() {
			continue
		}
		switch does, is := runsPart(c, list, u); {
		case !does:
			return false, false
		case is:
			more = true
		}
	}
	if compares && !checkable(c) {
		return false, false
	}
	return true, more
}

// wide reports whether a rule is about every call of the tool.
func wide(c facts.Facts, r *rules.Rule) bool { return r.Bare && r.SpeaksOf(c.Call().Tool) }

// runsPart is runsUnder for one part.
func runsPart(c facts.Facts, list []rules.Rule, u *facts.Unit) (runs, more bool) {
	sub, g := u.Sub(), c.Grammar()
	hit, allowed := c.Allows(list, u)
	parted := hit.Whole && g != nil && (u.Effect() != nil || len(c.Script().Subcommands) > 1) // the host compares each part
	switch {
	case allowed && !parted:
		return true, false
	case sub == nil: // the host may take the rule for the command for one about both
		return u.Subject().Tool == rules.Sandbox, true
	case u.Effect() != nil:
		return !u.Effect().Redirect, c.AutorunOf(u) != nil
	case g == nil && ownVariables(sub):
		return false, false
	case coveredByHost(c, list, u): // of Bash(head *) and head alone nothing is held back
		return true, sub.PatternBlockers != nil || c.Sure(asPrefixes(list), u, *u.Subject().Command) == nil
	}
	switch {
	case g != nil && (through(g, sub) || sub.Program == "cd"): // the command inside counts, and a cd into the project
		return true, false
	case launchedBy(c, g, list, u):
		return true, !readsHere(sub)
	case g == nil:
		return !sub.Launcher && readsHere(sub) || c.Policy().Mode.Value != "default", false
	}
	return runsByMode(c, g, sub), false
}

// launchedBy reports whether a rule covers what launches a part, and so whatever that runs. Of what a host looks through
// only xargs does.
func launchedBy(c facts.Facts, g *hookio.Grammar, list []rules.Rule, u *facts.Unit) bool {
	for o := range c.Units() {
		by := o.Sub()
		if o == u || !facts.Launched(u.Sub()) {
			break
		}
		if by == nil || !o.IsCommand(by) || !by.Launcher || !by.Span.Contains(u.Sub().Span) {
			continue
		}
		if taken := g != nil && through(g, by) && by.Program != "xargs"; !taken && (c.Allowed(list, o) || coveredByHost(c, list, o)) {
			return true
		}
	}
	return false
}

// ownVariables: hosts look at variables in front of a command themselves, each at its own list; on none are those that
// name programs and code.
func ownVariables(sub *bashsafety.Subcommand) bool {
	return sub.Hidden && len(sub.Assigns) > 0 && !facts.Launched(sub) && !sub.Steered()
}

// runsByMode reports whether the host runs a command in its mode without a rule.
func runsByMode(c facts.Facts, g *hookio.Grammar, sub *bashsafety.Subcommand) bool {
	switch c.Policy().Mode.Value {
	case "auto":
		return false
	case "acceptEdits":
		if listed(g.Edits, sub) {
			return true
		}
	}
	return !sub.Launcher && listed(g.Reads, sub) && (readsHere(sub) || sub.Redirected)
}

// listed reports whether a command is one of a list.
func listed(list string, sub *bashsafety.Subcommand) bool {
	return slices.Contains(strings.Fields(list), sub.Program)
}

// through reports whether a host looks through a command at the one that it runs: where it has no options.
func through(g *hookio.Grammar, sub *bashsafety.Subcommand) bool {
	return sub.Launcher && listed(g.Through, sub) && len(sub.Argv) > 1 && !strings.HasPrefix(sub.Argv[1].Text, "-")
}

// checkable reports whether a host compares a text with its rules at all, and finds no command in it that it always
// asks about.
func checkable(c facts.Facts) bool {
	g, moved, straight := c.Grammar(), false, c.Script().Straightforward()
	for i := 0; straight && i < len(c.Script().Subcommands); i++ {
		sub := &c.Script().Subcommands[i]
		if sub.Script != nil {
			continue
		}
		if sub.Program == "cd" {
			moved, straight = true, staysInside(c, sub)
		}
		odd := func(a bashsafety.Assign) bool {
			return !facts.Launched(sub) && (!a.Value.Known || !g.Inert(a.Name, a.Value.Text)) // env has its own words
		}
		blind := listed(g.Blind, sub) || actsByOptions(sub)
		if blind || slices.ContainsFunc(sub.Assigns, odd) || moved && sub.Program == "git" {
			return false
		}
		redirects := func(e bashsafety.Effect) bool { return e.Redirect && e.Kind == bashsafety.Write }
		straight = straight && !(c.Policy().Mode.Value == "auto" && slices.ContainsFunc(sub.Effects, redirects))
	}
	return straight
}

// actsByOptions reports whether find or awk runs or changes something.
func actsByOptions(sub *bashsafety.Subcommand) bool {
	switch sub.Program {
	case "find":
		return sub.Launcher || sub.Does(bashsafety.Delete) || sub.Does(bashsafety.Write)
	case "awk":
		return sub.Launcher
	}
	return false
}

// staysInside reports whether a cd goes to a folder of the project.
func staysInside(c facts.Facts, sub *bashsafety.Subcommand) bool {
	known := len(sub.Argv) == 2 && sub.Argv[1].Known && len(sub.Dirs) == 1
	return known && c.World().Inside(c.World().PathIn(sub.Argv[1].Text, sub.Dirs[0]))
}

// readsHere reports whether a command is proven to read, and on this machine.
func readsHere(sub *bashsafety.Subcommand) bool {
	return sub.Here() && sub.Unproven() == "" && !sub.Does(bashsafety.Network)
}

// coveredByHost reports whether a rule covers a part in the wider reading of a host.
func coveredByHost(c facts.Facts, list []rules.Rule, u *facts.Unit) bool {
	return coveredUnnarrowed(c, list, u) || c.Grammar() == nil && coveredWithoutGitOptions(c, list, u)
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
	return c.Sure(list, u, wide) != nil || c.Sure(asPrefixes(list), u, wide) != nil
}

// asPrefixes are the rules of .claude files that end in a blank and their only star: hosts read it as :*, also for the
// command alone.
func asPrefixes(list []rules.Rule) (out []rules.Rule) {
	for _, r := range list {
		if stem, ok := strings.CutSuffix(r.Pattern, " *"); ok && r.Claude && !strings.Contains(stem, "*") {
			r.Pattern = stem + ":*"
			out = append(out, r)
		}
	}
	return out
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

// untrusted reports whether the host would run the call by rules that you have not trusted, with its others, and not
// without. What is proven to read inside the workspace only runs without the rule, too.
func untrusted(c facts.Facts) bool {
	list, own := readByHost(c, c.Policy().Untrusted), readByHost(c, slices.Concat(c.Policy().Allow, c.Policy().Unmanaged))
	if len(list) == 0 || readsInside(c) {
		return false
	}
	if c.Grammar() == nil {
		for u := range c.Units() {
			if u.NeedsAllow() && (c.Allowed(list, u) || coveredByHost(c, list, u)) {
				return true
			}
		}
		return false
	}
	with, _ := runsUnder(c, slices.Concat(own, list))
	without, _ := runsUnder(c, own)
	return with && !without
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
	list, anywhere := readByHost(c, c.Policy().Untrusted), c.Policy().Mode.Value == "auto" && c.Call().Host.AutoClassifier
	switch {
	case c.Script() != nil:
		return untrusted(c)
	case anywhere && rules.KindOf(c.Call().Tool) == "Read": // it reads wherever it wants to there
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
