package decide

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// leavesPlace says how a command goes beyond a path that an allow rule begins and
// a wildcard ends; "" when it stays below it, or there is no such path.
func (c *Case) leavesPlace(r *rules.Rule, u *unit) string {
	if u.sub == nil || r.Bare {
		return ""
	}
	for _, place := range c.Policy.Boundaries(r) {
		for i := range u.sub.Argv {
			if w := &u.sub.Argv[i]; strings.HasPrefix(c.Policy.OS.Slashes(w.Text), place) {
				if why := c.leaves(place, w, u.sub); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

// leaves is leavesPlace for one word.
func (c *Case) leaves(place string, w *bashsafety.Word, sub *bashsafety.Subcommand) string {
	text, dir := c.Policy.OS.Slashes(w.Text), place[:strings.LastIndexByte(place, '/')+1]
	rest := strings.NewReplacer("%2e", ".", "%2E", ".").Replace(text[len(dir):]) // as curl reads a URL
	switch {
	case strings.Contains("/"+rest+"/", "/../"):
		return "a path goes up from " + dir
	case strings.Contains(rest, bashsafety.HoleMark) && !(w.Down && w.Single):
		return "what follows " + dir + " is only known at run time"
	case strings.Contains(place, "://"):
		return ""
	}
	if option := strings.IndexByte(dir, '='); option >= 0 && dir[0] == '-' {
		text, dir = text[option+1:], dir[option+1:]
	}
	if len(sub.Dirs) == 0 && !strings.HasPrefix(text, "/") {
		return "the folder of " + dir + " is only known at run time"
	}
	base := append(slices.Clip(sub.Dirs), "/")
	for _, at := range base[:max(1, len(base)-1)] {
		if !c.staysBelow(c.pathIn(dir, at), text, at, w, sub) {
			return "a link below " + dir + " leads elsewhere"
		}
	}
	return ""
}

// staysBelow reports whether what a word names is where it seems to be: in the project,
// or below a place outside of it. The programs of packages are links elsewhere.
func (c *Case) staysBelow(place rules.Path, text, at string, w *bashsafety.Word, sub *bashsafety.Subcommand) bool {
	found := []string{text}
	if !w.Known && c.FS != nil {
		ok := false
		if found, ok = c.expand(c.pathIn(strings.ReplaceAll(text, bashsafety.HoleMark, "*"), at).Given); !ok {
			return false
		}
	}
	for _, name := range found {
		p := c.pathIn(name, at)
		switch {
		case !rules.Within(p.Given, place.Given):
			return false
		case packageProgram(p.Given):
		case c.planted(&unit{sub: sub, hit: p}):
			return false
		case c.under(p.Given):
			if !c.under(p.Real) {
				return false
			}
		case !rules.Within(p.Real, place.Real):
			return false
		}
	}
	return true
}

// packageProgram reports whether a file is in a folder where package managers link programs.
func packageProgram(name string) bool {
	dir := name[:strings.LastIndexByte(name, '/')+1]
	for _, bin := range [...]string{"/node_modules/.bin/", "/vendor/bin/", "/venv/bin/", "/.venv/bin/"} {
		if strings.HasSuffix(dir, bin) {
			return true
		}
	}
	return false
}
