package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/test/built"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// crowdEnv says how many hooks a crowd has.
const crowdEnv = "PERMGATE_CROWD"

// crowdSize is how many hooks start at the same moment. Each has two seconds for its answer, so that the short form
// starts only as many as a machine that does other work has the time for.
func crowdSize(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv(crowdEnv)); err == nil {
		return n
	}
	return testenv.Count(t, 8, 200, 200)
}

// TestCrowd starts hooks all at once. None may be answered by the deadline because the others keep it waiting.
func TestCrowd(t *testing.T) {
	skipShort(t)
	if runtime.GOOS == "windows" {
		t.Skip("needs /bin/sh")
	}
	n := crowdSize(t)
	noop, err := built.Command("testdata/bench/noop")
	if err != nil {
		t.Fatal(err)
	}
	home := crowdHome(t)
	empty := newCrowd(t, home, noop, n).run(t)
	c := newCrowd(t, home, program, n)
	took := c.run(t)
	for i := range c {
		call := testenv.CrowdCalls[i%len(testenv.CrowdCalls)]
		var line struct {
			HookSpecificOutput struct{ PermissionDecision, PermissionDecisionReason string }
		}
		err := json.Unmarshal(c[i].out.Bytes(), &line)
		if got := line.HookSpecificOutput; err != nil || got.PermissionDecision != call.Want ||
			strings.Contains(got.PermissionDecisionReason, "deadline") {
			t.Errorf("%s %s: %s instead of %s", call.Tool, call.Input, &c[i].out, call.Want)
		}
	}
	kept := 0
	log.ReadDir(filepath.Join(home, ".local", "state", "permgate"), func(*log.Record) { kept++ })
	t.Logf("%d at once: %v, the empty program %v, %.2f times; %d in the log", n,
		took.Round(time.Millisecond), empty.Round(time.Millisecond), float64(took)/float64(empty), kept)
}

// crowdHome is a home folder with settings for testenv.CrowdCalls.
func crowdHome(t *testing.T) string {
	home := t.TempDir()
	for _, dir := range [...]string{".claude", "project/.git"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, ".claude", "settings.json"), []byte(testenv.CrowdSettings), 0o644); err != nil {
		t.Fatal(err)
	}
	return home
}

// A crowd are processes that wait for one pipe to be closed, to become the program then.
type crowd []struct {
	cmd *exec.Cmd
	out bytes.Buffer
}

func newCrowd(t *testing.T, home, program string, n int) crowd {
	c := make(crowd, n)
	for i := range c {
		call := testenv.CrowdCalls[i%len(testenv.CrowdCalls)]
		cmd := exec.Command("/bin/sh", "-c", `read -r _ <&3; exec 3<&-; exec "$@"`, "sh",
			program, "hook", "--host", "claude", "--event", "PreToolUse")
		cmd.Dir = filepath.Join(home, "project")
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","cwd":%q,"permission_mode":"default",`+
			`"hook_event_name":"PreToolUse","tool_name":%q,"tool_input":%s,"tool_use_id":"t%d"}`,
			cmd.Dir, call.Tool, strings.ReplaceAll(call.Input, "#", strconv.Itoa(i)), i))
		cmd.Stdout, cmd.Stderr = &c[i].out, &c[i].out
		c[i].cmd = cmd
	}
	return c
}

// run starts them, lets them go, and says how long all took from then on.
func (c crowd) run(t *testing.T) time.Duration {
	wait, gate, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	for i := range c {
		c[i].cmd.ExtraFiles = []*os.File{wait}
		if err := c[i].cmd.Start(); err != nil {
			gate.Close()
			t.Fatal(err)
		}
	}
	wait.Close()
	begin := time.Now()
	gate.Close()
	for i := range c {
		if err := c[i].cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, &c[i].out)
		}
	}
	return time.Since(begin)
}

// TestPolicySwap replaces a managed policy of two files while hooks start: each sees the old one or the new one whole,
// where the folder is a link that is renamed over (docs/fleet.md).
func TestPolicySwap(t *testing.T) {
	skipShort(t)
	if runtime.GOOS == "windows" {
		t.Skip("needs /bin/sh, and a link that is renamed over")
	}
	home := crowdHome(t)
	beside := filepath.Dir(home)
	folder := filepath.Join(beside, "managed", "claude-code")
	write := func(name, text string) {
		t.Helper()
		if err := cmp.Or(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, v := range [...]string{"a", "b"} {
		write(filepath.Join(beside, v, "managed-settings.json"), `{"permissions": {"deny": ["Bash(`+v+`)"]}}`)
		write(filepath.Join(beside, v, "permgate.json"), `{"deny": ["Read(./`+v+`)"]}`)
	}
	point := func(v string) error {
		next := folder + ".next"
		return cmp.Or(os.Symlink(filepath.Join(beside, v), next), os.Rename(next, folder))
	}
	if err := cmp.Or(os.MkdirAll(filepath.Dir(folder), 0o755), point("a")); err != nil {
		t.Fatal(err)
	}
	stop, done := make(chan bool), make(chan error)
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if err := point(string("ba"[i%2])); err != nil {
				done <- err
				return
			}
		}
	}()
	newCrowd(t, home, program, crowdSize(t)).run(t)
	close(stop)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	log.ReadDir(filepath.Join(home, ".local", "state", "permgate"), func(r *log.Record) { seen[r.PolicyHash]++ })
	t.Log(seen)
	if len(seen) == 0 || len(seen) > 2 {
		t.Errorf("%d policies were seen, not the old and the new one: %v", len(seen), seen)
	}
}
