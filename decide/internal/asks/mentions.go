package asks

import (
	"strings"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// maxMentioned bounds how often a rule is compared with a mention.
const maxMentioned = 1 << 21

// immuneMentions asks where a part touches a file that is only known when it
// runs, and the text spells out one that a rule denies or asks about.
func immuneMentions(c facts.Facts) (all []verdict.Question) {
	open := c.Openings()
	if len(open) == 0 {
		return nil
	}
	left := maxMentioned
	for list := range c.StrictLists() {
		for i := range list.Rules {
			r := &list.Rules[i]
			if r.Bare || r.Tool != "Read" && r.Tool != "Edit" && r.Tool != "Write" {
				continue
			}
			needle := world.FoldPath(facts.LongestLiteral(grammar.Unspaced(r.Pattern)))
			for m := range c.Mentions() {
				if left--; left < 0 {
					return append(all, must(verdict.Doubtful, "too-much", verdict.Reason{
						Text: "the command names too many files to compare with the rules", Way: "Try a shorter command"}))
				}
				if m.Glob == "" && !strings.Contains(world.FoldPath(m.Path.Given), needle) {
					continue
				}
				if o := c.MeetsMention(list.Rules[i:i+1], m, open); o != nil {
					all = append(all, verdict.Must(verdict.Doubtful, mayTouch(c, o, list.Word, r, m)))
					break
				}
			}
		}
	}
	return all
}
