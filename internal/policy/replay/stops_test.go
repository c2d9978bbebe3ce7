package replay

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

// TestStops: what was asked about or denied is counted by day and session, whatever order it comes in, and in bounds.
func TestStops(t *testing.T) {
	j := testJob(t, `{"permissions": {"allow": ["Bash(ls)"], "deny": ["Bash(rm:*)"]}}`)
	day := func(n int) time.Time { return time.Date(2026, 11, n, 12, 0, 0, 0, time.Local) }
	var calls []*sessions.Call
	for _, c := range []struct {
		at               time.Time
		session, command string
	}{
		{day(20), "b", "rm x"}, {day(20), "b", "make"}, {day(20), "a", "make"}, {day(19), "b", "make"}, {day(19), "b", "ls"}, {time.Time{}, "a", "make"},
	} {
		call := called(t, c.session, c.command)
		call.Time = c.at
		calls = append(calls, call)
	}
	r, err := j.Run(from(calls))
	if err != nil {
		t.Fatal(err)
	}
	want := []Stopped{{"2026-11-19", "b", 1, 0}, {"2026-11-20", "b", 1, 1}, {"2026-11-20", "a", 1, 0}}
	if !reflect.DeepEqual(r.Stops, want) {
		t.Errorf("%+v, want %+v", r.Stops, want)
	}
	calls = nil
	for i := range maxNames + 50 {
		call := called(t, fmt.Sprint("s", i), "make")
		call.Time = day(1 + i%2)
		calls = append(calls, call)
	}
	if r, err = j.Run(from(calls)); err != nil {
		t.Fatal(err)
	}
	n, others := 0, 0
	for _, s := range r.Stops {
		if n += s.Ask; s.Session == Others {
			others += s.Ask
		}
	}
	if n != maxNames+50 || len(r.Stops) > maxNames+2 || others != 50 {
		t.Errorf("%d stops in %d rows, %d of others", n, len(r.Stops), others)
	}
}
