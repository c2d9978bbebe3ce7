package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
)

// What questions are about. The type of the evidence is the kind of the question: a lift sees the questions of one
// kind.
type (
	finding struct{ *bashsafety.Finding } // step 2: of the shell analysis, and no catastrophe
	doubt   struct{ *bashsafety.Doubt }   // step 2: what the shell analysis does not understand

	sensitiveWrite struct{ *unit } // step 2: a write to what runs later or holds credentials
	secretRead     struct{ *unit } // step 2: a read of keys or tokens
	outsideWrite   struct{ *unit } // step 3b: a write outside the workspace
	outsideRead    struct {        // step 3b: a read outside the workspace
		*unit
		named bool // a word of the command names it
	}

	sourced    struct{ deed } // step 2: a file outside the workspace that this shell runs
	repository struct{ deed } // step 2: a git command in another repository
)

// A deed is an effect of a command.
type deed struct {
	sub    *bashsafety.Subcommand
	effect *bashsafety.Effect
}

// lifts are all reasons not to ask what step 2 or step 3b would ask. What takes back a question that was asked is
// in more places: the other reading of a cd (readAgain), the operator's classifier (verdict.ByAuto), step 8b
// (verdict.ByApprover), step 9 (Deferrals) and a gate that only observes (Verdict.Answer).
func lifts() []verdict.Lift[*Case] {
	return []verdict.Lift[*Case]{
		verdict.NewLift(`"destructive" is "practical", and the removal takes only what a build makes again, what is temporary, what git can bring back, or no more than rm takes`,
			func(c *Case, f finding) bool { return c.waived(f.Finding) }),
		verdict.NewLift("an exact rule of the user's own names this very command, and it was recorded for this place",
			func(c *Case, f finding) bool { return c.lifted(f.Finding) }),
		verdict.NewLift(`"destructive" is "practical", and dd makes a new file or changes a plain one of the workspace`,
			func(c *Case, f finding) bool { return c.writesPlainly(f.Finding) }),
		verdict.NewLift("it can run and write nothing, no rule could be about it, and the host decides by itself",
			func(c *Case, d doubt) bool { return c.hostsDoubt(d.Doubt) }),

		verdict.NewLift("the plan that mode plan is for, or a file that the host tells its agent to keep: step 9 never allows it",
			func(c *Case, w sensitiveWrite) bool { return c.planFile(w.unit) || c.hostsFile(w.unit) }),
		verdict.NewLift(saidYes, func(c *Case, w sensitiveWrite) bool { return c.answered(c.contentTarget(w.unit)) }),
		verdict.NewLift("an exact rule of the user or of managed settings names the file, or the command that reads it",
			func(c *Case, r secretRead) bool { return c.allowedByName(r.unit) }),
		verdict.NewLift(`"destructive" is "practical", and the file is the user's own: sourcing it runs what bash FILE would run`,
			func(c *Case, s sourced) bool { return c.usersSource(s.sub, s.effect) }),
		verdict.NewLift(saidYes,
			func(c *Case, r repository) bool { return c.answered(c.repositoryTarget(r.sub, r.effect)) }),

		verdict.NewLift("the place is open: one of openPlaces holds", func(c *Case, w outsideWrite) bool { return c.opened(w.unit) }),
		verdict.NewLift("an exact rule of the user's own names this very command, and it was recorded for this place",
			func(c *Case, w outsideWrite) bool { return c.liftedWrite(w.unit) }),
		verdict.NewLift(saidYes, func(c *Case, w outsideWrite) bool { return c.answered(c.placeTarget(w.unit)) }),
		verdict.NewLift("an allow rule with an absolute path names the place, or an exact rule of the user's own this very command",
			func(c *Case, r outsideRead) bool { return c.reaches(r.unit) || r.named && c.liftedWrite(r.unit) }),
		verdict.NewLift("a file that the host tells its agent to keep, or one in a temporary folder that only the user can have put there",
			func(c *Case, r outsideRead) bool { return c.hostsPlace(r.unit) || c.readsTemp(r.unit) }),
		verdict.NewLift(saidYes, func(c *Case, r outsideRead) bool { return c.answered(c.placeTarget(r.unit)) }),
	}
}

// openPlaces are the places outside the workspace that a call may write to.
var openPlaces = [...]struct {
	why   string
	holds func(*Case, *unit) bool
}{
	{"the plan that mode plan is for", func(c *Case, u *unit) bool { return c.planFile(u) }},
	{"a file that the host tells its agent to keep: step 9 never allows it", func(c *Case, u *unit) bool { return c.hostsFile(u) }},
	{"a file in a temporary folder that only the user can have put there, or one that is new",
		func(c *Case, u *unit) bool { return c.writesTemp(u) }},
	{"an allow rule with an absolute path names the place", func(c *Case, u *unit) bool { return u.hit.Given != "" && c.reaches(u) }},
}

// opened reports whether a part writes to an open place.
func (c *Case) opened(u *unit) bool {
	for i := range openPlaces {
		if openPlaces[i].holds(c, u) {
			return true
		}
	}
	return false
}
