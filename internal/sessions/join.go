package sessions

import (
	"cmp"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/log"
)

// A window holds calls back, in order, until what became of them is known. It is
// bounded: the oldest is handed on without an outcome where too much would wait.
type window struct {
	f     *File
	take  func(*Call) error
	queue []*held
	open  map[string]*held
	size  int
}

// A held call waits for its outcome.
type held struct {
	call  *Call
	about any      // what else the reader knows of it
	keys  []string // it is met by
	size  int
	known bool // what became of it is
}

// Bounds of a window: calls, and bytes of what they hold.
const (
	maxHeld     = 256
	maxHeldSize = 8 << 20
)

func newWindow(f *File, take func(*Call) error) *window {
	return &window{f: f, take: take, open: map[string]*held{}}
}

// add takes a call that can be met by the keys, unless it was met before: in this
// file or another one.
func (w *window) add(c *Call, about any, keys ...string) (*held, error) {
	if w.f.Seen.Again(c.Host, c.seenAs()) {
		w.f.Counts.Duplicates++
		return nil, nil
	}
	h := &held{call: c, about: about, size: 512}
	if c.Call != nil {
		h.size += len(c.Input.Raw)
	}
	for _, k := range keys {
		if k != "" {
			h.keys = append(h.keys, k)
			w.open[k] = h
		}
	}
	h.known = len(h.keys) == 0
	w.f.Counts.Calls++
	c.Format = w.f.Format
	w.queue = append(w.queue, h)
	w.size += h.size
	return h, w.pass()
}

// sureID is how long an id is at least that no other session has.
const sureID = 16

// seenAs is what a call is known by among those of all files.
func (c *Call) seenAs() string {
	if c.ID == "" || len(c.ID) >= sureID {
		return c.ID
	}
	return c.Session + "\x00" + c.ID
}

// get returns the call that a key names and that still waits, nil for none.
func (w *window) get(key string) *held {
	if key == "" {
		return nil
	}
	return w.open[key]
}

// settle hands on what is ready, once the outcome of a call is known.
func (w *window) settle(h *held) error {
	h.known = true
	w.forget(h)
	return w.pass()
}

func (w *window) forget(h *held) {
	for _, k := range h.keys {
		if w.open[k] == h {
			delete(w.open, k)
		}
	}
}

// pass hands on the first calls, as long as they are ready or too many wait.
func (w *window) pass() error {
	for len(w.queue) > 0 && (w.queue[0].known || len(w.queue) > maxHeld || w.size > maxHeldSize) {
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

// end hands on what is left.
func (w *window) end() error {
	for len(w.queue) > 0 {
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

func (w *window) next() error {
	h := w.queue[0]
	w.queue[0] = nil
	w.queue = w.queue[1:]
	w.size -= h.size
	w.forget(h)
	return w.take(h.call)
}

// Reasons why a call cannot be decided again.
const (
	skipAmbiguous = "the program sent ambiguous input"
	skipNoCall    = "it holds no tool call that a hook would be asked about"
	skipText      = "its input is a program text, not a command"
	skipArguments = "its arguments are not a JSON object"
)

// A recorded is what a session file says about one call, in the words of the
// program's hook.
type recorded struct {
	host, event        string // event: "" is PreToolUse
	tool, id           string
	input              string // JSON
	session, cwd, mode string
	agent, agentType   string
	time               string // RFC 3339
}

// call makes of it what the hook's payload of the same call is read as.
func (r *recorded) call(where string) *Call {
	c := &Call{Where: where, Host: r.host, ID: strings.Clone(r.id), Session: strings.Clone(r.session)}
	c.Time, _ = time.Parse(time.RFC3339, r.time)
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

// skipped is call, or what is skipped for a reason.
func (r *recorded) skipped(where, why string) *Call {
	if why == "" {
		return r.call(where)
	}
	c := &Call{Where: where, Host: r.host, ID: strings.Clone(r.id), Session: strings.Clone(r.session), Skip: why}
	c.Time, _ = time.Parse(time.RFC3339, r.time)
	return c
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

// refused notes that a call was refused, by whom, and the program's word for it.
// Who refused a call was asked.
func (c *Call) refused(by, word string) {
	c.Outcome, c.RefusedBy, c.Denial = log.Refused, by, strings.Clone(word)
	switch by {
	case byUser:
		c.Prompted = Yes
	case byRule, byClassifier:
		c.Prompted = No
	}
}

// ended notes how a call that ran came out.
func (c *Call) ended(failed bool) {
	c.Outcome = log.Ran
	if failed {
		c.Outcome = log.Failed
	}
}

// Who refused a call.
const (
	byUser       = "user"
	byRule       = "rule"
	byClassifier = "classifier"
	byUnknown    = "unknown"
)

// A sentence is how a program tells that a call did not run. Where by is "" it is not
// known whether it did.
type sentence struct{ begins, holds, by string }

// refusedBy reports whether one of the texts says that the call did not run, and
// notes who refused it.
func (c *Call) refusedBy(sentences []sentence, texts ...string) bool {
	for _, text := range texts {
		for _, s := range sentences {
			if strings.HasPrefix(text, s.begins) && strings.Contains(text, s.holds) {
				if s.by != "" {
					c.refused(s.by, "")
				}
				return true
			}
		}
	}
	return false
}
