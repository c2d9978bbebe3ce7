package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// HostsFile reports whether a unit writes a file that the host tells its agent to
// keep: its literal names the place (hookio.OwnFiles). Such a file is neither
// sensitive nor outside, and it is never allowed by us.
func (c *scene) HostsFile(u *Unit) bool {
	return u.write && (u.sub != nil || rules.EditTool(c.Call().Tool)) && c.HostsPlace(u)
}

// HostsPlace is hostsFile for a unit that may only read.
func (c *scene) HostsPlace(u *Unit) bool { return c.keeps(u, false) }

// keeps reports whether a unit lies where the host keeps files, or only where it keeps plans.
func (c *scene) keeps(u *Unit, plans bool) bool {
	h := c.Call().Host
	return h != nil && u.hit.Given != "" && !c.Call().Alias && slices.ContainsFunc(h.Alone.Own, func(o hookio.OwnFiles) bool {
		if u.sub != nil && !o.Shell || plans && !o.Plans {
			return false
		}
		in := func(dir string) bool { return c.inHostsFolder(&o, dir, u) }
		return slices.ContainsFunc(c.hostsFolders(&o), in) && (c.movedTo(&o) == "" || c.onlyNotes(u))
	})
}

// movedTo is the folder that a setting names instead; "" for none, one that the host does not take, and one that holds
// what the user works in.
func (c *scene) movedTo(o *hookio.OwnFiles) string {
	for _, f := range c.Policy().Folders {
		at, anywhere := c.World().PathIn(f[1], c.Policy().Project.Given), o.Base == hookio.BaseSession
		whole := strings.HasPrefix(f[1], "~/") || c.Policy().OS.IsAbs(f[1])
		if takes := whole == anywhere && (anywhere || c.World().Inside(at)); takes && f[0] == o.Key && !c.World().AboveOurs(at) {
			return at.Given
		}
	}
	return ""
}

// onlyNotes reports whether nothing loads or runs a file by itself, and no check asks about it.
func (c *scene) onlyNotes(u *Unit) bool {
	loaded := slices.Contains(strings.Fields("claude.md claude.local.md agents.md gemini.md skill.md"), strings.ToLower(path.Base(u.hit.Given)))
	_, secret := c.Guard().SecretOutside(u.hit)
	return !loaded && secret == "" && c.Guard().Sensitive(u.Target()) == "" && guard.AutorunBy(u.Target()) == nil
}

// hostsFolders lists the folders that one entry of the host's literal means for this call.
func (c *scene) hostsFolders(o *hookio.OwnFiles) []string {
	home, call := c.Policy().Home.Given, c.Call()
	if strings.Contains(o.Dir, "{session}") && !plainComponent(call.SessionID) {
		return nil
	}
	if dir := c.movedTo(o); dir != "" {
		return []string{dir}
	}
	switch o.Base {
	case hookio.BaseHome:
		if rest, theirs := strings.CutPrefix(o.Dir, ".claude/"); theirs && c.Policy().ConfigDir != "" {
			return []string{path.Join(c.Policy().ConfigDir, rest)}
		}
		if home != "" {
			return []string{path.Join(home, strings.ReplaceAll(o.Dir, "{session}", call.SessionID))}
		}
	case hookio.BaseProject:
		if project := c.Policy().Project.Given; project != "" {
			return []string{path.Join(project, o.Dir)}
		}
	case hookio.BaseScratch:
		dir := c.Policy().OS.Canon(call.Scratch)
		if path.IsAbs(dir) && c.World().Temporary(c.World().Path(path.Clean(dir)+"/x")) {
			return []string{path.Clean(dir)}
		}
	case hookio.BaseSession:
		if call.Transcript != "" {
			return []string{path.Join(path.Dir(c.Policy().OS.Canon(call.Transcript)), o.Dir)}
		}
		if home != "" && o.Projects != "" {
			in := func(project string) string { return path.Join(home, o.Projects, projectName(project), o.Dir) }
			return []string{in(c.Policy().Project.Given), in(c.Policy().Cwd.Given)}
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
		if PlainLetter(r) || IsDigit(r) {
			return r
		}
		return '-'
	}, dir)
}

// IsDigit reports whether a character is one of 0 to 9.
func IsDigit(r rune) bool { return r >= '0' && r <= '9' }

// PlainLetter reports whether a character is one of a to z and A to Z.
func PlainLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// inHostsFolder reports whether a unit lies in one such folder, and no symlink on the
// way from the folder leads elsewhere.
func (c *scene) inHostsFolder(o *hookio.OwnFiles, dir string, u *Unit) bool {
	if at := path.Dir(u.hit.Given); strings.Contains(o.Dir, "*") {
		if ok, _ := path.Match(dir, at); !ok {
			return false
		}
		dir = at
	}
	rest, ok := strings.CutPrefix(u.hit.Given, dir+"/")
	if !ok || u.effect != nil && u.effect.Glob || !keptAs(o, rest) {
		return false
	}
	folder := path.Base(dir) + "/" + rest
	return u.hit.Real == c.World().Path(dir).Real+"/"+rest && strings.HasSuffix(u.hit.Real, "/"+folder)
}

// keptAs reports whether a host keeps such a file in a folder of its own.
func keptAs(o *hookio.OwnFiles, name string) bool {
	if name == "" || !o.Deep && strings.Contains(name, "/") {
		return false
	}
	return strings.HasSuffix(name, o.Ext) && guard.SensitivePath(name) == ""
}

// PlanFile reports whether a unit is the host's own plan file in plan mode: it
// lies in a plans folder as given and with symlinks resolved.
func (c *scene) PlanFile(u *Unit) bool {
	is := c.Policy().Mode.Value == "plan" && u.sub == nil && u.hit.Given != "" && !c.Call().Alias
	return is && (c.namedByHost(u.hit) || c.inPlans(u) || c.keeps(u, true))
}

// inPlans reports whether a unit is a plan in a settings folder of the home or the project.
func (c *scene) inPlans(u *Unit) bool {
	return slices.ContainsFunc(load.Roots[:], func(root string) bool {
		return isPlan(u.hit, c.Policy().Home, root) || isPlan(u.hit, c.Policy().Project, root)
	})
}

// Plans reports whether mode plan lets a tool of the main session pass that is not safe: one that
// begins a plan, or an agent, whose calls are decided in the mode too. One whose input picks a
// mode is not let through, for the host may run it in that.
func (c *scene) Plans() bool {
	if !slices.Contains(c.Call().Host.PlanPasses, c.Call().Grantee()) || c.Call().Subagent() || c.AsAgent() {
		return false
	}
	for key := range hookio.Members(c.Call().Input.Raw) {
		if strings.Contains(strings.ToLower(key), "mode") && key != "model" {
			return false
		}
	}
	return true
}

// namedByHost reports whether a path is the plan file that the host names.
func (c *scene) namedByHost(p rules.Path) bool {
	return c.Call().PlanFile != "" && p.Given == p.Real && p.Given == c.World().ToolPath(c.Call().PlanFile).Given
}

// isPlan reports whether a path is one of a plan in the settings folder of a base.
func isPlan(p, base rules.Path, root string) bool {
	in := func(name, base string) bool {
		return path.Dir(name) == path.Join(base, root, "plans") && path.Ext(name) == ".md"
	}
	return base.Given != "" && in(p.Given, base.Given) && in(p.Real, base.Real)
}
