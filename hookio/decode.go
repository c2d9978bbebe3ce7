package hookio

import (
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// payloadFields are the fields read at the top level of a payload, by Claude Code's names.
var payloadFields = [...]string{
	"tool_name", "tool_input", "cwd", "permission_mode", "hook_event_name",
	"session_id", "transcript_path", "agent_id", "agent_type", "agent_name",
}

// decode reads a payload in Claude Code's field names, and the tool input in it.
func decode(c *Call, payload gjson.Result) {
	decodeFields(c, payload)
	if c.Event.Decides() && c.Input.Exists() {
		readInput(c)
	}
}

// decodeFields reads the top level. A field that stands there twice, or beside
// a spelling that differs only in case, may mean something else to the host
// than to us: the call is Malformed then.
func decodeFields(c *Call, payload gjson.Result) {
	var seen [len(payloadFields)]bool
	payload.ForEach(func(k, v gjson.Result) bool {
		for i, name := range payloadFields {
			if !strings.EqualFold(k.Str, name) {
				continue
			}
			if k.Str != name {
				c.fault("the payload has the key " + quote(k.Str) + ", which differs from " + quote(name) + " only in case")
			} else if seen[i] {
				c.fault("the payload has the key " + quote(name) + " twice")
			} else {
				seen[i] = true
				c.setField(name, v)
				return true
			}
			if name == "hook_event_name" && !c.Event.Decides() {
				c.Event = PreToolUse // which event fired is in doubt: answer
			}
			return true
		}
		return true
	})
	c.Tool = lookup(c.Host.Tools, c.RawTool)
	c.Mode = lookup(c.Host.Modes, c.RawMode)
	if !c.Event.Decides() {
		c.Tool, c.RawTool, c.Input = "", "", gjson.Result{}
	}
}

// setField stores one field; null is the same as absent, but for tool_input.
func (c *Call) setField(name string, v gjson.Result) {
	var to *string
	switch name {
	case "tool_input":
		if c.Input = v; !v.IsObject() {
			c.fault("tool_input is not an object")
		}
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
	switch {
	case v.Type != gjson.String:
		return "is not a string"
	case strings.IndexByte(v.Str, 0) >= 0:
		return "holds a NUL character"
	case !utf8.ValidString(v.Str) || strings.Contains(v.Str, "\uFFFD"):
		return "holds characters that are no valid Unicode text"
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
