package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
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
		return immune("secret-file", u.text, c.doer(u)+"reads "+quoted(name)+", which contains "+why+
			". To allow it, add Read("+ruleName(name, c.Policy.Home.Given)+") to the allow list of your own settings")
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
func (c *Case) readsContent(u *unit) bool {
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
func (c *Case) secretRead(u *unit) (name, why string) {
	place := u.hit
	if place.Given == "" && u.subject.Path != nil {
		place = *u.subject.Path
	}
	if place.Given == "" {
		return c.secretUnknown(u)
	}
	if name, why = c.secretOutside(place); why != "" {
		return name, why
	}
	if u.effect != nil && u.effect.Recursive || u.effect == nil && c.Call.Tool == "Grep" {
		return c.secretBelow(place)
	}
	return "", ""
}

// secretOutside looks a path up that is not one of the project's.
func (c *Case) secretOutside(p rules.Path) (found, why string) {
	for _, at := range [...]string{p.Given, p.Real} {
		s := secretPath(at)
		if s == nil {
			continue
		}
		if rel, _ := c.World.InProject(p); rel == "" || s.Home && c.homePlace(at) {
			return at, s.Why
		}
	}
	return "", ""
}

// homePlace reports whether a path is one of the home itself, and not of a
// folder that looks like one in a project.
func (c *Case) homePlace(name string) bool {
	home := c.Policy.Home
	inHome := home.Given != "" && (rules.Within(name, home.Given) || rules.Within(name, home.Real))
	return inHome && !c.inRepository(name)
}

// inRepository reports whether a path lies in a project below the home.
func (c *Case) inRepository(name string) bool {
	root := c.Policy.Project.Given
	return root != c.Policy.Home.Given && rules.Within(root, c.Policy.Home.Given) && rules.Within(name, root)
}

// secretBelow returns a credential store of the home that a search of a folder
// reads on its way.
func (c *Case) secretBelow(dir rules.Path) (name, why string) {
	home := c.Policy.Home.Given
	if home == "" {
		return "", ""
	}
	for i := range Secrets {
		s := &Secrets[i]
		if !s.Home || strings.Contains(s.Path, "*") {
			continue
		}
		at := path.Join(home, s.Path)
		if c.inRepository(at) || !rules.Within(at, dir.Given) && !rules.Within(at, dir.Real) {
			continue
		}
		if c.World.Blind() || c.World.Exists(at) {
			return at, s.Why
		}
	}
	return "", ""
}

// allowedByName reports whether an exact allow rule of the user or managed
// settings names what a unit reads, or the command that reads it.
func (c *Case) allowedByName(u *unit) bool {
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
func (c *Case) Secret(e *bashsafety.Effect) bool { return c.readsSecret(e) }

// readsSecret reports whether an effect reads a secret, wherever it lies.
func (c *Case) readsSecret(e *bashsafety.Effect) bool {
	if e.Silent {
		return false
	}
	if !e.Known && !e.Glob {
		_, why := c.secretStem(e)
		return why != ""
	}
	p := c.World.EffectPath(e)
	if secretPath(p.Given) != nil || secretPath(p.Real) != nil {
		return true
	}
	_, why := c.secretBelow(p) // a folder that is not read with all below it may be: diff reads what lies in both
	return why != ""
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
