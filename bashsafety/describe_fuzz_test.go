package bashsafety

import (
	"strings"
	"testing"
)

// FuzzDescribe looks words up as they come: nothing panics, positions lie in
// argv, known paths hold no hole, and what may run or write something is never
// proven to read only.
func FuzzDescribe(f *testing.F) {
	for _, cmd := range allCommands() {
		for _, ex := range cmd.Examples {
			f.Add(ex.Cmd)
		}
	}
	for _, c := range Checks() {
		for _, text := range append(c.Fails[:len(c.Fails):len(c.Fails)], c.Passes...) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, HoleMark) {
			t.Skip("a NUL stands for a hole")
		}
		argv := split(text)
		if len(argv) == 0 || len(argv) > 200 {
			t.Skip("no command")
		}
		d := describe(argv, &cwdState{dirs: []string{"/w", "/x"}}, "/home/u").d
		for _, i := range d.valueAt {
			if i <= 0 || i >= len(argv) {
				t.Errorf("value at %d of %d words", i, len(argv))
			}
		}
		for _, e := range d.effects {
			if e.Known && e.Kind != Network && e.Kind != Privilege && (strings.Contains(e.Path, HoleMark) || !strings.HasPrefix(e.Path, "/")) {
				t.Errorf("known path %q", e.Path)
			}
			if d.readOnly && (e.Kind == Write || e.Kind == Delete || e.Kind == Execute || e.Kind == GitChange || e.Kind == Privilege || e.Kind == Unknown) {
				t.Errorf("reads only, and %s", tell(d))
			}
		}
		if d.readOnly && (len(d.narrow) > 0 || len(d.inner) > 0 || len(d.doubts) > 0) {
			t.Errorf("reads only, and %s", tell(d))
		}
	})
}
