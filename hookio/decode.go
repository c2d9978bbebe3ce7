package hookio

import (
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// payloadFields are the fields read at the top level of a payload, by Claude Code's names.
var payloadFields = [...]string{
	"tool_name", "tool_input", "cwd", "permission_mode", "hook_event_name",
	"session_id", "transcript_path", "agent_id", "agent_type", "agent_name", "tool_use_id", "scratchpad_dir",
}

// decode reads a payload in Claude Code's field names, and the tool input in it.
func decode(c *Call, payload Top) {
	decodeFields(c, payload)
	if c.Event.Decides() && c.Input.Exists() {
		readInput(c)
	}
}

// decodeFields reads the top level. A field that is there twice, or next to
// a spelling that differs only in case, may mean something else to the host
// than to us: the call is Malformed then.
func decodeFields(c *Call, payload Top) {
	var seen [len(payloadFields)]gjson.Result
	for _, m := range payload {
		i, fault := c.Host.payloadField(m.Name)
		if i < 0 {
			continue
		}
		name, v := payloadFields[i], gjson.Parse(m.JSON)
		switch old := seen[i]; {
		case fault != "":
			c.fault(fault)
		case old.Exists() && !c.Host.sameField(name, old, v):
			c.fault("the payload has the key " + quote(m.Name) + " twice")
		default:
			seen[i] = v
			c.setField(name, v)
			continue
		}
		if name == "hook_event_name" && !c.Event.Decides() {
			c.Event = PreToolUse // which event fired is in doubt: answer
		}
	}
	c.named()
	c.Mode = lookup(c.Host.Modes, c.RawMode)
	if !c.Event.ofCall() {
		c.Tool, c.RawTool, c.CallID, c.Input = "", "", "", gjson.Result{}
		return
	}
	c.readMCP(payload)
	c.borrow()
	if c.Input.Exists() {
		c.unpackInput()
	}
}

// sameField reports whether two spellings of one field say the same. The name
// of the event may itself be spelled in two ways.
func (h *Host) sameField(name string, a, b gjson.Result) bool {
	return len(h.Fields) > 0 && (a.Raw == b.Raw || name == "hook_event_name" && h.event(a.Str) == h.event(b.Str))
}

// payloadField returns the index in payloadFields of what a key means to the
// host, -1 for none, and what is wrong with its spelling.
func (h *Host) payloadField(key string) (i int, fault string) {
	for _, p := range h.Fields {
		if p.From == key {
			key = p.To
			break
		} else if strings.EqualFold(p.From, key) && !isField(key) {
			return fieldIndex(p.To), "the payload has the key " + quote(key) + ", which differs from " +
				quote(p.From) + " only in case"
		}
	}
	if i = fieldIndex(key); i >= 0 && payloadFields[i] != key {
		fault = "the payload has the key " + quote(key) + ", which differs from " + quote(payloadFields[i]) +
			" only in case"
	}
	return i, fault
}

func isField(key string) bool {
	i := fieldIndex(key)
	return i >= 0 && payloadFields[i] == key
}

// fieldIndex finds a field of payloadFields, in whatever case; -1 for none.
func fieldIndex(key string) int {
	for i, name := range payloadFields {
		if strings.EqualFold(name, key) {
			return i
		}
	}
	return -1
}

// setField stores one field; null is the same as absent, except for tool_input.
func (c *Call) setField(name string, v gjson.Result) {
	var to *string
	switch name {
	case "tool_input":
		c.Input = v
		return
	case "tool_name":
		to = &c.RawTool
	case "cwd":
		to = &c.Cwd
	case "permission_mode":
		to = &c.RawMode
	case "session_id":
		to = &c.SessionID
	case "transcript_path":
		to = &c.Transcript
	case "tool_use_id":
		to = &c.CallID
	case "scratchpad_dir":
		to = &c.Scratch
	case "agent_id":
		to = &c.AgentID
	case "agent_type", "agent_name":
		to = &c.AgentType
	case "hook_event_name":
		to = new(string)
	}
	if v.Type == gjson.Null {
		return
	}
	if why := badText(v); why != "" {
		c.fault(name + " " + why)
	}
	if s := v.String(); s != "" {
		*to = s
	}
}

// unpackInput reads the input where the host sends it as text: that of a JSON
// object, or of a tool whose whole input is a patch the patch itself.
func (c *Call) unpackInput() {
	if v := c.Input; v.Type == gjson.String && c.Host.InputText {
		if shape := shapeOf(c); strings.HasPrefix(v.Str, "*** Begin Patch") &&
			(shape.Kind == KindPatch || shape.Patch != "") {
			c.Input = gjson.Parse(string(append(AppendJSON([]byte(`{"input":`), v.Str), '}')))
		} else if text, p := readObject(strings.NewReader(v.Str)); p == nil {
			c.Input = gjson.Parse(text)
		} else {
			c.fault("the text of tool_input is not a JSON object")
			return
		}
	}
	if !c.Input.IsObject() {
		c.fault("tool_input is not an object")
	}
}

// once notes keys that an object has twice, in whatever case: decoders disagree
// on which of them counts.
func (c *Call) once(object Top, keys ...string) {
	var seen [4]string
	for _, m := range object {
		for i, key := range keys {
			switch {
			case !strings.EqualFold(key, m.Name):
			case seen[i] != "" || m.Name != key:
				c.fault("the key " + quote(m.Name) + " is there twice, or is spelled in another case than " +
					quote(key))
			default:
				seen[i] = m.Name
			}
		}
	}
}

// fault notes why the call cannot be trusted; the first reason stays.
func (c *Call) fault(why string) {
	if c.Malformed == "" {
		c.Malformed = why
	}
}

// badText says why v is not a string that every reader sees alike. An escaped
// lone surrogate and a byte that is no UTF-8 come out of a decoder as U+FFFD,
// so that one is not believed either.
func badText(v gjson.Result) string {
	if v.Type != gjson.String {
		return "is not a string"
	}
	return badString(v.Str)
}

// badString is badText of a string.
func badString(s string) string {
	switch {
	case strings.IndexByte(s, 0) >= 0:
		return "contains a NUL character"
	case !utf8.ValidString(s) || strings.Contains(s, "\uFFFD"):
		return "contains characters that are not valid Unicode"
	}
	return ""
}

// quote returns a short, visible form of a key or name for a message.
func quote(s string) string {
	if len(s) > 64 {
		s = strings.ToValidUTF8(s[:64], "") + "..."
	}
	return `"` + Escape(s) + `"`
}
