package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// ownFile reports whether a unit writes a file that the host tells its agent to
// keep: its literal names the place (hookio.OwnFiles). Such a file is neither
// sensitive nor outside, and it is never allowed by us.
func (c *Case) ownFile(u *unit) bool {
	return u.write && (u.sub != nil || rules.EditTool(c.Call.Tool)) && c.ownPlace(u)
}

// ownPlace is ownFile for a unit that may only read.
func (c *Case) ownPlace(u *unit) bool {
	h := c.Call.Host
	if h == nil || u.hit.Given == "" || c.Call.Alias {
		return false
	}
	for i := range h.Alone.Own {
		o := &h.Alone.Own[i]
		if u.sub != nil && !o.Shell {
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
		if u := &c.units[i]; c.ownFile(u) && !c.World.Inside(u.hit) {
			return true
		}
	}
	return false
}

// ownDirs lists the folders that one entry of the host's literal means for this call.
func (c *Case) ownDirs(o *hookio.OwnFiles) []string {
	home, call := c.Policy.Home.Given, c.Call
	if strings.Contains(o.Dir, "{session}") && !plainComponent(call.SessionID) {
		return nil
	}
	switch o.Base {
	case hookio.BaseHome:
		if home != "" {
			return []string{path.Join(home, strings.ReplaceAll(o.Dir, "{session}", call.SessionID))}
		}
	case hookio.BaseScratch:
		if dir := c.Policy.OS.Canon(call.Scratch); path.IsAbs(dir) && c.World.Temporary(c.World.Path(path.Clean(dir)+"/x")) {
			return []string{path.Clean(dir)}
		}
	case hookio.BaseSession:
		if call.Transcript != "" {
			return []string{path.Join(path.Dir(c.Policy.OS.Canon(call.Transcript)), o.Dir)}
		}
		if home != "" && o.Projects != "" {
			in := func(project string) string { return path.Join(home, o.Projects, projectName(project), o.Dir) }
			return []string{in(c.Policy.Project.Given), in(c.Policy.Cwd.Given)}
		}
	}
	return nil
}

// plainComponent reports whether a text is one component of a path, without wildcards.
func plainComponent(text string) bool {
	return rules.Component(text) && !strings.ContainsAny(text, `*?[\`)
}

// projectName is the name of a project's folder among the transcripts: its path
// with a dash for every character that is neither letter nor digit.
func projectName(dir string) string {
	return strings.Map(func(r rune) rune {
		if plainLetter(r) || isDigit(r) {
			return r
		}
		return '-'
	}, dir)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func plainLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

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
	if !ok || u.effect != nil && u.effect.Glob || !keeps(o, rest) {
		return false
	}
	folder := path.Base(dir) + "/" + rest
	return u.hit.Real == c.World.Path(dir).Real+"/"+rest && strings.HasSuffix(u.hit.Real, "/"+folder)
}

// keeps reports whether a host keeps such a file in a folder of its own.
func keeps(o *hookio.OwnFiles, name string) bool {
	if name == "" || !o.Deep && strings.Contains(name, "/") {
		return false
	}
	return strings.HasSuffix(name, o.Ext) && guard.SensitivePath(name) == ""
}
