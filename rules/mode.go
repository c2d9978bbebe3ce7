package rules

// A Mode is a permission mode and how strict it is: a subagent under a strict
// session may not be laxer than the session.
type Mode struct {
	Name   string
	strict int
	Doc    string
}

// Modes are the permission modes, the laxest first.
var Modes = [...]Mode{
	{"bypassPermissions", 0, "everything is allowed except what steps 1 and 2 stop"},
	{"auto", 1, "edits, and commands the classifier approves, are allowed"},
	{"acceptEdits", 2, "safe tools and edits are allowed, everything else is asked about"},
	{"default", 3, "safe tools are allowed, everything else is asked about"},
	{"plan", 4, "safe tools are allowed, everything else is denied; hosts set it while planning"},
	{"dontAsk", 5, "safe tools are allowed, everything else is denied: no prompt is possible"},
	{"explore", 5, "safe tools are allowed, everything else is denied: for agents that only explore"},
}

// PayloadMode is the place of a mode that the host sent, as reasons name it.
const PayloadMode = "permission_mode"

// The modes that a policy treats in a special way.
const (
	ModeBypass  = "bypassPermissions"
	ModeAuto    = "auto"
	ModeDefault = "default"
)

// Strictness is how strict a mode is, -1 for an unknown one.
func Strictness(mode string) int {
	for i := range Modes {
		if Modes[i].Name == mode {
			return Modes[i].strict
		}
	}
	return -1
}

// StricterMode reports whether mode a lets less run than mode b. An unknown mode
// counts as default.
func StricterMode(a, b string) bool {
	return max(Strictness(a), defaultAt(a)) > max(Strictness(b), defaultAt(b))
}

func defaultAt(mode string) int {
	if Strictness(mode) < 0 {
		return Strictness(ModeDefault)
	}
	return -1
}
