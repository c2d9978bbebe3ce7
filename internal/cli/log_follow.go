package cli

import (
	"context"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/term"
)

// pollEvery is how often -f looks for new lines.
const pollEvery = 250 * time.Millisecond

// follow prints the chosen calls, then those that come, until ctx is done or
// the reader of the output goes away.
func follow(ctx context.Context, v *logView, o *logOptions, b *logIndex, tail *log.Tail, chosen []*loggedCall) int {
	if o.json {
		v.lines(b, chosen, o)
	} else {
		for _, c := range chosen {
			v.call(c)
		}
	}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if v.w.Flush() != nil {
			return v.end()
		}
		select {
		case <-ctx.Done():
			return exitOK
		case <-tick.C:
		}
		if term.Gone(v.e.out) {
			return exitOK
		}
		b.lines, b.calls = b.lines[:0], b.calls[:0] // printed
		if err := tail.Next(b.add); err != nil {
			return v.e.fail("permgate doctor checks the state folder", "the log cannot be read: %v", err)
		}
		for i := range b.lines {
			v.news(o, &b.lines[i])
		}
	}
}

// news prints one new line of the log.
func (v *logView) news(o *logOptions, l *logLine) {
	wanted := l.call == nil && o.filter.takesLine(&l.rec) || l.call != nil && o.filter.takes(&l.call.Record)
	if !wanted {
		return
	}
	if o.json {
		v.w.WriteString(l.text + "\n")
		return
	}
	if l.call != nil {
		v.newsOf(l)
	}
}

// newsOf prints one new line about a call.
func (v *logView) newsOf(l *logLine) {
	switch {
	case l.rec.Event == log.EventOutcome:
		v.outcome(l.call)
	case l.dialog && l.call.hostAsked():
		v.dialog(l.call)
	case l.dialog && l.rec.Answered == log.Silence: // it was our ask
	default:
		v.call(l.call)
	}
}
