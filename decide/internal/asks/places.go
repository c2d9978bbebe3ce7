package asks

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// immuneFence asks where there is a fence and the path cannot be known.
func immuneFence(c facts.Facts) (all []verdict.Question) {
	for u := range c.Units() {
		if u.Effect() == nil || u.Effect().Known {
			continue
		}
		fence, does := "", ""
		switch u.Effect().Kind {
		case bashsafety.Write, bashsafety.Delete:
			if c.Policy().FenceWrite.On() {
				fence, does = facts.FenceWrite, "writes"
			}
		case bashsafety.Read, bashsafety.Source:
			if c.Policy().FenceRead.On() {
				fence, does = facts.FenceRead, "reads"
			}
		}
		if fence != "" {
			all = append(all, must(verdict.Doubtful, fence, verdict.Reason{Part: u.Text(), What: c.Doer(u.Sub()),
				Text: does + " a file that it does not name", Way: "Try naming the file"}))
		}
	}
	return all
}

// foldersRead asks about the commands that read a folder outside the workspace which no word of
// theirs names: a git command in another repository, ls after cd.
func foldersRead(c facts.Facts) (all []verdict.Question) {
	for i := range c.Script().Subcommands {
		sub := &c.Script().Subcommands[i]
		for _, dir := range foldersOf(sub) {
			if u := c.FolderRead(sub, &dir); readsOutside(c, u) {
				all = append(all, readAsk(c, OutsideRead{u, false}))
			}
		}
	}
	return all
}

// foldersOf are the folders that a subcommand reads without an operand, as reads.
func foldersOf(sub *bashsafety.Subcommand) (dirs []bashsafety.Effect) {
	for _, e := range sub.Effects {
		if e.Kind == bashsafety.GitRead {
			e.Kind = bashsafety.Read
			dirs = append(dirs, e)
		}
	}
	if lists := sub.Program == "ls" || sub.Program == "dir"; lists && len(sub.Effects) == 0 && sub.Here() {
		if len(sub.Dirs) == 0 {
			dirs = append(dirs, bashsafety.Effect{Kind: bashsafety.Read})
		}
		for _, dir := range sub.Dirs {
			dirs = append(dirs, bashsafety.Effect{Kind: bashsafety.Read, Path: dir, Known: true})
		}
	}
	return dirs
}

// readAsk is the ask about a part that reads outside the workspace.
func readAsk(c facts.Facts, read OutsideRead) verdict.Question {
	return verdict.Ask(verdict.Remembered, read, func() verdict.Reason {
		r := verdict.Reason{Part: read.Text(), Of: read.Sub(), Operand: read.IsOperand(),
			What: c.Doer(read.Sub()), Text: "reads", Target: read.Quoted(), Why: outside,
			Own:  ownFolder(c, read.Unit),
			Mark: `outside working directory; "outsideReads" is "ask", ` + c.Policy().Posture.OutsideReads.Pos.String()}
		if read.Named {
			r.Targets = asRemembered(PlaceTarget(c, read.Unit))
		}
		return r
	})
}

// outside is why a place matters.
const outside = "outside the project"

// ownFolder is what the user can do about a place.
func ownFolder(c facts.Facts, u *facts.Unit) string {
	dir := path.Dir(u.Hit().Given)
	if u.Hit().Given == "" || rules.Within(c.Policy().Project.Given, dir) {
		return ""
	}
	return fromNowOn("all of "+facts.Quoted(c.Policy(), dir), "it to `additionalDirectories` in")
}

// fromNowOn is what the user can add to the settings so that something is asked no more.
func fromNowOn(what, add string) string {
	return "To allow " + what + " from now on, add " + add + " your settings (`permgate help places` shows the file)"
}

// DroppedDir names the first additional directory a write would lie in if it counted.
func DroppedDir(p *rules.Policy, u *facts.Unit) string {
	for i := range p.Dropped {
		d := &p.Dropped[i]
		if d.Dir.Given != "" && (rules.Within(u.Hit().Given, d.Dir.Given) || rules.Within(u.Hit().Real, d.Dir.Real)) {
			return "; " + d.Text + " (" + d.Pos.String() + ") does not count: " + d.Why
		}
	}
	return ""
}

// Workspace is step 3b: it asks about writes, and where the posture says so reads, outside cwd, project root and
// additional directories.
func Workspace(c facts.Facts) []verdict.Question {
	all := Places(c)
	if c.Policy().Posture.OutsideReads.Value == "ask" && c.Script() != nil {
		all = append(all, foldersRead(c)...)
	}
	return all
}

// WholeMachine is the part of step 3b that mode bypassPermissions leaves: writes of what the whole machine uses.
func WholeMachine(c facts.Facts) (all []verdict.Question) {
	places := []string{"/usr", "/opt", "/var/lib", "/var/log", "/var/db", "/root"}
	for u := range c.Units() {
		if !WritesOutside(c, u) || rules.Within(u.Hit().Real, c.World().Home.Real) {
			continue
		}
		at := strings.TrimPrefix(strings.ToLower(u.Hit().Real), "/private")
		if slices.ContainsFunc(places, func(dir string) bool { return rules.Within(at, dir) }) {
			why := func() verdict.Reason { return outsideReason(c, u) }
			all = append(all, verdict.Ask(verdict.Remembered, OutsideWrite{u}, why))
		}
	}
	return all
}

// Places asks about each part that writes, or reads, outside the workspace.
func Places(c facts.Facts) (all []verdict.Question) {
	for u := range c.Units() {
		switch {
		case WritesOutside(c, u):
			why := func() verdict.Reason { return outsideReason(c, u) }
			all = append(all, verdict.Ask(verdict.Remembered, OutsideWrite{u}, why))
		case c.Policy().Posture.OutsideReads.Value == "ask" && readsOutside(c, u):
			all = append(all, readAsk(c, OutsideRead{u, true}))
		}
	}
	return all
}

// outsideReason is what step 3b says about a write.
func outsideReason(c facts.Facts, u *facts.Unit) verdict.Reason {
	r := verdict.Reason{Part: u.Text(), Of: u.Sub(), Operand: u.IsOperand(), Mark: "outside working directory",
		Targets: asRemembered(PlaceTarget(c, u)), What: c.Doer(u.Sub()), Text: u.Does()}
	switch {
	case u.Effect() != nil && u.Effect().Patch != nil:
		r.Text, r.Way = "applies a patch that cannot be read before it runs",
			"Try saving the patch to a file in a separate call"
	case u.Hit().Given == "":
		r.Target, r.Way, r.Vague = "a file that it does not name", "Try naming the file", u.IsOperand()
		if u.Effect() == nil || u.Unnamed() {
			break
		}
		if written := strings.Trim(facts.Source(c.Script(), u.Effect().Span), `"`); written != "" {
			r.Target, r.Why = say.Quoted(written), "which may be outside the project"
		}
	default:
		r.Target, r.Why = c.Place(u), outside+DroppedDir(c.Policy(), u)
		r.Way, r.Own = "Try a path inside "+facts.Quoted(c.Policy(), c.Policy().Project.Given), ownFolder(c, u)
	}
	return r
}

// WritesOutside reports whether a part writes outside the workspace, or may.
func WritesOutside(c facts.Facts, u *facts.Unit) bool {
	switch {
	case !u.Write(), u.Hit().Given != "" && c.World().Inside(u.Hit()), u.Hit().Given == "" && c.Below(u):
		return false
	case u.Hit().Given == "":
		return u.Sub() == nil || u.Sub().Script == nil // a script's variables are not known; the user allowed the runner
	}
	return true
}

// readsOutside reports whether a part reads outside the workspace, or may.
func readsOutside(c facts.Facts, u *facts.Unit) bool {
	switch e := u.Effect(); {
	case u.Write(), e == nil && u.Sub() != nil:
		return false
	case e != nil && e.Kind != bashsafety.Read && e.Kind != bashsafety.Source:
		return false
	case u.Subject().Path == nil:
		return u.Effect() != nil && !c.Below(u)
	}
	return !c.World().Inside(*u.Subject().Path)
}
