package edit

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// editorVar makes this program one that changes a file until it is killed.
const editorVar = "EDIT_TEST_FILE"

func TestMain(m *testing.M) {
	if name := os.Getenv(editorVar); name != "" {
		for n := 0; ; n++ {
			if at, err := editOnce(name); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			} else {
				fmt.Println(at)
			}
		}
	}
	os.Exit(m.Run())
}

// numbered is the text of the file after the nth edit.
func numbered(n int) string {
	return fmt.Sprintf("{\n  // counted: %s\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(make all)\", // stays\n      \"Bash(make %d)\"\n    ]\n  }\n}\n", strings.Repeat("x", 3000), n)
}

// editOnce makes the next text of the file out of the one that is there, as a
// command does, and returns its number.
func editOnce(name string) (int, error) {
	target, old, mode, err := Read(name)
	if err != nil {
		return 0, err
	}
	d, err := Parse(name, old)
	if err != nil {
		return 0, err
	}
	n := number(old) + 1
	list := Member(Member(&d.Root, "permissions"), "allow")
	if err := d.RemoveElement(list, 1); err != nil {
		return 0, err
	}
	if err := d.AddElement(list, Quote(fmt.Sprintf("Bash(make %d)", n))); err != nil {
		return 0, err
	}
	return n, Replace(target, old, d.Bytes(), mode, Backup(target, time.Now()))
}

// number is which of the numbered texts this is, -1 for another text.
func number(text []byte) int {
	_, rest, _ := strings.Cut(string(text), "      \"Bash(make ")
	_, rest, _ = strings.Cut(rest, "      \"Bash(make ")
	digits, _, _ := strings.Cut(rest, ")")
	n, err := strconv.Atoi(digits)
	if err != nil || numbered(n) != string(text) {
		return -1
	}
	return n
}

// TestKilled kills processes many times while it changes a file. The file always
// holds what it held before an edit or after it, the edits that were reported are
// there, and what was left behind is cleaned up by the next one.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked there, so what is left behind stays")
	}
	kills := testenv.Count(t, 15, 125, 125)
	var wg sync.WaitGroup
	for lane := range uint64(4) {
		wg.Go(func() { killLane(t, kills, rand.New(rand.NewPCG(lane, 1))) })
	}
	wg.Wait()
}

func killLane(t *testing.T, kills int, random *rand.Rand) {
	dir := t.TempDir()
	name := filepath.Join(dir, "settings.json")
	if err := os.WriteFile(name, []byte(numbered(0)), 0o600); err != nil {
		t.Fatal(err)
	}
	left := 0
	for range kills {
		done, told := number(must(os.ReadFile(name))), 0
		cmd := exec.Command(must(os.Executable()))
		cmd.Env = append(os.Environ(), editorVar+"="+name)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Error(err)
			return
		}
		if err := cmd.Start(); err != nil {
			t.Error(err)
			return
		}
		lines := bufio.NewScanner(out)
		for wait := 1 + random.IntN(2); wait > 0 && lines.Scan(); wait-- {
			told, _ = strconv.Atoi(lines.Text())
		}
		time.Sleep(time.Duration(random.IntN(4000)) * time.Microsecond)
		cmd.Process.Kill()
		for lines.Scan() {
			told, _ = strconv.Atoi(lines.Text())
		}
		cmd.Wait()
		got := number(must(os.ReadFile(name)))
		if told <= done || got != told && got != told+1 {
			t.Errorf("edit %d was reported, after %d; the file is that of edit %d", told, done, got)
			return
		}
		if tmp, _ := filepath.Glob(filepath.Join(dir, tmpPrefix+"*")); len(tmp) > 1 {
			t.Errorf("left behind by earlier ones: %v", tmp)
		} else {
			left += len(tmp)
		}
	}
	if _, err := editOnce(name); err != nil {
		t.Error(err)
	}
	if tmp, _ := filepath.Glob(filepath.Join(dir, tmpPrefix+"*")); len(tmp) > 0 {
		t.Errorf("left behind: %v", tmp)
	}
	old := backups(name)
	if len(old) != Backups {
		t.Errorf("%d backups, want %d", len(old), Backups)
	}
	for _, b := range old {
		if number(must(os.ReadFile(b.name))) < 0 {
			t.Errorf("%s is none of the old texts", b.name)
		}
	}
	t.Logf("%d kills, %d edits, %d temporary files left by the killed", kills, number(must(os.ReadFile(name))), left)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
