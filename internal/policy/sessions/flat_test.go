package sessions_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

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

// TestFlat reads many calls, none of which has a result: what is kept does not grow with them.
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
