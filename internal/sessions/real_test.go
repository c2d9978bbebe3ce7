package sessions_test

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/sessions"
)

// TestRecorded reads the collection of recorded calls next to the repository: every line is
// a call, and none is lost.
func TestRecorded(t *testing.T) {
	var counts sessions.Counts
	taken, skipped := 0, 0
	err := sessions.Read([]string{"../../../shared/corpus/real_calls.jsonl"}, nil, nil, &counts, &sessions.Seen{}, time.Time{},
		func(c *sessions.Call) error {
			taken++
			if c.Call == nil {
				skipped++
			}
			return nil
		})
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no collection of recorded calls next to the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v, %d skipped", counts, skipped)
	if counts.Calls != taken || counts.Lines != taken+counts.Duplicates+counts.Torn+counts.Unknown || taken < 10_000 || skipped > 0 {
		t.Errorf("%d calls taken, %d skipped, %+v", taken, skipped, counts)
	}
}
