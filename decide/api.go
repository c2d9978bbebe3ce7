package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/asks"
	"github.com/permgate--owner/permgate/decide/internal/host"
	"github.com/permgate--owner/permgate/decide/internal/lifts"
	"github.com/permgate--owner/permgate/decide/internal/proofs"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// Unlisted are the addresses that the tool itself fetches and that are asked about
// because urls.allow does not name them. Call it after Decide.
func Unlisted(c facts.Facts, v Verdict) (out []rules.URL) {
	if v.Origin() != "5" || v.Why().Rule != nil || c.Call().URL == "" || c.Policy().Posture.URLsSet.Pos.File == "" {
		return nil
	}
	for _, u := range c.Unlisted() {
		out = append(out, *u.Subject().URL)
	}
	return out
}

// Outside lists the writes that step 3b asks about.
func Outside(c facts.Facts) (out []facts.Part) {
	for _, q := range allStanding(c, asks.Places) {
		if w, ok := verdict.Evidence[asks.OutsideWrite](q); ok {
			out = append(out, w.Part())
		} else if r, ok := verdict.Evidence[asks.OutsideRead](q); ok {
			out = append(out, r.Part())
		}
	}
	return out
}

// ObserveOnly reports whether the verdict is kept from the host because the gate
// only observes (enforce: false). A deny of managed settings is answered all
// the same, and so is everything while a managed file cannot be used.
func (v Verdict) ObserveOnly() bool { return v.in != nil && host.ObservesOnly(v.of, v.Verdict) }

// AllowForSession reports whether the host is to be told, with the answer, to allow
// the very same text by itself until its session ends. Only "alwaysAllow":
// "session" asks for that, for what a rule or a grant of the user allows, and only
// for a plain command that every program reads alike and that names no file: a host
// looks at the text, and knows neither the folder it would run in then nor what a
// pattern holds back. What a subagent may is not what the session may.
func (v Verdict) AllowForSession() bool {
	c := v.of
	byUser := v.Decision() == hookio.Allow && (v.Step() == "4" || v.Step() == "6")
	if !byUser || c.Policy().Posture.AlwaysAllow.Value != "session" || c.Call().Event != hookio.PermissionRequest {
		return false
	}
	sub := host.OnlyCommand(c)
	if sub == nil || !host.InMainLoop(c) || !host.Unadorned(sub) || c.Grants().Ends(v.Why().Rule) {
		return false
	}
	return facts.Spell(sub.Argv) == c.Call().Command && host.ReadAlike(c.Call().Command)
}

// SecretReads are the parts that step 2 asks about as reads of a secret outside
// the project. An exact Read rule in the user's own settings allows each.
func SecretReads(c facts.Facts) []facts.Part {
	if c.Policy().Posture.Secrets.Value != "ask" {
		return nil
	}
	var parts []facts.Part
	for _, q := range allStanding(c, asks.SecretReads) {
		if r, ok := verdict.Evidence[asks.SecretRead](q); ok {
			parts = append(parts, r.Part())
		}
	}
	return parts
}

// Lifts lists the subcommands for which an exact rule of a scope would take back
// what is asked about now: destructive findings, and writes of step 3b. destructive
// is set where it is one of the former.
func Lifts(c facts.Facts, scope rules.Scope) (parts []facts.Part, destructive bool) {
	if !c.Practical() || c.Strict() || c.Script() == nil {
		return nil, false
	}
	for _, q := range allStanding(c, asks.Findings) {
		f, ok := verdict.Evidence[asks.Finding](q)
		if !ok || f.Check.Severity != bashsafety.Destructive || f.Sub < 0 {
			continue
		}
		if u := lifts.Liftable(c, scope, &c.Script().Subcommands[f.Sub], f.Check.About); u != nil {
			parts, destructive = append(parts, u.Part()), true
		}
	}
	for _, q := range allStanding(c, asks.Places) {
		w, ok := verdict.Evidence[asks.OutsideWrite](q)
		if !ok || !w.IsOperand() {
			continue
		}
		if u := lifts.Liftable(c, scope, w.Sub(), bashsafety.AboutFiles); u != nil {
			parts = append(parts, u.Part())
		}
	}
	return parts, destructive
}

// Answer is what the host is told: silence where the gate only observes.
func (v Verdict) Answer() hookio.Answer {
	if v.ObserveOnly() {
		return hookio.Answer{Reason: v.Reason()}
	}
	return v.HostAnswer()
}

// HostAnswer is what the host is told where the gate enforces.
func (v Verdict) HostAnswer() hookio.Answer {
	if v.in == nil { // nothing was decided
		return hookio.Answer{Decision: hookio.Ask}
	}
	told, silence := host.Step(v.of, v.Verdict)
	if silence != "" {
		return hookio.Answer{Reason: v.Reason()}
	}
	return told
}

// Silence says why the host is told nothing and decides by itself, "" where it is
// told. "It" is the host.
func (v Verdict) Silence() string {
	if v.in == nil {
		return ""
	}
	_, why := host.Step(v.of, v.Verdict)
	return why
}

// Dialog reports whether the person is asked this question in the host's own dialog, and by nothing else: then that the
// call went on is their yes. getenv is the hook's environment.
func (v Verdict) Dialog(told hookio.Answer, getenv func(string) string) bool {
	c := v.of
	if len(v.Why().Targets) == 0 || c.Call().Event != hookio.PreToolUse || hookio.Told(c.Call(), told) != hookio.Ask {
		return false
	}
	if c.Policy().Posture.Approver.Value != "" || host.CannotAsk(c) || !host.CanAsk(c) {
		return false
	}
	return c.Call().Host.Attended(host.Mode(c), getenv) && rules.Component(c.Call().SessionID) && c.Call().CallID != ""
}

// Unproven says why a shell text is not proven to only read, "" when it is.
func Unproven(c facts.Facts) string { return proofs.Unproven(c) }

// Deferrals are the reasons to tell the host nothing, in order; "it" is the host.
func Deferrals() (whys []string) {
	for i := range host.Deferrals {
		whys = append(whys, host.Deferrals[i].Why)
	}
	return whys
}
