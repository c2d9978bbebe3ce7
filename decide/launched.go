package decide

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// spelled returns a rule about a launcher that covers the command it runs as well: one that spells out both, in
// words without a wildcard, as Bash(uv run pytest:*) does.
func (c *matcher) spelled(list []rules.Rule, part int) (rules.Hit, bool) {
	u := &c.units[part]
	if u.sub == nil || u.sub.By == 0 || u.subject.Command == nil {
		return rules.Hit{}, false
	}
	by := &c.Script.Subcommands[u.sub.By-1]
	i := slices.IndexFunc(c.units, func(o unit) bool { return o.sub == by && o.subject.Command != nil })
	if i < 0 || u.sub.At >= len(by.Argv) || !allKnown(by.Argv[:u.sub.At+1]) {
		return rules.Hit{}, false
	}
	cmd, words := u.subject.Command, Spell(by.Argv[:u.sub.At+1])
	for _, h := range c.matches(list, i) {
		exact := !strings.ContainsAny(h.Rule.Pattern, "*?")
		holds := cmd.Narrow == "" || cmd.Spelled && exact
		if h.Sure && holds && spells(h.Rule, words) && c.covers(h, u) && c.covers(h, &c.units[i]) {
			return h, true
		}
	}
	return rules.Hit{}, false
}

// covers reports whether nothing but its narrowing speaks against a rule that matches.
func (c *matcher) covers(h rules.Hit, u *unit) bool {
	return h.Whole || !oneURL(h.Rule, u) && c.leavesPlace(h.Rule, u) == ""
}

// spells reports whether a rule begins with words, before any wildcard.
func spells(r *rules.Rule, words string) bool {
	text := strings.TrimSuffix(strings.TrimSpace(r.Pattern), ":*")
	if i := strings.IndexAny(text, "*?"); i >= 0 {
		text = text[:i]
	}
	return text == words || strings.HasPrefix(text, words+" ")
}

func allKnown(words []bashsafety.Word) bool {
	return !slices.ContainsFunc(words, func(w bashsafety.Word) bool { return !w.Known })
}
