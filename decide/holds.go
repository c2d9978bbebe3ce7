package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// sensitiveAt says why a name is asked about that comes to lie somewhere; placed
// limits that to what is read from there.
func (c *Case) sensitiveAt(to rules.Path, placed bool) string {
	for _, p := range [...]string{to.Given, to.Real} {
		if why := c.guardedAt(p); why != "" {
			return why
		}
		why := sensitivePath(p)
		switch {
		case why == "":
			continue
		case !placed:
			return why
		}
		dir := path.Dir(p)
		for sensitivePath(dir) != "" {
			dir = path.Dir(dir)
		}
		if c.holds(rules.Path{Given: dir, Real: dir}) != "" {
			return why
		}
	}
	return ""
}

// guardedAt says that a path is a file of this gate, "" when it is not.
func (c *Case) guardedAt(p string) string {
	folded := world.FoldPath(p)
	for _, own := range c.World.GateFilesFolded() {
		if rules.Within(folded, own.Given) || own.Real != own.Given && rules.Within(folded, own.Real) {
			return "a permgate file"
		}
	}
	return ""
}

// mayHold says what names that are not known could replace in a folder, or below
// what alone is taken; "" for nothing that matters.
func (c *Case) mayHold(dir rules.Path, in *bashsafety.Contents) string {
	if in.Free {
		return "They may be anywhere"
	}
	if len(in.Only) == 0 || in.Changed {
		return c.holds(dir)
	}
	for _, name := range in.Only {
		name = strings.TrimPrefix(path.Clean("/"+name), "/")
		parts, wild := strings.Split(name, "/"), false
		for i, part := range parts {
			if strings.ContainsAny(part, "*?[") {
				parts, wild = parts[:i], true
				break
			}
		}
		if parts = parts[min(in.Strip, len(parts)):]; in.Flat && !wild && len(parts) > 0 {
			parts = parts[len(parts)-1:]
		} else if in.Flat {
			parts = nil
		}
		to := c.World.Landed(path.Join(dir.Given, path.Join(parts...)))
		if why := c.sensitiveAt(to, false); why != "" {
			return "`" + to.Given + "` would be " + why
		}
		if why := c.holds(to); why != "" {
			return why
		}
	}
	return ""
}

// holds says what is, or could come to be, directly in a folder that is asked
// about when it is written, "" where there is nothing: the folders that settings
// are read from, what lies above them, and folders that have such a file.
func (c *Case) holds(dir rules.Path) string {
	if dir.Given == "" || c.World.Temporary(dir) && !c.World.AboveOurs(dir) {
		return ""
	}
	if why, had := c.places[dir]; had {
		return why
	}
	why := c.holdsNow(dir)
	if c.places == nil {
		c.places = map[rules.Path]string{}
	}
	c.places[dir] = why
	return why
}

func (c *Case) holdsNow(dir rules.Path) string {
	switch {
	case c.World.AboveOurs(dir):
		return "They could be settings of the agent, git or permgate"
	case partly(dir.Given), partly(dir.Real):
		return "They could be settings that run commands"
	case c.World.Blind():
		return ""
	}
	names, err := c.World.Names(dir.Real)
	if err != nil {
		return ""
	}
	for _, name := range names {
		if sensitivePath("/"+name) != "" {
			return "They could replace " + quoted(path.Join(dir.Given, name))
		}
	}
	return ""
}

// partly reports whether a folder is the beginning of a path of the table of
// sensitive ones: .github of .github/hooks.
func partly(dir string) bool {
	base := world.FoldPath(path.Base(dir))
	for i := range Sensitives {
		for _, p := range Sensitives[i].Paths {
			if head, rest, _ := strings.Cut(p, "/"); rest != "" && head[0] == '.' && head == base && Sensitives[i].Class == Control {
				return true
			}
		}
	}
	return false
}
