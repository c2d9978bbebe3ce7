package oracle

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// bash32 returns a bash 3.2.48, as macOS has it, from the source in the corpora.
func bash32(t testing.TB) string {
	t.Helper()
	return built(t, "bash-3.2", "PERMGATE_BASH32", testenv.CorpusPath(t, "oracle/build.sh"), "gcc", "make", "bison", "xz")
}

// bash53 returns a bash 5.3 from the source package of Debian, which a long run alone fetches.
func bash53(t testing.TB) string {
	t.Helper()
	script := "testdata/bash53.sh"
	if os.Getenv("PERMGATE_ORACLE") == "" {
		script = ""
	}
	return built(t, "bash-5.3", "PERMGATE_BASH53", script, "apt-get", "gcc", "make", "xz")
}

// built returns a shell: the one that a variable names, else the one that a script built and that is kept in the
// user's cache. Where it cannot be built the test is skipped.
func built(t testing.TB, name, variable, script string, tools ...string) string {
	t.Helper()
	if path := os.Getenv(variable); path != "" {
		return path
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("oracle: no place for %s: %v", name, err)
	}
	path := filepath.Join(cache, "permgate-oracle", name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if script == "" {
		t.Skipf("oracle: no %s: %s does not name one, and nothing builds it", name, variable)
	}
	for _, tool := range append(tools, "bash") {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("oracle: %s cannot be built: %v", name, err)
		}
	}
	tmp := t.TempDir()
	if out, err := exec.Command("bash", script, tmp).CombinedOutput(); err != nil {
		t.Skipf("oracle: %s cannot be built: %v\n%s", name, err, out)
	}
	if err := keep(filepath.Join(tmp, name), path); err != nil {
		t.Logf("oracle: %s is not kept: %v", name, err)
		return filepath.Join(tmp, name)
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
	dir, err := os.MkdirTemp(filepath.Dir(to), filepath.Base(to)+"-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	kept := filepath.Join(dir, filepath.Base(to))
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
