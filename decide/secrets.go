package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/rules"
)

// immuneSecrets asks about reading a secret outside the project, where the
// posture says so, unless an exact rule of the user or managed settings names it.
func immuneSecrets(c *Case) Verdict {
	if c.Policy.Posture.Secrets.Value != "ask" {
		return Verdict{}
	}
	for i := range c.units {
		u := &c.units[i]
		if !c.readsContent(u) {
			continue
		}
		name, why := c.secretRead(u)
		if why == "" || c.takesBack(askSecret, question{unit: u}) {
			continue
		}
		return immune("secret-file", u.text, u.doer()+"reads "+quoted(name)+", which contains "+why+
			". To allow it, add Read("+ruleName(name, c.World.Home.Given)+") to the allow list of your own settings")
	}
	return immuneNamedSecret(c)
}

// ruleName is how a Read rule names an absolute path.
func ruleName(name, home string) string {
	if rest, ok := strings.CutPrefix(name, home+"/"); ok && home != "" {
		return "~/" + rest
	}
	return "/" + name
}

// readsContent reports whether a unit shows what a file holds.
func (c *scene) readsContent(u *unit) bool {
	switch e := u.effect; {
	case u.write:
		return false
	case e != nil:
		return (e.Kind == bashsafety.Read || e.Kind == bashsafety.Source) && !e.Key && !e.Silent
	case u.sub != nil || u.subject.Path == nil:
		return false
	}
	return c.Call.Tool != "Glob" && c.Call.Tool != "LS"
}

// secretRead returns the secret outside the project that a unit reads, and what
// it holds; "" where it reads none.
func (c *scene) secretRead(u *unit) (name, why string) {
	place := u.hit
	if place.Given == "" && u.subject.Path != nil {
		place = *u.subject.Path
	}
	if place.Given == "" {
		return c.guard.SecretUnknown(u.target())
	}
	if name, why = c.guard.SecretOutside(place); why != "" {
		return name, why
	}
	if u.effect != nil && u.effect.Recursive || u.effect == nil && c.Call.Tool == "Grep" {
		return c.guard.SecretBelow(place)
	}
	return "", ""
}

// allowedByName reports whether an exact allow rule of the user or managed
// settings names what a unit reads, or the command that reads it.
func (c *reading) allowedByName(u *unit) bool {
	list := c.Policy.Allow
	for i := range list {
		if c.Call.Alias || !namesOne(&list[i]) {
			continue
		}
		one := list[i : i+1]
		if len(c.Policy.Match(one, &u.subject)) > 0 {
			return true
		}
		for j := range c.units {
			if o := &c.units[j]; u.sub != nil && o.isCommand(u.sub) && len(c.Policy.Match(one, &o.subject)) > 0 {
				return true
			}
		}
	}
	return false
}

// namesOne reports whether a rule of the user or managed settings names one thing.
func namesOne(r *rules.Rule) bool {
	trusted := r.Scope == rules.User || r.Scope == rules.Managed
	return trusted && !r.Bare && !strings.ContainsAny(r.Pattern, "*?[")
}

// Secret reports whether what an effect reads holds keys or tokens, wherever it
// lies: the analysis asks so that it can follow them to the network.
func (c *scene) Secret(e *bashsafety.Effect) bool {
	c.settle()
	return c.guard.ReadsSecret(e)
}

// SecretReads are the parts that step 2 asks about as reads of a secret outside
// the project. An exact Read rule in the user's own settings allows each.
func SecretReads(c *Case) []Part {
	c.prepare()
	if c.Policy.Posture.Secrets.Value != "ask" {
		return nil
	}
	var parts []Part
	for i := range c.units {
		u := &c.units[i]
		if !c.readsContent(u) {
			continue
		}
		if _, why := c.secretRead(u); why != "" && !c.takesBack(askSecret, question{unit: u}) {
			parts = append(parts, u.part())
		}
	}
	return parts
}

// immuneNamedSecret asks where a text reads a file that is only known when it
// runs, and spells out a secret.
func immuneNamedSecret(c *Case) Verdict {
	for _, o := range c.openings() {
		if o.writes {
			continue
		}
		name, why := c.namedSecret(&o)
		if why == "" {
			continue
		}
		part := Spell(o.sub.Argv)
		return immune("secret-file", part, quoted(part)+origin(o.sub)+" may read "+quoted(name)+
			", which contains "+why+
			". Try naming the files it reads")
	}
	return Verdict{}
}

// namedSecret returns the secret that the text spells out and an opening may be.
func (c *Case) namedSecret(o *opening) (name, why string) {
	for i := range c.mentions() {
		m := &c.mentioned[i]
		if m.text[0] != '/' && m.text[0] != '~' && !strings.HasPrefix(m.text, "..") {
			continue // a relative name leads into the project
		}
		name, why = c.guard.SecretOrStore(m.path.Given)
		if why != "" && c.mayBe(o, m) && !usedKey(c.Script, m.path.Given) && !c.allowedSecret(name) {
			return name, why
		}
	}
	return "", ""
}

// usedKey reports whether a command of the text uses a file as its key.
func usedKey(script *bashsafety.Analysis, name string) bool {
	for i := range script.Subcommands {
		for j := range script.Subcommands[i].Effects {
			if e := &script.Subcommands[i].Effects[j]; e.Key && e.Path == name {
				return true
			}
		}
	}
	return false
}

// allowedSecret reports whether an exact allow rule of the user or managed
// settings names a file.
func (c *Case) allowedSecret(name string) bool {
	p := c.World.Path(name)
	return c.takesBack(askSecret, question{unit: &unit{subject: rules.Subject{Tool: "Read", Path: &p}}})
}

// spellsSecret returns the first word of a text that names a secret, or a folder
// of them, wherever it lies: what reads a file that is not known may read that one.
func (c *reading) spellsSecret() string {
	for i := range c.mentions() {
		m := &c.mentioned[i]
		if guard.IsSecretPlace(m.path.Given) {
			return m.text
		}
	}
	return ""
}

// contained says why a command in a container, or the one that brings it there, may
// show what is secret: the files of a container are not looked at one by one.
func contained(sub *bashsafety.Subcommand) (why string) {
	for i := range sub.Argv {
		w := &sub.Argv[i]
		if sub.Contained && !w.Known {
			return "it reads an unknown file in a container"
		}
		spellings(w.Text, func(name string) {
			at := strings.TrimPrefix(path.Clean("/"+name), "/var")
			if guard.IsSecretPlace(at) || tellsOfProcesses(at) {
				why = "it reads a file in a container that may contain keys or tokens"
			}
			if sub.Contained && name[0] == '/' && holdsSecrets(at) && !listsNames(sub.Program) {
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
	switch folder {
	case "", "/", "/etc", "/home", "/proc", "/root", "/run":
		return true
	}
	return false
}

// listsNames reports whether a program shows no more of a folder than its names.
func listsNames(program string) bool {
	switch program {
	case "ls", "stat", "find", "du", "df", "tree", "test", "[", "file":
		return true
	}
	return false
}
