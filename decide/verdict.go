package decide

import (
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/host"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/hookio"
)

// A Verdict is the decision, and the reading of the call that it is about.
type Verdict struct {
	verdict.Verdict
	in      *Input
	of      facts.Facts
	told    hookio.Answer // where the gate enforces and silence is ""
	silence string
}

// answered is a verdict with what the host is told of it.
func answered(v verdict.Verdict, in *Input, c facts.Facts) Verdict {
	told, silence := host.Step(c, v)
	return Verdict{v, in, c, told, silence}
}

// Input is the call as it was read for the verdict: another one than Decide was given where a cd is taken to work.
func (v Verdict) Input() *Input { return v.in }

// Facts are what was found out about the call.
func (v Verdict) Facts() facts.Facts { return v.of }

// Answer is what the host is told: silence where the gate only observes.
func (v Verdict) Answer() hookio.Answer {
	if v.ObserveOnly() {
		return hookio.Answer{Reason: v.Reason()}
	}
	return v.HostAnswer()
}

// HostAnswer is what the host is told where the gate enforces.
func (v Verdict) HostAnswer() hookio.Answer {
	switch {
	case v.in == nil: // nothing was decided
		return hookio.Answer{Decision: hookio.Ask}
	case v.silence != "":
		return hookio.Answer{Reason: v.Reason()}
	}
	return v.told
}

// Silence says why the host is told nothing and decides by itself, "" where it is
// told. "It" is the host.
func (v Verdict) Silence() string { return v.silence }

// ObserveOnly reports whether the verdict is kept from the host because the gate
// only observes (enforce: false). A deny of managed settings is answered all
// the same, and so is everything while a managed file cannot be used.
func (v Verdict) ObserveOnly() bool { return v.in != nil && host.ObservesOnly(v.of, v.Verdict) }

// AllowForSession reports whether the host is to be told to allow the very same text by itself until its session ends.
func (v Verdict) AllowForSession() bool { return host.AllowForSession(v.of, v.Verdict) }

// Dialog reports whether the person is asked this question in the host's own dialog, and by nothing else: then that the
// call went on is their yes. getenv is the hook's environment.
func (v Verdict) Dialog(told hookio.Answer, getenv func(string) string) bool {
	return host.Dialog(v.of, v.Verdict, told, getenv)
}
