package decide

// stepBypass is mode bypassPermissions. Locks have already turned the mode
// into default when the policy was loaded.
func stepBypass(c *Case, _ Verdict) Verdict {
	if c.Policy.Mode.Value != "bypassPermissions" {
		return Verdict{}
	}
	if NeedsUser(c.Call.Tool) {
		return Verdict{Reason: "a tool that needs the user"}
	}
	return grantBypass.allow("mode: bypass permissions" + c.modeOrigin())
}
