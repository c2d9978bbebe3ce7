package cli

import (
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// unknownHost reports a name that --host has and no agent program.
func (e *env) unknownHost(err error) int {
	return e.fail("permgate help hosts lists the programs", "%v", err)
}

// policy is what the settings say about calls of a host made from here; of none
// in particular when h is nil.
func (e *env) policy(h *hookio.Host) *rules.Policy {
	return e.policyUnder(h, &gate.Flags{})
}

// policyUnder is policy with options.
func (e *env) policyUnder(h *hookio.Host, f *gate.Flags) *rules.Policy {
	return gate.Policy(callOf(h), f, e.world)
}

// callOf is a call about nothing, for what asks for one: of h, or of no program
// that has a name.
func callOf(h *hookio.Host) *hookio.Call {
	call := hookio.Unread(hookio.Options{})
	if h != nil {
		call.Host, call.Named = h, true
	}
	return call
}
