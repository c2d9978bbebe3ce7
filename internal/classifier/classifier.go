// Package classifier asks the program that the operator named in classifier what it
// thinks of a call that mode auto would ask about.
//
// decide.Decide says when, and what a verdict makes of the call. A fault of any kind
// is no verdict: the call stays what it was.
package classifier

import (
	"errors"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/gate/state"
)

// A Classifier is who is asked during one call of the hook, or by hand.
type Classifier struct {
	Flags *gate.Flags
	World func() gate.World // as it is now: another call may have written since
	// Wait is told before the program is waited for, and for how long at most; what it
	// returns afterwards. Nil tells no one.
	Wait func(most time.Duration) (done func())
	// Afresh asks whatever was said before, and keeps nothing: by hand.
	Afresh bool
}

// Judge asks about a call; see decide.Case.Classify.
func (k *Classifier) Judge(c *decide.Case, v decide.Verdict) decide.Judgement {
	p, err := program(c)
	if err != nil {
		return failed(err, 0)
	}
	file, err := p.Find()
	if err != nil {
		return failed(err, 0)
	}
	r := newRequest(c, v)
	m := k.memory(c, r, &p, file)
	if said := m.find(); said != nil {
		return m.note(decide.Judgement{Verdict: said.Verdict, Source: decide.ByCache, Reason: said.Reason})
	}
	if k.Wait != nil {
		defer k.Wait(p.Timeout + operator.Grace)()
	}
	line, took, err := p.Ask(r.json())
	if err != nil {
		return failed(err, took)
	}
	j, err := parse(line)
	if err == nil && r.cut && j.Verdict == decide.AutoAllow {
		err = errors.New("it allows a call that is too long to be shown whole")
	}
	if err != nil {
		return failed(err, took)
	}
	j.Took = took
	return m.note(j)
}

func failed(err error, took time.Duration) decide.Judgement {
	return decide.Judgement{Source: decide.ByOperator, Reason: operator.Plain(err.Error()), Took: took}
}

// parse reads an answer.
func parse(line []byte) (j decide.Judgement, err error) {
	said, err := operator.Members(line, "verdict", "reason")
	if err != nil {
		return j, err
	}
	j.Source = decide.ByOperator
	switch j.Verdict = said[0]; j.Verdict {
	case decide.AutoAllow, decide.AutoSoftDeny, decide.AutoHardDeny:
		j.Reason, err = operator.Reason(said[1])
		return j, err
	}
	return j, errors.New("its verdict " + operator.Plain(said[0]) + " is none of allow, soft_deny and hard_deny")
}

// program is the classifier of the policy of a call.
func program(c *decide.Case) (operator.Program, error) {
	p, err := operator.Of(&c.Policy.Posture.Classifier, operator.ClassifierTimeout, c.Policy)
	if temp := c.TempDir(); temp != "" {
		p.Apart = append(p.Apart, temp)
	}
	if c.World.Environ != nil {
		p.Environ = c.World.Environ()
	}
	return p, err
}

// memory returns what was said of the session's calls, and under which key this one
// is looked for.
func (k *Classifier) memory(c *decide.Case, r *request, p *operator.Program, file string) *memory {
	m := &memory{session: c.Call.SessionID, project: c.Policy.Project.Given}
	m.limit = c.Policy.Posture.Number("autoDenials")
	if k.Afresh || state.VerdictFile("/", m.session) == "" {
		return m
	}
	w := k.World()
	if gate.SessionStoreProblem(k.Flags, w, c.Policy) != "" {
		return m
	}
	m.store = gate.Sessions(k.Flags, w)
	m.kept = m.store.Verdicts(m.session, m.project)
	m.key = k.key(c, r, p, file)
	return m
}
