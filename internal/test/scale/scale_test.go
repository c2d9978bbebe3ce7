package scale

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/test/built"
)

const (
	docs   = "../../../docs/scale"
	duckdb = "@duckdb/node-api@1.5.6-r.1" // docs/scale.md has the same
)

// Counts are calls by what they have in common: the columns of what the pipeline writes.
type counts map[string]int

func (c counts) add(n int, columns ...string) {
	if n > 0 {
		c[strings.Join(columns, "  ")] += n
	}
}

// only leaves out what some of the engines do not count.
func (c counts) only(kinds ...string) counts {
	out := counts{}
	for key, n := range c {
		for _, kind := range kinds {
			if key == kind || strings.HasPrefix(key, kind+" ") {
				out[key] = n
			}
		}
	}
	return out
}

// engines are the programs that count, in a folder of their own.
type engines struct {
	*testing.T
	dir, permgate, beam string
}

func newEngines(t *testing.T) *engines {
	if os.Getenv("PERMGATE_SCALE") == "" {
		t.Skip("PERMGATE_SCALE=1 builds the Beam pipeline, fetches DuckDB and compares what they count with permgate replay")
	}
	e := &engines{T: t, dir: t.TempDir()}
	e.beam = filepath.Join(e.dir, "beam")
	var err error
	if e.permgate, err = built.Release(); err != nil {
		t.Fatal(err)
	}
	e.run("", "go", "build", "-C", filepath.Join(docs, "beam"), "-o", e.beam, ".")
	settings, err := os.ReadFile("testdata/now.json")
	if err == nil {
		err = os.MkdirAll(filepath.Join(e.home(), ".claude"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(e.home(), ".claude", "settings.json"), settings, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// home is a home directory with settings.
func (e *engines) home() string { return filepath.Join(e.dir, "home") }

// run returns what a program prints. Its exit code may say that lines were broken or answers differ.
func (e *engines) run(in, name string, args ...string) []byte {
	e.Helper()
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if in != "" {
		f, err := os.Open(in)
		if err != nil {
			e.Fatal(err)
		}
		defer f.Close()
		cmd.Stdin = f
	}
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		e.Fatalf("%s: %v\n%s", cmd, err, stderr.Bytes())
	}
	return out
}

// replay is what the others are compared with.
func (e *engines) replay(in string, args ...string) counts {
	e.Helper()
	var r replay.Report
	if err := json.Unmarshal(e.run(in, e.permgate, append([]string{"replay", "--json"}, args...)...), &r); err != nil {
		e.Fatal(err)
	}
	if r.Decided == 0 || r.All.Ask == 0 || len(r.Rules) == 0 {
		e.Fatalf("nothing to compare: %+v", r)
	}
	c := counts{}
	for name, n := range map[string]int{
		"read": r.Read, "decided": r.Decided, "lines": r.Lines.Read, "duplicates": r.Lines.Duplicates, "unknown": r.Lines.Unknown,
		"torn": r.Lines.Torn, "newer": r.Lines.Newer, "sessions": r.Sessions.Count, "prompts": r.Sessions.Prompts,
		"p50": r.Sessions.P50, "p90": r.Sessions.P90, "most": r.Sessions.Max,
	} {
		c.add(n, name)
	}
	tally := func(t replay.Tally, columns ...string) {
		for told, n := range map[string]int{"allow": t.Allow, "ask": t.Ask, "deny": t.Deny, "silence": t.Silence} {
			c.add(n, append(columns, told)...)
		}
	}
	tally(r.All, "answers")
	for _, n := range r.Tools {
		tally(n.Tally, "tools", n.Name)
	}
	for _, n := range r.Rules {
		tally(n.Tally, "rules", n.Name, n.Place)
	}
	for _, s := range r.Skipped {
		c.add(s.Calls, "skipped", s.Why)
	}
	for _, ch := range r.Changes {
		c.add(ch.Calls, "changes", ch.By, ch.Place, ch.Kind)
	}
	return c
}

// pipeline counts with Beam, on its local runner.
func (e *engines) pipeline(input string, args ...string) counts {
	e.Helper()
	output := filepath.Join(e.TempDir(), "counts.jsonl")
	cmd := exec.Command(e.beam, append([]string{"--input", input, "--output", output}, args...)...)
	if text, err := cmd.CombinedOutput(); err != nil {
		e.Fatalf("%s: %v\n%s", cmd, err, text)
	}
	kinds := map[string]string{"allow": replay.Allowed, "ask": replay.Asked, "deny": replay.Refused, "silence": replay.Left}
	c := counts{}
	type row struct {
		Count, Name, Place, Answer string
		Calls                      int
	}
	for r := range lines[row](e, output) {
		switch r.Count {
		case "changes":
			c.add(r.Calls, r.Count, r.Name, r.Place, kinds[r.Answer])
		case "rules":
			c.add(r.Calls, r.Count, r.Name, r.Place, r.Answer)
		case "tools", "skipped":
			c.add(r.Calls, strings.TrimSpace(strings.Join([]string{r.Count, r.Name, r.Answer}, "  ")))
		case "answers":
			c.add(r.Calls, r.Count, r.Answer)
		default:
			c.add(r.Calls, r.Count)
		}
	}
	return c
}

// lines reads a file of JSON objects.
func lines[T any](e *engines, name string) func(func(T) bool) {
	return func(yield func(T) bool) {
		text, err := os.ReadFile(name)
		if err != nil {
			e.Fatal(err)
		}
		in := bufio.NewScanner(bytes.NewReader(text))
		for in.Buffer(nil, len(text)+1); in.Scan(); {
			var v T
			if err := json.Unmarshal(in.Bytes(), &v); err != nil {
				e.Fatalf("%s: %v: %s", name, err, in.Bytes())
			}
			if !yield(v) {
				return
			}
		}
	}
}

func same(t *testing.T, what string, got, want counts) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, - permgate replay, + %s:\n%s", what, what, diff)
	}
}
