package main

import (
	"fmt"
	"time"

	"permgate/hookio"
	"permgate/internal/cli"
	"permgate/internal/gate"
	"permgate/internal/log"
	"permgate/rules"
)

// Everything here runs after the answer has left. It prints nothing, and
// nothing that goes wrong changes the exit code: doctor tells what did.

// logPatience bounds the log of a process whose time is already over.
const logPatience = 200 * time.Millisecond

// log writes one record. p may be nil; make is called where records are kept,
// and may return nil.
func (a *answerer) log(w gate.World, p *rules.Policy, make func() *log.Record) {
	took := time.Since(a.start)
	writer := gate.LogWriter(a.flags, w, p)
	if writer == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil { // the answer has left
			writer.Remember(fmt.Errorf("internal error: %v", p))
		}
	}()
	r := make()
	if r == nil {
		return
	}
	r.CalledWith(a.args)
	r.Time, r.Duration, r.Version = time.Now(), took, cli.Version()
	if a.code != 0 && r.Fault == "" {
		r.Fault = log.FaultUnwritten
	}
	writer.Write(r)
}

// logFault writes down a call that could not be decided. What kept it from
// that may stand in the way here too, so the process does not wait for long.
func (a *answerer) logFault(call *hookio.Call, kind, why string, answer hookio.Answer) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		w := gate.System()
		p := a.policy(call, w)
		a.log(w, p, func() *log.Record { return log.Faulted(call, p, kind, why, answer) })
	}()
	select {
	case <-done:
	case <-time.After(logPatience):
	}
}

// policy loads the settings that say whether there is a log; nil if that fails.
func (a *answerer) policy(call *hookio.Call, w gate.World) (p *rules.Policy) {
	defer func() { _ = recover() }()
	if call == nil {
		call = hookio.Unread(hookio.Options{})
	}
	return gate.Policy(call, a.flags, w)
}

// outcome takes note of what became of a call, and forgets what was granted
// for a session that is over. The host wants no answer, and gets none.
func (a *answerer) outcome(call *hookio.Call, w gate.World) int {
	a.write(nil)
	if call.Event == hookio.SessionEnd {
		gate.EndSession(call, a.flags, w)
	}
	p := a.policy(call, w)
	a.log(w, p, func() *log.Record { return log.Became(call, p) })
	return a.code
}
