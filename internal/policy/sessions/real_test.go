package sessions_test

import (
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

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
