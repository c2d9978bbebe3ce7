// Package bench puts labelled calls to the hook program of any gate, as its host would, and counts what it
// answers, next to permgate's own hook on the same calls. The calls are never executed; the hook is.
package bench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/tidwall/gjson"
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

func (j *Job) put(r *Report, a *arm, c *Call, payload []byte, call *hookio.Call) {
	end := j.start(a.hook, payload)
	event := cmp.Or(call.RawEvent, string(call.Event))
	ending := j.Host.Ended(event, end.Code, string(end.Out), string(end.Said))
	late := a.late + 1
	a.late = 0
	switch {
	case end.Over:
		ending = TooLong
	case end.Late:
		ending, a.late = hookio.EndsLate, late
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

// spell writes a call as a host sends it, and reads that back; nil where no example of its payloads can say it.
func spell(h *hookio.Host, c *Call, cwd, session string) ([]byte, *hookio.Call) {
	plain := hookio.AppendJSON([]byte(`{"tool_name":`), c.Tool)
	plain = append(append(append(plain, `,"tool_input":`...), c.Input...), '}')
	want, err := hookio.Read(bytes.NewReader(plain), hookio.Options{})
	if err != nil {
		return nil, nil
	}
	for i := range h.Examples {
		x := &h.Examples[i]
		model, err := hookio.Read(bytes.NewReader([]byte(x.In)), hookio.Options{Host: h.Name, Event: string(x.Event)})
		if err != nil || x.Event != hookio.PreToolUse {
			continue
		}
		s := speller{host: h, model: model, call: c, want: want, cwd: cwd, session: session}
		payload := s.fill(x.In)
		got, err := hookio.Read(bytes.NewReader(payload), hookio.Options{Host: h.Name, Event: string(x.Event)})
		if err == nil && alike(got, want) {
			return payload, got
		}
	}
	return nil, nil
}

func alike(a, b *hookio.Call) bool {
	first := func(c *hookio.Call) string {
		if len(c.Args) == 0 {
			return ""
		}
		return c.Args[0].Path
	}
	if (a.Malformed == "") != (b.Malformed == "") {
		return false
	}
	return a.Tool == b.Tool && a.Command == b.Command && a.URL == b.URL && first(a) == first(b)
}

// A speller puts a call into the example of a host's payload.
type speller struct {
	host         *hookio.Host
	model, want  *hookio.Call // what the example says, and what is wanted
	call         *Call
	cwd, session string
}

// fill replaces in the example what is about the call and the session. What names a subagent is left out.
func (s *speller) fill(example string) []byte { return append(s.object(example, ""), '\n') }

// object is fill for the payload, or an object in it whose fields count: within is the path to it.
func (s *speller) object(text, within string) []byte {
	b := []byte{'{'}
	for key, value := range hookio.Members(text) {
		name, nested := key, false
		for _, p := range s.host.Fields {
			if p.From == within+key {
				name = p.To
			}
			nested = nested || strings.HasPrefix(p.From, within+key+".")
		}
		filled := s.member(name, value)
		if nested {
			filled = s.object(value, within+key+".")
		}
		if filled == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(hookio.AppendJSON(b, key), ':'), filled...)
	}
	return append(b, '}')
}

// member is the value of a member of the payload, nil to leave it out.
func (s *speller) member(name, value string) []byte {
	switch name {
	case "cwd", "project", "workspaceRoot":
		return hookio.AppendJSON(nil, s.cwd)
	case "workspace_roots", "workspacePaths":
		return append(hookio.AppendJSON([]byte("["), s.cwd), ']')
	case "session_id", "conversation_id":
		return hookio.AppendJSON(nil, s.session)
	case "permission_mode":
		return s.mode()
	case "agent_id", "agent_type", "agent_name", "attachments":
		return nil
	case "tool_name", "matcher_context":
		return hookio.AppendJSON(nil, s.tool())
	case "tool_input":
		if gjson.Parse(value).Type == gjson.String {
			return hookio.AppendJSON(nil, string(s.input()))
		}
		return s.input()
	case s.model.Primary: // where the event is the tool, its input is at the top level
		return hookio.AppendJSON(nil, s.call.Text)
	}
	return []byte(value)
}

// mode is the host's word for the mode default, nil for none.
func (s *speller) mode() []byte {
	for _, p := range s.host.Modes {
		if p.To == "default" {
			return hookio.AppendJSON(nil, p.From)
		}
	}
	return nil
}

func (s *speller) tool() string {
	if s.model.Tool == s.want.Tool {
		return s.model.RawTool
	}
	i := slices.IndexFunc(s.host.Tools, func(p hookio.Pair) bool { return p.To == s.want.Tool })
	if i < 0 || s.model.RawTool == s.model.Tool {
		return s.want.RawTool
	}
	return s.host.Tools[i].From
}

// input is the input of the call, its primary field named as the host does.
func (s *speller) input() []byte {
	primary := gate.Primary(s.call.Tool)
	shape := (&hookio.Call{Host: s.host, Tool: s.want.Tool, RawTool: s.tool()}).Shape()
	b := []byte{'{'}
	for key, value := range hookio.Members(s.call.Input) {
		if key == primary && shape.First > 0 && !slices.Contains(shape.Keys, key) {
			key = shape.Keys[0]
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(hookio.AppendJSON(b, key), ':'), value...)
	}
	return append(b, '}')
}
