package managed

import (
	"golang.org/x/sys/windows/registry"

	"github.com/permgate--owner/permgate/rules/load"
)

// Presets reads the machine's policies, not the user's (HKCU), which their programs may write.
func Presets() []load.Preset {
	return policies(func(path string) (key, error) {
		// the 64-bit view whatever this binary is: there is one policy
		return registry.OpenKey(registry.LOCAL_MACHINE, path, registry.QUERY_VALUE|registry.WOW64_64KEY)
	})
}
