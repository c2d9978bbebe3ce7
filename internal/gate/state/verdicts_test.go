package state

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

func keep(key, verdict string, until time.Time) func(*Verdicts) {
	return func(v *Verdicts) { v.Add(Said{Key: key, Verdict: verdict, Reason: "r\n\"", Until: until}) }
}

// TestVerdicts: a verdict is found by its key for as long as it lasts, in the project
// and session it was given in.
func TestVerdicts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "permgate")
	st := store(dir)
	soon := st.Now.Add(VerdictAge)
	for i, k := range []string{"a", "b\x00c", "a"} {
		if err := st.Note("s1", "/work", keep(k, fmt.Sprint("v", i), soon)); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Note("s1", "/work", func(v *Verdicts) { v.Denials = 2 }); err != nil {
		t.Fatal(err)
	}
	v := st.Verdicts("s1", "/work")
	if len(v.List) != 2 || v.Denials != 2 || v.Find("a").Verdict != "v2" || v.Find("b\x00c").Reason != "r\n\"" || v.Find("") != nil || v.Find("b") != nil {
		t.Errorf("%+v", v)
	}
	for name, v := range map[string]Verdicts{
		"another session": st.Verdicts("s2", "/work"), "another project": st.Verdicts("s1", "/other"), "no session": st.Verdicts("../s1", "/work"),
	} {
		if len(v.List) > 0 || v.Denials > 0 {
			t.Errorf("%s: %+v", name, v)
		}
	}
	later := store(dir)
	later.Now = soon.Add(time.Second)
	if v := later.Verdicts("s1", "/work"); len(v.List) > 0 {
		t.Errorf("after an hour: %+v", v)
	}
	st.Note("s1", "/work", keep("far", "allow", st.Now.Add(24*time.Hour)))
	if v := st.Verdicts("s1", "/work"); v.Find("far") != nil {
		t.Error("one that lasts too long counts")
	}
	info, err := os.Stat(VerdictFile(dir, "s1"))
	if err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("%v %v", info, err)
	}
}

// TestVerdictsBounded: no session keeps more than it may.
func TestVerdictsBounded(t *testing.T) {
	var v Verdicts
	for i := range 3 * MaxVerdicts {
		v.Add(Said{Key: fmt.Sprint(i), Verdict: "allow"})
	}
	if len(v.List) != MaxVerdicts || v.Find("0") != nil || v.Find(fmt.Sprint(3*MaxVerdicts-1)) == nil {
		t.Errorf("%d are kept", len(v.List))
	}
	for i := range testenv.Count(t, MaxVerdicts/4, 2*MaxVerdicts, 2*MaxVerdicts) {
		v.Add(Said{Key: fmt.Sprint(i, strings.Repeat("\x01", 4<<10))})
		if n := len(v.json("")); n > maxFile {
			t.Fatalf("%d bytes", n)
		}
	}
}

// TestVerdictsRefused: what others could have written, or is not whole, says nothing.
func TestVerdictsRefused(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("modes and links are those of Unix")
	}
	for name, arrange := range map[string]func(file string){
		"others can write": func(f string) { os.Chmod(f, 0o666) },
		"a link":           func(f string) { os.Rename(f, f+"x"); os.Symlink(f+"x", f) },
		"torn":             func(f string) { os.Truncate(f, 40) },
		"not ours":         func(f string) { os.WriteFile(f, []byte(`{"project": "/other"}`), 0o600) },
		"another shape":    func(f string) { os.WriteFile(f, []byte(`[{"project": "/work"}]`), 0o600) },
		"too old": func(f string) {
			old := time.Now().Add(-MaxAge - time.Hour)
			os.Chtimes(f, old, old)
		},
	} {
		dir := filepath.Join(t.TempDir(), "permgate")
		st := store(dir)
		if err := st.Note("s1", "/work", keep("a", "allow", st.Now.Add(VerdictAge))); err != nil {
			t.Fatal(err)
		}
		arrange(VerdictFile(dir, "s1"))
		if v := st.Verdicts("s1", "/work"); len(v.List) > 0 {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// TestVerdictsSweep: the file of a session that is long over goes with the next change.
func TestVerdictsSweep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "permgate")
	st := store(dir)
	for _, s := range []string{"old", "new"} {
		if err := st.Note(s, "/work", keep("a", "allow", st.Now.Add(VerdictAge))); err != nil {
			t.Fatal(err)
		}
	}
	past := st.Now.Add(-MaxAge - time.Hour)
	os.Chtimes(VerdictFile(dir, "old"), past, past)
	if _, err := st.Update("s1", "/work", edits); err != nil {
		t.Fatal(err)
	}
	onlyFiles(t, dir, "session-s1.json", "verdicts-new.json", lockName)
}
