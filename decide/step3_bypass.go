package decide

import (
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/asks"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
)

// stepBypass is mode bypassPermissions. Locks have already turned the mode
// into default when the policy was loaded.
func stepBypass(c facts.Facts) (a verdict.Allowed[verdict.Bypass]) {
	if c.Policy().Mode.Value != "bypassPermissions" {
		return a
	}
	if facts.NeedsUser(c.Call().Tool) {
		return verdict.No[verdict.Bypass]("a tool that needs the user")
	}
	if standing(c, asks.WholeMachine).Holds() {
		return verdict.No[verdict.Bypass]("it writes what the whole machine uses")
	}
	return verdict.ByBypass(verdict.Reason{Text: "mode: bypass permissions" + c.ModeOrigin()})
}
