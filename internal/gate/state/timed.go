package state

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A Timed is a rule that is granted for some time, or for one call.
type Timed struct {
	Rule         string
	Since, Until time.Time
	Once         bool
	Used         bool   // by one call, of which the rest tells
	Call, Input  string // the host's id, and Use.Sum
	Asked        bool   // no call without an id is that one any more
}

// A Use is a call for which grants are looked at; without Call and Request nothing that was used is its own.
type Use struct {
	Session     string
	Call        string // the host's id
	Tool, Input string
	Request     bool // a PermissionRequest without an id: the dialog of some call before
}

// Bounds of timed rules. UsedAge is how long the call that used one up may come again: two settings files may start
// the hook, and the dialog comes after.
const (
	MaxTimed  = 16
	UsedAge   = 5 * time.Minute
	seenEvery = time.Minute
)

// Sum tells the input of one call from that of any other.
func (u *Use) Sum() string {
	h := fnv.New128a()
	h.Write([]byte(u.Tool + "\x00" + u.Input))
	return strconv.Itoa(len(u.Input)) + "-" + fmt.Sprintf("%x", h.Sum(nil))
}

// Live reports whether a rule counts at a time. Where the clock was set back to before what it showed, none does:
// it would end later than was said.
func (s *Session) Live(t *Timed, now time.Time) bool {
	back := now.Before(t.Since) || now.Before(s.Seen)
	return !back && now.Before(t.Until) && t.Until.Sub(t.Since) <= MaxAge
}

// by reports whether a call is the one that used a rule up.
func (t *Timed) by(u *Use) bool {
	if !t.Used || t.Asked && u.Request || t.Call == "" {
		return false
	}
	return (u.Request || u.Call == t.Call) && t.Input == u.Sum()
}

// again reports whether a call is another one with the input of the one that used a rule up. The dialog that comes
// next may be its own.
func (t *Timed) again(u *Use) bool {
	return t.Used && !t.Asked && u.Call != "" && u.Call != t.Call && t.Input == u.Sum()
}

// Grant adds a timed rule, and drops those that do not count any more.
func (s *Session) Grant(t Timed) error {
	t.Since, t.Until = t.Since.Truncate(time.Second), t.Until.Truncate(time.Second)
	s.Timed = slices.DeleteFunc(s.Timed, func(old Timed) bool { return !s.Live(&old, t.Since) })
	if len(s.Timed) >= MaxTimed {
		return fmt.Errorf("the session has %d rules with an end already; permgate session reset removes them", MaxTimed)
	}
	s.Timed, s.Seen = append(s.Timed, t), t.Since
	return nil
}

// timed adds the timed rules to what is granted: each text once, first where that uses nothing up.
func (st *Store) timed(s *Session, u *Use, g *facts.Grants, p *rules.Policy) {
	const lasting, own, unused = 0, 1, 2
	for rank := lasting; rank <= unused; rank++ {
		for i := range s.Timed {
			t := &s.Timed[i]
			if !s.Live(t, st.Now) {
				continue
			}
			g.Due = g.Due || st.Now.Sub(s.Seen) >= seenEvery || t.again(u)
			switch {
			case rank == lasting && !t.Once, rank == own && t.Once && t.by(u), rank == unused && t.Once && !t.Used:
				addTimed(g, t, p)
			}
		}
	}
}

func addTimed(g *facts.Grants, t *Timed, p *rules.Policy) {
	if slices.ContainsFunc(g.Rules, func(r rules.Rule) bool { return r.Text == t.Rule }) {
		return
	}
	pos := rules.Pos{File: g.File}
	rule, err := rules.ParseRule(t.Rule, rules.Allow, rules.Session, pos, false)
	if err != nil {
		p.Dropped = append(p.Dropped, rules.Dropped{Text: t.Rule, Pos: pos, Why: err.Error()})
		return
	}
	g.Rules = append(g.Rules, rule)
	g.Timed = append(g.Timed, facts.Timed{Rule: rule.Text, Until: Minute(t.Until), Once: t.Once, ID: t.id()})
}

func (t *Timed) id() string { return t.Since.UTC().Format(time.RFC3339) + " " + t.Rule }

// Minute is a time as messages show it.
func Minute(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// Spend notes a call that grants were looked at for, and that it uses rules up, named as Load did. It comes before the
// answer: where it fails, no timed rule counts.
func (st *Store) Spend(project string, u Use, ids []string) error {
	unlock, err := st.lock(verdictPatience)
	if err != nil {
		return err
	}
	defer unlock()
	s, _, err := st.Read(u.Session)
	switch {
	case err != nil:
		return err
	case s.Project != project:
		return errors.New("it is of another project")
	case st.Now.Before(s.Seen):
		return errors.New("the clock went back")
	}
	had := string(s.json())
	if st.Now.Sub(s.Seen) >= seenEvery {
		s.Seen = st.Now
	}
	for i := range s.Timed {
		if t := &s.Timed[i]; t.again(&u) {
			t.Asked = true
		}
	}
	for _, id := range ids {
		if !s.use(id, &u, st.Now) {
			return fmt.Errorf("%s is used up", id)
		}
	}
	if text := s.json(); string(text) != had {
		return st.write(File(st.Dir, u.Session), text)
	}
	return nil
}

// use has a call use a rule up, unless another one did.
func (s *Session) use(id string, u *Use, now time.Time) bool {
	var free *Timed
	for i := range s.Timed {
		t := &s.Timed[i]
		switch {
		case t.id() != id || !s.Live(t, now):
		case t.by(u):
			t.Asked = t.Asked || u.Request
			return true
		case !t.Used && t.Once && free == nil:
			free = t
		}
	}
	if free == nil {
		return false
	}
	free.Used, free.Call, free.Input, free.Asked = true, u.Call, u.Sum(), u.Call == ""
	if end := now.Add(UsedAge); end.Before(free.Until) {
		free.Until = end
	}
	return true
}

// parseTimed reads timed rules; one with a part that is not as it was written does not count.
func parseTimed(list gjson.Result) (out []Timed) {
	for _, e := range list.Array() {
		since, err := time.Parse(time.RFC3339, e.Get("since").Str)
		until, err2 := time.Parse(time.RFC3339, e.Get("until").Str)
		if err != nil || err2 != nil || !e.Get("once").IsBool() || !e.Get("used").IsBool() {
			continue
		}
		out = append(out, Timed{Rule: e.Get("rule").Str, Since: since, Until: until, Once: e.Get("once").Bool(),
			Used: e.Get("used").Bool(), Call: e.Get("call").Str, Input: e.Get("input").Str, Asked: e.Get("asked").Bool()})
	}
	return out
}

func (s *Session) appendTimed(b []byte) []byte {
	if len(s.Timed) == 0 {
		return b
	}
	b = hookio.AppendJSON(append(b, ",\n  \"seen\": "...), s.Seen.UTC().Format(time.RFC3339))
	b = append(b, ",\n  \"timed\": ["...)
	for i := range s.Timed {
		t := &s.Timed[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = hookio.AppendJSON(append(b, "\n    {\"rule\": "...), t.Rule)
		b = hookio.AppendJSON(append(b, `, "since": `...), t.Since.UTC().Format(time.RFC3339))
		b = hookio.AppendJSON(append(b, `, "until": `...), t.Until.UTC().Format(time.RFC3339))
		b = strconv.AppendBool(append(b, `, "once": `...), t.Once)
		b = strconv.AppendBool(append(b, `, "used": `...), t.Used)
		b = hookio.AppendJSON(append(b, `, "call": `...), t.Call)
		b = hookio.AppendJSON(append(b, `, "input": `...), t.Input)
		b = append(strconv.AppendBool(append(b, `, "asked": `...), t.Asked), '}')
	}
	return append(b, "\n  ]"...)
}
