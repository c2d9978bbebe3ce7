package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestManyWriters has processes change one settings file while others do, each in
// another way. Nothing is lost, and anyone who reads meanwhile finds a whole file
// with the comment the user wrote.
func TestManyWriters(t *testing.T) {
	skipShort(t)
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked there: who comes too late is told so")
	}
	writers := testenv.Count(t, 12, 200, 200)
	r := newReadme(t, `{}`)
	name := filepath.Join(r.app, ".gen", "settings.local.json")
	const start = "{\n  // mine\n  \"permissions\": {\"deny\": [\"Bash(rm:*)\"]}\n}\n"
	if err := os.WriteFile(name, []byte(start), 0o600); err != nil {
		t.Fatal(err)
	}
	stop, polled := make(chan bool), make(chan int)
	go func() { polled <- poll(t, name, stop) }()
	began := time.Now()
	cmds := make([]*exec.Cmd, writers)
	outs := make([]strings.Builder, writers)
	for i := range cmds {
		cmds[i] = exec.Command(filepath.Join(r.path, "permgate"), manyWriter(i)...)
		cmds[i].Dir, cmds[i].Env = r.app, r.env()
		cmds[i].Stdout, cmds[i].Stderr = &outs[i], &outs[i]
	}
	executable.Turns(cmds, func(i int, err error) {
		if err != nil {
			t.Errorf("%d: %v\n%s", i, err, outs[i].String())
		}
	})
	took := time.Since(began)
	close(stop)
	t.Logf("%d writers in %v, read %d times meanwhile", writers, took.Round(time.Millisecond), <-polled)
	text, _ := os.ReadFile(name)
	for i := range writers {
		if !strings.Contains(string(text), fmt.Sprintf(`"Bash(make t%d)"`, i)) {
			t.Errorf("lost: %d", i)
		}
	}
	if entries, _ := os.ReadDir(filepath.Dir(name)); len(entries) != 2 {
		t.Errorf("the folder holds %v", entries)
	}
	if old, _ := filepath.Glob(filepath.Join(r.dir, "state", "permgate", "backup", "*", filepath.Base(name)+".bak-*")); len(old) != edit.Backups {
		t.Errorf("backups: %v", old)
	}
}

// manyWriter is the command line of the ith writer.
func manyWriter(i int) []string {
	if i%2 == 0 {
		return []string{"rules", "add", "--yes", "allow", fmt.Sprintf("Bash(make t%d)", i)}
	}
	return []string{"allow", "--yes", fmt.Sprintf("make t%d", i)}
}

// poll reads a file until it is told to stop, and returns how often.
func poll(t *testing.T, name string, stop chan bool) (n int) {
	for {
		select {
		case <-stop:
			return n
		case <-time.After(time.Millisecond):
		}
		text, err := os.ReadFile(name)
		n++
		before, after, ok := strings.Cut(string(text), "// mine\n")
		if err != nil || !ok || !gjson.Valid(before+after) || gjson.Get(before+after, "permissions.deny.0").Str != "Bash(rm:*)" {
			t.Errorf("torn: %v %q", err, text)
			return n
		}
	}
}
