package gate_test

import (
	"reflect"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
)

// told reports whether two verdicts tell the same.
func told(a, b decide.Verdict) bool {
	return reflect.DeepEqual(a.Why(), b.Why()) && a.Decision() == b.Decision() && a.Step() == b.Step() && a.Origin() == b.Origin() &&
		a.Faulted() == b.Faulted() && a.Coerced() == b.Coerced() && reflect.DeepEqual(a.Trace(), b.Trace())
}

// inBatch decides the call of a sentence in a batch, between calls of another session,
// agent, mode and folder. The answer has to be the one it gets alone.
func (s *sentence) inBatch(t *testing.T, text string, w gate.World, want decide.Verdict, answer hookio.Answer) {
	t.Helper()
	size := 0
	for _, content := range s.files {
		size += len(content)
	}
	if size > 64<<10 {
		return // the test of many rules, which takes long as it is
	}
	b := gate.NewBatch(&s.flags, w, 1<<20)
	for _, change := range []func(*hookio.Call){
		func(c *hookio.Call) { c.SessionID = "s2" },
		func(c *hookio.Call) { c.AgentID, c.AgentType = "", "other" },
		nil,
		func(c *hookio.Call) { c.AgentID = "a2" },
		func(c *hookio.Call) { c.Mode = "plan" },
		func(c *hookio.Call) { c.Cwd += "/sub" },
		func(c *hookio.Call) { c.Named = !c.Named },
		nil,
	} {
		call := s.read(t, text)
		if change != nil {
			change(call)
		}
		c := b.Case(call)
		v := decide.Decide(c)
		if change == nil && (!told(v, want) || v.Answer() != answer) {
			t.Errorf("%s: %v at step %s in a batch, %v at step %s alone\n%s\n%s", s.name, v.Decision(), v.Step(), want.Decision(), want.Step(), v.Reason(), want.Reason())
		}
	}
}
