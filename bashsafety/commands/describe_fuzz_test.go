package commands

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// FuzzDescribe looks words up as they come: nothing panics, positions lie in argv, known paths hold no hole, and what
// may run or write something is never proven to read only.
func FuzzDescribe(f *testing.F) {
	for _, ex := range exampleTable() {
		f.Add(ex.Cmd)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, shell.HoleMark) {
			t.Skip("a NUL stands for a hole")
		}
		argv := split(text)
		if len(argv) == 0 || len(argv) > 200 {
			t.Skip("no command")
		}
		d := Describe(argv, &shell.CwdState{Dirs: []string{"/w", "/x"}}, "/home/u").Facts
		for _, i := range d.valueAt {
			if i <= 0 || i >= len(argv) {
				t.Errorf("value at %d of %d words", i, len(argv))
			}
		}
		for _, e := range d.Effects {
			if e.Known && e.Kind != shell.Network && e.Kind != shell.Privilege && (strings.Contains(e.Path, shell.HoleMark) || !strings.HasPrefix(e.Path, "/")) {
				t.Errorf("known path %q", e.Path)
			}
			if d.Proof.Holds() && (e.Kind == shell.Write || e.Kind == shell.Delete || e.Kind == shell.Execute || e.Kind == shell.GitChange || e.Kind == shell.Privilege || e.Kind == shell.Unknown) {
				t.Errorf("reads only, and %s", tell(d))
			}
		}
		if d.Proof.Holds() && (len(d.Narrow) > 0 || len(d.Inner) > 0 || len(d.Doubts) > 0) {
			t.Errorf("reads only, and %s", tell(d))
		}
	})
}
