package log

import (
	"cmp"
	"encoding/binary"
	"path/filepath"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// Bounds of what a record keeps, in bytes and entries: a line stays well below MaxLine.
const (
	maxText  = 4 << 10 // reasons, and every text that is not input
	maxTrace = 32
)

// Decided is the record of a decided call, without time, version and duration.
func Decided(c *decide.Input, v decide.Verdict, a hookio.Answer) *Record {
	r := ofCall(c.Call, c.Policy)
	r.Event = EventDecision
	r.Mode = c.Policy.Mode.Value
	r.Decision, r.Answered = v.Decision().String(), Told(c.Call, a)
	if r.Observed = v.ObserveOnly(); r.Observed {
		r.Would = Told(c.Call, v.HostAnswer())
	}
	r.Step, r.Code = v.Step(), string(v.Code())
	if v.Origin() != v.Step() {
		r.Origin = v.Origin()
	}
	if v.Why().Rule != nil {
		r.Rule, r.RulePlace = v.Why().Rule.Text, v.Why().Rule.Pos.String()
	}
	if v.Why().Check != nil {
		r.Check = v.Why().Check.ID
	}
	if a := v.Approval(); a != nil {
		r.Approver, r.ApproverTook, r.ApproverFailed = cmp.Or(a.Answer, "none"), a.Took, a.Failed
	}
	if j := v.Why().Judged; j != nil {
		r.Auto, r.AutoBy, r.AutoID, r.AutoTook = cmp.Or(j.Verdict, "none"), j.Source, j.ID, j.Took
	}
	if r.Answered == Silence && !r.Observed && v.Why().Rule == nil && v.Why().Check == nil && !v.Why().Judged.Asked() {
		// the host decides by rules of its own, and most calls are of this kind:
		// that no rule of ours speaks about them is said by the step
		r.redact()
		return r
	}
	if v.Decision() == hookio.Ask {
		r.Part = v.Why().Part
	}
	r.Reason = cmp.Or(a.Reason, v.Reason()) // as it was told: an ask may be made of an allow, and say why
	if v.Decision() != hookio.Allow {
		told := v.Trace()[:min(len(v.Trace()), maxTrace)]
		r.Trace = make([]Entry, 0, len(told))
		for i := range told {
			e := &told[i]
			r.Trace = append(r.Trace, Entry{e.Step, e.Decision.String(), e.Reason})
		}
	}
	r.redact()
	return r
}

// Faulted is the record of a call that could not be decided; call and policy may be nil.
func Faulted(call *hookio.Call, p *rules.Policy, fault, why string, a hookio.Answer) *Record {
	r := &Record{Schema: Schema}
	if call != nil {
		r = ofCall(call, p)
		r.Answered = Told(call, a)
	}
	r.Event, r.Fault, r.Reason = EventDecision, fault, why
	r.Decision, r.Code = a.Decision.String(), string(say.CodeUndecided)
	if call != nil && !call.Event.Decides() {
		r.Event, r.Decision, r.Answered, r.Code = EventOutcome, "", "", ""
	}
	r.redact()
	return r
}

// Outcome is the record of an event after the call, nil for one that tells nothing.
func Outcome(call *hookio.Call, p *rules.Policy) *Record {
	r := ofCall(call, p)
	r.Event, r.OutcomeReason = EventOutcome, call.Note
	switch call.Event {
	case hookio.PostToolUse:
		r.Outcome, r.OutcomeReason = Ran, ""
	case hookio.PostToolUseFailure:
		r.Outcome = Failed
	case hookio.PermissionDenied:
		r.Outcome = Refused
	case hookio.SessionEnd:
		r.Event = EventSessionEnd
	default:
		return nil
	}
	r.Input = "" // the decision has it
	r.redact()
	return r
}

// CalledWith notes the arguments the hook was called with.
func (r *Record) CalledWith(args []string) {
	var b strings.Builder
	b.WriteString("permgate hook")
	for _, a := range args {
		b.WriteByte(' ')
		b.WriteString(grammar.Quote(a))
	}
	r.Command = b.String()
	r.clean(&r.Command)
}

// Told is what the host is told for an answer, as a record spells it.
func Told(call *hookio.Call, a hookio.Answer) string {
	if d := hookio.Told(call, a); d != hookio.Pass {
		return d.String()
	}
	return Silence
}

// ofCall is a record of what the host sent.
func ofCall(call *hookio.Call, p *rules.Policy) *Record {
	r := &Record{
		Schema: Schema, HostEvent: call.RawEvent, Session: call.SessionID,
		AgentID: call.AgentID, AgentType: call.AgentType, Cwd: call.Cwd, Dir: call.Dir, Tool: call.OwnTool(), CallID: call.CallID, RawMode: call.RawMode, Malformed: call.Malformed,
		Escape: call.Escape, Skill: call.Skill, SkillSource: call.SkillSource,
	}
	if call.Host != nil {
		r.Host = call.Host.Name
	}
	if r.HostEvent == "" {
		r.HostEvent = string(call.Event)
	}
	if call.RawTool != r.Tool {
		r.RawTool = call.RawTool
	}
	full := false
	if p != nil {
		r.Project, r.PolicyHash = p.Project.Given, p.Hash()
		full = p.Posture.AuditLevel().Level == "full"
		if r.Cwd == "" {
			r.Cwd = p.Cwd.Given
		}
	}
	if call.Host != nil && call.Input.IsObject() {
		input, hit := Deciding(call)
		r.Redacted = hit
		r.InputHash = hash(r.Tool, input)
		if r.Input = string(input); full {
			input, hit = whole(call)
			r.Input, r.Redacted = string(input), r.Redacted || hit
		}
	}
	return r
}

// redact takes the secrets out of every text but the input, which has been done.
func (r *Record) redact() {
	was := r.Reason
	for i := range Fields {
		if f := Fields[i].text; f != nil {
			r.clean(f(r))
		}
	}
	for i := range r.Trace {
		if e := &r.Trace[i]; e.Reason == was {
			e.Reason = r.Reason // the step that answered
		} else {
			r.clean(&e.Reason)
		}
	}
}

func (r *Record) clean(s *string) {
	text, hit := clean(*s, maxText)
	*s, r.Redacted = text, r.Redacted || hit
}

// CutMark ends a text that was longer.
const CutMark = " ... (cut)"

// clean redacts a text and cuts it to about limit bytes. It looks a little
// beyond, so that no secret is cut before it is recognised.
func clean(s string, limit int) (string, bool) {
	const margin = 4 << 10
	long := len(s) > limit
	if len(s) > limit+margin {
		s = s[:limit+margin]
		if i := strings.LastIndexAny(s, " \t\n"); i > limit {
			s = s[:i]
		}
	}
	s, hit := redact.Text(s)
	if long {
		s = strings.ToValidUTF8(s[:min(len(s), limit)], "") + CutMark
	}
	return s, hit
}

// Sum is the 64 bit FNV-1a hash of texts with a zero byte between them.
func Sum(first string, more ...string) uint64 {
	h := rules.FNV(rules.FNVStart, first)
	for _, text := range more {
		h = rules.FNV(h*rules.FNVPrime, text)
	}
	return h
}

// hash is the 64 bit FNV-1a hash of a tool and its input, in hexadecimal. It is
// made of the redacted input: a hash of a short password could be guessed.
func hash(tool string, input []byte) string {
	return rules.Hex(rules.FNV(rules.FNV(rules.FNVStart, tool)*rules.FNVPrime, input))
}

// A person who is asked the same thing again and again is told what would end it.
// How often that was is in a file of fixed size next to the log, so that a hook
// reads 64 bytes and no log of a week. What is in it decides nothing: a torn,
// foreign or forged file can only add or omit that sentence.

// asksName is the file with the counts.
const asksName = "log.asks"

// The file is a table by the hash of an ask: that hash, and when and in which
// sessions it was last asked. Another ask may take the slot over.
const (
	askSlots = 1024
	askTimes = 7
	askEntry = 8 // seconds since 1970, and the hash of the session: four bytes each
	askSlot  = 8 + askTimes*askEntry
)

// What counts as often, within what time, and how many times before are known.
const (
	AskedWithin    = 7 * 24 * time.Hour
	OftenInSession = 3
	OftenInWeek    = 5
	MostAsks       = askTimes
)

// Ends says which subcommand may end an ask: "allow" where an allow rule can, "report" where none
// can, "" where it is wanted or ends otherwise.
func Ends(step, code string) string {
	switch say.Code(code) {
	case say.CodeModeDefault, say.CodeOutsideWorkspace, say.CodeAddressNotListed:
		return "allow"
	case say.CodeAutoAsked:
		if step == "7" {
			return "allow"
		}
	case say.CodeDestructive, say.CodeSuspicious, say.CodeMalformed, say.CodeSensitivePath, say.CodeSecret, say.CodeNotUnderstood:
		return "report"
	}
	return ""
}

// Asks are the times one thing was asked before. Nil is good for Add.
type Asks struct {
	w       *Writer
	f       file
	found   bool // f is open
	at      int64
	key     uint64
	session uint32
	now     uint32
	slot    [askSlot]byte
}

// Asks looks up what is asked now.
func (w *Writer) Asks(c *decide.Input, v decide.Verdict, now time.Time) *Asks {
	part, _ := clean(v.Why().Part, maxText)
	check := ""
	if v.Why().Check != nil {
		check = v.Why().Check.ID
	}
	a := &Asks{w: w, key: AskKey(c.Policy.Project.Given, c.Call.Tool, string(v.Code()), check, part), now: uint32(now.Unix())}
	if c.Call.SessionID != "" {
		h := Sum(c.Call.SessionID)
		a.session = uint32(h) ^ uint32(h>>32) | 1
	}
	a.at = int64(a.key%askSlots) * askSlot
	var err error
	if a.f, err = openCounts(filepath.Join(w.Dir, asksName), false); err != nil {
		return a
	}
	a.found = true
	if !a.f.readAt(a.slot[:], a.at) || binary.LittleEndian.Uint64(a.slot[:]) != a.key {
		a.slot = [askSlot]byte{}
	}
	return a
}

// AskKey is the same for what is the same ask. It is redacted: a password could be guessed from it.
func AskKey(project, tool, code, check, part string) uint64 {
	return Sum(project, tool, code, check, part, "")
}

// Count is how often it was asked in this session and within a week, this time included. More
// than MostAsks is that or more.
func (a *Asks) Count() (session, week int) {
	session, week = 1, 1
	for i := range askTimes {
		e := a.slot[8+i*askEntry:]
		when, in := binary.LittleEndian.Uint32(e), binary.LittleEndian.Uint32(e[4:])
		if when == 0 || when > a.now || a.now-when > uint32(AskedWithin/time.Second) {
			continue
		}
		week++
		if in != 0 && in == a.session {
			session++
		}
	}
	return session, week
}

// Add counts this time, after the answer, and closes the file. Two processes may count as one.
func (a *Asks) Add() {
	if a == nil {
		return
	}
	if !a.found {
		var err error
		if a.f, err = openCounts(filepath.Join(a.w.Dir, asksName), true); err != nil {
			return
		}
	}
	defer a.f.close()
	if _, err := a.f.check(); err != nil {
		return
	}
	copy(a.slot[8+askEntry:], a.slot[8:askSlot-askEntry])
	binary.LittleEndian.PutUint64(a.slot[:], a.key)
	binary.LittleEndian.PutUint32(a.slot[8:], a.now)
	binary.LittleEndian.PutUint32(a.slot[12:], a.session)
	a.f.writeAt(a.slot[:], a.at)
}

// AskedPerson reports whether the call was one that Asks counts.
func (r *Record) AskedPerson() bool {
	asked := r.Event == EventDecision && r.Decision == hookio.Ask.String() && r.Answered == r.Decision
	return asked && r.Rule == "" && r.Part != "" && Ends(r.Step, r.Code) != ""
}
