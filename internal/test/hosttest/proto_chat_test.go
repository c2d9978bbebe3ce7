package hosttest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Chat is the Chat Completions API. Source: platform.openai.com/docs/api-reference/chat.
var Chat = Protocol{"OpenAI Chat Completions", serveChat}

// chatRequest is the part of a Chat Completions request that the fake model looks at.
type chatRequest struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	Tools    []json.RawMessage `json:"tools"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"` // a string or a list of parts
	} `json:"messages"`
}

func serveChat(a *API, w http.ResponseWriter, r *http.Request, body []byte) {
	if strings.HasSuffix(r.URL.Path, "/models") {
		writeJSON(w, map[string]any{"object": "list", "data": []any{map[string]any{"id": "stub", "object": "model"}}})
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		writeJSON(w, map[string]any{})
		return
	}
	var req chatRequest
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var first strings.Builder
	var results []ToolResult
	for _, m := range req.Messages {
		switch m.Role {
		case "user":
			if len(results) == 0 {
				first.WriteString(contentText(m.Content))
			}
		case "tool":
			results = append(results, ToolResult{Text: contentText(m.Content)})
		}
	}
	message, finish := map[string]any{"role": "assistant", "content": "done"}, "stop"
	if len(req.Tools) > 0 {
		if calls, n := a.next(first.String(), results); len(calls) > 0 {
			var list []any
			for i, c := range calls {
				list = append(list, map[string]any{"index": i, "id": callID("call", n+i), "type": "function",
					"function": map[string]any{"name": c.Name, "arguments": c.inputJSON()}})
			}
			message, finish = map[string]any{"role": "assistant", "content": nil, "tool_calls": list}, "tool_calls"
		}
	}
	usage := map[string]any{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
	reply := func(object, field string, value, finish any) map[string]any {
		return map[string]any{"id": "chatcmpl_1", "object": object, "created": 1, "model": req.Model,
			"choices": []any{map[string]any{"index": 0, field: value, "finish_reason": finish}}, "usage": usage}
	}
	if !req.Stream {
		writeJSON(w, reply("chat.completion", "message", message, finish))
		return
	}
	sse(w, "", reply("chat.completion.chunk", "delta", message, nil))
	sse(w, "", reply("chat.completion.chunk", "delta", map[string]any{}, finish))
	fmt.Fprint(w, "data: [DONE]\n\n")
}
