package hookio

import (
	"io"
	"slices"

	"github.com/tidwall/gjson"
)

// MaxPayload is the largest payload read from a host, in bytes.
const MaxPayload = 16 << 20

// Options are the flags that say what the payload may not: who calls, and for which event.
type Options struct {
	Host  string // --host
	Event string // --event
}

// A Problem is why no call could be read from a payload.
type Problem struct {
	Msg string
	// TooLong is set when the payload is over MaxPayload; Call holds what flags say, to be denied.
	TooLong bool
}

func (p *Problem) Error() string { return p.Msg }

// Read reads exactly one JSON value from r, without waiting for end of file,
// and returns the call in it. The error is a *Problem. Call and error are both
// set only when the payload is too long.
//
// A payload that names no event is a PreToolUse; hook_event_name wins over
// Options.Event, because the answer must have the form of the event that fired.
func Read(r io.Reader, o Options) (*Call, error) {
	text, long := readObject(r)
	if long != nil && !long.TooLong {
		return nil, long
	}
	top := topOf(text)
	c := &Call{}
	found, p := c.setHost(top, o)
	if p != nil {
		return nil, p
	}
	if c.setEvent(top, o); !c.Event.Decides() && found.event(c.RawEvent).Decides() {
		return nil, &Problem{Msg: "the payload is from " + found.Title + ": register its hook with --host " + found.Name}
	}
	if long != nil {
		c.Malformed = long.Msg
		if c.Event.Decides() {
			c.RawTool = top.Get(c.Host.field("tool_name", top)).Str
			c.named()
		}
		return c, long
	}
	if c.Host.Decode != nil {
		c.Host.Decode(c, top)
	} else {
		decode(c, top)
	}
	if !c.Event.Decides() {
		c.setNote(top)
		c.Interrupted = top.Get("is_interrupt").Bool()
		if c.Event == PostToolUse && c.Host.Refused != nil && c.Host.Refused(top) {
			c.Event, c.Note = PermissionDenied, top.Get("tool_response").Str
		}
		return c, nil
	}
	if c.RawTool == "" || !c.Input.Exists() {
		return nil, &Problem{Msg: "the payload holds no tool call: tool_name and tool_input are needed"}
	}
	return c, nil
}

// setNote keeps why a call failed or was refused, or a session ended.
func (c *Call) setNote(top Top) {
	for _, name := range [...]string{"reason", "error", "error_message"} {
		if v := top.Get(name); v.Type == gjson.String && v.Str != "" {
			c.Note = v.Str
			return
		}
	}
}

// Unread is a call as far as the flags tell, for faults before one is read.
func Unread(o Options) *Call {
	c := &Call{Host: Lookup(o.Host), RawEvent: o.Event}
	if c.Host == nil {
		c.Host = &generic
	}
	if c.Event = c.Host.event(o.Event); c.Event == "" {
		c.Event = PreToolUse
	}
	return c
}

// Again is the call that Read would make of c, which holds what a payload says
// besides the tool's input (Host, Event, RawEvent, Tool, RawTool, Cwd, RawMode
// and so on), and an input, which may be what a log kept of one. Cwd and Dir are
// where the call leads; an input that names a folder to go into does not move them.
// What c holds of another input is dropped.
func (c Call) Again(input string) *Call {
	cwd, dir := c.Cwd, c.Dir
	c.Command, c.URL, c.Name, c.HasName, c.Label, c.Primary, c.PlanFile = "", "", "", false, false, "", ""
	c.AlsoURL, c.Args, c.Under, c.Filter = nil, nil, nil, nil
	if c.RawTool == "" {
		c.RawTool = c.Tool
	}
	c.Mode = lookup(c.Host.Modes, c.RawMode)
	c.rename()
	c.Input = gjson.Parse(input)
	readInput(&c)
	c.Cwd = cwd
	if dir != "" {
		c.Dir = dir
	}
	return &c
}

// rename finds the other names of a tool once more, unless fields of the payload named it.
func (c *Call) rename() {
	tool := c.OwnTool()
	c.named()
	c.cutMCP()
	if c.Tool != tool && !slices.Contains(c.AlsoTool, tool) && OtherTool(c.RawTool) != tool {
		c.Tool, c.AlsoTool = tool, nil
	}
	c.borrow()
}

// setHost finds out who calls. Marks of a program we cannot answer yet are
// never ignored: it might take an answer in another form for none, and run the
// tool. Claude Code's settings files are run by other programs too, so there
// the payload's own marks win over --host.
// It returns the host of the marks as well.
func (c *Call) setHost(top Top, o Options) (found *Host, p *Problem) {
	if title := foreign(top); title != "" {
		return nil, &Problem{Msg: "the payload is from " + title + ", which permgate cannot answer yet"}
	}
	named := Lookup(o.Host)
	found = detect(top)
	switch {
	case o.Host != "" && named == nil:
		return nil, &Problem{Msg: "unknown host " + quote(o.Host) + ": known are " + HostNames()}
	case named != nil && !(named.Shared && found != &generic):
		c.Host, c.Named = named, true
	default:
		c.Host, c.Named = found, found == named
	}
	return found, nil
}

// detect returns the host whose marks top carries; the generic one when it carries none.
func detect(top Top) *Host {
	for _, h := range Hosts() {
		if h.Detect(top) {
			return h
		}
	}
	return &generic
}

// setEvent finds the event: the payload's own word, else --event, else PreToolUse.
func (c *Call) setEvent(top Top, o Options) {
	if v := top.Get(c.Host.field("hook_event_name", top)); v.Type == gjson.String && v.Str != "" {
		c.RawEvent = v.Str
	} else {
		c.RawEvent = o.Event
	}
	if c.Event = c.Host.event(c.RawEvent); c.Event == "" {
		c.Event = PreToolUse
	}
}

// field returns the spelling of a payload field that top has.
func (h *Host) field(name string, top Top) string {
	for _, p := range h.Fields {
		if p.To == name && top.Has(p.From) {
			return p.From
		}
	}
	return name
}

// event returns the canonical name of an event. Case, - and _ are forgiven in
// the names that want an answer: silence on a misspelt one would be a yes.
func (h *Host) event(name string) Event {
	for _, e := range h.Events {
		if e.Name == name || e.Event.Decides() && sameWord(name, e.Name) {
			return e.Event
		}
	}
	for _, e := range [...]Event{PreToolUse, PermissionRequest, PreSkillShellCommand} {
		if sameWord(name, string(e)) {
			return e
		}
	}
	return Event(name)
}
