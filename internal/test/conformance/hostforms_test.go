package conformance

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
)

// A form is one way a host spells calls: an event of it, or one of two
// spellings. The tables are written from the vendors' pages, not taken from
// hookio, so that each proves the other.
type form struct {
	name, host string
	on         func(c *canonCall) string          // event
	tools      map[string]string                  // canonical tool to the host's
	keys       map[string]string                  // "Tool.field" to the host's; "" leaves it out; "!" cannot be said
	wrap       func(tool, key, raw string) string // puts a value into the host's form; nil keeps it
	modes      map[string]string                  // canonical mode to the host's; nil: none is sent
	agents     bool                               // it says that a subagent calls
	mcp        func(server, tool string) string   // nil: MCP tools are not seen
	payload    func(s *spoken) string
	reads      func(line, event string) string // what the host takes the line for
	becomes    map[hookio.Decision]string      // where that is not allow, ask, deny and, for silence, host
}

// A spoken is a call in the words of a host.
type spoken struct {
	event, tool, input, mode, agent string
	call                            *canonCall
}

func (f *form) event(c *canonCall) string { return f.on(c) }

// means is what the host is to do on an answer.
func (f *form) means(d hookio.Decision, c *hookio.Call) string {
	if f.host == "droid" && d == hookio.Allow && len(c.Args) > 0 && c.Args[0].Access == hookio.AccessRead {
		return "host" // what it runs anyway is not taken from other hooks
	}
	if f.host == "droid" && d == hookio.Allow && (c.Tool == "Grep" || c.Tool == "Glob") {
		return "host"
	}
	if f.host == "cursor" && d == hookio.Ask && (c.RawEvent == "beforeShellExecution" || c.RawEvent == "beforeMCPExecution") {
		return "ask"
	}
	if w := f.becomes[d]; w != "" {
		return w
	}
	return map[hookio.Decision]string{hookio.Pass: "host", hookio.Allow: "allow", hookio.Ask: "ask", hookio.Deny: "deny"}[d]
}

func formOf(name string) *form {
	for i := range forms {
		if forms[i].name == name {
			return &forms[i]
		}
	}
	panic(name)
}

const modeless = ", without a mode"

// modeless is the form of a host that does not send the mode.
func (f *form) modeless() *form {
	g := *f
	g.name, g.modes = f.name+modeless, nil
	return &g
}

// gap says what of a call the form cannot express, "" when it can.
func (f *form) gap(c *canonCall) string {
	switch server, _, mcp := cutMCP(c.tool); {
	case c.agent != "" && !f.agents:
		return "that a subagent calls"
	case c.mode != "" && f.modes[c.mode] == "":
		return "mode " + c.mode
	case mcp && (f.mcp == nil || server == ""):
		return "MCP tools"
	case !mcp && f.tools[c.tool] == "":
		return "tool " + c.tool
	}
	why := ""
	gjson.Parse(c.input).ForEach(func(k, v gjson.Result) bool {
		if f.keys[c.tool+"."+k.Str] == "!" {
			why = c.tool + " with " + k.Str
		}
		return why == ""
	})
	if u := gjson.Get(c.input, "url").Str; c.tool == "WebFetch" && f.keys["WebFetch.url"] == "prompt" &&
		(!strings.HasPrefix(u, "http") || strings.ContainsAny(u, " \t\n<>\"'()[]{}|\\^`,;")) {
		return "URLs that are none, or end sooner, in a text"
	}
	return why
}

func cutMCP(tool string) (server, name string, ok bool) {
	rest, ok := strings.CutPrefix(tool, "mcp__")
	server, name, _ = strings.Cut(rest, "__")
	return server, name, ok
}

// spell puts a call into a form.
func spell(f *form, c *canonCall) string { return f.payload(speak(f, c)) }

func speak(f *form, c *canonCall) *spoken {
	s := &spoken{event: f.on(c), tool: f.tools[c.tool], mode: f.modes["default"], agent: c.agent, call: c}
	if c.mode != "" {
		s.mode = f.modes[c.mode]
	}
	if server, tool, mcp := cutMCP(c.tool); mcp {
		s.tool = f.mcp(server, tool)
	}
	b, n := []byte{'{'}, 0
	gjson.Parse(c.input).ForEach(func(k, v gjson.Result) bool {
		key, raw := k.Str, v.Raw
		if to, ok := f.keys[c.tool+"."+key]; ok {
			key = to
		}
		if f.wrap != nil {
			raw = f.wrap(c.tool, k.Str, raw)
		}
		if key == "" {
			return true
		}
		if n++; n > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, quote(key)...), ':'), raw...)
		return true
	})
	s.input = string(append(b, '}'))
	return s
}

// always is an event that does not depend on the call.
func always(event string) func(*canonCall) string { return func(*canonCall) string { return event } }

// claudeShape is the payload of Claude Code and of those that took it over.
func claudeShape(transcript, extra string) func(*spoken) string {
	return func(s *spoken) string {
		p := `{"session_id":"s1","transcript_path":` + quote(transcript) + `,"cwd":"/work/project"` + extra
		if s.mode != "" {
			p += `,"permission_mode":` + quote(s.mode)
		}
		if s.agent != "" {
			p += `,"agent_id":"a-1","agent_type":` + quote(s.agent)
		}
		return p + `,"hook_event_name":` + quote(s.event) + `,"tool_name":` + quote(s.tool) + `,"tool_input":` + s.input + `}`
	}
}

// same maps every name to itself.
func same(names ...string) map[string]string {
	m := map[string]string{}
	for _, n := range names {
		m[n] = n
	}
	return m
}

func claudeTools() map[string]string {
	return same("Bash", "Read", "Write", "Edit", "NotebookEdit", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "Agent", "Skill")
}

func claudeModes() map[string]string {
	return same("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto")
}

func claudeMCP(server, tool string) string { return "mcp__" + server + "__" + tool }
func lowMCP(server, tool string) string    { return "mcp_" + server + "_" + tool }

// What the hosts read, each written from its page: allow, ask, deny, host (its
// own rules and prompt), failed (a failed hook: the tool runs).

type line struct {
	HookSpecificOutput *struct {
		HookEventName            string
		PermissionDecision       string
		PermissionDecisionReason string
		Decision                 *struct{ Behavior, Message string }
	}
	PermissionDecision       string
	PermissionDecisionReason string
	Behavior                 string
	Decision                 string
	Reason                   string
	Permission               string
}

func parse(text string) (l line, ok bool) {
	if strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}\n") {
		return l, false
	}
	return l, json.Unmarshal([]byte(text), &l) == nil
}

func word(s string, known ...string) string {
	for _, k := range known {
		if s == k {
			return s
		}
	}
	return "failed"
}

func readNested(text, event string) string {
	l, ok := parse(text)
	switch {
	case text == "":
		return "host"
	case !ok || l.HookSpecificOutput == nil || l.HookSpecificOutput.HookEventName != event:
		return "failed"
	case event == "PermissionRequest":
		if l.HookSpecificOutput.Decision == nil {
			return "failed"
		}
		return word(l.HookSpecificOutput.Decision.Behavior, "allow", "deny")
	}
	return word(l.HookSpecificOutput.PermissionDecision, "allow", "ask", "deny")
}

// readCodex: an allow or an ask on PreToolUse is a failed hook, and so is a deny without reason.
func readCodex(text, event string) string {
	w := readNested(text, event)
	if l, _ := parse(text); event == "PreToolUse" && w != "host" && (w != "deny" || l.HookSpecificOutput.PermissionDecisionReason == "") {
		return "failed"
	}
	return w
}

func readCopilot(text, event string) string {
	l, ok := parse(text)
	switch {
	case text == "":
		return "host"
	case !ok:
		return "failed"
	case event == "permissionRequest":
		return word(l.Behavior, "allow", "deny")
	case l.PermissionDecision == "deny" && l.PermissionDecisionReason == "":
		return "failed"
	}
	return word(l.PermissionDecision, "allow", "ask", "deny")
}

func readGemini(text, _ string) string {
	l, ok := parse(text)
	switch {
	case text == "":
		return "host"
	case !ok:
		return "failed"
	}
	return word(l.Decision, "allow", "deny")
}

// readCursor: nothing on standard output is a failure, and so is an ask where it is not enforced.
func readCursor(text, event string) string {
	l, ok := parse(text)
	switch {
	case !ok:
		return "failed"
	case event == "beforeShellExecution" || event == "beforeMCPExecution":
		return word(l.Permission, "allow", "ask", "deny")
	}
	return word(l.Permission, "allow", "deny")
}

func readCrush(text, _ string) string {
	l, ok := parse(text)
	if text == "" || ok && l.Decision == "" {
		return "host"
	}
	return word(l.Decision, "allow", "deny")
}

func readGoose(text, _ string) string {
	l, ok := parse(text)
	switch {
	case text == "" || ok && l.Decision == "allow":
		return "allow"
	case ok && l.Decision == "block" && l.Reason != "":
		return "deny"
	}
	return "failed"
}

func readGrok(text, _ string) string {
	l, _ := parse(text)
	if text == "" {
		return "host"
	}
	return word(l.Decision, "allow", "ask", "deny")
}

// readAntigravity: "ask" is what it does by itself, and an answer without a decision is a denial.
func readAntigravity(text, _ string) string {
	l, _ := parse(text)
	switch l.Decision {
	case "ask":
		return "host"
	case "force_ask":
		return "ask"
	case "allow":
		return "allow"
	}
	return "deny"
}

// readCaliban: an allow leaves the call to its own permissions, and an ask is a deny.
func readCaliban(text, _ string) string {
	l, ok := parse(text)
	if !ok || l.HookSpecificOutput == nil {
		return "host"
	}
	return word(l.HookSpecificOutput.PermissionDecision, "allow", "deny")
}

var (
	dialog     = map[hookio.Decision]string{hookio.Ask: "host"} // a dialog that is shown anyway
	cannot     = map[hookio.Decision]string{hookio.Ask: "deny"}
	droidTools = map[string]string{
		"Bash": "Execute", "Read": "Read", "Write": "Create", "Edit": "Edit", "Glob": "Glob", "Grep": "Grep", "LS": "LS",
		"WebFetch": "FetchUrl", "WebSearch": "WebSearch", "Agent": "Task",
	}
	droidKeys = map[string]string{"Glob.pattern": "patterns", "Glob.path": "folder", "LS.path": "directory_path"}
)

func inList(tool, key string) func(t, k, raw string) string {
	return func(t, k, raw string) string {
		if t == tool && k == key {
			return "[" + raw + "]"
		}
		return raw
	}
}
