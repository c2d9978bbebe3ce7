// Package replay decides recorded calls again, by settings of now or others, and counts answers.
package replay

import (
	"fmt"
	"sync"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
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
	met     func(*rules.Policy)    // is told every policy that is loaded; nil for none
}

// maxBatches bounds the command lines of hooks that settings are kept for.
const maxBatches = 8

// NewSide returns a side that may keep about room bytes; f has the options of calls without any.
func NewSide(f *gate.Flags, w gate.World, room int) *Side {
	return &Side{flags: f, world: w, room: room, batches: map[string]*gate.Batch{}}
}

// An Answer is the decision about one call.
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

// decide also returns the case, for callers that ask which rules match.
func (s *Side) decide(c *sessions.Call) (Answer, facts.Facts) {
	v := decide.Decide(s.batch(c).Case(c.Call))
	a := v.Answer()
	out := Answer{
		Told: log.Told(c.Call, a), Decision: v.Decision(), Step: v.Origin(), Code: string(v.Code()), Part: v.Why().Part, Reason: v.Reason(),
	}
	if v.Why().Rule != nil {
		out.rule = v.Why().Rule
		out.Rule, out.List, out.Place = v.Why().Rule.Text, v.Why().Rule.List.String(), v.Why().Rule.Pos.String()
	}
	if v.Why().Check != nil {
		out.Check = v.Why().Check.ID
	}
	return out, v.Facts()
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

// A Job says what to replay.
type Job struct {
	Flags   *gate.Flags
	World   gate.World         // what the calls are decided under
	Against *gate.World        // what that is compared with; nil for nothing
	Bind    func(*hookio.Call) // says whose posture counts, where a call does not; nil for none
	Jobs    int                // workers
	Room    int                // bytes that all of them may keep of settings and files
	Rows    bool               // list every difference
	Told    func(calls int)    // how many calls are done; nil for none
}

// A Source hands recorded calls to take, in order, and stops with its error.
type Source func(take func(*sessions.Call) error) error

// Run decides every call of a source, whose error it returns. The report does not depend on Jobs.
func (j *Job) Run(from Source) (*Report, error) {
	workers := make([]*worker, max(j.Jobs, 1))
	for i := range workers {
		workers[i] = &worker{job: j, room: j.Room / len(workers)}
		workers[i].restart()
	}
	n := newCounter(j)
	err := inOrder(from, workers, func(c *chunk) {
		for i := range c.calls {
			n.add(&c.calls[i])
		}
		if j.Told != nil {
			j.Told(n.report.Read)
		}
	})
	for _, w := range workers {
		n.cover.join(&w.cover)
	}
	return n.end(), err
}

// A worker decides calls under one set of settings or two.
type worker struct {
	job      *Job
	room     int
	now, was *Side // was is nil where there is nothing to compare with
	cover    coverage
	groups   grouper
}

// restart forgets what was read.
func (w *worker) restart() {
	room := w.room
	if w.job.Against != nil {
		room /= 2
		w.was = NewSide(w.job.Flags, *w.job.Against, room)
	}
	w.now = NewSide(w.job.Flags, w.job.World, room)
	w.now.met = w.cover.add
}

type decided struct {
	*sessions.Call
	skip     string // why it was not decided; "" when it was
	now, was Answer
	by       *Answer // of two different answers: the responsible one
	gone     bool    // which is that of a rule that is no more
	group    string  // of an ask: what was asked about
	text     string  // of a call that may be shown: what it is
}

// maxReason bounds a reason that is shown.
const maxReason = 300

// decide decides a call. A panic leaves it undecided.
func (w *worker) decide(d *decided) {
	defer func() {
		if p := recover(); p != nil {
			d.skip = fmt.Sprint("internal error: ", p)
			w.restart()
		}
	}()
	if d.skip = d.Skip; d.skip == "" && d.Call.Call == nil {
		d.skip = "it holds no call"
	}
	if d.skip != "" {
		return
	}
	if w.job.Bind != nil && d.Flags == nil {
		w.job.Bind(d.Call.Call)
	}
	now, of := w.now.decide(d.Call)
	w.cover.touch(of)
	d.now = now
	if w.was != nil {
		was, old := w.was.decide(d.Call)
		if d.was = was; now.Told != was.Told {
			by, gone := responsible(d, of, old)
			d.by, d.gone = &by, gone
		}
	}
	if now.Told == "ask" {
		d.group = w.groups.group(of.Call().Tool, of.Call().URL, subcommands(of), now.Reason)
	}
	if d.by != nil || d.RefusedBy != "" {
		d.text, d.now.Reason = clip(gate.Heading(d.Call.Call), maxShown), clip(now.Reason, maxReason)
	}
}

func subcommands(of facts.Facts) []bashsafety.Subcommand {
	if of.Script() == nil {
		return nil
	}
	return of.Script().Subcommands
}

// Bounds of what a worker takes at once.
const (
	chunkCalls = 64
	chunkBytes = 128 << 10
)

// A chunk is some calls on their way.
type chunk struct {
	calls []decided
	bytes int
	done  chan struct{}
}

// inOrder has workers decide calls, a few chunks at a time, and hands them on in their order.
func inOrder(from Source, workers []*worker, take func(*chunk)) error {
	todo, order := make(chan *chunk), make(chan *chunk, len(workers))
	for _, w := range workers {
		go func() {
			for c := range todo {
				for i := range c.calls {
					w.decide(&c.calls[i])
				}
				close(c.done)
			}
		}()
	}
	var taken sync.WaitGroup
	taken.Go(func() {
		for c := range order {
			<-c.done
			take(c)
		}
	})
	c := &chunk{done: make(chan struct{})}
	flush := func() {
		if len(c.calls) > 0 {
			order <- c
			todo <- c
			c = &chunk{done: make(chan struct{})}
		}
	}
	err := from(func(call *sessions.Call) error {
		c.calls = append(c.calls, decided{Call: call})
		if call.Call != nil {
			c.bytes += len(call.Input.Raw)
		}
		if len(c.calls) == chunkCalls || c.bytes > chunkBytes {
			flush()
		}
		return nil
	})
	flush()
	close(todo)
	close(order)
	taken.Wait()
	return err
}

// A Report is a replay's result: --json prints it, and the page shows it. Released keys stay.
type Report struct {
	Version string    `json:"version"` // of permgate
	Made    time.Time `json:"made"`
	Policy  string    `json:"policy"`            // what the calls were decided under, for people
	Other   string    `json:"against,omitempty"` // what that is compared with; "" for nothing

	// Read = Decided + the calls of Skipped, always.
	Read    int       `json:"read"`
	Decided int       `json:"decided"`
	Skipped []Skipped `json:"skipped"`
	Lines   Lines     `json:"lines"`
	Unsaid  []string  `json:"unsaid"` // what the files do not say, a sentence each

	First    time.Time `json:"first,omitzero"`
	Last     time.Time `json:"last,omitzero"`
	Sessions Sessions  `json:"sessions"`
	All      Tally     `json:"answers"`
	Days     []Named   `json:"days"`     // Name is 2026-11-23
	Stops    []Stopped `json:"stops"`    // by day and, the most of a day first, session
	Tools    []Named   `json:"tools"`    // canonical names
	Rules    []Named   `json:"rules"`    // rules and checks that decided, by hits
	Commands []Named   `json:"commands"` // what was asked about: "git push"
	NeverHit []Named   `json:"neverHit"` // rules of the settings without a hit

	// Denials of the program's own classifier, by its word for them.
	Classifier []Denied `json:"classifier,omitempty"`

	// Overruled are calls that a person refused and the policy allows; with Other only
	// those that Other does not allow.
	Overruled []Change `json:"overruled,omitempty"`

	Same    int      `json:"same"`              // decided alike on both sides
	Changes []Change `json:"changes,omitempty"` // by kind and rule, the most frequent first
	Rows    []Row    `json:"rows,omitempty"`    // every difference, for the page; equal ones once
	More    int      `json:"more,omitempty"`    // differences for which there was no room in Rows
}

// Lines says what reading came to.
type Lines struct {
	Read       int `json:"read"`
	Unknown    int `json:"unknown"`
	Torn       int `json:"torn"`
	Newer      int `json:"newer"`
	Duplicates int `json:"duplicates"`
}

// Skipped counts calls that could not be decided again.
type Skipped struct {
	Why   string `json:"why"`
	Calls int    `json:"calls"`
}

// Sessions counts prompts by session.
type Sessions struct {
	Count   int `json:"count"`
	Prompts int `json:"prompts"` // of all
	P50     int `json:"p50"`     // prompts of a session
	P90     int `json:"p90"`
	Max     int `json:"max"`
}

// Stopped counts the calls of one day and session that are asked about or denied.
type Stopped struct {
	Day     string `json:"day"`
	Session string `json:"session"`
	Ask     int    `json:"ask"`
	Deny    int    `json:"deny"`
}

// A Tally counts answers.
type Tally struct {
	Allow   int `json:"allow"`
	Ask     int `json:"ask"`
	Deny    int `json:"deny"`
	Silence int `json:"silence"`
}

// A Named is a tally with a name.
type Named struct {
	Name  string `json:"name"`
	Place string `json:"place,omitempty"` // of a rule: file:line:col
	List  string `json:"list,omitempty"`  // of a rule: allow, ask, deny
	Tally
}

// A Denied counts calls that the program's own classifier refused.
type Denied struct {
	Word  string `json:"word"` // the program's: automode-blocked
	Calls int    `json:"calls"`
	Now   Tally  `json:"now"` // what they are answered under the policy
	// Spared are those that a rule now allows.
	Spared   int      `json:"spared"`
	Examples []string `json:"examples"`
}

// The kinds of a Change.
const (
	Allowed = "allowed" // newly
	Asked   = "asked"
	Refused = "denied"
	Left    = "left" // to the program: it gets silence
)

// A Change counts calls that are answered otherwise, by the rule responsible.
type Change struct {
	Kind     string   `json:"kind"`
	By       string   `json:"by"` // rule, check or step
	Place    string   `json:"place,omitempty"`
	Calls    int      `json:"calls"`
	Refused  int      `json:"refused"` // of these someone refused then
	Examples []string `json:"examples"`
	first    int      // of the examples: those that someone refused
}

// A Row is one call that is answered otherwise.
type Row struct {
	Kind    string    `json:"kind"`
	Was     string    `json:"was"`
	Now     string    `json:"now"`
	Tool    string    `json:"tool"`
	Text    string    `json:"text"` // command, path or URL
	By      string    `json:"by"`
	Place   string    `json:"place,omitempty"`
	Why     string    `json:"why"`
	Refused string    `json:"refused,omitempty"` // who refused it then
	Session string    `json:"session"`
	Time    time.Time `json:"time,omitzero"`
	Calls   int       `json:"calls"` // equal ones
}

// Add counts one answer.
func (t *Tally) Add(told string) {
	switch told {
	case "allow":
		t.Allow++
	case "ask":
		t.Ask++
	case "deny":
		t.Deny++
	default:
		t.Silence++
	}
}
