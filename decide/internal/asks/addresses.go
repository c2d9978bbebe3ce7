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
		all = append(all, must(verdict.Doubtful, "too-much", verdict.Reason{
			Text: "the call names too many files to compare with the rules", Way: "Try fewer at once"}))
	}
	if c.Policy().Posture.Secrets.Value != "ask" {
		return all
	}
	for u := range c.Units() {
		if !u.Access() {
			continue
		}
		if name, why := c.Guard().SecretOrStore(u.Hit().Given); why != "" {
			all = append(all, readsSecret(u, verdict.Reason{Part: u.Text(), What: c.Doer(nil), Text: "may read",
				Target: facts.Quoted(c.Policy(), name), Why: "which contains " + why}))
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
	ask := func(r verdict.Reason, sub *bashsafety.Subcommand) []verdict.Question {
		r.What, r.Code, r.Mark = c.Doer(sub), say.CodeAddressNotListed, "no entry of urls.allow, "+g.URLsSet.Pos.String()
		return []verdict.Question{verdict.Must(verdict.Doubtful, r)}
	}
	if open := c.Unlisted(); len(open) > 0 {
		u := open[0]
		if u.OverridesDNS() {
			return ask(verdict.Reason{Part: u.Text(), Text: "may reach another machine than", Target: u.Quoted(),
				Why: "because of an option of curl", Way: "Try it without --resolve and --dns-servers"}, u.Sub())
		}
		return ask(verdict.Reason{Part: u.Text(), Text: "fetches", Target: u.Quoted(), Why: "which urls.allow does not name",
			Way: "Try an address it names", Own: fromNowOn("it", "it to `urls.allow` in")}, u.Sub())
	}
	for i := 0; c.Script() != nil && i < len(c.Script().Subcommands); i++ {
		sub := &c.Script().Subcommands[i]
		for j := range sub.Effects {
			if e := &sub.Effects[j]; e.Kind == bashsafety.Network && !e.Known && e.Path != "" {
				if _, ok := facts.Reached(e); !ok {
					return ask(verdict.Reason{Part: facts.Spell(sub.Argv), Text: "reaches an address that it does not name",
						Way: "Try writing the address out"}, sub)
				}
			}
		}
	}
	return nil
}
