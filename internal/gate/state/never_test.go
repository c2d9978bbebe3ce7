package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestNever keeps rules in a file of the user's own, bounded, and leaves alone what
// a newer version wrote.
func TestNever(t *testing.T) {
	st := store(filepath.Join(t.TempDir(), "state"))
	if list, err := st.Never(); len(list) > 0 || err != nil {
		t.Fatal(list, err)
	}
	for _, rule := range []string{"Bash(a)", `Bash(echo "\)`, "Bash(a)"} {
		if err := st.AddNever(rule); err != nil {
			t.Fatal(err)
		}
	}
	list, err := st.Never()
	if err != nil || !slices.Equal(list, []string{"Bash(a)", `Bash(echo "\)`}) {
		t.Fatal(list, err)
	}
	name := filepath.Join(st.Dir, NeverName)
	if info, err := st.Files.Lstat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	first := maxNever - testenv.Count(t, 100, maxNever, maxNever) // to be added one by one, after those written at once
	for i := range first {
		list = append(list, fmt.Sprint("Bash(", i, ")"))
	}
	text, err := json.Marshal(map[string]any{"version": 1, "never": list})
	if err == nil {
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := first; i < maxNever; i++ {
		if err := st.AddNever(fmt.Sprint("Bash(", i, ")")); err != nil {
			t.Fatal(err)
		}
	}
	if list, err = st.Never(); len(list) != maxNever || list[0] != "Bash(0)" || err != nil {
		t.Error(len(list), list[0], err)
	}
	for text, want := range map[string]error{`{"version": 2, "never": []}`: ErrNewer, "{": nil, "": nil,
		`["Bash(c)"]`: nil, `{"version": 1, "never": {"a": 1}}`: nil, `{"version": 1, "never": ["Bash(c)", 1]}`: nil,
		`{"version": 1}`: nil} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := st.AddNever("Bash(b)"); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%q: %v", text, err)
		}
		if data, _ := os.ReadFile(name); string(data) != text {
			t.Errorf("%q became %q", text, data)
		}
	}
	if runtime.GOOS == "windows" { // where modes say nothing
		return
	}
	if err := os.Chmod(name, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Never(); err == nil {
		t.Error("a file that others write to counts")
	}
}
