package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestReplaced puts a new binary in the place of the old one, again and again,
// while hooks run. Each gets the right answer, exits 0 and is logged: what is
// running goes on with the file it was started from, and the name is never without one.
func TestReplaced(t *testing.T) {
	skipShort(t)
	if runtime.GOOS == "windows" {
		t.Skip("a running program cannot be replaced there")
	}
	for _, way := range [...]struct {
		name    string
		replace func(bin, fresh string) error
	}{
		{"install.sh", func(bin, fresh string) error { return os.Rename(fresh, bin) }},
		{"dpkg", func(bin, fresh string) error {
			old := bin + ".dpkg-tmp"
			if err := os.Link(bin, old); err != nil {
				return err
			}
			if err := os.Rename(fresh, bin); err != nil {
				return err
			}
			return os.Remove(old)
		}},
		{"permgate install", func(bin, _ string) error { return edit.Rewrite(bin) }},
	} {
		t.Run(way.name, func(t *testing.T) {
			bin := filepath.Join(t.TempDir(), "permgate")
			if err := copyBinary(bin); err != nil {
				t.Fatal(err)
			}
			var replaced atomic.Int32
			stop, stopped := make(chan bool), make(chan bool)
			go func() {
				defer close(stopped)
				replaceUntil(t, stop, bin, way.replace, &replaced)
			}()
			for !t.Failed() && replaced.Load() < 2 {
				crowdOf(t, bin)
			}
			close(stop)
			<-stopped
			t.Logf("replaced %d times", replaced.Load())
		})
	}
}

// crowdOf starts hooks from one file, and looks at what each answers and logs.
func crowdOf(t *testing.T, bin string) {
	home := crowdHome(t)
	c := newCrowd(t, home, bin, crowdSize(t))
	c.run(t)
	logged := map[string]int{}
	log.ReadDir(filepath.Join(home, ".local", "state", "permgate"), func(r *log.Record) { logged[r.CallID+r.Decision]++ })
	for i := range c {
		want := testenv.CrowdCalls[i%len(testenv.CrowdCalls)].Want
		var line struct {
			HookSpecificOutput struct{ PermissionDecision string }
		}
		if err := json.Unmarshal(c[i].out.Bytes(), &line); err != nil || line.HookSpecificOutput.PermissionDecision != want {
			t.Errorf("call %d: %s instead of %s", i, &c[i].out, want)
		}
		if id := fmt.Sprintf("t%d", i) + want; logged[id] != 1 {
			t.Errorf("call %d is %d times in the log", i, logged[id])
		}
	}
}

// replaceUntil replaces a binary until it is told to stop, and counts how often.
func replaceUntil(t *testing.T, stop chan bool, bin string, replace func(bin, fresh string) error, replaced *atomic.Int32) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		fresh := bin + ".new"
		err := copyBinary(fresh)
		if err == nil {
			err = replace(bin, fresh)
		}
		if err != nil {
			t.Error(err)
			return
		}
		replaced.Add(1)
	}
}

// copyBinary writes the program under another name, as another file.
func copyBinary(name string) error {
	text, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	return executable.WriteFile(name, text, 0o755)
}
