package operator_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/operator"
)

// TestGroup: what a late program started ends with it.
func TestGroup(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self, "-test.run=^TestGroup$")
	child.Stdout = os.Stdout
	switch mark := os.Getenv("TEST_MARK"); os.Getenv("TEST_GROUP") {
	case "child":
		for range 300 {
			f, _ := os.OpenFile(mark, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			f.WriteString("x")
			f.Close()
			time.Sleep(100 * time.Millisecond)
		}
		return
	case "program":
		child.Env = append(os.Environ(), "TEST_GROUP=child")
		child.Run()
		return
	}
	mark := filepath.Join(t.TempDir(), "mark")
	end := operator.Start{File: self, Args: child.Args[1:], Timeout: 5 * time.Second, Out: 1,
		Env: append(os.Environ(), "TEST_GROUP=program", "TEST_MARK="+mark)}.Run()
	if !end.Late {
		t.Fatalf("%+v", end)
	}
	before, _ := os.ReadFile(mark)
	time.Sleep(2 * time.Second)
	if after, _ := os.ReadFile(mark); len(before) == 0 || len(after) != len(before) {
		t.Errorf("a child went on: %d and %d bytes", len(before), len(after))
	}
}
