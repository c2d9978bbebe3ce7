package hosts

import (
	"fmt"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

// Bounds of what the offer is counted on.
const (
	offerFiles = 20
	offerCalls = 500
)

// offerReads tells of the one switch that spares most prompts, with what it would do for the newest recorded calls, and
// what it gives up.
func (t *target) offerReads(file string) {
	done := ""
	if reads, of := t.countReads(); of > 0 {
		done = fmt.Sprintf(" It would have let %d of your last %d shell commands run at once.", reads, of)
	}
	t.Wrapped("fewer prompts: ", `"readOnlyCommands": "allow" in `+file+" lets commands run without a prompt that are proven to only"+
		" read the project (git log, ls, grep)."+done+" You no longer see them before they run")
}

// countReads counts the newest shell commands that the program recorded, and those that the switch would let run.
func (t *target) countReads() (reads, of int) {
	format := sessions.Lookup(t.h.Name)
	if format == nil {
		return 0, 0
	}
	found := format.Find(t.dirs.Home, t.World.Getenv)
	batch := gate.NewBatch(&gate.Flags{Host: t.h.Name}, t.World, 8<<20)
	progress := t.Waiting()
	defer progress.Clear()
	for i := len(found) - 1; i >= max(0, len(found)-offerFiles) && of < offerCalls; i-- {
		names := []string{found[i].Name}
		_ = sessions.Read(names, nil, format, &sessions.Counts{}, &sessions.Seen{}, time.Time{}, func(c *sessions.Call) error {
			if c.Call == nil || c.Command == "" || of >= offerCalls {
				return nil
			}
			of++
			progress.Show(of, time.Now())
			gate.Bind(c.Call, t.h)
			if letsRead(batch.Case(c.Call)) {
				reads++
			}
			return nil
		})
	}
	return reads, of
}

// letsRead reports whether the switch alone lets a call run.
func letsRead(c *decide.Input) bool {
	if decide.Decide(c).Answer().Decision == hookio.Allow {
		return false
	}
	p := *c.Policy
	p.Posture.ReadOnlyCommands.Value = "allow"
	v := decide.Decide(c.Under(&p))
	return v.ReadOnly()
}
