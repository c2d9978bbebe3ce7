package hosttest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
)

// Anthropic is the Messages API. Source: docs.anthropic.com, "Messages" and "Streaming Messages".
var Anthropic = Protocol{"Anthropic Messages", serveAnthropic}

// messagesRequest is the part of a Messages API request that the fake model looks at.
type messagesRequest struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	System   json.RawMessage   `json:"system"`
	Safe     json.RawMessage   `json:"safeguards"` // the checks of the server that the host asks for
	Tools    []json.RawMessage `json:"tools"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"` // a string or a list of blocks
	} `json:"messages"`
}

// block is one content block of a message.
type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	IsError bool            `json:"is_error"`
	Content json.RawMessage `json:"content"` // tool_result: a string or a list of blocks
}

func serveAnthropic(a *API, w http.ResponseWriter, r *http.Request, body []byte) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		writeJSON(w, map[string]any{"input_tokens": 1})
	case strings.HasSuffix(r.URL.Path, "/messages"):
		anthropicMessage(a, w, body)
	default:
		writeJSON(w, map[string]any{})
	}
}

// anthropicMessage answers one request: the next tool calls if the request can take them, else a text.
func anthropicMessage(a *API, w http.ResponseWriter, body []byte) {
	var req messagesRequest
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if a.Verdict != "" && bytes.Contains(req.System, []byte(claudeMonitor)) {
		anthropicMonitor(w, &req, a.Verdict)
		return
	}
	var first strings.Builder // what the user said before the first answer
	for _, m := range req.Messages {
		if m.Role != "user" {
			break
		}
		first.WriteString(contentText(m.Content))
	}
	content, stop := []map[string]any{{"type": "text", "text": "done"}}, "end_turn"
	if len(req.Tools) > 0 { // without tools it is a side request, such as one for a session title
		if calls, n := a.next(first.String(), anthropicResults(req)); len(calls) > 0 {
			content, stop = nil, "tool_use"
			for i, c := range calls {
				content = append(content, map[string]any{"type": "tool_use", "id": callID("toolu", n+i), "name": c.Name, "input": c.Input})
			}
		}
	}
	msg := map[string]any{"id": callID("msg", len(req.Messages)), "type": "message", "role": "assistant",
		"model": req.Model, "content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 1, "output_tokens": 1}}
	if !req.Stream {
		writeJSON(w, msg)
		return
	}
	delta := map[string]any{"stop_reason": stop, "stop_sequence": nil}
	if a.Verdict != "" && len(req.Safe) > 0 && a.Verdict != VerdictBlock && a.Verdict != VerdictDown {
		delta["safeguard_results"] = anthropicVerdict(content, a.Verdict)
	}
	anthropicStream(w, msg, content, delta)
}

// claudeMonitor begins what Claude Code asks a model as its own classifier, where the server said nothing of a call.
const claudeMonitor = "You are a security monitor"

// Verdicts of that classifier: it refuses every call, or its endpoint fails.
const (
	VerdictBlock = "block"
	VerdictDown  = "down"
)

// anthropicMonitor answers as that classifier.
func anthropicMonitor(w http.ResponseWriter, req *messagesRequest, verdict string) {
	if verdict == VerdictDown {
		w.Header().Set("X-Should-Retry", "false")
		http.Error(w, `{"type":"error","error":{"type":"api_error","message":"internal server error"}}`, http.StatusInternalServerError)
		return
	}
	text := "<block>yes</block><category>Data Exfiltration</category><reason>[Data Exfiltration] the classifier said no</reason>"
	writeJSON(w, map[string]any{"id": "msg_monitor", "type": "message", "role": "assistant", "model": req.Model,
		"content": []any{map[string]any{"type": "text", "text": text}}, "stop_reason": "end_turn", "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 1, "output_tokens": 1}})
}

// anthropicVerdict is what the server's classifier of mode auto says of the tool calls of a message. It is not
// documented; Claude Code 2.1.329 reads it so.
func anthropicVerdict(content []map[string]any, outcome string) any {
	uses := map[string]any{}
	for _, c := range content {
		if id, ok := c["id"].(string); ok {
			uses[id] = map[string]any{"type": "evaluated", "outcome": outcome, "explanation": "the classifier said no"}
		}
	}
	return []any{map[string]any{"type": "dangerous_tool_use", "status": map[string]any{"type": "available", "tool_uses": uses}}}
}

// anthropicStream sends one message as server-sent events.
func anthropicStream(w http.ResponseWriter, msg map[string]any, content []map[string]any, last map[string]any) {
	send := func(typ string, fields map[string]any) {
		fields["type"] = typ
		sse(w, typ, fields)
	}
	msg["content"], msg["stop_reason"] = []any{}, nil
	send("message_start", map[string]any{"message": msg})
	for i, c := range content {
		start, delta := map[string]any{}, map[string]any{}
		for k, v := range c {
			start[k] = v
		}
		if c["type"] == "tool_use" {
			input, _ := json.Marshal(c["input"])
			start["input"] = map[string]any{}
			delta["type"], delta["partial_json"] = "input_json_delta", string(input)
		} else {
			start["text"] = ""
			delta["type"], delta["text"] = "text_delta", c["text"]
		}
		send("content_block_start", map[string]any{"index": i, "content_block": start})
		send("content_block_delta", map[string]any{"index": i, "delta": delta})
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{"usage": map[string]any{"input_tokens": 1, "output_tokens": 1}, "delta": last})
	send("message_stop", map[string]any{})
}

// anthropicResults returns the tool results of a request's messages, in order.
func anthropicResults(req messagesRequest) []ToolResult {
	var out []ToolResult
	for _, m := range req.Messages {
		for _, b := range blocks(m.Content) {
			if b.Type == "tool_result" {
				out = append(out, ToolResult{b.IsError, contentText(b.Content)})
			}
		}
	}
	return out
}

func blocks(raw json.RawMessage) []block {
	var bs []block
	if json.Unmarshal(raw, &bs) != nil {
		return nil
	}
	return bs
}

// contentText returns the text of a content field, which is a string or a list of text blocks.
func contentText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var b strings.Builder
	for _, x := range blocks(raw) {
		b.WriteString(x.Text)
	}
	return b.String()
}
