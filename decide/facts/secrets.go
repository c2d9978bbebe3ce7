package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/rules"
)

// ReadsContent reports whether a unit shows what a file holds.
func (c *scene) ReadsContent(u *Unit) bool {
	switch e := u.effect; {
	case u.write:
		return false
	case e != nil:
		return (e.Kind == bashsafety.Read || e.Kind == bashsafety.Source) && !e.Key && !e.Silent
	case u.sub != nil || u.subject.Path == nil:
		return false
	}
	return c.Call().Tool != "Glob" && c.Call().Tool != "LS"
}

// SecretRead returns the secret outside the project that a unit reads, and what
// it holds; "" where it reads none.
func (c *scene) SecretRead(u *Unit) (name, why string) {
	place := u.hit
	if place.Given == "" && u.subject.Path != nil {
		place = *u.subject.Path
	}
	if place.Given == "" {
		return c.Guard().SecretUnknown(u.Target())
	}
	if name, why = c.Guard().SecretOutside(place); why != "" {
		return name, why
	}
	if u.effect != nil && u.effect.Glob && u.effect.Expands == nil { // a pattern of PowerShell
		names, _ := c.World().Expand(place.Given)
		for i := 0; i < len(names) && why == ""; i++ {
			name, why = c.Guard().SecretOutside(c.World().Path(names[i]))
		}
		if why != "" {
			return name, why
		}
	}
	if u.effect != nil && u.effect.Recursive || u.effect == nil && c.Call().Tool == "Grep" {
		return c.Guard().SecretBelow(place)
	}
	if u.effect != nil && !u.effect.Files {
		return c.Guard().SecretIn(place)
	}
	return "", ""
}

// AllowedByName reports whether an exact allow rule of the user or managed
// settings names what a unit reads, or the command that reads it.
func (c *reading) AllowedByName(u *Unit) bool {
	list := c.Policy().Allow
	for i := range list {
		if c.Call().Alias || !NamesOne(&list[i]) {
			continue
		}
		one := list[i : i+1]
		if len(c.Policy().Match(one, &u.subject)) > 0 {
			return true
		}
		for o := range c.Units() {
			if u.sub != nil && o.IsCommand(u.sub) && len(c.Policy().Match(one, &o.subject)) > 0 {
				return true
			}
		}
	}
	return false
}

// NamesOne reports whether a rule of the user or managed settings names one thing.
func NamesOne(r *rules.Rule) bool {
	trusted := r.Scope == rules.User || r.Scope == rules.Managed
	return trusted && !r.Bare && !strings.ContainsAny(r.Pattern, "*?[")
}

// Secret returns what says whether an effect reads keys or tokens, wherever they lie: the analysis asks so that it can
// follow them to the network.
func (in Input) Secret() func(*bashsafety.Effect) bool {
	var c *scene
	return func(e *bashsafety.Effect) bool {
		if c == nil {
			c = &scene{in: in}
			c.settle()
		}
		return c.guard.ReadsSecret(e)
	}
}

// SearchedStore returns a credential store of the home in a folder whose names a command
// of the text looks through, such as find's: what reads a file that is not known may be handed it.
func (c *reading) SearchedStore() (name, why string) {
	for i := range c.Script().Subcommands {
		effects := c.Script().Subcommands[i].Effects
		for j := range effects {
			e := &effects[j]
			if e.Kind != bashsafety.Read || !e.Recursive || !e.Silent {
				continue
			}
			if name, why = c.Guard().SecretBelow(c.World().EffectPath(e)); why != "" {
				return name, why
			}
		}
	}
	return "", ""
}

// NamesSecret returns the first word of a text that names a secret, or a folder of them, wherever it lies, or what a
// search of the text finds: what reads a file that is not known may read that one.
func (c *reading) NamesSecret() string {
	if c.secretWord == nil {
		name := c.findSecretWord()
		c.secretWord = &name
	}
	return *c.secretWord
}

func (c *reading) findSecretWord() string {
	for m := range c.Mentions() {
		if guard.IsSecretPlace(m.Path.Given) {
			return m.Text
		}
	}
	for i := range c.Script().Subcommands {
		effects := c.Script().Subcommands[i].Effects
		for j := range effects {
			if e := &effects[j]; e.Kind == bashsafety.Looks && e.Dots && guard.FindsSecret(path.Base(e.Path)) {
				return path.Base(e.Path)
			}
		}
	}
	name, _ := c.SearchedStore()
	return name
}

// Contained says why a command in a container, or the one that brings it there, may
// show what is secret: the files of a container are not looked at one by one.
func Contained(sub *bashsafety.Subcommand) (why string) {
	for i := range sub.Argv {
		w := &sub.Argv[i]
		if sub.Contained() && !w.Known {
			return "it reads an unknown file in a container"
		}
		Spellings(w.Text, func(name string) {
			at := strings.TrimPrefix(path.Clean("/"+name), "/var")
			if guard.IsSecretPlace(at) || tellsOfProcesses(at) {
				why = "it reads a file in a container that may contain keys or tokens"
			}
			if sub.Contained() && name[0] == '/' && holdsSecrets(at) && !ListsNames(sub.Program) {
				why = "it reads a folder in a container that may contain keys or tokens"
			}
		})
	}
	return why
}

// tellsOfProcesses reports whether a file of /proc may show the environment or the
// memory of a process: all but the plain facts about the machine.
func tellsOfProcesses(at string) bool {
	return strings.HasPrefix(at, "/proc/") && at != "/proc/cpuinfo" && at != "/proc/meminfo"
}

// holdsSecrets reports whether the places of keys in a container lie below a folder.
func holdsSecrets(folder string) bool {
	return slices.Contains([]string{"", "/", "/etc", "/home", "/proc", "/root", "/run"}, folder)
}

// ListsNames reports whether a program shows no more of a folder than its names.
func ListsNames(program string) bool {
	return slices.Contains([]string{"ls", "stat", "find", "du", "df", "tree", "test", "[", "file"}, program)
}
