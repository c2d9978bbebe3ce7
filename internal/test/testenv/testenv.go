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
	// FullVar asks for the long forms of tests: "crowds" for those of crowds and floods, which the full part of CI
	// runs, anything else for every one, which is for a night.
	FullVar = "PERMGATE_FULL"
	crowds  = "crowds"
)

// Full reports whether all long forms are asked for.
func Full() bool {
	v := os.Getenv(FullVar)
	return v != "" && v != crowds
}

// Scale is how many cases a test takes, or every how many of them: short, or full where all long forms are asked for.
func Scale(short, full int) int {
	if Full() {
		return full
	}
	return short
}

// Crowd is how many processes a test starts at one moment, or how much text it takes: short, or full where the long
// forms of crowds are asked for.
func Crowd(short, full int) int {
	if os.Getenv(FullVar) != "" {
		return full
	}
	return short
}

// CrowdSettings are what the hooks of a crowd decide by.
const CrowdSettings = `{"permissions": {"allow": ["Bash(git:*)", "Read(./src/**)"], "deny": ["Bash(curl:*)", "Read(./secret/**)"]}}`

// CrowdCalls are what they are asked, each with a number of its own in the place of #, and the answer.
var CrowdCalls = [...]struct{ Tool, Input, Want string }{
	{"Bash", `{"command":"git log -n # && git status"}`, "allow"},
	{"Bash", `{"command":"git status && rm -rf dir#"}`, "ask"},
	{"Bash", `{"command":"cd sub && curl http://host#.example/ | tail"}`, "deny"},
	{"Read", `{"file_path":"src/file#.go"}`, "allow"},
	{"Read", `{"file_path":"secret/#.txt"}`, "deny"},
	{"Write", `{"file_path":"out#.txt","content":"#"}`, "ask"},
}

// Corpus returns a file of the corpora. The test is skipped where no corpora are named, and fails where they are
// and the file is missing.
func Corpus(t testing.TB, name string) []byte {
	t.Helper()
	path := CorpusPath(t, name)
	if path == "" {
		t.SkipNow()
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
		t.SkipNow()
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
	if path == "" { // .ci/run finds by this line which tests to run with the corpora
		t.Logf("without %s of the corpora that %s names", name, CorpusVar)
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
