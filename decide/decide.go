// Package decide is the policy: one call, one policy, one answer.
//
// Decide is the only function that decides. The hook, check, explain and every
// test call it. The order of Steps is the security argument: a step may only
// be placed above another if its answer must win over it.
package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A Case is everything Decide looks at. Steps read it, never the world; FS is
// asked for symlinks only, through paths.go.
type Case struct {
	Call   *hookio.Call
	Policy *rules.Policy
	Script *bashsafety.Analysis // the analysis of Call.Command; nil when there is no shell text
	Grants Grants               // of the running session
	FS     FS
	User   User
	// Environ lists the hook's environment, NAME=value, which the command will
	// have as well. Nil says nothing of it.
	Environ  func() []string
	AsAgent  bool // --agent: decide as a subagent
	Headless bool // --headless: no one can be asked
	// Guarded lists permgate's own files: binary, state, settings; absolute. Only a call that writes asks for them.
	Guarded func() []string
	// Program is permgate's own file, "" where that is not known. Only a call that runs a program
	// by its path asks for it.
	Program func() string
	// Classify asks the operator's classifier of mode auto about an ask; nil on the default path, and
	// in every dry run.
	Classify func(*Case, Verdict) Judgement
	// Approve asks the operator's approver about an ask that reaches no person; nil on the default
	// path, and in every dry run.
	Approve func(*Case, Verdict) Approval

	// Denied is told of a denial of step 1 as soon as it is found, so that the
	// deadline need not ask about what is denied anyway; nil tells no one.
	Denied func(Verdict)

	units   []unit // see subject.go; filled once by Decide
	crowded bool   // the input of a tool names more files than were looked at
	memo    []matched
	real    map[string]string
	roots   []rules.Path
	own     []string // what Guarded said

	ownFolded []rules.Path // see guardedFolded
	liveDirs  []liveFolder // see liveFolders

	indexes []knownIndex
	waivers []waiver
	repos   []foundRepo
	globs   globbing
	patches int // that were read so far

	mentioned []mention // see mentions.go; nil until asked

	reads *bool // what restrictsReads said; nil until asked

	spent    int         // of matchBudget
	overrun  *rules.Rule // the first rule that was not compared any more
	listings map[*bashsafety.Contents]*listing
	places   map[rules.Path]string // what holds said of a folder
	folders  int                   // how many folders landed looked at
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
	All      bool         // every call but a question to the user
	Rules    []rules.Rule // allow rules of scope Session
	Until    string       // when they end, as reasons name it
	File     string       // where they are kept
}

// A Verdict is a decision and where it came from.
type Verdict struct {
	Decision hookio.Decision
	Step     string            // number of the step that decided: one of Steps or Tightenings
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
	Cause    Code              // what Code says, where the step alone does not say it
	Approval *Approval         // of step 8b; nil where the approver was not asked
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
	Num     string
	Name    string
	Doc     string                       // why it has its place
	run     func(*Case) Verdict          // of Steps
	tighten func(*Case, Verdict) Verdict // of Tightenings: what the answer becomes
}

// Steps is the whole policy, in order. The first step with an opinion answers.
var Steps = [...]Step{
	{"1", "deny", "a deny of any scope is final: nothing below can lift it", stepDeny, nil},
	{"2", "immune", "always asks; no rule, mode or session grant can skip it", stepImmune, nil},
	{"3", "bypass", "the user switched prompts off for everything but steps 1 and 2", stepBypass, nil},
	{"3b", "workspace", "writes outside the project are asked about before any grant counts", stepWorkspace, nil},
	{"4", "session", "what the user granted for this session", stepSession, nil},
	{"5", "ask", "ask rules override allow rules", stepAsk, nil},
	{"6", "allow", "an allow rule must cover every part of the call", stepAllow, nil},
	{"7", "mode", "no rule matched: the mode decides", stepMode, nil},
}

// Tightenings see the answer of Steps, and may only make it stricter.
var Tightenings = [...]Step{
	{"0", "load", "a settings file that cannot be used turns every allow of steps 3 to 7 into an ask", nil, faulted},
	{"8", "coercion", "where no prompt is possible (subagents, --headless, dontAsk), ask is deny", nil, coerced},
}

// HostStep is the last step, Verdict.Answer: it turns the decision into what the
// host is told. Deferrals lists when that is nothing.
var HostStep = Step{Num: "9", Name: "host",
	Doc: "the answer, or nothing where the program asks or decides itself"}

// StepName is the name of a step by its number, "" for no step.
func StepName(num string) string {
	for _, list := range [...][]Step{Steps[:], Tightenings[:], {ApproverStep}, {HostStep}} {
		for i := range list {
			if list[i].Num == num {
				return list[i].Name
			}
		}
	}
	return ""
}

// Decide answers one call. Falling off the end of the steps asks.
func Decide(c *Case) Verdict {
	c.prepare()
	v := Verdict{Decision: hookio.Ask, Step: "7", Reason: "no step has an opinion"}
	trace := make(Trace, 0, len(Steps)+len(Tightenings))
	for i := range Steps {
		o := Steps[i].run(c)
		o.Step, o.Origin = Steps[i].Num, Steps[i].Num
		trace = append(trace, Entry{&Steps[i], o})
		if o.Decision != hookio.Pass {
			v = o
			break
		}
	}
	for i := range Tightenings {
		if o := Tightenings[i].apply(c, v); o.Decision != hookio.Pass {
			trace = append(trace, Entry{&Tightenings[i], o})
			v = o
		}
	}
	if o := c.approve(v); o.Step != "" {
		trace = append(trace, Entry{&ApproverStep, o})
		v = o
	} else if o.Reason != "" {
		trace = append(trace, Entry{&ApproverStep, o})
		v = v.saying("; " + o.Reason)
	}
	v.Trace = trace
	return v
}

// apply runs a step of Tightenings, and ignores any answer that is not stricter.
func (s *Step) apply(c *Case, v Verdict) Verdict {
	o := s.tighten(c, v)
	if o.Decision <= v.Decision {
		return Verdict{}
	}
	o.Step, o.Origin, o.Judged = s.Num, v.Origin, v.Judged
	return o
}

// Answer is what the host is told. Silence never replaces a deny of steps 1 and
// 2, and replaces an ask only where the host then asks or decides itself.
func (v Verdict) Answer(c *Case) hookio.Answer {
	if v.ObserveOnly(c) {
		return hookio.Answer{Reason: v.Reason}
	}
	return v.HostAnswer(c)
}

// HostAnswer is what the host is told where the gate enforces.
func (v Verdict) HostAnswer(c *Case) hookio.Answer {
	told, silence := c.hostStep(v)
	if silence != "" {
		return hookio.Answer{Reason: v.Reason}
	}
	return told
}
