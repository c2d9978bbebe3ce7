package sessions_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

func TestFind(t *testing.T) {
	special := "a[b]*"
	if runtime.GOOS == "windows" {
		special = "a b" // Glob has no escapes there, and * is in no name
	}
	home, moved := t.TempDir(), filepath.Join(t.TempDir(), special)
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for i, name := range []string{
		filepath.Join(home, ".claude/projects/-app/s1/subagents/agent-1.jsonl"), filepath.Join(home, ".claude/projects/-app/s1.jsonl"),
		filepath.Join(home, ".claude/projects/-app/notes.txt"), filepath.Join(moved, "projects/-app/s2.jsonl"),
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ env, want string }{
		{"", "agent-1.jsonl s1.jsonl"}, {"relative", "agent-1.jsonl s1.jsonl"}, {moved, "s2.jsonl"}, {home, ""},
	} {
		var got []string
		for _, f := range sessions.Lookup("claude").Find(home, func(name string) string {
			if name != "CLAUDE_CONFIG_DIR" {
				t.Errorf("asked for %s", name)
			}
			return tt.env
		}) {
			got = append(got, filepath.Base(f.Name))
		}
		if !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%q: %q, want %s", tt.env, got, tt.want)
		}
	}
}

// TestDetect asks every format about every line of the test data: the first that says yes
// is the right one.
func TestDetect(t *testing.T) {
	names, _ := filepath.Glob("testdata/*/*.jsonl")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for line := range strings.Lines(string(text)) {
			v := gjson.Parse(line)
			i := slices.IndexFunc(sessions.Formats(), func(f *sessions.Format) bool { return gjson.Valid(line) && f.Is(v) })
			if i < 0 {
				continue
			}
			found++
			if f := sessions.Formats()[i]; f.Name != filepath.Base(filepath.Dir(name)) {
				t.Errorf("%s is taken for one of %s", line, f.Name)
			}
		}
		if found < 2 {
			t.Errorf("%s: %d lines are known", name, found)
		}
	}
}

// TestFormats holds each format against what the others rely on.
func TestFormats(t *testing.T) {
	for _, f := range sessions.Formats() {
		if f.Title == "" || f.Source == "" || f.Is == nil || f.Read == nil || sessions.Lookup(f.Name) != f {
			t.Errorf("%s is not whole", f.Name)
		}
		if f.Name != "permgate" && f.Name != "payload" && (hookio.Lookup(f.Name) == nil || len(f.Files) == 0) {
			t.Errorf("%s is the name of no program, or has no files", f.Name)
		}
		for _, text := range []string{f.Title, f.Lacks} {
			if strings.HasSuffix(text, ".") || len(text) > 0 && text != strings.ToLower(text[:1])+text[1:] {
				t.Errorf("%s: %q is no clause", f.Name, text)
			}
		}
	}
}

func TestReadFiles(t *testing.T) {
	dir := t.TempDir()
	name := func(base, text string) string {
		name := filepath.Join(dir, base)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	_, missing := os.ReadFile(filepath.Join(dir, "none")) // each system says so in its words
	payload := `{"session_id":"s","cwd":"/a","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"call_1"}` + "\n"
	other := strings.ReplaceAll(payload, `"s"`, `"t"`)
	deep := strings.Repeat("[", 1<<20) + "\n"
	for _, tt := range []struct {
		name, in, want string
		calls          int
	}{
		{name: name("payloads", payload+payload+deep+other), calls: 2},
		{name: "-", in: payload, calls: 1},
		{name: name("empty", "\n")},
		{name: name("prose", "hello\n"), want: "has no known format: the first lines are none of permgate's log, "},
		{name: name("list", "[1]\n"), want: "has no known format"},
		{name: name("deep", deep), want: "has no known format"},
		{name: dir, want: "is a folder: name its files"},
		{name: filepath.Join(dir, "none"), want: missing.Error()},
	} {
		var counts sessions.Counts
		calls := 0
		err := sessions.Read([]string{tt.name}, strings.NewReader(tt.in), nil, &counts, &sessions.Seen{}, time.Time{},
			func(*sessions.Call) error { calls++; return nil })
		switch {
		case tt.want == "" && err != nil, tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		case calls != tt.calls || counts.Calls != calls:
			t.Errorf("%s: %d calls, want %d: %+v", tt.name, calls, tt.calls, counts)
		}
	}
	var counts sessions.Counts
	err := sessions.Read([]string{filepath.Join(dir, "payloads")}, nil, nil, &counts, &sessions.Seen{}, time.Now().Add(time.Hour), nil)
	if err != nil || counts != (sessions.Counts{}) {
		t.Errorf("a file older than the time asked for: %v, %+v", err, counts)
	}
}

// TestSeen notes many ids, each twice.
func TestSeen(t *testing.T) {
	var s sessions.Seen
	for round := range 2 {
		for i := range 100_000 {
			if id := fmt.Sprintf("toolu_%020d", i); s.Again("claude", id) != (round > 0) {
				t.Fatalf("%s in round %d", id, round)
			}
		}
	}
	if s.Again("codex", "toolu_00000000000000000001") || s.Again("claude", "") || s.Again("claude", "") {
		t.Error("an id of another program, or none, was met before")
	}
}
