package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"permgate/hookio"
	"permgate/internal/gate"
	"permgate/internal/log"
)

// An answerer makes sure that exactly one answer leaves the process, whoever
// is first: the decision, a panic or the deadline.
type answerer struct {
	start    time.Time // of main
	args     []string  // of the hook
	once     sync.Once
	done     atomic.Bool // an answer has left, and code is final
	mu       sync.Mutex
	out, err io.Writer
	flags    *gate.Flags
	call     *hookio.Call
	code     int
}

func (a *answerer) seen(c *hookio.Call) {
	a.mu.Lock()
	a.call = c
	a.mu.Unlock()
}

// known is the call as far as it has been read; nil before the flags were.
func (a *answerer) known() *hookio.Call {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.call
}

// end runs what ends the process, unless something else did before.
func (a *answerer) end(f func()) (first bool) {
	a.once.Do(func() {
		defer a.done.Store(true)
		first = true
		f()
	})
	return first
}

// write prints the line, once. A line that cannot be written is a block: the
// host sees exit 2 where it does not see the answer.
func (a *answerer) write(line []byte) (first bool) {
	return a.end(func() {
		if len(line) == 0 {
			return
		}
		if _, err := a.out.Write(line); err != nil {
			fmt.Fprintln(a.err, "permgate: the answer could not be written:", err)
			a.code = 2
		}
	})
}

// refuse is exit 2 with the reason on stderr: what is left when no answer can
// be put into a host's form.
func (a *answerer) refuse(why string) (first bool) {
	return a.end(func() {
		fmt.Fprintln(a.err, hookio.Escape(why))
		a.code = 2
	})
}

// fault answers a call that could not be decided, in the host's form: ask, and
// deny where nobody can be asked. An event that wants no answer gets none.
func (a *answerer) fault(kind, why string) int {
	call := a.known()
	answer := hookio.Answer{Decision: hookio.Deny, Reason: "permgate could not decide: " + why}
	first := false
	switch {
	case call == nil:
		first = a.refuse("permgate: " + why)
	case !call.Event.Decides():
		first = a.write(nil)
	default:
		if !a.nobodyAsks(call) {
			answer.Decision = hookio.Ask
		}
		if first = a.write(hookio.Write(nil, call, answer)); first {
			fmt.Fprintln(a.err, "permgate:", hookio.Escape(why))
		}
	}
	if first {
		a.logFault(call, kind, why, answer)
	}
	return a.code
}

// nobodyAsks reports whether step 8 would turn an ask into a deny.
func (a *answerer) nobodyAsks(call *hookio.Call) bool {
	for _, mode := range [...]string{a.flags.Mode, call.Mode} {
		if mode == "dontAsk" || mode == "explore" || mode == "plan" {
			return true
		}
	}
	return a.flags.Headless || a.flags.Agent != "" || call.Subagent()
}

// late ends the process when its time is over: with an answer, or, where one
// has left already and only the log takes so long, just so.
func (a *answerer) late() int {
	if a.done.Load() {
		return a.code
	}
	return a.fault(log.FaultDeadline, "the deadline of 2 s passed")
}

// misused refuses a command line that is no hook's.
func (a *answerer) misused(why string) int {
	a.refuse("permgate hook: " + why)
	a.logFault(nil, log.FaultUsage, why, hookio.Answer{Decision: hookio.Deny})
	return a.code
}

// unreadable answers a payload no call could be read from. One that is too
// long is denied on tool events, in the host's form. Events that want no answer
// get none.
func (a *answerer) unreadable(call *hookio.Call, err error) int {
	kind, answer := log.FaultUnreadable, hookio.Answer{Decision: hookio.Deny, Reason: err.Error()}
	if p, ok := err.(*hookio.Problem); ok && p.TooLong && call != nil {
		kind = log.FaultTooLong
		a.write(hookio.Write(nil, call, answer))
	} else if call = a.known(); !call.Event.Decides() {
		a.write(nil)
	} else {
		a.refuse("permgate: " + err.Error())
	}
	a.logFault(call, kind, answer.Reason, answer)
	return a.code
}
