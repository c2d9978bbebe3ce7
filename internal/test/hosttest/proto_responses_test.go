package hosttest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Responses is the Responses API. Source: platform.openai.com/docs/api-reference/responses-streaming.
var Responses = Protocol{"OpenAI Responses", serveResponses}

// responsesRequest is the part of a Responses API request that the fake model looks at.
type responsesRequest struct {
	Model  string            `json:"model"`
	Stream bool              `json:"stream"`
	Tools  []json.RawMessage `json:"tools"`
	Text   struct {
		Format struct {
			Type string `json:"type"`
		} `json:"format"`
	} `json:"text"`
	Input []struct {
		Type    string          `json:"type"`
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"` // a string or a list of parts
		Output  json.RawMessage `json:"output"`  // *_output items: a string or a list of parts
	} `json:"input"`
}

func serveResponses(a *API, w http.ResponseWriter, r *http.Request, body []byte) {
	if strings.HasSuffix(r.URL.Path, "/models") {
		writeJSON(w, map[string]any{"object": "list", "data": []any{}, "models": []any{}})
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/responses") {
		writeJSON(w, map[string]any{})
		return
	}
	var req responsesRequest
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var first strings.Builder
	var results []ToolResult
	tools := len(req.Tools) > 0
	for _, item := range req.Input {
		switch {
		case item.Type == "additional_tools":
			tools = true
		case item.Role == "user" && len(results) == 0:
			first.WriteString(contentText(item.Content))
		case strings.HasSuffix(item.Type, "_output"):
			results = append(results, ToolResult{Text: contentText(item.Output)})
		}
	}
	var items []any
	answer := "done"
	switch {
	case req.Text.Format.Type == "json_schema": // Codex's automatic review of a call: it approves
		answer = `{"outcome":"allow"}`
	case tools:
		calls, n := a.next(first.String(), results)
		for i, c := range calls {
			items = append(items, c.responsesItem(n+i))
		}
	}
	if len(items) == 0 {
		items = []any{map[string]any{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": answer, "annotations": []any{}}}}}
	}
	response := map[string]any{"id": "resp_1", "object": "response", "created_at": 1, "model": req.Model, "status": "in_progress", "output": []any{}}
	if !req.Stream {
		response["status"], response["output"] = "completed", items
		writeJSON(w, response)
		return
	}
	sse(w, "response.created", map[string]any{"type": "response.created", "response": response})
	for i, item := range items {
		sse(w, "response.output_item.added", map[string]any{"type": "response.output_item.added", "output_index": i, "item": item})
		sse(w, "response.output_item.done", map[string]any{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	response["status"], response["output"] = "completed", items
	response["usage"] = map[string]any{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
		"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0}}
	sse(w, "response.completed", map[string]any{"type": "response.completed", "response": response})
}

// customInput is the only field of a call whose tool takes text instead of JSON.
const customInput = "custom input"

// responsesItem returns the output item for call number n.
func (c ToolCall) responsesItem(n int) map[string]any {
	if text, ok := c.Input[customInput].(string); ok {
		return map[string]any{"type": "custom_tool_call", "id": callID("ctc", n), "call_id": callID("call", n), "status": "completed", "name": c.Name, "input": text}
	}
	return map[string]any{"type": "function_call", "id": callID("fc", n), "call_id": callID("call", n), "status": "completed",
		"name": c.Name, "arguments": c.inputJSON()}
}
