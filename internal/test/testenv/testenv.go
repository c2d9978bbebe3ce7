// Package testenv says what tests may use besides the repository: corpora that are no part of it, and time.
// Without either variable set a test does with what the repository holds, and with a short form of what takes long.
package testenv

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	// CorpusVar names the folder of the corpora: an absolute path, or one relative to the root of the repository.
	// It holds corpus/ (recorded calls, labelled calls, settings files of real projects), spec/ and oracle/.
	CorpusVar = "PERMGATE_CORPUS"
	// FullVar, set to anything, asks for the long forms of oracles, crowds and floods: the full part of CI sets it.
	FullVar = "PERMGATE_FULL"
)

// Full reports whether the long forms of tests are asked for.
func Full() bool { return os.Getenv(FullVar) != "" }

// Scale is the size of a test: short, or full where the long forms are asked for.
func Scale(short, full int) int {
	if Full() {
		return full
	}
	return short
}

// Corpus returns a file of the corpora. The test is skipped where no corpora are named, and fails where they are
// and the file is missing.
func Corpus(t testing.TB, name string) []byte {
	t.Helper()
	path := CorpusPath(t, name)
	if path == "" {
		t.Skipf("needs %s of the corpora that %s names", name, CorpusVar)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// CorpusGlob returns the files of the corpora that match a pattern of filepath.Glob, and skips or fails as Corpus does.
func CorpusGlob(t testing.TB, pattern string) []string {
	t.Helper()
	dir := CorpusPath(t, filepath.Dir(pattern))
	if dir == "" {
		t.Skipf("needs %s of the corpora that %s names", pattern, CorpusVar)
	}
	names, err := filepath.Glob(filepath.Join(dir, filepath.Base(pattern)))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no such files in %s: %v", pattern, dir, err)
	}
	return names
}

// CorpusPath returns where a file or folder of the corpora is, "" where no corpora are named.
func CorpusPath(t testing.TB, name string) string {
	t.Helper()
	path, err := Path(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Path is CorpusPath for programs that are no tests.
func Path(name string) (string, error) {
	dir := os.Getenv(CorpusVar)
	if dir == "" {
		return "", nil
	}
	if !filepath.IsAbs(dir) {
		root, err := moduleRoot()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(root, dir)
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	_, err := os.Stat(path)
	return path, err
}

// moduleRoot is the folder of go.mod above the working directory, which is a package's own in its tests.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, found := os.Stat(filepath.Join(dir, "go.mod")); !errors.Is(found, fs.ErrNotExist) {
			return dir, found
		}
		if strings.TrimRight(dir, `/\`) == strings.TrimRight(filepath.Dir(dir), `/\`) {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}
