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
	return verdict.ByBypass(verdict.Reason{Text: "mode: bypass permissions" + c.ModeOrigin()})
}

// stepWorkspace asks about writes, and where the posture says so reads, outside cwd, project root and
// additional directories, unless an allow rule names the place by a // or ~/ path.
func stepWorkspace(c facts.Facts) []verdict.Question {
	all := asks.Places(c)
	if c.Policy().Posture.OutsideReads.Value == "ask" && c.Script() != nil {
		all = append(all, asks.FoldersRead(c)...)
	}
	return all
}
