package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
)

// autorunOf is guard.AutorunBy for a unit.
func (c *scene) autorunOf(u *unit) *guard.Autorun {
	if u.subject.Listed {
		return nil // what the pattern finds are units of their own
	}
	return guard.AutorunBy(u.target())
}

// askAutorun asks in mode auto about an edit of a file that is run without asking.
func askAutorun(c *Case) Verdict {
	for i := range c.units {
		u := &c.units[i]
		if !u.write {
			continue
		}
		if a := c.autorunOf(u); a != nil {
			return Verdict{Decision: hookio.Ask, Part: u.text, Reason: u.doer() + "writes " + quoted(u.text) + a.Why()}.
				marked("mode: auto asks about files that are run").as(say.CodeAutoAsked)
		}
		if bashsafety.Deceptive(u.text) {
			return c.confirm("mode: auto requires confirmation")
		}
	}
	return Verdict{}
}
