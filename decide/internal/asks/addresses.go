package asks

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
)

// immuneAccesses asks about a tool that nothing is known of and that is told a folder of
// secrets, or more files than were looked at. What it is told besides is asked about like
// what is read and what is written.
func immuneAccesses(c facts.Facts) (all []verdict.Question) {
	if c.Crowded() {
		all = append(all, must(verdict.Doubtful, "too-much", "",
			"the call names too many files to compare with the rules", "Try fewer at once"))
	}
	if c.Policy().Posture.Secrets.Value != "ask" {
		return all
	}
	for u := range c.Units() {
		if !u.Access() {
			continue
		}
		if name, why := c.Guard().SecretOrStore(u.Hit().Given); why != "" {
			text := "the call may read " + facts.Quoted(c.Policy(), name) + ", which contains " + why
			all = append(all, readsSecret(u, u.Text(), text, ""))
		}
	}
	return all
}

// unlistedURL asks about an address that urls.allow does not name, once it names
// any. Which address a program reaches that is not told one stays open.
func unlistedURL(c facts.Facts) []verdict.Question {
	g := &c.Policy().Posture
	if g.URLsSet.Pos.File == "" {
		return nil
	}
	ask := func(part, text, hint string) []verdict.Question {
		return []verdict.Question{verdict.Must(verdict.Doubtful, verdict.Reason{Part: part, Text: text, Hint: hint,
			Code: say.CodeAddressNotListed, Mark: "no entry of urls.allow, " + g.URLsSet.Pos.String()})}
	}
	if open := c.Unlisted(); len(open) > 0 {
		u := open[0]
		if u.OverridesDNS() {
			return ask(u.Text(),
				u.Named()+facts.Origin(u.Sub())+" may reach another machine than the address names, by an option of curl",
				"Try it without --resolve and --dns-servers")
		}
		return ask(u.Text(), u.Named()+facts.Origin(u.Sub())+" is an address that urls.allow does not name",
			"Try an address it names, or ask the user to add this one")
	}
	for i := 0; c.Script() != nil && i < len(c.Script().Subcommands); i++ {
		sub := &c.Script().Subcommands[i]
		for j := range sub.Effects {
			if e := &sub.Effects[j]; e.Kind == bashsafety.Network && !e.Known && e.Path != "" {
				if _, ok := facts.Reached(e); !ok {
					return ask(facts.Spell(sub.Argv), say.Quoted(facts.Spell(sub.Argv))+facts.Origin(sub)+
						" reaches an address only known at run time", "Try writing the address out")
				}
			}
		}
	}
	return nil
}
