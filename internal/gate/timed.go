package gate

import (
	"slices"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/state"
)

// useOf is what the state has to know of a call.
func useOf(call *hookio.Call) state.Use {
	return state.Use{
		Session: call.SessionID, Call: call.CallID, Tool: call.RawTool, Input: call.Input.Raw,
		Request: call.Event == hookio.PermissionRequest && call.CallID == "",
	}
}

// Decide is decide.Decide for the hook: what is granted for one call is used up before it is answered. Where that
// cannot be written, what has an end does not count, and the case is another one.
func Decide(c *decide.Case, f *Flags, w World) (*decide.Case, decide.Verdict) {
	v := decide.Decide(c)
	if len(c.Grants.Timed) == 0 && !c.Grants.Due || v.ObserveOnly(c) {
		return c, v
	}
	ids := spent(c)
	if len(ids) == 0 && !c.Grants.Due {
		return c, v
	}
	if Sessions(f, w.withoutCache()).Spend(c.Policy.Project.Given, useOf(c.Call), ids) == nil {
		return c, v
	}
	again := c.Under(c.Policy)
	again.Grants = c.Grants.Without(func(decide.Timed) bool { return true })
	again.Classify, again.Approve, again.Denied = c.Classify, c.Approve, c.Denied
	return again, decide.Decide(again)
}

// spent names the rules for one call that the answer needs: without any of them it would be another.
func spent(c *decide.Case) (ids []string) {
	once := func(t decide.Timed) bool { return t.Once }
	if !slices.ContainsFunc(c.Grants.Timed, once) {
		return nil
	}
	answer := func(g decide.Grants) [2]hookio.Decision {
		tried := c.Under(c.Policy)
		tried.Grants = g
		v := decide.Decide(tried)
		return [...]hookio.Decision{v.Decision, v.Answer(tried).Decision}
	}
	needed, want := c.Grants, answer(c.Grants)
	for _, t := range c.Grants.Timed {
		if !t.Once {
			continue
		}
		fewer := needed.Without(func(other decide.Timed) bool { return other == t })
		if answer(fewer) == want {
			needed = fewer
			continue
		}
		ids = append(ids, t.ID)
	}
	return ids
}
