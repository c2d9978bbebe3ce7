package log

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// asked is an ask about one command, of a session.
func asked(session, part string) (*decide.Input, decide.Verdict) {
	call := &hookio.Call{Tool: "Bash", SessionID: session, Name: part, HasName: true}
	c := &decide.Input{Input: facts.Input{Call: call, Policy: &rules.Policy{}}}
	return c, decide.Decide(c)
}

// ask counts an ask, and how often it was asked with this time.
func ask(w *Writer, session, part string, at time.Time) (inSession, inWeek int) {
	c, v := asked(session, part)
	a := w.Asks(c, v, at)
	inSession, inWeek = a.Count()
	a.Add()
	return inSession, inWeek
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestAsks(t *testing.T) {
	w := &Writer{Dir: t.TempDir()}
	const day = 24 * time.Hour
	for i, step := range []struct {
		session, part   string
		after           time.Duration
		inSession, week int
	}{
		{"a", "make x", 0, 1, 1},
		{"a", "make x", 0, 2, 2},
		{"a", "make y", 0, 1, 1},
		{"b", "make x", time.Hour, 1, 3},
		{"a", "make x", time.Hour, 3, 4},
		{"", "make x", 2 * day, 1, 5}, // a program that names no session
		{"", "make x", 2 * day, 1, 6},
		{"a", "make x", 7*day + time.Minute, 2, 5}, // those of the first hour are a week old
		{"a", "make x", 20 * day, 1, 1},
		{"a", "make x", day, 3, 4}, // the clock was set back: what is to come does not count
	} {
		if s, week := ask(w, step.session, step.part, noon.Add(step.after)); s != step.inSession || week != step.week {
			t.Errorf("%d, %q: %d in the session, %d in the week, want %d, %d", i, step.part, s, week, step.inSession, step.week)
		}
	}
	for range 20 {
		ask(w, "c", "make z", noon)
	}
	if s, week := ask(w, "c", "make z", noon); s != MostAsks+1 || week != MostAsks+1 {
		t.Errorf("%d, %d of many", s, week)
	}
	info, err := os.Stat(filepath.Join(w.Dir, asksName))
	if err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" || info.Size() > askSlots*askSlot {
		t.Errorf("%v, %v", info, err)
	}
}

// TestAsksSecret: what is counted is known by a hash of what the log may hold.
func TestAsksSecret(t *testing.T) {
	w := &Writer{Dir: t.TempDir()}
	ask(w, "a", "curl -H 'Authorization: Bearer 0123456789abcdef0123456789abcdef' x", noon)
	if s, _ := ask(w, "a", "curl -H 'Authorization: Bearer fedcba9876543210fedcba9876543210' x", noon); s != 2 {
		t.Errorf("the hash depends on a secret: %d", s)
	}
}

// TestAsksHostile: a file of another kind, or of other content, costs the sentence and no more.
func TestAsksHostile(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "rc")
	if err := os.WriteFile(own, []byte("alias x=y\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func(file string) error{
		"short":   func(file string) error { return os.WriteFile(file, []byte("x"), 0o600) },
		"ones":    func(file string) error { return os.WriteFile(file, bytes.Repeat([]byte{0xff}, 1<<17), 0o600) },
		"text":    func(file string) error { return os.WriteFile(file, bytes.Repeat([]byte("make x\n"), 1<<14), 0o644) },
		"folder":  func(file string) error { return os.Mkdir(file, 0o700) },
		"symlink": func(file string) error { return os.Symlink(own, file) },
		"link":    func(file string) error { return os.Link(own, file) },
		"broken":  func(file string) error { return os.Symlink(filepath.Join(dir, "none"), file) },
	} {
		w := &Writer{Dir: t.TempDir()}
		if err := make(filepath.Join(w.Dir, asksName)); err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		if s, week := ask(w, "a", "make x", noon); s != 1 || week != 1 {
			t.Errorf("%s: %d, %d", name, s, week)
		}
	}
	if data, err := os.ReadFile(own); string(data) != "alias x=y\n" {
		t.Errorf("another file was written to: %q, %v", data, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
		t.Error("a symlink was followed")
	}
	if s, week := ask(&Writer{Dir: filepath.Join(dir, "gone")}, "a", "make x", noon); s != 1 || week != 1 {
		t.Errorf("no folder: %d, %d", s, week)
	}
}

// FuzzAsks: whatever the slot holds, the counts are in their bounds.
func FuzzAsks(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, askSlot))
	w := &Writer{Dir: f.TempDir()}
	c, v := asked("a", "make x")
	f.Fuzz(func(t *testing.T, slot []byte) {
		a := w.Asks(c, v, noon)
		defer a.Add()
		copy(a.slot[:], slot)
		if s, week := a.Count(); s < 1 || week < s || week > MostAsks+1 {
			t.Errorf("%d, %d", s, week)
		}
	})
}

// TestAsksAtOnce: those who write at once may lose a count, never more.
func TestAsksAtOnce(t *testing.T) {
	w := &Writer{Dir: t.TempDir()}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { ask(w, "a", "make x", noon) })
	}
	all.Wait()
	if s, week := ask(w, "a", "make x", noon); s < 2 || s != week || week > MostAsks+1 {
		t.Errorf("%d, %d after fifty", s, week)
	}
}
