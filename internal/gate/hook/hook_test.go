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
