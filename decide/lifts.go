package decide

import "github.com/permgate--owner/permgate/bashsafety"

// A lift is one reason not to ask what step 2 or step 3b would ask. All of them are listed
// here, and are used through Case.takesBack alone. What takes back an ask that was made
// is in two more places: step 8b (grantApproval) and step 9 (HostSteps).
// TestLifts looks through the source and finds no other.
type lift struct {
	takes questions
	why   string // why it is sound not to ask
	holds func(*Case, *question) bool
}

// questions are kinds of questions.
type questions uint8

const (
	askFinding    questions = 1 << iota // step 2: a finding of the shell analysis
	askDoubt                            // step 2: what the shell analysis does not understand
	askSensitive                        // step 2: a write to what runs later or holds credentials
	askSecret                           // step 2: a read of keys or tokens
	askOutside                          // step 3b: a write to a place outside the workspace
	askWrite                            // step 3b: the same, of a place that no other lift opens
	askRead                             // step 3b: a read outside the workspace
	askRepository                       // step 2: a git command in another repository
)

// A question is what a step is about to ask about.
type question struct {
	finding *bashsafety.Finding
	doubt   *bashsafety.Doubt
	unit    *unit
	sub     *bashsafety.Subcommand
	effect  *bashsafety.Effect // of sub
}

var lifts = [...]lift{
	{askFinding, `"destructive" is "practical", and the removal takes only what a build makes again, what is temporary, what git can bring back, or no more than rm takes`,
		func(c *Case, q *question) bool { return c.waived(q.finding) }},
	{askFinding, "an exact rule of the user's own names this very command, and it was recorded for this place",
		func(c *Case, q *question) bool { return c.lifted(q.finding) }},
	{askFinding, `"destructive" is "practical", and dd makes a new file or changes a plain one of the workspace`,
		func(c *Case, q *question) bool { return c.writesPlainly(q.finding) }},
	{askWrite, "the same, for what the command writes", func(c *Case, q *question) bool { return c.liftedWrite(q.unit) }},
	{askDoubt, "it can run and write nothing, no rule could be about it, and the host decides by itself",
		func(c *Case, q *question) bool { return c.hostsDoubt(q.doubt) }},
	{askSensitive | askOutside, "the plan that mode plan is for", func(c *Case, q *question) bool { return c.planFile(q.unit) }},
	{askSensitive | askOutside, "a file that the host tells its agent to keep: step 9 never allows it",
		func(c *Case, q *question) bool { return c.ownFile(q.unit) }},
	{askSecret, "an exact rule of the user or of managed settings names the file, or the command that reads it",
		func(c *Case, q *question) bool { return c.allowedByName(q.unit) }},
	{askOutside, "a file in a temporary folder that only the user can have put there, or one that is new",
		func(c *Case, q *question) bool { return c.writesTemp(q.unit) }},
	{askOutside, "an allow rule with an absolute path names the place",
		func(c *Case, q *question) bool { return q.unit.hit.Given != "" && c.reaches(q.unit) }},
	{askRead, "the same, for reading", func(c *Case, q *question) bool { return c.reaches(q.unit) }},
	{askRead, "a file that the host tells its agent to keep", func(c *Case, q *question) bool { return c.ownPlace(q.unit) }},
	{askRead, "a file in a temporary folder that only the user can have put there",
		func(c *Case, q *question) bool { return c.readsTemp(q.unit) }},
	{askWrite | askRead, saidYes, func(c *Case, q *question) bool { return c.answered(c.placeQuestion(q.unit)) }},
	{askSensitive, saidYes, func(c *Case, q *question) bool { return c.answered(c.contentQuestion(q.unit)) }},
	{askRepository, saidYes, func(c *Case, q *question) bool { return c.answered(c.repositoryQuestion(q.sub, q.effect)) }},
}

func (c *Case) takesBack(kind questions, q question) bool {
	for i := range lifts {
		if l := &lifts[i]; l.takes&kind != 0 && l.holds(c, &q) {
			return true
		}
	}
	return false
}

// finding returns the first finding of a severity that no lift takes back.
func (c *Case) finding(s bashsafety.Severity) *bashsafety.Finding {
	if c.Script == nil {
		return nil
	}
	for i := range c.Script.Findings {
		if f := &c.Script.Findings[i]; f.Check.Severity == s && !c.takesBack(askFinding, question{finding: f}) {
			return f
		}
	}
	return nil
}

// worst returns the first finding of the highest severity there is.
func (c *Case) worst() *bashsafety.Finding {
	for _, s := range [...]bashsafety.Severity{bashsafety.Catastrophic, bashsafety.Destructive, bashsafety.Suspicious} {
		if f := c.finding(s); f != nil {
			return f
		}
	}
	return nil
}
