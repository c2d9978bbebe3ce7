// Package hosttest drives a real agent host against a hook, without an account and without a network.
//
// A small server on 127.0.0.1 plays the model: it asks for a fixed list of tool calls, one after the
// other, and keeps what the host answers. Which calls the host ran is then read from the file system.
// The tool calls are executed for real, so they must be harmless: `touch NAME` in a temporary project.
package hosttest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A ToolCall is one tool call the fake model asks the host to make.
type ToolCall struct {
	Name  string         // the host's tool name, for instance "Bash"
	Input map[string]any // the tool's input object
}

// A ToolResult is what the host sent back for one tool call.
type ToolResult struct {
	IsError bool
	Text    string
}

// An API is a fake of the Anthropic Messages API that asks for Calls in order and then ends the turn.
type API struct {
	URL   string
	Calls []ToolCall

	mu       sync.Mutex
	results  []ToolResult
	requests []string
}

// StartAPI serves the fake API on a local port until the test ends.
func StartAPI(t testing.TB, calls ...ToolCall) *API {
	t.Helper()
	a := &API{Calls: calls}
	srv := httptest.NewServer(http.HandlerFunc(a.serve))
	t.Cleanup(srv.Close)
	a.URL = srv.URL
	return a
}

// Results returns the tool results seen so far, in the order of Calls.
func (a *API) Results() []ToolResult {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]ToolResult(nil), a.results...)
}

// Requests returns method and path of every request seen, for messages of failing tests.
func (a *API) Requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.requests...)
}

// request is the part of a Messages API request that the fake model looks at.
type request struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
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

func (a *API) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.mu.Lock()
	a.requests = append(a.requests, r.Method+" "+r.URL.Path)
	a.mu.Unlock()
	switch {
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		writeJSON(w, map[string]any{"input_tokens": 1})
	case strings.HasSuffix(r.URL.Path, "/messages"):
		a.message(w, body)
	default:
		writeJSON(w, map[string]any{})
	}
}

// message answers one Messages API request: the next tool call if the request can take one, else a text.
func (a *API) message(w http.ResponseWriter, body []byte) {
	var req request
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	results := toolResults(req)
	content, stop := map[string]any{"type": "text", "text": "done"}, "end_turn"
	if len(req.Tools) > 0 { // without tools it is a side request, such as one for a session title
		a.mu.Lock()
		if len(results) > len(a.results) {
			a.results = results
		}
		a.mu.Unlock()
		if n := len(results); n < len(a.Calls) {
			content = map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%04d", n+1),
				"name": a.Calls[n].Name, "input": a.Calls[n].Input}
			stop = "tool_use"
		}
	}
	usage := map[string]any{"input_tokens": 1, "output_tokens": 1}
	msg := map[string]any{"id": fmt.Sprintf("msg_%04d", len(results)+1), "type": "message", "role": "assistant",
		"model": req.Model, "content": []any{content}, "stop_reason": stop, "stop_sequence": nil, "usage": usage}
	if !req.Stream {
		writeJSON(w, msg)
		return
	}
	stream(w, msg, content, stop, usage)
}

// stream sends one message as the server-sent events of the Messages API, with a single content block.
// Source: docs.anthropic.com, "Streaming Messages".
func stream(w http.ResponseWriter, msg, content map[string]any, stop string, usage map[string]any) {
	start, delta := map[string]any{}, map[string]any{}
	for k, v := range content {
		start[k] = v
	}
	if content["type"] == "tool_use" {
		input, _ := json.Marshal(content["input"])
		start["input"] = map[string]any{}
		delta["type"], delta["partial_json"] = "input_json_delta", string(input)
	} else {
		start["text"] = ""
		delta["type"], delta["text"] = "text_delta", content["text"]
	}
	msg["content"], msg["stop_reason"] = []any{}, nil

	w.Header().Set("Content-Type", "text/event-stream")
	send := func(typ string, fields map[string]any) {
		fields["type"] = typ
		data, _ := json.Marshal(fields)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", typ, data)
	}
	send("message_start", map[string]any{"message": msg})
	send("content_block_start", map[string]any{"index": 0, "content_block": start})
	send("content_block_delta", map[string]any{"index": 0, "delta": delta})
	send("content_block_stop", map[string]any{"index": 0})
	send("message_delta", map[string]any{"usage": usage,
		"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}})
	send("message_stop", map[string]any{})
}

// toolResults returns the tool results of a request's messages, in order.
func toolResults(req request) []ToolResult {
	var out []ToolResult
	for _, m := range req.Messages {
		for _, b := range blocks(m.Content) {
			if b.Type == "tool_result" {
				out = append(out, ToolResult{b.IsError, text(b.Content)})
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

// text returns the text of a content field, which is a string or a list of text blocks.
func text(raw json.RawMessage) string {
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

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}
