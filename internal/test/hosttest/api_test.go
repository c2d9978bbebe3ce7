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
	Name     string         // the host's tool name, for instance "Bash"
	Input    map[string]any // the tool's input object
	Parallel bool           // asked for in the same message as the call before
}

// A ToolResult is what the host sent back for one tool call.
type ToolResult struct {
	IsError bool // false where the protocol has no such mark
	Text    string
}

// A Conversation is a list of calls for a conversation whose first user message contains Prompt. The
// main conversation has the Prompt that Session.Run passes; others are those of subagents.
type Conversation struct {
	Prompt string
	Calls  []ToolCall
}

// Prompt is what the fake user says in the main conversation.
const Prompt = "please go on"

// A Protocol is the wire form of one model API: Serve answers one request whose body is read already.
type Protocol struct {
	Name  string
	Serve func(a *API, w http.ResponseWriter, r *http.Request, body []byte)
}

// An API is a fake model API that asks for its calls in order and then ends the turn.
type API struct {
	URL           string
	Protocol      Protocol
	Conversations []Conversation
	Watched       int // the conversation Results are of
	// Verdict is what the host's classifier says of every call: as the API of the one on the server spells it, or one
	// of the verdicts of Claude Code's own; "" says nothing.
	Verdict string

	mu       sync.Mutex
	results  []ToolResult
	requests []Request
}

// A Request is one request the host made, for messages of failing tests and for probes.
type Request struct {
	Line string // method and path
	Body []byte
}

// StartAPI serves the fake API on a local port until the test ends. calls are those of the main
// conversation.
func StartAPI(t testing.TB, p Protocol, calls ...ToolCall) *API {
	t.Helper()
	a := &API{Protocol: p, Conversations: []Conversation{{Prompt, calls}}}
	srv := httptest.NewServer(http.HandlerFunc(a.serve))
	t.Cleanup(srv.Close)
	a.URL = srv.URL
	return a
}

func (a *API) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	a.requests = append(a.requests, Request{r.Method + " " + r.URL.Path, body})
	a.mu.Unlock()
	a.Protocol.Serve(a, w, r, body)
}

// Results returns the tool results of the watched conversation seen so far, in the order of its calls.
func (a *API) Results() []ToolResult {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]ToolResult(nil), a.results...)
}

// Requests returns every request seen.
func (a *API) Requests() []Request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]Request(nil), a.requests...)
}

// Asked returns how many requests there were.
func (a *API) Asked() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.requests)
}

// next notes the results of a conversation that starts with the user text first and returns the calls
// to ask for now, and the number of the first of them; no calls: the turn ends.
func (a *API) next(first string, results []ToolResult) (calls []ToolCall, number int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, c := range a.Conversations {
		if !strings.Contains(first, c.Prompt) {
			continue
		}
		if i == a.Watched && len(results) > len(a.results) {
			a.results = results
		}
		n := len(results)
		if n >= len(c.Calls) {
			return nil, n
		}
		end := n + 1
		for end < len(c.Calls) && c.Calls[end].Parallel {
			end++
		}
		return c.Calls[n:end], n
	}
	return nil, 0
}

// callID names call number n of a conversation the way its API does.
func callID(prefix string, n int) string { return fmt.Sprintf("%s_%04d", prefix, n+1) }

// inputJSON returns the call's input as JSON text.
func (c ToolCall) inputJSON() string {
	out, err := json.Marshal(c.Input)
	if err != nil {
		panic(err) // maps of strings and numbers always marshal
	}
	return string(out)
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// sse sends one server-sent event; event may be empty.
func sse(w http.ResponseWriter, event string, v any) {
	w.Header().Set("Content-Type", "text/event-stream")
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	if event != "" {
		fmt.Fprintf(w, "event: %s\n", event)
	}
	fmt.Fprintf(w, "data: %s\n\n", data)
}
