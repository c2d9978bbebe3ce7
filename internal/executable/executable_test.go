package executable

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
)

// TestRunsAtOnce writes programs and runs them while other goroutines start processes, as tests that run in
// parallel do. With os.WriteFile one in a few dozen does not start: "text file busy".
func TestRunsAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs programs that are shell scripts")
	}
	done := make(chan struct{})
	var others sync.WaitGroup
	for range 4 {
		others.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					exec.Command("true").Run()
				}
			}
		})
	}
	defer others.Wait()
	defer close(done)
	dir := t.TempDir()
	for i := range 1000 {
		name := filepath.Join(dir, strconv.Itoa(i))
		if err := WriteFile(name, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(name).CombinedOutput(); err != nil {
			t.Fatalf("program %d: %v\n%s", i, err, out)
		}
	}
}
