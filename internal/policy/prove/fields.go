package prove

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// fields looks for calls that a rule on a field of the input, Tool(param:value), has
// answered laxer. Such a rule restricts whatever the tool is called on, so that calls
// which are allowed otherwise are tried with that field.
func (p *prover) fields(g *group, r *governing) {
	h := &hunt{p: p, g: g, r: r, bare: true, complete: true}
	for i := range r.lang.Fields {
		name := r.lang.Fields[i].Name
		if !fieldOf(g.tool(), name) {
			continue
		}
		value, was := p.value(g, r, i)
		if was == allow {
			continue
		}
		laxest := deny
		for _, text := range p.calls(g) {
			t := trialOf(g.tool(), text, field{name, value})
			if h.tryCall(t, true) {
				p.report.Findings = append(p.report.Findings, *h.found)
				return
			}
			if a, ok := p.told(p.sides[0], p.sides[0].policy, g.tool(), text); ok {
				laxest = min(laxest, a.told)
			}
		}
		if laxest < was && h.why != "" {
			p.open(g, r, h.why)
		}
	}
}

// fieldOf reports whether calls of a tool may have a field. Those of commands are known:
// Bash(git:*) is about git, and no field.
func fieldOf(tool, name string) bool {
	if kindOf(tool) != commands {
		return true
	}
	return slices.Contains([]string{"description", "timeout", "run_in_background", "dangerouslyDisableSandbox"}, name)
}

// value is the shortest value of a field that the rules of the other side are stricter
// about, and what these say of it; allow for none. Never is about values that no rule restricts.
func (p *prover) value(g *group, r *governing, field int) (string, int) {
	own := &r.lang.Fields[field]
	s := &automaton.Search{Universe: unmarked{p.sides[0].langs.Universe("Skill")}, Budget: p.budget()}
	for i := range g.rules {
		for _, f := range g.rules[i].lang.Fields {
			if f.Name == own.Name {
				s.Patterns = append(s.Patterns, automaton.Pattern{Machine: f.Value, Lists: g.rules[i].sure})
			}
		}
	}
	only := slices.IndexFunc(s.Patterns, func(q automaton.Pattern) bool { return q.Machine == own.Value })
	answers := func(l automaton.Lists) (now, was int) {
		v := variant{}
		a, done := g.levels[0].strict(of(0, l)|bitInside|toolBits, l|g.levels[0].require, 0, &v)
		b, had := g.levels[1].strict(of(1, l)|bitInside|toolBits, l|g.levels[1].require, 1, &v)
		if !done && of(0, l)&bitAsk != 0 {
			a = g.levels[0].ask
		}
		if p.job.Claim == Never {
			return a, silence
		}
		if !had && of(1, l)&bitAsk != 0 {
			b = g.levels[1].ask
		}
		return a, b
	}
	s.Wanted = func(l automaton.Lists) bool {
		now, was := answers(l)
		return now < was
	}
	out, strictest := "", allow
	complete := s.Prepare().RunFor([]int{only}, func(f automaton.Found) bool {
		out = written(f.Text)
		_, strictest = answers(f.Lists)
		return false
	})
	if !complete {
		p.open(g, r, tooMany())
	}
	return out, strictest
}

// calls are texts of calls of a group that may be allowed.
func (p *prover) calls(g *group) []string {
	out := samples(g.tool(), p.sides[0].policy.Cwd.Given)
	for i := range g.rules {
		r := &g.rules[i]
		if of(0, r.sure)&bitAllow == 0 || len(r.patterns) == 0 || len(out) > maxTries/2 {
			continue
		}
		p.first(g, r, func(text string) { out = append(out, text) })
	}
	return out
}

// first hands on the shortest text that an allow rule allows.
func (p *prover) first(g *group, r *governing, take func(string)) {
	wanted := func(l automaton.Lists) bool { return g.levels[0].rank(l, 0, &variant{base: [2]int{deny, deny}}) < ask }
	g.searches[0]().With(wanted).RunFor(r.patterns, func(f automaton.Found) bool {
		take(written(f.Text))
		return false
	})
}

// What the lists of one side say about a text, one bit each. Those of the other policy
// are shifted by otherSide.
const (
	bitManaged   automaton.Lists = 1 << iota // a managed deny rule matches
	bitDeny                                  // any deny rule
	bitMaybeDeny                             // a deny rule may match
	bitMaybeAsk                              // an ask rule may match
	bitImmune                                // a managed ask rule matches
	bitAsk                                   // any ask rule
	bitAllow                                 // an allow rule
	bitOpens                                 // one that lets a call leave the workspace
	bitListed                                // an entry of urls.allow
	bitAuto                                  // an entry of autoMode.allow
	bitInside                                // the path is in the workspace
	bitTools                                 // the first of the lists of tools, of which there are mostTools
)

const (
	mostTools = 8
	toolBits  = (1<<mostTools - 1) * bitTools
	sideBits  = 11 + mostTools
	sideMask  = 1<<sideBits - 1
	grantBits = bitAllow | bitOpens | bitListed | bitAuto | bitInside | toolBits
)

// What both sides share: how far lists of allowed tools cover the text, whether it is
// in a temporary folder, what may match on both, and that the rule looked at matches or
// may match it.
const (
	bitAgentTools automaton.Lists = 1 << (2*sideBits + iota)
	bitAgentAllow
	bitSkillAllow
	bitTemp
	bitMaybeBoth // an ask rule that both sides have may match
	bitOwn
	bitOwnMaybe
	bitAsked       // step 2 asks about the path, see withAsked
	bitAskedUnless // it does where bitExempt is not set
	bitSystem      // the path may be one of the system
	bitRun         // it may be a file that is run, which mode auto asks about
)

// bitExempt is of paths, which no entry of urls.allow names.
const bitExempt = bitListed | bitListed<<sideBits

// An entry is one rule, as often as it is written.
type entry struct {
	rule        [2]*rules.Rule  // the first one of each side; nil for none
	sure, maybe automaton.Lists // what is said where it matches, and where it may
}

// A spelling is what tells rules apart.
type spelling struct {
	tool, pattern, written, url string
	bare, claude, home          bool
	list                        rules.List
	scope                       rules.Scope // where it makes a difference, see namesOne
}

func spellingOf(r *rules.Rule) spelling {
	s := spelling{tool: r.Tool, pattern: r.Pattern, written: r.Written, bare: r.Bare, claude: r.Claude, list: r.List}
	if namesOne(r) {
		s.scope = r.Scope
	}
	if r.URL != nil {
		s.url = r.Text
	}
	// the only pattern whose meaning depends on the scope, see rules.Policy.specs
	s.home = r.Claude && r.Scope == rules.User && strings.HasPrefix(r.Pattern, "/")
	return s
}

// A book is the rules of both sides.
type book struct {
	entries []*entry
	at      map[spelling]*entry
}

func (b *book) add(side int, list []rules.Rule, sure, maybe automaton.Lists) {
	for i := range list {
		r := &list[i]
		s, m := sure, maybe
		if r.Scope == rules.Managed {
			switch {
			case sure&bitDeny != 0:
				s |= bitManaged
			case sure&bitAsk != 0:
				s |= bitImmune
			}
		}
		if sure == bitAllow && r.NamesOutside() {
			s |= bitOpens
		}
		if s < bitAgentTools {
			s, m = s<<(side*sideBits), m<<(side*sideBits)
		}
		b.put(side, r, s, m)
	}
}

func (b *book) put(side int, r *rules.Rule, sure, maybe automaton.Lists) {
	key := spellingOf(r)
	e := b.at[key]
	if e == nil {
		e = &entry{}
		b.at[key] = e
		b.entries = append(b.entries, e)
	}
	if e.rule[side] == nil {
		e.rule[side] = r
	}
	e.sure |= sure
	e.maybe |= maybe
}

// read adds all rules of a side.
func (b *book) read(at int, s *side) {
	p := s.policy
	b.add(at, p.Deny, bitDeny, bitMaybeDeny)
	b.add(at, p.Posture.ContentExclusion, bitDeny, bitMaybeDeny)
	b.add(at, p.Posture.URLs, bitDeny, bitMaybeDeny)
	b.add(at, p.Ask, bitAsk, bitMaybeAsk)
	if p.AutoRestricts() {
		b.add(at, p.Auto.HardDeny, bitDeny, bitMaybeDeny)
		b.add(at, p.Auto.SoftDeny, bitAsk, bitMaybeAsk)
	}
	for _, list := range s.sample.Facts().GrantLists() {
		b.add(at, list, bitAllow, 0)
	}
	b.add(at, p.Posture.URLAllow, bitListed, 0)
	b.add(at, p.Auto.Allow, bitAuto, 0)
	for i := range p.Tools {
		b.add(at, p.Tools[i].Rules, bitTools<<i, 0)
	}
	if a := p.Agent; a != nil {
		b.add(at, a.Deny, bitDeny, bitMaybeDeny)
		b.add(at, a.Tools, bitAgentTools, 0)
		b.add(at, a.Allow, bitAgentAllow, 0)
	}
	if a := p.Skill; a != nil {
		b.add(at, a.Deny, bitDeny, bitMaybeDeny)
		b.add(at, a.Allow, bitSkillAllow, 0)
	}
}

// of is what lists say of one side, the new one for 0.
func of(side int, l automaton.Lists) automaton.Lists { return l >> (side * sideBits) & sideMask }

// loosens reports whether a rule is one that may make the new side laxer than the other:
// one that only it grants, or that only the other restricts.
func (e *entry) loosens() bool {
	now, was := of(0, e.sure|e.maybe), of(1, e.sure|e.maybe)
	return now&^was&grantBits != 0 || was&^now&^grantBits != 0
}

// common is what a rule says where both sides have it, of some bits.
func common(l automaton.Lists) automaton.Lists {
	both := of(0, l) & of(1, l)
	return l&^(1<<(2*sideBits)-1) | both | both<<sideBits
}

// share gives the ask rules that both sides have one bit for what they may match: it
// counts for both or for none.
func (b *book) share() {
	const both = bitMaybeAsk | bitMaybeAsk<<sideBits
	for _, e := range b.entries {
		if e.maybe&both == both {
			e.maybe = e.maybe&^both | bitMaybeBoth
		}
	}
}

// A key is a setting that decides about calls.
type key struct {
	name string
	at   func(*rules.Policy) *rules.Setting
	// values are those it has, from the loosest to the tightest; nil where any change
	// may be laxer
	values    []string
	otherwise string // what holds where no file says anything
	// searched is set where what is told of calls without it and with it is part of
	// every search, so that nothing is left to be said where no call was found.
	searched bool
	set      bool     // it has no value of its own: that it is there counts
	tools    []string // with the texts of calls that it is about
	texts    []string
}

// settingsKeys are the keys of both kinds of settings files that decide about calls.
func settingsKeys() []key {
	onOff := []string{"false", "true"}
	list := []key{
		{name: "defaultMode", at: func(p *rules.Policy) *rules.Setting { return &p.Mode }, searched: true},
		{name: "denyInsteadOfPrompting", at: func(p *rules.Policy) *rules.Setting { return &p.NoPrompts }, values: onOff,
			otherwise: "false", searched: true},
		{name: "blockReadsOutsideWorkingDirectories", at: func(p *rules.Policy) *rules.Setting { return &p.FenceRead },
			values: onOff, otherwise: "false", tools: []string{"Read", "Bash"}, texts: []string{outside, "cat " + outside}},
		{name: "blockWritesOutsideWorkingDirectories", at: func(p *rules.Policy) *rules.Setting { return &p.FenceWrite },
			values: onOff, otherwise: "false", tools: []string{"Edit", "Bash"}, texts: []string{outside, "touch " + outside}},
		{name: "urls.allow", at: func(p *rules.Policy) *rules.Setting { return &p.Posture.URLsSet }, values: onOff,
			otherwise: "false", set: true, searched: true},
	}
	for i := range load.PostureKeys {
		k := &load.PostureKeys[i]
		if unheard(k.Name) || (&rules.Posture{}).Setting(k.Name) == nil {
			continue
		}
		values := k.Values
		if k.Kind == load.PostureSwitch {
			values = onOff
		}
		own := key{name: k.Name, at: func(p *rules.Policy) *rules.Setting { return p.Posture.Setting(k.Name) },
			values: values, otherwise: k.Default}
		own.witnesses()
		list = append(list, own)
	}
	return list
}

// unheard reports whether no decision depends on a key: what it does about grants is
// done when settings are loaded, or once a call was decided.
func unheard(name string) bool {
	return slices.Contains([]string{
		"audit", "alwaysAllow", "projectTrust", "disableSessionGrants", "autoDenials", "rememberYes",
	}, name)
}

// witnesses fills in calls that a key of permgate.json is about.
func (k *key) witnesses() {
	shell := func(texts ...string) {
		for range texts {
			k.tools = append(k.tools, "Bash")
		}
		k.texts = append(k.texts, texts...)
	}
	switch k.name {
	case "onUnmatched", "readOnlyCommands", "enforce", "subagents":
		k.searched = true
	case "catastrophic":
		shell("rm -rf /")
	case "destructive":
		shell("rm -r /tmp/xyzzy", "rm -rf node_modules", "rm -rf build")
	case "secrets":
		shell("cat ~/.ssh/id_rsa", "cat ~/.aws/credentials")
		k.tools, k.texts = append(k.tools, "Read"), append(k.texts, "~/.ssh/id_rsa")
	case "outsideReads":
		shell("cat " + outside)
		k.tools, k.texts = append(k.tools, "Read"), append(k.texts, outside)
	case "autoProjectCode":
		shell("make", "go test ./...", "npm test")
	case "expandScripts":
		shell("make", "npm run build", "npm test", "just", "task")
	}
}

func (k *key) value(p *rules.Policy) string {
	s := k.at(p)
	if k.set && s.Pos.File != "" {
		return "true"
	}
	return cmp.Or(s.Value, k.otherwise)
}

// laxer reports whether the first of two policies may be laxer by the key.
func (k *key) laxer(now, was *rules.Policy) bool {
	a, b := k.value(now), k.value(was)
	if k.values == nil {
		return a != b
	}
	return slices.Index(k.values, a) < slices.Index(k.values, b)
}
