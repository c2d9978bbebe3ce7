package replay

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

// Bounds of what is counted by name. What does not fit is counted under Others.
const (
	maxNames    = 5_000
	maxSessions = 1 << 18
	maxRows     = 50_000
	maxExamples = 3
	maxName     = 400 // bytes of a name that is shown
)

// Others is the name of all for which there is no room.
const Others = "others"

// A counter makes a report of decided calls, in their order.
type counter struct {
	job                          *Job
	report                       *Report
	cover                        coverage
	skipped                      map[string]int
	days, tools, rules, commands tallies
	sessions                     map[uint64]int // prompts
	full                         bool           // sessions beyond maxSessions were left out
	formats                      []*sessions.Format
	classifier                   map[string]*Denied
	changes, overruled           changes
	rows                         map[rowKey]int // index in Report.Rows
}

func newCounter(j *Job) *counter {
	return &counter{
		job: j, report: &Report{Made: j.World.Now}, skipped: map[string]int{}, sessions: map[uint64]int{},
		classifier: map[string]*Denied{}, rows: map[rowKey]int{},
	}
}

// tallies are tallies by name and place.
type tallies map[ruleName]*Named

type ruleName struct{ name, place, list string }

func (t *tallies) add(k ruleName, told string) {
	if *t == nil {
		*t = tallies{}
	}
	k.name = k.name[:min(len(k.name), 2*maxName)]
	n := (*t)[k]
	if n == nil && len(*t) >= maxNames {
		k = ruleName{name: Others}
		n = (*t)[k]
	}
	if n == nil {
		k = ruleName{strings.Clone(k.name), strings.Clone(k.place), k.list}
		n = &Named{Name: clip(k.name, maxName), Place: shownPlace(k.place), List: k.list}
		(*t)[k] = n
	}
	n.Tally.add(told)
}

// Calls is the number of calls of a tally.
func (t *Tally) Calls() int { return t.Allow + t.Ask + t.Deny + t.Silence }

// top lists the tallies, those of most calls first.
func (t tallies) top() []Named {
	out := []Named{}
	for _, n := range t {
		out = append(out, *n)
	}
	slices.SortFunc(out, func(a, b Named) int {
		return cmp.Or(b.Calls()-a.Calls(), strings.Compare(a.Name, b.Name), strings.Compare(a.Place, b.Place),
			strings.Compare(a.List, b.List))
	})
	return out
}

// add counts one call.
func (n *counter) add(d *decided) {
	r := n.report
	r.Read++
	n.format(d.Format)
	if d.skip != "" {
		n.skipped[d.skip]++
		return
	}
	r.Decided++
	n.time(d)
	told := d.now.Told
	r.All.add(told)
	n.tools.add(ruleName{name: d.Call.Call.Tool}, told)
	switch {
	case d.now.Rule != "":
		n.rules.add(ruleName{d.now.Rule, d.now.Place, d.now.List}, told)
	case d.now.Check != "":
		n.rules.add(ruleName{name: d.now.By()}, told)
	}
	if d.group != "" {
		n.commands.add(ruleName{name: d.group}, told)
	}
	n.session(d)
	n.denied(d)
	n.compare(d)
}

// format notes whose files were read: each says something of what is not known.
func (n *counter) format(f *sessions.Format) {
	if f != nil && !slices.Contains(n.formats, f) {
		n.formats = append(n.formats, f)
	}
}

// time counts when a call was made.
func (n *counter) time(d *decided) {
	r := n.report
	if d.Time.IsZero() {
		return
	}
	if r.First.IsZero() || d.Time.Before(r.First) {
		r.First = d.Time
	}
	if d.Time.After(r.Last) {
		r.Last = d.Time
	}
	n.days.add(ruleName{name: d.Time.Local().Format(time.DateOnly)}, d.now.Told)
}

// session counts a session, and its prompts.
func (n *counter) session(d *decided) {
	prompt := 0
	if d.now.Told == "ask" {
		prompt = 1
	}
	n.report.Sessions.Prompts += prompt
	h := log.Sum(d.Host, d.Session)
	if _, met := n.sessions[h]; !met && len(n.sessions) == maxSessions {
		n.full = true
		return
	}
	n.sessions[h] += prompt
}

// denied counts what the program's own classifier refused.
func (n *counter) denied(d *decided) {
	if d.RefusedBy != sessions.ByClassifier {
		return
	}
	word := cmp.Or(clip(d.Denial, maxName), "refused")
	c := n.classifier[word]
	if c == nil && len(n.classifier) == maxExamples*maxExamples {
		word = Others
		c = n.classifier[word]
	}
	if c == nil {
		c = &Denied{Word: word, Examples: []string{}}
		n.classifier[c.Word] = c
	}
	c.Calls++
	c.Now.add(d.now.Told)
	if d.now.Told == "allow" && d.now.Rule != "" {
		c.Spared++
		c.Examples = example(c.Examples, d.text)
	}
}

// example adds an example that is not there yet, as long as there are few.
func example(list []string, text string) []string {
	if len(list) == maxExamples || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// end completes the report.
func (n *counter) end() *Report {
	r := n.report
	r.Skipped = []Skipped{}
	for why, calls := range n.skipped {
		r.Skipped = append(r.Skipped, Skipped{why, calls})
	}
	slices.SortFunc(r.Skipped, func(a, b Skipped) int {
		return cmp.Or(b.Calls-a.Calls, strings.Compare(a.Why, b.Why))
	})
	r.Days, r.Tools, r.Rules, r.Commands = n.days.top(), n.tools.top(), n.rules.top(), n.commands.top()
	slices.SortFunc(r.Days, func(a, b Named) int { return strings.Compare(a.Name, b.Name) })
	r.NeverHit = n.cover.never()
	for _, c := range n.classifier {
		r.Classifier = append(r.Classifier, *c)
	}
	slices.SortFunc(r.Classifier, func(a, b Denied) int {
		return cmp.Or(b.Calls-a.Calls, strings.Compare(a.Word, b.Word))
	})
	r.Changes, r.Overruled = n.changes.list(), n.overruled.list()
	n.percentiles()
	r.Unsaid = n.unsaid()
	return r
}

// percentiles counts the prompts of a session.
func (n *counter) percentiles() {
	prompts := make([]int, 0, len(n.sessions))
	for _, p := range n.sessions {
		prompts = append(prompts, p)
	}
	s := &n.report.Sessions
	if s.Count = len(prompts); s.Count == 0 {
		return
	}
	slices.Sort(prompts)
	s.P50, s.P90, s.Max = Percentile(prompts, 50), Percentile(prompts, 90), prompts[len(prompts)-1]
}

// Percentile is the smallest value that p percent do not exceed (nearest rank). There
// is one value at least.
func Percentile[T any](sorted []T, p int) T { return sorted[max((len(sorted)*p+99)/100-1, 0)] }
