package cli

import (
	"os"
	"slices"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/log"
)

// settled is how long a hook may be registered before it is strange that its
// program never called it.
const settled = 24 * time.Hour

// readCallers finds out of which hosts the log holds calls. h stands for the
// settings that say whether there is a log.
func (c *checkup) readCallers(h *hookio.Host) {
	p := c.policy(h)
	if p.Posture.AuditLevel().Level == "off" {
		c.unread = true
		return
	}
	tail := &log.Tail{Dir: gate.LogDir(&gate.Flags{}, c.world, p)}
	defer tail.Close()
	add := func(line []byte) {
		if r, ok := log.Parse(line); ok && r.Fault != log.FaultUsage && !slices.Contains(c.callers, r.Host) {
			c.callers = append(c.callers, r.Host)
		}
	}
	if tail.Next(add) != nil {
		c.unread = true
		return
	}
	tail.End(add)
}

// called says that a registered host has never called: its hooks may be switched
// off in a way permgate cannot see, as those of Codex are until somebody trusts them.
func (c *checkup) called(h *hookio.Host, regs []registered) {
	if c.unread || slices.Contains(c.callers, h.Name) {
		return
	}
	level, fix := fine, ""
	for i := range regs {
		if info, err := os.Stat(regs[i].Name); err == nil && c.world.Now.Sub(info.ModTime()) > settled {
			level, fix = warn, "permgate log -f, and use "+h.Title+": no line means it does not run the hook"
		}
	}
	if h.Register.After != "" {
		level, fix = warn, h.Register.After
	}
	c.add(level, h.Name, fix, "no call from %s in the log: it has never run the hook", h.Title)
}
