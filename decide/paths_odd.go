package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// uncertain says why a path as a tool sent it may be another file than it
// seems, or no file, on the system of this call; "" when it may not. Part is the
// component that this is about, "" for all of them.
func (c *Case) uncertain(sent string) (part, why string) {
	clean, doubt := c.World.OS.Clean(sent, c.World.Dir, c.World.Home.Given)
	if doubt != "" {
		return "", doubt
	}
	return c.odd(clean)
}

// uncertainEffect is uncertain for a path of a shell command.
func (c *Case) uncertainEffect(e *bashsafety.Effect) (part, why string) {
	if c.World.OS == rules.Linux || e.Path == "" || !e.Known && !e.Glob {
		return "", ""
	}
	clean, doubt := c.World.OS.Effect(e.Path, e.Raw, c.World.Cwd.Given, e.Glob)
	if doubt != "" {
		return "", doubt
	}
	if e.Glob {
		return "", "" // wildcards are no names, and the pattern is compared as one
	}
	return c.odd(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>"|?*`, r) { // a quoted pattern, for the program: no file has such a name
			return 'x'
		}
		return r
	}, clean))
}

// odd looks at the components of a clean path. Those of the workspace itself
// are what the host calls it: they are certain.
func (c *Case) odd(clean string) (part, why string) {
	if c.World.OS == rules.Linux {
		return "", ""
	}
	known := 0
	for _, r := range c.World.Roots {
		for _, form := range [...]string{r.Given, r.Real} {
			if rules.Within(clean, form) {
				known = max(known, len(form))
			}
		}
	}
	for _, part := range strings.Split(clean[known:], "/") {
		if why := c.World.OS.Odd(part); why != "" {
			return part, why
		}
	}
	return "", ""
}

// detour reports whether a path as a tool sent it leads elsewhere when .. is
// followed on the disk, behind symlinks, and not taken out of the text first.
// Which of the two a tool does is not known.
func (c *Case) detour(sent string) bool {
	// which takes .. out of the text
	if c.World.FS == nil || !strings.Contains(sent, "..") || strings.ContainsRune(sent, 0) || c.World.OS == rules.Windows {
		return false
	}
	raw := sent
	switch home := c.World.Home.Given; {
	case strings.HasPrefix(sent, "~/") && home != "":
		raw = home + sent[1:]
	case !strings.HasPrefix(sent, "/"):
		raw = c.World.Dir + "/" + sent
	}
	return c.World.OS.Canon(load.Follow(c.World.FS, raw)) != c.toolPath(sent).Real
}
