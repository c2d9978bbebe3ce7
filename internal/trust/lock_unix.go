//go:build unix && !solaris && !aix

package trust

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lockFile waits ten seconds at most. The file stays: who removes a lock lets
// two others hold it.
func lockFile(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	for range 1000 {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			return func() { f.Close() }, nil
		}
		if err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	f.Close()
	return nil, errors.New(name + ": locked by another permgate: " + err.Error())
}
