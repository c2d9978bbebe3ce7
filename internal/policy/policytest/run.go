package policytest

import (
	"fmt"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
	"github.com/tidwall/gjson"
)

// A Runner runs tests. Nothing of a call is executed, and nothing is logged.
type Runner struct {
	World gate.World
	Flags gate.Flags   // what a context line does not say
	Dir   string       // absolute: the folder calls are made in, unless @cwd names another
	Extra []rules.Rule // rules that no file holds yet: what they would lead to
	// Short writes a reason as users see it, where a test may find its words too; nil for none.
	Short func(string) string
	Told  func(calls int) // is told how many recorded calls of a budget are decided; nil for no one

	once   bool          // no test has a context of its own: one policy is that of all
	policy *rules.Policy // once it was loaded
}

// A Result is the outcome of a test.
type Result struct {
	Test    *Test
	Verdict decide.Verdict
	Told    string // what the host gets: a decision, or silence; in observe mode what it would get
	Wrong   string // why the test failed, "" when it passed
}

// Got is the decision, as the first word of a test.
func (r *Result) Got() string {
	if r.Test.Want == Silence && r.Told == log.Silence {
		return Silence
	}
	return r.Verdict.Decision().String()
}

// Run decides the call of a test. An error is a call that could not be made.
func (r *Runner) Run(t *Test) (*Result, error) {
	v, err := r.Decide(t)
	if err != nil {
		return nil, err
	}
	c := v.Input()
	res := &Result{Test: t, Verdict: v, Told: log.Told(c.Call, v.HostAnswer())}
	switch got := res.Got(); {
	case c.Call.Malformed != "" && t.Reason == "": // asked about whatever the policy says: it tests nothing
		res.Wrong = "the input is malformed: " + c.Call.Malformed +
			"; if that is intended, name the reason in the test with =>"
	case got != t.Want:
		res.Wrong = fmt.Sprintf("expected %s, got %s", t.Want, got)
	case t.Reason == "" || strings.Contains(v.Reason(), t.Reason) || r.Short != nil &&
		strings.Contains(r.Short(v.Reason()), t.Reason):
	default:
		res.Wrong = fmt.Sprintf("expected %s and got it, but the reason does not contain %q", t.Want, t.Reason)
	}
	return res, nil
}

// Decide makes the call of a test and decides it as the hook does.
func (r *Runner) Decide(t *Test) (v decide.Verdict, err error) {
	f, err := r.flags(&t.Context)
	if err != nil {
		return v, err
	}
	call, err := gate.Canonical(payload(t), f)
	if err != nil {
		return v, err
	}
	c := gate.CaseUnder(r.settings(call, f), call, f, r.World)
	if len(r.Extra) > 0 {
		c = c.Under(c.Policy.With(r.Extra...))
	}
	return decide.Decide(c), nil
}

// settings are what the settings say about a call.
func (r *Runner) settings(call *hookio.Call, f *gate.Flags) *rules.Policy {
	if !r.once {
		return gate.Policy(call, f, r.World)
	}
	if r.policy == nil {
		r.policy = gate.Policy(call, f, r.World).AsIndexed(rules.Long)
	}
	return r.policy
}

// flags are the options that the context of a test means.
func (r *Runner) flags(c *Context) (*gate.Flags, error) {
	f := r.Flags
	f.Cwd = r.Dir
	if c.Cwd != "" {
		if f.Cwd = c.Cwd; !r.World.OS.IsAbs(f.Cwd) {
			f.Cwd = path.Join(r.World.OS.Canon(r.Dir), f.Cwd)
		}
		if info, err := r.World.Files.Stat(f.Cwd); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("@cwd %s: no such folder", hookio.Escape(c.Cwd))
		}
	}
	for _, o := range [...]struct {
		to    *string
		value string
	}{{&f.Agent, c.Agent}, {&f.Skill, c.Skill}, {&f.Host, c.Host}, {&f.Event, c.Event}} {
		if o.value != "" {
			*o.to = o.value
		}
	}
	switch c.Headless {
	case "on":
		f.Headless = true
	case "off":
		f.Headless = false
	}
	return &f, nil
}

// payload is the call of a test as a hook would send it, in canonical names.
func payload(t *Test) []byte {
	b := hookio.AppendJSON([]byte(`{"tool_name":`), t.Tool)
	if t.Context.Mode != "" {
		b = hookio.AppendJSON(append(b, `,"permission_mode":`...), t.Context.Mode)
	}
	if t.Context.Event != "" {
		b = hookio.AppendJSON(append(b, `,"hook_event_name":`...), t.Context.Event)
	}
	return append(append(append(b, `,"tool_input":`...), input(t).Raw...), '}')
}

// input is the tool_input of a test's call.
func input(t *Test) gjson.Result {
	if !t.Given {
		return gjson.Parse("{}")
	}
	return gjson.ParseBytes(gate.Input(t.Tool, t.Argument))
}

// Coverage counts which rules of the policy some test is about.
type Coverage struct {
	all     []rules.Rule
	touched map[rules.Rule]bool // every rule of all is a key
}

// Add adds the rules of a policy: allow, ask and deny of every settings file.
func (c *Coverage) Add(p *rules.Policy) {
	if c.touched == nil {
		c.touched = map[rules.Rule]bool{}
	}
	for _, list := range [...][]rules.Rule{p.Deny, p.Ask, p.Allow} {
		for _, r := range list {
			if _, known := c.touched[r]; !known && r.Pos.Line > 0 {
				c.touched[r] = false
				c.all = append(c.all, r)
			}
		}
	}
}

// Touch notes which rules decided a case or match a part of its call.
func (c *Coverage) Touch(v decide.Verdict) {
	c.Add(v.Input().Policy)
	if v.Why().Rule != nil {
		c.TouchRule(*v.Why().Rule)
	}
	for _, h := range v.Facts().Hits() {
		c.TouchRule(*h.Rule)
	}
}

// TouchRule notes a rule that is in force.
func (c *Coverage) TouchRule(r rules.Rule) {
	if _, known := c.touched[r]; known {
		c.touched[r] = true
	}
}

// Rules is the number of rules.
func (c *Coverage) Rules() int { return len(c.all) }

// Untouched lists the rules no test is about: deny, ask and allow, in the order of reading.
func (c *Coverage) Untouched() []rules.Rule {
	var out []rules.Rule
	for _, r := range c.all {
		if !c.touched[r] {
			out = append(out, r)
		}
	}
	return out
}
