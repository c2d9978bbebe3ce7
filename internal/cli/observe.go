package cli

import (
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// observing says what observe mode makes of a verdict, "" where the gate enforces.
func (e *env) observing(c *decide.Case, v decide.Verdict) string {
	s := c.Policy.Posture.Enforce
	if s.Value != "false" {
		return ""
	}
	at := "observe mode (enforce: false, " + e.place(s.Pos) + "): "
	switch {
	case v.ObserveOnly(c):
		would := "would have been " + v.Decision.String()
		switch told := log.Told(c.Call, v.HostAnswer(c)); told {
		case v.Decision.String():
		case log.Silence:
			would += ", left to the host"
		default:
			would += ", told as " + told
		}
		return at + would + "; the program is told nothing"
	case v.Decision == hookio.Deny && v.Managed:
		return at + "a deny from managed settings is still answered"
	}
	return at + "suspended while a managed settings file has an error, so the answer is given"
}
