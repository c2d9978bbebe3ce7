package load

import (
	"errors"
	"strconv"

	"github.com/permgate--owner/permgate/rules"
)

// What the files of a project may say in all, so that none of them makes the
// gate slow. Beyond it the rest is not read and a fault says so; what the user
// and the administrator write always binds.
const (
	maxProjectRules  = 20000
	maxProjectDirs   = 200     // additional directories: each is looked up on the disk
	maxProjectFaults = 200     // that are kept; one that closes its file always is
	maxProjectBytes  = 4 << 20 // of all files together
)

// spent is what the files of a project have used up.
type spent struct{ rules, dirs, faults, bytes int }

// spendRule counts one rule, and reports whether it may still be read.
func (l *loader) spendRule(scope rules.Scope, pos rules.Pos) bool {
	return l.spend(scope, pos, &l.spent.rules, maxProjectRules, "rules")
}

// spendDir does the same for an additional directory.
func (l *loader) spendDir(scope rules.Scope, pos rules.Pos) bool {
	return l.spend(scope, pos, &l.spent.dirs, maxProjectDirs, "additional directories")
}

// spend counts one more of what there may be at most so much of in a project's files.
func (l *loader) spend(scope rules.Scope, pos rules.Pos, count *int, most int, what string) bool {
	if !scope.OfProject() {
		return true
	}
	*count++
	if *count == most+1 {
		l.tooMany(scope, pos, what, most)
	}
	return *count <= most
}

func (l *loader) tooMany(scope rules.Scope, pos rules.Pos, what string, most int) {
	l.faulty(rules.Fault{Pos: pos, Scope: scope, Closed: true,
		Msg: "over " + strconv.Itoa(most) + " " + what + " in the project's files: the rest is not read"})
}

// spendBytes says why a file of so many bytes cannot be read any more.
func (l *loader) spendBytes(scope rules.Scope, n int) error {
	if !scope.OfProject() {
		return nil
	}
	if l.spent.bytes += n; l.spent.bytes > maxProjectBytes {
		return errors.New("the project's settings files are larger than " + strconv.Itoa(maxProjectBytes) +
			" bytes together")
	}
	return nil
}

// keepsFault reports whether a fault is worth to be worded. Of very many in the
// files of a project the first of each file that closes it is.
func (l *loader) keepsFault(scope rules.Scope, closing bool) bool {
	return closing || !scope.OfProject() || l.spent.faults < maxProjectFaults
}

func (l *loader) faulty(f rules.Fault) {
	if f.Scope.OfProject() {
		l.spent.faults++
	}
	l.p.Faults = append(l.p.Faults, f)
}

// weigh settles Policy.Many.
func (l *loader) weigh() {
	n, bytes := 0, 0
	for _, s := range l.sources {
		if !s.scope.OfProject() {
			continue
		}
		for _, list := range [...][]rules.Rule{s.deny, s.ask, s.allow, s.exclusions, s.urls} {
			n += len(list)
			for i := range list {
				bytes += len(list[i].Text)
			}
		}
	}
	for _, a := range [...]*rules.AgentDef{l.p.Agent, l.p.Skill} {
		if a != nil {
			n, bytes = n+len(a.Allow)+len(a.Deny)+len(a.Tools), bytes+len(a.Content)
		}
	}
	l.p.Many = n > fewRules || bytes > fewBytes
}

// A list of rules is short enough to be compared with everything, no matter who wrote
// it: this many rules of a project, and this many bytes of text in them.
const (
	fewRules = 256
	fewBytes = 16 << 10
)
