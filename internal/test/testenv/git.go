package testenv

import (
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"
)

// Git runs git in a folder, with no configuration but that of the repository and of a home, and returns what it prints.
func Git(t testing.TB, home, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false") // else it works on after the test
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// InMemory reads files, to make copies of a folder that git is slow to fill.
func InMemory(t testing.TB, disk fs.FS) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(disk, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file := &fstest.MapFile{}
		if d.IsDir() {
			file.Mode = fs.ModeDir | 0o755
		} else if file.Data, err = fs.ReadFile(disk, name); err == nil {
			info, statErr := d.Info()
			file.Mode, err = info.Mode(), statErr
		}
		files[name] = file
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
