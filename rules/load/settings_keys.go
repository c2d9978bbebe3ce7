package load

import (
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// A Switch is a key of settings.json that is true, or absent.
type Switch struct {
	Name string
	Lock bool // "disable" is as good as true
	Doc  string
}

// Switches are the switches of settings.json, in the order of the documentation.
var Switches = [numSwitches]Switch{
	{"disableBypassPermissionsMode", true, "mode bypassPermissions falls back to default"},
	{"disableAutoMode", true, "mode auto falls back to default; its hard_deny and soft_deny still bind"},
	{"blockReadsOutsideWorkingDirectories", false, "reads outside the working directory, the project and additionalDirectories are denied"},
	{"blockWritesOutsideWorkingDirectories", false, "writes outside the working directory, the project and additionalDirectories are denied"},
	{"denyInsteadOfPrompting", false, "no prompt is possible: ask becomes deny"},
	{"allowManagedPermissionRulesOnly", false, "only the administrator's files grant anything; deny and ask rules of all files still apply"},
}

// The other keys this package reads; everything else in settings.json belongs
// to the host and is not looked at. PermissionKeys are under "permissions",
// rules.AutoKeys under "autoMode"; defaultMode takes a mode's name, the others lists of strings.
var (
	topKeys        = [...]rules.SettingsKey{{Name: "permissions"}, {Name: "autoMode"}}
	PermissionKeys = [...]rules.SettingsKey{
		{Name: "allow", Doc: "calls that run without asking; every part of a call needs a matching rule", Example: `["Bash(git status)", "Read(./src/**)"]`},
		{Name: "ask", Doc: "calls that are asked about; one matching part is enough, and ask overrides allow", Example: `["Bash(git push:*)"]`},
		{Name: "deny", Doc: "calls that never run; one matching part is enough, and deny overrides everything", Example: `["Read(./.env)"]`},
		{Name: "defaultMode", Doc: "the permission mode, which decides when no rule matches", Example: `"acceptEdits"`},
		{Name: "additionalDirectories", Doc: "directories outside the project that may be written to; their settings files are not read", Example: `["../shared"]`},
	}
)

type spelling uint8

// known finds the key that is written, or was meant.
func (l *loader) known(key, path string, keys []rules.SettingsKey) (string, spelling) {
	best, how := "", unknown
	try := func(name string) {
		switch {
		case name == key:
			best, how = name, exact
		case how != exact && strings.EqualFold(name, key):
			best, how = name, otherCase
		case how == unknown && oneTypo(name, key):
			best, how = name, similar
		}
	}
	for i := range keys {
		try(keys[i].Name)
	}
	if path != "autoMode." {
		for i := range Switches {
			try(Switches[i].Name)
		}
	}
	return best, how
}

// oneTypo reports whether one letter was added, lost, changed or swapped with its neighbour.
func oneTypo(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(a) < 3 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:] // without what is equal
	switch {
	case len(a) < len(b):
		return a == b[1:]
	case a == "":
		return false
	default:
		return a[1:] == b[1:] || swapped(a, b)
	}
}

// swapped reports whether the first two letters changed places, and nothing else.
func swapped(a, b string) bool {
	return len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}

// The switches of settings.json: each can only restrict, and each may be
// under permissions or at top level, in any scope.
const (
	lockBypass = iota
	lockAuto
	fenceRead
	fenceWrite
	noPrompts
	managedOnly
	numSwitches
)
