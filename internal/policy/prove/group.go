package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
)

// A group is tools of which the same rules speak, in the same way: what is shown for one
// holds for all of them.
type group struct {
	tools    []string
	levels   [2]levels
	variants []variant
	rules    []governing

	patterns []automaton.Pattern
	owner    []int // of each pattern: the rule, -1 for none
	searches []search
	about    string // the program that its rules are about, see parts
}

// A governing is a rule that speaks of the tools of a group, and what it matches there.
type governing struct {
	*entry
	lang     algebra.Language
	why      string // why that could not be written down
	patterns []int
}

// groups puts the tools that are looked at into groups.
func (p *prover) groups() []*group { return p.groupsOf(p.book.toolsOf(p.job.Tool)) }

// groupsOf puts tools into groups.
func (p *prover) groupsOf(tools []string) []*group {
	var out []*group
	at := map[string]*group{}
	for _, tool := range tools {
		var of []governing
		var key strings.Builder
		for i, e := range p.book.entries {
			if e.governs(tool) {
				of = append(of, governing{entry: e})
				fmt.Fprintf(&key, "%d ", i)
			}
		}
		g := &group{tools: []string{tool}, rules: of}
		p.calibrate(g)
		fmt.Fprintf(&key, "%d %v %v", kindOf(tool), g.levels, g.variants)
		if kindOf(tool) == commands && tool == "PowerShell" || kindOf(tool) >= names {
			key.WriteString(tool)
		}
		if had := at[key.String()]; had != nil {
			had.tools = append(had.tools, tool)
			continue
		}
		at[key.String()] = g
		out = append(out, g)
	}
	return out
}

// tool is the tool that languages are asked for.
func (g *group) tool() string { return g.tools[0] }

// compile makes the search of a group.
func (p *prover) compile(g *group) {
	add := func(m *automaton.Machine, l automaton.Lists, owner int) {
		g.patterns, g.owner = append(g.patterns, automaton.Pattern{Machine: m, Lists: l}), append(g.owner, owner)
	}
	known := p.wordsKnown(g)
	for i := range g.rules {
		r := &g.rules[i]
		from := len(g.patterns)
		if r.lang, r.why = p.language(r.entry, g.tool()); known {
			r.lang.Maybe = nil
		}
		if r.why != "" {
			p.unwritten(g, r)
			continue
		}
		if r.lang.All {
			add(nil, g.sure(r), i)
		}
		for _, m := range r.lang.Sure {
			add(m, g.sure(r), i)
		}
		for _, m := range r.lang.Maybe {
			add(m, r.maybe, i)
		}
		for at := from; at < len(g.patterns); at++ {
			r.patterns = append(r.patterns, at)
		}
	}
	p.places(g, add)
	if g.searches = p.searches(g, g.patterns); known {
		g.searches = g.searches[:1]
	}
}

// sure is what a rule says of what it matches. Under bypass one that asks says nothing of a
// file or an address, and laxerAcross takes it for one that asks about commands that may touch
// these: but not where it has no pattern and so asks about none, nor where both sides have it.
func (g *group) sure(r *governing) automaton.Lists {
	const both = bitAsk | bitAsk<<sideBits
	inert := r.lang.All || r.sure&both == both
	if inert && g.levels[0].bypass && g.levels[1].bypass && kindOf(g.tool()) != commands {
		return r.sure &^ both
	}
	return r.sure
}

// wordsKnown reports whether commands with unknown words need not be looked at: where
// only grants differ, one that is answered laxer is so, too, with any text in place of
// the unknown that no rule spells.
func (p *prover) wordsKnown(g *group) bool {
	strict := func(r governing) bool { return r.loosens() && r.any().List != rules.Allow }
	grants := p.job.Claim == NoLooser || p.job.Claim == Equivalent
	return grants && kindOf(g.tool()) == commands && g.levels[0] == g.levels[1] && !slices.ContainsFunc(g.rules, strict)
}

// drop forgets what was compiled: a policy of thousands of rules would not fit.
func (g *group) drop() {
	g.patterns, g.owner, g.searches = nil, nil, nil
	for i := range g.rules {
		g.rules[i].lang, g.rules[i].patterns = algebra.Language{}, nil
	}
}

// maxPattern is how long a pattern may be: one of thousands of stars would take minutes.
const maxPattern = 1000

// language is what a rule matches among the calls of a tool, read by the side that has it.
func (p *prover) language(e *entry, tool string) (algebra.Language, string) {
	side := 0
	if e.rule[0] == nil {
		side = 1
	}
	langs, r := p.sides[side].langs, e.rule[side]
	if len(r.Pattern) > maxPattern {
		return algebra.Language{}, fmt.Sprintf("it is longer than %d characters", maxPattern)
	}
	if kindOf(tool) != toolNames {
		return langs.LanguageOf(r, tool)
	}
	switch l, some := algebra.ToolLanguage(r); {
	case !some:
		return l, ""
	case strings.ContainsAny(r.Tool, "*?"):
		return l, "it is about some calls of tools that it does not name"
	default:
		return algebra.Language{}, "" // the tool is looked at by itself
	}
}

// unwritten takes a rule into account that could not be written down: what both sides
// grant may match, what the new one alone grants or the other alone restricts stays open.
// Other restrictions are left out, which only makes the sides differ more.
func (p *prover) unwritten(g *group, r *governing) {
	if r.loosens() || p.job.Claim == Always {
		p.open(g, r, "it cannot be written as a pattern: "+r.why)
		return
	}
	if grants := of(0, r.sure) & of(1, r.sure) & grantBits; grants != 0 {
		g.either(func(v *variant) { v.extra |= grants | grants<<sideBits })
	}
}

// places adds the folders of the workspace and the temporary ones.
func (p *prover) places(g *group, add func(*automaton.Machine, automaton.Lists, int)) {
	for _, dir := range p.temporary(g) {
		add(below(dir), bitTemp, -1)
	}
	if rules.EditTool(g.tool()) {
		p.special(add)
	}
	for i, s := range p.sides {
		if !g.levels[i].places && !g.levels[i].fence {
			continue
		}
		dirs := s.policy.Dirs
		if s.sample.Facts().Strict() {
			dirs = nil // a strict subagent inherits none
		}
		add(s.langs.Inside(dirs), bitInside<<(i*sideBits), -1)
	}
}

// special adds the files that step 2 and mode auto ask about, in every spelling.
func (p *prover) special(add func(*automaton.Machine, automaton.Lists, int)) {
	files := func(pattern string, l automaton.Lists) {
		for _, m := range p.paths(pattern, rules.Deny) {
			add(m, l, -1)
		}
	}
	for _, dir := range rules.SystemDirs {
		files("/"+dir+"/**", bitSystem)
	}
	if p.sides[0].policy.OS == rules.Windows { // and of every drive
		add(nil, bitSystem, -1)
	}
	if !p.runs() {
		return
	}
	for i := range guard.Autoruns {
		for name := range strings.FieldsSeq(guard.Autoruns[i].Files) {
			files("//**/"+name, bitRun)
		}
		for name := range strings.FieldsSeq(guard.Autoruns[i].Dirs) {
			files("//**/"+name+"/**", bitRun)
		}
	}
}

// runs reports whether either side asks about files that are run.
func (p *prover) runs() bool {
	return p.sides[0].policy.Mode.Value == "auto" || p.sides[1].policy.Mode.Value == "auto"
}

// temporary are the temporary folders in which a new file is not asked about.
func (p *prover) temporary(g *group) (out []string) {
	if !g.levels[0].places && !g.levels[1].places {
		return nil
	}
	for _, dir := range [...]string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp"} {
		for _, s := range p.sides {
			if a, ok := p.told(s, stripped(s.policy), g.tool(), dir+outside); ok && a.v.Origin() != "3b" {
				out = append(out, dir)
				break
			}
		}
	}
	return out
}

// below matches all paths below a folder.
func below(dir string) *automaton.Machine {
	var b automaton.Builder
	at := b.State()
	b.Start(at)
	step := func(set automaton.Set) {
		next := b.State()
		b.Edge(at, set, next)
		at = next
	}
	for _, r := range dir + "/" {
		step(automaton.Rune(r))
	}
	step(automaton.AllBut())
	b.Accept(at)
	b.Edge(at, automaton.Set{Except: true, Marks: true}, at)
	return b.Machine()
}

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
const Assumes = "commands are read as permgate reads them, rules as they are written, no path goes through a symlink, no session grant counts, " +
	"and what is asked about whatever the rules say (step 2) or holds a rule back is the same for both policies"

// A Job says what to show, and for which calls.
type Job struct {
	Flags   *gate.Flags        // of every call: the host, the agent, the mode, the folder
	World   gate.World         // with the policy
	Policy  *rules.Policy      // that of World, or what matters of it; nil for all that World says
	Against *gate.World        // with the other policy; nil for Never and Always
	Bind    func(*hookio.Call) // says whose posture counts, where Flags do not; nil for none
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
	var now *side
	if j.Policy != nil {
		now = sideUnder(j.Policy, call, j.Flags, j.World)
	} else {
		now = sideOf(call, j.Flags, j.World)
	}
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
	if n := max(len(now.policy.Tools), len(was.policy.Tools)); n > mostTools {
		return nil, fmt.Errorf("%d files and sections have a list of tools: no more than %d are compared", n, mostTools)
	}
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

// misspelt is the tool that a name means in another case, "" if it means none or is right.
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
	others := func(tool string) bool { return !about.governs(tool) }
	for _, g := range p.groupsOf(slices.DeleteFunc(p.book.toolsOf(p.job.Tool), others)) {
		p.looked(g)
		p.compile(g)
		p.about(g, len(g.rules)-1)
		if kind := kindOf(g.tool()); p.job.Claim == Always && p.sides[0].policy.AutoRestricts() && kind <= addresses {
			p.open(g, &g.rules[len(g.rules)-1], "mode auto asks about some calls although a rule allows them")
		}
	}
	if p.job.Claim == Always {
		return nil
	}
	for _, g := range p.acrossOnly() {
		if !about.governs(g.tool()) {
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
