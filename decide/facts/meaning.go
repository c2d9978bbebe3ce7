package facts

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// means is what rules.Command asks of a command whose options a table reads, nil for any other.
func (c *reading) means(sub *bashsafety.Subcommand) func(*grammar.Reading) (all, some bool) {
	if sub.Call == nil || len(sub.Call.Opts) == 0 {
		return nil
	}
	verb := strings.Join(sub.Call.Subs[max(len(sub.Call.Subs)-1, 0):], "")
	return func(rule *grammar.Reading) (all, some bool) {
		if !strings.Contains(rule.Pattern, verb) {
			return false, false
		}
		m, known := c.meanings[rule.Pattern]
		if !known {
			m = bashsafety.MeaningOf(rule.Literal())
			if c.meanings == nil {
				c.meanings = map[string]*bashsafety.Meaning{}
			}
			c.meanings[rule.Pattern] = m
		}
		return m.Of(sub.Call)
	}
}

// ByMeaning reports whether a rule matches a part by meaning alone, and as it is written does not, or not for certain.
func (c *scene) ByMeaning(h rules.Hit, part rules.Subject) bool {
	if part.Command == nil || part.Command.Means == nil {
		return false
	}
	written := *part.Command
	written.Means, part.Command = nil, &written
	hits := c.Policy().Match([]rules.Rule{*h.Rule}, &part)
	return len(hits) == 0 || h.Sure && !hits[0].Sure
}
