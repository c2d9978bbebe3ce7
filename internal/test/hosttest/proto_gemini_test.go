package hosttest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Gemini is the Gemini API. Source: ai.google.dev/api/generate-content.
var Gemini = Protocol{"Gemini generateContent", serveGemini}

// geminiRequest is the part of a generateContent request that the fake model looks at.
type geminiRequest struct {
	Tools    []json.RawMessage `json:"tools"`
	Contents []struct {
		Role  string `json:"role"`
		Parts []struct {
			Text             string `json:"text"`
			FunctionResponse *struct {
				Response json.RawMessage `json:"response"`
			} `json:"functionResponse"`
		} `json:"parts"`
	} `json:"contents"`
}

func serveGemini(a *API, w http.ResponseWriter, r *http.Request, body []byte) {
	_, method, _ := strings.Cut(r.URL.Path, ":")
	switch method {
	case "countTokens":
		writeJSON(w, map[string]any{"totalTokens": 1})
		return
	case "generateContent", "streamGenerateContent":
	default:
		writeJSON(w, map[string]any{})
		return
	}
	var req geminiRequest
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var first strings.Builder
	var results []ToolResult
	for _, c := range req.Contents {
		for _, p := range c.Parts {
			if p.FunctionResponse != nil {
				results = append(results, ToolResult{Text: string(p.FunctionResponse.Response)})
			} else if c.Role == "user" && len(results) == 0 {
				first.WriteString(p.Text)
			}
		}
	}
	parts := []any{map[string]any{"text": "done"}}
	if len(req.Tools) > 0 {
		if calls, n := a.next(first.String(), results); len(calls) > 0 {
			parts = nil
			for i, c := range calls {
				parts = append(parts, map[string]any{"functionCall": map[string]any{"id": callID("call", n+i), "name": c.Name, "args": c.Input}})
			}
		}
	}
	reply := map[string]any{"responseId": "r1", "modelVersion": "stub",
		"candidates": []any{map[string]any{"index": 0, "finishReason": "STOP",
			"content": map[string]any{"role": "model", "parts": parts}}},
		"usageMetadata": map[string]any{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}}
	if method == "generateContent" {
		writeJSON(w, reply)
		return
	}
	sse(w, "", reply)
}
