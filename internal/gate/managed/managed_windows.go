package managed

import (
	"golang.org/x/sys/windows/registry"

	"github.com/permgate--owner/permgate/rules/load"
)

// Presets reads the policies of the machine. Those of the user (HKCU) are not
// read: what a program of the user may be able to write is not managed.
func Presets() []load.Preset {
	return policies(func(path string) (key, error) {
		// the 64-bit view whatever this binary is: there is one policy
		return registry.OpenKey(registry.LOCAL_MACHINE, path, registry.QUERY_VALUE|registry.WOW64_64KEY)
	})
}
