package log

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

// full is a record with every field set.
func full() Record {
	r := Record{
		Time: time.Date(2026, 11, 21, 9, 30, 5, 123456000, time.UTC), Schema: Schema, Event: EventDecision,
		Input: `{"command":"git push","list":[1,{"a":null}]}`, Redacted: true, Observed: true, Duration: 1234 * time.Microsecond, ApproverTook: 1500 * time.Millisecond, AutoTook: 812 * time.Millisecond,
		Trace: []Entry{{"1", "pass", "no deny rule"}, {"5", "deny", "an \"ask\"\nrule"}},
	}
	for i := range Fields {
		if f := Fields[i].text; f != nil {
			*f(&r) = "value of " + Fields[i].Name
		}
	}
	return r
}

func TestRoundTrip(t *testing.T) {
	for _, want := range []Record{full(), {Time: full().Time, Schema: 1, Event: EventOutcome}} {
		line := want.AppendJSON(nil)
		if !json.Valid(line) || strings.Count(string(line), "\n") != 1 {
			t.Fatalf("%s", line)
		}
		got, ok := Parse(line)
		for i := range want.Trace { // control characters are made visible
			want.Trace[i].Reason = strings.ReplaceAll(want.Trace[i].Reason, "\n", `\n`)
		}
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("wrote\n%s\nread\n%+v\nwant\n%+v", line, got, want)
		}
	}
}

// TestEveryField checks that no field of a Record is left out of Fields.
func TestEveryField(t *testing.T) {
	r := full()
	v := reflect.ValueOf(r)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("no entry of Fields carries Record.%s", v.Type().Field(i).Name)
		}
	}
	line := string(r.AppendJSON(nil))
	for i := range Fields {
		_, key := Fields[i].split()
		if !strings.Contains(line, `"`+key+`":`) {
			t.Errorf("%s is not written", Fields[i].Name)
		}
	}
}

func TestRead(t *testing.T) {
	r := full()
	r.Session = "a"
	a := string(r.AppendJSON(nil))
	r.Session = "b"
	b := string(r.AppendJSON(nil))
	for _, c := range []struct {
		name, in, want string
		skipped        int
	}{
		{"empty", "", "", 0},
		{"two", a + b, "ab", 0},
		{"blank lines", "\n" + a + "\n\n" + b, "ab", 0},
		{"no newline at the end", a + strings.TrimSpace(b), "ab", 0},
		{"torn, then healed", a[:40] + "\n" + b, "b", 1},
		{"torn, not healed", a[:40] + b, "b", 0},
		{"torn twice, not healed", a[:40] + a[:9] + b[:70] + b, "b", 0},
		{"torn at the end", a + b[:40], "a", 1},
		{"another program", "hello\n{\"level\":\"info\"}\n[1]\n" + a, "a", 3},
		{"NUL bytes after a crash", "\x00\x00\x00\n" + a, "a", 1},
		{"too long", `{"x":"` + strings.Repeat("y", MaxLine) + "\"}\n" + a, "a", 1},
		{"new keys", strings.Replace(a, `"Attributes":{`, `"Attributes":{"permgate.new":{"deep":[1]},`, 1), "a", 0},
		{"new group", strings.Replace(a, `"Attributes":{`, `"Scope":{"x":1},"Attributes":{`, 1), "a", 0},
		{"other types", strings.Replace(a, `"Body":"value of Body"`, `"Body":{"x":1}`, 1), "a", 0},
		{"no time", strings.Replace(a, `"Timestamp":"2026`, `"Timestamp":"x`, 1), "", 1},
		{"other event name", strings.Replace(a, `"permgate.decision"`, `"other"`, 1), "", 1},
	} {
		got := ""
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, Name), []byte(c.in), 0o600); err != nil {
			t.Fatal(err)
		}
		skipped, err := ReadDir(dir, func(r *Record) { got += r.Session })
		if got != c.want || skipped != c.skipped || err != nil {
			t.Errorf("%s: %q, %d skipped, %v; want %q, %d", c.name, got, skipped, err, c.want, c.skipped)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	r := full()
	for name, session := range map[string]string{"log.jsonl": "d", "log.1.jsonl": "c", "log.2.jsonl": "b", "log.10.jsonl": "a", "log.01.jsonl": "x", "log.x.jsonl": "y", "log.jsonl.lock": "z"} {
		r.Session = session
		if err := os.WriteFile(filepath.Join(dir, name), r.AppendJSON(nil), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := ""
	skipped, err := ReadDir(dir, func(r *Record) { got += r.Session })
	if got != "abcd" || skipped != 0 || err != nil {
		t.Errorf("%q, %d, %v", got, skipped, err)
	}
	if _, err := ReadDir(filepath.Join(dir, "none"), nil); err != nil {
		t.Error(err)
	}
}

//go:generate go test . -run ^TestPage$ -update

// TestPage writes the tables of docs/log.md.
func TestPage(t *testing.T) {
	name := filepath.Join("..", "..", "..", "docs", "log.md")
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := replaceTable(t, string(old), "| key | type | |\n", fieldTable())
	text = replaceTable(t, text, "| secret | |\n", shapeTable())
	golden.File(t, name, text)
}

func fieldTable() string {
	var b strings.Builder
	for i := range Fields {
		f := &Fields[i]
		group, key := f.split()
		b.WriteString("| " + strings.Replace(group, "/", ": ", 1) + "`" + key + "` | " + f.Type + " | " + f.Doc + " |\n")
	}
	return b.String()
}

func shapeTable() string {
	var b strings.Builder
	for i := range redact.Shapes {
		b.WriteString("| " + redact.Shapes[i].Name + " | " + redact.Shapes[i].Doc + " |\n")
	}
	return b.String()
}

// replaceTable puts rows in the place of those below a table's heading.
func replaceTable(t *testing.T, text, heading, rows string) string {
	t.Helper()
	before, rest, ok := strings.Cut(text, heading)
	rule, rest, _ := strings.Cut(rest, "\n")
	if !ok {
		t.Fatalf("docs/log.md has no table %q", heading)
	}
	for strings.HasPrefix(rest, "|") {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return before + heading + rule + "\n" + rows + rest
}
