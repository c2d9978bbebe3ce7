package hookio

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func FuzzRead(f *testing.F) {
	for _, h := range Hosts() {
		for _, e := range h.Examples() {
			f.Add([]byte(e.In))
		}
	}
	files, err := filepath.Glob(filepath.Join("..", "testdata", "hosts", "*", "*.json"))
	if err != nil || len(files) == 0 {
		f.Fatal("no payloads in testdata/hosts: ", err)
	}
	for _, file := range files {
		in, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(in)
	}
	for _, tt := range malformed {
		f.Add([]byte(tt.in))
	}
	for _, tt := range unreadable {
		if len(tt.in) < 1<<10 {
			f.Add([]byte(tt.in))
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		c, err := Read(bytes.NewReader(in), Options{})
		again, err2 := Read(bytes.NewReader(in), Options{})
		if !same(c, again) || (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("two readings: %+v, %v and %+v, %v", c, err, again, err2)
		}
		if err != nil {
			if c != nil {
				t.Fatalf("a call beside %v", err)
			}
			return
		}
		if slow, err := Read(iotest.HalfReader(bytes.NewReader(in)), Options{}); err != nil || !same(c, slow) {
			t.Fatalf("read in parts: %+v, %v", slow, err)
		}
		for d := Pass; d <= Deny; d++ {
			out := Write(nil, c, Answer{Decision: d, Reason: c.Command})
			if len(out) > 0 && (!json.Valid(out) || bytes.Count(out, []byte("\n")) != 1 || !utf8.Valid(out)) {
				t.Fatalf("%s: wrote %q", d, out)
			}
		}
		plain := c.Host.Decode == nil && len(c.Host.Fields) == 0 && !c.Host.InputText
		if plain && c.Malformed == "" && c.RawTool == "Bash" && c.Event.Decides() {
			checkCommand(t, in, c)
		}
	})
}

func same(a, b *Call) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Input.Index, y.Input.Index = 0, 0 // offset in the reader's copy
	return reflect.DeepEqual(x, y)
}

// checkCommand compares the command with what encoding/json finds under the exact key.
func checkCommand(t *testing.T, in []byte, c *Call) {
	var payload, input map[string]json.RawMessage
	var command string
	err := json.Unmarshal(bytes.TrimPrefix(in, []byte(bom)), &payload)
	if err == nil {
		err = json.Unmarshal(payload["tool_input"], &input)
	}
	if err == nil {
		err = json.Unmarshal(input["command"], &command)
	}
	if err != nil {
		t.Fatal(err)
	}
	if c.Command != command || strings.TrimSpace(command) == "" || !utf8.ValidString(c.Command) {
		t.Fatalf("command %q, encoding/json reads %q", c.Command, command)
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"plain", "a\nb\u200b", "\xff\ufffd", "\U000e0041", `\n`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := Escape(s)
		if !utf8.ValidString(e) || strings.ContainsAny(e, "\n\r\x00\u2028\u202e\u200b") {
			t.Fatalf("%q", e)
		}
		if Escape(e) != e {
			t.Fatalf("%q is escaped again", e)
		}
		var back string
		if err := json.Unmarshal(AppendJSON(nil, e), &back); err != nil || back != e {
			t.Fatalf("%q, %v", back, err)
		}
	})
}
