package asks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
)

// immuneSecrets asks about reading a secret outside the project, where the
// posture says so, unless an exact rule of the user or managed settings names it.
func immuneSecrets(c facts.Facts) []verdict.Question {
	if c.Policy().Posture.Secrets.Value != "ask" {
		return nil
	}
	return append(SecretReads(c), immuneNamedSecret(c)...)
}

// SecretReads are the questions about the parts of the call.
func SecretReads(c facts.Facts) (all []verdict.Question) {
	for u := range c.Units() {
		if !c.ReadsContent(u) {
			continue
		}
		if name, why := c.SecretRead(u); why != "" {
			all = append(all, readsSecret(u, u.Text(), c.Doer(u)+"reads "+facts.Quoted(c.Policy(), name)+", which contains "+why,
				toAllow+"Read("+ruleName(name, c.World().Home.Given)+") to the allow list of your own settings"))
		}
	}
	return all
}

// toAllow begins a hint that only the user can follow.
const toAllow = "To allow it, add "

// readsSecret asks about a read of a secret.
func readsSecret(u *facts.Unit, part, text, hint string) verdict.Question {
	why := func() verdict.Reason {
		r := immune("secret-file", part, text, hint)
		r.Mark = "secret-file" // an exact rule lifts it
		r.ToUser = strings.HasPrefix(hint, toAllow)
		return r
	}
	return verdict.Ask(verdict.Secret, SecretRead{u}, why)
}

// ruleName is how a Read rule names an absolute path.
func ruleName(name, home string) string {
	if rest, ok := strings.CutPrefix(name, home+"/"); ok && home != "" {
		return "~/" + rest
	}
	return "/" + name
}

// immuneNamedSecret asks where a text reads a file that is only known when it
// runs, and spells out a secret, or looks through a folder with one.
func immuneNamedSecret(c facts.Facts) (all []verdict.Question) {
	var open []facts.Opening
	for _, o := range c.Openings() {
		if !o.Writes {
			open = append(open, o)
		}
	}
	if len(open) == 0 {
		return nil
	}
	asks := func(o *facts.Opening, name, why string) {
		part := facts.Spell(o.Sub.Argv)
		all = append(all, readsSecret(c.FileRead(name), part,
			say.Quoted(part)+facts.Origin(o.Sub)+" may read "+facts.Quoted(c.Policy(), name)+", which contains "+why,
			"Try naming the files it reads"))
	}
	for m := range c.Mentions() {
		if m.Text[0] != '/' && m.Text[0] != '~' && !strings.HasPrefix(m.Text, "..") {
			continue // a relative name leads into the project
		}
		name, why := c.Guard().SecretOrStore(m.Path.Given)
		if why == "" || usedKey(c.Script(), m.Path.Given) {
			continue
		}
		if at := slices.IndexFunc(open, func(o facts.Opening) bool { return c.MayBe(&o, m) }); at >= 0 {
			asks(&open[at], name, why)
		}
	}
	if name, why := c.SearchedStore(); why != "" {
		asks(&open[0], name, why)
	}
	return all
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
