package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
)

// ChangesFolder reports whether a cd is in the text.
func (c *scene) ChangesFolder() bool {
	for i := range c.Script().Subcommands {
		if c.Script().Subcommands[i].Program == "cd" {
			return true
		}
	}
	return false
}

// Rereads reports whether the text can be read again where cds work.
func (c *matcher) Rereads() bool { return c.in.Reread != nil }

// Reread is the text where some cds work, nil where none of them does.
func (c *matcher) Reread(works func(*bashsafety.Entering) bool) *bashsafety.Analysis {
	some := false
	text := c.in.Reread(func(e *bashsafety.Entering) bool {
		yes := works(e)
		some = some || yes
		return yes
	})
	if !some {
		return nil
	}
	return text
}

// Enters reports whether a cd works: nothing in the text can change that, and all that it may mean are folders that
// this user can enter now.
func (c *matcher) Enters(e *bashsafety.Entering) bool {
	if !e.Settled || len(e.Dirs) == 0 || c.World().Blind() || c.World().AnyDisk {
		return false
	}
	if !fixedPlace(e.Dir.Text) && c.cdReplaced() {
		return false
	}
	return !slices.ContainsFunc(e.Dirs, func(dir string) bool { return !c.World().Enterable(dir) })
}

// fixedPlace reports whether neither CDPATH nor what takes the place of cd looks for a folder elsewhere.
func fixedPlace(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return first == "" || first == "." || first == ".."
}

// cdReplaced reports whether cd may look elsewhere, or be a function or an alias of the shell that the host starts.
func (c *matcher) cdReplaced() bool {
	if c.World().Environ == nil || c.World().Variable("CDPATH") != "" {
		return true
	}
	h := c.Call().Host
	if h == nil || h.Snapshots == "" || h.Register == nil {
		return false
	}
	folders := []string{path.Join(c.Policy().Home.Given, path.Base(h.Register.Folder), h.Snapshots)}
	if dir := world.Folder(c.World(), h.Register.Moved.To); dir != "" {
		folders = append(folders, path.Join(dir, h.Snapshots))
	}
	return slices.ContainsFunc(folders, c.World().ReplacesCd)
}
