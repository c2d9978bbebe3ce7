package built

import (
	"os"
	"sync"
	"testing"
)

// TestOnce: all who ask at the same time get the same program, and one that is there is not built again.
func TestOnce(t *testing.T) {
	var names [4]string
	var files [4]os.FileInfo
	var all sync.WaitGroup
	for i := range names {
		all.Go(func() {
			var err error
			if names[i], err = Command("testdata/bench/noop"); err == nil {
				files[i], err = os.Stat(names[i])
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range names {
		if names[i] != names[0] || files[i] == nil || !os.SameFile(files[i], files[0]) {
			t.Errorf("%q: %v and %v", names, files[0], files[i])
		}
	}
	other, err := Release()
	if err != nil || other == names[0] {
		t.Errorf("%s for another program, %v", other, err)
	}
}
