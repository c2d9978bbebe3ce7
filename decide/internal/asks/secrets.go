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
			r := verdict.Reason{Part: u.Text(), What: c.Doer(u.Sub()), Text: "reads", Operand: u.IsOperand(),
				Target: facts.Quoted(c.Policy(), name), Why: "which contains " + why, Of: u.Sub()}
			if !c.Call().Alias { // else no rule about reading takes it back
				r.Own = fromNowOn("it", "`Read("+ruleName(name, c.World().Home.Given)+")` to the allow rules of")
			}
			all = append(all, readsSecret(u, r))
		}
	}
	return all
}

// readsSecret asks about a read of a secret.
func readsSecret(u *facts.Unit, r verdict.Reason) verdict.Question {
	r.Code, r.Mark = say.CodeSecret, "secret-file" // an exact rule lifts it, so not in every mode
	return verdict.Ask(verdict.Secret, SecretRead{u}, func() verdict.Reason { return r })
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
		all = append(all, readsSecret(c.FileRead(name), verdict.Reason{Part: facts.Spell(o.Sub.Argv), What: c.Doer(o.Sub),
			Text: "may read", Target: facts.Quoted(c.Policy(), name), Why: "which contains " + why, Way: "Try naming the files it reads"}))
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
