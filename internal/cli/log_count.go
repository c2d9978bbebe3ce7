package cli

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// chosenOf returns the calls a filter takes, the last n of them; 0 is all.
func chosenOf(b *subcmd.LogIndex, f *logFilter, n int) []*subcmd.LoggedCall {
	var out []*subcmd.LoggedCall
	for _, c := range b.Calls {
		if f.takes(&c.Record) {
			out = append(out, c)
		}
	}
	if n > 0 && len(out) > n {
		out = out[len(out)-n:]
	}
	return out
}

// tallies are tallies by name, in the order the names were met.
type tallies []*replay.Named

func (l *tallies) of(name string) *replay.Named {
	for _, t := range *l {
		if t.Name == name {
			return t
		}
	}
	t := &replay.Named{Name: name}
	*l = append(*l, t)
	return t
}

// top sorts by how often, then by name, and keeps the first n.
func (l tallies) top(n int) tallies {
	slices.SortStableFunc(l, func(a, b *replay.Named) int {
		return cmp.Or(b.Calls()-a.Calls(), strings.Compare(a.Name, b.Name))
	})
	return l[:min(n, len(l))]
}

type logCount struct {
	observing            string // why permgate observes now, "" when it enforces
	observed             int    // calls decided while it observed
	calls, faults        int
	first, last          time.Time
	sessions             int
	all                  replay.Tally
	days, hosts, steps   tallies
	rules, prompts       tallies
	asked                int // prompts, by us or by the program itself
	approved, refused    int
	notRun, unknown      int
	p50, p90, p99, worst time.Duration
}

// countLog counts the chosen calls, an observed decision as what it would have been.
func countLog(e *subcmd.Env, f *gate.Flags, chosen []*subcmd.LoggedCall) *logCount {
	n := &logCount{observing: observingNow(e, f)}
	sessions := map[string]bool{}
	in, asked := make(map[*subcmd.LoggedCall]bool, len(chosen)), map[*subcmd.LoggedCall]bool{}
	for _, c := range chosen {
		in[c] = true
	}
	var took []time.Duration
	for _, c := range chosen {
		if c.Duration > 0 {
			took = append(took, c.Duration)
		}
		if c.Dialog != nil && c.Dialog.Duration > 0 {
			took = append(took, c.Dialog.Duration)
		}
		if c.Prompted() && !asked[c.Base()] {
			asked[c.Base()] = true
			n.prompt(c)
		}
		if c.First != nil && in[c.First] {
			continue
		}
		n.count(c)
		sessions[c.Session] = true
	}
	n.sessions = len(sessions)
	if slices.Sort(took); len(took) > 0 {
		n.p50, n.p90, n.p99 = replay.Percentile(took, 50), replay.Percentile(took, 90), replay.Percentile(took, 99)
		n.worst = took[len(took)-1]
	}
	n.rules, n.prompts = n.rules.top(subcmd.TopOf), n.prompts.top(subcmd.TopOf)
	n.hosts = n.hosts.top(len(n.hosts))
	byName := func(a, b *replay.Named) int { return strings.Compare(a.Name, b.Name) }
	slices.SortStableFunc(n.steps, byName)
	slices.SortStableFunc(n.days, byName)
	return n
}

func (n *logCount) count(c *subcmd.LoggedCall) {
	n.calls++
	if n.first.IsZero() || c.Time.Before(n.first) {
		n.first = c.Time
	}
	if c.Time.After(n.last) {
		n.last = c.Time
	}
	answer := c.Told()
	if c.Observed {
		n.observed++
	}
	n.all.Add(answer)
	n.days.of(c.Time.Local().Format(time.DateOnly)).Add(answer)
	n.hosts.of(c.Host).Add(answer)
	if c.Fault != "" {
		n.faults++
		return
	}
	n.steps.of(cmp.Or(c.Origin, c.Step)).Add(answer)
	switch {
	case c.Rule != "":
		n.rules.of(c.Rule + "  " + c.RulePlace).Add(answer)
	case c.Check != "":
		n.rules.of("check " + c.Check).Add(answer)
	}
}

func (n *logCount) prompt(c *subcmd.LoggedCall) {
	n.asked++
	n.prompts.of(replay.Group(c.Tool, gjson.Parse(c.Input), c.Cwd, c.Reason)).Add("ask")
	switch b := c.Base(); {
	case b.End == nil && b.Passed:
		n.notRun++
	case b.End == nil:
		n.unknown++
	case b.End.Outcome == log.Refused:
		n.refused++
	default:
		n.approved++
	}
}
