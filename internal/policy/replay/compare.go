package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/rules"
)

// changes are changes by kind and by who is responsible.
type changes map[changeKey]*Change

type changeKey struct{ kind, by, place string }

func (c *changes) of(k changeKey) *Change {
	if *c == nil {
		*c = changes{}
	}
	ch := (*c)[k]
	if ch == nil && len(*c) >= maxNames {
		k = changeKey{kind: k.kind, by: Others}
		ch = (*c)[k]
	}
	if ch == nil {
		k = changeKey{k.kind, strings.Clone(k.by), strings.Clone(k.place)}
		ch = &Change{Kind: k.kind, By: k.by, Place: shownPlace(k.place), Examples: []string{}}
		(*c)[k] = ch
	}
	return ch
}

// list sorts them: those first that allow what someone refused, then by how often.
func (c changes) list() []Change {
	var out []Change
	for _, ch := range c {
		out = append(out, *ch)
	}
	bold := func(c *Change) int {
		if c.Kind == Allowed {
			return c.Refused
		}
		return 0
	}
	slices.SortFunc(out, func(a, b Change) int {
		return cmp.Or(bold(&b)-bold(&a), b.Calls-a.Calls, strings.Compare(a.Kind, b.Kind), strings.Compare(a.By, b.By),
			strings.Compare(a.Place, b.Place))
	})
	return out
}

// compare counts a call that the sides decide otherwise, and an allowed one that someone refused.
func (n *counter) compare(d *decided) {
	comparing := n.job.Against != nil
	if d.now.Told == "allow" && refusedByPerson(d) && (!comparing || d.by != nil) {
		count(n.overruled.of(changeKey{Allowed, clip(d.now.By(), maxName), d.now.Place}), d)
	}
	switch {
	case !comparing:
	case d.by == nil:
		n.report.Same++
	default:
		by := clip(d.by.By(), maxName)
		if d.gone {
			by += " (removed)"
		}
		ch := n.changes.of(changeKey{kindOf(d.now.Told), by, d.by.Place})
		count(ch, d)
		if n.job.Rows {
			n.row(d, ch)
		}
	}
}

// refusedByPerson reports whether it was no rule and no program that refused a call.
func refusedByPerson(d *decided) bool { return d.RefusedBy == sessions.ByUser }

// count counts a call. Examples that a person refused come first.
func count(ch *Change, d *decided) {
	ch.Calls++
	if !refusedByPerson(d) {
		ch.Examples = example(ch.Examples, d.text)
		return
	}
	ch.Refused++
	known := ch.Examples[:ch.first]
	if ch.first == maxExamples || slices.Contains(known, d.text) {
		return
	}
	others := slices.DeleteFunc(ch.Examples[ch.first:], func(text string) bool { return text == d.text })
	ch.Examples = slices.Concat(known, []string{d.text}, others[:min(len(others), maxExamples-1-ch.first)])
	ch.first++
}

// A rowKey is what equal differences have in common.
type rowKey struct{ was, now, tool, by, place, text string }

// row lists a difference; equal ones once.
func (n *counter) row(d *decided, of *Change) {
	r := n.report
	k := rowKey{d.was.Told, d.now.Told, clip(d.Call.Call.OwnTool(), maxName), of.By, of.Place, d.text}
	if i, met := n.rows[k]; met {
		if r.Rows[i].Calls++; r.Rows[i].Refused == "" || refusedByPerson(d) {
			r.Rows[i].Refused = d.RefusedBy
		}
		return
	}
	if len(r.Rows) == maxRows {
		r.More++
		return
	}
	n.rows[k] = len(r.Rows)
	r.Rows = append(r.Rows, Row{
		Kind: kindOf(k.now), Was: k.was, Now: k.now, Tool: k.tool, Text: k.text, By: k.by, Place: k.place,
		Why: d.now.Reason, Refused: d.RefusedBy, Session: clip(d.Session, maxName), Time: d.Time, Calls: 1,
	})
}

// unsaid is what the report cannot know.
func (n *counter) unsaid() []string {
	out := []string{"links, scripts and files are those of today, and so are the grants of a session"}
	if n.report.All.Silence > 0 {
		out = append(out, "where permgate is silent the program decides: whether it would ask is not known, so only ask counts as a prompt")
	}
	for _, f := range n.formats {
		if f.Lacks != "" {
			out = append(out, fmt.Sprintf("not in %s: %s", f.Title, f.Lacks))
		}
	}
	if n.full {
		out = append(out, fmt.Sprintf("prompts are counted for the first %d sessions", maxSessions))
	}
	if n.cover.big {
		out = append(out, fmt.Sprintf("there are more than %d rules: which of them were never hit was not counted", maxRules))
	}
	for i := range out {
		out[i] = hookio.Escape(out[i])
	}
	return out
}

// kindOf names a change by what the program is told now.
func kindOf(told string) string {
	switch told {
	case "allow":
		return Allowed
	case "ask":
		return Asked
	case "deny":
		return Refused
	}
	return Left
}

// responsible returns the answer that explains a difference, with the rule only its
// side has, the new side first. Else the new answer's step decides.
func responsible(d *decided, p, old facts.Facts) (by Answer, gone bool) {
	now, was := only(&d.now, p, old.Policy()), only(&d.was, old, p.Policy())
	switch {
	case now != nil && now == d.now.rule, was == nil && now != nil:
		return d.now.under(now), false
	case was != nil:
		return d.was.under(was), true
	}
	return d.now, false
}

// only returns a side's rule that the other lacks: one that decided, or matches a part; or nil.
func only(a *Answer, of facts.Facts, other *rules.Policy) *rules.Rule {
	if a.rule != nil && !has(other, a.rule) {
		return a.rule
	}
	for _, h := range of.Hits() {
		if !has(other, h.Rule) {
			return h.Rule
		}
	}
	return nil
}

// under is the answer with another rule to name.
func (a Answer) under(r *rules.Rule) Answer {
	a.rule, a.Rule, a.List, a.Place, a.Check = r, r.Text, r.List.String(), r.Pos.String(), ""
	return a
}

// has reports whether a policy has a rule, on whatever line.
func has(p *rules.Policy, r *rules.Rule) bool {
	for _, list := range [...][]rules.Rule{p.Deny, p.Ask, p.Allow} {
		for i := range list {
			if o := &list[i]; o.Text == r.Text && o.List == r.List && o.Scope == r.Scope {
				return true
			}
		}
	}
	return false
}

// maxShown bounds the text of a call that is shown, in bytes.
const maxShown = 400

// clip takes the secrets out of a text and cuts it. What comes shortly after the cut
// is looked at as well, so that no secret is cut in two before it is recognised.
func clip(s string, limit int) string {
	const margin = 4 << 10
	long := len(s) > limit
	s, _ = redact.Text(strings.Clone(s[:min(len(s), limit+margin)]))
	if !long || len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + " ..."
}

// shownPlace is a place as people may see it. Its numbers are no value of what is before them.
func shownPlace(place string) string {
	file := strings.TrimRight(place, ":0123456789")
	return clip(file, 4*maxReason) + place[len(file):]
}
