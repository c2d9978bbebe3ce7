//go:build !darwin && !windows

package managed

import (
	"github.com/permgate--owner/permgate/rules/load"
)

// Presets returns nothing: here managed settings are files in managed folders.
func Presets() []load.Preset { return nil }
