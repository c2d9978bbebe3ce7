package hook

import (
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
)

// TestLeft: a call that works is over after two seconds of work, one that waits or
// is kept waiting after four.
func TestLeft(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct{ wall, cpu, want time.Duration }{
		{2000 * ms, 2000 * ms, 0},             // alone on a processor
		{2000 * ms, 1990 * ms, 10 * ms},       // nearly so
		{2000 * ms, 3500 * ms, -1500 * ms},    // two threads worked
		{2000 * ms, 5 * ms, 1995 * ms},        // kept waiting
		{3995 * ms, 5 * ms, 5 * ms},           // still
		{4000 * ms, 5 * ms, 0},                // too long
		{3000 * ms, 1200 * ms, 800 * ms},      // half of a processor
		{3500 * ms, 1200 * ms, 500 * ms},      // less than that
		{time.Hour, 0, wallLimit - time.Hour}, // the machine slept
	} {
		if got := left(tt.wall, tt.cpu); got != tt.want {
			t.Errorf("%v, %v of work: %v left, want %v", tt.wall, tt.cpu, got, tt.want)
		}
	}
}

// TestLeftUnread: a payload that does not come is not waited for longer.
func TestLeftUnread(t *testing.T) {
	a := &Answerer{Start: time.Now()}
	if a.left() > 0 {
		t.Error("before the flags were read")
	}
	a.SetCall(hookio.Unread(hookio.Options{Host: "claude"}))
	if a.left() > 0 {
		t.Error("before the payload was read")
	}
	a.SetCall(&hookio.Call{RawTool: "Bash"})
	if a.left() <= 0 {
		t.Error("a call was read: it may go on")
	}
}

// TestWaiting: the call's own time stands still while a program is waited for, goes on
// afterwards, and a wait that takes longer than it may is over.
func TestWaiting(t *testing.T) {
	a := &Answerer{Start: time.Now().Add(-time.Hour)}
	a.SetCall(&hookio.Call{RawTool: "Bash"})
	done := a.Waiting(time.Hour)
	if left := a.left(); left <= 0 || left > waitSlice {
		t.Errorf("%v left while it waits", left)
	}
	done()
	if a.left() > 0 {
		t.Error("an hour of its own passed")
	}
	a.Start = time.Now().Add(-time.Hour)
	a.waited = time.Hour
	if a.left() <= 0 {
		t.Error("the hour was waited for")
	}
	a.Waiting(-time.Millisecond)
	if a.left() > 0 {
		t.Error("the wait took longer than it may")
	}
}

// TestCPUTime: a process knows what it has used of the processor, and that is more after it worked.
func TestCPUTime(t *testing.T) {
	before := cpuTime()
	if before >= cpuLimit {
		t.Fatalf("%v is the limit: it is not known", before)
	}
	for until := time.Now().Add(cpuLimit); cpuTime() == before; {
		if time.Now().After(until) {
			t.Fatalf("%v as before, after %v of work", before, cpuLimit)
		}
	}
}
