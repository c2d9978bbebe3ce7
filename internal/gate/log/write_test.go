package log

import (
	"bufio"
	"bytes"
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

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// writerEnv makes the test binary write records, say so after each, and exit: dir, name, count, maxBytes.
const writerEnv = "PERMGATE_TEST_WRITER"

func TestMain(m *testing.M) {
	if args := strings.Split(os.Getenv(writerEnv), "|"); len(args) == 4 {
		n, _ := strconv.Atoi(args[2])
		size, _ := strconv.ParseInt(args[3], 10, 64)
		w := Writer{Dir: args[0], MaxBytes: size, Keep: 1000}
		for i := range n {
			if err := w.Write(numbered(args[1], i)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			fmt.Println(i)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// numbered is a record of some length that tells whose it is.
func numbered(name string, i int) *Record {
	r := full()
	r.Session, r.CallID = name, strconv.Itoa(i)
	r.Reason = strings.Repeat("x", 37*i%911)
	return &r
}

func writer(t *testing.T, dir, name string, n int, size int64) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(self)
	cmd.Env = []string{fmt.Sprintf("%s=%s|%s|%d|%d", writerEnv, dir, name, n, size)}
	cmd.Stderr = os.Stderr
	return cmd
}

// read returns every record of a folder as "session/call", and how many lines were skipped.
func read(t *testing.T, dir string) (map[string]int, int) {
	t.Helper()
	got := map[string]int{}
	skipped, err := ReadDir(dir, func(r *Record) { got[r.Session+"/"+r.CallID]++ })
	if err != nil {
		t.Fatal(err)
	}
	return got, skipped
}

// TestManyProcesses lets processes write at once, with and without
// rotation: every line is whole and none is lost.
func TestManyProcesses(t *testing.T) {
	const records = 5
	processes := testenv.Count(t, 24, 200, 200)
	for _, size := range []int64{1 << 30, 20 << 10} {
		dir := filepath.Join(t.TempDir(), "state")
		var cmds []*exec.Cmd
		for i := range processes {
			cmd := writer(t, dir, fmt.Sprint("p", i), records, size)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			cmds = append(cmds, cmd)
		}
		for _, cmd := range cmds {
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		}
		got, skipped := read(t, dir)
		if skipped != 0 || len(got) != processes*records {
			t.Errorf("size %d: %d records, %d lines skipped; want %d", size, len(got), skipped, processes*records)
		}
		for name, n := range got {
			if n != 1 {
				t.Errorf("%s is there %d times", name, n)
			}
		}
		files, _ := Files(dir)
		if rotated := len(files) > 1; rotated != (size < 1<<30) {
			t.Errorf("size %d: %d files", size, len(files))
		}
		for _, name := range files {
			data, _ := os.ReadFile(name)
			for line := range bytes.Lines(data) {
				if line[len(line)-1] != '\n' || len(line) > 1 && !json.Valid(line) {
					t.Errorf("%s: %q", name, line)
				}
			}
		}
	}
}

// TestKilled kills each writer after another number of records: what the next one writes is read.
func TestKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	for i := range 30 {
		cmd := writer(t, dir, fmt.Sprint("k", i), 1<<30, 1<<20)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for told := bufio.NewScanner(out); i*7%23 > 0 && told.Scan() && told.Text() != fmt.Sprint(i*7%23); {
		}
		cmd.Process.Kill()
		cmd.Wait()
		w := Writer{Dir: dir, MaxBytes: 1 << 20, Keep: 1000}
		if err := w.Write(numbered("after", i)); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := read(t, dir)
	for i := range 30 {
		if got[fmt.Sprintf("after/%d", i)] != 1 {
			t.Errorf("the record after kill %d is there %d times", i, got[fmt.Sprintf("after/%d", i)])
		}
	}
	if len(got) == 30 {
		t.Error("nobody wrote before being killed")
	}
}

func TestTornLine(t *testing.T) {
	dir := t.TempDir()
	whole := numbered("a", 1).AppendJSON(nil)
	for _, torn := range []string{"x", string(whole[:50]), string(whole[:len(whole)-1])} {
		if err := os.WriteFile(filepath.Join(dir, Name), []byte(torn), 0o600); err != nil {
			t.Fatal(err)
		}
		w := Writer{Dir: dir}
		if err := w.Write(numbered("b", 2)); err != nil {
			t.Fatal(err)
		}
		data, _ := os.ReadFile(filepath.Join(dir, Name))
		if want := torn + "\n" + string(numbered("b", 2).AppendJSON(nil)); string(data) != want {
			t.Errorf("%q\nwant %q", data, want)
		}
	}
}

func TestRotation(t *testing.T) {
	dir := t.TempDir()
	w := Writer{Dir: dir, MaxBytes: 8 << 10, Keep: 2}
	for i := range 50 {
		if err := w.Write(numbered("a", i)); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := Files(dir)
	if len(files) != 3 {
		t.Errorf("%v", files)
	}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || info.Size() > 8<<10 || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	last := -1
	ReadDir(dir, func(r *Record) {
		n, _ := strconv.Atoi(r.CallID)
		if last >= 0 && n != last+1 {
			t.Errorf("%d after %d", n, last)
		}
		last = n
	})
	if last != 49 {
		t.Errorf("the last record is %d", last)
	}
}

// TestFaults writes where one cannot: the error says what is in the way.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, want string
		make       func(dir string) error
	}{
		{"the folder is a file", "not a directory", func(dir string) error { return os.WriteFile(dir, nil, 0o600) }},
		{"the log is a folder", "director", func(dir string) error { return os.MkdirAll(filepath.Join(dir, Name), 0o700) }},
		{"the log is a symlink", "symlink", func(dir string) error {
			os.MkdirAll(dir, 0o700)
			return os.Symlink(filepath.Join(dir, "target"), filepath.Join(dir, Name))
		}},
		{"the log is a device", "symlink", func(dir string) error {
			os.MkdirAll(dir, 0o700)
			return os.Symlink(os.DevNull, filepath.Join(dir, Name))
		}},
		{"the folder is a dangling symlink", "", func(dir string) error { return os.Symlink(dir+"x/y", dir) }},
	} {
		dir := filepath.Join(t.TempDir(), "state")
		if err := c.make(dir); err != nil {
			t.Log(c.name, err)
			continue
		}
		w := Writer{Dir: dir}
		if err := w.Write(numbered("a", 1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := Check(dir); err == nil {
			t.Errorf("%s: Check finds nothing", c.name)
		}
	}
}

func TestCheck(t *testing.T) {
	before := time.Now().Add(-time.Second) // the clock of a file system may be coarse
	dir := filepath.Join(t.TempDir(), "a", "state")
	if err := Check(dir); err != nil {
		t.Error(err)
	}
	if when, _ := LastError(dir); !when.IsZero() {
		t.Error(when)
	}
	(&Writer{Dir: dir}).KeepError(fmt.Errorf("no\nroom"))
	if when, what := LastError(dir); when.Before(before) || what != "no room" {
		t.Errorf("%v, %q", when, what)
	}
	os.WriteFile(filepath.Join(dir, errorName), nil, 0o600)
	if when, what := LastError(dir); when.Before(before) || what != "" {
		t.Errorf("%v, %q", when, what)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 2 {
		t.Errorf("Check left %v", entries)
	}
}
