package edit

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// flock waits for the lock of a folder, which ends with the process. Here that is one of an empty file in the user's
// temporary folder, for folders have none, and one that is open cannot be removed.
func flock(d *os.File) (unlock func()) {
	d.Close()
	name, err := filepath.EvalSymlinks(d.Name())
	if err == nil {
		name, err = filepath.Abs(name)
	}
	if err != nil {
		return nil
	}
	sum := fnv.New64a()
	sum.Write([]byte(strings.ToLower(name)))
	lock := "permgate-" + strconv.FormatUint(sum.Sum64(), 36) + ".lock"
	if unlock, err = lockedfile.MutexAt(filepath.Join(os.TempDir(), lock)).Lock(); err != nil {
		return nil
	}
	return unlock
}
