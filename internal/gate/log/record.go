// Package log is the audit log: what the hook was asked, what it answered, and
// how the call ended. One record is one line of JSON in the state folder.
//
// The hook writes it after its answer, so that no disk can change or delay a
// decision. Only redacted text is ever handed to this package's writer.
package log

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
)

// Schema is the format's version. It grows when a field changes its meaning, not for new fields.
const Schema = 1

// The events of a record.
const (
	EventDecision   = "decision"    // a call was decided, or could not be
	EventOutcome    = "outcome"     // the host said how a call ended
	EventSessionEnd = "session_end" // the host said that a session is over
)

// How a call ended (Record.Outcome).
const (
	Ran     = "ran"     // the tool ran to its end
	Failed  = "failed"  // the tool ran, or tried to, and reported an error
	Refused = "refused" // the host or its user did not let it run
)

// Silence is the value of Record.Answered when the host got no answer.
const Silence = "silence"

// A Record is one line of the log, of redacted texts, without fields that are empty, false or zero.
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

	Tool               string // canonical name
	RawTool            string // as the host sent it, where that is another
	CallID             string // the host's id of the call
	Skill, SkillSource string // hookio.Call's
	// Input is the redacted tool input as JSON: at level full all of it, else
	// what decides. InputHash is a hash of tool and what decides, redacted, so
	// that decision and outcome of one call meet, and no secret can be guessed.
	Input     string
	InputHash string
	Redacted  bool // something in this record was replaced

	Escape    string        // hookio.Call.Escape
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
	Code      string        // say.Code: why, for programs
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

	// Trace is every step up to the one that answered; empty for an allowed call, or no reason.
	Trace []Entry

	// PolicyHash is a hash of the settings files read: it tells whether they changed since.
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

// Keys are a call's names in its session: the program's id, or the hash of its input; "" for none.
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

// A Field is one key of a line, what it means and its part of a Record, for all who use the format.
type Field struct {
	Name string // "Body", "Resource/service.version", "Attributes/session.id"
	Type string // of the JSON value
	Doc  string

	text func(*Record) *string
	num  func(*Record) *int
	flag func(*Record) *bool
}

// groupTop is the group of the keys that are in none.
const groupTop = ""

// Fields are the keys of a line. The names are those of OpenTelemetry's log
// data model and, where there is one, of its semantic conventions
// (opentelemetry.io/docs/specs/otel/logs/data-model and .../semconv, gen-ai).
var Fields = [...]Field{
	{Name: "Timestamp", Type: "string", Doc: "when the record was made: RFC 3339, UTC, microseconds"},
	{Name: "SeverityText", Type: "string", Doc: "INFO; WARN for a deny and for a call that failed or was refused; ERROR for an internal error"},
	{Name: "SeverityNumber", Type: "number", Doc: "9, 13 or 17"},
	{Name: "EventName", Type: "string", Doc: "permgate.decision, permgate.outcome or permgate.session_end"},
	{Name: "Body", Type: "string", Doc: "the reason for the decision, one sentence; missing if no rule or check matched and the program was told nothing", text: func(r *Record) *string { return &r.Reason }},

	{Name: "Resource/service.name", Type: "string", Doc: "permgate"},
	{Name: "Resource/service.version", Type: "string", Doc: "version of the binary that wrote the line", text: func(r *Record) *string { return &r.Version }},

	{Name: "Attributes/permgate.schema", Type: "number", Doc: "version of this format", num: func(r *Record) *int { return &r.Schema }},
	{Name: "Attributes/permgate.host", Type: "string", Doc: "the agent program, as in --host", text: func(r *Record) *string { return &r.Host }},
	{Name: "Attributes/process.command_line", Type: "string", Doc: "how the hook was called: its options, without the path", text: func(r *Record) *string { return &r.Command }},
	{Name: "Attributes/permgate.host_event", Type: "string", Doc: "the hook event, as named by the host", text: func(r *Record) *string { return &r.HostEvent }},
	{Name: "Attributes/session.id", Type: "string", Doc: "the host's session", text: func(r *Record) *string { return &r.Session }},
	{Name: "Attributes/gen_ai.agent.id", Type: "string", Doc: "the subagent that called", text: func(r *Record) *string { return &r.AgentID }},
	{Name: "Attributes/gen_ai.agent.name", Type: "string", Doc: "its type", text: func(r *Record) *string { return &r.AgentType }},
	{Name: "Attributes/process.working_directory", Type: "string", Doc: "working directory of the call, as sent or else as found", text: func(r *Record) *string { return &r.Cwd }},
	{Name: "Attributes/permgate.dir", Type: "string", Doc: "folder the call asks to run in, if different", text: func(r *Record) *string { return &r.Dir }},
	{Name: "Attributes/permgate.project", Type: "string", Doc: "the project root in effect", text: func(r *Record) *string { return &r.Project }},
	{Name: "Attributes/gen_ai.tool.name", Type: "string", Doc: "canonical name of the tool", text: func(r *Record) *string { return &r.Tool }},
	{Name: "Attributes/permgate.raw_tool", Type: "string", Doc: "the host's name for the tool, if different", text: func(r *Record) *string { return &r.RawTool }},
	{Name: "Attributes/gen_ai.tool.call.id", Type: "string", Doc: "the host's id of the call", text: func(r *Record) *string { return &r.CallID }},
	{Name: "Attributes/permgate.skill", Type: "string", Doc: "the skill or slash command whose text holds the command", text: func(r *Record) *string { return &r.Skill }},
	{Name: "Attributes/permgate.skill_source", Type: "string", Doc: "whose it is, as named by the host", text: func(r *Record) *string { return &r.SkillSource }},
	{Name: "Attributes/gen_ai.tool.call.arguments", Type: "object", Doc: "the input, redacted: its deciding parts, or all of it with \"audit\": \"full\""},
	{Name: "Attributes/permgate.input_hash", Type: "string", Doc: "hash of the tool and the deciding parts of the input, redacted; the same for decision and outcome of a call", text: func(r *Record) *string { return &r.InputHash }},
	{Name: "Attributes/permgate.redacted", Type: "boolean", Doc: "true when a secret was replaced in this record", flag: func(r *Record) *bool { return &r.Redacted }},
	{Name: "Attributes/permgate.sandbox_escape", Type: "string", Doc: "what asks to run the command outside of the program's sandbox: a field of the input, or the event", text: func(r *Record) *string { return &r.Escape }},
	{Name: "Attributes/permgate.malformed", Type: "string", Doc: "why the input is ambiguous, so that it is only asked about or denied", text: func(r *Record) *string { return &r.Malformed }},
	{Name: "Attributes/permgate.raw_mode", Type: "string", Doc: "the permission mode as the host sent it", text: func(r *Record) *string { return &r.RawMode }},
	{Name: "Attributes/permgate.mode", Type: "string", Doc: "the permission mode in effect", text: func(r *Record) *string { return &r.Mode }},
	{Name: "Attributes/permgate.decision", Type: "string", Doc: "what was decided: allow, ask or deny", text: func(r *Record) *string { return &r.Decision }},
	{Name: "Attributes/permgate.answered", Type: "string", Doc: "what the host was told: allow, ask, deny or silence", text: func(r *Record) *string { return &r.Answered }},
	{Name: "Attributes/permgate.observed", Type: "boolean", Doc: "true if \"enforce\" was false, so the decision was not answered", flag: func(r *Record) *bool { return &r.Observed }},
	{Name: "Attributes/permgate.would_answer", Type: "string", Doc: "what the host would have been told then: allow, ask, deny or silence", text: func(r *Record) *string { return &r.Would }},
	{Name: "Attributes/permgate.step", Type: "string", Doc: "the step that decided", text: func(r *Record) *string { return &r.Step }},
	{Name: "Attributes/permgate.origin", Type: "string", Doc: "the step whose answer it tightened", text: func(r *Record) *string { return &r.Origin }},
	{Name: "Attributes/permgate.rule", Type: "string", Doc: "the rule that decided", text: func(r *Record) *string { return &r.Rule }},
	{Name: "Attributes/permgate.rule_place", Type: "string", Doc: "its place: file:line:col", text: func(r *Record) *string { return &r.RulePlace }},
	{Name: "Attributes/permgate.check", Type: "string", Doc: "the check that decided", text: func(r *Record) *string { return &r.Check }},
	{Name: "Attributes/permgate.code", Type: "string", Doc: "the [reason code](reference.md#reason-codes), for programs", text: func(r *Record) *string { return &r.Code }},
	{Name: "Attributes/permgate.part", Type: "string", Doc: "the command or path that an ask is about; the same ask has the same project, tool, code, check and part", text: func(r *Record) *string { return &r.Part }},
	{Name: "Attributes/permgate.approver", Type: "string", Doc: "what the approver answered, none if nothing that counts came back; missing if it was not asked", text: func(r *Record) *string { return &r.Approver }},
	{Name: "Attributes/permgate.approver_ms", Type: "number", Doc: "milliseconds its answer was waited for"},
	{Name: "Attributes/permgate.approver_error", Type: "string", Doc: "why nothing was saved, though it answered so", text: func(r *Record) *string { return &r.ApproverFailed }},
	{Name: "Attributes/permgate.auto", Type: "string", Doc: "what mode auto made of the call: allow, soft_deny, hard_deny, or none if your classifier gave no verdict that counts", text: func(r *Record) *string { return &r.Auto }},
	{Name: "Attributes/permgate.auto_by", Type: "string", Doc: "who said so: list, local (the shell analysis), operator (your classifier) or cache (what it said before)", text: func(r *Record) *string { return &r.AutoBy }},
	{Name: "Attributes/permgate.auto_id", Type: "string", Doc: "the built-in entry that matched", text: func(r *Record) *string { return &r.AutoID }},
	{Name: "Attributes/permgate.auto_ms", Type: "number", Doc: "milliseconds your classifier was waited for"},
	{Name: "Attributes/permgate.trace", Type: "list of objects", Doc: "step, decision and reason of every step up to the one that answered; missing if the call was allowed or there is no reason"},
	{Name: "Attributes/permgate.duration_us", Type: "number", Doc: "microseconds from the start of main to the answer"},
	{Name: "Attributes/permgate.policy_hash", Type: "string", Doc: "hash of the settings files that were read", text: func(r *Record) *string { return &r.PolicyHash }},
	{Name: "Attributes/error.type", Type: "string", Doc: "why the call could not be decided: panic, deadline, unreadable, too_long, usage, or unwritten if the host did not accept the answer", text: func(r *Record) *string { return &r.Fault }},
	{Name: "Attributes/permgate.outcome", Type: "string", Doc: "the outcome of the call: ran, failed or refused", text: func(r *Record) *string { return &r.Outcome }},
	{Name: "Attributes/permgate.outcome_reason", Type: "string", Doc: "why, as told by the host", text: func(r *Record) *string { return &r.OutcomeReason }},
}

// AppendJSON appends the line of r to dst, newline included.
func (r *Record) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	group := groupTop
	for i := range Fields {
		f := &Fields[i]
		in, key := f.split()
		dst, group = enter(dst, group, in)
		dst = f.append(dst, key, r)
	}
	dst, _ = enter(dst, group, groupTop)
	return append(dst, "}\n"...)
}

// split returns the group of a field and its key in it.
func (f *Field) split() (group, key string) {
	for i := range len(f.Name) {
		if f.Name[i] == '/' {
			return f.Name[:i+1], f.Name[i+1:]
		}
	}
	return groupTop, f.Name
}

// enter closes one group and opens the next.
func enter(dst []byte, from, to string) ([]byte, string) {
	if from == to {
		return dst, to
	}
	if from != groupTop {
		dst = append(dst, '}')
	}
	if to != groupTop {
		dst = append(appendKey(dst, to[:len(to)-1]), '{')
	}
	return dst, to
}

// append writes one field, or nothing where it is empty.
func (f *Field) append(dst []byte, key string, r *Record) []byte {
	switch {
	case f.text != nil:
		if s := *f.text(r); s != "" {
			return hookio.AppendJSON(appendKey(dst, key), hookio.Escape(s))
		}
		return dst
	case f.num != nil:
		return strconv.AppendInt(appendKey(dst, key), int64(*f.num(r)), 10)
	case f.flag != nil:
		if *f.flag(r) {
			return append(appendKey(dst, key), "true"...)
		}
		return dst
	}
	switch f.Name {
	case "Timestamp":
		dst = append(appendKey(dst, key), '"')
		return append(r.Time.UTC().AppendFormat(dst, timeFormat), '"')
	case "SeverityText":
		text, _ := r.severity()
		return hookio.AppendJSON(appendKey(dst, key), text)
	case "SeverityNumber":
		_, n := r.severity()
		return strconv.AppendInt(appendKey(dst, key), int64(n), 10)
	case "EventName":
		return hookio.AppendJSON(appendKey(dst, key), eventPrefix+r.Event)
	case "Resource/service.name":
		return append(appendKey(dst, key), `"permgate"`...)
	case "Attributes/gen_ai.tool.call.arguments":
		if r.Input != "" {
			return append(appendKey(dst, key), r.Input...)
		}
	case "Attributes/permgate.trace":
		return appendTrace(dst, key, r.Trace)
	case "Attributes/permgate.approver_ms":
		if r.Approver != "" {
			return strconv.AppendInt(appendKey(dst, key), r.ApproverTook.Milliseconds(), 10)
		}
	case "Attributes/permgate.auto_ms":
		if r.AutoTook > 0 {
			return strconv.AppendInt(appendKey(dst, key), r.AutoTook.Milliseconds(), 10)
		}
	case "Attributes/permgate.duration_us":
		if r.Duration > 0 {
			return strconv.AppendInt(appendKey(dst, key), r.Duration.Microseconds(), 10)
		}
	}
	return dst
}

const (
	timeFormat  = "2006-01-02T15:04:05.000000Z07:00"
	eventPrefix = "permgate."
)

func appendTrace(dst []byte, key string, trace []Entry) []byte {
	if len(trace) == 0 {
		return dst
	}
	dst = append(appendKey(dst, key), '[')
	for i, e := range trace {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		for _, m := range [...]struct{ key, value string }{{"step", e.Step}, {"decision", e.Decision}, {"reason", e.Reason}} {
			if m.value != "" {
				dst = hookio.AppendJSON(appendKey(dst, m.key), hookio.Escape(m.value))
			}
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendKey writes a key, after a comma unless it is the first.
func appendKey(dst []byte, key string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(hookio.AppendJSON(dst, key), ':')
}

// MaxLine bounds a line, in bytes: the writer stays below it, and the reader skips a longer one.
const MaxLine = 1 << 20

// Parse reads one line. ok is false for anything that is not a whole record of
// this log: a torn line, a line of another program. Unknown keys are ignored,
// and so are values of another type. A whole record after a torn one, whose
// writer did not get to its newline, is found.
func Parse(line []byte) (r Record, ok bool) {
	line = bytes.TrimSpace(line)
	if r, ok = parse(line); ok {
		return r, true
	}
	for range maxTorn {
		i := bytes.Index(line[min(1, len(line)):], []byte(opening))
		if i < 0 {
			break
		}
		line = line[i+1:]
		if r, ok = parse(line); ok {
			return r, true
		}
	}
	return Record{}, false
}

// maxTorn bounds how many torn records before a whole one are passed over.
const maxTorn = 8

// opening starts every record, and nothing in one but an input with this key: strings are escaped.
const opening = `{"Timestamp":"`

func parse(line []byte) (r Record, ok bool) {
	if len(line) == 0 || len(line) > MaxLine || line[0] != '{' || !gjson.ValidBytes(line) {
		return Record{}, false
	}
	root := gjson.ParseBytes(line)
	group := ""
	fill := func(k, v gjson.Result) bool {
		r.set(group+k.Str, v)
		return true
	}
	root.ForEach(func(k, v gjson.Result) bool {
		if v.IsObject() {
			group = k.Str + "/"
			v.ForEach(fill)
			group = ""
			return true
		}
		return fill(k, v)
	})
	return r, !r.Time.IsZero() && r.Event != "" && r.Schema > 0 && r.Schema <= Schema
}

// Newer reports whether a line is a record of a later schema, with other meanings maybe.
func Newer(line []byte) bool {
	return gjson.ValidBytes(line) && gjson.GetBytes(line, "Attributes.permgate\\.schema").Num > Schema
}

// set stores one value of a line.
func (r *Record) set(name string, v gjson.Result) {
	for i := range Fields {
		f := &Fields[i]
		if f.Name != name {
			continue
		}
		switch {
		case f.text != nil:
			if v.Type == gjson.String {
				*f.text(r) = v.Str
			}
		case f.num != nil:
			if v.Type == gjson.Number {
				*f.num(r) = int(v.Int())
			}
		case f.flag != nil:
			*f.flag(r) = v.Type == gjson.True
		default:
			r.setOther(name, v)
		}
		return
	}
}

func (r *Record) setOther(name string, v gjson.Result) {
	switch name {
	case "Timestamp":
		r.Time, _ = time.Parse(time.RFC3339Nano, v.Str)
	case "EventName":
		if event, ok := strings.CutPrefix(v.Str, eventPrefix); ok {
			r.Event = event
		}
	case "Attributes/gen_ai.tool.call.arguments":
		r.Input = v.Raw
	case "Attributes/permgate.approver_ms":
		r.ApproverTook = time.Duration(v.Int()) * time.Millisecond
	case "Attributes/permgate.auto_ms":
		r.AutoTook = time.Duration(v.Int()) * time.Millisecond
	case "Attributes/permgate.duration_us":
		r.Duration = time.Duration(v.Int()) * time.Microsecond
	case "Attributes/permgate.trace":
		v.ForEach(func(_, e gjson.Result) bool {
			r.Trace = append(r.Trace, Entry{e.Get("step").String(), e.Get("decision").String(), e.Get("reason").String()})
			return true
		})
	}
}
