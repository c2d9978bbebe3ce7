package sessions

import (
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// call is the call of a decision.
func (r *logReader) call(rec *log.Record, where string) *Call {
	c := &Call{Host: rec.Host, ID: rec.CallID, Session: rec.Session, Where: where, Time: known(rec.Time)}
	r.answered(c, rec)
	switch {
	case rec.Answered == hookio.Ask.String(), rec.Answered == log.Silence && rec.OfDialog():
		c.Prompted = Yes
	case rec.Answered != log.Silence:
		c.Prompted = No
	}
	return c
}

// answered takes the call and the answer of a decision.
func (r *logReader) answered(c *Call, rec *log.Record) {
	h := r.flags(rec.Command)
	call, why := gate.AgainUnder(rec, h.flags, h.err)
	c.Call, c.Flags, c.Hook, c.Then = call, h.flags, rec.Command, rec.Answered
	if call == nil {
		why, _, _ = strings.Cut(why, " (")
		c.Skip, _, _ = strings.Cut(why, ": ")
	}
}

// dialog joins what was decided about the dialog of a call.
func (r *logReader) dialog(c *Call, rec *log.Record) {
	if rec.Answered == log.Silence || rec.Answered == "" {
		c.Prompted = Yes
		return
	}
	r.answered(c, rec)
	if c.Call != nil && c.CallID == "" {
		c.CallID = c.ID
	}
	c.Prompted = No
	if rec.Answered == hookio.Ask.String() {
		c.Prompted = Yes
	}
}

// outcome joins an outcome to its call.
func (r *logReader) outcome(rec *log.Record) error {
	for _, k := range rec.Keys() {
		h := r.w.get(k)
		if h == nil {
			continue
		}
		c := h.call
		c.Outcome = rec.Outcome
		if rec.Outcome == log.Refused {
			c.refusedLogged(rec)
		}
		return r.w.settle(h)
	}
	return nil
}

// refusedLogged says who refused a call: who was asked, permgate, or the program's
// own classifier, which alone refuses in mode auto.
func (c *Call) refusedLogged(rec *log.Record) {
	h := hookio.Lookup(rec.Host)
	switch {
	case c.Prompted == Yes:
		c.RefusedBy = ByUser
	case c.Then == hookio.Deny.String():
		c.RefusedBy = ByRule
	case h != nil && h.AutoClassifier && rec.RawMode == "auto":
		c.RefusedBy = ByClassifier
	default:
		c.RefusedBy = ByUnknown
	}
}
