// Package log is the audit log: what the hook was asked, what it answered, and
// what became of the call. One record is one line of JSON in the state folder.
//
// The hook writes it after its answer, so that no disk can change or delay a
// decision. Only redacted text is ever handed to this package's writer.
package log

import (
	"time"

	"github.com/permgate--owner/permgate/hookio"
)

// Schema is the version of the line format. It grows when a field changes its
// meaning; a reader skips what it does not know.
const Schema = 1

// The events of a record.
const (
	EventDecision   = "decision"    // a call was decided, or could not be
	EventOutcome    = "outcome"     // the host said what became of a call
	EventSessionEnd = "session_end" // the host said that a session is over
)

// What became of a call (Record.Outcome).
const (
	Ran     = "ran"     // the tool ran to its end
	Failed  = "failed"  // the tool ran, or tried to, and reported an error
	Refused = "refused" // the host or its user did not let it run
)

// Silence is the value of Record.Answered when the host got no answer.
const Silence = "silence"

// A Record is one line of the log. Fields that are empty, false or zero are
// left out of the line. Texts are already redacted.
type Record struct {
	Time    time.Time
	Schema  int
	Version string // of the binary that wrote it
	Event   string // EventDecision, EventOutcome, EventSessionEnd

	Host      string // name of the adapter: "claude"
	HostEvent string // the hook event as the host spells it
	Session   string
	AgentID   string // of a subagent
	AgentType string
	Cwd       string // as sent; where the host sends none, as found
	Dir       string // folder the call ran in, where that is another than Cwd
	Command   string // the command line of the hook, without its path
	Project   string

	Tool    string // canonical name
	RawTool string // as the host sent it, where that is another
	CallID  string // the host's id of the call
	// Input is the redacted tool input as JSON: at level full all of it, else
	// what decides. InputHash is a hash of tool and what decides, redacted, so
	// that decision and outcome of one call meet, and no secret can be guessed.
	Input     string
	InputHash string
	Redacted  bool // something in this record was replaced

	Malformed string        // hookio.Call.Malformed
	RawMode   string        // the mode as the host sent it
	Mode      string        // the mode in effect
	Decision  string        // what was decided: allow, ask, deny
	Answered  string        // what the host was told: allow, ask, deny or silence
	Observed  bool          // enforce was false: the decision was not answered
	Would     string        // then: what the host would have been told
	Step      string        // number of the step that decided
	Origin    string        // the step whose answer a later one tightened, where that is another
	Rule      string        // text of the rule that decided
	RulePlace string        // file:line:col
	Check     string        // id of the check that decided
	Code      string        // decide.Code: why, for programs
	Part      string        // what an ask is about: the subcommand or path that decided
	Reason    string        // empty where no rule and no check spoke and the host was told nothing
	Duration  time.Duration // from the start of main to the answer

	Approver       string        // what the approver answered, "none" for nothing that counts; "" where it was not asked
	ApproverTook   time.Duration // how long that was waited for
	ApproverFailed string        // why nothing was saved, though the answer said so

	Auto     string        // what mode auto made of the call: allow, soft_deny, hard_deny, none for no verdict; "" in other modes
	AutoBy   string        // where that is from: list, local, operator, cache
	AutoID   string        // of the built-in entry
	AutoTook time.Duration // how long the operator's classifier was waited for

	// Trace is every step up to the one that answered; empty when the call was
	// allowed, or there is no reason.
	Trace []Entry

	// PolicyHash is a hash of the settings files that were read, so that a later
	// look at the record knows whether they changed since.
	PolicyHash string
	Fault      string // why the call could not be decided: FaultPanic, ...

	Outcome       string // Ran, Failed, Refused
	OutcomeReason string // as the host gives it
}

// What kept a call from being decided (Record.Fault).
const (
	FaultPanic      = "panic"
	FaultDeadline   = "deadline"
	FaultUnreadable = "unreadable" // no call could be read from the payload
	FaultTooLong    = "too_long"   // the payload is over hookio.MaxPayload
	FaultUsage      = "usage"      // the command line of the registration is wrong
	FaultUnwritten  = "unwritten"  // it was decided, but the host did not take the answer
)

// An Entry is what one step said.
type Entry struct {
	Step, Decision, Reason string
}

// severity is OpenTelemetry's: a deny is a warning, a fault an error.
func (r *Record) severity() (text string, number int) {
	switch {
	case r.Fault != "":
		return "ERROR", 17
	case r.Decision == hookio.Deny.String(), r.Outcome == Failed, r.Outcome == Refused:
		return "WARN", 13
	}
	return "INFO", 9
}

// Keys are the names a call can be met by in its session: the program's own id, and, for
// events that have none, the hash of the input. "" is no name.
func (r *Record) Keys() (keys [2]string) {
	if r.CallID != "" {
		keys[0] = r.Session + "\x00" + r.CallID
	}
	if r.InputHash != "" {
		keys[1] = r.Session + "\x01" + r.InputHash
	}
	return keys
}

// OfDialog reports whether the hook event is that of the program's own dialog.
func (r *Record) OfDialog() bool {
	return hookio.Unread(hookio.Options{Host: r.Host, Event: r.HostEvent}).Event == hookio.PermissionRequest
}
