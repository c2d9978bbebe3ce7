package oracle

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// prove shows that neither an execution by absolute path nor a redirect, a removal or a signal gets
// through, with both barriers and with each alone. The texts are harmless if they do.
func (o *Oracle) prove(t testing.TB) {
	t.Helper()
	keep := filepath.Join(o.Dir, "keep")
	if err := os.WriteFile(keep, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Without either barrier the harmless text does make its file, so what follows proves something.
	if _, err := o.run("/bin/touch made", raw|noSeccomp, 0); err != nil || files(t, o.Dir) != "keep made" {
		t.Fatalf("oracle: the proof proves nothing: files %q, %v", files(t, o.Dir), err)
	}
	if err := os.Remove(filepath.Join(o.Dir, "made")); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []uint32{noSeccomp, seal, raw, 0} { // nothing gets a seal off again
		for _, text := range []string{
			"/bin/touch made", "/usr/bin/touch made; :", "exec /bin/touch made", "/bin/sh -c '/bin/touch made'",
			"> made", ": >> " + o.Dir + "/made", "echo x >| made", "echo x <> made", "/bin/rm keep", ": > keep",
			"(/bin/touch made) & wait", "/bin/touch made | /bin/rm keep",
			"command -p touch made", "env -i /bin/touch made", "echo $(/bin/touch made)", "cat <(/bin/touch made)",
		} {
			if _, err := o.run(text, flags, 0); err != nil {
				t.Fatalf("oracle: proof %d, %q: %v", flags, text, err)
			}
			names := files(t, o.Dir)
			if data, _ := os.ReadFile(keep); names != "keep" || string(data) != "x" {
				t.Fatalf("oracle: proof %d failed: %q got through: files %q", flags, text, names)
			}
		}
	}
	if err := os.Remove(keep); err != nil {
		t.Fatal(err)
	}
}

func files(t testing.TB, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}
