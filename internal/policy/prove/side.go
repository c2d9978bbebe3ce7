package prove

import (
	"fmt"
	"slices"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
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
	langs  *algebra.Policy // what its rules match
	caseOf func(*rules.Policy, *hookio.Call) *decide.Input
	sample *decide.Input // any call: who calls, and what counts for them
}

// An answer is the decision about one call.
type answer struct {
	told int
	v    decide.Verdict
	c    *decide.Input
}

func (s *side) decide(call *hookio.Call) answer { return s.under(s.policy, call) }

// under decides a call under another policy.
func (s *side) under(p *rules.Policy, call *hookio.Call) answer {
	c := s.caseOf(p, call)
	v := decide.Decide(c)
	told := log.Told(call, v.Answer())
	return answer{max(slices.Index(ranks[:], told), 0), v, v.Input()}
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
		own.langs = own.langs.WithLetters(texts)
		p.sides[i] = &own
	}
}

// room is how many bytes of what was read a side may keep.
const room = 4 << 20

// sideOf is the side of a world, for calls with some flags.
func sideOf(call *hookio.Call, f *gate.Flags, w gate.World) *side {
	w.Files, w.AnyDisk = &disk.Snapshot{Files: w.Files, Room: room}, true
	return sideUnder(gate.Policy(call, f, w), call, f, w)
}

func sideUnder(p *rules.Policy, call *hookio.Call, f *gate.Flags, w gate.World) *side {
	p = p.AsIndexed(2)
	caseOf := func(p *rules.Policy, call *hookio.Call) *decide.Input { return gate.CaseUnder(p, call, f, w) }
	return &side{policy: p, langs: algebra.Of(p), sample: caseOf(p, call), caseOf: caseOf}
}

// stripped is a policy without the rules that say something about single calls.
func stripped(p *rules.Policy) *rules.Policy {
	q := *p
	q.Allow, q.Ask, q.Deny, q.Untrusted, q.Dropped = nil, nil, nil, nil, nil
	q.Tools, q.Skill = nil, nil
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

// settingsOf looks for the shortest call of a group that a setting has answered laxer.
func (p *prover) settingsOf(g *group) {
	h := &hunt{p: p, g: g}
	h.run(g.searches, g.laxer, h.goOn)
	for _, text := range samples(g.tool(), p.sides[0].policy.Cwd.Given) {
		if h.found == nil {
			h.tryText(text, false)
		}
	}
	unruled := g.levels[0].laxer(&g.levels[1])
	if unruled && h.found == nil {
		h.unruled()
	}
	if h.found != nil {
		p.blame(h)
		if p.reported(h.found) {
			return
		}
		p.report.Findings = append(p.report.Findings, *h.found)
		return
	}
	if !h.complete || len(h.texts) > 0 || unruled {
		p.report.Open = append(p.report.Open, Open{Tool: shownTool(g.tool()), Rule: "settings", Why: h.reason()})
	}
}

// laxer reports whether what no rule decides may be answered laxer than by another side.
func (l *levels) laxer(o *levels) bool {
	return l.immune < o.immune || l.deny < o.deny || l.outside < o.outside
}

// unruled tries calls that are asked about or denied whatever the rules say.
func (h *hunt) unruled() {
	folder := h.p.sides[0].policy.Cwd.Given
	var texts []string
	switch tool := h.g.tool(); {
	case kindOf(tool) == commands:
		texts = []string{"sudo xyzzy", "touch " + outside, "rm -rf /"}
	case rules.EditTool(tool):
		texts = []string{outside, folder + "/.git/config"}
	case kindOf(tool) == files:
		texts = []string{outside}
	}
	for _, text := range texts {
		if h.tryText(text, false) {
			return
		}
	}
	for _, tool := range h.g.tools {
		t := trialOf(tool, "")
		t.input = []byte("{}") // malformed
		if h.tryCall(t, false) {
			return
		}
	}
}

// reported reports whether a key was found responsible for something of the kind before.
func (p *prover) reported(f *Finding) bool {
	return slices.ContainsFunc(p.report.Findings, func(o Finding) bool {
		return o.Rule == f.Rule && o.Place == f.Place && o.Kind == f.Kind && o.Tool == f.Tool
	})
}

// blame names the setting that a call is answered laxer by: with what the other side says
// there it would not be.
func (p *prover) blame(h *hunt) {
	f := h.found
	f.Rule, f.List, f.Scope, f.Place, f.Gone = "settings", "", "", "", false
	for _, k := range settingsKeys() {
		now, was := p.sides[0].policy, p.sides[1].policy
		if k.value(now) == k.value(was) {
			continue
		}
		q := *now
		*k.at(&q) = *k.at(was)
		a := p.again(&q, h.trial)
		if b := p.again(was, h.trial); a >= b {
			f.name(&k, now, was)
			return
		}
	}
}

// again is what is told of a call under another policy of the first side.
func (p *prover) again(q *rules.Policy, t *trial) int {
	call, err := t.call(p.job.Flags, p.job.Bind)
	if err != nil {
		return deny
	}
	return p.sides[0].under(q, call).told
}

// name names a key as what is responsible.
func (f *Finding) name(k *key, now, was *rules.Policy) {
	s := *k.at(now)
	if s.Pos.String() == "" {
		s, f.Gone = *k.at(was), true
	}
	f.Rule, f.Place = k.name, s.Pos.String()
	if f.List = ""; s.Scope != rules.ScopeNone {
		f.Scope = s.Scope.String()
	}
}

// keys looks at the settings that differ, and what they could make laxer.
func (p *prover) keys() {
	now, was := p.sides[0].policy, p.sides[1].policy
	for _, k := range settingsKeys() {
		named := func(f Finding) bool { return f.Rule == k.name }
		if k.name == "urls.allow" && p.job.Tool != "" { // what was searched are calls of WebFetch
			k.searched, k.tools, k.texts = false, []string{"Bash"}, []string{"curl https://xyzzy.example/"}
		}
		if k.searched || !k.laxer(now, was) || slices.ContainsFunc(p.report.Findings, named) {
			continue
		}
		h := p.witness(k.tools, k.texts)
		if h.found != nil {
			h.found.name(&k, now, was)
			p.report.Findings = append(p.report.Findings, *h.found)
		} else if len(k.tools) == 0 || slices.ContainsFunc(k.tools, func(tool string) bool { return p.like(tool) != "" }) {
			p.unshown(k.name, k.at(now).Pos.String(), fmt.Sprintf("it is %s, and was %s",
				k.value(now), k.value(was)))
		}
	}
	p.lists()
}

// witness tries calls that a setting is about.
func (p *prover) witness(tools, texts []string) *hunt {
	h := &hunt{p: p}
	for i, text := range texts {
		if tool := p.like(tools[i]); tool != "" && h.tryCall(trialOf(tool, text), false) {
			break
		}
	}
	if h.found != nil {
		h.found.Rule, h.found.List, h.found.Scope, h.found.Place, h.found.Gone = "", "", "", "", false
	}
	return h
}

// like is the tool that is looked at where a setting is about calls of another one that
// is like it, "" for none.
func (p *prover) like(tool string) string {
	switch only := p.job.Tool; {
	case only == "":
		return tool
	case kindOf(only) == kindOf(tool) && rules.EditTool(only) == rules.EditTool(tool):
		return only
	}
	return ""
}

// unshown notes a setting that may make calls laxer, though no such call was found.
func (p *prover) unshown(name, place, why string) {
	p.report.Open = append(p.report.Open, Open{Rule: name, Place: place,
		Why: why + ": no call was found that it loosens, but the rules do not prove that there is none"})
}
