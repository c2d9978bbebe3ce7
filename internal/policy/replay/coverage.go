package replay

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/rules"
)

// maxRules bounds the rules that are followed: with more, none is said to be never hit.
const maxRules = 20_000

// A coverage is every rule of the settings met, and whether it matched something.
type coverage struct {
	hit map[ruleKey]bool
	big bool // there are more than maxRules
}

// A ruleKey is a rule of a file, in whatever project it was met.
type ruleKey struct {
	text, place string
	list        rules.List
}

func keyOf(r *rules.Rule) ruleKey { return ruleKey{r.Text, r.Pos.String(), r.List} }

// add notes the rules of a policy that come from settings files.
func (c *coverage) add(p *rules.Policy) {
	if c.hit == nil {
		c.hit = map[ruleKey]bool{}
	}
	for _, list := range [...][]rules.Rule{p.Deny, p.Ask, p.Allow} {
		for i := range list {
			if list[i].Pos.Line > 0 {
				c.note(keyOf(&list[i]), false)
			}
		}
	}
}

// note adds a rule, and whether it was hit.
func (c *coverage) note(k ruleKey, hit bool) {
	was, known := c.hit[k]
	switch {
	case !known && len(c.hit) == maxRules:
		c.big = true
	case !known:
		k.text = strings.Clone(k.text) // of a file, which it would keep
		c.hit[k] = hit
	case hit && !was:
		c.hit[k] = true
	}
}

// touch notes the rules that match some part of a call. Call it after Decide.
func (c *coverage) touch(of *decide.Case) {
	for _, h := range of.Hits() {
		if h.Rule.Pos.Line > 0 {
			if k := keyOf(h.Rule); !c.hit[k] {
				c.note(k, true)
			}
		}
	}
}

// join adds what another one met.
func (c *coverage) join(o *coverage) {
	if c.hit == nil {
		c.hit = map[ruleKey]bool{}
	}
	c.big = c.big || o.big
	for k, hit := range o.hit {
		c.note(k, hit)
	}
}

// never lists the rules without a hit, by place.
func (c *coverage) never() []Named {
	out := []Named{}
	if c.big {
		return out
	}
	for k, hit := range c.hit {
		if !hit {
			out = append(out, Named{Name: clip(k.text, maxName), Place: shownPlace(k.place), List: k.list.String()})
		}
	}
	slices.SortFunc(out, func(a, b Named) int {
		return cmp.Or(strings.Compare(a.Place, b.Place), strings.Compare(a.List, b.List), strings.Compare(a.Name, b.Name))
	})
	return out
}
