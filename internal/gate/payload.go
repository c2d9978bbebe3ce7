package gate

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules/load"
)

// primaries name the input field of what a tool is called on, as people write a call down.
var primaries = [...]struct{ tool, field string }{
	{"Bash", "command"}, {"PowerShell", "command"}, {"Monitor", "command"}, {"apply_patch", "command"},
	{"Read", "file_path"}, {"Edit", "file_path"}, {"Write", "file_path"}, {"MultiEdit", "file_path"},
	{"NotebookEdit", "notebook_path"},
	{"Glob", "pattern"}, {"Grep", "pattern"},
	{"LS", "path"}, {"LSP", "filePath"},
	{"WebFetch", "url"}, {"WebSearch", "query"},
	{"Agent", "subagent_type"}, {"Task", "subagent_type"}, {"Skill", "skill"},
}

// Primary names the field that a canonical tool's call is about: command for Bash, path for Read.
func Primary(tool string) string {
	for i := range primaries {
		if primaries[i].tool == tool {
			return primaries[i].field
		}
	}
	return "name"
}

// MeantTool returns the tool a name means in another case, or "" if it is exact
// or unknown: rules and tests with another spelling are about no tool.
func MeantTool(name string) string {
	for i := range primaries {
		if t := primaries[i].tool; t != name && strings.EqualFold(t, name) {
			return t
		}
	}
	return ""
}

// Input returns a tool's tool_input: the argument if it begins with {, else as the primary field.
func Input(tool, argument string) []byte {
	if strings.HasPrefix(argument, "{") {
		return []byte(argument)
	}
	return TextInput(tool, argument)
}

// TextInput returns the tool_input whose primary field is the text, whatever it begins with.
func TextInput(tool, text string) []byte {
	b := hookio.AppendJSON([]byte("{"), Primary(tool))
	return append(hookio.AppendJSON(append(b, ':'), text), '}')
}

// Call makes the call of a tool on its primary field's value, by the payload a host would send.
func Call(tool, arg string) (*hookio.Call, error) {
	payload := []byte(`{"hook_event_name":"PreToolUse","tool_name":`)
	payload = hookio.AppendJSON(payload, tool)
	payload = append(append(append(payload, `,"tool_input":`...), TextInput(tool, arg)...), '}')
	call, err := hookio.Read(bytes.NewReader(payload), hookio.Options{Event: string(hookio.PreToolUse)})
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", tool, hookio.Escape(arg), err)
	}
	return call, nil
}

// Canonical reads a payload with canonical names, then makes it that of the host f names.
func Canonical(payload []byte, f *Flags) (*hookio.Call, error) {
	call, err := Deciding(bytes.NewReader(payload), hookio.Options{Event: f.Event})
	if err != nil || f.Host == "" {
		return call, err
	}
	host, err := NamedHost(f.Host)
	if err != nil {
		return nil, err
	}
	call.Host, call.Named = host, true
	return call, nil
}

// Deciding reads a payload that wants a decision.
func Deciding(r io.Reader, o hookio.Options) (*hookio.Call, error) {
	call, err := hookio.Read(r, o)
	if err == nil && !call.Event.Decides() {
		return nil, fmt.Errorf("nothing to decide on event %s", hookio.Escape(string(call.Event)))
	}
	return call, err
}

// NamedHost returns the host of a name, as --host gives it; nil and no error for "".
func NamedHost(name string) (*hookio.Host, error) {
	host := hookio.Lookup(name)
	if host != nil || name == "" {
		return host, nil
	}
	return nil, fmt.Errorf("unknown host %s; known are %s", hookio.Escape(name), hookio.HostNames())
}

// Unmarked is the name of the host of a call that has no marks of one.
const Unmarked = "generic"

// Bind makes a call a host's (nil: no change), unless the payload is another program's.
func Bind(call *hookio.Call, h *hookio.Host) {
	if h == nil || call.Named {
		return
	}
	if call.Host == h || call.Host.Name == Unmarked {
		call.Host, call.Named = h, true
	}
}

// Title names a call on one line: the command, or the tool and what it is called on.
func Title(c *hookio.Call) string {
	switch {
	case c.Command != "":
		return c.Command
	case len(c.Args) > 0:
		paths := make([]string, len(c.Args))
		for i, a := range c.Args {
			paths[i] = a.Path
		}
		return c.RawTool + " " + strings.Join(paths, " ")
	case c.URL != "":
		return c.RawTool + " " + c.URL
	case c.Name != "":
		return c.RawTool + " " + c.Name
	}
	return c.RawTool
}

// Heading is Title with what a search looks for, which no rule matches.
func Heading(c *hookio.Call) string {
	text := Title(c)
	if c.Tool != "Glob" && c.Tool != "Grep" {
		return text
	}
	pattern := c.Input.Get("pattern").String()
	return strings.TrimSpace(c.RawTool + " " + strings.TrimSpace(pattern+strings.TrimPrefix(text, c.RawTool)))
}

// PinCwd puts a call where its session works, for a host that sends the folder the
// call wants, which becomes Dir. Else the model would choose project and settings.
func PinCwd(call *hookio.Call, f *Flags, w World) {
	if !call.Host.CwdMoves || f.Cwd != "" || call.Cwd == "" || !w.OS.IsAbs(w.Cwd) {
		return
	}
	if load.Resolve(w.Files, w.OS.Canon(call.Cwd)) == load.Resolve(w.Files, w.OS.Canon(w.Cwd)) {
		return
	}
	if call.Dir == "" {
		call.Dir = call.Cwd
	} else if !w.OS.IsAbs(call.Dir) && call.Dir[0] != '~' {
		call.Dir = call.Cwd + "/" + call.Dir
	}
	call.Cwd = w.Cwd
}
