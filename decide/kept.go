package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// ownFile reports whether a unit writes a file that the host tells its agent to
// keep: its literal names the place (hookio.OwnFiles). Such a file is neither
// sensitive nor outside, and it is never allowed by us.
func (c *scene) ownFile(u *unit) bool {
	return u.write && (u.sub != nil || rules.EditTool(c.Call.Tool)) && c.ownPlace(u)
}

// ownPlace is ownFile for a unit that may only read.
func (c *scene) ownPlace(u *unit) bool {
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
func (c *reading) writesOwn() bool {
	for i := range c.units {
		if u := &c.units[i]; c.ownFile(u) && !c.World.Inside(u.hit) {
			return true
		}
	}
	return false
}

// ownDirs lists the folders that one entry of the host's literal means for this call.
func (c *scene) ownDirs(o *hookio.OwnFiles) []string {
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
func (c *scene) ownIn(o *hookio.OwnFiles, dir string, u *unit) bool {
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

// planFile reports whether a unit is the host's own plan file in plan mode: it
// lies in a plans folder as given and with symlinks resolved.
func (c *scene) planFile(u *unit) bool {
	if c.Policy.Mode.Value != "plan" || u.sub != nil || u.hit.Given == "" {
		return false
	}
	return !c.Call.Alias && (c.namedByHost(u.hit) || c.inPlans(u))
}

// inPlans reports whether a unit is a plan in a settings folder of the home or the project.
func (in *Input) inPlans(u *unit) bool {
	for _, base := range [...]rules.Path{in.Policy.Home, in.Policy.Project} {
		for _, root := range load.Roots {
			if base.Given != "" && isPlan(u.hit.Given, base.Given, root) && isPlan(u.hit.Real, base.Real, root) {
				return true
			}
		}
	}
	return false
}

// plans reports whether mode plan lets a tool of the main session pass that is not safe: one that
// begins a plan, or an agent, whose calls are decided in the mode too. One whose input picks a
// mode is not let through, for the host may run it in that.
func (in *Input) plans() bool {
	if !slices.Contains(in.Call.Host.PlanPasses, in.Call.Grantee()) || in.Call.Subagent() || in.asAgent() {
		return false
	}
	for key := range hookio.Members(in.Call.Input.Raw) {
		if strings.Contains(strings.ToLower(key), "mode") && key != "model" {
			return false
		}
	}
	return true
}

// namedByHost reports whether a path is the plan file that the host names.
func (c *scene) namedByHost(p rules.Path) bool {
	return c.Call.PlanFile != "" && p.Given == p.Real && p.Given == c.World.ToolPath(c.Call.PlanFile).Given
}

// isPlan reports whether a path is one of a plan in the settings folder of a base.
func isPlan(name, base, root string) bool {
	return path.Dir(name) == path.Join(base, root, "plans") && path.Ext(name) == ".md"
}

// An AskedPath is a pattern, as rules have it, of paths that edits are asked about
// whatever the rules say.
type AskedPath struct {
	Pattern string
	Answer  byte // Asked, AskedUnless, Unasked
}

// What an edit of a path is answered in step 2.
const (
	Asked       = iota
	AskedUnless // where no other pattern makes it
	Unasked     // perhaps; as deny rules are read
)

// AskedPaths are most paths that an edit of is asked about in step 2, as they are usually
// spelled, and all that are exempt or kept by the program that calls.
func (c *scene) AskedPaths() (out []AskedPath) {
	kept := c.keptPaths()
	for i := range guard.Sensitives {
		s := &guard.Sensitives[i]
		for _, name := range s.Paths {
			pattern, within := "//**/"+strings.TrimSuffix(name, "/"), strings.HasSuffix(name, "/")
			switch {
			case name[0] == '~', name[0] == '$', s.Class == guard.Content:
				continue
			case s.Class != guard.Control: // the last component in every spelling of it
				out = append(out, AskedPath{strings.TrimRight(pattern, "/*") + "*/**", Unasked})
				continue
			case within:
				pattern += "/**"
			}
			p := AskedPath{Pattern: pattern}
			below := func(o AskedPath) bool { return o.Answer == Unasked && strings.HasPrefix(o.Pattern+"/", "//**/"+name) }
			if len(s.Not) > 0 || len(kept) > 0 || within && slices.ContainsFunc(out, below) { // those rows come first
				p.Answer = AskedUnless
			}
			out = append(out, p)
		}
		for n := 0; s.Class == guard.Control && n < len(s.Not); n++ {
			out = append(out, AskedPath{"//**/" + s.Not[n] + "*", Unasked})
		}
	}
	for _, pattern := range kept {
		out = append(out, AskedPath{pattern, Unasked})
	}
	return out
}

// keptPaths match what the program that calls keeps, see OwnFiles, and more.
func (c *scene) keptPaths() (out []string) {
	if c.Call.Host == nil {
		return nil
	}
	for _, o := range c.Call.Host.Alone.Own {
		switch o.Base {
		case hookio.BaseHome:
			out = append(out, "~/"+strings.ReplaceAll(o.Dir, "{session}", "*")+"/**")
		case hookio.BaseSession:
			out = append(out, "//**/"+o.Dir+"/*"+o.Ext)
		default:
			out = append(out, "//tmp/**", "//var/tmp/**", "//var/folders/**", "//private/**")
		}
	}
	return out
}
