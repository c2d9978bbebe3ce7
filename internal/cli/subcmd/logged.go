package subcmd

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

// A LoggedCall is one decision of the log and the outcome of the call. Of two answers the dialog's counts.
type LoggedCall struct {
	log.Record
	Dialog *log.Record // the decision about the dialog, nil for none
	First  *LoggedCall // the decision about an earlier event of the same call
	End    *log.Record // nil while it is not known; of first, where there is one
	Passed bool        // the session went on without an outcome
}

// A LogLine is one line as it is stored, and the call it is about.
type LogLine struct {
	Text string
	Rec  log.Record
	Call *LoggedCall // nil for the end of a session, and an outcome without a call
	// dialog says that it is about the dialog of a call that has a line of its own.
	Dialog bool
}

// A LogIndex is the whole log as it was written, outcomes joined to their decisions.
type LogIndex struct {
	Lines   []LogLine
	Calls   []*LoggedCall
	Skipped int                    // lines that are no records
	Newer   int                    // lines of a later schema
	Texts   bool                   // keep the lines as they are stored
	Since   time.Time              // leave out what is older
	open    map[string]*LoggedCall // by log.Record.Keys
}

// Add takes one line of the log.
func (b *LogIndex) Add(line []byte) {
	r, ok := log.Parse(line)
	switch {
	case !ok && log.Newer(line):
		b.Newer++
		return
	case !ok:
		b.Skipped++
		return
	}
	if r.Time.Before(b.Since) {
		return
	}
	b.Lines = append(b.Lines, LogLine{Rec: r})
	l := &b.Lines[len(b.Lines)-1]
	if b.Texts {
		l.Text = string(line)
	}
	if b.open == nil {
		b.open = map[string]*LoggedCall{}
	}
	switch r.Event {
	case log.EventDecision:
		l.Call, l.Dialog = b.decision(r)
	case log.EventOutcome:
		l.Call = b.outcome(r)
	}
}

// decision adds a decision. One about a call still open belongs to it: its dialog, or a second event with its id.
func (b *LogIndex) decision(r log.Record) (c *LoggedCall, dialog bool) {
	c = &LoggedCall{Record: r}
	asks := r.OfDialog()
	for i, k := range r.Keys() {
		had := b.open[k]
		if had != nil && c.First == nil && (i == 0 || asks) { // the hash alone may be that of an equal call
			c.First = had
		}
	}
	if had := c.First; had != nil && asks {
		had.Dialog = &r
		if r.Answered != log.Silence {
			id := had.CallID
			had.Record = r
			had.CallID = cmp.Or(r.CallID, id)
		}
		return had, true
	}
	b.Calls = append(b.Calls, c)
	for _, k := range r.Keys() {
		if k != "" && c.First == nil {
			b.open[k] = c
		}
	}
	return c, false
}

func (b *LogIndex) outcome(r log.Record) *LoggedCall {
	for _, k := range r.Keys() {
		if c := b.open[k]; c != nil {
			c.End = &r
			for _, k := range c.Keys() {
				delete(b.open, k)
			}
			return c
		}
	}
	return nil
}

// Settle marks the calls that probably did not run: those without an outcome in a session that tells outcomes and
// went on, because agents go on only when a call is over.
func (b *LogIndex) Settle() {
	tells, wentOn := map[string]bool{}, map[string]bool{} // by session
	for _, c := range b.Calls {
		if c.End != nil {
			tells[c.Session] = true
		}
	}
	for i := len(b.Lines) - 1; i >= 0; i-- {
		l := &b.Lines[i]
		session := l.Rec.Session
		starts := l.Rec.Event == log.EventDecision && l.Call.First == nil && !l.Dialog
		mayRun := l.Rec.Fault == "" && l.Rec.Answered != "deny"
		switch {
		case l.Rec.Event == log.EventSessionEnd, starts && l.Call.End != nil:
			wentOn[session] = true
		case starts && mayRun && wentOn[session] && tells[session]:
			l.Call.Passed = true
		}
	}
}

// Prompted reports whether a person was asked, by permgate or by the program itself.
func (c *LoggedCall) Prompted() bool {
	return c.Answered == hookio.Ask.String() || c.HostAsked()
}

// HostAsked reports whether the program showed a dialog that permgate left to its user.
func (c *LoggedCall) HostAsked() bool {
	return c.Answered == log.Silence && (c.Dialog != nil || c.OfDialog())
}

// Base is the first decision about the same call.
func (c *LoggedCall) Base() *LoggedCall { return cmp.Or(c.First, c) }

// Became says how a call ended, "" when that is not known.
func (c *LoggedCall) Became() string {
	b := c.Base()
	switch {
	case b.End == nil && b.Passed:
		return "no outcome"
	case b.End == nil:
		return ""
	case b.End.Outcome == log.Refused && (c.Prompted() || b.Prompted()):
		return "refused by the user"
	}
	return hookio.Escape(b.End.Outcome)
}

// Told is what the program was told, or would have been.
func (c *LoggedCall) Told() string {
	if c.Observed {
		return cmp.Or(c.Would, c.Decision)
	}
	return c.Answered
}

// Decision is the decision that a word of the log names.
func Decision(word string) hookio.Decision {
	for _, d := range [...]hookio.Decision{hookio.Allow, hookio.Ask, hookio.Deny} {
		if d.String() == word {
			return d
		}
	}
	return hookio.Pass
}

// ParsePlace reads file:line:col; the file may hold colons.
func ParsePlace(s string) rules.Pos {
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

// LogDir is the folder of the log that a call made here would be written to.
func LogDir(e *Env, f *gate.Flags) string {
	return gate.LogDir(f, e.World, e.PolicyUnder(nil, f))
}

// ParseSince reads a span before now, or a point in time.
func ParseSince(text string, now time.Time) (time.Time, error) {
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
		"or a time like 2026-11-20 or 2026-11-20T15:04", QuoteArg(text))
}

// The forms of a point in time, in local time where they name no zone.
var sinceForms = [...]string{
	"2006-01-02", "2006-01-02T15:04", "2006-01-02 15:04",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", time.RFC3339Nano,
}
