// Package lifts holds what takes back a question that step 2 or 3b found. Only package decide applies it.
package lifts

import (
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/asks"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
)

// All are all reasons not to ask what step 2 or step 3b would ask. What takes back a question that was asked is
// in more places: the other reading of a cd (decide.readAgain), the operator's classifier (verdict.ByAuto), step 8b
// (verdict.ByApprover), step 9 (host.Deferrals) and a gate that only observes (decide.Verdict.Answer).
func All() []verdict.Lift[facts.Facts] {
	return []verdict.Lift[facts.Facts]{
		verdict.NewLift(`"destructive" is "practical", and the removal takes only what a build makes again, what is temporary, what git can bring back, or no more than rm takes`,
			func(c facts.Facts, f asks.Finding) bool { return c.Waived(f.Finding) }),
		verdict.NewLift("an exact rule of the user's own names this very command, and it was recorded for this place",
			func(c facts.Facts, f asks.Finding) bool { return lifted(c, f.Finding) }),
		verdict.NewLift(`"destructive" is "practical", and dd makes a new file or changes a plain one of the workspace`,
			func(c facts.Facts, f asks.Finding) bool { return writesPlainly(c, f.Finding) }),
		verdict.NewLift("it can run and write nothing, no rule could be about it, and the host decides by itself",
			func(c facts.Facts, d asks.Doubt) bool { return hostsDoubt(c, d.Doubt) }),

		verdict.NewLift("the plan that mode plan is for, or a file that the host tells its agent to keep: step 9 never allows it",
			func(c facts.Facts, w asks.SensitiveWrite) bool { return c.PlanFile(w.Unit) || c.HostsFile(w.Unit) }),
		verdict.NewLift(asks.SaidYes, func(c facts.Facts, w asks.SensitiveWrite) bool { return c.Answered(asks.ContentTarget(c, w.Unit)) }),
		verdict.NewLift("an exact rule of the user or of managed settings names the file, or the command that reads it",
			func(c facts.Facts, r asks.SecretRead) bool { return c.AllowedByName(r.Unit) }),
		verdict.NewLift(`"destructive" is "practical", and the file is the user's own: sourcing it runs what bash FILE would run`,
			func(c facts.Facts, s asks.Sourced) bool { return usersSource(c, s.Sub, s.Effect) }),
		verdict.NewLift(asks.SaidYes,
			func(c facts.Facts, r asks.Repository) bool {
				return c.Answered(asks.RepositoryTarget(c, r.Sub, r.Effect))
			}),
		verdict.NewLift("a work tree of the project's own repository, or a repository that the user named as their own, where no more runs than then",
			func(c facts.Facts, r asks.Repository) bool { return c.OwnRepository(r.Sub, r.Effect) }),

		verdict.NewLift("the place is open: one of openPlaces holds", func(c facts.Facts, w asks.OutsideWrite) bool { return Opened(c, w.Unit) }),
		verdict.NewLift("an exact rule of the user's own names this very command, and it was recorded for this place",
			func(c facts.Facts, w asks.OutsideWrite) bool { return liftedWrite(c, w.Unit) }),
		verdict.NewLift(asks.SaidYes, func(c facts.Facts, w asks.OutsideWrite) bool { return c.Answered(asks.PlaceTarget(c, w.Unit)) }),
		verdict.NewLift("an allow rule with an absolute path names the place, or an exact rule of the user's own this very command",
			func(c facts.Facts, r asks.OutsideRead) bool {
				return c.Reaches(r.Unit) || r.Named && liftedWrite(c, r.Unit)
			}),
		verdict.NewLift("a file that the host tells its agent to keep, or one in a temporary folder that only the user can have put there",
			func(c facts.Facts, r asks.OutsideRead) bool { return c.HostsPlace(r.Unit) || c.ReadsTemp(r.Unit) }),
		verdict.NewLift(asks.SaidYes, func(c facts.Facts, r asks.OutsideRead) bool { return c.Answered(asks.PlaceTarget(c, r.Unit)) }),
	}
}

// openPlaces are the places outside the workspace that a call may write to.
var openPlaces = [...]struct {
	why   string
	holds func(facts.Facts, *facts.Unit) bool
}{
	{"the plan that mode plan is for", func(c facts.Facts, u *facts.Unit) bool { return c.PlanFile(u) }},
	{"a file that the host tells its agent to keep: step 9 never allows it", func(c facts.Facts, u *facts.Unit) bool { return c.HostsFile(u) }},
	{"a file in a temporary folder that only the user can have put there, or one that is new",
		func(c facts.Facts, u *facts.Unit) bool { return c.WritesTemp(u) }},
	{"an allow rule with an absolute path names the place", func(c facts.Facts, u *facts.Unit) bool { return u.Hit().Given != "" && c.Reaches(u) }},
}

// Opened reports whether a part writes to an open place.
func Opened(c facts.Facts, u *facts.Unit) bool {
	for i := range openPlaces {
		if openPlaces[i].holds(c, u) {
			return true
		}
	}
	return false
}
