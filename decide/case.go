package decide

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
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
	units     []unit    // see subject.go; filled once by Decide
	crowded   bool      // the input of a tool names more files than were looked at
	mentioned []mention // see mentions.go; nil until asked
	spelled   *string   // what spellsSecret said; nil until asked
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
	Classify func(*Case, Verdict) Judgement
	// Approve asks the operator's approver about an ask that reaches no person; nil on the default
	// path, and in every dry run.
	Approve func(*Case, Verdict) Approval
	// Denied is told of a denial of step 1 as soon as it is found, so that the
	// deadline need not ask about what is denied anyway; nil tells no one.
	Denied func(Verdict)

	waivers  []waiver
	yes      []Yes // what Answered returned, once askedYes is set
	askedYes bool
	said     []Yes // those that took a question back
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

// A Verdict is a decision and where it came from.
type Verdict struct {
	Decision hookio.Decision
	Step     string            // number of the step that decided, see Steps
	Reason   string            // one sentence for the agent and the user
	Rule     *rules.Rule       // the rule that decided, if one did
	Check    *bashsafety.Check // the check that decided, if one did
	Part     string            // the subcommand or path that decided
	Managed  bool              // a deny of step 1 that managed settings gave
	Origin   string            // step of the answer that a later step tightened; else equal to Step
	ReadOnly bool              // an allow of step 7 by readOnlyCommands, the user's own switch
	Faulted  bool              // step 0 made an ask of an allow
	Coerced  bool              // step 8 made a deny of an ask
	Judged   *Judgement        // mode auto had an opinion; nil in every other mode
	Cause    say.Code          // what Code says, where the step alone does not say it
	Approval *Approval         // of step 8b; nil where the approver was not asked
	// Questions are those of an ask that a yes to is remembered; none where it is not.
	Questions []Question
	Loss      *loss.Loss // what a removal that step 2 asks about would take; nil where that is not known
	Trace     Trace

	grant  *grant // of an allow
	mark   string // the end of Reason: that permgate says so, and which check, rule or mode has it
	wayOut string // what a person can do about a denial, after all else in Reason but the mark
}

// An Entry is what one step said.
type Entry struct {
	Step     *Step
	Decision hookio.Decision // Pass: the step had no opinion; Reason then says why, where that helps
	Reason   string
}

// A Trace is what the steps said, in order, up to the one that answered.
type Trace []Entry

// A mark is these around what has the call asked or denied. A host's dialog shows the reason alone,
// so the mark is also what says whose it is.
const (
	markOpens  = " [permgate "
	markCloses = "]"
)

// marked ends a verdict's reason with a mark in brackets. What is added later
// goes before it.
func (v Verdict) marked(mark string) Verdict {
	v.mark = markOpens + mark + markCloses
	v.Reason += v.mark
	return v
}

// signed marks the reason of an ask or a deny that has no mark with its step.
func (v Verdict) signed() Verdict {
	if v.mark != "" || v.Decision == hookio.Allow {
		return v
	}
	return v.marked("step " + v.Step)
}

// saying adds words to the sentence, before the mark.
func (v Verdict) saying(words string) Verdict {
	v.Reason = v.sentence() + words + v.mark
	return v
}

// sentence is the reason without its mark.
func (v Verdict) sentence() string { return strings.TrimSuffix(v.Reason, v.mark) }

// id is what the mark of a reason begins with.
func (v Verdict) id() string {
	id, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(v.mark, markOpens), markCloses), ":")
	return id
}

// as sets the code of a verdict, where the step alone does not say it.
func (v Verdict) as(code say.Code) Verdict {
	v.Cause = code
	return v
}

// Code is the code of a verdict.
func (v Verdict) Code() say.Code {
	switch {
	case v.Cause != "":
		return v.Cause
	case v.Step == "2" && v.Check != nil:
		return say.OfSeverity(v.Check.Severity)
	}
	switch v.Step {
	case "0":
		return say.CodeSettingsFault
	case "1":
		return say.CodeDeniedByRule
	case "2":
		return say.CodeSuspicious
	case "3":
		return say.CodeBypass
	case "3b":
		return say.CodeOutsideWorkspace
	case "4":
		return say.CodeSessionGrant
	case "5":
		return say.CodeAskedByRule
	case "6":
		return say.CodeAllowedByRule
	case "7":
		return say.CodeModeDefault
	case "8":
		return say.CodeNobodyToAsk
	}
	return say.CodeUndecided
}

// everyMode is what a mark of step 2 says after its id.
const everyMode = ": asks in every mode"

// hidesOption reports whether what another check found has an option after a backslash.
func (in *Input) hidesOption(f *bashsafety.Finding) bool {
	return f.Check.ID != bashsafety.EscapedOption && slices.ContainsFunc(in.Script.Findings, func(o bashsafety.Finding) bool {
		return o.Sub == f.Sub && o.Check.ID == bashsafety.EscapedOption
	})
}

// seedWords are seed 0's for what a check finds.
func seedWords(c *bashsafety.Check) string {
	if c.Severity >= bashsafety.Destructive {
		return "bypass-immune: destructive command"
	}
	return "bypass-immune: suspicious command"
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

// doer begins a sentence about what a unit does: with its command, if it has one.
func (u *unit) doer() string {
	if of := u.of(); of != "" {
		return of
	}
	return "the call "
}

// The verdicts of mode auto, as a classifier gives them.
const (
	AutoAllow    = "allow"
	AutoSoftDeny = "soft_deny" // ask
	AutoHardDeny = "hard_deny" // deny
)

// The sources of a Judgement.
const (
	ByList     = "list"     // a rule or built-in entry of autoMode
	ByAnalysis = "local"    // the shell analysis
	ByOperator = "operator" // the operator's classifier
	ByCache    = "cache"    // what the operator's classifier said before
)

// A Judgement is what mode auto made of a call, for the log.
type Judgement struct {
	Verdict string        // AutoAllow, AutoSoftDeny, AutoHardDeny
	Source  string        // one of those above
	ID      string        // of the built-in entry, "" for everything else
	Took    time.Duration // how long the operator's classifier was waited for
	// Reason is what the operator's classifier says, or why it gave no verdict that
	// counts: Verdict is "" then. One line without secrets.
	Reason string
	// Tired is set for a hard denial after so many in a row that the user is asked
	// instead: the classifier may be wrong, and the agent stuck.
	Tired bool
}

// An Approval is what the approver said. The zero value is no opinion:
// the call stays as denied as it was.
type Approval struct {
	Decision   hookio.Decision // Allow or Deny; Pass where no one was asked
	Answer     string          // one of those above; "" where what came back is none
	Reason     string          // a sentence: who said what, and what was saved or not
	Unexpected bool            // a Deny because no answer came that counts
	Failed     string          // why nothing was saved though the answer says so
	Took       time.Duration   // how long the answer was waited for
}

// The answers of an approver. Those after once also say what to save, so that the
// next call of the kind is not asked about.
const (
	AnswerDeny        = "deny"
	AnswerOnce        = "once"
	AnswerSession     = "session"      // this very call, until the session ends
	AnswerSessionTool = "session-tool" // the tool, until the session ends
	AnswerAlways      = "always"       // the rules permgate allow would write
	AnswerAlwaysURL   = "always-url"   // the same, of a URL
)

func (a *Approval) code() say.Code {
	switch {
	case a.Unexpected:
		return say.CodeUnexpectedCallback
	case a.Decision == hookio.Allow:
		return say.CodeUserApproved
	}
	return say.CodeUserDenied
}

// OnlyOnce reports whether a yes to a verdict may lift nothing but this one call:
// what asks whatever is granted cannot be granted.
func (v Verdict) OnlyOnce() bool {
	return v.Faulted || v.Origin == "0" || v.Origin == "2" || v.Origin == "3b"
}

// NeedsUser reports whether a tool is itself a question to the user, which no rule answers for them.
func NeedsUser(tool string) bool {
	return tool == "AskUserQuestion" || tool == "ExitPlanMode"
}

// Noting adds a sentence to the reason of an answer, before the mark.
func (v Verdict) Noting(a hookio.Answer, sentence string) hookio.Answer {
	return v.adding(a, ". "+sentence)
}

// adding adds words to the reason of an answer, before the verdict's mark.
func (v Verdict) adding(a hookio.Answer, words string) hookio.Answer {
	mark := ""
	if body, ok := strings.CutSuffix(a.Reason, v.mark); ok {
		a.Reason, mark = body, v.mark
	}
	a.Reason += words + mark
	return a
}

// immune is an ask of step 2 about a part of the call.
func immune(id, part, sentence string) Verdict {
	return Verdict{Decision: hookio.Ask, Part: part, Reason: sentence, Cause: say.OfAsk(id)}.marked(id + everyMode)
}

// found turns a finding into step 2's ask.
func (c *Case) found(f *bashsafety.Finding) Verdict {
	v := Verdict{Decision: hookio.Ask, Check: f.Check, Reason: "the command "}
	title, why := f.Check.Title, cmp.Or(c.whyNotWaived(f), f.Check.Why)
	var l *loss.Loss
	if f.Sub >= 0 && f.Sub < len(c.Script.Subcommands) {
		sub := &c.Script.Subcommands[f.Sub]
		v.Part = Spell(sub.Argv)
		v.Reason = say.Quoted(written(c.Script, sub)) + origin(sub) + " "
		l = loss.Of(c.Script, f.Sub, c.World, c.repos)
		if f.Check.Trees {
			v.Loss = l
			title, why = c.removal(f, l)
		}
	}
	v.Reason += title
	if why != "" {
		v.Reason += "; " + why
	}
	if c.hidesOption(f) {
		v.Reason += "; a backslash hides an option of it"
	}
	if hint := c.hint(f, l); hint != "" {
		v.Reason += ". Try " + hint
	}
	mark := f.Check.ID + everyMode
	if f.Check.Severity == bashsafety.Catastrophic {
		mark += "; " + seedWords(f.Check)
	}
	return v.marked(mark)
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

// withFinding adds the worst finding to a denial, so that the agent learns at
// once what else is wrong.
func (c *Case) withFinding(v Verdict) Verdict {
	if f := c.worst(); f != nil {
		v.Check = f.Check
		return v.saying("; it also " + f.Check.Title + " (" + f.Check.ID + ": " +
			strings.TrimPrefix(seedWords(f.Check), "bypass-immune: ") + ")")
	}
	return v
}

// A Part is one part of a call that rules are matched against: a subcommand, a
// file or URL it touches, a path of a tool, or the call as a whole.
type Part struct {
	Label      string                 // how reasons name it: "git push", "write out.txt"
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
	parts := make([]Part, len(c.units))
	for i := range c.units {
		u := &c.units[i]
		parts[i] = u.part()
		for _, list := range lists {
			parts[i].Hits = append(parts[i].Hits, p.Match(list, &u.subject)...)
		}
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
	tried.Approve = func(*Case, Verdict) Approval { return Approval{} } // no one is asked about what is only tried
	return tried
}

// Missing lists the parts of the call that need an allow and have none in a
// list of allow rules: one list has to cover them all.
func Missing(c *Case, list []rules.Rule) []Part {
	c.prepare()
	var out []Part
	for i := range c.units {
		if !c.units[i].needsAllow {
			continue
		}
		if _, ok := c.allows(list, i); !ok {
			out = append(out, c.units[i].part())
		}
	}
	return out
}

// Outside lists the writes that step 3b asks about.
func Outside(c *Case) []Part {
	c.prepare()
	var out []Part
	for i := range c.units {
		if u := &c.units[i]; c.outside(u) && !c.takesBack(askWrite, question{unit: u}) {
			out = append(out, u.part())
		}
	}
	return out
}

// part is the unit as others see it, without the rules that match it.
func (u *unit) part() Part {
	return Part{Label: u.label(), Sub: u.sub, Effect: u.effect, NeedsAllow: u.needsAllow, Subject: &u.subject}
}
