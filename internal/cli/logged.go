package cli

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

// A loggedCall is one decision of the log and the outcome of the call. The dialog
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
	tells, wentOn := map[string]bool{}, map[string]bool{} // by session
	for _, c := range b.calls {
		if c.outcome != nil {
			tells[c.Session] = true
		}
	}
	for i := len(b.lines) - 1; i >= 0; i-- {
		l := &b.lines[i]
		session := l.rec.Session
		starts := l.rec.Event == log.EventDecision && l.call.first == nil && !l.dialog
		mayRun := l.rec.Fault == "" && l.rec.Answered != "deny"
		switch {
		case l.rec.Event == log.EventSessionEnd, starts && l.call.outcome != nil:
			wentOn[session] = true
		case starts && mayRun && wentOn[session] && tells[session]:
			l.call.passed = true
		}
	}
}

// prompted reports whether a person was asked: by permgate's answer, or by the
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

// became says how a call ended, "" when that is not known.
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

// answered is what the program was told, or would have been.
func (c *loggedCall) answered() string {
	if c.Observed {
		return cmp.Or(c.Would, c.Decision)
	}
	return c.Answered
}

// decision is the decision that a word of the log names.
func decision(word string) hookio.Decision {
	for _, d := range [...]hookio.Decision{hookio.Allow, hookio.Ask, hookio.Deny} {
		if d.String() == word {
			return d
		}
	}
	return hookio.Pass
}

// parsePlace reads file:line:col; the file may hold colons.
func parsePlace(s string) rules.Pos {
	p := rules.Pos{File: s}
	rest, col, ok := cutLast(s)
	file, line, ok2 := cutLast(rest)
	if ok && ok2 {
		p = rules.Pos{File: file, Line: line, Col: col}
	}
	return p
}

func cutLast(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}

// logDir is the folder of the log that a call made here would be written to.
func logDir(e *env, f *gate.Flags) string {
	return gate.LogDir(f, e.world, e.policyUnder(nil, f))
}

// parseSince reads a span before now, or a point in time.
func parseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if n := len(text) - 1; text[n] == 'd' || text[n] == 'w' {
		days, err := strconv.Atoi(text[:n])
		if text[n] == 'w' {
			days *= 7
		}
		if err == nil && days >= 0 && days < 100*366 {
			return now.AddDate(0, 0, -days), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, form := range sinceForms {
		if t, err := time.ParseInLocation(form, text, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("--since %s: expected a span like 90s, 30m, 2h, 7d, 2w, "+
		"or a time like 2026-11-20 or 2026-11-20T15:04", quoteArg(text))
}

// The forms of a point in time, in local time where they name no zone.
var sinceForms = [...]string{
	"2006-01-02", "2006-01-02T15:04", "2006-01-02 15:04",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", time.RFC3339Nano,
}
