// Package built builds programs for tests, each once for as long as its source stays the same: they are kept in the
// user's cache folder, for all test processes of a go test and for the next one.
package built

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

const (
	// GivenVar names a program that Permgate returns, where there is no go to build one.
	GivenVar = "PERMGATE_TEST_PROGRAM"
	// Strip are the flags of the linker that leave out what debuggers read.
	Strip = "-s -w"
	// lock is held by the one process that looks for a program, or builds it.
	lock = "lock"
	// maxAge is how long a program is kept that no test asks for.
	maxAge = 3 * 24 * time.Hour
)

// Flags are how a release is built, before the flags of the linker. VCS data would change with every commit.
var Flags = [...]string{"-trimpath", "-buildmode=exe", "-buildvcs=false", "-ldflags"}

// Permgate returns permgate for tests, which takes HOME for everything outside the project: the test program of package
// main, see its TestMain.
func Permgate() (string, error) {
	if given := os.Getenv(GivenVar); given != "" {
		return given, nil
	}
	return build(".", "test", "-c", "-vet=off", "-trimpath", "-ldflags", Strip)
}

// Release returns permgate as install.sh and a release build it. The linker sets variables of it: path=value, where the
// path is relative to the module.
func Release(set ...string) (string, error) { return build(".", release(set)...) }

// Command returns the program of a folder of the repository.
func Command(folder string) (string, error) { return build(folder, release(nil)...) }

// Into builds what Release returns out of the source in a folder, and keeps it nowhere else: for what only one process
// can use.
func Into(name, source string, set ...string) error { return run(source, ".", name, release(set)...) }

func release(set []string) []string {
	flags := Strip
	for _, s := range set {
		flags += " -X github.com/permgate--owner/permgate/" + s
	}
	return append(append([]string{"build"}, Flags[:]...), flags)
}

// run builds the package of a folder below a root.
func run(root, folder, name string, args ...string) error {
	cmd := exec.Command("go", append(args, "-o", name, "./"+folder)...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(cmd.Args[1:], " "), err, out)
	}
	return nil
}

// build returns the path of a program in the user's cache folder.
func build(folder string, args ...string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return buildIn(filepath.Join(cache, "permgate-tests"), folder, args...)
}

// buildIn returns the path of a program that nobody may write to. The first process to ask builds it, and others wait.
func buildIn(all, folder string, args ...string) (string, error) {
	root, err := testenv.Root()
	if err != nil {
		return "", err
	}
	key, err := keyOf(root, folder, args)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(all, 0o700); err != nil {
		return "", err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(all, lock)).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	dir, file := filepath.Join(all, key), "permgate"
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	name := filepath.Join(dir, file)
	if _, err := os.Stat(name); err == nil {
		now := time.Now()
		return name, os.Chtimes(dir, now, now)
	}
	forget(all)
	half := dir + ".new"
	if err := run(root, folder, filepath.Join(half, file), args...); err != nil {
		return "", err
	}
	if err := os.Chmod(filepath.Join(half, file), 0o555); err != nil {
		return "", err
	}
	return name, os.Rename(half, dir)
}

// keyOf is a hash of what a program is built from: how, by which Go, and the source of the repository with what is
// embedded in it. A test that reads all of this is run again when it changes, also where go test keeps results.
func keyOf(root, folder string, args []string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), folder, args)
	for _, name := range [...]string{"GOFLAGS", "GOOS", "GOARCH", "GOEXPERIMENT", "GOTOOLCHAIN"} {
		fmt.Fprintln(h, os.Getenv(name))
	}
	embeds := regexp.MustCompile(`(?m)^\s*//go:embed (\S+)$`) // one file by its name, as everywhere in this repository
	var add func(name string) error
	add = func(name string) error {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Fprintln(h, strings.TrimPrefix(name, root), len(text))
		h.Write(text)
		if filepath.Ext(name) != ".go" {
			return nil
		}
		for _, m := range embeds.FindAllSubmatch(text, -1) {
			if err := add(filepath.Join(filepath.Dir(name), string(m[1]))); err != nil {
				return err
			}
		}
		return nil
	}
	own := filepath.Join(root, folder)
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch tests := args[0] == "test" && filepath.Dir(name) == own; {
		case err != nil:
			return err
		case d.IsDir():
			ours := strings.HasPrefix(own, name+string(filepath.Separator))
			if d.Name() == ".git" || d.Name() == "testdata" && !ours {
				return fs.SkipDir
			}
			return nil
		case d.Name() == "go.mod", d.Name() == "go.sum":
		case filepath.Ext(name) != ".go", strings.HasSuffix(name, "_test.go") && !tests:
			return nil
		}
		return add(name)
	})
	return hex.EncodeToString(h.Sum(nil)[:12]), err
}

// forget removes programs that no test has asked for in a while.
func forget(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != lock && time.Since(info.ModTime()) > maxAge {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
