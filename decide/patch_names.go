package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// patched is where the names of a patch lead: below the top of the repository
// and, in a patch without headers of git's, below the folder it is applied in.
// How much of such names is dropped is then guessed as well.
func (c *Case) patched(p *bashsafety.Patching, patch *bashsafety.Patch) (paths []string) {
	top := p.Dir
	if !c.World.Blind() {
		if root := c.repos.RootOf(c.World.Follow(p.Dir)); root != "" {
			top = root
		}
	}
	bases, least, most := []string{top}, p.Strip, p.Strip
	if patch.Plain {
		if top != p.Dir {
			bases = append(bases, p.Dir)
		}
		if !p.Given {
			least, most = 0, 1+strings.Count(strings.TrimPrefix(p.Dir, top), "/")
		}
	}
	for _, n := range patch.Names {
		for strip := least; strip <= most; strip++ {
			name := n.Strip(strip)
			if name == "" {
				continue
			}
			for _, base := range bases {
				at := base + "/" + p.Under + "/" + name
				if paths = append(paths, at); n.Link != "" {
					paths = append(paths, linkTarget(at, n.Link))
				}
			}
		}
	}
	return paths
}

// atTop is an effect below the top of the work tree.
func (c *Case) atTop(e *bashsafety.Effect) *bashsafety.Effect {
	one := *e
	one.Top = ""
	if c.World.Blind() {
		return &one
	}
	root := c.repos.RootOf(c.World.Follow(e.Top))
	if rest, below := strings.CutPrefix(e.Path, strings.TrimSuffix(e.Top, "/")+"/"); below && root != "" {
		one.Path = strings.TrimSuffix(root, "/") + "/" + rest
	}
	return &one
}

// linkTarget is where a symlink at a path leads.
func linkTarget(at, target string) string {
	if path.IsAbs(target) {
		return target
	}
	return path.Dir(path.Clean(at)) + "/" + target
}
