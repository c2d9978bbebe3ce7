package decide

import (
	"cmp"
	"slices"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/loss"
	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// Input is the call and the policy it is decided by. What needs only these is a method of Input:
// it cannot ask the disk, and knows nothing that was found out on the way.
type Input struct {
	Call     *hookio.Call
	Policy   *rules.Policy
	Script   *bashsafety.Analysis // the analysis of Call.Command; nil when there is no shell text
	Grants   Grants               // of the running session
	AsAgent  bool                 // --agent: decide as a subagent
	Headless bool                 // --headless: no one can be asked
	// Answered returns what the person said yes to in this session; nil for nothing.
	Answered func() []Yes
	// Reread analyses Call.Command again where the cds that a function names work; nil where that is not possible.
	Reread func(works func(*bashsafety.Entering) bool) *bashsafety.Analysis
}

// A scene is an Input and where it would happen. What asks the disk, and knows nothing of
// the parts of the call, is a method of it.
type scene struct {
	Input
	World *world.World
	repos *repo.Repos
	guard *guard.Guard
}

// A reading is a call in its parts, each with what rules are matched against. What the parts are, and what
// each of them does, is a method of reading; which rules match them is one of matcher.
type reading struct {
	scene
	units      []unit    // see subject.go; filled once by Decide
	crowded    bool      // the input of a tool names more files than were looked at
	mentioned  []mention // see mentions; nil until asked
	secretWord *string   // what namesSecret found; nil until asked
	lastDoer   struct {  // what doer said last
		sub  *bashsafety.Subcommand
		text string
	}
}

// A matcher compares the parts of a call with rules.
type matcher struct {
	reading
	memo    []matched
	reads   *bool       // what restrictsReads said; nil until asked
	spent   int         // of matchBudget
	overrun *rules.Rule // the first rule that was not compared any more
}

// A Case is everything Decide looks at, as New makes it. The types within it are its layers:
// Input, scene, reading, matcher. Each knows those before it, so the type of a method says what it can
// depend on.
type Case struct {
	matcher
	// Classify asks the operator's classifier of mode auto about an ask; nil on the default path, and
	// in every dry run.
	Classify func(*Case, Verdict) say.Judgement
	// Approve asks the operator's approver about an ask that reaches no person; nil on the default
	// path, and in every dry run.
	Approve func(*Case, Verdict) say.Approval
	// Denied is told of a denial of step 1 as soon as it is found, so that the
	// deadline need not ask about what is denied anyway; nil tells no one.
	Denied func(Verdict)

	waivers  []waiver
	yes      []Yes // what Answered returned, once askedYes is set
	askedYes bool
	usedYes  []Yes // those that took a question back
	tried    bool  // a hint that is tried out
	// settledCds is set where Script takes the cds to work that will.
	settledCds bool
}

// New is the case of a call. Where w is nil it is made from the policy alone, without a disk to ask.
func New(in Input, w *world.World) *Case {
	return &Case{matcher: matcher{reading: reading{scene: scene{Input: in, World: w}}}}
}

// Grants are what the user granted for the running session.
type Grants struct {
	AllEdits bool // the three edit tools
	AllBash  bool
	All      bool         // every call but a question to the user
	Rules    []rules.Rule // allow rules of scope Session
	Timed    []Timed      // those of Rules that end before the rest
	Due      bool         // the state has to note this call before a rule of Timed counts
	Until    string       // when they end, as reasons name it
	File     string       // where they are kept
}

// A Timed says when one rule of a session's grants ends.
type Timed struct {
	Rule  string // its text, which no other rule of the session has
	Until string // as reasons name it
	Once  bool   // the call that it allows uses it up
	ID    string // where it is kept
}

func (g *Grants) until() string {
	if g.Until == "" {
		return ""
	}
	return ", until " + g.Until
}

// End says when a rule ends, as a reason goes on.
func (g *Grants) End(rule string) string {
	for _, t := range g.Timed {
		if t.Rule == rule {
			return t.End()
		}
	}
	return g.until()
}

// End says when it ends, as a reason goes on.
func (t *Timed) End() string {
	if t.Once {
		return ", once, until " + t.Until
	}
	return ", until " + t.Until
}

// ends reports whether a rule ends before the session does.
func (g *Grants) ends(r *rules.Rule) bool {
	return r != nil && slices.ContainsFunc(g.Timed, func(t Timed) bool { return r.Scope == rules.Session && t.Rule == r.Text })
}

// Without is what is granted without some timed rules.
func (g Grants) Without(some func(t Timed) bool) Grants {
	gone := func(r rules.Rule) bool {
		return slices.ContainsFunc(g.Timed, func(t Timed) bool { return t.Rule == r.Text && some(t) })
	}
	g.Rules = slices.DeleteFunc(slices.Clone(g.Rules), gone)
	g.Timed = slices.DeleteFunc(slices.Clone(g.Timed), some)
	return g
}

// seedWords are seed 0's for what a check finds.
func seedWords(c *bashsafety.Check) string {
	if c.Severity >= bashsafety.Destructive {
		return "destructive command"
	}
	return "suspicious command"
}

// named quotes a unit in a reason: file operands with what is done to them.
func (u *unit) named() string {
	u.quoted()
	if u.effect == nil {
		return u.quote
	}
	switch u.effect.Kind {
	case bashsafety.Write, bashsafety.Delete:
		return "writing " + u.quote
	case bashsafety.Network:
		return "fetching " + u.quote
	}
	return "reading " + u.quote
}

// quoted is the unit as reasons quote it.
func (u *unit) quoted() string {
	if u.quote == "" { // several steps may ask
		u.quote = say.Quoted(u.text)
	}
	return u.quote
}

// doer begins a sentence about what a part does: with its command, if it has one.
func (c *reading) doer(u *unit) string {
	if u.sub == nil {
		return "the call "
	}
	if c.lastDoer.sub != u.sub { // a command may have thousands of parts
		c.lastDoer.sub, c.lastDoer.text = u.sub, cmp.Or(u.of(), "the call ")
	}
	return c.lastDoer.text
}

// Tried reports whether the call is a hint that is tried out: what is said about it is told to no one.
func (c *Case) Tried() bool { return c.tried }

// NeedsUser reports whether a tool is itself a question to the user, which no rule answers for them.
func NeedsUser(tool string) bool {
	return tool == "AskUserQuestion" || tool == "ExitPlanMode"
}

// findings asks about what the checks found in a shell text.
func findings(c *Case) (all []verdict.Question) {
	for i := 0; c.Script != nil && i < len(c.Script.Findings); i++ {
		f := &c.Script.Findings[i]
		why := func() verdict.Reason { return c.found(f) }
		if grave := gravity(f.Check); grave == verdict.Catastrophic {
			all = append(all, verdict.MustLater(grave, why))
		} else {
			all = append(all, verdict.Ask(grave, finding{f}, why))
		}
	}
	return all
}

// gravity is how grave the question about a finding is.
func gravity(check *bashsafety.Check) verdict.Gravity {
	switch {
	case check.Severity == bashsafety.Catastrophic:
		return verdict.Catastrophic
	case check.Severity == bashsafety.Destructive:
		return verdict.Lost
	case check.ID == "secret-to-network":
		return verdict.Sent
	case check.ID == "agent-unchecked":
		return verdict.Unchecked
	case check.ID == bashsafety.EscapedOption:
		return verdict.Doubtful
	}
	return verdict.Control
}

// firstFinding returns the first finding of a severity, nil for none.
func (in *Input) firstFinding(s bashsafety.Severity) *bashsafety.Finding {
	for i := 0; in.Script != nil && i < len(in.Script.Findings); i++ {
		if f := &in.Script.Findings[i]; f.Check.Severity == s {
			return f
		}
	}
	return nil
}

// found is what step 2 says about a finding.
func (c *Case) found(f *bashsafety.Finding) verdict.Reason {
	r := verdict.Reason{Check: f.Check, Text: "the command ", Mark: f.Check.ID + verdict.EveryMode}
	title, why := f.Check.Title, cmp.Or(c.whyNotWaived(f), f.Check.Why)
	var l *loss.Loss
	if f.Sub >= 0 && f.Sub < len(c.Script.Subcommands) {
		sub := &c.Script.Subcommands[f.Sub]
		r.Part, r.Of = Spell(sub.Argv), sub
		r.Text = say.Quoted(written(c.Script, sub)) + origin(sub) + " "
		l = loss.Of(c.Script, f.Sub, c.World, c.repos)
		if f.Check.Trees {
			r.Loss = l
			title, why = c.removal(f, l)
		}
	}
	if r.Text += title; why != "" {
		r.Text += "; " + why
	}
	if hint := c.hint(f, l); hint != "" {
		r.Hint = "Try " + hint
	}
	if f.Check.Severity == bashsafety.Catastrophic {
		r.Mark += "; bypass-immune: " + seedWords(f.Check)
	}
	return r
}

// removal says what a recursive removal takes, and why that matters.
func (c *Case) removal(f *bashsafety.Finding, l *loss.Loss) (title, why string) {
	target := c.World.OS.Native(c.target(&c.Script.Subcommands[f.Sub]))
	switch {
	case l != nil && l.Gone():
		return "deletes " + l.What(target), l.WhyGone()
	case l != nil && (l.Files > 0 || !l.AtLeast): // something of it was seen
		return "deletes " + l.What(target), c.whyNotWaived(f)
	case target != "":
		title = "deletes " + target + " and everything in it"
	default:
		title = f.Check.Title
	}
	return title, cmp.Or(c.whyNotWaived(f), f.Check.Why)
}

// addFinding adds the worst finding to a denial, so that the agent learns at
// once what else is wrong.
func (c *Case) addFinding(r *verdict.Reason) {
	if r.Check != nil {
		return
	}
	if f := c.worst(); f != nil {
		r.Check = f.Check
		r.Text += "; the command also " + f.Check.Title + " (" + f.Check.ID + ": " + seedWords(f.Check) + ")"
	}
}

// worst returns the first finding of the highest severity there is that no lift takes back.
func (c *Case) worst() *bashsafety.Finding {
	worst := c.firstFinding(bashsafety.Catastrophic) // no lift sees it
	for _, q := range c.standing(findings).All() {
		if f, ok := verdict.Evidence[finding](q); ok && (worst == nil || f.Check.Severity > worst.Check.Severity) {
			worst = f.Finding
		}
	}
	return worst
}

// A Part is one part of a call that rules are matched against: a subcommand, a
// file or URL it touches, a path of a tool, or the call as a whole.
type Part struct {
	Label      string                 // how reasons name it: "git push", "write a.txt"
	Sub        *bashsafety.Subcommand // the subcommand it belongs to; nil outside shell texts
	Effect     *bashsafety.Effect     // nil for the subcommand itself and outside shell texts
	NeedsAllow bool                   // an allow has to cover it; deny and ask look at every part
	Subject    *rules.Subject         // what rules are matched against
	Hits       []rules.Hit            // every rule that matches it, strictest list first
}

// Parts lists the parts of a call with the rules that match them. It decides
// nothing: it is what explain shows with the verdict.
func Parts(c *Case) []Part {
	c.prepare()
	p := c.Policy
	lists := [][]rules.Rule{p.Deny, nil, p.Ask, c.Grants.Rules, p.Allow, nil}
	if a := p.Agent; a != nil {
		lists[1], lists[5] = a.Deny, a.Allow
	}
	parts := make([]Part, 0, c.Count())
	for u := range c.Units() {
		part := u.part()
		for _, list := range lists {
			part.Hits = append(part.Hits, p.Match(list, &u.subject)...)
		}
		parts = append(parts, part)
	}
	return parts
}

// Under is the same call under another policy, ready to be decided: what a rule
// would change is found out by adding it and asking again. No program of the
// operator's is run for that.
func (c *Case) Under(p *rules.Policy) *Case {
	c.settle()
	in := c.Input
	in.Policy = p
	tried := New(in, c.World.Again(p))
	tried.Approve = func(*Case, Verdict) say.Approval { return say.Approval{} } // no one is asked about what is only tried
	return tried
}

// Missing lists the parts of the call that need an allow and have none in a
// list of allow rules: one list has to cover them all.
func Missing(c *Case, list []rules.Rule) []Part {
	c.prepare()
	var out []Part
	for u := range c.Units() {
		if !u.needsAllow {
			continue
		}
		if _, ok := c.allows(list, u); !ok {
			out = append(out, u.part())
		}
	}
	return out
}

// Outside lists the writes that step 3b asks about.
func Outside(c *Case) (out []Part) {
	c.prepare()
	for _, q := range c.allStanding(placeQuestions) {
		if w, ok := verdict.Evidence[outsideWrite](q); ok {
			out = append(out, w.part())
		} else if r, ok := verdict.Evidence[outsideRead](q); ok {
			out = append(out, r.part())
		}
	}
	return out
}

// part is the unit as others see it, without the rules that match it.
func (u *unit) part() Part {
	return Part{Label: u.label(), Sub: u.sub, Effect: u.effect, NeedsAllow: u.needsAllow, Subject: &u.subject}
}
