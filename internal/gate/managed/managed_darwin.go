package managed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"

	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/rules/load"
)

// Presets reads the managed preferences of the machine and of the user.
func Presets() []load.Preset {
	entries, err := os.ReadDir(Preferences)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // no device management
	}
	name := ""
	var lost []load.Preset
	if err != nil { // whether there is one for the user cannot be known
		lost = []load.Preset{{Place: Preferences, Err: err}}
	}
	for _, e := range entries {
		if e.IsDir() { // only then is the name worth a question to the directory service
			u, err := user.LookupId(strconv.Itoa(os.Getuid()))
			if err != nil {
				lost = []load.Preset{{Place: Preferences, Err: fmt.Errorf("which folder is the user's: %w", err)}}
				break
			}
			name = u.Username
			break
		}
	}
	return append(preferences(Preferences, name, readFile), lost...)
}

// readFile reads one file of the system: another owner's is not the device management's.
func readFile(file string) ([]byte, error) {
	d := disk.Disk{}
	info, err := d.Lstat(file)
	if err != nil {
		return nil, err
	}
	if uid, known := d.Owner(info); !known || uid != 0 || d.OthersWrite(info) || !info.Mode().IsRegular() {
		return nil, errors.New("managed preferences must be a regular file of root that no one else may write to")
	}
	return d.ReadFile(file, load.MaxSettings)
}
