package sessions

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// copilot is what Copilot CLI keeps of a session, with what its user was asked and answered.
var copilot = Format{
	Name:  "copilot",
	Title: "session files of GitHub Copilot CLI",
	Files: []string{
		"${COPILOT_HOME:-~/.copilot}/session-state/*/events.jsonl",
		"${COPILOT_HOME:-~/.copilot}/session-state/*.jsonl",
		"${COPILOT_HOME:-~/.copilot}/history-session-state/*.jsonl",
	},
	Is: func(line gjson.Result) bool {
		kind, _, ok := strings.Cut(line.Get("type").Str, ".")
		return ok && copilotKind(kind) && line.Get("data").IsObject()
	},
	Lacks:  "the permission mode",
	Source: "session files of GitHub Copilot CLI 0.0.369 to 1.0.86, github/copilot-cli changelog.md (2026-08)",
	Read:   readCopilot,
}

// copilotKind reports whether events of Copilot CLI begin so.
func copilotKind(word string) bool {
	return slices.Contains([]string{
		"session", "user", "assistant", "tool", "permission", "subagent", "skill", "hook", "system", "model",
		"external_tool", "user_input", "elicitation", "abort", "sampling", "mcp", "command", "exit_plan_mode",
	}, word)
}

type copilotReader struct {
	reader
	session, cwd string
	agents       map[string]string // the types of subagents by their ids
	requests     map[string]string // ids of calls by those of the requests about them
}

func readCopilot(f *File, take func(*Call) error) error {
	r := &copilotReader{reader: newReader(f, take), agents: map[string]string{}, requests: map[string]string{}}
	return r.read(r.line)
}

func (r *copilotReader) line(line gjson.Result) error {
	data := line.Get("data")
	kind := line.Get("type").Str
	switch kind {
	case "session.start", "session.resume", "session.context_changed":
		carry(&r.session, data.Get("sessionId"))
		carry(&r.cwd, data.Get("context.cwd"), data.Get("cwd"))
	case "subagent.started":
		remember(r.agents, line.Get("agentId").Str, data.Get("agentName").Str)
		remember(r.agents, data.Get("toolCallId").Str, data.Get("agentName").Str)
	case "tool.execution_start":
		return r.call(line, data)
	case "tool.execution_complete":
		return r.result(data)
	case "permission.requested":
		r.requested(data)
	case "permission.completed":
		r.completed(data)
	default:
		word, _, _ := strings.Cut(kind, ".")
		if !copilotKind(word) {
			r.f.Counts.Unknown++
		}
	}
	return nil
}

// maxRemembered bounds what is remembered by an id.
const maxRemembered = 4096

func remember(m map[string]string, id, what string) {
	if len(m) >= maxRemembered {
		clear(m)
	}
	if id != "" && what != "" {
		m[strings.Clone(id)] = strings.Clone(what)
	}
}

func (r *copilotReader) call(line, data gjson.Result) error {
	c := recorded{
		host: "copilot", event: "preToolUse", tool: data.Get("toolName").Str, id: data.Get("toolCallId").Str,
		input: data.Get("arguments").Raw, session: r.session, cwd: r.cwd, time: line.Get("timestamp").Str,
	}
	carry(&c.agent, line.Get("agentId"), data.Get("parentToolCallId"))
	c.agentType = r.agents[c.agent]
	return r.add(&c)
}

func (r *copilotReader) requested(data gjson.Result) {
	id := data.Get("permissionRequest.toolCallId").Str
	remember(r.requests, data.Get("requestId").Str, id)
	if h := r.w.get(id); h != nil && !data.Get("resolvedByHook").Bool() {
		h.call.Prompted = Yes
	}
}

// completed notes the answer to a request.
func (r *copilotReader) completed(data gjson.Result) {
	id, request := data.Get("toolCallId").Str, data.Get("requestId").Str
	if id == "" {
		id = r.requests[request]
	}
	delete(r.requests, request)
	h := r.w.get(id)
	if h == nil {
		return
	}
	var word string
	carry(&word, data.Get("result.kind"), data.Get("kind"))
	switch {
	case word == "denied-interactively-by-user", word == "denied" && h.call.Prompted == Yes:
		h.call.refused(ByUser, word)
	case word == "denied-by-rules", word == "denied-by-content-exclusion-policy", word == "denied-by-policy":
		h.call.refused(ByRule, word)
	case strings.HasPrefix(word, "denied"):
		h.call.refused(ByUnknown, word)
		h.call.Prompted = No
	}
}

func (r *copilotReader) result(data gjson.Result) error {
	h := r.w.get(data.Get("toolCallId").Str)
	if h == nil {
		return nil
	}
	code := data.Get("error.code").Str
	switch c := h.call; {
	case c.Outcome != "", data.Get("status").Str == "cancelled":
	case code == "denied", code == "rejected":
		c.refused(ByUnknown, code)
	default:
		c.ended(!data.Get("success").Bool())
	}
	if h.call.Prompted == Unknown {
		h.call.Prompted = No
	}
	return r.w.settle(h)
}
