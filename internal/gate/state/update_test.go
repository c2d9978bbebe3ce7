package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// writerVar makes this program one of the writers of TestManyWriters: the
// folder, and the number it grants.
const writerVar = "STATE_TEST_WRITER"

func TestMain(m *testing.M) {
	if arg := os.Getenv(writerVar); arg != "" {
		dir, n, _ := strings.Cut(arg, "|")
		if _, err := store(dir).Update("s1", "/work", func(s *Session) error {
			s.Allow = append(s.Allow, "Bash(make "+n+")")
			return nil
		}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func store(dir string) *Store {
	return &Store{Dir: dir, Files: disk.Disk{}, UID: disk.UID(), Now: time.Now()}
}

// edits grants all edits.
func edits(s *Session) error {
	s.AllEdits = true
	return nil
}

// TestManyWriters: of many processes that grant something, several at once, no grant is lost, and a reader finds a
// whole file all the while.
func TestManyWriters(t *testing.T) {
	writers := testenv.Count(t, 40, 200, 200)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "permgate")
	pause := time.Millisecond
	if runtime.GOOS == "windows" { // there a file that is being read is not replaced, and writers try for two seconds only
		pause = 50 * time.Millisecond
	}
	stop, polled := make(chan bool), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				polled <- n
				return
			default:
			}
			data, err := os.ReadFile(File(dir, "s1"))
			if err == nil && (!gjson.ValidBytes(data) || gjson.GetBytes(data, "project").Str != "/work") {
				t.Errorf("torn: %q", data)
			}
			if _, _, err := store(dir).Read("s1"); err == nil {
				n++
			} else if !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
			time.Sleep(pause)
		}
	}()
	var cmds []*exec.Cmd
	for i := range writers {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d", writerVar, dir, i))
		cmd.Stderr = os.Stderr
		cmds = append(cmds, cmd)
	}
	executable.Turns(cmds, func(_ int, err error) {
		if err != nil {
			t.Error(err)
		}
	})
	close(stop)
	t.Logf("%d writers, read %d times meanwhile", writers, <-polled)
	s, _, err := store(dir).Read("s1")
	if err != nil {
		t.Fatal(err)
	}
	for i := range writers {
		if !slices.Contains(s.Allow, fmt.Sprintf("Bash(make %d)", i)) {
			t.Errorf("lost: %d", i)
		}
	}
	onlyFiles(t, dir, "session-s1.json", lockName)
}

func onlyFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, _ := os.ReadDir(dir)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

func TestUpdate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "permgate")
	st := store(dir)
	all := func(s *Session) error {
		s.AllEdits, s.AllBash = true, true
		s.Allow, s.Dirs = []string{"WebFetch", "Bash(echo \"a\\b\")", "Bash(printf \x01\t\u200b)"}, []string{"/data/\u00fc"}
		return nil
	}
	if _, err := st.Update("s1", "/work", all); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"": 0o700, "session-s1.json": 0o600, lockName: 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want && runtime.GOOS != "windows" {
			t.Errorf("%q: %v %v, want %v", name, info.Mode(), err, want)
		}
	}
	s, until, err := st.Read("s1")
	var same Session
	all(&same)
	if err != nil || !s.AllEdits || !s.AllBash || !slices.Equal(s.Allow, same.Allow) || !slices.Equal(s.Dirs, same.Dirs) || s.Project != "/work" {
		t.Errorf("%+v %v", s, err)
	}
	if d := until.Sub(st.Now); d > MaxAge || d < MaxAge-time.Second {
		t.Errorf("until %v", until)
	}

	st.Now = st.Now.Add(5 * 24 * time.Hour) // a later grant does not make the first one live longer
	os.Chtimes(File(dir, "s1"), st.Now, st.Now)
	if _, err := st.Update("s1", "/work", func(s *Session) error { s.AllBash = false; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, again, err := st.Read("s1"); err != nil || again.Sub(until).Abs() > time.Second {
		t.Errorf("until %v, was %v: %v", again, until, err)
	}

	s, err = st.Update("s1", "/elsewhere", edits) // another project: from scratch
	if err != nil || !s.AllEdits || s.Allow != nil || s.Dirs != nil || s.Project != "/elsewhere" {
		t.Errorf("%+v %v", s, err)
	}
	st.Now = st.Now.Add(MaxAge + time.Minute)
	if _, _, err := st.Read("s1"); !errors.Is(err, ErrExpired) {
		t.Errorf("after a week: %v", err)
	}
	if s, err = st.Update("s1", "/elsewhere", func(s *Session) error { s.AllBash = true; return nil }); err != nil || s.AllEdits {
		t.Errorf("after a week: %+v %v", s, err)
	}
	future := st.Now.Add(24 * time.Hour)
	text := `{"project": "/elsewhere", "since": "` + future.Format(time.RFC3339) + `", "allowAllBash": true}`
	if err := os.WriteFile(File(dir, "s1"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Chtimes(File(dir, "s1"), future, future)
	if _, _, err := st.Read("s1"); !errors.Is(err, ErrFuture) {
		t.Errorf("from tomorrow: %v", err)
	}
	os.Chtimes(File(dir, "s1"), st.Now, st.Now) // the file says one thing, its date another: the sooner end counts
	if _, until, err := st.Read("s1"); err != nil || until.After(st.Now.Add(MaxAge)) {
		t.Errorf("said to be from tomorrow: until %v, %v", until, err)
	}
	os.Chtimes(File(dir, "s1"), future, future)
	if s, err = st.Update("s1", "/elsewhere", func(s *Session) error { s.AllEdits = true; return nil }); err != nil || s.AllBash {
		t.Errorf("from tomorrow: %+v %v", s, err)
	}
	if err := st.Forget("s1"); err != nil {
		t.Error(err)
	}
	if err := st.Forget("s1"); err != nil {
		t.Error(err)
	}
	onlyFiles(t, dir, lockName)
}

// TestUnchanged: an error or no change writes nothing.
func TestUnchanged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "permgate")
	no := errors.New("no")
	if _, err := store(dir).Update("s1", "/work", func(s *Session) error { s.AllBash = true; return no }); err != no {
		t.Error(err)
	}
	if _, err := store(dir).Update("s1", "/work", func(s *Session) error { return nil }); err != nil {
		t.Error(err)
	}
	onlyFiles(t, dir, lockName)
}

// TestSweep: what is over for long is removed, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	os.Chmod(dir, 0o700)
	old := time.Now().Add(-MaxAge - time.Hour)
	for name, at := range map[string]time.Time{"session-old.json": old, "session-new.json": time.Now(), "log.jsonl": old, "session-x.txt": old, tmpPrefix + "123": time.Now()} {
		os.WriteFile(filepath.Join(dir, name), []byte(`{"project":"/work"}`), 0o600)
		os.Chtimes(filepath.Join(dir, name), at, at)
	}
	if _, err := store(dir).Update("s1", "/work", edits); err != nil {
		t.Fatal(err)
	}
	onlyFiles(t, dir, "session-s1.json", "session-new.json", "log.jsonl", "session-x.txt", lockName)
}
