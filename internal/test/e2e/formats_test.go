package e2e

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/gate/trust"
)

// The folders of formats hold what one version left in a home directory: the first
// that wrote each format. See its README.
const (
	formats     = "testdata/formats"
	formatHome  = "/home/u"              // where that home directory was
	formatSince = "2026-11-23T10:00:00Z" // in the place of the time when grants began
	formatUntil = "2026-11-23T11:00:00Z" // and of when verdicts end
)

// TestFormats runs the scripts of formats: every version reads what those before it
// wrote, and leaves alone what a later one wrote.
func TestFormats(t *testing.T) {
	t.Parallel()
	skipShort(t)
	if runtime.GOOS == "windows" {
		t.Skip("its files were written elsewhere")
	}
	folders, err := filepath.Glob(formats + "/[0-9]*")
	if err != nil || len(folders) == 0 {
		t.Fatal(folders, err)
	}
	for _, name := range folders {
		if name = strings.TrimSuffix(name, ".txtar"); len(list(t, name+"*")) != 2 {
			t.Errorf("%s: a folder and a script %[1]s.txtar go together", name)
		}
	}
	testscript.Run(t, testscript.Params{Dir: formats, RequireExplicitExec: true, Setup: setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"format": format}})
}

func list(t *testing.T, pattern string) []string {
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// format makes $HOME what it was, moved to where it is and to this hour. Trust
// records are found under names that are made of paths: those move, too.
func format(ts *testscript.TestScript, _ bool, args []string) {
	home := ts.Getenv("HOME")
	from := filepath.Join(formats, args[0])
	root, err := os.Getwd()
	ts.Check(err)
	now := time.Now().UTC()
	move := strings.NewReplacer(formatHome+"/bin/permgate", program, formatHome, home,
		formatSince, now.Format(time.RFC3339), formatUntil, now.Add(time.Hour).Format(time.RFC3339))
	ts.Check(filepath.WalkDir(filepath.Join(root, from), func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(filepath.Join(root, from), name)
		if err != nil || d.IsDir() {
			return os.MkdirAll(filepath.Join(home, rel), 0o700)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(home, rel), []byte(move.Replace(string(text))), 0o600)
	}))
	store := trust.Store{Dir: filepath.Join(home, ".local", "state", "permgate", "trust"), Files: disk.Disk{}, UID: os.Getuid()}
	records, err := store.All()
	ts.Check(err)
	for _, r := range records {
		ts.Check(os.Rename(r.Name, store.File(r.Key)))
	}
	index, err := os.ReadFile(filepath.Join(filepath.Dir(home), "app", ".git", "index"))
	ts.Check(err)
	ts.Check(os.MkdirAll(filepath.Join(home, "app", ".git"), 0o755))
	ts.Check(os.WriteFile(filepath.Join(home, "app", ".git", "index"), index, 0o644))
	ts.Setenv("STATE", filepath.Join(home, ".local", "state", "permgate"))
	ts.Setenv("XDG_STATE_HOME", "")
	ts.Check(ts.Chdir(filepath.Join(home, "app")))
}

// TestFormatNames: the records of every format lie where they are looked for.
func TestFormatNames(t *testing.T) {
	for _, dir := range list(t, formats+"/[0-9]*/.local/state/permgate/trust") {
		names := list(t, dir+"/*.trust")
		if len(names) == 0 {
			t.Error("no record in", dir)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			r, err := trust.Parse(text)
			if err != nil {
				t.Fatal(name, err)
			}
			if got := (&trust.Store{Dir: dir}).File(r.Key); got != name {
				t.Errorf("%s is looked for as %s", name, got)
			}
		}
	}
}
