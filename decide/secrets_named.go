package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
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
	return c.secretBelow(c.World.Path(head))
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
	return c.secretOutside(c.World.Path(path.Clean(name)))
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
		name, why = c.secretOrStore(m.path.Given)
		if why != "" && c.mayBe(o, m) && !c.usedKey(m.path.Given) && !c.allowedSecret(name) {
			return name, why
		}
	}
	return "", ""
}

// secretOrStore looks up a path, and a folder of secrets that is not in one itself.
func (c *Case) secretOrStore(name string) (found, why string) {
	if found, why = c.outsideSecret(name); why != "" || secretPath(path.Dir(name)+"/x") != nil {
		return found, why
	}
	if _, why = c.outsideSecret(name + "/x"); why == "" {
		return "", ""
	}
	return name, why
}

// usedKey reports whether a command of the text uses a file as its key.
func (c *Case) usedKey(name string) bool {
	for i := range c.Script.Subcommands {
		for j := range c.Script.Subcommands[i].Effects {
			if e := &c.Script.Subcommands[i].Effects[j]; e.Key && e.Path == name {
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
func (c *Case) spellsSecret() string {
	for i := range c.mentions() {
		m := &c.mentioned[i]
		if isSecretPlace(m.path.Given) {
			return m.text
		}
	}
	return ""
}
