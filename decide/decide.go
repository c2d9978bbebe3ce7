// Package decide is the policy: one call, one policy, one answer.
//
// Decide is the only function that decides. The hook, check, explain and every
// test call it. The order of Steps is the security argument: a step may only
// be placed above another if its answer must win over it.
package decide

import (
	"permgate/bashsafety"
	"permgate/hookio"
	"permgate/rules"
)

// A Case is everything Decide looks at. Steps read it, never the world; FS is
// asked for symlinks only, through paths.go.
type Case struct {
	Call   *hookio.Call
	Policy *rules.Policy
	Script *bashsafety.Script // the analysis of Call.Command; nil when there is no shell text
	Grants Grants             // of the running session
	FS     FS
	User   User
	// Environ lists the hook's environment, NAME=value, which the command will
	// have as well. Nil says nothing of it.
	Environ  func() []string
	AsAgent  bool // --agent: decide as a subagent
	Headless bool // --headless: nobody can be asked
	// Guarded lists permgate's own files: binary, state, settings; absolute. Only a call that writes asks for them.
	Guarded func() []string
	// Classify is the operator's classifier of mode auto; nil on the default path.
	Classify func(*Case) Verdict

	units []unit // see subject.go; filled once by Decide
	memo  []matched
	real  map[string]string
	roots []rules.Path
	own   []string // what Guarded said

	indexes []knownIndex
	waivers []waiver
	repos   []foundRepo
	globs   globbing
}

// A User is who runs the hook.
type User struct {
	ID   int    // numeric
	Home string // of the passwd entry; "" when there is none
	Temp string // $TMPDIR as it is; "" when unset
}

// Grants are what the user granted for the running session.
type Grants struct {
	AllEdits bool // the three edit tools
	AllBash  bool
	Rules    []rules.Rule // allow rules of scope Session
	Until    string       // when they end, as reasons name it
	File     string       // where they are kept
}

// A Verdict is a decision and where it came from.
type Verdict struct {
	Decision hookio.Decision
	Step     string            // number of the step that decided: "1" to "8", "3b", "0"
	Reason   string            // one sentence for the agent and the user
	Rule     *rules.Rule       // the rule that decided, if one did
	Check    *bashsafety.Check // the check that decided, if one did
	Part     string            // the subcommand or path that decided
	Managed  bool              // a deny of step 1 that managed settings gave
	Origin   string            // step of the answer that a later step tightened; else equal to Step
	ReadOnly bool              // an allow of step 7 by readOnlyCommands, the user's own switch
	Faulted  bool              // step 0 made an ask of an allow
	Coerced  bool              // step 8 made a deny of an ask
	Trace    Trace

	mark string // the end of Reason: what has it asked, in brackets
}

// An Entry is what one step said.
type Entry struct {
	Step    *Step
	Verdict Verdict // Decision Pass: the step had no opinion; Reason then says why, where that helps
}

// A Trace is what the steps said, in order, up to the one that answered.
type Trace []Entry

// A Step is one line of the security argument.
type Step struct {
	Num  string
	Name string
	Doc  string // why it stands where it stands
	run  func(*Case) Verdict
}

// Steps is the whole policy, in order. The first step with an opinion answers.
// Step 0 (faults) and step 8 (nobody can be asked) only ever tighten what these
// say, and stand in Decide.
var Steps = [...]Step{
	{"1", "deny", "a deny of any scope is final: nothing below can lift it", stepDeny},
	{"2", "immune", "always asks; no rule, mode or session grant can skip it", stepImmune},
	{"3", "bypass", "the user switched prompts off for everything but steps 1 and 2", stepBypass},
	{"3b", "workspace", "writes outside the project are asked before any grant is looked at", stepWorkspace},
	{"4", "session", "what the user granted for this session", stepSession},
	{"5", "ask", "ask rules override allow rules", stepAsk},
	{"6", "allow", "an allow rule must cover every part of the call", stepAllow},
	{"7", "mode", "no rule spoke: the mode decides", stepMode},
}

// Decide answers one call. Falling off the end of the steps asks.
func Decide(c *Case) Verdict {
	c.prepare()
	v := Verdict{Decision: hookio.Ask, Step: "7", Reason: "no step has an opinion"}
	trace := make(Trace, 0, len(Steps)+2)
	for i := range Steps {
		o := Steps[i].run(c)
		o.Step, o.Origin = Steps[i].Num, Steps[i].Num
		trace = append(trace, Entry{&Steps[i], o})
		if o.Decision != hookio.Pass {
			v = o
			break
		}
	}
	for _, s := range [...]*Step{&stepFault, &stepCoerce} {
		if o := tighten(c, s, v); o.Decision != hookio.Pass {
			trace = append(trace, Entry{s, o})
			v = o
		}
	}
	v.Trace = trace
	return v
}

// tighten runs one of the two steps that rewrite an answer, and ignores any
// rewriting that would not be stricter.
func tighten(c *Case, s *Step, v Verdict) Verdict {
	var o Verdict
	switch s {
	case &stepFault:
		o = faulted(c, v)
	case &stepCoerce:
		o = coerced(c, v)
	}
	if o.Decision <= v.Decision {
		return Verdict{}
	}
	o.Step, o.Origin = s.Num, v.Origin
	o.Faulted, o.Coerced = v.Faulted || s == &stepFault, s == &stepCoerce
	return o
}

// The steps that rewrite an answer.
var (
	stepFault  = Step{Num: "0", Name: "load", Doc: "a settings file that cannot be used turns every allow into an ask"}
	stepCoerce = Step{Num: "8", Name: "coercion", Doc: "where no prompt is possible, ask is deny"}
)
