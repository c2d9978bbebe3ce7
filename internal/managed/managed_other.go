//go:build !darwin && !windows

package managed

import "permgate/rules"

// Presets returns nothing: here managed settings are files in managed folders.
func Presets() []rules.Preset { return nil }
