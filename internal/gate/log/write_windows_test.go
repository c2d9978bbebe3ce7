package log

import (
	"path/filepath"
	"testing"
	"time"
)

// TestTurn: who appends a line waits for who is appending one, by another handle of the file, but not for ever.
func TestTurn(t *testing.T) {
	name := filepath.Join(t.TempDir(), Name)
	a, err := openLog(name)
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	b, err := openLog(name)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	wrote := make(chan bool, 1)
	write := func() {
		_, err := b.write([]byte("line\n"))
		wrote <- err == nil
	}
	unlock := a.turn()
	go write()
	select {
	case <-wrote:
		t.Error("it was written meanwhile")
	case <-time.After(turnPatience / 4):
	}
	unlock()
	if !<-wrote {
		t.Error("it was not written")
	}
	unlock = a.turn()
	began := time.Now()
	if write(); !<-wrote || time.Since(began) < turnPatience/2 {
		t.Error("it was not written, or too soon:", time.Since(began))
	}
	unlock()
	if size, err := a.check(); err != nil || size != 10 {
		t.Errorf("%d bytes: %v", size, err)
	}
}
