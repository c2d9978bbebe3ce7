package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
)

// finding returns the first finding of a severity that the posture, or an exact
// rule under it, does not take back.
func (c *Case) finding(s bashsafety.Severity) *bashsafety.Finding {
	if c.Script == nil {
		return nil
	}
	for i := range c.Script.Findings {
		if f := &c.Script.Findings[i]; f.Check.Severity == s && !c.waived(f) && !c.lifted(f) {
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
