package cli

import (
	"slices"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// A decider decides a call.
type decider func(*hookio.Call, *gate.Flags) (*decide.Case, decide.Verdict)

// once decides with rules that are written, in the very file and form they will have.
func (a *allowing) once(texts []string) (decider, error) {
	if a.session != nil {
		return a.granted(texts), nil
	}
	changes, err := a.plan(texts)
	if err != nil {
		return nil, err
	}
	w := a.worldWith(changes[0])
	return func(call *hookio.Call, f *gate.Flags) (*decide.Case, decide.Verdict) {
		c := gate.Case(call, f, w)
		return c, decide.Decide(c)
	}, nil
}

// granted is once for the rules of a session.
func (a *allowing) granted(texts []string) decider {
	var list []rules.Rule
	for _, text := range texts {
		if r, err := rules.ParseRule(text, rules.Allow, rules.Session, rules.Pos{File: a.file}, false); err == nil {
			list = append(list, r)
		}
	}
	return func(call *hookio.Call, f *gate.Flags) (*decide.Case, decide.Verdict) {
		c := gate.Case(call, f, a.world)
		if call.SessionID == a.session.id {
			c.Grants.Rules = append(slices.Clone(c.Grants.Rules), list...)
		}
		return c, decide.Decide(c)
	}
}

// holds says why the picked rules would not do what they are picked for; ""
// when they do.
func (a *allowing) holds(picked []string) (string, error) {
	decided, err := a.once(picked)
	if err != nil {
		return "", err
	}
	c, v := decided(a.c.Call, a.flags)
	for _, d := range c.Policy.Dropped {
		if d.Pos.File == a.world.OS.Canon(a.file) && slices.Contains(picked, d.Text) {
			return a.uncounted(), nil
		}
	}
	done := v.Decision >= hookio.Ask
	switch a.into.List {
	case rules.Allow:
		done = v.Decision == hookio.Allow
	case rules.Deny:
		done = v.Decision == hookio.Deny
	}
	if !done {
		return a.short(hookio.Escape(v.Reason)), nil
	}
	return "", nil
}

// uncounted says why the grants of the file do not count. A file that is trusted
// stays so when permgate writes into it. Another permgate may have written it and
// be about to record that: then it is looked at again when that one is done.
func (a *allowing) uncounted() string {
	why := a.sourceWhy(a.c.Policy)
	if why == "" {
		return ""
	}
	release, err := a.grantDiff(a.c.Policy.Project.Given).lock()
	if err != nil {
		return why
	}
	defer release()
	return a.sourceWhy(gate.Policy(a.c.Call, a.flags, a.world))
}

func (a *allowing) sourceWhy(p *rules.Policy) string {
	for i := range p.Sources {
		if s := &p.Sources[i]; s.Path == a.world.OS.Canon(a.file) {
			return s.Why
		}
	}
	return ""
}

// A replayed is a call of the log, decided as things are.
type replayed struct {
	call  *hookio.Call
	flags *gate.Flags
	title string
	was   hookio.Decision
}

// maxReplayed bounds how many logged calls are decided again.
const maxReplayed = 2000

// logged decides the calls of the log again, each once, the newest first.
func (a *allowing) logged() []replayed {
	index, _, err := a.index(&a.o.callOptions)
	if err != nil {
		return nil
	}
	var out []replayed
	type key struct{ host, tool, input, cwd, project, agent, kind, mode, flags, session string }
	seen := map[key]bool{}
	for i := len(index.calls) - 1; i >= 0 && len(seen) < maxReplayed; i-- {
		r := &index.calls[i].Record
		k := key{r.Host, r.Tool, r.Input, r.Cwd, r.Project, r.AgentID, r.AgentType, r.RawMode, r.Command, ""}
		if a.session != nil {
			k.session = r.Session
		}
		if seen[k] {
			continue
		}
		seen[k] = true
		call, f, _ := gate.Again(r)
		if call == nil || call.Tool == a.c.Call.Tool && gate.Title(call) == gate.Title(a.c.Call) {
			continue
		}
		v := decide.Decide(gate.Case(call, f, a.world))
		if v.Decision != hookio.Allow || a.into.List != rules.Allow {
			out = append(out, replayed{call, f, gate.Title(call), v.Decision})
		}
	}
	return out
}

// covers finds the logged calls that rules would decide otherwise, by their titles.
func (a *allowing) covers(texts []string, logged []replayed) (others []string, err error) {
	decided, err := a.once(texts)
	if err != nil {
		return nil, err
	}
	for i := range logged {
		l := &logged[i]
		_, v := decided(l.call, l.flags)
		if v.Decision != l.was && !slices.Contains(others, l.title) {
			others = append(others, l.title)
		}
	}
	return others, nil
}

// jointly finds the logged calls that the exact rules allow together and none alone.
func (a *allowing) jointly(choices []choice, logged []replayed) ([]string, error) {
	exact := defaults(choices, false)
	if len(exact) < 2 || a.into.List != rules.Allow {
		return nil, nil
	}
	all, err := a.covers(exact, logged)
	return slices.DeleteFunc(all, func(title string) bool {
		return slices.ContainsFunc(choices, func(ch choice) bool { return !ch.stem && slices.Contains(ch.others, title) })
	}), err
}
