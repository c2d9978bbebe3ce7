package sessions

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/tidwall/gjson"
)

// permgate is permgate's own log. What hooks were asked before and in the dialog is one
// call: the dialog's answer counts, unless it was silence.
var permgate = Format{
	Name:  "permgate",
	Title: "permgate's log",
	Files: []string{"${XDG_STATE_HOME:-~/.local/state}/permgate/log*.jsonl"},
	Is: func(line gjson.Result) bool {
		return strings.HasPrefix(line.Get("EventName").Str, "permgate.")
	},
	Lacks:  "secrets, which were redacted, and what programs that report no outcomes did with a call",
	Source: "docs/log.md",
	Read:   readLog,
}

// readLog goes on where the file before ended: a call's outcome may be in the next file.
func readLog(f *File, take func(*Call) error) error {
	if f.Seen.log == nil {
		f.Seen.log = newWindow(f, take)
	}
	return f.lines((&logReader{f: f, w: f.Seen.log, hooks: map[string]hookFlags{}, again: map[string]bool{}}).line)
}

type logReader struct {
	f     *File
	w     *window
	hooks map[string]hookFlags // by their command lines
	again map[string]bool      // keys of calls that were met before: their dialogs were, too
}

// hookFlags is what gate.LoggedFlags returns.
type hookFlags struct {
	flags *gate.Flags
	err   error
}

// flags are those of a hook's command line, which is one of few.
func (r *logReader) flags(command string) hookFlags {
	h, ok := r.hooks[command]
	if !ok {
		if len(r.hooks) >= maxRemembered {
			clear(r.hooks)
		}
		h.flags, h.err = gate.LoggedFlags(command)
		r.hooks[command] = h
	}
	return h
}

func (r *logReader) line(line []byte) error {
	rec, ok := log.Parse(line)
	if !ok {
		r.unread(line)
		return nil
	}
	switch rec.Event {
	case log.EventDecision:
		return r.decision(&rec)
	case log.EventOutcome:
		return r.outcome(&rec)
	case log.EventSessionEnd:
	default:
		r.f.Counts.Unknown++
	}
	return nil
}

// unread counts a line that is no record.
func (r *logReader) unread(line []byte) {
	switch {
	case len(line) > log.MaxLine, !gjson.ValidBytes(line):
		r.f.Counts.Torn++
	case log.Newer(line):
		r.f.Counts.Newer++
	default:
		r.f.Counts.Unknown++
	}
}

// decision adds a decision, or joins it to the call it is a second one about.
func (r *logReader) decision(rec *log.Record) error {
	keys := rec.Keys()
	asks := rec.OfDialog()
	for i, k := range keys {
		had := r.w.get(k)
		switch {
		case asks && r.again[k]:
			r.f.Counts.Duplicates++
			return nil
		case had == nil || i > 0 && !asks:
		case asks:
			r.dialog(had.call, rec)
			return nil
		default:
			r.f.Counts.Duplicates++
			return nil
		}
	}
	h, err := r.w.add(r.call(rec), "", keys[:]...)
	for _, k := range keys {
		if len(r.again) >= maxRemembered {
			clear(r.again)
		}
		if k != "" && h == nil {
			r.again[k] = true
		}
	}
	return err
}

func (r *logReader) call(rec *log.Record) *Call {
	c := &Call{Host: rec.Host, ID: rec.CallID, Session: rec.Session, Time: known(rec.Time)}
	r.answered(c, rec)
	switch {
	case rec.Answered == hookio.Ask.String(), rec.Answered == log.Silence && rec.OfDialog():
		c.Prompted = Yes
	case rec.Answered != log.Silence:
		c.Prompted = No
	}
	return c
}

// answered takes the call and the answer of a decision.
func (r *logReader) answered(c *Call, rec *log.Record) {
	h := r.flags(rec.Command)
	call, why := gate.AgainUnder(rec, h.flags, h.err)
	c.Call, c.Flags, c.Hook, c.Then = call, h.flags, rec.Command, rec.Answered
	if call == nil {
		why, _, _ = strings.Cut(why, " (")
		c.Skip, _, _ = strings.Cut(why, ": ")
	}
}

// dialog joins what was decided about the dialog of a call.
func (r *logReader) dialog(c *Call, rec *log.Record) {
	if rec.Answered == log.Silence || rec.Answered == "" {
		c.Prompted = Yes
		return
	}
	r.answered(c, rec)
	if c.Call != nil && c.CallID == "" {
		c.CallID = c.ID
	}
	c.Prompted = No
	if rec.Answered == hookio.Ask.String() {
		c.Prompted = Yes
	}
}

// outcome joins an outcome to its call.
func (r *logReader) outcome(rec *log.Record) error {
	for _, k := range rec.Keys() {
		h := r.w.get(k)
		if h == nil {
			continue
		}
		c := h.call
		c.Outcome = rec.Outcome
		if rec.Outcome == log.Refused {
			c.refusedLogged(rec)
		}
		return r.w.settle(h)
	}
	return nil
}

// refusedLogged says who refused a call: a person, permgate, or (mode auto) the own classifier.
func (c *Call) refusedLogged(rec *log.Record) {
	h := hookio.Lookup(rec.Host)
	switch {
	case c.Prompted == Yes:
		c.RefusedBy = ByUser
	case c.Then == hookio.Deny.String():
		c.RefusedBy = ByRule
	case h != nil && h.AutoClassifier && rec.RawMode == "auto":
		c.RefusedBy = ByClassifier
	default:
		c.RefusedBy = ByUnknown
	}
}

// payload is what hooks are sent, one call per line: what check --lines reads.
var payload = Format{
	Name:  "payload",
	Title: "hook payloads, one per line",
	Is: func(line gjson.Result) bool {
		return line.Get("hook_event_name").Exists() || line.Get("tool_name").Exists() || line.Get("toolName").Exists()
	},
	Lacks:  "whether somebody was asked, and whether the calls ran",
	Source: "hookio.Read",
	Read: func(f *File, take func(*Call) error) error {
		return f.lines(func(line []byte) error {
			call, err := hookio.Read(bytes.NewReader(line), hookio.Options{})
			c := &Call{Call: call}
			switch {
			case err != nil && (tooDeep(line) || !gjson.ValidBytes(line)):
				f.Counts.Torn++
				return nil
			case err != nil:
				c.Call, c.Skip = nil, "it is no payload of a hook"
			case !call.Event.Decides():
				f.Counts.Unknown++
				return nil
			default:
				c.ID, c.Session, c.Host = call.CallID, call.SessionID, call.Host.Name
				if f.Seen.Again(c.Host, c.seenAs()) {
					f.Counts.Duplicates++
					return nil
				}
			}
			f.Counts.Calls++
			c.Format = f.Format
			return take(c)
		})
	},
}

// Reasons why a call cannot be decided again.
const (
	skipAmbiguous = "the program sent ambiguous input"
	skipNoCall    = "it holds no tool call that a hook would be asked about"
	skipText      = "its input is a program text, not a command"
	skipArguments = "its arguments are not a JSON object"
)

// A recorded is what a session file says about one call, as the program's hook would.
type recorded struct {
	host, event        string // event: "" is PreToolUse
	tool, id           string
	input              string // JSON
	session, cwd, mode string
	agent, agentType   string
	time               string // RFC 3339
	skip               string // why it cannot be decided again; "" when it can
	about              string // see held
}

// call makes of it what the hook's payload of the same call is read as.
func (r *recorded) call() *Call {
	c := &Call{Host: r.host, ID: strings.Clone(r.id), Session: strings.Clone(r.session), Time: r.at(), Skip: r.skip}
	if r.skip != "" {
		return c
	}
	call, err := hookio.Read(strings.NewReader(r.payload()), hookio.Options{Host: r.host})
	switch {
	case err != nil:
		c.Skip = skipNoCall
	case call.Malformed != "":
		c.Skip = skipAmbiguous
	default:
		c.Call = call
	}
	return c
}

func (r *recorded) at() time.Time {
	t, _ := time.Parse(time.RFC3339, r.time)
	return known(t)
}

// known is a time that JSON can write; zero, which is not known, for any other.
func known(t time.Time) time.Time {
	if t = t.UTC(); t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

func (r *recorded) payload() string {
	b := make([]byte, 0, 512+len(r.input))
	b = append(b, '{')
	for _, m := range [...]struct{ key, value string }{
		{"hook_event_name", cmp.Or(r.event, "PreToolUse")}, {"session_id", r.session}, {"cwd", r.cwd}, {"permission_mode", r.mode}, {"agent_id", r.agent},
		{"agent_type", r.agentType}, {"tool_use_id", r.id}, {"tool_name", r.tool},
	} {
		if m.value != "" {
			b = append(hookio.AppendJSON(b, m.key), ':')
			b = append(hookio.AppendJSON(b, m.value), ',')
		}
	}
	b = append(append(b, `"tool_input":`...), r.input...)
	return string(append(b, '}'))
}

// uses hands on the calls in a message's content: blocks in the form of Claude's interface.
func uses(content gjson.Result, take func(block gjson.Result) error) error {
	return blocks(content, "tool_use", take)
}

// results hands the results in the content of a message on, and the call each is of.
func (w *window) results(content gjson.Result, take func(c *Call, block gjson.Result)) error {
	return blocks(content, "tool_result", func(block gjson.Result) error {
		h := w.get(block.Get("tool_use_id").Str)
		if h == nil {
			return nil
		}
		take(h.call, block)
		return w.settle(h)
	})
}

func blocks(content gjson.Result, kind string, take func(gjson.Result) error) (err error) {
	content.ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == kind {
			err = take(block)
		}
		return err == nil
	})
	return err
}

// of is the call of a block.
func (r recorded) of(block gjson.Result) recorded {
	r.tool, r.id, r.input = block.Get("name").String(), block.Get("id").Str, block.Get("input").Raw
	return r
}

// plainResult notes a result that may be of a call that failed or of one that was refused.
func plainResult(c *Call, block gjson.Result) {
	if !block.Get("is_error").Bool() {
		c.ended(false)
	}
}

// Alike is equal for calls that are decided alike.
func (c *Call) Alike() string {
	call := c.Call
	input := call.Input.Raw
	if call.Command != "" && !call.OfServer() { // without the description, which differs from time to time
		input = fmt.Sprintf("%q %q %q %q %q %q %v", call.Command, call.Malformed, call.URL, call.AlsoURL, call.Under,
			call.AlsoTool, call.Args)
	}
	return strings.Join([]string{
		c.Hook, c.Host, call.RawEvent, call.Cwd, call.Dir, call.Project, call.Mode, call.AgentID, call.AgentType,
		call.Tool, call.RawTool, input,
	}, "\x00")
}
