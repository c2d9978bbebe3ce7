package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
)

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

// stepWorkspace asks about writes, and where the posture says so reads, outside cwd, project root and
// additional directories, unless an allow rule names the place by a // or ~/ path.
func stepWorkspace(c *Case, _ Verdict) Verdict {
	for i := range c.units {
		u := &c.units[i]
		if !c.outside(u) || c.takesBack(askWrite, question{unit: u}) {
			continue
		}
		v := Verdict{Decision: hookio.Ask, Part: u.text}
		if !u.write {
			return c.askingPlace(c.readAsk(u), u)
		}
		if u.effect != nil && u.effect.Patch != nil {
			v.Reason = u.doer() + "applies a patch that cannot be read before it runs. " +
				"Try saving the patch to a file in a separate call"
		} else if u.hit.Given == "" {
			v.Reason = u.doer() + "writes to a path only known at run time. Try naming the file"
		} else {
			v.Reason = u.doer() + "writes " + c.place(u) + droppedDir(c.Policy, u) + ". Try a path inside " +
				c.Policy.OS.Native(c.Policy.Project.Given) +
				", or add the folder to additionalDirectories"
		}
		return c.askingPlace(v.marked("outside working directory"), u)
	}
	if c.Policy.Posture.OutsideReads.Value == "ask" && c.Script != nil {
		return c.foldersRead()
	}
	return Verdict{}
}

// outside reports whether a part writes where step 3b asks.
func (c *Case) outside(u *unit) bool {
	switch {
	case !u.write && c.Policy.Posture.OutsideReads.Value == "ask":
		return c.readsOutside(u)
	case !u.write, u.hit.Given != "" && c.World.Inside(u.hit), c.takesBack(askOutside, question{unit: u}), u.hit.Given == "" && c.below(u):
		return false
	case u.hit.Given == "":
		return u.sub == nil || u.sub.Script == nil // a script's variables are not known; the user allowed the runner
	}
	return true
}

// readsOutside reports whether a part reads outside the workspace, or may.
func (c *Case) readsOutside(u *unit) bool {
	switch e := u.effect; {
	case e == nil && u.sub != nil:
		return false
	case e != nil && e.Kind != bashsafety.Read && e.Kind != bashsafety.Source:
		return false
	case u.subject.Path == nil:
		return u.effect != nil && !c.below(u)
	}
	return !c.World.Inside(*u.subject.Path) && !c.takesBack(askRead, question{unit: u})
}
