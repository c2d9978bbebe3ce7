package subcmd

import (
	"runtime"
	"strings"
	"testing"
)

// TestHints: what is told to do can be typed on this system.
func TestHints(t *testing.T) {
	for _, hint := range []string{AsAdmin("permgate upgrade"), AdminExample("permgate upgrade", "").Line(), NotOthers("go-w", `C:\a b`), NotOthers("700", "/a b"), TakeOver("/a b")} {
		unix := strings.Contains(hint, "sudo ") || strings.Contains(hint, "chmod ")
		if unix == (runtime.GOOS == "windows") || !strings.Contains(hint, "a b") && !strings.Contains(hint, "upgrade") {
			t.Errorf("%s: %s", runtime.GOOS, hint)
		}
	}
}
