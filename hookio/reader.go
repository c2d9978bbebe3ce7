package hookio

// An Ending is a way a hook process can end, as its host sees it.
type Ending string

const (
	EndsAllow   Ending = "allow"       // our line for allow
	EndsAsk     Ending = "ask"         // our line for ask
	EndsDeny    Ending = "deny"        // our line for deny
	EndsSilence Ending = "silence"     // our line for no opinion, or nothing
	EndsText    Ending = "text"        // exit 0 and text that is no answer
	EndsBroken  Ending = "broken JSON" // exit 0 and JSON that is cut short
	EndsFailed  Ending = "exit 1"      // exit 1 without output
	EndsBlocked Ending = "exit 2"      // exit 2 with a reason on standard error
	EndsMute    Ending = "exit 2, no reason"
	EndsKilled  Ending = "killed"   // by a signal, without output
	EndsLate    Ending = "time-out" // the host's own time-out passed
	EndsMissing Ending = "missing"  // the program cannot be started
)

// Endings lists every ending, in the order of the documentation.
var Endings = [...]Ending{EndsAllow, EndsAsk, EndsDeny, EndsSilence, EndsText, EndsBroken, EndsFailed, EndsBlocked,
	EndsMute, EndsKilled, EndsLate, EndsMissing}

// A Fate is what becomes of the call after its hook ended.
type Fate uint8

const (
	FateUnknown Fate = iota // neither written down nor seen
	FateRuns                // the tool runs, and no one is asked
	FateHost                // the host goes on as if there were no hook: its own rules, its own prompt
	FatePrompts             // the host asks the user; where it cannot, the tool does not run
	FateBlocks              // the tool does not run
)

// String returns the word the documentation uses.
func (f Fate) String() string {
	return [...]string{"unknown", "runs", "host decides", "prompt", "blocked"}[f]
}

// A Reading is what a host does after one ending. It is why our deny is known
// to block, and what is promised for a crash.
type Reading struct {
	Event  string // as the host spells it; "" is every event that decides
	Ending Ending
	Open   Fate   // registered without a fail-closed switch
	Closed Fate   // registered as install does it, where that differs; FateUnknown: as Open
	Seen   string // version this was observed on; "" where it is only documented (Host.Source)
}

// Driven says which release of a host was last found to behave as its Reader says, and on what day, by
// a run of internal/hosttest (docs/hosts-status.md). The zero value: none was, so the host is experimental.
type Driven struct{ Version, Day string }

// After returns what the host does with a call when the hook of an event ended
// that way; installed says that the registration is the one install writes.
func (h *Host) After(event string, e Ending, installed bool) (f Fate, seen string) {
	for _, own := range [...]bool{true, false} {
		for _, r := range h.Reader {
			if r.Ending != e {
				continue
			}
			if own && !sameWord(r.Event, event) || !own && r.Event != "" {
				continue
			}
			if installed && r.Closed != FateUnknown {
				return r.Closed, r.Seen
			}
			return r.Open, r.Seen
		}
	}
	return FateUnknown, ""
}
