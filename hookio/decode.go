package hookio

import (
	"slices"
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

// decodeFields reads the top level. A field that is there twice, or in two
// cases, makes the call Malformed: the host may read another one.
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
	c.Skill, c.SkillSource = payload.Get("command_name").Str, payload.Get("command_source").Str
	c.readMCP(payload)
	c.borrow()
	if c.Host.OmitsEmpty && c.RawTool != "" && c.Malformed == "" && !c.Input.Exists() {
		c.Input = gjson.Parse("{}")
	}
	if c.Input.Exists() {
		c.unpackInput()
	}
}

// sameField reports whether two spellings of a field, the event's name too, say the same.
func (h *Host) sameField(name string, a, b gjson.Result) bool {
	return len(h.Fields) > 0 && (a.Raw == b.Raw || name == "hook_event_name" && h.event(a.Str) == h.event(b.Str))
}

// payloadField returns a key's index in payloadFields, or -1, and what is wrong with its spelling.
func (h *Host) payloadField(key string) (i int, fault string) {
	for _, p := range h.Fields {
		if p.From == key {
			key = p.To
			break
		} else if strings.EqualFold(p.From, key) && !slices.Contains(payloadFields[:], key) {
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

// fieldIndex finds a field of payloadFields, in whatever case; -1 for none.
func fieldIndex(key string) int {
	if i := slices.Index(payloadFields[:], key); i >= 0 {
		return i
	}
	return slices.IndexFunc(payloadFields[:], func(name string) bool { return strings.EqualFold(name, key) })
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

// once notes keys that an object has twice, in any case: decoders differ in which one counts.
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

// A Kind says what the primary field of a tool is.
type Kind uint8

const (
	KindName    Kind = iota // matched as text
	KindCommand             // shell text
	KindArgv                // the same, or a list of arguments
	KindURL
	KindPath
	KindPatch // text in the *** Begin Patch form
)

// A Shape says which fields of a tool's input matter to a decision.
type Shape struct {
	Tools  string // canonical names, or raw names of tools that are mapped onto another, blank-separated
	Kind   Kind
	Access Access
	Keys   []string // fields to read, in order, ten at most
	First  int      // how many of Keys may be the primary one
	Need   bool     // a call without a primary field is malformed

	// Of Keys, those that are more than one text:
	Lists  []string // one text or a list of them; "paths" always may be
	Nested []string // a list of objects with path fields of their own; "edits" and "attachments" always are
	Under  []string // a pattern of files below the primary path
	Filter []string // a pattern of names below it: only one with a / leads elsewhere
	Patch  string   // text in the *** Begin Patch form
	Prose  string   // text that names URLs among other words
	Dir    string   // the folder a command runs in
	Globs  bool     // every path is a pattern
	Label  string   // a name in this field may be one that the model makes up (Call.Label)
	Each   string   // the primary field is a list of objects, which have the name in this field
	Typed  bool     // the command is typed into one that runs, a shell maybe: what restricts Bash binds, no grant does

	Also []string // further known fields: data, but not under another case
}

// shapes says for every tool what decides; the last row is any other tool.
var shapes = [...]Shape{
	{Tools: "Bash PowerShell", Kind: KindCommand, Keys: keysCommand, First: 1, Need: true, Also: alsoCommand},
	{Tools: "shell exec", Kind: KindArgv, Keys: keysCommand, First: 1, Need: true, Also: alsoCommand},
	{Tools: "Monitor", Kind: KindCommand, Keys: []string{"command", "ws"}, First: 1, Need: true, Also: alsoCommand},
	{Tools: "WebFetch", Kind: KindURL, Keys: []string{"url"}, First: 1, Need: true, Also: []string{"prompt"}},
	{Tools: "Read", Kind: KindPath, Access: AccessRead, Keys: keysPath, First: 3, Need: true},
	{Tools: "Edit Write", Kind: KindPath, Access: AccessWrite, Keys: keysPath, First: 3, Need: true, Also: alsoEdit},
	{Tools: "NotebookEdit", Kind: KindPath, Access: AccessWrite, Keys: keysNotebook, First: 3, Need: true, Also: alsoEdit},
	{Tools: "NotebookRead", Kind: KindPath, Access: AccessRead, Keys: keysNotebook, First: 3, Need: true},
	{Tools: "Glob", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "file_path", "paths", "pattern", "patterns"}, First: 1, Lists: patterns, Under: patterns, Also: alsoSearch},
	{Tools: "Grep", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "file_path", "paths", "glob", "include", "include_pattern"}, First: 1, Filter: filters, Also: alsoSearch},
	{Tools: "LS", Kind: KindPath, Access: AccessRead, Keys: keysSearch, First: 1},
	{Tools: "LSP", Kind: KindPath, Access: AccessRead, Keys: []string{"filePath", "file_path", "path"}, First: 3},
	{Tools: "apply_patch", Kind: KindPatch, Access: AccessWrite, Keys: []string{"command", "input", "patch", "patchText"}, First: 4, Need: true},
	{Tools: "Agent", Keys: []string{"subagent_type"}, First: 1, Also: []string{"prompt", "name", "model", "isolation", "mode"}},
	{Tools: "Skill", Keys: []string{"skill", "name", "command"}, First: 3, Also: []string{"args"}},
	{Tools: "ExitPlanMode", Keys: []string{"planFilePath"}},
	{Keys: []string{"file_path", "path", "pattern", "query", "url", "command", "name"}, First: 7}, // any other tool
}

var (
	keysCommand = []string{"command"}
	alsoCommand = []string{"description", "timeout", "run_in_background", "dangerouslyDisableSandbox", "ws"}
	keysPath    = []string{"file_path", "notebook_path", "path", "filePath", "TargetFile", "AbsolutePath", "paths",
		"edits"}
	keysNotebook = []string{"notebook_path", "file_path", "path", "filePath", "TargetFile", "AbsolutePath", "paths",
		"edits"}
	alsoEdit   = []string{"old_string", "new_string", "replace_all", "content", "new_source", "cell_id", "edit_mode"}
	alsoSearch = []string{"pattern", "glob", "type", "output_mode"}
	patterns   = []string{"pattern", "patterns"}
	filters    = []string{"glob", "include", "include_pattern"}
	keysSearch = []string{"path", "file_path", "paths"}
)

// Shape says which fields of the input of c decide; never nil.
func (c *Call) Shape() *Shape { return shapeOf(c) }

// shapeOf finds the shape of c's tool: the host's own before the canonical one.
// A raw name that the host does not map is unknown.
func shapeOf(c *Call) *Shape {
	if c.Alias {
		return c.otherShape()
	}
	for _, name := range [...]string{c.RawTool, c.Tool} {
		for i := range c.Host.Shapes {
			if s := &c.Host.Shapes[i]; s.of(name) {
				return s
			}
		}
	}
	last := len(shapes) - 1
	for _, name := range [...]string{c.RawTool, c.Tool} {
		for i := range shapes[:last] {
			if s := &shapes[i]; s.of(name) && (c.Tool != name || s.Kind != KindArgv && s.Kind != KindPatch) {
				return s
			}
		}
	}
	return &shapes[last]
}

// of reports whether a shape is that of a tool.
func (s *Shape) of(tool string) bool { return slices.Contains(strings.Fields(s.Tools), tool) }

func (s *Shape) list(key string) bool { return key == "paths" || slices.Contains(s.Lists, key) }

func (s *Shape) nested(key string) bool {
	return key == "edits" || key == "attachments" || slices.Contains(s.Nested, key)
}
