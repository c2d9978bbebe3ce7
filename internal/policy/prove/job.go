package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// A Claim is what is to be shown.
type Claim uint8

// The claims.
const (
	NoLooser   Claim = iota // nothing is answered laxer than under the other policy
	Equivalent              // everything is answered as under the other policy
	Never                   // nothing that a rule would match is allowed
	Always                  // all that a rule would match is allowed
)

// words of the claims; those of the last two are followed by a pattern.
var words = [...]string{"no looser", "equivalent", "never", "always"}

// Assumes is what every proof takes for granted.
const Assumes = "commands are read as permgate reads them, no path goes through a symlink, no session grant counts, " +
	"and what is asked about whatever the rules say (step 2) or holds a rule back is the same for both policies"

// A Job says what to show, and for which calls.
type Job struct {
	Flags   *gate.Flags        // of every call: the host, the agent, the mode, the folder
	World   gate.World         // with the policy
	Against *gate.World        // with the other policy; nil for Never and Always
	Bind    func(*hookio.Call) // says whose posture counts, where Flags do not; nil for nobody's
	Claim   Claim
	Pattern string // of Never and Always: the text of a rule, "Bash(git push:*)"
	Tool    string // of which calls are looked at; "" for all
	Budget  int    // states of one search; 0 for the usual

	literal bool // leaves out commands with words that are not known, for tests
}

// Run looks for calls that refute the claim. The error is about the job: a pattern that
// is no rule, a host that is not known.
func (j *Job) Run() (*Report, error) {
	call, err := trialOf("Bash", "xyzzy").call(j.Flags, j.Bind)
	if err != nil {
		return nil, err
	}
	now := sideOf(call, j.Flags, j.World)
	was := now
	if j.Against != nil {
		was = sideOf(call, j.Flags, *j.Against)
	}
	return j.compare(now, was)
}

// compare looks for calls that refute the claim on two sides.
func (j *Job) compare(now, was *side) (*Report, error) {
	p := &prover{job: j, sides: [2]*side{now, was}, report: &Report{
		Claim: words[j.Claim], Mode: now.policy.Mode.Value, Tools: []string{}, Findings: []Finding{}, Open: []Open{}, Assumes: Assumes,
	}}
	if err := p.named(j.Tool); err != nil {
		return nil, fmt.Errorf("--tool %s: %w", hookio.Escape(j.Tool), err)
	}
	switch j.Claim {
	case Never, Always:
		p.report.Claim += " " + j.Pattern
		if err := p.pattern(); err != nil {
			return nil, err
		}
	default:
		p.looser()
		if j.Claim == Equivalent {
			p.sides, p.swapped = [2]*side{was, now}, true
			p.looser()
		}
	}
	switch r := p.report; {
	case len(r.Findings) > 0:
		r.Verdict = Fails
	case len(r.Open) > 0:
		r.Verdict = Unknown
	}
	return p.report, nil
}

// named says why there are no calls of a tool: nothing calls one so.
func (p *prover) named(tool string) error {
	if tool == "" || rules.KnownTool(rules.CanonicalTool(tool)) {
		return nil
	}
	if known := misspelt(tool); known != "" {
		return fmt.Errorf("no tool is called %s; %s is", hookio.Escape(tool), known)
	}
	b := &book{at: map[spelling]*entry{}}
	for i, s := range p.sides {
		b.read(i, s)
	}
	if !slices.ContainsFunc(b.entries, func(e *entry) bool { return e.any().Tool == tool }) {
		return fmt.Errorf("no tool is called %s, and no rule names it", hookio.Escape(tool))
	}
	return nil
}

// misspelt is the tool that a name means but for its case, "" where it is none or right.
func misspelt(name string) string {
	for _, known := range rules.Tools {
		if strings.EqualFold(name, known) && name != known {
			return known
		}
	}
	return ""
}

// pattern is Never and Always.
func (p *prover) pattern() error {
	list := rules.Deny
	if p.job.Claim == Always {
		list = rules.Allow
	}
	r, err := rules.ParseRule(p.job.Pattern, list, rules.User, rules.Pos{}, false)
	if err != nil {
		return fmt.Errorf("%s: %w", hookio.Escape(p.job.Pattern), err)
	}
	if known := misspelt(r.Tool); known != "" {
		return fmt.Errorf("%s: no tool is called %s; %s is", hookio.Escape(p.job.Pattern), hookio.Escape(r.Tool), known)
	}
	p.book = &book{at: map[spelling]*entry{}}
	p.book.read(0, p.sides[0])
	about := &entry{rule: [2]*rules.Rule{&r}}
	p.book.entries = append(p.book.entries, about)
	p.spell()
	for _, g := range p.groups() {
		if !about.governs(g.tool()) {
			continue
		}
		p.looked(g)
		p.compile(g)
		p.about(g, len(g.rules)-1)
		if kind := kindOf(g.tool()); p.job.Claim == Always && p.sides[0].policy.AutoRestricts() && kind <= addresses {
			p.open(g, &g.rules[len(g.rules)-1], "mode auto asks about some calls although a rule allows them")
		}
	}
	for _, g := range p.acrossOnly() {
		if !about.governs(g.tool()) || p.job.Claim == Always {
			continue
		}
		p.compile(g)
		if r := &g.rules[len(g.rules)-1]; r.why == "" {
			p.across(g, r)
		}
	}
	return nil
}

// about looks for a call that a pattern matches and that refutes the claim.
func (p *prover) about(g *group, i int) {
	r := &g.rules[i]
	if r.why != "" {
		p.open(g, r, "it cannot be written as a pattern: "+r.why)
		return
	}
	h := &hunt{p: p, g: g, r: r}
	h.run(g.searches, g.refuted(p.job.Claim), h.goOn)
	h.end()
	if h.found != nil || p.job.Claim != Always {
		return
	}
	p.barred(g, r)
	for n := range g.rules {
		for _, f := range g.rules[n].lang.Fields {
			if fieldOf(g.tool(), f.Name) {
				p.open(g, &g.rules[n], "calls that the pattern matches may have the field "+hookio.Escape(f.Name))
			}
		}
	}
}
