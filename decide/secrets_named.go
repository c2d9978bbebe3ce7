package decide

import (
	"path"
	"slices"
	"strings"

	"permgate/bashsafety"
)

// secretUnknown returns the secret that a read of a path which is not known may
// show: one in the folder its beginning names, or what a search hands to xargs.
func (c *Case) secretUnknown(u *unit) (name, why string) {
	if u.effect == nil || u.sub == nil {
		return "", ""
	}
	if name, why = c.secretStem(u.effect); why != "" || c.Script == nil || !byNames(u.sub) {
		return name, why
	}
	for i := range c.Script.Subcommands {
		s := &c.Script.Subcommands[i]
		if s.Program != "xargs" && s.Program != "parallel" {
			continue
		}
		for _, from := range s.From {
			if from < len(c.Script.Subcommands) {
				if name, why = c.secretWord(&c.Script.Subcommands[from]); why != "" {
					return name, why
				}
			}
		}
	}
	return "", ""
}

// byNames reports whether a command gets its operands from the input of another.
func byNames(sub *bashsafety.Subcommand) bool {
	return slices.Contains(sub.Via, "xargs") || slices.Contains(sub.Via, "parallel")
}

// secretStem returns the secret that a path with unknown parts may be by its known
// ones: what lies in a folder of keys, or what find meets below where it starts.
func (c *Case) secretStem(e *bashsafety.Effect) (name, why string) {
	head, _, open := strings.Cut(e.Path, bashsafety.HoleMark)
	if !open || !strings.HasPrefix(head, "/") || head == "/" {
		return "", ""
	}
	if _, why = c.outsideSecret(strings.ReplaceAll(e.Path, bashsafety.HoleMark, "x")); why != "" {
		return path.Clean(head), why
	}
	if strings.HasSuffix(head, "/") {
		return "", ""
	}
	if _, why = c.outsideSecret(head + "/x"); why != "" || head == c.Policy.Home.Given {
		return head, why
	}
	return c.secretBelow(c.path(head))
}

// secretWord returns the first word of a command that names a secret outside the
// project, or a folder of them.
func (c *Case) secretWord(sub *bashsafety.Subcommand) (name, why string) {
	for i := 1; i < len(sub.Argv); i++ {
		w := &sub.Argv[i]
		if !w.Known && !w.Glob || strings.HasPrefix(w.Text, "-") {
			continue
		}
		names := []string{w.Text}
		if !strings.HasPrefix(w.Text, "/") {
			if names = nil; !strings.Contains(w.Text, "://") {
				for _, dir := range sub.Dirs {
					names = append(names, path.Join(dir, w.Text))
				}
			}
		}
		for _, name := range names {
			if _, why = c.outsideSecret(name); why == "" {
				_, why = c.outsideSecret(name + "/x")
			}
			if why != "" {
				return name, why
			}
		}
	}
	return "", ""
}

// outsideSecret looks a path up that is not one of the project's.
func (c *Case) outsideSecret(name string) (found, why string) {
	p := c.path(path.Clean(name))
	for _, at := range [...]string{p.Given, p.Real} {
		s := secretPath(at)
		if s == nil {
			continue
		}
		if rel, _ := c.inProject(p); rel == "" || s.Home && c.homePlace(at) {
			return at, s.Why
		}
	}
	return "", ""
}
