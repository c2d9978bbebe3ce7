// Package host is step 9: what the calling program is told of a verdict, and when it is told nothing.
package host

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/asks"
	"github.com/permgate--owner/permgate/decide/internal/lifts"
	"github.com/permgate--owner/permgate/decide/internal/proofs"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// hostIgnoresAsk reports whether the host would run the call although a hook asks
// (Host.Guards).
func hostIgnoresAsk(c facts.Facts) bool {
	h := c.Call().Host
	if h == nil || len(h.Guards) == 0 || sentMode(c) != rules.ModeBypass || c.Call().Event != hookio.PreToolUse {
		return false
	}
	for u := range c.Units() {
		if u.Write() && !c.HostsFile(u) && hostApproves(c, h, u) {
			return true
		}
	}
	return false
}

// hostApproves reports whether the host guards a file, and so approves writing it
// by itself in bypassPermissions.
func hostApproves(c facts.Facts, h *hookio.Host, u *facts.Unit) bool {
	guarded := hasComponent(u.Hit().Given, h.Guards) || hasComponent(u.Hit().Real, h.Guards)
	return guarded || c.Guard().Sensitive(u.Target()) != ""
}

// hasComponent reports whether a component of a path is, or could be, one of a list.
func hasComponent(name string, list []string) bool {
	for part := range strings.SplitSeq(world.FoldPath(name), "/") {
		if part != "" && slices.ContainsFunc(list, func(want string) bool { return world.ComponentIs(part, want) }) {
			return true
		}
	}
	return false
}

// sentMode is the permission mode the host sent, "" when it sent none.
func sentMode(c facts.Facts) string {
	return cmp.Or(rules.ModeAlias(c.Call().Mode), c.Call().Mode)
}

// strictMode reports whether the mode in effect is stricter than the one the
// host works in: by a lock, a kill switch, a flag, an agent definition. Silence
// would be laxer than the policy then.
func strictMode(c facts.Facts) bool {
	host := sentMode(c)
	return host != "" && rules.StricterMode(c.Policy().Mode.Value, host)
}

// modeIsOurs reports whether the answer of a mode is ours to give: where no one
// can be asked because a flag, a setting or an agent definition says so, and in
// a mode that denies which the host does not enforce by itself.
func modeIsOurs(c facts.Facts, v verdict.Verdict) bool {
	if cannotAsk(c) {
		return true
	}
	return v.Decision() == hookio.Deny && !modeDenied(c, v) && facts.Refuses(c.Policy().Mode.Value)
}

// modeDenied reports whether a deny comes from nothing but a mode that the host
// sent and enforces by itself.
func modeDenied(c facts.Facts, v verdict.Verdict) bool {
	byMode := v.Decision() == hookio.Deny && (v.Coerced() || v.Origin() == "7") && facts.Refuses(c.Policy().Mode.Value)
	return byMode && c.Defers() && hostEnforcesMode(c) && !cannotAsk(c)
}

// escapeDenied reports whether plan, sent by the host, denies a command that only reads, for no other reason than that
// the host's question to a person may be about leaving the sandbox: that person is about to answer it.
func escapeDenied(c facts.Facts, v verdict.Verdict) bool {
	asking := c.Call().Event == hookio.PermissionRequest && c.Call().Escape != "" && !c.Call().Subagent() && !cannotAsk(c)
	plan := c.Policy().Mode.Value == "plan" && c.Policy().Mode.FromPayload() && v.Decision() == hookio.Deny &&
		v.Origin() == "7"
	return asking && plan && c.Policy().Posture.ReadOnlyCommands.Value == "allow" && proofs.UnprovenText(c) == ""
}

// hostEnforcesMode reports whether the mode in effect is the one the host sent, and
// one that it enforces by itself.
func hostEnforcesMode(c facts.Facts) bool {
	mode := c.Policy().Mode.Value
	return mode == sentMode(c) && c.Policy().Mode.FromPayload() && c.Call().Host.Enforces(mode)
}

// canAsk reports whether the host shows a prompt in the mode it sent.
func canAsk(c facts.Facts) bool { return sentMode(c) != "dontAsk" }

// hostAsksNobody reports whether an ask would be shown by the host in other modes
// than the one it sent.
func hostAsksNobody(c facts.Facts) bool {
	shows := hookio.Told(c.Call(), hookio.Answer{Decision: hookio.Ask}) == hookio.Ask
	return shows && !canAsk(c)
}

// cannotAsk reports whether an ask of this call reaches no person, whatever the mode.
func cannotAsk(c facts.Facts) bool {
	if c.Headless() || c.Policy().NoPrompts.On() {
		return true
	}
	if !c.SubagentDenies() {
		return false
	}
	a := c.Policy().Agent
	return a == nil || a.Found || c.AsAgent() || strictMode(c)
}

// mightCover reports whether a rule, a grant or an additional directory, counted
// or not, covers a write outside the workspace: the host may then let it run.
func mightCover(c facts.Facts) bool {
	if g := c.Grants(); g.All || g.AllBash || g.AllEdits {
		return true
	}
	lists := append(c.GrantLists(), c.Policy().Allow, c.Policy().Untrusted, c.Grants().Rules, droppedRules(c))
	for u := range c.Units() {
		if asks.WritesOutside(c, u) && !lifts.Opened(c, u) && (asks.DroppedDir(c.Policy(), u) != "" || grantedDir(c, u) ||
			mightCoverPart(c, lists, u)) {
			return true
		}
	}
	return c.Overrun() != nil
}

// grantedDir reports whether a write lies in an additional directory, be it one
// that this caller does not inherit.
func grantedDir(c facts.Facts, u *facts.Unit) bool {
	for i := range c.Policy().Dirs {
		if d := &c.Policy().Dirs[i].Path; rules.Within(u.Hit().Given, d.Given) || rules.Within(u.Hit().Real, d.Real) {
			return true
		}
	}
	return false
}

// mightCoverPart looks at a write, at its command and at what launches that. Hosts that cover no redirect by a rule
// on a command ask about the file by themselves.
func mightCoverPart(c facts.Facts, lists [][]rules.Rule, u *facts.Unit) bool {
	g := c.Grammar()
	alone := g != nil && !g.Redirects && u.Effect() != nil && u.Effect().Redirect
	for o := range c.Units() {
		runs := u.Sub() != nil && o.Sub() != nil && o.IsCommand(o.Sub()) && o.Sub().Span.Contains(u.Sub().Span)
		if o != u && !runs {
			continue
		}
		if g != nil && runs && (actsByOptions(o.Sub()) || listed(g.Blind, o.Sub())) {
			return false // the host asks about that whatever rule there is
		}
		for _, list := range lists {
			hit, ok := c.Allows(list, o)
			if covers := o == u || !alone || ok && hit.Rule.Bare; covers && (ok || coveredByHost(c, list, o)) {
				return true
			}
		}
	}
	return false
}

// ObservesOnly is Verdict.ObserveOnly of package decide.
func ObservesOnly(c facts.Facts, v verdict.Verdict) bool {
	return c.Policy().Posture.Enforce.Value == "false" && !(v.Decision() == hookio.Deny && v.Why().Managed) &&
		!closedBy(c, rules.Managed)
}

func notDeciding(c facts.Facts, _ verdict.Verdict, _ hookio.Decision) bool {
	return !c.Call().Event.Decides()
}

// questionToUser: a tool that asks the user is never answered for them.
func questionToUser(c facts.Facts, v verdict.Verdict, _ hookio.Decision) bool {
	if !facts.NeedsUser(c.Call().Tool) {
		return false
	}
	if v.Decision() == hookio.Allow {
		return c.Call().Tool == "ExitPlanMode" || c.Call().Event == hookio.PermissionRequest
	}
	return v.Decision() == hookio.Ask && v.Step() == "7"
}

// dialogOpen: on PermissionRequest an ask is the dialog that is shown anyway,
// and only what the user or a rule allowed answers it; a mode's default does not.
func dialogOpen(c facts.Facts, v verdict.Verdict, told hookio.Decision) bool {
	if c.Call().Event != hookio.PermissionRequest || told == hookio.Deny {
		return false
	}
	if v.Decision() != hookio.Allow {
		return true
	}
	switch v.Step() {
	case "4", "6":
		return false
	case "3":
		return withholds(c)
	}
	return !v.ReadOnly() && !autoSpeaks(c)
}

// autoSpeaks reports whether an allow of mode auto is ours to give.
func autoSpeaks(c facts.Facts) bool {
	ours := c.Policy().Mode.Value == "auto" && !c.Call().Host.AutoClassifier && !withholds(c)
	return ours && !rules.SafeTool(c.Call().Grantee())
}

// hostClassifies: an allow of mode auto would silence the host's classifier.
func hostClassifies(c facts.Facts, v verdict.Verdict, told hookio.Decision) bool {
	if c.Policy().Mode.Value != "auto" || !c.Call().Host.AutoClassifier {
		return false
	}
	if told == hookio.Allow && v.Step() == "6" {
		return suspended(c)
	}
	return told == hookio.Allow && v.Step() == "7" && !rules.SafeTool(c.Call().Grantee())
}

// suspended reports whether a call is allowed by rules alone that the host reads and that do not count in auto there.
func suspended(c facts.Facts) bool {
	g, lists := c.Grammar(), c.GrantLists()
	if g == nil || c.Strict() { // an agent's own list, the only one then, is no rule of the host
		return false
	}
	lists[0] = only(lists[0], func(r *rules.Rule) bool { return !hostReads(c, r) || !suspends(g, r) })
	return !slices.ContainsFunc(lists, func(list []rules.Rule) bool {
		_, missing := c.Covered(list)
		_, mixed := proofs.Mixed(c, list)
		return missing == nil || mixed
	})
}

// suspends reports whether a rule does not count in auto: one on every command, on an agent, or on what runs any code.
func suspends(g *hookio.Grammar, r *rules.Rule) bool {
	if r.Bare || r.Tool == "Agent" {
		return r.Tool == "Agent" || rules.CommandTool(r.Tool)
	}
	stem, wide := strings.CutSuffix(strings.TrimSuffix(r.Pattern, "*"), ":")
	starts := func(s string) bool { return stem == s || strings.HasPrefix(stem, s+" ") }
	return rules.CommandTool(r.Tool) && (wide || stem != r.Pattern) && slices.ContainsFunc(strings.Split(g.Suspends, "|"), starts)
}

// observedAllow: the user's files observe, and a file that takes that back brings
// questions and denials back.
func observedAllow(c facts.Facts, v verdict.Verdict, told hookio.Decision) bool {
	return c.Policy().Posture.Observes && told == hookio.Allow && !ObservesOnly(c, v)
}

// hostsModeAllows: an allow that no rule, grant or switch gave. The host has its
// own idea of what is safe, and our allow would skip its questions.
func hostsModeAllows(c facts.Facts, v verdict.Verdict, told hookio.Decision) bool {
	ofMode := v.Step() == "3" || allowOfMode(v)
	return ofMode && told == hookio.Allow && withholds(c)
}

// hostsOwnFile: what the host tells its agent to write is not allowed by us.
func hostsOwnFile(c facts.Facts, v verdict.Verdict, _ hookio.Decision) bool {
	return withholds(c) && v.Decision() == hookio.Allow && writesOwn(c)
}

// hostChecksPlace: the host looks by itself at writes outside its folders. Our
// ask would be a second one, and our allow for a temporary file would skip its own.
func hostChecksPlace(c facts.Facts, v verdict.Verdict, told hookio.Decision) bool {
	if !withholds(c) || !c.Call().Host.ChecksWorkspace(c.Call().Grantee(), sentMode(c)) {
		return false
	}
	switch {
	case told == hookio.Allow:
		return writesTemporary(c)
	case !leavesToHost(c), c.Call().Event == hookio.PreSkillShellCommand: // there it has looked, and let it go on
	case v.Origin() == "3b" && c.Policy().Posture.OutsideReads.Value != "ask":
		return !strictMode(c) && !modeIsOurs(c, v) && !mightCover(c)
	}
	return false
}

// projectFault: a settings file of the project that cannot be used takes our
// allow away and no more; in modes where silence runs the call the ask stays, where
// the mode in effect is stricter than the host's, and where the user's own file or a
// managed one holds an unknown key.
func projectFault(c facts.Facts, v verdict.Verdict, _ hookio.Decision) bool {
	if !v.Faulted() || !leavesToHost(c) {
		return false
	}
	if v.Origin() == "7" && c.Call().Event != hookio.PermissionRequest && untrustedRead(c) {
		return false // it was an ask without the fault, too; the dialog of PermissionRequest is one
	}
	ofMode := v.Origin() == "3" || v.Origin() == "7"
	return ofMode || !silenceRuns(c) && !strictMode(c) && !faultOutsideProject(c, true)
}

// silenceRuns reports whether the host, in the mode it sent, runs most of what is not
// answered.
func silenceRuns(c facts.Facts) bool {
	mode := sentMode(c)
	return mode == "bypassPermissions" || mode == "acceptEdits"
}

// unmatched: no rule and no classifier of the operator's spoke, and the mode that
// answered is the host's own.
func unmatched(c facts.Facts, v verdict.Verdict, _ hookio.Decision) bool {
	refused := v.Decision() == hookio.Ask || v.Decision() == hookio.Deny
	if v.Origin() != "7" || v.Faulted() || !refused || stopped(v) {
		return false
	}
	if !leavesToHost(c) || strictMode(c) || modeIsOurs(c, v) {
		return false
	}
	return c.Call().Event == hookio.PermissionRequest || !narrowedHere(c)
}

// allowOfMode reports whether a mode's default allowed the call, and no rule,
// grant or switch of the user.
func allowOfMode(v verdict.Verdict) bool {
	return v.Decision() == hookio.Allow && v.Step() == "7" && !v.ReadOnly()
}

// untrustedDenied reports whether no prompt would be shown about an allow of an untrusted rule.
func untrustedDenied(c facts.Facts) bool {
	ours := facts.Refuses(c.Policy().Mode.Value) && !(c.Defers() && hostEnforcesMode(c))
	return c.Call().Event == hookio.PreToolUse && (ours || cannotAsk(c) || !canAsk(c))
}

// stopped reports whether the operator's classifier wants a call confirmed or denied.
// Silence would be laxer than that.
func stopped(v verdict.Verdict) bool {
	j := v.Why().Judged
	return j.Asked() && (j.Verdict == say.AutoSoftDeny || j.Verdict == say.AutoHardDeny)
}
