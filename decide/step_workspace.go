package decide

import (
	"permgate/bashsafety"
	"permgate/hookio"
	"permgate/rules"
)

// stepWorkspace asks about writes outside cwd, project root and additional
// directories, unless an allow rule names the place by a // or ~/ path.
func stepWorkspace(c *Case) Verdict {
	for i := range c.units {
		u := &c.units[i]
		if !c.outside(u) || c.liftedWrite(u) {
			continue
		}
		v := Verdict{Decision: hookio.Ask, Part: u.text}
		if !u.write {
			v.Reason = c.doer(u) + "reads " + u.text +
				". Try an allow rule with a // or ~/ path, or add the folder to additionalDirectories"
			return v.marked(`outside working directory; "outsideReads" is "ask", ` +
				c.Policy.Posture.OutsideReads.Pos.String())
		}
		if u.effect != nil && u.effect.Patch != nil {
			v.Reason = c.doer(u) + "applies a patch that cannot be read before it runs. " +
				"Try saving the patch to a file in a separate call"
		} else if u.hit.Given == "" {
			v.Reason = c.doer(u) + "writes to a path only known at run time. Try naming the file"
		} else {
			v.Reason = c.doer(u) + "writes " + u.place() + c.droppedDir(u) + ". Try a path inside " +
				c.Policy.Project.Given +
				", or add the folder to additionalDirectories"
		}
		return v.marked("outside working directory")
	}
	return Verdict{}
}

// droppedDir names the first additional directory a write would lie in if it counted.
func (c *Case) droppedDir(u *unit) string {
	for i := range c.Policy.Dropped {
		d := &c.Policy.Dropped[i]
		if d.Dir.Given != "" && (rules.Within(u.hit.Given, d.Dir.Given) || rules.Within(u.hit.Real, d.Dir.Real)) {
			return "; " + d.Text + " (" + d.Pos.String() + ") does not count: " + d.Why
		}
	}
	return ""
}

// outside reports whether a part writes where step 3b asks.
func (c *Case) outside(u *unit) bool {
	switch {
	case !u.write && c.Policy.Posture.OutsideReads.Value == "ask":
		return c.readsOutside(u)
	case !u.write, u.hit.Given != "" && c.inside(u.hit), c.planFile(u), c.ownFile(u), c.writesTemp(u):
		return false
	case u.hit.Given == "" && c.below(u):
		return false
	case u.hit.Given == "":
		return u.sub == nil || u.sub.Script == nil // a script's variables are not known; the user allowed the runner
	}
	return !c.reaches(u)
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
	return !c.inside(*u.subject.Path) && !c.reaches(u)
}

// reaches reports whether an allow rule with a // or ~/ path covers the write.
func (c *Case) reaches(u *unit) bool {
	for _, list := range c.grantLists() {
		for i := range list {
			r := &list[i]
			if r.Bare || len(r.Pattern) < 2 || r.Pattern[:2] != "//" && r.Pattern[:2] != "~/" {
				continue
			}
			if len(c.matchRules(list[i:i+1], &u.subject)) > 0 {
				return true
			}
		}
	}
	return false
}
