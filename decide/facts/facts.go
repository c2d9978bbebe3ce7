// Package facts is what is known of one call before anybody judges it: its parts, what each of them does, where that
// would happen, and which rules match it. Facts are made once and not changed. What is worked out only when somebody
// asks is kept inside: a cache, and the budget of comparing rules, whose end makes step 2 ask.
package facts

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// An Input is a call and the policy it is decided by.
type Input struct {
	Call     *hookio.Call
	Policy   *rules.Policy
	World    *world.World         // nil: made from the policy alone, without a disk to ask
	Script   *bashsafety.Analysis // the analysis of Call.Command; nil when there is no shell text
	Grants   Grants               // of the running session
	AsAgent  bool                 // --agent: decide as a subagent
	Headless bool                 // --headless: no one can be asked
	// Answered returns what the person said yes to in this session; nil for nothing.
	Answered func() []Yes
	// Repositories returns the roots of those that the user recorded as their own, with repo.Repos.Stamp of then; nil
	// for none.
	Repositories func() map[string]string
	// Reread analyses Call.Command again where the cds that a function names work; nil where that is not possible.
	Reread func(works func(*bashsafety.Entering) bool) *bashsafety.Analysis
}

// Under is the same call under another policy.
func (in Input) Under(p *rules.Policy) Input {
	if in.World != nil {
		in.World = in.World.Again(p)
	}
	in.Policy = p
	return in
}

// Facts are what New found out about a call, and what can still be found out. They have no exported field, and what
// they point to is not for their readers to change (TestFactsStay).
type Facts struct{ *matcher }

// A scene is an Input and where it would happen. What asks the disk, and knows nothing of the parts of the call, is a
// method of it; what the parts are, and what each of them does, is a method of reading; which rules match them is one
// of matcher.
type scene struct {
	in      Input
	repos   *repo.Repos
	guard   *guard.Guard
	insides []within // what listedInside said
}

// A reading is a call in its parts, each with what rules are matched against.
type reading struct {
	scene
	units      []Unit                         // see parts.go
	crowded    bool                           // the input of a tool names more files than were looked at
	mentioned  []Mention                      // see Mentions; nil until asked
	secretWord *string                        // what NamesSecret found; nil until asked
	meanings   map[string]*bashsafety.Meaning // of rules, by pattern, as far as they were asked for
	lastDoer   struct {                       // what doer said last
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

	accepts    func(Facts) bool // whether a hint would be stopped; nil while one is tried out
	waivers    []waiver
	overwrites []bashsafety.Finding // what Overwrites found; nil until asked
	yes        []Yes                // what Answered returned, once askedYes is set
	askedYes   bool
	usedYes    []Yes // those that took a question back
}

// New finds out the facts of a call. accepts says of the facts of a command that a hint offers whether it would be
// stopped, nil where no hint is wanted.
func New(in Input, accepts func(Facts) bool) Facts {
	c := &matcher{reading: reading{scene: scene{in: in}}, accepts: accepts}
	c.settle()
	c.findParts()
	return Facts{c}
}

// Under is the same call, in the same parts, under another policy.
func (c Facts) Under(p *rules.Policy) Facts {
	under := &matcher{reading: reading{scene: scene{in: c.in.Under(p)}, units: c.units}}
	under.settle()
	return Facts{under}
}

// Call is the call.
func (c *scene) Call() *hookio.Call { return c.in.Call }

// Policy is what the call is decided by.
func (c *scene) Policy() *rules.Policy { return c.in.Policy }

// Script is the analysis of the call's shell text, nil where it has none.
func (c *scene) Script() *bashsafety.Analysis { return c.in.Script }

// World is where the call would happen.
func (c *scene) World() *world.World { return c.in.World }

// Grants are those of the running session.
func (c *scene) Grants() Grants { return c.in.Grants }

// Headless reports whether --headless says that no one can be asked.
func (c *scene) Headless() bool { return c.in.Headless }

// Repos are the git repositories that the call is about.
func (c *scene) Repos() *repo.Repos { return c.repos }

// Guard knows the files that run later, or hold credentials.
func (c *scene) Guard() *guard.Guard { return c.guard }

// Tried reports whether the call is a hint that is tried out: what is said about it is told to no one.
func (c *matcher) Tried() bool { return c.accepts == nil }

// Acceptable reports whether no command that a hint names in backquotes would be denied or asked about by a rule, a
// check or its place.
func (c *matcher) Acceptable(hint string) bool {
	quotes := strings.Split(hint, "`")
	for i := 1; i < len(quotes); i += 2 {
		if !c.accepts(c.instead(quotes[i])) {
			return false
		}
	}
	return true
}

// instead is the call with another command.
func (c *matcher) instead(command string) Facts {
	call, in := *c.in.Call, c.in
	call.Command, in.Call = command, &call
	if call.Tool == "PowerShell" {
		in.Script = bashsafety.AnalyzePowerShell(command, c.in.Script.Env)
	} else {
		in.Script = bashsafety.Analyze(command, c.in.Script.Env)
	}
	in.World = world.New(c.in.World.Facts, c.in.Policy, c.in.World.Dir)
	return New(in, nil)
}

// settle completes World, for which folders writes may go to depends on who calls, and what asks it.
func (c *scene) settle() {
	if c.in.World == nil {
		c.in.World = world.New(world.Facts{}, c.in.Policy, c.in.Call.Dir)
	}
	if c.in.World.Roots == nil {
		c.in.World.Roots = c.workspace()
	}
	c.repos = repo.New(c.in.World)
	c.guard = guard.New(c.in.World, c.repos)
	c.guard.Script = c.in.Script // which is not known yet where the analysis asks for secrets
}

// NeedsUser reports whether a tool is itself a question to the user, which no rule answers for them.
func NeedsUser(tool string) bool {
	return tool == "AskUserQuestion" || tool == "ExitPlanMode"
}

// workspace returns the directories writes may go to: cwd, project root and
// additional directories, those of the session's state among them. The latter
// are grants, which a strict subagent does not inherit.
func (c *scene) workspace() []rules.Path {
	roots := append(make([]rules.Path, 0, 2+len(c.Policy().Dirs)), c.Policy().Cwd, c.Policy().Project)
	if c.Strict() {
		return roots
	}
	for _, d := range c.Policy().Dirs {
		roots = append(roots, d.Path)
	}
	return roots
}

// FirstFinding returns the first finding of a severity, nil for none.
func (c *scene) FirstFinding(s bashsafety.Severity) *bashsafety.Finding {
	for i := 0; c.Script() != nil && i < len(c.Script().Findings); i++ {
		if f := &c.Script().Findings[i]; f.Check.Severity == s {
			return f
		}
	}
	return nil
}
