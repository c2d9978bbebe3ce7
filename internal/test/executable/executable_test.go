package executable

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestRunsAtOnce writes programs and runs them while other goroutines start processes, as tests that run in
// parallel do. With os.WriteFile alone one in a few dozen does not start: "text file busy".
func TestRunsAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs programs that are shell scripts")
	}
	programs := testenv.Count(t, 15, 200, 200)
	var others sync.WaitGroup
	t.Cleanup(others.Wait)
	for range 4 {
		others.Go(func() {
			for t.Context().Err() == nil {
				exec.Command("true").Run()
			}
		})
	}
	for name, write := range map[string]func(name string, data []byte, perm fs.FileMode) error{
		"WriteFile": WriteFile,
		"Renew": func(name string, data []byte, perm fs.FileMode) error {
			if err := os.WriteFile(name, data, perm); err != nil {
				return err
			}
			return Renew(filepath.Dir(name))
		},
	} {
		for i := range programs {
			program := filepath.Join(t.TempDir(), "program")
			if err := write(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(program).CombinedOutput(); err != nil {
				t.Fatalf("%s: program %d: %v\n%s", name, i, err, out)
			}
		}
	}
}
