package gate

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A Batch builds the cases of calls decided at one moment: the same settings are read
// once, and the disk is asked once for a name. It is for one goroutine.
type Batch struct {
	f        *Flags
	w        World
	room     int // bytes that the policies may take, roughly
	taken    int
	policies map[policyKey]*settled
	Met      func(*rules.Policy) // called with every policy that is loaded, where set
}

// A policyKey is what LoadOptions looks at of a call; the rest is the same within a batch.
type policyKey struct {
	host              *hookio.Host
	named, sub, hasID bool
	agentType         string
	cwd, project      string
	mode, skill       string
}

// settled is a policy, and what follows from it alone.
type settled struct {
	policy   *rules.Policy
	closed   bool // no grant of a session counts
	own      []string
	sessions map[string]*session
	calls    int
}

// A session is a policy with what its user granted for the time of it.
type session struct {
	policy *rules.Policy
	grants facts.Grants
}

// About what the parts of a policy take, in bytes.
const (
	policySize = 8 << 10
	ruleSize   = 1 << 10
)

// Lists of more than these rules get an index with so many calls, which then has paid.
const (
	indexedRules = 2
	indexedCalls = 3
)

// NewBatch returns a batch with the flags of all its calls, which may keep about room bytes.
func NewBatch(f *Flags, w World, room int) *Batch {
	w.Files = &disk.Snapshot{Files: w.Files, Room: room / 2}
	if w.Presets != nil {
		presets := w.Presets()
		w.Presets = func() []load.Preset { return presets }
	}
	if w.Exe != nil {
		exe, err := w.Exe()
		w.Exe = func() (string, error) { return exe, err }
	}
	if w.Environ != nil {
		environ := w.Environ()
		w.Environ = func() []string { return environ }
	}
	return &Batch{f: f, w: w, room: room / 2, policies: map[policyKey]*settled{}}
}

// Case is what the function of that name returns.
func (b *Batch) Case(call *hookio.Call) *decide.Input {
	p := b.settle(call)
	s := &session{policy: p.policy}
	if !p.closed {
		s = b.session(p, call.SessionID)
	}
	guarded := func() []string {
		if p.own == nil {
			p.own = guarded(b.f, b.w, p.policy)
		}
		return p.own
	}
	return caseOf(s.policy, s.grants, guarded, call, b.f, b.w)
}

func keyOf(call *hookio.Call) policyKey {
	return policyKey{
		host: call.Host, named: call.Named, sub: call.Subagent(), hasID: call.AgentID != "",
		agentType: call.AgentType, cwd: call.Cwd, project: call.Project, mode: call.Mode, skill: call.ProjectSkill(),
	}
}

// settle returns what the settings say about a call.
func (b *Batch) settle(call *hookio.Call) *settled {
	key := keyOf(call)
	if p := b.policies[key]; p != nil {
		if p.calls++; p.calls == indexedCalls {
			p.policy, p.sessions = p.policy.AsIndexed(indexedRules), map[string]*session{}
		}
		return p
	}
	for _, text := range [...]*string{&key.agentType, &key.cwd, &key.project, &key.mode} {
		*text = strings.Clone(*text) // of the payload, which it would keep
	}
	own := *call
	own.AgentType, own.Cwd, own.Project, own.Mode = key.agentType, key.cwd, key.project, key.mode
	p := &settled{policy: Policy(&own, b.f, b.w), sessions: map[string]*session{}, calls: 1}
	p.closed = SessionStoreProblem(b.f, b.w, p.policy) != ""
	b.take(sizeOf(p.policy) + len(key.cwd) + len(key.project) + len(key.mode))
	b.policies[key] = p
	if b.Met != nil {
		b.Met(p.policy)
	}
	return p
}

// session returns a policy with the grants of a session.
func (b *Batch) session(p *settled, id string) *session {
	if s := p.sessions[id]; s != nil {
		return s
	}
	id = strings.Clone(id)
	own := *p.policy
	own.Dropped, own.Dirs, own.Places = slices.Clip(own.Dropped), slices.Clip(own.Dirs), slices.Clip(own.Places)
	s := &session{policy: &own}
	s.grants = Sessions(b.f, b.w).Load(state.Use{Session: id}, &own, b.w.PasswdHome, home(b.f, b.w))
	b.take(len(id) + policySize/2 + ruleSize*(len(s.grants.Rules)+len(own.Dirs)+len(own.Places)))
	p.sessions[id] = s
	return s
}

// take makes room for a policy, and forgets all that was read where there would be too little.
func (b *Batch) take(size int) {
	if b.taken += size; b.taken > b.room {
		b.taken = size
		clear(b.policies)
	}
}

// sizeOf is about how many bytes a policy takes.
func sizeOf(p *rules.Policy) int {
	n := len(p.Allow) + len(p.Ask) + len(p.Deny) + len(p.Untrusted) + len(p.Dropped) + len(p.Faults)
	n += len(p.Places) + len(p.Dirs) + len(p.Examples) + len(p.Posture.ContentExclusion) + len(p.Posture.URLs)
	return policySize + ruleSize*n
}
