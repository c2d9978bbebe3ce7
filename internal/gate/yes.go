package gate

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/rules"
)

// answered is what the person said yes to in the session of a call; nil where nothing of it counts. The state is read
// when a question comes up that it may take back.
func answered(call *hookio.Call, f *Flags, w World, p *rules.Policy) func() []facts.Yes {
	if !p.Posture.RememberYes.On() || state.File("/", call.SessionID) == "" {
		return nil
	}
	return func() []facts.Yes {
		if SessionStoreProblem(f, w, p) != "" {
			return nil
		}
		q, _ := Sessions(f, w).Questions(call.SessionID, p.Project.Given)
		return q.Yes
	}
}

// Ask keeps the questions that a verdict asks a person in the host's dialog. It comes after the answer, and
// what goes wrong only has the person asked again.
func Ask(c *decide.Input, v decide.Verdict, told hookio.Answer, f *Flags, w World) {
	if !v.Dialog(told, w.Getenv) || SessionStoreProblem(f, w, c.Policy) != "" || othersAnswer(c.Policy, w) {
		return
	}
	use := useOf(c.Call)
	var asked []state.Asked
	for _, q := range v.Why().Targets {
		asked = append(asked, state.Asked{Yes: facts.Yes{Target: q}, Call: c.Call.CallID, Input: use.Sum()})
	}
	_ = Sessions(f, w.withoutCache()).Ask(c.Call.SessionID, c.Policy.Project.Given, asked)
}

// Went notes that a call went on, which answers what was asked about it. One that was interrupted may have been so at
// the dialog.
func Went(call *hookio.Call, f *Flags, w World, p *rules.Policy) {
	ran := call.Event == hookio.PostToolUse || call.Event == hookio.PostToolUseFailure && !call.Interrupted
	counts := p != nil && p.Posture.RememberYes.On() && SessionStoreProblem(f, w, p) == ""
	if ran && counts && call.CallID != "" {
		use := useOf(call)
		_ = Sessions(f, w.withoutCache()).Answer(call.SessionID, p.Project.Given, call.CallID, use.Sum())
	}
}

// maxSettings bounds a settings file in which hooks are looked for.
const maxSettings = 1 << 20

// othersAnswer reports whether a settings file has the host ask another program than permgate before its dialog, which
// may say yes in the person's place, or cannot be read.
func othersAnswer(p *rules.Policy, w World) bool {
	for i := range p.Sources {
		data, err := w.Files.ReadFile(p.Sources[i].Path, maxSettings)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true
		}
		for _, group := range gjson.GetBytes(data, "hooks.PermissionRequest").Array() {
			for _, hook := range group.Get("hooks").Array() {
				if !runsGate(hook.Get("command").String()) {
					return true
				}
			}
		}
	}
	return false
}

// runsGate reports whether a command of a hook runs permgate first, as install writes it: alone or in a shell that
// blocks without it.
func runsGate(command string) bool {
	before, _, found := strings.Cut(strings.TrimPrefix(command, "& "), " hook ")
	if !found && strings.Contains(command, " ") { // its arguments may be next to it
		return false
	}
	words := strings.FieldsFunc(before, func(r rune) bool { return strings.ContainsRune(" \t\n/\\'\"", r) })
	if len(words) == 0 || !strings.HasPrefix(before, "/bin/sh -c '") && strings.ContainsAny(before, ";|&\n") {
		return false
	}
	program := words[len(words)-1]
	return program == "permgate" || program == "permgate.exe"
}

// useOf is what the state has to know of a call.
func useOf(call *hookio.Call) state.Use {
	return state.Use{
		Session: call.SessionID, Call: call.CallID, Tool: call.RawTool, Input: call.Input.Raw,
		Request: call.Event == hookio.PermissionRequest && call.CallID == "",
	}
}

// Decide is decide.Decide for the hook: what is granted for one call is used up before it is answered. Where that
// cannot be written, what has an end does not count, and the case is another one.
func Decide(c *decide.Input, f *Flags, w World) decide.Verdict {
	v := decide.Decide(c)
	c = v.Input()
	if len(c.Grants.Timed) == 0 && !c.Grants.Due || v.ObserveOnly() {
		return v
	}
	ids := spent(c, v.Facts().Policy())
	if len(ids) == 0 && !c.Grants.Due {
		return v
	}
	if Sessions(f, w.withoutCache()).Spend(c.Policy.Project.Given, useOf(c.Call), ids) == nil {
		return v
	}
	again := c.Under(v.Facts().Policy())
	again.Grants = c.Grants.Without(func(facts.Timed) bool { return true })
	again.Classify, again.Approve, again.Denied = c.Classify, c.Approve, c.Denied
	return decide.Decide(again)
}

// spent names the rules for one call that the answer needs: without any of them it would be another. p is the policy
// with its index.
func spent(c *decide.Input, p *rules.Policy) (ids []string) {
	once := func(t facts.Timed) bool { return t.Once }
	if !slices.ContainsFunc(c.Grants.Timed, once) {
		return nil
	}
	answer := func(g facts.Grants) [2]hookio.Decision {
		tried := c.Under(p)
		tried.Grants = g
		v := decide.Decide(tried)
		return [...]hookio.Decision{v.Decision(), v.Answer().Decision}
	}
	needed, want := c.Grants, answer(c.Grants)
	for _, t := range c.Grants.Timed {
		if !t.Once {
			continue
		}
		fewer := needed.Without(func(other facts.Timed) bool { return other == t })
		if answer(fewer) == want {
			needed = fewer
			continue
		}
		ids = append(ids, t.ID)
	}
	return ids
}
