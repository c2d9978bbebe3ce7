package cli

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// settled is how long a hook may be registered before it is strange that its
// program never called it.
const settled = 24 * time.Hour

// readCallers finds out of which hosts the log holds calls. h stands for the
// settings that say whether there is a log.
func (c *checkup) readCallers(h *hookio.Host) {
	p := c.policy(h)
	if p.Posture.AuditLevel().Level == "off" {
		c.unread = true
		return
	}
	tail := &log.Tail{Dir: gate.LogDir(&gate.Flags{}, c.world, p)}
	defer tail.Close()
	add := func(line []byte) {
		r, ok := log.Parse(line)
		if ok && r.Fault != log.FaultUsage && !slices.Contains(c.callers, r.Host) {
			c.callers = append(c.callers, r.Host)
		}
		if ok && r.AskedPerson() && c.world.Now.Sub(r.Time) < log.AskedWithin {
			c.countAsk(&r)
		}
	}
	if tail.Next(add) != nil {
		c.unread = true
		return
	}
	tail.End(add)
}

// called says that a registered host has never called: its hooks may be switched
// off in a way permgate cannot see, as those of Codex are until somebody trusts them.
func (c *checkup) called(h *hookio.Host, regs []registered) {
	if c.unread || slices.Contains(c.callers, h.Name) {
		return
	}
	level, fix := fine, ""
	for i := range regs {
		if info, err := os.Stat(regs[i].Name); err == nil && c.world.Now.Sub(info.ModTime()) > settled {
			level, fix = warn, "permgate log -f, and use "+h.Title+": no line means it does not run the hook"
		}
	}
	if h.Register.After != "" {
		level, fix = warn, h.Register.After
	}
	c.add(level, h.Name, fix, "no call from %s in the log: it has never run the hook", h.Title)
}

// A repeatedAsk is what a person was asked about in the last days.
type repeatedAsk struct {
	last     *log.Record
	times    int
	sessions map[string]int
	often    bool // as the hook counts
}

// mostRepeated is how many of them are named.
const mostRepeated = 3

func (c *checkup) countAsk(r *log.Record) {
	key := log.AskKey(r.Project, r.Tool, r.Code, r.Check, r.Part)
	a := c.asks[key]
	if a == nil {
		a = &repeatedAsk{sessions: map[string]int{}}
		if c.asks == nil {
			c.asks = map[uint64]*repeatedAsk{}
		}
		c.asks[key] = a
	}
	a.last = r
	a.times++
	a.sessions[r.Session]++
	a.often = a.often || a.times >= log.OftenInWeek || r.Session != "" && a.sessions[r.Session] >= log.OftenInSession
}

// repeated names what was asked most often, and what would end that.
func (c *checkup) repeated() {
	list := slices.SortedFunc(maps.Values(c.asks), func(a, b *repeatedAsk) int {
		return cmp.Or(b.times-a.times, b.last.Time.Compare(a.last.Time))
	})
	var said []string
	for _, a := range list {
		if end := c.ending(a); end != "" && len(said) < mostRepeated {
			said = append(said, fmt.Sprintf("%s %d times (%s)", cut(hookio.Escape(a.last.Part), 60), a.times, end))
		}
	}
	if len(said) > 0 {
		c.add(fine, "log", "", "asked most often in the last 7 days: %s", strings.Join(said, ", "))
	}
}

// ending is what to type so that a call is not asked about again, "" where that is done.
func (c *checkup) ending(a *repeatedAsk) string {
	if !a.often {
		return ""
	}
	l := lastCall{loggedCall: &loggedCall{Record: *a.last}}
	l.again(c.env)
	text, tool := gjson.Get(a.last.Input, gate.Primary(a.last.Tool)).Str, a.last.Tool
	if tool == "Bash" {
		tool = ""
	}
	switch {
	case l.c == nil || text == "" || hookio.Escape(text) != text:
		return "permgate log --since 7d"
	case l.v.Decision != hookio.Ask:
		return ""
	}
	verb := "report"
	if _, refusal := propose.For(l.c, l.v, propose.Into{List: rules.Allow, Scope: rules.Local}); refusal == nil {
		verb = "allow"
	}
	args := callArgs([]string{text}, tool)
	if p := l.c.Policy.Project.Given; !within(c.world.Cwd, l.c.Policy.Project) {
		return "in " + c.path(p) + ": permgate " + verb + " " + args
	}
	return "permgate " + verb + " " + args
}
