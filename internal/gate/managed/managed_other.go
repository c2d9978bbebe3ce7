//go:build !darwin && !windows

package managed

import "github.com/permgate--owner/permgate/rules"

// Presets returns nothing: here managed settings are files in managed folders.
func Presets() []rules.Preset { return nil }
