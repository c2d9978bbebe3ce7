package hook

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

// Everything else here runs after the answer has left. It prints nothing, and
// nothing that goes wrong changes the exit code: doctor tells what did.

// logPatience bounds the log of a process whose time is already over.
const logPatience = 200 * time.Millisecond

// Writer returns where records of calls under a policy go, nil for nowhere. It is found
// out when it is first needed, and once. p may be nil.
func (a *Answerer) Writer(w gate.World, p *rules.Policy) func() *log.Writer {
	return sync.OnceValue(func() *log.Writer { return gate.LogWriter(a.Flags, w, p) })
}

// Repeated adds to an ask that a person sees too often what would end it. It says nothing
// about an ask that the user's own rules make. The log has the answer without it, and
// counts counts this time once the answer has left; it may be nil.
func (a *Answerer) Repeated(writer func() *log.Writer, c *decide.Case, v decide.Verdict, answer hookio.Answer) (told hookio.Answer,
	counts *log.Asks) {
	if v.Decision != hookio.Ask || v.Rule != nil || v.Part == "" || hookio.Told(c.Call, answer) != hookio.Ask {
		return answer, nil
	}
	end := log.Ends(v.Step, string(v.Code()))
	if end == "" || writer() == nil {
		return answer, nil
	}
	counts = writer().Asks(c, v, time.Now())
	session, week := counts.Count()
	said := ""
	switch {
	case session >= log.OftenInSession:
		said = "Asked " + times(session) + " in this session"
	case week >= log.OftenInWeek:
		said = "Asked " + times(week) + " in a week"
	default:
		return answer, counts
	}
	if _, liftable := decide.Lifts(c, rules.Local); liftable || end == "allow" {
		said += "; to allow it from now on: permgate allow --last"
	} else {
		said += "; if permgate is wrong about it: permgate report --last"
	}
	return v.Noting(answer, said), counts
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

// logFault writes down a call that could not be decided. What kept it from
// that may stand in the way here too, so the process does not wait for long.
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

// Outcome takes note of what became of a call, and forgets what was granted
// for a session that is over. The host wants no answer, and gets none.
func (a *Answerer) Outcome(call *hookio.Call, w gate.World) int {
	a.Write(nil)
	if call.Event == hookio.SessionEnd {
		gate.EndSession(call, a.Flags, w)
	}
	p := a.policy(call, w)
	a.Log(a.Writer(w, p), func() *log.Record { return log.Outcome(call, p) })
	return a.Code
}
