// Package recommend finds the allow rules that would have spared the most prompts
// among recorded calls, and allow rules that are wider than their use.
//
// What a rule spares is decided: the calls it matches are decided again with it.
// Which rules there are for a call is what package propose says.
package recommend

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// Options say what is proposed, and for which file.
type Options struct {
	Into    propose.Into // list Allow
	Project string       // only calls of this project count; "" for those of all
	Mode    string       // decide in this mode; "" for that of the call
	Wide    bool         // propose rules for a whole tool too
	Rare    bool         // propose what was seen in one session too
	Exact   bool         // propose nothing but exact rules
	Most    int          // proposals
	Never   []string     // rules that the user does not want to be asked about again
	// Lint is the settings with rules added to the file; nil leaves lint out.
	Lint func(rules []string) (*lint.Input, error)
}

// maxDistinct bounds the calls that are kept: equal ones count once.
const maxDistinct = 20_000

// batchRoom is how many bytes of settings and files may be kept.
const batchRoom = 12 << 20

// Calls are the recorded calls a recommendation is made from.
type Calls struct {
	Read      int            // calls
	Decided   int            // of these
	Skipped   map[string]int // why the rest was not, with the number of calls
	Prompts   int            // calls that are asked about
	Settled   map[string]int // of these, those that no proposal is made for, by the step that asks
	First     time.Time      // of the calls that have a time
	Last      time.Time
	o         Options
	flags     *gate.Flags
	world     gate.World
	batches   map[string]*gate.Batch
	distinct  map[string]*group
	order     []*group
	refused   []*group // what no rule may allow: the user refused it
	sessionOf map[string]int32
	tells     map[int32]bool // sessions that tell the outcome of a call
}

// A group is calls that are decided alike, because they differ in their session alone.
type group struct {
	*decide.Input
	v        decide.Verdict
	calls    int
	sessions []int32
	last     time.Time // of the latest call
	undated  bool      // one has no time
	asks     bool      // it prompts, and an allow rule might end that
	refused  bool      // the user refused one of them
	parts    []int     // indexes of the candidates that match a part of it
	open     []int32   // sessions that asked about it and do not tell whether it ran
	flags    *gate.Flags
	hook     string // that flags are of
}

// New returns an empty collection. f are the options of calls that record none.
func New(o Options, f *gate.Flags, w gate.World) *Calls {
	return &Calls{
		Skipped: map[string]int{}, Settled: map[string]int{}, o: o, flags: f, world: w,
		batches: map[string]*gate.Batch{}, distinct: map[string]*group{}, sessionOf: map[string]int32{},
		tells: map[int32]bool{},
	}
}

// Reasons of Skipped besides those of package sessions.
const (
	ofAnother = "it is a call of another project"
	tooMany   = "there are too many distinct calls"
)

// Add decides one call and keeps it. It never fails.
func (s *Calls) Add(c *sessions.Call) error {
	s.Read++
	why := c.Skip
	if why == "" && c.Call == nil {
		why = "it was not recorded whole"
	}
	var g *group
	if why == "" {
		g, why = s.groupOf(c)
	}
	if why != "" {
		s.Skipped[why]++
		return nil
	}
	s.Decided++
	s.count(g, c)
	return nil
}

func (s *Calls) groupOf(c *sessions.Call) (g *group, why string) {
	key := c.Alike()
	if g = s.distinct[key]; g != nil {
		return g, ""
	}
	if len(s.order) >= maxDistinct {
		return nil, tooMany
	}
	call := *c.Call
	call.SessionID = "" // what was granted for a session ends with it, and spares nothing later
	g = &group{flags: c.Flags, hook: c.Hook}
	g.Input = s.batch(g, s.o.Mode).Case(&call)
	if s.o.Project != "" && g.Policy.Project.Given != s.o.Project {
		return nil, ofAnother
	}
	g.v = decide.Decide(g.Input)
	g.Input = g.v.Input()
	g.asks = prompts(g.v) && g.v.Origin() == "7"
	s.distinct[key] = g
	s.order = append(s.order, g)
	return g, ""
}

func (s *Calls) count(g *group, c *sessions.Call) {
	g.calls++
	name := c.Host + "\x00" + c.Session
	id, known := s.sessionOf[name]
	if !known {
		id = int32(len(s.sessionOf))
		s.sessionOf[strings.Clone(name)] = id
	}
	if !slices.Contains(g.sessions, id) {
		g.sessions = append(g.sessions, id)
	}
	if byUser(c) && !g.refused {
		g.refused = true
		s.refused = append(s.refused, g, s.plain(g))
	}
	switch {
	case c.Outcome != "":
		s.tells[id] = true
	case c.Prompted == sessions.Yes:
		g.open = append(g.open, id)
	}
	if prompts(g.v) {
		s.Prompts++
		if !g.asks {
			s.Settled[g.v.Origin()]++
		}
	}
	if c.Time.IsZero() {
		g.undated = true
		return
	}
	if s.First.IsZero() || c.Time.Before(s.First) {
		s.First = c.Time
	}
	if c.Time.After(s.Last) {
		s.Last = c.Time
	}
	if c.Time.After(g.last) {
		g.last = c.Time
	}
}

// plain is a refused call as if in mode default and by no subagent: a rule would allow it too.
func (s *Calls) plain(g *group) *group {
	call := *g.Call
	call.AgentID, call.AgentType = "", ""
	p := &group{Input: s.batch(g, "default").Case(&call)}
	p.v = decide.Decide(p.Input)
	p.Input = p.v.Input()
	return p
}

// givenUp are calls asked about, refused or given up, in sessions that tell which calls did run.
func (s *Calls) givenUp() (out []*group) {
	for _, g := range s.order {
		if !g.refused && slices.ContainsFunc(g.open, func(id int32) bool { return s.tells[id] }) {
			out = append(out, g, s.plain(g))
		}
	}
	return out
}

// byUser reports whether the user refused a call, or may have.
func byUser(c *sessions.Call) bool {
	if c.RefusedBy == sessions.ByRule || c.RefusedBy == sessions.ByClassifier {
		return false
	}
	return c.RefusedBy != "" || c.Outcome == log.Refused
}

// prompts reports whether someone is asked: by our answer, or, where we would ask, by the program.
func prompts(v decide.Verdict) bool {
	told := log.Told(v.Input().Call, v.Answer())
	return told == hookio.Ask.String() || told == log.Silence && v.Decision() == hookio.Ask
}

// batch decides the calls of one set of options in a mode, "" for that of each.
func (s *Calls) batch(g *group, mode string) *gate.Batch {
	f := cmp.Or(g.flags, s.flags)
	key := mode + "\x00" + g.hook
	b := s.batches[key]
	if b == nil {
		own := *f
		own.Mode = cmp.Or(mode, own.Mode)
		b = gate.NewBatch(&own, s.world, batchRoom)
		s.batches[key] = b
	}
	return b
}

// with decides a group again with rules added to those that allow.
func (g *group) with(list ...rules.Rule) decide.Verdict {
	p := *g.Policy
	p.Allow = append(slices.Clone(p.Allow), list...)
	return decide.Decide(g.Under(&p))
}

// Attacks lists the calls that no rule we propose may allow: what command checks
// report, what lint tries, reading or writing what is secret or runs later.
func Attacks() []lint.Attack {
	list := append(lint.Attacks(),
		lint.Attack{Tool: "Bash", Arg: "rm notes.txt", From: "removes whatever file is named"},
		lint.Attack{Tool: "Bash", Arg: "git stash push .claude/settings.json", From: "takes settings back"})
	for _, c := range bashsafety.Checks() {
		reported, _ := bashsafety.Examples(c)
		for _, text := range reported {
			list = append(list, lint.Attack{Tool: "Bash", Arg: text, From: "check " + c.ID})
		}
	}
	for i := range guard.Secrets {
		for _, p := range guard.Secrets[i].Paths {
			name := "~/" + named(p, guard.Secrets[i].Dir)
			list = append(list, lint.Attack{Tool: "Read", Arg: name, From: "secret " + p},
				lint.Attack{Tool: "Bash", Arg: "cat " + name, From: "secret " + p})
		}
	}
	for i := range guard.Sensitives {
		for _, name := range guard.Sensitives[i].Files() {
			list = append(list, lint.Attack{Tool: "Write", Arg: name, From: "sensitive " + name})
		}
	}
	return list
}

// named is a file that an entry of a table of paths is about.
func named(path string, dir bool) string {
	if path = strings.NewReplacer("*", "x", "?", "x").Replace(path); dir {
		path += "/x"
	}
	return path
}

// attacks are the calls of Attacks that are not allowed as things are, as groups.
func (s *Calls) attacks() (out []*group) {
	f := *s.flags
	f.Mode = "default"
	b := gate.NewBatch(&f, s.world, batchRoom)
	home := s.world.Getenv("HOME")
	for _, a := range Attacks() {
		if rest, ok := strings.CutPrefix(a.Arg, "~/"); ok && a.Tool != "Bash" {
			a.Arg = home + "/" + rest
		}
		call, err := gate.Call(a.Tool, a.Arg)
		if err != nil {
			continue
		}
		if h := hookio.Lookup(f.Host); h != nil {
			call.Host, call.Named = h, true
		}
		g := &group{Input: b.Case(call)}
		if g.v = decide.Decide(g.Input); g.v.Decision() != hookio.Allow {
			out = append(out, g)
		}
	}
	return out
}
