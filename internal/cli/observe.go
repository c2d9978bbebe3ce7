package cli

import (
	"permgate/decide"
	"permgate/hookio"
)

// observing says what observe mode makes of a verdict, "" where the gate enforces.
func (e *env) observing(c *decide.Case, v decide.Verdict) string {
	s := c.Policy.Gate.Enforce
	if s.Value != "false" {
		return ""
	}
	at := "observe mode (enforce: false, " + e.place(s.Pos) + "): "
	switch {
	case v.Observed(c):
		return at + "would have been " + v.Decision.String() + ", the host is told nothing"
	case v.Decision == hookio.Deny && v.Managed:
		return at + "a deny of managed settings is answered all the same"
	}
	return at + "set aside while a managed settings file has a fault, so the answer is given"
}
