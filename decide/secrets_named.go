package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/rules"
)

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
		if why != "" && c.mayBe(o, m) && !c.usedKey(m.path.Given) && !c.allowedSecret(name) {
			return name, why
		}
	}
	return "", ""
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
		if guard.IsSecretPlace(m.path.Given) {
			return m.text
		}
	}
	return ""
}
