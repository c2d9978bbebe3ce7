package host

import (
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/hookio"
)

// A Deferral is a reason to tell the host nothing, so that it decides itself.
type Deferral struct {
	Why   string // "it" is the host
	holds func(c facts.Facts, v verdict.Verdict, told hookio.Decision) bool
}

// Deferrals are tried in order. Only the first one keeps an answer from the host that it must be told (mustBeTold).
var Deferrals = [...]Deferral{
	{"this event takes no decision", notDeciding},
	{"the tool is itself a question to the user", questionToUser},
	{"it is about to ask anyway", dialogOpen},
	{"its own classifier judges the call in this mode", hostClassifies},
	{"no rule allows the call", hostsModeAllows},
	{"your settings only observe, and another file that enforces may not allow for you", observedAllow},
	{"the file is one of its own", hostsOwnFile},
	{"it checks writes outside its folders by itself", hostChecksPlace},
	{"a settings file of the project cannot be used", projectFault},
	{"no rule speaks about the call", unmatched},
}

// Step is step 9: what the host would be told of a verdict, and why it is told nothing instead, "" where it is
// told. A question may become a denial, an allow a question or a denial; only a question that was kept is handed back.
// Where the event takes a decision, silence never replaces a deny but one of steps 3, 3b and 7, and replaces a question
// only where the host then asks or decides by itself.
func Step(c facts.Facts, v verdict.Verdict) (told hookio.Answer, silence string) {
	told.Decision = v.Decision()
	switch d, q := tellStricter(c, v); {
	case d.Holds() && v.Decision() != hookio.Deny:
		told = hookio.Answer{Decision: hookio.Deny, Reason: d.String()}
	case q.Holds() && v.Decision() == hookio.Allow:
		told = hookio.Answer{Decision: hookio.Ask, Reason: q.String()}
	case v.Kept().Holds() && (modeDenied(c, v) || escapeDenied(c, v)) && canAsk(c):
		told.Decision = hookio.Ask
	}
	if !mustBeTold(v, told) || !c.Call().Event.Decides() {
		for i := range Deferrals {
			if d := &Deferrals[i]; d.holds(c, v, told.Decision) {
				return told, d.Why
			}
		}
	}
	if told.Reason == "" {
		told.Reason = v.Told(reader(hookio.Told(c.Call(), told)))
	}
	if told.Decision == hookio.Ask && hostAsksNobody(c) {
		why := ". " + c.Call().Host.Title + " asks no one in dontAsk, so this is denied"
		told = hookio.Answer{Decision: hookio.Deny, Reason: hookio.Adding(told.Reason, why)}
	}
	return told, ""
}

// reader is who reads what the host is told.
func reader(told hookio.Decision) verdict.Reader {
	if told == hookio.Ask {
		return verdict.Person
	}
	return verdict.Agent
}

// tellStricter denies a question that the host would not heed, and asks about an allow that only an
// untrusted rule explains.
func tellStricter(c facts.Facts, v verdict.Verdict) (d verdict.Denial, q verdict.Question) {
	switch {
	case v.Decision() == hookio.Ask && hostIgnoresAsk(c):
		why := ". " + c.Call().Host.Title + " in bypassPermissions writes this file even if a hook asks, so this is denied: " +
			"leave that mode to get the prompt"
		return verdict.Deny(verdict.Reason{Text: hookio.Adding(v.Reason(), why)}), q
	case allowOfMode(v) && withholds(c) && untrustedRead(c):
		why := "a rule that you have not trusted allows this" + c.Dropped(c.First())
		r := verdict.Reason{Text: why, Mark: "projectTrust"}
		if untrustedDenied(c) {
			return verdict.Deny(r), q
		}
		q = verdict.Must(verdict.Control, r)
	}
	return d, q
}

// mustBeTold reports whether the host is told an answer in any case: the approver's, and every deny but one whose
// origin is step 3, 3b or 7.
func mustBeTold(v verdict.Verdict, told hookio.Answer) bool {
	switch v.Origin() {
	case "3", "3b", "7":
		return v.Step() == verdict.Approver{}.Num()
	}
	return v.Step() == verdict.Approver{}.Num() || told.Decision == hookio.Deny
}
