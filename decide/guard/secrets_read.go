package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// SecretUnknown returns the secret that a read of a path which is not known may
// show: one in the folder its beginning names, or what a search hands to xargs.
func (g *Guard) SecretUnknown(t *Target) (name, why string) {
	if t.Effect == nil || t.Sub == nil {
		return "", ""
	}
	if name, why = g.secretStem(t.Effect); why != "" || g.Script == nil || !byNames(t.Sub) {
		return name, why
	}
	for i := range g.Script.Subcommands {
		s := &g.Script.Subcommands[i]
		if s.Program != "xargs" && s.Program != "parallel" {
			continue
		}
		for _, from := range s.From {
			if from < len(g.Script.Subcommands) {
				if name, why = g.secretWord(&g.Script.Subcommands[from]); why != "" {
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
func (g *Guard) secretStem(e *bashsafety.Effect) (name, why string) {
	head, _, open := strings.Cut(e.Path, bashsafety.HoleMark)
	if !open || !strings.HasPrefix(head, "/") || head == "/" {
		return "", ""
	}
	if _, why = g.outsideSecret(strings.ReplaceAll(e.Path, bashsafety.HoleMark, "x")); why != "" {
		return path.Clean(head), why
	}
	if strings.HasSuffix(head, "/") {
		return "", ""
	}
	if _, why = g.outsideSecret(head + "/x"); why != "" || head == g.World.Home.Given {
		return head, why
	}
	return g.SecretBelow(g.World.Path(head))
}

// secretWord returns the first word of a command that names a secret outside the
// project, or a folder of them.
func (g *Guard) secretWord(sub *bashsafety.Subcommand) (name, why string) {
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
			if _, why = g.outsideSecret(name); why == "" {
				_, why = g.outsideSecret(name + "/x")
			}
			if why != "" {
				return name, why
			}
		}
	}
	return "", ""
}

// outsideSecret looks a path up that is not one of the project's.
func (g *Guard) outsideSecret(name string) (found, why string) {
	return g.SecretOutside(g.World.Path(path.Clean(name)))
}

// SecretOrStore looks up a path, and a folder of secrets that is not in one itself.
func (g *Guard) SecretOrStore(name string) (found, why string) {
	if found, why = g.outsideSecret(name); why != "" || SecretPath(path.Dir(name)+"/x") != nil {
		return found, why
	}
	if _, why = g.outsideSecret(name + "/x"); why == "" {
		return "", ""
	}
	return name, why
}

// IsSecretPlace reports whether a path is a secret, or a folder of them.
func IsSecretPlace(at string) bool { return SecretPath(at) != nil || SecretPath(at+"/x") != nil }

// SecretOutside looks a path up that is not one of the project's.
func (g *Guard) SecretOutside(p rules.Path) (found, why string) {
	for _, at := range [...]string{p.Given, p.Real} {
		s := SecretPath(at)
		if s == nil {
			continue
		}
		if rel, _ := g.World.InProject(p); rel == "" || s.Home && g.homePlace(at) {
			return at, s.Why
		}
	}
	return "", ""
}

// homePlace reports whether a path is one of the home itself, and not of a
// folder that looks like one in a project.
func (g *Guard) homePlace(name string) bool {
	home := g.World.Home
	inHome := home.Given != "" && (rules.Within(name, home.Given) || rules.Within(name, home.Real))
	return inHome && !g.inRepository(name)
}

// inRepository reports whether a path lies in a project below the home.
func (g *Guard) inRepository(name string) bool {
	root := g.World.Project.Given
	return root != g.World.Home.Given && rules.Within(root, g.World.Home.Given) && rules.Within(name, root)
}

// SecretBelow returns a credential store of the home that a search of a folder
// reads on its way.
func (g *Guard) SecretBelow(dir rules.Path) (name, why string) {
	home := g.World.Home.Given
	if home == "" {
		return "", ""
	}
	for i := range Secrets {
		s := &Secrets[i]
		if !s.Home || strings.Contains(s.Path, "*") {
			continue
		}
		at := path.Join(home, s.Path)
		if g.inRepository(at) || !rules.Within(at, dir.Given) && !rules.Within(at, dir.Real) {
			continue
		}
		if g.World.Blind() || g.World.Exists(at) {
			return at, s.Why
		}
	}
	return "", ""
}

// ReadsSecret reports whether an effect reads a secret, wherever it lies.
func (g *Guard) ReadsSecret(e *bashsafety.Effect) bool {
	if e.Silent {
		return false
	}
	if !e.Known && !e.Glob {
		_, why := g.secretStem(e)
		return why != ""
	}
	p := g.World.EffectPath(e)
	if SecretPath(p.Given) != nil || SecretPath(p.Real) != nil {
		return true
	}
	_, why := g.SecretBelow(p) // a folder that is not read with all below it may be: diff reads what lies in both
	return why != ""
}
