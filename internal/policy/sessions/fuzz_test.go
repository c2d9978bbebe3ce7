package sessions_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

// FuzzRead reads any text as each format: nothing panics, every call that is counted is
// handed on once, and what is read again is found to be a duplicate.
func FuzzRead(f *testing.F) {
	names, _ := filepath.Glob("testdata/*/*.json*")
	if len(names) == 0 {
		f.Fatal("no seeds")
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, format := range sessions.Formats() {
			var counts sessions.Counts
			seen := &sessions.Seen{}
			calls := readText(t, text, format, &counts, seen)
			ids := 0
			for _, c := range calls {
				if c.Format != format || (c.Call == nil) == (c.Skip == "") {
					t.Fatalf("%s: %+v", format.Name, c)
				}
				if c.ID != "" {
					ids++
				}
			}
			if counts.Calls != len(calls) || counts.Torn+counts.Newer > counts.Lines {
				t.Fatalf("%s: %d calls, %+v", format.Name, len(calls), counts)
			}
			var again sessions.Counts
			calls = readText(t, text, format, &again, seen)
			if again.Calls != len(calls) || again.Calls > counts.Calls-ids {
				t.Fatalf("%s: %d calls again of %d, %d with an id", format.Name, again.Calls, counts.Calls, ids)
			}
		}
	})
}

func readText(t *testing.T, text []byte, format *sessions.Format, counts *sessions.Counts, seen *sessions.Seen) (calls []*sessions.Call) {
	err := sessions.Read([]string{"-"}, bytes.NewReader(text), format, counts, seen, notBefore, func(c *sessions.Call) error {
		calls = append(calls, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return calls
}
