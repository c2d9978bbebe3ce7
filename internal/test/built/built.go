// Package built builds programs for tests, once for all test processes of a go test and for as long as their source
// stays the same. They are kept in the user's cache folder.
package built

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// GivenVar names a program that Permgate returns, where there is no go to build one.
const GivenVar = "PERMGATE_TEST_PROGRAM"

// Strip are the flags of the linker that leave out what debuggers read.
const Strip = "-s -w"

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

// Release returns permgate as install.sh and a release build it. The linker sets variables of it: path=value, where
// the path is relative to the module.
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

// build returns the path of a program. The first process to ask builds it, and others wait: go leaves a program alone
// that it has built from the same source.
func build(folder string, args ...string) (string, error) {
	root, err := testenv.Root()
	if err != nil {
		return "", err
	}
	if err := look(root); err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	key := sha256.Sum256(fmt.Append(nil, root, folder, args))
	dir := filepath.Join(cache, "permgate-tests", fmt.Sprintf("%x", key[:8]))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, "lock")).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	name := filepath.Join(dir, "permgate.exe")
	return name, run(root, folder, name, args...)
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

// look looks at every file that a program may be made from: go test uses a result again until a file changes that the
// test has looked at, and does not see what go build reads.
func look(root string) error {
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return cmp.Or(err, fs.SkipDir)
		}
		_, err = os.Stat(name)
		return err
	})
}
