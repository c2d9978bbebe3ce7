// Package hook guarantees that exactly one answer is written, even if something fails,
// and logs the call afterwards.
package hook

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/term"
	"github.com/permgate--owner/permgate/rules"
)

// An Answerer lets exactly one answer out: that of the first of decision, panic and deadline.
type Answerer struct {
	Start    time.Time // of main
	Args     []string  // of the hook
	Out, Err io.Writer
	Flags    *gate.Flags
	Version  func() string // of this build
	Code     int           // exit code; final once an answer has left
	Unasked  atomic.Bool   // the settings let no one be asked
	// AllowLast returns the command that lets the last call through from now on, "" where it would propose nothing.
	AllowLast func(*decide.Input, decide.Verdict) string

	once   sync.Once
	done   atomic.Bool // an answer has left
	mu     sync.Mutex
	call   *hookio.Call
	came   time.Duration // after which the payload was read; zero until then
	denied string        // why, once a denial was found
	until  time.Time     // when a program that is waited for has to have answered; zero for none
	waited time.Duration // for such programs, so far
}

// Denied notes a denial that was found early, for the deadline to answer with.
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

// SetCall notes a copy of the call so far, for a fault to be answered in its form
// even while others change it: first what the flags tell, then the payload's.
func (a *Answerer) SetCall(c *hookio.Call) {
	if c != nil {
		noted := *c
		c = &noted
	}
	a.mu.Lock()
	if a.call != nil {
		a.came = time.Since(a.Start)
	}
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

// Write prints the line, once. It blocks by exit 2 if that fails: the host sees no answer then.
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

// say is why for others to read: on one line, without the secrets of what went wrong.
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

// refuse is exit 2 with the reason on stderr, where no answer can have the host's form.
func (a *Answerer) refuse(why string) (first bool) {
	return a.end(func() {
		fmt.Fprintln(a.Err, say(why))
		a.Code = 2
	})
}

// Fault answers a call that could not be decided, in the host's form: ask, and
// deny where no person can be asked. An event that wants no answer gets none.
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
	if a.Unasked.Load() || facts.Refuses(a.Flags.Mode) || facts.Refuses(call.Mode) {
		return true
	}
	return a.Flags.Headless || a.Flags.Agent != "" || call.Subagent()
}

// OnDeadline ends the process in time: with an answer, or after one that only the log outlasts.
func (a *Answerer) OnDeadline() int {
	if a.done.Load() {
		return a.Code
	}
	why := "the deadline passed (2 s of work, or 4 s in all)"
	if a.mu.Lock(); a.came == 0 {
		why = "no payload came within 4 s on standard input"
	}
	a.mu.Unlock()
	return a.Fault(log.FaultDeadline, why)
}

// BadUsage refuses a command line that is no hook's.
func (a *Answerer) BadUsage(why string) int {
	a.refuse("permgate hook: " + why)
	a.logFault(nil, log.FaultUsage, why, hookio.Answer{Decision: hookio.Deny})
	return a.Code
}

// Unreadable answers a payload without a readable call. A too long one is denied
// on tool events, in the host's form; events without an answer get none.
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

// The limits of last resort: work is bounded by budgets, not by time. Both lie
// below every host's own time-out, because hosts run the tool after that.
const (
	cpuLimit  = 2 * time.Second // what a call may use of the processor, and has after it came
	wallLimit = 4 * time.Second // what it may take in all, where other programs keep it waiting, and to come
)

// Watch ends the process with exit in time, or later where the host is slow to send the
// call or the machine too busy to give it the processor.
func (a *Answerer) Watch(exit func(code int)) (stop func() bool) {
	timer := time.AfterFunc(cpuLimit, func() {
		for more := a.left(); more > 0; more = a.left() {
			time.Sleep(more)
		}
		exit(a.OnDeadline())
	})
	return timer.Stop
}

func (a *Answerer) left() time.Duration {
	a.mu.Lock()
	until, waited, came := a.until, a.waited, a.came
	a.mu.Unlock()
	wall := time.Since(a.Start) - waited
	switch {
	case came == 0:
		return wallLimit - wall
	case !until.IsZero():
		return min(time.Until(until), waitSlice)
	}
	return left(wall, cpuTime(), came)
}

// waitSlice is how long the deadline sleeps at most while an operator's program is waited for.
const waitSlice = 200 * time.Millisecond

// Waiting says that a program of the operator's is waited for, for so long at most:
// a model or a person may take longer than the call's own time, which does not run
// until done is called. A wait that takes longer than it may ends the process.
func (a *Answerer) Waiting(most time.Duration) (done func()) {
	from := time.Now()
	a.wait(from.Add(most), 0)
	return func() { a.wait(time.Time{}, time.Since(from)) }
}

func (a *Answerer) wait(until time.Time, waited time.Duration) {
	a.mu.Lock()
	a.until = until
	a.waited += waited
	a.mu.Unlock()
}

// left is how long a call may go on after this much work, most of which is on one thread.
func left(wall, cpu, came time.Duration) time.Duration {
	return min(cpuLimit-cpu, max(wallLimit, came+cpuLimit)-wall)
}

// Everything else here runs after the answer has left. It prints nothing, and
// nothing that goes wrong changes the exit code: doctor tells what did.

// logPatience bounds the log of a process whose time is already over.
const logPatience = 200 * time.Millisecond

// Writer returns where records of calls under a policy go, nil for nowhere. It is found
// out when it is first needed, and once. p may be nil.
func (a *Answerer) Writer(w gate.World, p *rules.Policy) func() *log.Writer {
	return sync.OnceValue(func() *log.Writer { return gate.LogWriter(a.Flags, w, p) })
}

// Repeated adds what would end an ask, a rule or, where a person sees it too often, a report, unless it
// is the user's rule's. The log has the answer without it. counts, or nil, counts it later. dry is a call
// that no person sees.
func (a *Answerer) Repeated(writer func() *log.Writer, c *decide.Input, v decide.Verdict, answer hookio.Answer, dry bool) (
	told hookio.Answer, counts *log.Asks) {
	shown := hookio.Told(c.Call, answer)
	if !dry && shown == hookio.Deny && answer.Decision == hookio.Ask && writer() != nil {
		answer.Allow = a.allowLast(c, v)
	}
	asked := v.Decision() == hookio.Ask && shown == hookio.Ask
	if !asked || dry || v.Why().Rule != nil || v.Why().Part == "" {
		return answer, nil
	}
	end := log.Ends(v.Step(), string(v.Code()))
	if end == "" || writer() == nil {
		return answer, nil
	}
	counts = writer().Asks(c, v, time.Now())
	often := ""
	switch session, week := counts.Count(); {
	case session >= log.OftenInSession:
		often = "Asked " + times(session) + " in this session; "
	case week >= log.OftenInWeek:
		often = "Asked " + times(week) + " in a week; "
	}
	if allow := a.allowLast(c, v); allow != "" {
		often += "to allow it from now on: " + allow
	} else if often != "" {
		often += "if permgate is wrong about it: permgate report --last"
	}
	if often != "" {
		answer.Reason = hookio.Adding(answer.Reason, ". "+strings.ToUpper(often[:1])+often[1:])
	}
	return answer, counts
}

func (a *Answerer) allowLast(c *decide.Input, v decide.Verdict) string {
	if a.AllowLast == nil {
		return ""
	}
	return a.AllowLast(c, v)
}

func times(n int) string {
	if n > log.MostAsks {
		return strconv.Itoa(n) + " times or more"
	}
	return strconv.Itoa(n) + " times"
}

// Log writes one record. make is called where records are kept, and may return nil.
func (a *Answerer) Log(to func() *log.Writer, make func() *log.Record) {
	took := time.Since(a.Start)
	writer := to()
	if writer == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil { // the answer has left
			writer.KeepError(fmt.Errorf("internal error: %v", p))
		}
	}()
	r := make()
	if r == nil {
		return
	}
	r.CalledWith(a.Args)
	r.Time, r.Duration = time.Now(), took
	if a.Version != nil {
		r.Version = a.Version()
	}
	if a.Code != 0 && r.Fault == "" {
		r.Fault = log.FaultUnwritten
	}
	writer.Write(r)
}

// logFault logs a call that could not be decided, without waiting long: the log may be the fault.
func (a *Answerer) logFault(call *hookio.Call, kind, why string, answer hookio.Answer) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		w := gate.System()
		p := a.policy(call, w)
		a.Log(a.Writer(w, p), func() *log.Record { return log.Faulted(call, p, kind, why, answer) })
	}()
	select {
	case <-done:
	case <-time.After(logPatience):
	}
}

// policy loads the settings that say whether there is a log; nil if that fails.
func (a *Answerer) policy(call *hookio.Call, w gate.World) (p *rules.Policy) {
	defer func() { _ = recover() }()
	if call == nil {
		call = hookio.Unread(hookio.Options{})
	}
	return gate.Policy(call, a.Flags, w)
}

// Outcome notes the outcome of a call, and forgets what was granted
// for a session that is over. The host wants no answer, and gets none.
func (a *Answerer) Outcome(call *hookio.Call, w gate.World) int {
	a.Write(nil)
	if call.Event == hookio.SessionEnd {
		gate.EndSession(call, a.Flags, w)
	}
	p := a.policy(call, w)
	gate.Went(call, a.Flags, w, p)
	a.Log(a.Writer(w, p), func() *log.Record { return log.Outcome(call, p) })
	return a.Code
}
