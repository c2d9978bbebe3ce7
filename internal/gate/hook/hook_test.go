package hook

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// TestFaultsSayNoSecrets: what is said of a fault may repeat what was sent; it
// reaches the host, its model and a terminal.
func TestFaultsSayNoSecrets(t *testing.T) {
	const why = "no such thing: TOKEN=hunter2\x1b[2J"
	for name, run := range map[string]func(*Answerer) int{
		"fault":        func(a *Answerer) int { return a.Fault(log.FaultPanic, why) },
		"unreadable":   func(a *Answerer) int { return a.Unreadable(nil, errors.New(why)) },
		"misused":      func(a *Answerer) int { return a.BadUsage(why) },
		"too long":     func(a *Answerer) int { return a.Unreadable(a.known(), &hookio.Problem{Msg: why, TooLong: true}) },
		"nothing read": func(a *Answerer) int { a.SetCall(nil); return a.Fault(log.FaultDeadline, why) },
	} {
		var out, stderr bytes.Buffer
		dir := t.TempDir()
		a := &Answerer{Start: time.Now(), Out: &out, Err: &stderr, Flags: &gate.Flags{Home: dir, Cwd: dir, State: dir}}
		a.SetCall(hookio.Unread(hookio.Options{Host: "claude"}))
		run(a)
		text := out.String() + stderr.String()
		if !strings.Contains(text, "no such thing") || strings.Contains(text, "hunter2") || strings.Contains(text, "\x1b") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// TestLongFault: a host is not flooded with what went wrong.
func TestLongFault(t *testing.T) {
	var out bytes.Buffer
	dir := t.TempDir()
	a := &Answerer{Start: time.Now(), Out: &out, Err: &out, Flags: &gate.Flags{Home: dir, Cwd: dir, State: dir}}
	a.SetCall(hookio.Unread(hookio.Options{Host: "claude"}))
	a.Fault(log.FaultPanic, strings.Repeat("x", 1<<20))
	if n := out.Len(); n == 0 || n > 20<<10 {
		t.Errorf("%d bytes", n)
	}
}

// TestDeadlineWhileDeciding lets the call be changed while the deadline answers
// and writes down what it knew.
func TestDeadlineWhileDeciding(t *testing.T) {
	dir, wrote := t.TempDir(), make(signalling, 1)
	a := &Answerer{Start: time.Now(), Out: wrote, Err: io.Discard, Flags: &gate.Flags{Home: dir, Cwd: dir, State: dir}}
	call := hookio.Unread(hookio.Options{Host: "claude"})
	call.Cwd = "/then"
	a.SetCall(call)
	done := make(chan struct{})
	go func() { a.OnDeadline(); close(done) }()
	<-wrote
	call.Cwd = "/now" // as gate.PinCwd does
	if a.Write([]byte("the answer\n")) {
		t.Error("a second answer")
	}
	<-done
	var got []*log.Record
	log.ReadDir(dir, func(r *log.Record) { got = append(got, r) })
	if len(got) != 1 || got[0].Cwd != "/then" {
		t.Errorf("%+v", got)
	}
}

// signalling takes what is written to it, and says so.
type signalling chan bool

func (s signalling) Write(b []byte) (int, error) {
	s <- true
	return len(b), nil
}

// TestDeniedAtTheDeadline: a denial that was found is the answer of the deadline
// and of a panic, not an ask.
func TestDeniedAtTheDeadline(t *testing.T) {
	for name, end := range map[string]func(*Answerer) int{
		"deadline": (*Answerer).OnDeadline,
		"panic":    func(a *Answerer) int { return a.Fault(log.FaultPanic, "internal error") },
	} {
		for _, found := range []string{"", "deny rule: Bash(curl:*) matches `curl x` TOKEN=hunter2"} {
			var out bytes.Buffer
			dir := t.TempDir()
			a := &Answerer{Start: time.Now(), Out: &out, Err: io.Discard, Flags: &gate.Flags{Home: dir, Cwd: dir, State: dir}}
			a.SetCall(hookio.Unread(hookio.Options{Host: "claude"}))
			if found != "" {
				go a.Denied(found) // as the decision does
				for a.found() == "" {
					time.Sleep(time.Millisecond)
				}
			}
			end(a)
			want := `"permissionDecision":"ask"`
			if found != "" {
				want = `"permissionDecision":"deny"`
			}
			if got := out.String(); !strings.Contains(got, want) || strings.Contains(got, "hunter2") || found != "" && !strings.Contains(got, "Bash(curl:*)") {
				t.Errorf("%s, found %q: %s", name, found, got)
			}
		}
	}
}

// TestUnaskedAtTheDeadline: where the settings let no one be asked, the deadline denies.
func TestUnaskedAtTheDeadline(t *testing.T) {
	var out bytes.Buffer
	dir := t.TempDir()
	a := &Answerer{Start: time.Now(), Out: &out, Err: io.Discard, Flags: &gate.Flags{Home: dir, Cwd: dir, State: dir}}
	a.SetCall(hookio.Unread(hookio.Options{Host: "claude"}))
	a.Unasked.Store(true)
	if a.OnDeadline(); !strings.Contains(out.String(), `"permissionDecision":"deny"`) {
		t.Error(out.String())
	}
}

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
		if got := left(tt.wall, tt.cpu, time.Millisecond); got != tt.want {
			t.Errorf("%v, %v of work: %v left, want %v", tt.wall, tt.cpu, got, tt.want)
		}
	}
}

// TestLeftUnread: a payload that does not come is waited for four seconds, and one that comes late has the two of its own.
func TestLeftUnread(t *testing.T) {
	a := &Answerer{Start: time.Now().Add(-3 * time.Second)}
	if left := a.left(); left <= 0 || left > time.Second {
		t.Errorf("before the flags were read: %v", left)
	}
	a.SetCall(hookio.Unread(hookio.Options{Host: "claude"}))
	if left := a.left(); left <= 0 || left > time.Second {
		t.Errorf("before the payload was read: %v", left)
	}
	a.Start = time.Now().Add(-wallLimit)
	if a.left() > 0 {
		t.Error("no payload came")
	}
	a.Start = time.Now().Add(-3900 * time.Millisecond)
	a.SetCall(&hookio.Call{Event: hookio.SessionEnd})
	if left := a.left(); left < time.Second || left > cpuLimit {
		t.Errorf("after it came late: %v", left)
	}
}

// TestWaiting: the call's own time stands still while a program is waited for, goes on
// afterwards, and a wait that takes longer than it may is over.
func TestWaiting(t *testing.T) {
	a := &Answerer{Start: time.Now()}
	a.SetCall(hookio.Unread(hookio.Options{Host: "claude"}))
	a.SetCall(&hookio.Call{RawTool: "Bash"})
	a.Start = time.Now().Add(-time.Hour)
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
