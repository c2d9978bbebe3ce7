package decide

import (
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// leavesToHost reports whether silence is possible: the host decides then, and no
// settings file is missing that could have held a rule.
func (c *Case) leavesToHost() bool { return c.defers() && !c.closed() }

// defers reports whether the posture leaves unmatched calls to the host, and
// the host really has a permission flow of its own when it is told nothing.
func (c *Case) defers() bool {
	return c.Policy.Posture.OnUnmatched.Value == "defer" && c.Call.Host != nil && !c.Call.Host.SilenceRuns
}

// withholds reports whether an allow that no rule gave is kept from the host: the user
// left such calls to it, and a file that takes that back may add questions, not skip the host's.
func (c *Case) withholds() bool {
	left := c.defers() || c.Policy.Posture.LeftToHost
	return left && c.Call.Host != nil && !c.Call.Host.SilenceRuns
}

// ObserveOnly reports whether the verdict is kept from the host because the gate
// only observes (enforce: false). A deny of managed settings is answered all
// the same, and so is everything while a managed file cannot be used.
func (v Verdict) ObserveOnly(c *Case) bool {
	return c.Policy.Posture.Enforce.Value == "false" && !(v.Decision == hookio.Deny && v.Managed) &&
		!c.closedBy(rules.Managed)
}

// closed reports whether a settings file that is not the project's could not be
// used: a rule may be missing, so nothing is left to the host. Of a key that is
// not known here the host knows no more: what it decides alone it goes on deciding.
func (c *Case) closed() bool { return c.ownFault(false) }

// ownFault reports whether a settings file that is not the project's has a fault:
// an unknown key, or one that closes it.
func (c *Case) ownFault(key bool) bool {
	for i := range c.Policy.Faults {
		f := &c.Policy.Faults[i]
		if f.Closed && f.Key == key && f.Scope != rules.Shared && f.Scope != rules.Local {
			return true
		}
	}
	return false
}

// closedBy reports whether a file of one scope could not be used. A managed file
// may have held the denials that bind even when others observe.
func (c *Case) closedBy(scope rules.Scope) bool {
	for i := range c.Policy.Faults {
		if f := &c.Policy.Faults[i]; f.Closed && f.Scope == scope {
			return true
		}
	}
	return false
}
