package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/asks"
	"github.com/permgate--owner/permgate/decide/internal/host"
	"github.com/permgate--owner/permgate/decide/internal/lifts"
	"github.com/permgate--owner/permgate/decide/internal/proofs"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/rules"
)

// Unlisted are the addresses that the tool itself fetches and that are asked about
// because urls.allow does not name them.
func (v Verdict) Unlisted() (out []rules.URL) {
	c := v.of
	if v.Origin() != "5" || v.Why().Rule != nil || c.Call().URL == "" || c.Policy().Posture.URLsSet.Pos.File == "" {
		return nil
	}
	for _, u := range c.Unlisted() {
		out = append(out, *u.Subject().URL)
	}
	return out
}

// Outside lists the writes that step 3b asks about.
func (v Verdict) Outside() (out []facts.Part) {
	for _, q := range allStanding(v.of, asks.Places) {
		if w, ok := verdict.Evidence[asks.OutsideWrite](q); ok {
			out = append(out, w.Part())
		} else if r, ok := verdict.Evidence[asks.OutsideRead](q); ok {
			out = append(out, r.Part())
		}
	}
	return out
}

// SecretReads are the parts that step 2 asks about as reads of a secret outside
// the project. An exact Read rule in the user's own settings allows each.
func (v Verdict) SecretReads() (parts []facts.Part) {
	if v.of.Policy().Posture.Secrets.Value != "ask" {
		return nil
	}
	for _, q := range allStanding(v.of, asks.SecretReads) {
		if r, ok := verdict.Evidence[asks.SecretRead](q); ok {
			parts = append(parts, r.Part())
		}
	}
	return parts
}

// Lifts lists the subcommands for which an exact rule of a scope would take back
// what is asked about now: destructive findings, and writes of step 3b. destructive
// is set where it is one of the former.
func (v Verdict) Lifts(scope rules.Scope) (parts []facts.Part, destructive bool) {
	c := v.of
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

// Unproven says why a shell text is not proven to only read, "" when it is.
func (v Verdict) Unproven() string { return proofs.Unproven(v.of) }

// Deferrals are the reasons to tell the host nothing, in order; "it" is the host.
func Deferrals() (whys []string) {
	for i := range host.Deferrals {
		whys = append(whys, host.Deferrals[i].Why)
	}
	return whys
}
