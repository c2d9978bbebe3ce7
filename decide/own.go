package decide

import (
	"path"
	"slices"
	"strings"

	"permgate/hookio"
	"permgate/rules"
)

// ownFile reports whether a unit writes a file that the host tells its agent to
// keep: its literal names the place (hookio.OwnFiles). Such a file is neither
// sensitive nor outside, and it is never allowed by us.
func (c *Case) ownFile(u *unit) bool {
	h := c.Call.Host
	if h == nil || !u.write || u.hit.Given == "" {
		return false
	}
	for i := range h.Alone.Own {
		o := &h.Alone.Own[i]
		if u.sub != nil && !o.Shell || u.sub == nil && !rules.EditTool(c.Call.Tool) {
			continue
		}
		if slices.ContainsFunc(c.ownDirs(o), func(dir string) bool { return c.ownIn(o, dir, u) }) {
			return true
		}
	}
	return false
}

// writesOwn reports whether the call writes a file of the host's own that does
// not lie in the workspace.
func (c *Case) writesOwn() bool {
	for i := range c.units {
		if u := &c.units[i]; c.ownFile(u) && !c.inside(u.hit) {
			return true
		}
	}
	return false
}

// ownDirs lists the folders that one entry of the host's literal means for this call.
func (c *Case) ownDirs(o *hookio.OwnFiles) []string {
	home, call := c.Policy.Home.Given, c.Call
	switch {
	case strings.Contains(o.Dir, "{session}") && (!rules.Component(call.SessionID) || strings.ContainsAny(call.SessionID, `*?[\`)):
		return nil
	case o.Base == hookio.BaseHome && home != "":
		return []string{path.Join(home, strings.ReplaceAll(o.Dir, "{session}", call.SessionID))}
	case o.Base == hookio.BaseScratch:
		if dir := c.Policy.OS.Canon(call.Scratch); path.IsAbs(dir) && c.temporary(c.path(path.Clean(dir)+"/x")) {
			return []string{path.Clean(dir)}
		}
	case o.Base == hookio.BaseSession && call.Transcript != "":
		return []string{path.Join(path.Dir(c.Policy.OS.Canon(call.Transcript)), o.Dir)}
	case o.Base == hookio.BaseSession && home != "" && o.Projects != "":
		var dirs []string
		for _, project := range [...]string{c.Policy.Project.Given, c.Policy.Cwd.Given} {
			dirs = append(dirs, path.Join(home, o.Projects, projectName(project), o.Dir))
		}
		return dirs
	}
	return nil
}

// projectName is the name of a project's folder among the transcripts: its path
// with a dash for every character that is neither letter nor digit.
func projectName(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, dir)
}

// ownIn reports whether a unit lies in one such folder, and no symlink on the
// way from the folder leads elsewhere.
func (c *Case) ownIn(o *hookio.OwnFiles, dir string, u *unit) bool {
	if at := path.Dir(u.hit.Given); strings.Contains(o.Dir, "*") {
		if ok, _ := path.Match(dir, at); !ok {
			return false
		}
		dir = at
	}
	rest, ok := strings.CutPrefix(u.hit.Given, dir+"/")
	switch {
	case !ok || rest == "" || u.effect != nil && u.effect.Glob:
		return false
	case !strings.HasSuffix(rest, o.Ext), !o.Deep && strings.Contains(rest, "/"):
		return false
	case sensitivePath(rest) != "":
		return false
	}
	folder := path.Base(dir) + "/" + rest
	return u.hit.Real == c.path(dir).Real+"/"+rest && strings.HasSuffix(u.hit.Real, "/"+folder)
}
