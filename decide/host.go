package decide

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// hostIgnoresAsk reports whether the host would run the call although a hook asks
// (Host.Guards).
func (c *reading) hostIgnoresAsk() bool {
	h := c.Call.Host
	if h == nil || len(h.Guards) == 0 || c.hostMode() != rules.ModeBypass || c.Call.Event != hookio.PreToolUse {
		return false
	}
	for u := range c.Units() {
		if u.write && !c.hostsFile(u) && c.hostApproves(h, u) {
			return true
		}
	}
	return false
}

// hostApproves reports whether the host guards a file, and so approves writing it
// by itself in bypassPermissions.
func (c *scene) hostApproves(h *hookio.Host, u *unit) bool {
	return c.guard.Sensitive(u.target()) != "" || hasComponent(u.hit.Given, h.Guards) || hasComponent(u.hit.Real, h.Guards)
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

// hostMode is the permission mode the host sent, "" when it sent none.
func (in *Input) hostMode() string {
	return cmp.Or(rules.ModeAlias(in.Call.Mode), in.Call.Mode)
}

// strictMode reports whether the mode in effect is stricter than the one the
// host works in: by a lock, a kill switch, a flag, an agent definition. Silence
// would be laxer than the policy then.
func (in *Input) strictMode() bool {
	host := in.hostMode()
	return host != "" && rules.StricterMode(in.Policy.Mode.Value, host)
}

// modeIsOurs reports whether the answer of a mode is ours to give: where no one
// can be asked because a flag, a setting or an agent definition says so, and in
// a mode that denies which the host does not enforce by itself.
func (in *Input) modeIsOurs(v verdict.Verdict) bool {
	if in.cannotAsk() {
		return true
	}
	return v.Decision() == hookio.Deny && !in.modeDenied(v) && in.deniesUnasked()
}

// deniesUnasked reports whether the mode in effect denies what no rule allows.
func (in *Input) deniesUnasked() bool { return refuses(in.Policy.Mode.Value) }

// modeDenied reports whether a deny comes from nothing but a mode that the host
// sent and enforces by itself.
func (in *Input) modeDenied(v verdict.Verdict) bool {
	byMode := v.Decision() == hookio.Deny && (v.Coerced() || v.Origin() == "7") && in.deniesUnasked()
	return byMode && in.defers() && in.hostEnforcesMode() && !in.cannotAsk()
}

// escapeDenied reports whether plan, sent by the host, denies a command that only reads, for no other reason than that
// the host's question to a person may be about leaving the sandbox: that person is about to answer it.
func (c *Case) escapeDenied(v verdict.Verdict) bool {
	asking := c.Call.Event == hookio.PermissionRequest && c.Call.Escape != "" && !c.Call.Subagent() && !c.cannotAsk()
	plan := c.Policy.Mode.Value == "plan" && c.Policy.Mode.FromPayload() && v.Decision() == hookio.Deny &&
		v.Origin() == "7"
	return asking && plan && c.Policy.Posture.ReadOnlyCommands.Value == "allow" && c.unprovenText() == ""
}

// hostEnforcesMode reports whether the mode in effect is the one the host sent, and
// one that it enforces by itself.
func (in *Input) hostEnforcesMode() bool {
	mode := in.Policy.Mode.Value
	return mode == in.hostMode() && in.Policy.Mode.FromPayload() && in.Call.Host.Enforces(mode)
}

// hostCanAsk reports whether the host shows a prompt in the mode it sent.
func (in *Input) hostCanAsk() bool { return in.hostMode() != "dontAsk" }

// hostAsksNobody reports whether an ask would be shown by the host in other modes
// than the one it sent.
func (in *Input) hostAsksNobody() bool {
	shows := hookio.Told(in.Call, hookio.Answer{Decision: hookio.Ask}) == hookio.Ask
	return shows && !in.hostCanAsk()
}

// cannotAsk reports whether an ask of this call reaches no person, whatever the mode.
func (in *Input) cannotAsk() bool {
	if in.Headless || in.Policy.NoPrompts.On() {
		return true
	}
	if !in.subagentDenies() {
		return false
	}
	a := in.Policy.Agent
	return a == nil || a.Found || in.asAgent() || in.strictMode()
}

// hostReads reports whether a rule binds the host as well, because it reads the
// file the rule is in.
func (in *Input) hostReads(r *rules.Rule) bool {
	h := in.Call.Host
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
func (in *Input) readByHost(list []rules.Rule) []rules.Rule {
	if in.Call.Host == nil || in.Call.Host.Alone.Rules == nil {
		return list
	}
	var out []rules.Rule
	for i := range list {
		if in.hostReads(&list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}

// mightCover reports whether a rule, a grant or an additional directory, counted
// or not, covers a write outside the workspace: the host may then let it run.
func (c *Case) mightCover() bool {
	if g := c.Grants; g.All || g.AllBash || g.AllEdits {
		return true
	}
	lists := append(c.GrantLists(), c.Policy.Allow, c.Policy.Untrusted, c.Grants.Rules, c.droppedRules())
	for u := range c.Units() {
		if c.writesOutside(u) && !c.opened(u) && (droppedDir(c.Policy, u) != "" || c.grantedDir(u) ||
			c.mightCoverPart(lists, u)) {
			return true
		}
	}
	return c.Overrun() != nil
}

// grantedDir reports whether a write lies in an additional directory, be it one
// that this caller does not inherit.
func (in *Input) grantedDir(u *unit) bool {
	for i := range in.Policy.Dirs {
		if d := &in.Policy.Dirs[i].Path; rules.Within(u.hit.Given, d.Given) || rules.Within(u.hit.Real, d.Real) {
			return true
		}
	}
	return false
}

// mightCoverPart looks at a part and at the others of its command.
func (c *matcher) mightCoverPart(lists [][]rules.Rule, u *unit) bool {
	for o := range c.Units() {
		if o != u && (u.sub == nil || o.sub != u.sub) {
			continue
		}
		for _, list := range lists {
			if c.allowed(list, u) || c.coveredByHost(list, u) {
				return true
			}
		}
	}
	return false
}

// droppedRules are the allow rules that are written down and do not count.
func (in *Input) droppedRules() []rules.Rule {
	var out []rules.Rule
	for i := range in.Policy.Dropped {
		d := &in.Policy.Dropped[i]
		r, err := rules.ParseRule(d.Text, rules.Allow, rules.ScopeNone, d.Pos, true)
		grants := d.Auto == "" || d.Auto == rules.AutoKeys[rules.AutoAllow].Name
		if err == nil && d.Dir.Given == "" && d.Mode == "" && grants {
			out = append(out, r)
		}
	}
	return out
}

// leavesToHost reports whether silence is possible: the host decides then, and no
// settings file is missing that could have held a rule.
func (in *Input) leavesToHost() bool { return in.defers() && !in.closed() }

// defers reports whether the posture leaves unmatched calls to the host, and
// the host really has a permission flow of its own when it is told nothing.
func (in *Input) defers() bool {
	return in.Policy.Posture.OnUnmatched.Value == "defer" && in.Call.Host != nil && !in.Call.Host.SilenceRuns
}

// withholds reports whether an allow that no rule gave is kept from the host: the user
// left such calls to it, and a file that takes that back may add questions, not skip the host's.
func (in *Input) withholds() bool {
	left := in.defers() || in.Policy.Posture.LeftToHost
	return left && in.Call.Host != nil && !in.Call.Host.SilenceRuns
}

// closed reports whether a settings file that is not the project's could not be
// used: a rule may be missing, so nothing is left to the host. Of a key that is
// not known here the host knows no more: what it decides alone it goes on deciding.
func (in *Input) closed() bool { return in.faultOutsideProject(false) }

// faultOutsideProject reports whether a settings file that is not the project's has a fault:
// an unknown key, or one that closes it.
func (in *Input) faultOutsideProject(key bool) bool {
	for i := range in.Policy.Faults {
		f := &in.Policy.Faults[i]
		if f.Closed && f.Key == key && f.Scope != rules.Shared && f.Scope != rules.Local {
			return true
		}
	}
	return false
}

// closedBy reports whether a file of one scope could not be used. A managed file
// may have held the denials that bind even when others observe.
func (in *Input) closedBy(scope rules.Scope) bool {
	for i := range in.Policy.Faults {
		if f := &in.Policy.Faults[i]; f.Closed && f.Scope == scope {
			return true
		}
	}
	return false
}

// ObserveOnly reports whether the verdict is kept from the host because the gate
// only observes (enforce: false). A deny of managed settings is answered all
// the same, and so is everything while a managed file cannot be used.
func (v Verdict) ObserveOnly() bool { return v.of != nil && v.of.observesOnly(v.Verdict) }

func (in *Input) observesOnly(v verdict.Verdict) bool {
	return in.Policy.Posture.Enforce.Value == "false" && !(v.Decision() == hookio.Deny && v.Why().Managed) &&
		!in.closedBy(rules.Managed)
}

func notDeciding(c *Case, _ verdict.Verdict, _ hookio.Decision) bool { return !c.Call.Event.Decides() }

// questionToUser: a tool that asks the user is never answered for them.
func questionToUser(c *Case, v verdict.Verdict, _ hookio.Decision) bool {
	if !NeedsUser(c.Call.Tool) {
		return false
	}
	if v.Decision() == hookio.Allow {
		return c.Call.Tool == "ExitPlanMode" || c.Call.Event == hookio.PermissionRequest
	}
	return v.Decision() == hookio.Ask && v.Step() == "7"
}

// dialogOpen: on PermissionRequest an ask is the dialog that is shown anyway,
// and only what the user or a rule allowed answers it; a mode's default does not.
func dialogOpen(c *Case, v verdict.Verdict, told hookio.Decision) bool {
	if c.Call.Event != hookio.PermissionRequest || told == hookio.Deny {
		return false
	}
	if v.Decision() != hookio.Allow {
		return true
	}
	switch v.Step() {
	case "4", "6":
		return false
	case "3":
		return c.withholds()
	}
	return !v.ReadOnly() && !c.autoSpeaks()
}

// autoSpeaks reports whether an allow of mode auto is ours to give.
func (in *Input) autoSpeaks() bool {
	ours := in.Policy.Mode.Value == "auto" && !in.Call.Host.AutoClassifier && !in.withholds()
	return ours && !rules.SafeTool(in.Call.Grantee())
}

// hostClassifies: an allow of mode auto would silence the host's classifier.
func hostClassifies(c *Case, v verdict.Verdict, told hookio.Decision) bool {
	if c.Policy.Mode.Value != "auto" || !c.Call.Host.AutoClassifier {
		return false
	}
	return told == hookio.Allow && v.Step() == "7" && !rules.SafeTool(c.Call.Grantee())
}

// observedAllow: the user's files observe, and a file that takes that back brings
// questions and denials back.
func observedAllow(c *Case, v verdict.Verdict, told hookio.Decision) bool {
	return c.Policy.Posture.Observes && told == hookio.Allow && !c.observesOnly(v)
}

// hostsModeAllows: an allow that no rule, grant or switch gave. The host has its
// own idea of what is safe, and our allow would skip its questions.
func hostsModeAllows(c *Case, v verdict.Verdict, told hookio.Decision) bool {
	return c.withholds() && told == hookio.Allow && (v.Step() == "3" || allowOfMode(v))
}

// hostsOwnFile: what the host tells its agent to write is not allowed by us.
func hostsOwnFile(c *Case, v verdict.Verdict, _ hookio.Decision) bool {
	return c.withholds() && v.Decision() == hookio.Allow && c.writesOwn()
}

// hostChecksPlace: the host looks by itself at writes outside its folders. Our
// ask would be a second one, and our allow for a temporary file would skip its own.
func hostChecksPlace(c *Case, v verdict.Verdict, told hookio.Decision) bool {
	if !c.withholds() || !c.Call.Host.ChecksWorkspace(c.Call.Grantee(), c.hostMode()) {
		return false
	}
	switch {
	case told == hookio.Allow:
		return c.writesTemporary()
	case !c.leavesToHost():
	case v.Origin() == "3b" && c.Policy.Posture.OutsideReads.Value != "ask":
		return !c.strictMode() && !c.modeIsOurs(v) && !c.mightCover()
	}
	return false
}

// projectFault: a settings file of the project that cannot be used takes our
// allow away and no more; in modes where silence runs the call the ask stays, where
// the mode in effect is stricter than the host's, and where the user's own file or a
// managed one holds an unknown key.
func projectFault(c *Case, v verdict.Verdict, _ hookio.Decision) bool {
	if !v.Faulted() || !c.leavesToHost() {
		return false
	}
	if v.Origin() == "7" && c.Call.Event == hookio.PreToolUse && c.untrustedRead() {
		return false // it was an ask without the fault, too; the dialog of PermissionRequest is one
	}
	ofMode := v.Origin() == "3" || v.Origin() == "7"
	return ofMode || !c.silenceRuns() && !c.strictMode() && !c.faultOutsideProject(true)
}

// silenceRuns reports whether the host, in the mode it sent, runs most of what is not
// answered.
func (in *Input) silenceRuns() bool {
	mode := in.hostMode()
	return mode == "bypassPermissions" || mode == "acceptEdits"
}

// unmatched: no rule and no classifier of the operator's spoke, and the mode that
// answered is the host's own.
func unmatched(c *Case, v verdict.Verdict, _ hookio.Decision) bool {
	refused := v.Decision() == hookio.Ask || v.Decision() == hookio.Deny
	if v.Origin() != "7" || v.Faulted() || !refused || stopped(v) {
		return false
	}
	if !c.leavesToHost() || c.strictMode() || c.modeIsOurs(v) {
		return false
	}
	return c.Call.Event == hookio.PermissionRequest || !c.narrowedHere()
}

// allowOfMode reports whether a mode's default allowed the call, and no rule,
// grant or switch of the user.
func allowOfMode(v verdict.Verdict) bool {
	return v.Decision() == hookio.Allow && v.Step() == "7" && !v.ReadOnly()
}

// untrustedDenied reports whether no prompt would be shown about an allow of an untrusted rule.
func (in *Input) untrustedDenied() bool {
	ours := in.deniesUnasked() && !(in.defers() && in.hostEnforcesMode())
	return in.Call.Event == hookio.PreToolUse && (ours || in.cannotAsk() || !in.hostCanAsk())
}

// stopped reports whether the operator's classifier wants a call confirmed or denied.
// Silence would be laxer than that.
func stopped(v verdict.Verdict) bool {
	j := v.Why().Judged
	return j.Asked() && (j.Verdict == say.AutoSoftDeny || j.Verdict == say.AutoHardDeny)
}

// AllowForSession reports whether the host is to be told, with the answer, to allow
// the very same text by itself until its session ends. Only "alwaysAllow":
// "session" asks for that, for what a rule or a grant of the user allows, and only
// for a plain command that every program reads alike and that names no file: a host
// looks at the text, and knows neither the folder it would run in then nor what a
// pattern holds back. What a subagent may is not what the session may.
func (v Verdict) AllowForSession() bool {
	c := v.of
	byUser := v.Decision() == hookio.Allow && (v.Step() == "4" || v.Step() == "6")
	if !byUser || c.Policy.Posture.AlwaysAllow.Value != "session" || c.Call.Event != hookio.PermissionRequest {
		return false
	}
	sub := c.onlyCommand()
	if sub == nil || !c.inMainLoop() || !unadorned(sub) || c.Grants.ends(v.Why().Rule) {
		return false
	}
	return Spell(sub.Argv) == c.Call.Command && readAlike(c.Call.Command)
}

// inMainLoop reports whether the call is the session's own, in its own folder.
func (in *Input) inMainLoop() bool {
	return in.Call.Grantee() == "Bash" && in.Call.Dir == "" && !in.Call.Subagent() && !in.asAgent()
}

// onlyCommand is the command of a text that is one, and nothing to be asked about.
func (c *reading) onlyCommand() *bashsafety.Subcommand {
	s := c.Script
	if s == nil || len(s.Subcommands) != 1 || len(s.Findings)+len(s.Doubts) > 0 || c.Only() == nil {
		return nil
	}
	return &s.Subcommands[0]
}

// unadorned reports whether nothing runs a command, is set for it or narrows the
// rules for it.
func unadorned(sub *bashsafety.Subcommand) bool {
	return len(sub.PatternBlockers)+len(sub.Via)+len(sub.Assigns)+len(sub.Outer) == 0 && !sub.Launcher && sub.Here()
}

// readAlike reports whether a text has only characters that no shell and no
// pattern treats specially. Gen reads a:b as the command a with the operand b.
func readAlike(text string) bool {
	special := func(r rune) bool {
		return !plainLetter(r) && !isDigit(r) && !strings.ContainsRune(" -_./=,@+:", r)
	}
	name, _, _ := strings.Cut(text, " ")
	return !strings.ContainsFunc(text, special) && !strings.HasSuffix(text, ":") && !strings.Contains(name, ":")
}
