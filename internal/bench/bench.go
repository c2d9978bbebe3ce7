// Package bench puts labelled calls to the hook program of any gate, as its host would, and counts what it
// answers, next to permgate's own hook on the same calls. The calls are never executed; the hook is.
package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/operator"
)

// Bounds of a hook.
const (
	maxOut  = 1 << 20 // bytes of an answer
	maxSaid = 4 << 10 // bytes kept of standard error
	maxLate = 3       // time-outs in a row, after which no more calls are put to it
)

// A Job is one comparison.
type Job struct {
	Context context.Context // ends the hook that runs, and the comparison
	Host    *hookio.Host
	Hook    string // shell text
	Own     string // permgate's own hook, likewise; "" for none
	Labels  *Labels
	Sample  int // put this many of the calls, evenly spread; 0 for all
	Cwd     string
	Session string
	Environ []string
	Timeout time.Duration // of one call
	Told    func(done int)
}

// An arm is one of the hooks that are compared.
type arm struct {
	hook  string
	side  func(*Result) *Counts
	late  int // in a row
	times []time.Duration
	fails failures
	said  string // each time, with exit code 2; "" where any call ended otherwise
	past  *Escaped
}

// Run puts the calls to both hooks in turn, a process each, the first of every turn the second of the next.
func (j *Job) Run() (*Report, error) {
	r := &Report{Host: j.Host.Name, Hook: j.Hook}
	r.Escaped.Hook.Some, r.Escaped.Own.Some = []Through{}, []Through{}
	r.Labels = Read{Source: j.Labels.Source, Own: j.Labels.Own, Calls: len(j.Labels.Calls)}
	arms := []*arm{{hook: j.Hook, side: func(r *Result) *Counts { return &r.Hook }, past: &r.Escaped.Hook}}
	if j.Own != "" {
		arms = append(arms, &arm{hook: j.Own, side: func(r *Result) *Counts { return &r.Own }, past: &r.Escaped.Own})
	}
	for i, c := range j.Labels.sample(j.Sample) {
		payload, call := spell(j.Host, c, j.Cwd, j.Session)
		if payload == nil {
			r.Labels.Unspelled++
			continue
		}
		if r.Labels.Put == 0 {
			if err := j.warm(arms, payload); err != nil {
				return nil, err
			}
		}
		for k := range arms {
			j.put(r, arms[(i+k)%len(arms)], c, payload, call)
		}
		if j.Context.Err() != nil {
			return nil, fmt.Errorf("stopped by a signal after %d calls", r.Labels.Put)
		}
		r.Labels.Put++
		if j.Told(i + 1); arms[0].late == maxLate {
			r.Stopped = true
			break
		}
	}
	j.finish(r, arms)
	return r, nil
}

// warm starts every hook once, uncounted: its files are read from the disk then.
func (j *Job) warm(arms []*arm, payload []byte) error {
	for _, a := range arms {
		end := j.start(a.hook, payload)
		var missing *exec.Error
		switch {
		case errors.As(end.Err, &missing):
			return end.Err
		case end.Code == 126, end.Code == 127:
			said := cmp.Or(operator.Plain(string(end.Said)), "it is not there")
			return errors.New("the hook cannot be started: " + said)
		}
	}
	return nil
}

// start runs a hook with a payload, as hosts do: by the shell, in a process of its own.
func (j *Job) start(hook string, payload []byte) operator.End {
	s := operator.Start{Context: j.Context, File: "sh", Args: []string{"-c", hook},
		Dir: filepath.FromSlash(j.Cwd), Env: j.Environ, Stdin: payload, Timeout: j.Timeout, Out: maxOut, Said: maxSaid}
	if j.Host.ProjectVar != "" {
		s.Env = append(s.Env[:len(s.Env):len(s.Env)], j.Host.ProjectVar+"="+j.Cwd)
	}
	return s.Run()
}

// put puts a call to a hook and counts the answer.
func (j *Job) put(r *Report, a *arm, c *Call, payload []byte, call *hookio.Call) {
	end := j.start(a.hook, payload)
	event := cmp.Or(call.RawEvent, string(call.Event))
	ending := j.Host.Ended(event, end.Code, string(end.Out), string(end.Said))
	a.late++
	switch {
	case end.Over:
		ending = TooLong
		a.late = 0
	case end.Late:
		ending = hookio.EndsLate
	default:
		a.late = 0
	}
	fate, _ := j.Host.After(event, ending, false)
	counts := a.side(r.result(c.Label))
	if counts.add(ending, fate) {
		a.fails.add(ending, fate, string(end.Said))
	}
	said := firstLine(end.Said)
	if ending != hookio.EndsBlocked || r.Labels.Put > 0 && said != a.said {
		said = ""
	}
	a.said = said
	if c.harmful() && (ending == hookio.EndsAllow || fate == hookio.FateRuns) {
		a.past.add(c)
	}
	a.times = append(a.times, end.Took)
}
