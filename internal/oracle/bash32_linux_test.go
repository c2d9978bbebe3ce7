package oracle

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/permgate--owner/permgate/internal/executable"
	"github.com/permgate--owner/permgate/internal/testenv"
)

// bash32 returns a bash 3.2.48, as macOS has it: the one PERMGATE_BASH32 names, else one that is built once from
// the source in the corpora and kept in the user's cache. Where there is none the test is skipped.
func bash32(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("PERMGATE_BASH32"); path != "" {
		return path
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("oracle: no place for bash 3.2: %v", err)
	}
	dir := filepath.Join(cache, "permgate-oracle")
	path := filepath.Join(dir, "bash-3.2")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	script := testenv.CorpusPath(t, "oracle/build.sh")
	if script == "" {
		t.Skipf("oracle: no bash 3.2: neither PERMGATE_BASH32 names one nor %s its source", testenv.CorpusVar)
	}
	for _, tool := range [...]string{"bash", "gcc", "make", "bison", "xz"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("oracle: bash 3.2 cannot be built: %v", err)
		}
	}
	tmp := t.TempDir()
	if out, err := exec.Command("bash", script, tmp).CombinedOutput(); err != nil {
		t.Skipf("oracle: bash 3.2 cannot be built: %v\n%s", err, out)
	}
	if err := keep(filepath.Join(tmp, "bash-3.2"), path); err != nil {
		t.Logf("oracle: bash 3.2 is not kept: %v", err)
		return filepath.Join(tmp, "bash-3.2")
	}
	return path
}

// keep copies a program to a path where another test may do the same at the same time.
func keep(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(to), "bash-3.2-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	kept := filepath.Join(dir, "bash-3.2")
	if err := executable.WriteFile(kept, data, 0o700); err != nil {
		return err
	}
	return os.Rename(kept, to)
}

// since4 returns what finds words and operators that bash 3.2 does not have: to it they are other commands,
// arguments or errors, and everything is analysed as today's bash.
func since4() func(text string) bool {
	re := regexp.MustCompile(`coproc|exec\s+\{|\|&|;&|&>>|\$\{\|`)
	return re.MatchString
}
