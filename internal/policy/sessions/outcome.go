package sessions

import (
	"strings"

	"github.com/permgate--owner/permgate/internal/gate/log"
)

// refused notes that a call was refused, by whom, and the program's word for it.
// Who refused a call was asked.
func (c *Call) refused(by, word string) {
	c.Outcome, c.RefusedBy, c.Denial = log.Refused, by, strings.Clone(word)
	switch by {
	case ByUser:
		c.Prompted = Yes
	case ByRule, ByClassifier:
		c.Prompted = No
	}
}

// ended notes how a call that ran came out.
func (c *Call) ended(failed bool) {
	c.Outcome = log.Ran
	if failed {
		c.Outcome = log.Failed
	}
}

// Who refused a call (Call.RefusedBy).
const (
	ByUser       = "user"
	ByRule       = "rule"
	ByClassifier = "classifier"
	ByUnknown    = "unknown"
)

// A sentence is how a program tells that a call did not run. Where by is "" it is not
// known whether it did.
type sentence struct{ begins, holds, by string }

// refusedBy reports whether one of the texts says that the call did not run, and
// notes who refused it.
func (c *Call) refusedBy(sentences []sentence, texts ...string) bool {
	for _, text := range texts {
		for _, s := range sentences {
			if strings.HasPrefix(text, s.begins) && strings.Contains(text, s.holds) {
				if s.by != "" {
					c.refused(s.by, "")
				}
				return true
			}
		}
	}
	return false
}
