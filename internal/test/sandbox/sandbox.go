// Package sandbox keeps the settings of the machine out of the tests of the whole program.
package sandbox

import (
	"path/filepath"

	"github.com/permgate--owner/permgate/internal/gate"
)

// World makes HOME the home directory of a world, and puts the managed folders next to it. TEST_PASSWD_HOME is another
// home in the passwd file, or "none".
func World(w *gate.World) {
	if w.PasswdHome = w.Getenv("TEST_PASSWD_HOME"); w.PasswdHome == "" {
		w.PasswdHome = w.Getenv("HOME")
	}
	if w.PasswdHome == "none" { // the user has no passwd entry
		w.PasswdHome, w.ManagedDir = "", []string{filepath.Join(filepath.Dir(w.Getenv("HOME")), "managed")}
		return
	}
	if d := filepath.Join(filepath.Dir(w.PasswdHome), "state"); filepath.Clean(w.Getenv("XDG_STATE_HOME")) == d {
		w.StateHome = filepath.Join(d, "permgate")
	}
	managed := filepath.Join(filepath.Dir(w.PasswdHome), "managed")
	for _, name := range [...]string{"gen", "san", "claude-code"} {
		w.ManagedDir = append(w.ManagedDir, w.OS.Canon(filepath.Join(managed, name)))
	}
}
