package replay

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/rules"
	"github.com/tidwall/gjson"
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
	stops                        map[stopKey]*Stopped
	full                         bool // sessions beyond maxSessions were left out
	formats                      []*sessions.Format
	classifier                   map[string]*Denied
	changes, overruled           changes
	rows                         map[rowKey]int // index in Report.Rows
}

func newCounter(j *Job) *counter {
	return &counter{
		job: j, report: &Report{Made: j.World.Now}, skipped: map[string]int{}, sessions: map[uint64]int{},
		classifier: map[string]*Denied{}, rows: map[rowKey]int{}, stops: map[stopKey]*Stopped{},
	}
}

type stopKey struct{ day, session string }

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
	n.Tally.Add(told)
}

// Calls is the number of calls of a tally.
func (t *Tally) Calls() int { return t.Allow + t.Ask + t.Deny + t.Silence }

// Numbers spells a tally: "12 allow, 3 ask".
func (t *Tally) Numbers() string {
	var out []string
	for _, p := range [...]struct {
		n    int
		word string
	}{{t.Allow, "allow"}, {t.Ask, "ask"}, {t.Deny, "deny"}, {t.Silence, "silence"}} {
		if p.n > 0 {
			out = append(out, fmt.Sprint(p.n, " ", p.word))
		}
	}
	return strings.Join(out, ", ")
}

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
	r.All.Add(told)
	n.tools.add(ruleName{name: d.Call.Call.OwnTool()}, told)
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
	day := d.Time.Local().Format(time.DateOnly)
	n.days.add(ruleName{name: day}, d.now.Told)
	n.stop(day, d)
}

// stop counts a call of a day that is asked about or denied. Sessions for which there is no room are Others.
func (n *counter) stop(day string, d *decided) {
	if d.now.Told != "ask" && d.now.Told != "deny" {
		return
	}
	k := stopKey{day, clip(d.Session, maxName)}
	if n.stops[k] == nil && len(n.stops) >= maxNames {
		k.session = Others
	}
	s := n.stops[k]
	if s == nil {
		k.session = strings.Clone(k.session) // of a line, which it would keep
		s = &Stopped{Day: k.day, Session: k.session}
		n.stops[k] = s
	}
	if d.now.Told == "ask" {
		s.Ask++
	} else {
		s.Deny++
	}
}

func (n *counter) stopped() []Stopped {
	out := make([]Stopped, 0, len(n.stops))
	for _, s := range n.stops {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b Stopped) int {
		return cmp.Or(strings.Compare(a.Day, b.Day), b.Ask+b.Deny-a.Ask-a.Deny, strings.Compare(a.Session, b.Session))
	})
	return out
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
	c.Now.Add(d.now.Told)
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
	r.Stops, r.NeverHit = n.stopped(), n.cover.never()
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

// Percentile is the smallest of one or more values that p percent do not exceed (nearest rank).
func Percentile[T any](sorted []T, p int) T { return sorted[max((len(sorted)*p+99)/100-1, 0)] }

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
func (c *coverage) touch(of facts.Facts) {
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

// Group names what was asked about: a shell text by the program and subcommand the
// reason speaks of, else by the first that does something.
func Group(tool string, in gjson.Result, cwd, reason string) string {
	var subs []bashsafety.Subcommand
	if text := in.Get("command"); text.Type == gjson.String && isShell(tool) {
		subs = bashsafety.Analyze(text.Str, bashsafety.Env{Cwd: cwd}).Subcommands
	}
	return (&grouper{}).group(tool, in.Get("url").Str, subs, reason)
}

func isShell(tool string) bool { return tool == "Bash" || tool == "Monitor" }

// A grouper names groups, and remembers which programs have subcommands.
type grouper struct{ verbs map[string]bool }

// maxVerbs bounds what a grouper remembers.
const maxVerbs = 1000

func (g *grouper) group(tool, link string, subs []bashsafety.Subcommand, reason string) string {
	switch {
	case tool == "WebFetch":
		if u, err := url.Parse(link); err == nil && u.Hostname() != "" {
			return "WebFetch " + hookio.Escape(clip(u.Hostname(), maxName))
		}
	case isShell(tool):
		if sub := asked(subs, reason); sub != nil {
			return hookio.Escape(clip(g.named(sub), maxName))
		}
	}
	return cmp.Or(hookio.Escape(clip(tool, maxName)), "a call that could not be read")
}

// asked returns the subcommand that a reason quotes, else the first that is not cd.
func asked(subs []bashsafety.Subcommand, reason string) (first *bashsafety.Subcommand) {
	for i := range subs {
		sub := &subs[i]
		if sub.Program == "" || sub.Structural {
			continue
		}
		text := strings.Join(texts(sub.Argv), " ")
		if strings.Contains(reason, `"`+text+`"`) || strings.Contains(reason, "`"+text+"`") {
			return sub
		}
		if first == nil || first.Program == "cd" {
			first = sub
		}
	}
	return first
}

// named is a subcommand's program and verb. What follows an option may be a secret, and is no verb.
func (g *grouper) named(sub *bashsafety.Subcommand) string {
	argv := sub.Argv
	if len(sub.Alt) > 0 { // without options in front of the verb
		argv = sub.Alt[0]
	}
	if len(argv) < 2 || strings.HasPrefix(argv[1].Text, "-") || !g.hasVerbs(sub.Program) {
		return sub.Program
	}
	return sub.Program + " " + argv[1].Text
}

func (g *grouper) hasVerbs(program string) bool {
	has, known := g.verbs[program]
	if known {
		return has
	}
	has = slices.ContainsFunc(bashsafety.Commands(), func(c *bashsafety.Command) bool {
		return c.Named(program) && len(c.Subs)+len(c.Also) > 0
	})
	if g.verbs == nil || len(g.verbs) == maxVerbs {
		g.verbs = map[string]bool{}
	}
	g.verbs[strings.Clone(program)] = has
	return has
}

func texts(words []bashsafety.Word) []string {
	out := make([]string, len(words))
	for i := range words {
		out[i] = words[i].Text
	}
	return out
}
