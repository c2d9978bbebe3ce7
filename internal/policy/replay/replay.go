// Package replay decides recorded calls again, under the settings of now or under
// others, and counts what comes of it.
package replay

import (
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/rules"
)

// A Side decides calls under one set of settings. It is not for more than one goroutine.
type Side struct {
	flags   *gate.Flags
	world   gate.World
	room    int
	batches map[string]*gate.Batch // by the options their hook ran with
	met     func(*rules.Policy)    // is told every policy that is loaded; nil for nobody
}

// maxBatches bounds the command lines of hooks that settings are kept for.
const maxBatches = 8

// NewSide returns a side that may keep about room bytes of what it has read. The
// options of a call that records none are f's.
func NewSide(f *gate.Flags, w gate.World, room int) *Side {
	return &Side{flags: f, world: w, room: room, batches: map[string]*gate.Batch{}}
}

// An Answer is what became of one call.
type Answer struct {
	Told     string // what the program is told: allow, ask, deny, silence
	Decision hookio.Decision
	Step     string
	Rule     string // text of the rule that decided; "" for none
	List     string // allow, ask or deny: that of the rule
	Place    string // file:line:col of the rule
	Check    string // id of the check that decided; "" for none
	Code     string
	Part     string // the subcommand or path that decided
	Reason   string
	rule     *rules.Rule // nil for none
}

// By names what is responsible: the rule, else the check, else the step.
func (a *Answer) By() string {
	switch {
	case a.Rule != "":
		return a.Rule
	case a.Check != "":
		return "check " + a.Check
	}
	return "step " + a.Step
}

// Decide decides a call, which must have one.
func (s *Side) Decide(c *sessions.Call) Answer {
	a, _ := s.decide(c)
	return a
}

// decide also returns the case, for who asks which rules match.
func (s *Side) decide(c *sessions.Call) (Answer, *decide.Case) {
	of := s.batch(c).Case(c.Call)
	v := decide.Decide(of)
	a := v.Answer(of)
	out := Answer{
		Told: log.Told(c.Call, a), Decision: v.Decision, Step: v.Origin, Code: string(v.Code()), Part: v.Part, Reason: v.Reason,
	}
	if v.Rule != nil {
		out.rule = v.Rule
		out.Rule, out.List, out.Place = v.Rule.Text, v.Rule.List.String(), v.Rule.Pos.String()
	}
	if v.Check != nil {
		out.Check = v.Check.ID
	}
	return out, of
}

func (s *Side) batch(c *sessions.Call) *gate.Batch {
	key, f := "", s.flags
	if c.Flags != nil {
		key, f = c.Hook, c.Flags
	}
	b := s.batches[key]
	if b == nil {
		if len(s.batches) == maxBatches {
			clear(s.batches)
		}
		b = gate.NewBatch(f, s.world, s.room)
		b.Met = s.met
		s.batches[key] = b
	}
	return b
}
