package sessions_test

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A fileTest states what reading files of testdata comes to, exactly.
type fileTest struct {
	files  string // in testdata
	format string
	counts sessions.Counts
	calls  string // one call per line, as show writes it
}

// read reads files of testdata, whose format is told by their lines.
func read(t *testing.T, files string) (calls []*sessions.Call, counts sessions.Counts) {
	t.Helper()
	var names []string
	for _, name := range strings.Fields(files) {
		names = append(names, filepath.Join("testdata", name))
	}
	err := sessions.Read(names, nil, nil, &counts, &sessions.Seen{}, time.Time{}, func(c *sessions.Call) error {
		calls = append(calls, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return calls, counts
}

// show writes a call: session, mode, folder, subagent, tool and what it is about,
// asked or not, how it ended.
func show(c *sessions.Call) string {
	var b strings.Builder
	b.WriteString(c.Session[max(0, len(c.Session)-4):])
	if c.Call == nil {
		fmt.Fprintf(&b, " skipped: %s", c.Skip)
	} else {
		what := c.Command + c.URL + c.Name
		for _, a := range c.Args {
			what += a.Path + " "
		}
		fmt.Fprintf(&b, " %q %s [%s] %s %s", c.Mode, c.Cwd, strings.TrimSpace(c.AgentID+" "+c.AgentType), c.Tool, strings.TrimSpace(what))
		if c.Dir != "" {
			fmt.Fprintf(&b, " in %s", c.Dir)
		}
	}
	for _, s := range []struct{ name, text string }{
		{"then", c.Then}, {"asked", [...]string{"", "no", "yes"}[c.Prompted]}, {"outcome", c.Outcome},
		{"by", c.RefusedBy}, {"word", c.Denial},
	} {
		if s.text != "" {
			fmt.Fprintf(&b, " %s=%s", s.name, s.text)
		}
	}
	return b.String()
}

// TestTimes: a time that JSON cannot write is not known.
func TestTimes(t *testing.T) {
	for stamp, want := range map[string]string{
		"2026-11-01T10:00:00.5Z": "2026-11-01T10:00:00.5Z", "2026-11-01T10:00:00+24:00": "2026-10-31T10:00:00Z",
		"9999-12-31T23:59:59-12:00": "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+12:00": "0001-01-01T00:00:00Z", "": "0001-01-01T00:00:00Z",
	} {
		line := `{"type":"assistant","sessionId":"s","timestamp":"` + stamp + `","message":{"content":[{"type":"tool_use","name":"Read","input":{}}]}}`
		log := `{"Timestamp":"` + stamp + `","EventName":"permgate.decision","Attributes":{"permgate.schema":1}}`
		for _, text := range [...]string{line, log} {
			var counts sessions.Counts
			err := sessions.Read([]string{"-"}, strings.NewReader(text), nil, &counts, &sessions.Seen{}, time.Time{}, func(c *sessions.Call) error {
				got, err := c.Time.MarshalJSON()
				if string(got) != `"`+want+`"` {
					t.Errorf("%s: got %s, %v, want %s", stamp, got, err, want)
				}
				return nil
			})
			if err != nil || counts.Calls != 1 && stamp != "" {
				t.Error(stamp, err, counts)
			}
		}
	}
}

// TestLongFirstLine: a session whose first line is longer than what is looked at is told by its beginning.
func TestLongFirstLine(t *testing.T) {
	text := `{"parentUuid":null,"userType":"external","sessionId":"s","type":"user","message":{"role":"user","content":"` +
		strings.Repeat("x", 100_000) + `"}}` + "\n" +
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_01","name":"Read","input":{}}]}}` + "\n"
	var counts sessions.Counts
	err := sessions.Read([]string{"-"}, strings.NewReader(text), nil, &counts, &sessions.Seen{}, time.Time{},
		func(*sessions.Call) error { return nil })
	if want := (sessions.Counts{Lines: 2, Calls: 1}); err != nil || counts != want {
		t.Errorf("got %+v, %v, want %+v", counts, err, want)
	}
}

func TestFiles(t *testing.T) {
	for _, tt := range fileTests {
		t.Run(tt.files, func(t *testing.T) {
			calls, counts := read(t, tt.files)
			if counts != tt.counts {
				t.Errorf("counts\n%+v, want\n%+v", counts, tt.counts)
			}
			if counts.Calls != len(calls) {
				t.Errorf("%d calls counted, %d handed on", counts.Calls, len(calls))
			}
			want := strings.Split(strings.TrimSpace(tt.calls), "\n")
			for i, c := range calls {
				if got := show(c); i >= len(want) || strings.TrimSpace(got) != strings.TrimSpace(want[i]) {
					t.Errorf("call %d:\n%s", i, got)
				}
				if c.Format == nil || c.Format.Name != tt.format {
					t.Errorf("call %d is of format %v", i, c.Format)
				}
			}
			if len(calls) < len(want) {
				t.Errorf("%d calls, want %d", len(calls), len(want))
			}
		})
	}
}

var notBefore time.Time

// A repeated reads a text again and again, with other ids each time.
type repeated struct {
	text, left []byte
	times      int
}

func (r *repeated) Read(b []byte) (int, error) {
	if len(r.left) == 0 {
		if r.times == 0 {
			return 0, io.EOF
		}
		r.left = bytes.ReplaceAll(r.text, []byte("0000000000000"), fmt.Appendf(nil, "%013d", r.times))
		r.times--
	}
	n := copy(b, r.left)
	r.left = r.left[n:]
	return n, nil
}

// TestFlat reads many calls without a result: what is kept does not grow with them.
func TestFlat(t *testing.T) {
	line := `{"type":"assistant","cwd":"/a","sessionId":"s","message":{"content":[{"type":"tool_use","id":"toolu_0000000000000","name":"Write","input":{"file_path":"/a/b","content":"` + string(bytes.Repeat([]byte("x"), 50_000)) + `"}}]}}` + "\n"
	heap := func(times int) uint64 {
		var most uint64
		in := &repeated{text: []byte(line), times: times}
		var counts sessions.Counts
		n := 0
		err := sessions.Read([]string{"-"}, in, nil, &counts, &sessions.Seen{}, notBefore, func(*sessions.Call) error {
			if n++; n%200 == 0 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
			return nil
		})
		if err != nil || counts.Calls != times {
			t.Fatalf("%v, %+v", err, counts)
		}
		return most
	}
	few, many := heap(400), heap(1600)
	t.Logf("%d KiB in use for 400 calls, %d KiB for 1600", few>>10, many>>10)
	if many > few+(4<<20) || many > 32<<20 {
		t.Errorf("%d bytes in use for 400 calls, %d for 1600", few, many)
	}
}

// TestRecorded reads the collection of recorded calls: every line is a call, and none is lost.
func TestRecorded(t *testing.T) {
	path := testenv.CorpusPath(t, "corpus/real_calls.jsonl")
	if path == "" {
		t.Skip("needs the recorded calls")
	}
	var counts sessions.Counts
	taken, skipped := 0, 0
	err := sessions.Read([]string{path}, nil, nil, &counts, &sessions.Seen{}, time.Time{},
		func(c *sessions.Call) error {
			taken++
			if c.Call == nil {
				skipped++
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v, %d skipped", counts, skipped)
	if counts.Calls != taken || counts.Lines != taken+counts.Duplicates+counts.Torn+counts.Unknown || taken < 10_000 || skipped > 0 {
		t.Errorf("%d calls taken, %d skipped, %+v", taken, skipped, counts)
	}
}
