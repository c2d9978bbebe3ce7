package cli

import (
	"cmp"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// A loggedCall is one decision of the log and what became of the call. The dialog
// that a call led to is part of it: of two answers the dialog's is the one that counts.
type loggedCall struct {
	log.Record
	dialog *log.Record // the decision about the dialog, nil for none
	// first is the decision that was made before about the same call, when this
	// one is about a second event of the program.
	first   *loggedCall
	outcome *log.Record // nil while it is not known; of first, where there is one
	passed  bool        // the session went on without an outcome
}

// A logLine is one line as it is stored, and the call it is about.
type logLine struct {
	text string
	rec  log.Record
	call *loggedCall // nil for the end of a session, and an outcome without a call
	// dialog says that it is about the dialog of a call that has a line of its own.
	dialog bool
}

// A logIndex is the whole log in the order it was written, outcomes joined to
// their decisions.
type logIndex struct {
	lines   []logLine
	calls   []*loggedCall
	skipped int                    // lines that are no records
	newer   int                    // lines of a later schema
	texts   bool                   // keep the lines as they are stored
	since   time.Time              // leave out what is older
	open    map[string]*loggedCall // by log.Record.Keys
}

// add takes one line of the log.
func (b *logIndex) add(line []byte) {
	r, ok := log.Parse(line)
	switch {
	case !ok && log.Newer(line):
		b.newer++
		return
	case !ok:
		b.skipped++
		return
	}
	if r.Time.Before(b.since) {
		return
	}
	b.lines = append(b.lines, logLine{rec: r})
	l := &b.lines[len(b.lines)-1]
	if b.texts {
		l.text = string(line)
	}
	if b.open == nil {
		b.open = map[string]*loggedCall{}
	}
	switch r.Event {
	case log.EventDecision:
		l.call, l.dialog = b.decision(r)
	case log.EventOutcome:
		l.call = b.outcome(r)
	}
}

// decision adds a decision. A later one about a call that is still open belongs
// to it: the dialog, or a second event of the program with the same id.
func (b *logIndex) decision(r log.Record) (c *loggedCall, dialog bool) {
	c = &loggedCall{Record: r}
	asks := r.OfDialog()
	for i, k := range r.Keys() {
		had := b.open[k]
		if had != nil && c.first == nil && (i == 0 || asks) { // the hash alone may be that of an equal call
			c.first = had
		}
	}
	if had := c.first; had != nil && asks {
		had.dialog = &r
		if r.Answered != log.Silence {
			id := had.CallID
			had.Record = r
			had.CallID = cmp.Or(r.CallID, id)
		}
		return had, true
	}
	b.calls = append(b.calls, c)
	for _, k := range r.Keys() {
		if k != "" && c.first == nil {
			b.open[k] = c
		}
	}
	return c, false
}

// outcome joins an outcome to its call, which it returns.
func (b *logIndex) outcome(r log.Record) *loggedCall {
	for _, k := range r.Keys() {
		if c := b.open[k]; c != nil {
			c.outcome = &r
			for _, k := range c.Keys() {
				delete(b.open, k)
			}
			return c
		}
	}
	return nil
}

// settle marks the calls that probably did not run. Agents go on only when a
// call is over: one without an outcome, in a session that tells outcomes and has
// told a later one or ended, was refused or given up.
func (b *logIndex) settle() {
	later, tells := map[string]bool{}, b.tellingSessions() // later: sessions that went on
	for i := len(b.lines) - 1; i >= 0; i-- {
		l := &b.lines[i]
		switch {
		case l.rec.Event == log.EventSessionEnd, l.startsCall() && l.call.outcome != nil:
			later[l.rec.Session] = true
		case l.startsCall() && later[l.rec.Session] && tells[l.rec.Session]:
			l.call.passed = l.call.passed || l.mayRun()
		}
	}
}

// tellingSessions are those whose program reports outcomes.
func (b *logIndex) tellingSessions() map[string]bool {
	tells := map[string]bool{}
	for _, c := range b.calls {
		if c.outcome != nil {
			tells[c.Session] = true
		}
	}
	return tells
}

// startsCall reports whether a line is the first decision about a call.
func (l *logLine) startsCall() bool {
	return l.rec.Event == log.EventDecision && l.call.first == nil && !l.dialog
}

// mayRun reports whether the program could run the call after that decision.
func (l *logLine) mayRun() bool { return l.rec.Fault == "" && l.rec.Answered != "deny" }

// prompted reports whether somebody was asked: by permgate's answer, or by the
// program itself, which then asked us about its dialog.
func (c *loggedCall) prompted() bool {
	return c.Answered == hookio.Ask.String() || c.hostAsked()
}

// hostAsked reports whether the program showed a dialog that permgate left to its user.
func (c *loggedCall) hostAsked() bool {
	return c.Answered == log.Silence && (c.dialog != nil || c.OfDialog())
}

// base is the first decision about the same call.
func (c *loggedCall) base() *loggedCall {
	if c.first != nil {
		return c.first
	}
	return c
}

// became says what became of a call, "" when that is not known.
func (c *loggedCall) became() string {
	b := c.base()
	switch {
	case b.outcome == nil && b.passed:
		return "no outcome"
	case b.outcome == nil:
		return ""
	case b.outcome.Outcome == log.Refused && (c.prompted() || b.prompted()):
		return "refused by the user"
	}
	return hookio.Escape(b.outcome.Outcome)
}

// choose returns the calls a filter takes, the last n of them; 0 is all.
func (b *logIndex) choose(f *logFilter, n int) []*loggedCall {
	var out []*loggedCall
	for _, c := range b.calls {
		if f.takes(&c.Record) {
			out = append(out, c)
		}
	}
	if n > 0 && len(out) > n {
		out = out[len(out)-n:]
	}
	return out
}
