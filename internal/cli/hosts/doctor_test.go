package hosts

import (
	"os"
	"runtime"
	"testing"
)

// TestStartKilled: a hook that the system kills is told from one that fails, with and without a shell in between.
func TestStartKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	const kill = "kill -KILL $$"
	for _, c := range []struct {
		argv   []string
		killed bool
	}{
		{[]string{"/bin/sh", "-c", kill}, true},
		{[]string{"/bin/sh", "-c", "/bin/sh -c '" + kill + "'; exit $?"}, true},
		{[]string{"/bin/sh", "-c", "exit 2"}, false},
	} {
		_, code, err := start(c.argv, os.TempDir(), "", nil)
		if err != nil || killed(code) != c.killed {
			t.Errorf("%q: exit code %d, %v", c.argv, code, err)
		}
	}
}
