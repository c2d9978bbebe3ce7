// Package hook guarantees that exactly one answer is written, whatever fails,
// and logs the call afterwards.
package hook

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/term"
)

// An Answerer makes sure that exactly one answer leaves the process, whoever
// is first: the decision, a panic or the deadline.
type Answerer struct {
	Start    time.Time // of main
	Args     []string  // of the hook
	Out, Err io.Writer
	Flags    *gate.Flags
	Version  func() string // of this build
	Code     int           // exit code; final once an answer has left

	once   sync.Once
	done   atomic.Bool // an answer has left
	mu     sync.Mutex
	call   *hookio.Call
	denied string        // why, once a denial was found
	until  time.Time     // when a program that is waited for has to have answered; zero for none
	waited time.Duration // for such programs, so far
}

// Denied notes a denial that was found while the rest is still looked at: the
// deadline answers it.
func (a *Answerer) Denied(why string) {
	a.mu.Lock()
	a.denied = why
	a.mu.Unlock()
}

// found is the denial that was noted, "" if none was.
func (a *Answerer) found() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.denied
}

// SetCall notes the call as far as it is known, for a fault to be answered in its
// form. It is a copy: who goes on with the call may change it when the deadline
// comes.
func (a *Answerer) SetCall(c *hookio.Call) {
	if c != nil {
		noted := *c
		c = &noted
	}
	a.mu.Lock()
	a.call = c
	a.mu.Unlock()
}

// known is the call as far as it has been read; nil before the flags were.
func (a *Answerer) known() *hookio.Call {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.call
}

// end runs what ends the process, unless something else did before.
func (a *Answerer) end(f func()) (first bool) {
	a.once.Do(func() {
		defer a.done.Store(true)
		first = true
		f()
	})
	return first
}

// Write prints the line, once. A line that cannot be written is a block: the
// host sees exit 2 where it does not see the answer.
func (a *Answerer) Write(line []byte) (first bool) {
	return a.end(func() {
		if len(line) == 0 {
			return
		}
		_, err := a.Out.Write(line)
		if err == nil && term.Closed(a.Out) {
			err = os.ErrClosed
		}
		if err != nil {
			fmt.Fprintln(a.Err, "permgate: the answer could not be written:", err)
			a.Code = 2
		}
	})
}

// say is why as it may be read by others: without secrets, which what went
// wrong may repeat, on one line.
func say(why string) (s string) {
	defer func() {
		if recover() != nil {
			s = "internal error"
		}
	}()
	s, _ = redact.Text(why[:min(len(why), maxWhy)])
	return hookio.Escape(s)
}

// maxWhy bounds what is said of a fault, in bytes.
const maxWhy = 4 << 10

// refuse is exit 2 with the reason on stderr: what is left when no answer can
// be put into a host's form.
func (a *Answerer) refuse(why string) (first bool) {
	return a.end(func() {
		fmt.Fprintln(a.Err, say(why))
		a.Code = 2
	})
}

// Fault answers a call that could not be decided, in the host's form: ask, and
// deny where nobody can be asked. An event that wants no answer gets none.
func (a *Answerer) Fault(kind, why string) int {
	call := a.known()
	why = say(why)
	answer := hookio.Answer{Decision: hookio.Deny, Reason: "permgate could not decide: " + why}
	first := false
	switch {
	case call == nil:
		first = a.refuse("permgate: " + why)
	case !call.Event.Decides():
		first = a.Write(nil)
	default:
		if denied := a.found(); denied != "" {
			answer.Reason = say(denied) + "; the rest was not checked: " + why
		} else if !a.nobodyAsks(call) {
			answer.Decision = hookio.Ask
		}
		if first = a.Write(hookio.Write(nil, call, answer)); first {
			fmt.Fprintln(a.Err, "permgate:", why)
		}
	}
	if first {
		a.logFault(call, kind, why, answer)
	}
	return a.Code
}

// nobodyAsks reports whether step 8 would turn an ask into a deny.
func (a *Answerer) nobodyAsks(call *hookio.Call) bool {
	for _, mode := range [...]string{a.Flags.Mode, call.Mode} {
		if mode == "dontAsk" || mode == "explore" || mode == "plan" {
			return true
		}
	}
	return a.Flags.Headless || a.Flags.Agent != "" || call.Subagent()
}

// OnDeadline ends the process when its time is over: with an answer, or, where one
// has left already and only the log takes so long, just so.
func (a *Answerer) OnDeadline() int {
	if a.done.Load() {
		return a.Code
	}
	return a.Fault(log.FaultDeadline, "the deadline passed (2 s of work, or 4 s in all)")
}

// BadUsage refuses a command line that is no hook's.
func (a *Answerer) BadUsage(why string) int {
	a.refuse("permgate hook: " + why)
	a.logFault(nil, log.FaultUsage, why, hookio.Answer{Decision: hookio.Deny})
	return a.Code
}

// Unreadable answers a payload no call could be read from. One that is too
// long is denied on tool events, in the host's form. Events that want no answer
// get none.
func (a *Answerer) Unreadable(call *hookio.Call, err error) int {
	kind, answer := log.FaultUnreadable, hookio.Answer{Decision: hookio.Deny, Reason: say(err.Error())}
	if p, ok := err.(*hookio.Problem); ok && p.TooLong && call != nil {
		kind = log.FaultTooLong
		a.Write(hookio.Write(nil, call, answer))
	} else if call = a.known(); !call.Event.Decides() {
		a.Write(nil)
	} else {
		a.refuse("permgate: " + err.Error())
	}
	a.logFault(call, kind, answer.Reason, answer)
	return a.Code
}
