package decide

import (
	"strings"

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

// withFinding adds the worst finding to a denial, so that the agent learns at
// once what else is wrong.
func (c *Case) withFinding(v Verdict) Verdict {
	if f := c.worst(); f != nil {
		v.Check = f.Check
		v.Reason += "; it also " + f.Check.Title + " (" + f.Check.ID + ": " +
			strings.TrimPrefix(seedWords(f.Check), "bypass-immune: ") + ")"
	}
	return v
}
