package prove

import (
	"cmp"
	"slices"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

// What a program is told, from the laxest to the strictest.
const (
	allow = iota
	silence
	ask
	deny
)

var ranks = [...]string{allow: "allow", silence: log.Silence, ask: "ask", deny: "deny"}

// A side is a policy, and how calls are decided under it.
type side struct {
	policy *rules.Policy
	caseOf func(*rules.Policy, *hookio.Call) *decide.Case
	sample *decide.Case // any call: who calls, and what counts for them
}

// An answer is what became of one call.
type answer struct {
	told int
	v    decide.Verdict
	c    *decide.Case
}

// decide decides a call under the policy of the side.
func (s *side) decide(call *hookio.Call) answer { return s.under(s.policy, call) }

// under decides a call under another policy.
func (s *side) under(p *rules.Policy, call *hookio.Call) answer {
	c := s.caseOf(p, call)
	v := decide.Decide(c)
	told := log.Told(call, v.Answer(c))
	return answer{max(slices.Index(ranks[:], told), 0), v, c}
}

// spell makes the languages of both sides know the letters that rules and folders are
// written with.
func (p *prover) spell() {
	var texts []string
	for _, s := range p.sides {
		q := s.policy
		texts = append(texts, q.Cwd.Given, q.Cwd.Real, q.Project.Given, q.Project.Real, q.Home.Given, q.Home.Real)
		for i := range q.Dirs {
			texts = append(texts, q.Dirs[i].Path.Given, q.Dirs[i].Path.Real)
		}
	}
	for _, e := range p.book.entries {
		if e.governs("Read") || e.governs("Edit") {
			texts = append(texts, e.any().Pattern)
		}
	}
	for i, s := range p.sides {
		own := *s
		own.policy = s.policy.WithLetters(texts)
		p.sides[i] = &own
	}
}

// room is how many bytes of what was read a side may keep.
const room = 4 << 20

// sideOf is the side of a world, for calls with some flags.
func sideOf(call *hookio.Call, f *gate.Flags, w gate.World) *side {
	w.Files = &disk.Snapshot{Files: w.Files, Room: room}
	p := gate.Policy(call, f, w).AsIndexed(2)
	caseOf := func(p *rules.Policy, call *hookio.Call) *decide.Case { return gate.CaseUnder(p, call, f, w) }
	return &side{policy: p, sample: caseOf(p, call), caseOf: caseOf}
}

// stripped is a policy without the rules that say something about single calls.
func stripped(p *rules.Policy) *rules.Policy {
	q := *p
	q.Allow, q.Ask, q.Deny, q.Untrusted, q.Dropped = nil, nil, nil, nil, nil
	q.Tools, q.HasTools, q.Skill = nil, false, nil
	g := &q.Posture
	g.ContentExclusion, g.URLs, g.URLAllow, g.URLsSet = nil, nil, nil, rules.Setting{}
	q.Auto.HardDeny, q.Auto.SoftDeny, q.Auto.Allow = nil, nil, nil
	if p.Agent != nil {
		a := *p.Agent
		a.HasAllow, a.Allow, a.Granted, a.Deny, a.HasTools, a.Tools = false, nil, nil, nil, false, nil
		q.Agent = &a
	}
	return &q
}

// bare is a rule on every call of a tool.
func bare(tool string, list rules.List, scope rules.Scope) []rules.Rule {
	return []rules.Rule{{Text: tool, Tool: rules.CanonicalTool(tool), Bare: true, List: list, Scope: scope}}
}

// valueOf is a setting with what holds where no file says anything.
func valueOf(s rules.Setting, otherwise string) string { return cmp.Or(s.Value, otherwise) }
