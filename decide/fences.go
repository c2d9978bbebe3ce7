package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// The keys of the two fences.
const (
	fenceRead  = "blockReadsOutsideWorkingDirectories"
	fenceWrite = "blockWritesOutsideWorkingDirectories"
)

// denyFences is blockReadsOutsideWorkingDirectories and
// blockWritesOutsideWorkingDirectories, for everything whose place is known.
func denyFences(c *Case) Verdict {
	p := c.Policy
	for i := range c.units {
		u := &c.units[i]
		place := u.hit
		if place.Given == "" && u.subject.Path != nil {
			place = *u.subject.Path
		}
		if place.Given == "" || u.word || c.inside(place) {
			continue
		}
		if u.write && p.FenceWrite.On() {
			return Verdict{Decision: hookio.Deny, Part: u.text, Managed: p.FenceWrite.Scope == rules.Managed,
				Reason: c.doer(u) + "writes " + u.place()}.
				marked("outside working directory, " + fenceWrite + ", " + p.FenceWrite.Pos.String()).as(CodeOutsideWorkspace)
		}
		if !u.write && p.FenceRead.On() && u.subject.URL == nil {
			return Verdict{Decision: hookio.Deny, Part: u.text, Managed: p.FenceRead.Scope == rules.Managed,
				Reason: c.doer(u) + "reads " + place.Given}.
				marked("outside working directory, " + fenceRead + ", " + p.FenceRead.Pos.String()).as(CodeOutsideWorkspace)
		}
	}
	return Verdict{}
}

// immuneFence asks where there is a fence and the path cannot be known.
func immuneFence(c *Case) Verdict {
	for i := range c.units {
		u := &c.units[i]
		if u.effect == nil || u.effect.Known {
			continue
		}
		switch u.effect.Kind {
		case bashsafety.Write, bashsafety.Delete:
			if c.Policy.FenceWrite.On() {
				return immune(fenceWrite, u.text,
					c.doer(u)+"writes to a path only known at run time. Try naming the file")
			}
		case bashsafety.Read, bashsafety.Source:
			if c.Policy.FenceRead.On() {
				return immune(fenceRead, u.text,
					c.doer(u)+"reads a path only known at run time. Try naming the file")
			}
		}
	}
	return Verdict{}
}
