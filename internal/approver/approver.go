// Package approver asks the program that the operator named in approver about a call
// for which nobody else can be asked, and saves what the answer says to save.
//
// decide.Decide says when: an ask that would become a deny because no one is there.
// What comes back can make it an allow of this one call, or leave it a deny; a fault
// of any kind leaves it one.
package approver

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/rules"
)

// An Approver is who is asked during one call of the hook.
type Approver struct {
	Flags *gate.Flags
	World func() gate.World // as it is now: what was cached before the answer came may be old
	Err   io.Writer         // for what could not be saved
	// Wait is told before the approver is waited for, and for how long at most; done afterwards.
	Wait func(most time.Duration) (done func())
	// Always is what permgate allow would write for the call.
	Always func(*decide.Case, decide.Verdict, *gate.Flags, gate.World) Saving
}

// A Saving is rules that can be saved, or why they cannot.
type Saving struct {
	Rules []string
	Why   string // not empty: nothing can be saved
	Save  func() error
}

// Answers are the answers there are, with what each is for.
var Answers = [...]struct{ Answer, Doc string }{
	{decide.AnswerDeny, "the call stays denied; the agent is told the reason"},
	{decide.AnswerOnce, "this call may run"},
	{decide.AnswerSession, "it may run, and so may the same call until the session ends"},
	{decide.AnswerSessionTool, "it may run, and so may other calls of the tool until the session ends, as with `permgate session`: no deny, no step 2, no write outside the workspace"},
	{decide.AnswerAlways, "it may run, and what the request says under `always` is written as `permgate allow` writes it: rules into settings.local.json, an origin into the permgate.json that has `urls.allow`"},
	{decide.AnswerAlwaysURL, "the same, for a call of kind url"},
}

// Approve asks about a call; see decide.Case.Approve.
func (a *Approver) Approve(c *decide.Case, v decide.Verdict) decide.Approval {
	r := a.request(c, v)
	line, took, err := a.ask(c, r.json(c, v))
	o := a.conclude(r, line, err)
	o.Took = took
	return o
}

// conclude is what becomes of the line that came back, or of err.
func (a *Approver) conclude(r *request, line []byte, err error) decide.Approval {
	var answer, reason string
	if err == nil {
		answer, reason, err = parse(line)
	}
	if err == nil {
		err = r.refuses(answer)
	}
	if err != nil {
		return decide.Approval{Decision: hookio.Deny, Unexpected: true,
			Reason: "the approver gave no answer that counts: " + operator.Plain(err.Error())}
	}
	o := decide.Approval{Decision: hookio.Allow, Answer: answer}
	if answer == decide.AnswerDeny {
		o.Decision, o.Reason = hookio.Deny, "the approver denied it"
	} else {
		o.Reason, o.Failed = a.grant(r, answer)
	}
	if reason != "" {
		o.Reason += ": " + reason
	}
	return o
}

// ask runs the program of the settings.
func (a *Approver) ask(c *decide.Case, request []byte) (line []byte, took time.Duration, err error) {
	p, err := Program(c.Policy)
	if err != nil {
		return nil, 0, err
	}
	if temp := c.TempDir(); temp != "" {
		p.Apart = append(p.Apart, temp)
	}
	if c.World.Environ != nil {
		p.Environ = c.World.Environ()
	}
	defer a.Wait(p.Timeout + operator.Grace)()
	return p.Ask(request)
}

// Program is the approver of a policy that names one.
func Program(policy *rules.Policy) (operator.Program, error) {
	return operator.Of(&policy.Posture.Approver, operator.ApproverTimeout, policy)
}

// grant saves what an answer says, and says what the call was allowed for. That
// nothing could be saved takes nothing from the call: every yes holds once.
func (a *Approver) grant(r *request, answer string) (said, failed string) {
	s := r.savings(answer)
	switch {
	case s == nil:
		return "the approver allowed this call once", ""
	case s.Why != "":
		return "the approver answered " + answer + ", which allows this call once here: " + s.Why, ""
	}
	if err := s.Save(); err != nil {
		failed = operator.Plain(err.Error())
		fmt.Fprintln(a.Err, "permgate: the approver answered", answer+", but nothing was saved:", failed)
		return "the approver allowed this call once; " + answer + " could not be saved", failed
	}
	until := "for good"
	if answer == decide.AnswerSession || answer == decide.AnswerSessionTool {
		until = "for this session"
	}
	return "the approver allowed " + strings.Join(s.Rules, ", ") + " " + until, ""
}

// refuses says why an answer is none to this request.
func (r *request) refuses(answer string) error {
	switch {
	case answer == decide.AnswerDeny:
		return nil
	case r.cut:
		return fmt.Errorf("the call is too long to be shown whole, so it can only be denied, and the answer is %s", answer)
	case answer == decide.AnswerAlwaysURL && r.kind != "url":
		return fmt.Errorf("%s is for calls of kind url, and this is one of kind %s", answer, r.kind)
	}
	return nil
}
