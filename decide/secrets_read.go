package decide

import (
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
func (c *Case) Secret(e *bashsafety.Effect) bool {
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
