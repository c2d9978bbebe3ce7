package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/browser"
	"github.com/permgate--owner/permgate/internal/try"
)

// TestBrowser looks at the page in Chromium, as testdata/browser.mjs says, and has it answer the calls of the corpora:
// to the byte as the same package does here, which TestBinary compares with the program.
func TestBrowser(t *testing.T) {
	browser.Needed(t)
	files, err := build()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(serve(files))
	defer server.Close()
	dir := t.TempDir()
	type asked struct{ ID, Request, Want string }
	var calls []asked
	for _, r := range rows(t, "/home/you") {
		request, err := json.Marshal(r.Request)
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, asked{r.ID, string(request), string(try.Answer(request))})
	}
	data, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "calls.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	browser.Run(t, dir, server.URL+"/", os.Getenv("PERMGATE_SCREENSHOTS"))
}

// TestServe: the page is served, and nothing else.
func TestServe(t *testing.T) {
	server := httptest.NewServer(serve(map[string]string{"index.html": html, "try.js": script}))
	defer server.Close()
	for path, want := range map[string]int{"/": 200, "/try.js": 200, "/main.go": 404, "/../main.go": 404} {
		answer, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
}
