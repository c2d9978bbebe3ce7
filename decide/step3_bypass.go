package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
)

// stepBypass is mode bypassPermissions. Locks have already turned the mode
// into default when the policy was loaded.
func stepBypass(c *Case) (a verdict.Allowed[verdict.Bypass]) {
	if c.Policy.Mode.Value != "bypassPermissions" {
		return a
	}
	if NeedsUser(c.Call.Tool) {
		return verdict.No[verdict.Bypass]("a tool that needs the user")
	}
	return verdict.ByBypass(verdict.Reason{Text: "mode: bypass permissions" + c.modeOrigin()})
}

// stepWorkspace asks about writes, and where the posture says so reads, outside cwd, project root and
// additional directories, unless an allow rule names the place by a // or ~/ path.
func stepWorkspace(c *Case) []verdict.Question {
	all := placeQuestions(c)
	if c.Policy.Posture.OutsideReads.Value == "ask" && c.Script != nil {
		all = append(all, c.foldersRead()...)
	}
	return all
}

// placeQuestions are those about the parts of the call.
func placeQuestions(c *Case) (all []verdict.Question) {
	for u := range c.Units() {
		switch {
		case c.writesOutside(u):
			all = append(all, verdict.Ask(verdict.Remembered, outsideWrite{u}, func() verdict.Reason { return c.outsideReason(u) }))
		case c.Policy.Posture.OutsideReads.Value == "ask" && c.readsOutside(u):
			all = append(all, c.readAsk(outsideRead{u, true}))
		}
	}
	return all
}

// outsideReason is what step 3b says about a write.
func (c *Case) outsideReason(u *unit) verdict.Reason {
	r := verdict.Reason{Part: u.text, Of: u.sub, Operand: u.isOperand(), Mark: "outside working directory", Targets: asRemembered(c.placeTarget(u))}
	switch {
	case u.effect != nil && u.effect.Patch != nil:
		r.Text, r.Hint = "applies a patch that cannot be read before it runs",
			"Try saving the patch to a file in a separate call"
	case u.hit.Given == "":
		r.Text, r.Hint, r.Vague = "writes to a path only known at run time", "Try naming the file", u.isOperand()
	default:
		r.Text = "writes " + c.place(u) + droppedDir(c.Policy, u)
		r.Hint = "Try a path inside " + c.Policy.OS.Native(c.Policy.Project.Given) +
			", or add the folder to additionalDirectories"
	}
	r.Text = c.doer(u) + r.Text
	return r
}

// writesOutside reports whether a part writes outside the workspace, or may.
func (c *scene) writesOutside(u *unit) bool {
	switch {
	case !u.write, u.hit.Given != "" && c.World.Inside(u.hit), u.hit.Given == "" && c.below(u):
		return false
	case u.hit.Given == "":
		return u.sub == nil || u.sub.Script == nil // a script's variables are not known; the user allowed the runner
	}
	return true
}

// readsOutside reports whether a part reads outside the workspace, or may.
func (c *scene) readsOutside(u *unit) bool {
	switch e := u.effect; {
	case u.write, e == nil && u.sub != nil:
		return false
	case e != nil && e.Kind != bashsafety.Read && e.Kind != bashsafety.Source:
		return false
	case u.subject.Path == nil:
		return u.effect != nil && !c.below(u)
	}
	return !c.World.Inside(*u.subject.Path)
}
